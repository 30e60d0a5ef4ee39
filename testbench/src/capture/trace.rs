//! Reading a capture.

use super::line;
use heddle_wire::ParseConfig;
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::{Block, PcapNgReader};
use pcap_file::{DataLink, PcapError};
use std::io::{self, Cursor, Read, Write};
use thiserror::Error;

/// Nanoseconds of a unit of time when the interface does not say: a microsecond. Source: pcapng, if_tsresol.
const DEFAULT_RESOLUTION: u8 = 6;

/// Type of the first block, the same in both byte orders. Source: pcapng.
const SECTION_HEADER: [u8; 4] = [0x0A, 0x0D, 0x0D, 0x0A];

/// Why a capture cannot be shown.
#[derive(Debug, Error)]
pub enum TraceError {
    /// Not the file that was meant.
    #[error("it is no pcapng file: {0}")]
    Format(String),
    /// Broken later on.
    #[error("its block {block} is broken: {what}")]
    Block {
        /// Number of the block, from 1, the section header apart.
        block: u64,
        /// What is wrong.
        what: String,
    },
    /// An interface that the capture does not describe.
    #[error("its packet {packet} is on interface {interface}, which it does not describe")]
    Interface {
        /// Number of the packet, from 1.
        packet: u64,
        /// The interface that it names.
        interface: u32,
    },
    /// An interface that is no Ethernet.
    #[error("its packet {packet} is on an interface of type {link:?}, Ethernet is needed")]
    Link {
        /// Number of the packet, from 1.
        packet: u64,
        /// What it is.
        link: DataLink,
    },
    /// The lines cannot be written.
    #[error("cannot print the result: {0}")]
    Print(#[source] io::Error),
}

/// A packet of a capture.
pub(super) struct Captured<'a> {
    /// Since the beginning of the time of the capture.
    pub nanoseconds: u128,
    /// Name of its interface, or its number.
    pub interface: String,
    /// Sent or received, as far as the capture says.
    pub outbound: Option<bool>,
    /// The frame, as far as it was captured.
    pub frame: &'a [u8],
    /// Bytes that it had on the wire.
    pub original_len: u32,
    /// Comments.
    pub comments: Vec<String>,
}

/// Shows a capture, one line per packet; gives their number.
pub fn trace(from: impl Read, config: ParseConfig, to: &mut impl Write) -> Result<u64, TraceError> {
    let mut reader = reader(from)?;
    let (mut packets, mut blocks) = (0, 0);
    loop {
        // The block borrows the reader, and so do the interfaces: these are copied when they change.
        let interfaces = reader.interfaces().to_vec();
        blocks += 1;
        let Some(block) = reader.next_block() else { break };
        let block = block.map_err(|e| TraceError::Block { block: blocks, what: text(&e) })?;
        let Block::EnhancedPacket(packet) = block else { continue };
        packets += 1;
        let named = packet.interface_id;
        let interface = interfaces.get(named as usize);
        let interface = interface.ok_or(TraceError::Interface { packet: packets, interface: named })?;
        if interface.linktype != DataLink::ETHERNET {
            return Err(TraceError::Link { packet: packets, link: interface.linktype });
        }
        let line = line::render(&captured(&packet, interface), config);
        writeln!(to, "{line}").map_err(TraceError::Print)?;
    }
    to.flush().map_err(TraceError::Print)?;
    Ok(packets)
}

/// The library takes anything for a block, and waits for its end: what does not begin as a capture is refused
/// first.
fn reader(mut from: impl Read) -> Result<PcapNgReader<impl Read>, TraceError> {
    let mut begin = [0; 4];
    from.read_exact(&mut begin).map_err(|e| TraceError::Format(text(&PcapError::IoError(e))))?;
    if begin != SECTION_HEADER {
        return Err(TraceError::Format("it does not begin with a section header".to_owned()));
    }
    PcapNgReader::new(Cursor::new(begin).chain(from)).map_err(|e| TraceError::Format(text(&e)))
}

fn captured<'a>(
    packet: &'a EnhancedPacketBlock<'_>,
    interface: &InterfaceDescriptionBlock<'_>,
) -> Captured<'a> {
    let (mut name, mut resolution) = (packet.interface_id.to_string(), DEFAULT_RESOLUTION);
    for option in &interface.options {
        match option {
            InterfaceDescriptionOption::IfName(given) => name = given.to_string(),
            InterfaceDescriptionOption::IfTsResol(given) => resolution = *given,
            _ => {}
        }
    }
    let (mut outbound, mut comments) = (None, Vec::new());
    for option in &packet.options {
        match option {
            EnhancedPacketOption::Comment(comment) => comments.push(comment.to_string()),
            EnhancedPacketOption::Flags(flags) if flags & 3 == super::INBOUND => outbound = Some(false),
            EnhancedPacketOption::Flags(flags) if flags & 3 == super::OUTBOUND => outbound = Some(true),
            _ => {}
        }
    }
    Captured {
        nanoseconds: nanoseconds(packet.timestamp.as_nanos(), resolution),
        interface: name,
        outbound,
        frame: &packet.data,
        original_len: packet.original_len,
        comments,
    }
}

/// A count of units, which the library hands on as if they were nanoseconds, in nanoseconds.
fn nanoseconds(units: u128, resolution: u8) -> u128 {
    match resolution {
        // A power of two.
        0x80.. => (units * 1_000_000_000) >> (resolution & 0x7f),
        0..=9 => units * 10u128.pow(u32::from(9 - resolution)),
        // Finer than a nanosecond; nothing is left of a unit of less than 10^-38 ns.
        10.. => units / 10u128.checked_pow(u32::from(resolution - 9)).unwrap_or(u128::MAX),
    }
}

fn text(error: &PcapError) -> String {
    match error {
        PcapError::IncompleteBuffer => "it ends too early".to_owned(),
        PcapError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            "it ends too early".to_owned()
        }
        PcapError::IoError(error) => error.to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
