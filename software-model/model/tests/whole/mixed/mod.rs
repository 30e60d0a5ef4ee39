//! Every operation in both directions at once, over a network that loses, reorders and duplicates: memory of both sides to the byte, every
//! completion once and in order, and nothing touched once it is the user's again.

mod bench;
mod plan;

pub use bench::{Bench, Shape};

use crate::world::Network;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn lossy(loss: f64) -> Network {
    Network { loss, ack_loss: loss, reorder: 0.05, duplicate: 0.05, ..Network::default() }
}

// REQ-OP-1, REQ-OP-3, REQ-OP-8, REQ-MSG-4
#[test]
fn a_mix_of_everything_is_exact_on_a_clean_network() {
    for seed in 0..4 {
        let world = Bench::new(Shape::default(), seed).run();
        let resent = world.cores.iter().map(|core| core.counters().data_resent).sum::<u64>();
        assert_eq!(resent, 0, "seed {seed}");
    }
}

#[test]
fn a_mix_of_everything_is_exact_at_1_10_and_30_percent_of_loss_with_reordering_and_duplicates() {
    for (seed, loss) in [(10, 0.01), (11, 0.01), (12, 0.1), (13, 0.1), (14, 0.3), (15, 0.3)] {
        let world = Bench::new(Shape { network: lossy(loss), ..Shape::default() }, seed).run();
        assert!(world.cores.iter().all(|core| core.counters().data_resent > 0), "seed {seed}");
    }
}

// REQ-MSG-1, REQ-MSG-2
#[test]
fn a_peer_that_posts_few_receives_holds_sends_back_and_nothing_else() {
    for (seed, receives) in [(20, 1), (21, 2), (22, 4)] {
        Bench::new(Shape { network: lossy(0.05), receives, ..Shape::default() }, seed).run();
    }
}

/// Whatever waits for credit, answers or memory waits for window and pacer too, and nothing waits for ever.
#[test]
fn a_mix_of_everything_is_exact_under_congestion_control() {
    for (seed, loss, receives) in [(40, 0.0, 64), (41, 0.01, 2), (42, 0.1, 64), (43, 0.3, 1), (44, 0.05, 4)] {
        Bench::new(Shape { network: lossy(loss), receives, hints: true, ..Shape::default() }, seed).run();
    }
}

#[test]
fn message_and_receive_numbers_wrap_under_loss() {
    for (seed, streams) in [(30, 16), (31, 4), (32, 1)] {
        let first = (0xFF_FFF8, 0xFFF8);
        Bench::new(Shape { network: lossy(0.1), streams, first, ..Shape::default() }, seed).run();
    }
}

/// With congestion control and routes. Planes 1 and 3 die, then come back, then 0 dies.
#[test]
fn a_mix_of_everything_is_exact_with_congestion_control_while_planes_die_and_come_back() {
    for (seed, loss) in [(40, 0.0), (41, 0.01), (42, 0.1)] {
        let planes = vec![
            (3_000, 1, true),
            (5_000, 3, true),
            (150_000, 1, false),
            (200_000, 3, false),
            (400_000, 0, true),
        ];
        let shape = Shape {
            network: lossy(loss),
            count: 400,
            hints: true,
            routes: true,
            planes,
            receives: 8,
            ..Shape::default()
        };
        let world = Bench::new(shape, seed).run();
        let dead = world.cores.iter().map(|core| core.counters().dead_routes).sum::<u64>();
        assert!(dead > 0, "no route died, seed {seed}");
    }
}

#[test]
fn a_fresh_seed_of_everything_is_exact_too() {
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or_else(rand::random);
    println!("SEED={seed}");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut rate = || rng.gen_range(0.0..0.2);
    let network =
        Network { loss: rate(), ack_loss: rate(), reorder: rate(), duplicate: rate(), ..Network::default() };
    let streams = 1 << rng.gen_range(0..5);
    let shape = Shape {
        network,
        streams,
        receives: 1 << rng.gen_range(0..7),
        first: (rng.gen(), rng.gen()),
        hints: rng.gen(),
        routes: rng.gen(),
        ..Shape::default()
    };
    Bench::new(shape, seed).run();
}
