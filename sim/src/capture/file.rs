//! The capture as a pcapng file.

use super::{Capture, Entry};
use crate::heddle::frame_of;
use crate::packet::{Packet, ETHERNET_OVERHEAD};
use heddle_wire::EmitError;
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::blocks::section_header::{SectionHeaderBlock, SectionHeaderOption};
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::{DataLink, PcapError};
use std::io::{self, Write};
use std::time::Duration;

/// Flags of a packet that the host received, or was to receive. Source: pcapng, epb_flags, bits 0 and 1.
const INBOUND: u32 = 1;
/// Flags of a packet that the host sent.
const OUTBOUND: u32 = 2;
/// Timestamps are in units of 10 to the power of -9 s. Source: pcapng, if_tsresol.
const NANOSECONDS: u8 = 9;

impl Capture {
    /// Writes the file: an interface per plane, times in ns, rounded down. Every frame is whole, with zeros
    /// for its message bytes and the ICRC of these; one that the host received is marked if it was, and one
    /// that was corrupted is shown as it was sent.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        let options = vec![SectionHeaderOption::Comment(self.title.clone().into())];
        let section = SectionHeaderBlock { options, ..SectionHeaderBlock::default() };
        let mut writer = PcapNgWriter::with_section_header(to, section).map_err(io_error)?;
        for plane in 0..self.planes {
            let name = InterfaceDescriptionOption::IfName(format!("plane{plane}").into());
            let options = vec![name, InterfaceDescriptionOption::IfTsResol(NANOSECONDS)];
            let interface = InterfaceDescriptionBlock { linktype: DataLink::ETHERNET, snaplen: 0, options };
            writer.write_pcapng_block(interface).map_err(io_error)?;
        }
        let mut frame = Vec::new();
        for entry in &self.entries {
            entry.emit(&mut frame).map_err(io::Error::other)?;
            writer.write_pcapng_block(entry.block(&frame)).map_err(io_error)?;
        }
        writer.into_inner().flush()
    }
}

impl Entry {
    fn emit(&self, bytes: &mut Vec<u8>) -> Result<(), EmitError> {
        let ce = !self.is_outbound && self.history.marked.is_some();
        frame_of(&Packet { ce, ..self.history.packet.clone() }).emit_into(bytes)?;
        debug_assert_eq!(bytes.len() as u32 + ETHERNET_OVERHEAD, self.history.packet.bytes);
        Ok(())
    }

    fn block<'a>(&'a self, frame: &'a [u8]) -> EnhancedPacketBlock<'a> {
        let flags = if self.is_outbound { OUTBOUND } else { INBOUND };
        let comments = self.comments.iter().map(|comment| EnhancedPacketOption::Comment(comment.into()));
        EnhancedPacketBlock {
            interface_id: self.history.packet.plane.into(),
            timestamp: Duration::from_nanos(self.at.0 / 1_000),
            original_len: frame.len() as u32,
            data: frame.into(),
            options: std::iter::once(EnhancedPacketOption::Flags(flags)).chain(comments).collect(),
        }
    }
}

fn io_error(error: PcapError) -> io::Error {
    match error {
        PcapError::IoError(error) => error,
        other => io::Error::other(other),
    }
}
