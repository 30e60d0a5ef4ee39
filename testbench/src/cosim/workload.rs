//! What a run moves: a file by WRITE, or messages of every kind with places of their own.

mod file;
mod layout;
mod messages;

pub use file::{message_bytes, random_file, write_file, MAX_MESSAGE_BYTES, MIN_MESSAGE_BYTES};
pub use layout::Layout;

use heddle_wire::Opcode;
use messages::{Mix, Sizes};

/// A named workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Every sender writes a random file to the receiver.
    Write,
    /// Every sender sends messages into receives that the receiver posts.
    Send,
    /// Every sender reads from the receiver.
    Read,
    /// Every sender adds to words in the receiver's memory, and compares and swaps them.
    Atomic,
    /// All of them with messages of awkward sizes, fences and posted receives that are scarce, both ways.
    Mixed,
}

impl Workload {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Write, Self::Send, Self::Read, Self::Atomic, Self::Mixed];

    /// As it is named on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Send => "send",
            Self::Read => "read",
            Self::Atomic => "atomic",
            Self::Mixed => "mixed",
        }
    }

    /// Lays out so many bytes per sender and direction, or a little more.
    pub fn lay_out(self, layout: &mut Layout<'_>, bytes: u64) {
        use Opcode::{CmpSwap, FetchAdd, ReadReq, Send, SendImm, Write, WriteImm};
        let file = Sizes::Equal(message_bytes(bytes, layout.scenario().config().streams()));
        let mix = match self {
            Self::Write => return file::write_random_files(layout, bytes as usize),
            Self::Send => Mix { kinds: &[(Send, 3), (SendImm, 1)], sizes: file, depth: 16..=16, ways: 1 },
            Self::Read => Mix { kinds: &[(ReadReq, 1)], sizes: file, depth: 1..=1, ways: 1 },
            Self::Atomic => {
                let kinds = &[(FetchAdd, 2), (CmpSwap, 1)];
                Mix { kinds, sizes: file, depth: 1..=1, ways: 1 }
            }
            Self::Mixed => {
                let kinds = &[
                    (Write, 4),
                    (WriteImm, 2),
                    (Send, 3),
                    (SendImm, 2),
                    (ReadReq, 4),
                    (FetchAdd, 2),
                    (CmpSwap, 2),
                ];
                Mix { kinds, sizes: Sizes::Awkward, depth: 1..=8, ways: 2 }
            }
        };
        mix.lay_out(layout, bytes);
    }
}
