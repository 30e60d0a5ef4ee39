//! Errors of the codec. They carry what was seen and what was needed.

use crate::drop::DropReason;
use core::fmt;

/// Why bytes are no frame of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The one reason.
    pub reason: DropReason,
    /// The value found: a length in bytes for reasons about lengths, else the field.
    pub seen: u64,
    /// The value needed, or the least of several.
    pub needed: u64,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "dropped, {}: saw {:#x}, needed {:#x}", self.reason, self.seen, self.needed)
    }
}

impl std::error::Error for ParseError {}

/// Why a frame cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmitError {
    /// The payload is not one that the opcode can carry.
    Payload {
        /// Bytes of payload given.
        seen: usize,
        /// Bytes needed; 4 stands for any multiple of it.
        needed: usize,
    },
    /// The packet is longer than the 16-bit length fields can say.
    TooLong {
        /// Bytes of the IP packet.
        seen: usize,
        /// The most that fits.
        needed: usize,
    },
    /// A field below the transport holds a value wider than its bits.
    Field {
        /// Name of the field.
        name: &'static str,
        /// The value given.
        seen: u32,
        /// The largest that fits.
        needed: u32,
    },
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Payload { seen, needed } => {
                write!(f, "payload of {seen} bytes where the opcode needs {needed}")
            }
            Self::TooLong { seen, needed } => write!(f, "packet of {seen} bytes, at most {needed} fit"),
            Self::Field { name, seen, needed } => write!(f, "{name} is {seen}, at most {needed} fits"),
        }
    }
}

impl std::error::Error for EmitError {}
