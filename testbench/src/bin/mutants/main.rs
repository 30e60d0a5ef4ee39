//! Would a block's tests see a fault? Puts operator mutants into the emitted Verilog, one at a time, and runs the
//! block's lockstep tests against each. A survivor that `testbench/mutants.toml` does not explain fails the run.
//!
//! `cargo run -p heddle-testbench --bin mutants -- --modules rx_path,tx_path --count 40 --seed 1`

mod explained;
mod pool;
mod trial;

use anyhow::Context;
use clap::Parser;
use explained::Explained;
use rand::SeedableRng;
use std::collections::BTreeMap;
use std::process::ExitCode;
use trial::{Outcome, Suite};

/// Mutation test of Verilated blocks.
#[derive(Parser)]
struct Arguments {
    /// Designs, with commas: rx_path,tx_path.
    #[arg(long, value_delimiter = ',', required = true)]
    modules: Vec<String>,
    /// Mutants per design, drawn at random from all of its modules.
    #[arg(long, default_value_t = 20)]
    count: usize,
    /// Seed of the draw.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let explained = Explained::load().context("testbench/mutants.toml")?;
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(arguments.seed);
    let (mut tally, mut unexplained) = (BTreeMap::<&str, usize>::new(), Vec::new());
    for design in &arguments.modules {
        let suite = Suite::new(design, explained.test_target(design))?;
        let candidates = pool::candidates(design)?;
        explained.reject_stale(design, &candidates)?;
        println!(
            "{design}: {} mutants, {} drawn by seed {}",
            candidates.len(),
            arguments.count,
            arguments.seed
        );
        for candidate in pool::draw(candidates, arguments.count, &mut rng) {
            let outcome = suite.judge(&candidate)?;
            let reason = explained.reason(design, &candidate);
            let verdict = match (&outcome, reason) {
                (Outcome::Survived, Some(_)) => "explained",
                (Outcome::Survived, None) => "SURVIVED",
                (Outcome::Caught(_), _) => "caught",
                (Outcome::Invalid(_), _) => "invalid",
            };
            println!("{verdict:9} {candidate}{}", detail(&outcome, reason));
            *tally.entry(verdict).or_default() += 1;
            if verdict == "SURVIVED" {
                unexplained.push(candidate);
            }
        }
    }
    println!("seed {}: {tally:?}", arguments.seed);
    for candidate in &unexplained {
        println!("unexplained survivor: {candidate}\n{}", explained::entry(candidate));
    }
    Ok(unexplained.is_empty())
}

fn detail(outcome: &Outcome, reason: Option<&str>) -> String {
    match (outcome, reason) {
        (Outcome::Caught(by), _) => format!("  by {by}"),
        (Outcome::Invalid(why), _) => format!("  {why}"),
        (Outcome::Survived, Some(why)) => format!("  {why}"),
        (Outcome::Survived, None) => String::new(),
    }
}
