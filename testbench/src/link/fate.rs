//! What the network did to a frame.

use super::mark::mark_ce;
use std::fmt;

/// Why a frame never arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// By chance.
    Chance,
    /// The plane's queue had no room for it.
    Buffer,
    /// The plane was dead, or died before it was there.
    Plane,
}

/// The fate of one transmission, decided when it is sent. The parts are drawn independently of each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// Never arrives; nothing else matters then.
    pub lost: Option<Loss>,
    /// Arrives with this bit flipped, counted from bit 0 of byte 0: the receiver must drop it.
    pub flipped: Option<usize>,
    /// Cycles that it arrives beyond its turn; 0 is in order.
    pub late: u64,
    /// Arrives twice.
    pub doubled: bool,
    /// Arrives marked CE: the queue was long.
    pub marked: bool,
}

impl Fate {
    /// Whether an intact copy arrives.
    pub fn arrives(&self) -> bool {
        self.lost.is_none() && self.flipped.is_none()
    }

    /// Makes a frame what the network makes of it.
    pub fn apply(&self, frame: &mut [u8]) {
        if self.marked {
            mark_ce(frame);
        }
        if let Some(bit) = self.flipped {
            frame[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// In words, parts separated by commas; empty for a frame that nothing happened to.
impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lost {
            Some(Loss::Chance) => return f.write_str("lost"),
            Some(Loss::Buffer) => return f.write_str("lost: buffer full"),
            Some(Loss::Plane) => return f.write_str("lost: plane dead"),
            None => {}
        }
        let mut parts = Vec::new();
        if self.marked {
            parts.push("marked CE".to_owned());
        }
        if let Some(bit) = self.flipped {
            parts.push(format!("corrupted: bit {} of byte {}", bit % 8, bit / 8));
        }
        if self.late > 0 {
            parts.push(format!("late by {} cycles", self.late));
        }
        if self.doubled {
            parts.push("duplicated".to_owned());
        }
        f.write_str(&parts.join(", "))
    }
}

/// The network's answer to one transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Number of the transmission in its direction, from 0.
    pub number: u64,
    /// What happens to it.
    pub fate: Fate,
    /// Cycle in which its first byte arrives, or would arrive if it were not lost.
    pub arrives_at: u64,
}
