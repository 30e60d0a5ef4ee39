//! Receive hold: keeps a frame until its ICRC is known, and its payload until the path engine has decided.
//!
//! Mirrors the RTL block `rx_hold`; docs/blocks/rx-hold.md has ports and latency.

use heddle_wire::DropReason;
use std::collections::VecDeque;

/// The block.
#[derive(Clone, Debug)]
pub struct Hold {
    max_len: u16,
    payloads: VecDeque<Vec<u8>>,
}

impl Hold {
    /// A hold for payloads of at most `max_len` bytes.
    pub fn new(max_len: u16) -> Self {
        Self { max_len, payloads: VecDeque::new() }
    }

    /// A frame is complete: `header_drop` is the parser's reason against it, `stored` its bytes behind header word 11 without the ICRC.
    /// Kept, or refused with the one reason.
    pub fn on_frame(&mut self, header_drop: u8, stored: &[u8], icrc_good: bool) -> Result<(), u8> {
        if header_drop != 0 {
            return Err(header_drop);
        }
        if stored.len() > usize::from(self.max_len) {
            return Err(DropReason::Oversize as u8);
        }
        if !icrc_good {
            return Err(DropReason::Icrc as u8);
        }
        self.payloads.push_back(stored.to_vec());
        Ok(())
    }

    /// The oldest frame without one gets its disposition: its payload, when it is taken. `None` also when no frame waits.
    pub fn dispose(&mut self, take: bool) -> Option<Vec<u8>> {
        self.payloads.pop_front().filter(|_| take)
    }
}
