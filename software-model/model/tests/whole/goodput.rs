//! What loss costs: one connection at 100 Gb/s, a round trip of 10 us, slices of 4 KiB, ACKs lost as data is.

use crate::evidence::Tally;
use crate::world::{Link, Network, World, LENGTH};
use heddle_model::core::{CongestionConfig, CoreConfig};
use heddle_model::operations::Operations;
use heddle_wire::Status;

const LINK: Link = Link { ends: [(0, 0), (1, 0)], tags: [1, 2] };

fn world(loss: f64, seed: u64) -> World {
    let congestion = CongestionConfig::new(125_000, 1_250, 4).expect("good values");
    let config = CoreConfig {
        connections: 1,
        slice_log2: 12,
        life: true,
        operations: Operations::ALL,
        congestion: Some(congestion),
        ..CoreConfig::default()
    };
    let network = Network { loss, ack_loss: loss, ..Network::default() };
    let mut world = World::new(2, config, network, seed);
    assert!(world.connect(&LINK, 4));
    world
}

/// Bytes per tick, and who found the losses: messages of `length` bytes, `together` of them outstanding at a time, from the first
/// to the last completion.
fn goodput(loss: f64, seed: u64, length: u32, together: usize, messages: usize) -> (f64, Tally) {
    let mut world = world(loss, seed);
    let (mut submitted, mut completed, mut first) = (0, 0, None);
    while completed < messages {
        while submitted < messages && submitted - completed < together {
            let (id, stream) = (submitted as u64, (submitted % 4) as u8);
            let request = world.write(&LINK, 0, id, stream, 0, length);
            assert!(world.submit(0, request));
            submitted += 1;
        }
        // A completion is seen within 10 ticks.
        let next = world.tick + 10;
        world.run_to(next);
        while let Some(done) = world.completions[0].pop_front() {
            assert_eq!(done.status, Status::Success);
            completed += 1;
            first.get_or_insert((world.tick, completed));
        }
    }
    let (start, before) = first.expect("a completion");
    let bytes = (messages - before) as u64 * u64::from(length);
    (bytes as f64 / (world.tick - start) as f64, world.evidence.tally)
}

fn shares(length: u32, together: usize, messages: usize, losses: &[f64]) -> Vec<(f64, Tally)> {
    let (clean, _) = goodput(0.0, 1, length, together, messages);
    println!("without loss {clean:.2} bytes per tick of 100");
    let share = |&loss| {
        let (bytes, tally) = goodput(loss, 2, length, together, messages);
        println!("at {loss}: {:.4}, {tally:?}", bytes / clean);
        (bytes / clean, tally)
    };
    losses.iter().map(share).collect()
}

#[test]
fn a_long_transfer_keeps_nearly_all_of_what_the_network_lets_through() {
    let shares = shares(LENGTH as u32, 8, 130, &[0.01, 0.05, 0.1]);
    for ((share, tally), least) in shares.iter().zip([0.985, 0.945, 0.895]) {
        assert!(share >= &least, "{share}, not {least}");
        assert_eq!(tally.spurious, 0);
    }
    let at_one = shares[0].1;
    assert!(at_one.by_evidence * 100 >= at_one.losses * 95, "{at_one:?}");
}

#[test]
fn messages_of_a_megabyte_one_at_a_time_lose_little_to_the_wait_for_their_tails() {
    let shares = shares(1_000_000, 1, 200, &[0.01]);
    assert!(shares[0].0 >= 0.94, "{shares:?}");
    assert_eq!(shares[0].1.spurious, 0);
}
