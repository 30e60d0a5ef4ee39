//! The `heddle` command: argument parsing and dispatch only.

mod cmd_board;
mod cmd_cosim;
mod cmd_sim;
mod cmd_trace;
mod cmd_verilog;
mod failure;
mod output;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// An open hardware transport core for RDMA over lossy, multipath Ethernet.
///
/// Exit codes: 0 done, 1 the run failed or found a difference, 2 wrong arguments or a missing tool.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Verilog(cmd_verilog::Arguments),
    #[command(subcommand)]
    Board(cmd_board::Command),
    Cosim(Box<cmd_cosim::Arguments>),
    Sim(cmd_sim::Arguments),
    Trace(cmd_trace::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Verilog(arguments) => cmd_verilog::run(&arguments),
        Command::Board(command) => cmd_board::run(&command),
        Command::Cosim(arguments) => cmd_cosim::run_command(&arguments),
        Command::Sim(arguments) => cmd_sim::run_command(&arguments),
        Command::Trace(arguments) => cmd_trace::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("heddle: {failure}");
            failure.exit_code()
        }
    }
}
