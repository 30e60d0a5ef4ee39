//! The two path engines against each other: packets of 64 paths over a network that loses, delays, duplicates and reorders,
//! on two routes per path, without payload. Every operation of both is compared with the model, and an oracle that knows
//! every packet's fate judges placement and resends.

#[path = "path_pair/channel.rs"]
mod channel;
#[path = "path_pair/oracle.rs"]
mod oracle;
#[path = "path_pair/receiver.rs"]
mod receiver;
#[path = "path_pair/sender.rs"]
mod sender;

use channel::{Channel, Network};
use oracle::{Oracle, Sums};
use receiver::Receiver;
use sender::Sender;

/// Paths of both engines.
const PATHS: usize = 64;
/// Cycles after which a transfer that has not ended is stuck.
const PATIENCE: u64 = 3_000_000;

/// Sends `packets` on each of the 64 paths, and checks everything.
fn transfer(network: Network, seed: u64, packets: u32, route_changes: bool) -> Sums {
    let replay = format!("SEED={seed} cargo test -p heddle-testbench --test path_pair");
    let mut data = Channel::new(network, seed);
    let mut acks = Channel::new(network.for_acks(), seed ^ 0xACC);
    let mut sender = Sender::new(network, seed, packets, route_changes);
    let mut receiver = Receiver::new(seed, &sender);
    let mut oracle = Oracle::new(PATHS);
    for cycle in 0..PATIENCE {
        receiver.cycle(cycle, &mut data, &mut acks, &mut oracle);
        sender.cycle(cycle, &mut acks, &mut data, &mut oracle);
        if sender.is_done() && receiver.is_done() && acks.is_empty() && data.is_empty() {
            let sums = oracle.sums(&sender, &receiver);
            assert_eq!(oracle.placed(), PATHS as u64 * u64::from(packets), "not each packet once; {replay}");
            assert_eq!(sums.compared, sums.crossed, "{replay}");
            receiver.assert_empty(&replay);
            return sums;
        }
    }
    panic!("no end after {PATIENCE} cycles: {} {}; {replay}", sender.state(), receiver.state());
}

fn seed() -> u64 {
    let given = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(rand::random);
    println!("SEED={seed}");
    seed
}

#[test]
fn without_loss_nothing_is_resent() {
    let sums = transfer(Network::clean(), 1, 1_000, false);
    assert_eq!((sums.resends, sums.expiries, sums.spurious_by_evidence), (0, 0, 0), "{sums:?}");
    assert_eq!(sums.sent, 64_000);
}

#[test]
fn on_fifo_routes_evidence_never_errs_whatever_is_lost() {
    for (seed, loss) in [(2, 0.01), (3, 0.05), (4, 0.1), (5, 0.3)] {
        let sums = transfer(Network::lossy(loss), seed, 600, false);
        assert_eq!(sums.spurious_by_evidence, 0, "loss {loss}: {sums:?}");
        assert!(sums.lost > 0 && sums.resends > 0, "loss {loss}: {sums:?}");
        if loss == 0.01 {
            let share = sums.found_by_evidence as f64 / sums.lost as f64;
            assert!(share >= 0.95, "{share} of the losses found by evidence: {sums:?}");
        }
    }
}

#[test]
fn route_changes_by_choice_and_by_death_lose_nothing() {
    for seed in [6, 7] {
        let sums = transfer(Network::lossy(0.05), seed, 600, true);
        assert_eq!(sums.spurious_by_evidence, 0, "{sums:?}");
        assert!(sums.route_changes > 100, "{sums:?}");
    }
}

#[test]
fn reordering_and_duplication_place_each_packet_once() {
    for seed in [8, 9] {
        let sums =
            transfer(Network { reorder: 0.05, duplicate: 0.05, ..Network::lossy(0.02) }, seed, 500, false);
        assert!(sums.duplicates > 0, "{sums:?}");
    }
}

#[test]
fn the_full_window_is_used_and_never_passed() {
    let sums = transfer(Network { delay: [30_000, 31_000], ..Network::lossy(0.01) }, 10, 700, false);
    assert_eq!(sums.most_in_flight, 256, "{sums:?}");
}

#[test]
fn a_fresh_seed_passes_too() {
    let sums = transfer(Network::lossy(0.08), seed(), 300, true);
    assert_eq!(sums.spurious_by_evidence, 0, "{sums:?}");
}
