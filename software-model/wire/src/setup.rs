//! Rows that the control plane writes into the core's tables, through the set-up window of
//! [`crate::registers`].
//!
//! A row is whole 32-bit words: word `i` is register `setup_data[i]`, the first field of a word in its most
//! significant bits. The tables can be written only: the control plane knows what it wrote.

use crate::field::{layout, Source};
use crate::kinds::vocabulary;
use crate::serial::Psn;

const A: Source = Source::Architecture;

vocabulary! {
    /// The tables behind the set-up window: `table` of `setup_command`.
    SetupTable, "set-up table" {
        /// Receive side of a connection; index: connection. Once per control.reset: earlier messages stay.
        RxConnection = 1, "RX_CONNECTION";
        /// Transmit side of a connection; index: connection. Once per control.reset: earlier messages stay.
        TxConnection = 2, "TX_CONNECTION";
        /// Receive state of a path, made new with this first PSN; index: path.
        RxPath = 3, "RX_PATH";
        /// Transmit state of a path, made new with this first PSN; index: path.
        TxPath = 4, "TX_PATH";
        /// Route of a path; index: path.
        Route = 5, "ROUTE";
        /// Memory region; index: the index part of its key.
        Region = 6, "REGION";
    }
}

layout! {
    /// Receive side of a connection: what its packets must carry.
    RX_CONNECTION, RxConnection, Big, 24 {
        /// 1: packets are accepted.
        valid: u8 = 1, A;
        /// 1: the peer's address is IPv6.
        v6: u8 = 1, A;
        /// 0.
        reserved0: u16 = 14, A;
        /// Tag that the peer must send.
        tag: u16 = 16, A;
        /// Protection domain that its keys must be of.
        pd: u16 = 16, A;
        /// 0.
        reserved1: u16 = 16, A;
        /// Source address of the peer; an IPv4 address in the last 4 bytes behind zeros.
        peer_address: [u8; 16] = 128, A;
    }
}

layout! {
    /// Transmit side of a connection: what its packets carry.
    TX_CONNECTION, TxConnection, Big, 32 {
        /// 1: work requests are accepted.
        valid: u8 = 1, A;
        /// 1: the peer's address is IPv6.
        v6: u8 = 1, A;
        /// 1: frames carry an 802.1Q tag.
        tagged: u8 = 1, A;
        /// 0.
        reserved0: u16 = 13, A;
        /// The tag's control information: priority 3, drop eligible 1, VLAN 12.
        vlan_tci: u16 = 16, A;
        /// Number of the connection at the peer.
        peer_conn: u16 = 16, A;
        /// Tag that the peer expects.
        peer_tag: u16 = 16, A;
        /// Destination address; an IPv4 address in the last 4 bytes behind zeros.
        peer_address: [u8; 16] = 128, A;
        /// 0.
        reserved1: u16 = 16, A;
        /// First two bytes of the next hop's Ethernet address.
        peer_mac_high: u16 = 16, A;
        /// Last four bytes of the next hop's Ethernet address.
        peer_mac_low: u32 = 32, A;
    }
}

layout! {
    /// A path made new, on the receive or on the transmit side.
    PATH, Path, Big, 4 {
        /// 0.
        reserved: u8 = 8, A;
        /// Random; the same at both ends.
        first_psn: Psn = 24, A;
    }
}

layout! {
    /// Where a path's packets travel.
    ROUTE, Route, Big, 4 {
        /// Plane: tdest of its frames.
        plane: u8 = 8, A;
        /// 0.
        reserved: u8 = 8, A;
        /// UDP source port.
        src_port: u16 = 16, A;
    }
}

layout! {
    /// A memory region that a peer can name.
    REGION, Region, Big, 24 {
        /// 1: the key can be used.
        valid: u8 = 1, A;
        /// 1: remote READ.
        remote_read: u8 = 1, A;
        /// 1: remote WRITE.
        remote_write: u8 = 1, A;
        /// 1: remote atomics.
        remote_atomic: u8 = 1, A;
        /// 0.
        reserved0: u16 = 12, A;
        /// The tag part of the key, random.
        tag: u16 = 16, A;
        /// Protection domain.
        pd: u16 = 16, A;
        /// 0.
        reserved1: u16 = 16, A;
        /// First byte.
        base: u64 = 64, A;
        /// Bytes.
        length: u64 = 64, A;
    }
}

layout! {
    /// A key as it travels in word 9 of DATA.
    KEY, Key, Big, 4 {
        /// Of the region's row.
        index: u16 = 16, A;
        /// Must be the row's tag.
        tag: u16 = 16, A;
    }
}

/// Words of the widest row.
pub const MAX_ROW_WORDS: usize = TxConnection::BYTES / 4;

const _: () = {
    assert!(RX_CONNECTION.is_word_aligned() && TX_CONNECTION.is_word_aligned() && PATH.is_word_aligned());
    assert!(ROUTE.is_word_aligned() && REGION.is_word_aligned() && KEY.is_word_aligned());
    assert!(RxConnection::BYTES / 4 <= MAX_ROW_WORDS && Region::BYTES / 4 <= MAX_ROW_WORDS);
};

/// The words of a row as they are written to `setup_data`: give it what a row's `emit` gave.
pub fn row_words(row: &[u8]) -> Vec<u32> {
    let value = |word: &[u8]| word.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
    row.chunks(4).map(value).collect()
}

impl SetupTable {
    /// Layout of a row of this table.
    pub const fn layout(self) -> &'static crate::field::Layout {
        match self {
            Self::RxConnection => &RX_CONNECTION,
            Self::TxConnection => &TX_CONNECTION,
            Self::RxPath | Self::TxPath => &PATH,
            Self::Route => &ROUTE,
            Self::Region => &REGION,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_written_word_by_word_first_field_on_top() {
        let region = Region {
            valid: 1,
            remote_read: 0,
            remote_write: 1,
            remote_atomic: 0,
            reserved0: 0,
            tag: 0xbeef,
            pd: 7,
            reserved1: 0,
            base: 0x0123_4567_89ab_cdef,
            length: 0x1_0000_0000,
        };
        let want = [0xa000_beef, 0x0007_0000, 0x0123_4567, 0x89ab_cdef, 1, 0];
        assert_eq!(row_words(&region.emit()), want);
    }

    #[test]
    fn every_table_fits_the_data_registers() {
        for table in SetupTable::ALL {
            assert!(table.layout().bytes() / 4 <= MAX_ROW_WORDS, "{table}");
        }
    }
}
