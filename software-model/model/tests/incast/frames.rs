//! What switches and a hostile peer do to frames.

use heddle_wire::{Body, Frame, Hint, ParseConfig, Seq16};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Byte of the transport header that holds version and type.
const TYPE: usize = 42;
/// Types.
const DATA: u8 = 1;
const ACK: u8 = 2;

/// The path that this frame is of, among its connection's.
pub fn path_of(frame: &[u8]) -> u8 {
    frame[TYPE + 3]
}

/// Whether this frame is DATA.
pub fn is_data(frame: &[u8]) -> bool {
    frame[TYPE] & 15 == DATA
}

/// Whether this frame is an ACK.
pub fn is_ack(frame: &[u8]) -> bool {
    frame[TYPE] & 15 == ACK
}

/// Whether this frame is ECN-capable. RFC 3168 section 5.
pub fn is_markable(frame: &[u8]) -> bool {
    frame[15] & 3 != 0
}

/// Marks a frame as having met congestion, and mends the header's checksum. RFC 3168 section 5, RFC 791 section 3.1.
pub fn mark(frame: &mut [u8]) {
    let header = &mut frame[14..34];
    header[1] |= 3;
    header[10..12].fill(0);
    let words = header.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])));
    let sum: u32 = words.sum();
    let folded = (sum & 0xFFFF) + (sum >> 16);
    let checksum = !((folded & 0xFFFF) + (folded >> 16)) as u16;
    header[10..12].copy_from_slice(&checksum.to_be_bytes());
}

/// What a peer says in place of its hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// None.
    None,
    /// This one always.
    Always(u16),
    /// An old one: every ACK bears the number of the first.
    Stale,
    /// Anything.
    Any,
}

/// An ACK with this lie in it.
pub fn lie(frame: &[u8], lie: Lie, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let config = ParseConfig { port: heddle_wire::header::DEFAULT_PORT };
    let mut frame = Frame::parse(frame, config).expect("a frame of our own");
    let Body::Ack(ack) = &mut frame.packet.body else { panic!("no ACK") };
    match lie {
        Lie::None => ack.hint = Hint::NONE,
        Lie::Always(bits) => ack.hint = Hint::from_bits(bits),
        Lie::Any => ack.hint = Hint::from_bits(rng.gen()),
        Lie::Stale => ack.ack_seq = Seq16::new(0),
    }
    frame.emit().expect("it was a frame before")
}
