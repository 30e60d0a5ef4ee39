//! Incast: many senders and one receiver, whole cores, one port of 100 Gb/s. What receiver hints are for.

mod cold;
mod fair;
mod frames;
mod hostile;
mod hosts;
mod light;
mod plan;
#[path = "../shared/rows.rs"]
mod rows;
mod world;

/// A seed of one's own, or a fresh one; printed, so that a failure can be run again.
fn fresh_seed(test: &str) -> u64 {
    let given = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(rand::random);
    println!("replay: SEED={seed} cargo test -p heddle-model --test incast {test}");
    seed
}
