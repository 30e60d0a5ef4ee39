//! `heddle trace`: a capture, one line per packet.

use crate::failure::Failure;
use clap::Args;
use heddle_testbench::capture::{trace, TraceError};
use heddle_wire::header::DEFAULT_PORT;
use heddle_wire::ParseConfig;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::PathBuf;

/// Decodes a pcapng capture: time in microseconds, plane, direction, packet, and what the network did to it.
#[derive(Args)]
pub struct Arguments {
    /// The capture.
    capture: PathBuf,
    /// UDP destination port of the transport.
    #[arg(long, default_value_t = DEFAULT_PORT)]
    port: u16,
}

/// Carries the command out.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let name = arguments.capture.display();
    let cannot_read = |what: String| Failure::Usage(format!("cannot read {name}: {what}"));
    let file = File::open(&arguments.capture).map_err(|e| cannot_read(e.to_string()))?;
    let mut to = BufWriter::new(io::stdout().lock());
    let config = ParseConfig { port: arguments.port };
    match trace(BufReader::new(file), config, &mut to) {
        Ok(_) => Ok(()),
        // A reader that has seen enough is no failure.
        Err(TraceError::Print(e)) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error @ TraceError::Print(_)) => Err(Failure::Run(error.to_string())),
        Err(error) => {
            // What came before it is shown.
            let _ = to.flush();
            Err(cannot_read(error.to_string()))
        }
    }
}
