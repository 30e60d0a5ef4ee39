//! The register map of the core, behind AXI4-Lite: 32-bit registers, byte addresses, one table for RTL,
//! driver and documents.
//!
//! Reads of addresses without a register give 0, writes to them do nothing; both answer OKAY. Partial writes
//! (WSTRB other than all ones) and writes of a value outside of the range of its register do nothing and answer
//! SLVERR.

use crate::field::Field;
use crate::kinds::vocabulary;

mod map;
pub use map::REGISTERS;

/// What software can do with a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read; writes do nothing.
    ReadOnly,
    /// Read and write.
    ReadWrite,
    /// Read; writing 1 to a bit clears it.
    WriteOneToClear,
    /// A write is a command; reads give 0.
    WriteOnly,
}

/// A register, or an array of registers at consecutive words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name, snake case.
    pub name: &'static str,
    /// Byte address of the first.
    pub address: u32,
    /// How many; 1 unless it is an array.
    pub count: u32,
    /// What software can do with it.
    pub access: Access,
    /// Value after reset; of a read-only one 0 stands for a value set by configuration or by events.
    pub reset: u32,
    /// Fields, most significant first; exactly 32 bits.
    pub fields: &'static [Field],
    /// One sentence.
    pub doc: &'static str,
}

impl Register {
    /// Byte address behind the last.
    pub const fn end(&self) -> u32 {
        self.address + 4 * self.count
    }

    /// Lowest bit of field number `index`.
    pub const fn lsb(&self, index: usize) -> u32 {
        let (mut sum, mut i) = (0, index + 1);
        while i < self.fields.len() {
            sum += self.fields[i].bits as u32;
            i += 1;
        }
        sum
    }
}

/// The register of that name.
pub fn register(name: &str) -> Option<&'static Register> {
    REGISTERS.iter().find(|register| register.name == name)
}

/// Width of an address that reaches every register, in bits.
pub const ADDRESS_BITS: u32 = 12;

/// `id`: "HDDL" in ASCII.
pub const ID: u32 = 0x4844_444c;

vocabulary! {
    /// Events that interrupt: bit positions of `irq_status` and `irq_enable`.
    Interrupt, "interrupt" {
        /// A connection has ended with an error; see connection_error.
        ConnectionError = 0, "CONNECTION_ERROR";
        /// A set-up command was refused, or a work request of a wrong length thrown away.
        SetupError = 1, "SETUP_ERROR";
        /// A plane has come up or gone down.
        PlaneChange = 2, "PLANE_CHANGE";
        /// A CONNECTION NAK waits for the control plane.
        ConnectionNak = 3, "CONNECTION_NAK";
    }
}

vocabulary! {
    /// Traffic counters: index into `traffic`. All wrap at 2^32.
    Counter, "traffic counter" {
        /// DATA packets sent for the first time.
        DataSent = 0, "DATA_SENT";
        /// DATA packets sent again because evidence showed a loss.
        DataResent = 1, "DATA_RESENT";
        /// DATA packets sent because a timer expired.
        ExpiryResent = 2, "EXPIRY_RESENT";
        /// PROBEs sent.
        ProbesSent = 3, "PROBES_SENT";
        /// ACKs sent.
        AcksSent = 4, "ACKS_SENT";
        /// NAKs sent.
        NaksSent = 5, "NAKS_SENT";
        /// Payload bytes sent, resends included.
        BytesSent = 6, "BYTES_SENT";
        /// Frames received, before any check.
        FramesReceived = 7, "FRAMES_RECEIVED";
        /// DATA packets accepted.
        DataAccepted = 8, "DATA_ACCEPTED";
        /// Accepted or duplicate DATA packets that carried CE.
        CeReceived = 9, "CE_RECEIVED";
        /// PROBEs received.
        ProbesReceived = 10, "PROBES_RECEIVED";
        /// ACKs received that were good.
        AcksReceived = 11, "ACKS_RECEIVED";
        /// NAKs received that were valid.
        NaksReceived = 12, "NAKS_RECEIVED";
        /// Payload bytes written to memory.
        BytesWritten = 13, "BYTES_WRITTEN";
        /// Timers of paths that expired.
        Expiries = 14, "EXPIRIES";
        /// Routes found dead.
        DeadRoutes = 15, "DEAD_ROUTES";
        /// Rise of the dup_count in ACKs: resends that were not needed.
        Spurious = 16, "SPURIOUS";
        /// Messages sent and completed.
        MessagesSent = 17, "MESSAGES_SENT";
        /// Messages received whole.
        MessagesReceived = 18, "MESSAGES_RECEIVED";
        /// Connections ended with an error.
        ConnectionErrors = 19, "CONNECTION_ERRORS";
    }
}

impl Counter {
    /// Size of the array of counters.
    pub const LIMIT: usize = 32;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drop::DropReason;
    use crate::header::DEFAULT_PORT;
    use crate::setup::MAX_ROW_WORDS;

    #[test]
    fn registers_ascend_without_overlap_and_fit_the_address_width() {
        for pair in REGISTERS.windows(2) {
            assert!(pair[0].end() <= pair[1].address, "{} {}", pair[0].name, pair[1].name);
        }
        assert!(REGISTERS.iter().all(|r| r.address % 4 == 0 && r.end() <= 1 << ADDRESS_BITS));
    }

    #[test]
    fn fields_fill_their_register_and_names_are_unique() {
        for register in REGISTERS {
            let bits: u16 = register.fields.iter().map(|f| f.bits).sum();
            assert_eq!(bits, 32, "{}", register.name);
        }
        let mut names: Vec<_> = REGISTERS.iter().map(|r| r.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), REGISTERS.len());
    }

    #[test]
    fn a_drop_is_counted_at_its_number() {
        let drops = register("drops").unwrap();
        assert_eq!(drops.count as usize, DropReason::LIMIT);
        assert_eq!(register("setup_data").unwrap().count as usize, MAX_ROW_WORDS);
        assert_eq!(register("traffic").unwrap().count as usize, Counter::LIMIT);
        assert!(Counter::ALL.len() <= Counter::LIMIT);
        assert_eq!(register("udp_port").unwrap().reset, u32::from(DEFAULT_PORT));
    }

    #[test]
    fn the_lowest_bit_of_a_field_is_the_sum_of_those_behind_it() {
        let command = register("setup_command").unwrap();
        let lsbs: Vec<_> =
            (0..command.fields.len()).map(|i| (command.fields[i].name, command.lsb(i))).collect();
        assert_eq!(lsbs, [("table", 24), ("index", 0)]);
    }
}
