//! What loss costs: one connection at 100 Gb/s, a round trip of 10 us, slices of 4 KiB, ACKs lost as data is.

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

/// Bytes per tick of messages of `length` bytes, `together` of them outstanding at a time, from the first to the last completion.
fn goodput(loss: f64, seed: u64, length: u32, together: usize, messages: usize) -> f64 {
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
    ((messages - before) as u64 * u64::from(length)) as f64 / (world.tick - start) as f64
}

fn shares(length: u32, together: usize, messages: usize, losses: &[f64]) -> Vec<f64> {
    let clean = goodput(0.0, 1, length, together, messages);
    losses.iter().map(|&loss| goodput(loss, 2, length, together, messages) / clean).collect()
}

#[test]
fn a_long_transfer_keeps_nearly_all_of_what_the_network_lets_through() {
    let shares = shares(LENGTH as u32, 8, 130, &[0.01, 0.05, 0.1]);
    println!("of zero loss at 1, 5, 10 %: {shares:.4?}");
    for (share, least) in shares.iter().zip([0.985, 0.945, 0.895]) {
        assert!(share >= &least, "{share}, not {least}");
    }
}

#[test]
fn messages_of_a_megabyte_one_at_a_time_lose_little_to_the_wait_for_their_tails() {
    let shares = shares(1_000_000, 1, 200, &[0.01]);
    println!("of zero loss at 1 %: {shares:.4?}");
    assert!(shares[0] >= 0.94, "{shares:?}");
}
