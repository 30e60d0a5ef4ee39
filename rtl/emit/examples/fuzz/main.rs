//! Random kernels through rustc, the emitter and both simulators.
//!
//! `cargo run -p heddle-emit --example fuzz -- --seed 1 --kernels 20`
mod expression;
mod kernel;
mod project;

use clap::Parser;
use std::process::ExitCode;

/// Compares random kernels with their emitted text.
#[derive(Parser)]
struct Arguments {
    /// Seed of the first kernel; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Kernels to try, all in one crate.
    #[arg(long, default_value_t = 10)]
    kernels: u64,
    /// Cycles per kernel.
    #[arg(long, default_value_t = 1_000)]
    cycles: usize,
    /// Leave Verilator out: quicker.
    #[arg(long)]
    icarus_only: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let plan = project::Plan {
        seeds: arguments.seed..arguments.seed + arguments.kernels,
        cycles: arguments.cycles,
        verilator: !arguments.icarus_only,
    };
    match project::run(&plan) {
        Ok(report) => {
            println!("{} kernels, {} vectors, no difference", report.kernels, report.vectors);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
