//! Captures: pcapng files with an interface per plane, every frame with its time in nanoseconds, and what the
//! network did to it as a packet comment. [`Writer`] makes them from a run, [`trace()`] shows them line by
//! line.

mod line;
mod trace;

pub use trace::{trace, TraceError};

use crate::cosim::{Direction, Scenario, Transmission};
use crate::link::Fate;
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::{DataLink, PcapError};
use std::io::{self, Write};
use std::time::Duration;

/// Flags of a packet that came to the sender of the file. Source: pcapng, epb_flags, bits 0 and 1.
const INBOUND: u32 = 1;
/// Flags of a packet that the sender of the file sent.
const OUTBOUND: u32 = 2;
/// Timestamps are in units of 10 to the power of -9 s. Source: pcapng, if_tsresol.
const NANOSECONDS: u8 = 9;

/// A capture of a run, seen from the sender of the file.
pub struct Writer<'a, W: Write> {
    scenario: &'a Scenario,
    writer: PcapNgWriter<W>,
}

impl<'a, W: Write> Writer<'a, W> {
    /// Begins a capture: one interface per plane.
    pub fn new(scenario: &'a Scenario, to: W) -> io::Result<Self> {
        let mut writer = PcapNgWriter::new(to).map_err(io_error)?;
        for plane in 0..scenario.planes() {
            let name = InterfaceDescriptionOption::IfName(format!("plane{plane}").into());
            let options = vec![name, InterfaceDescriptionOption::IfTsResol(NANOSECONDS)];
            let interface = InterfaceDescriptionBlock { linktype: DataLink::ETHERNET, snaplen: 0, options };
            writer.write_pcapng_block(interface).map_err(io_error)?;
        }
        Ok(Self { scenario, writer })
    }

    /// Adds a frame as the network carries it: marked, and a corrupted one with the bit flipped.
    pub fn write(&mut self, seen: &Transmission<'_>) -> io::Result<()> {
        let mut options = vec![EnhancedPacketOption::Flags(match seen.direction {
            Direction::Forth => OUTBOUND,
            Direction::Back => INBOUND,
        })];
        if seen.fate != Fate::default() {
            options.push(EnhancedPacketOption::Comment(seen.fate.to_string().into()));
        }
        let mut data = seen.frame.to_vec();
        seen.fate.apply(&mut data);
        let packet = EnhancedPacketBlock {
            interface_id: seen.plane.into(),
            timestamp: Duration::from_nanos(self.scenario.nanoseconds(seen.cycle)),
            original_len: data.len() as u32,
            data: data.into(),
            options,
        };
        self.writer.write_pcapng_block(packet).map_err(io_error)?;
        Ok(())
    }

    /// Ends the capture and gives its file back, with everything written to it.
    pub fn finish(self) -> io::Result<W> {
        let mut to = self.writer.into_inner();
        to.flush()?;
        Ok(to)
    }
}

fn io_error(error: PcapError) -> io::Error {
    match error {
        PcapError::IoError(error) => error,
        other => io::Error::other(other),
    }
}
