//! Receive connection look-up: is the packet for a living connection, from its peer, on one of its paths?
//!
//! Owns the receive connection rows. Mirrors the RTL block `rx_conn`; docs/blocks/rx-conn.md has ports and latency.

use heddle_wire::{Common, DropReason, PacketType};

/// One connection as the receiver knows it. 256 bits in the RTL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RxConnRow {
    /// Set up and not torn down.
    pub valid: bool,
    /// Random per incarnation, 16 bits.
    pub tag: u16,
    /// The peer's address is IPv6.
    pub v6: bool,
    /// The peer's address; IPv4 in the low 32 bits.
    pub peer: u128,
    /// Protection domain, 16 bits.
    pub domain: u16,
}

/// The connection that a packet belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RxConn {
    /// Connection index.
    pub conn: u16,
    /// Path of the connection.
    pub path: u8,
    /// Protection domain.
    pub domain: u16,
}

/// The block.
#[derive(Clone, Debug)]
pub struct RxConnTable {
    rows: Vec<RxConnRow>,
    /// Ended: nothing but a RESET passes. A bit beside each row.
    closed: Vec<bool>,
    paths: u32,
}

impl RxConnTable {
    /// No connection set up.
    pub fn new(connections: u32, paths: u32) -> Self {
        let connections = connections as usize;
        Self { rows: vec![RxConnRow::default(); connections], closed: vec![false; connections], paths }
    }

    /// Writes a row, from the control plane; false when there is no such connection.
    pub fn set(&mut self, conn: u16, row: RxConnRow) -> bool {
        let Some(slot) = self.rows.get_mut(usize::from(conn)) else { return false };
        *slot = row;
        self.closed[usize::from(conn)] = false;
        true
    }

    /// The connection has ended: nothing but a RESET passes from now on.
    pub fn close(&mut self, conn: u16) {
        if let Some(closed) = self.closed.get_mut(usize::from(conn)) {
            *closed = true;
        }
    }

    /// The look-up, or the first reason against the packet.
    pub fn look_up(&self, common: &Common, v6: bool, source: u128) -> Result<RxConn, DropReason> {
        let row = self.rows.get(usize::from(common.dst_conn)).filter(|row| row.valid);
        let row = row.ok_or(DropReason::Connection)?;
        if common.tag != row.tag {
            return Err(DropReason::Tag);
        }
        if (v6, source) != (row.v6, row.peer) {
            return Err(DropReason::SourceAddress);
        }
        // REQ-CONN-2
        if self.closed[usize::from(common.dst_conn)] && common.packet_type != PacketType::Reset.code() {
            return Err(DropReason::ConnectionClosed);
        }
        let on_a_path = [PacketType::Data, PacketType::Ack, PacketType::Nak, PacketType::Probe];
        let on_a_path = on_a_path.iter().any(|kind| kind.code() == common.packet_type);
        if on_a_path && u32::from(common.path) >= self.paths {
            return Err(DropReason::Path);
        }
        Ok(RxConn { conn: common.dst_conn, path: common.path, domain: row.domain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: RxConnRow = RxConnRow { valid: true, tag: 0xBEEF, v6: false, peer: 0x0A00_0001, domain: 9 };

    fn table() -> RxConnTable {
        let mut table = RxConnTable::new(2, 4);
        assert!(table.set(1, ROW));
        assert!(!table.set(2, RxConnRow::default()));
        table
    }

    fn common(dst_conn: u16, tag: u16, path: u8, kind: PacketType) -> Common {
        Common { dst_conn, tag, path, packet_type: kind.code(), ..Common::default() }
    }

    #[test]
    fn a_packet_of_the_peer_on_its_path_finds_its_connection() {
        let found = table().look_up(&common(1, 0xBEEF, 3, PacketType::Data), false, 0x0A00_0001);
        assert_eq!(found, Ok(RxConn { conn: 1, path: 3, domain: 9 }));
    }

    #[test]
    fn the_first_thing_that_is_wrong_is_the_reason() {
        let cases = [
            (common(0, 0xBEEF, 3, PacketType::Data), false, 0x0A00_0001, DropReason::Connection),
            (common(2, 0xBEEF, 3, PacketType::Data), false, 0x0A00_0001, DropReason::Connection),
            (common(0xFFFF, 0, 200, PacketType::Ack), true, 0, DropReason::Connection),
            (common(1, 0xBEEE, 200, PacketType::Data), true, 0, DropReason::Tag),
            (common(1, 0xBEEF, 200, PacketType::Data), true, 0x0A00_0001, DropReason::SourceAddress),
            (common(1, 0xBEEF, 200, PacketType::Data), false, 0x0A00_0002, DropReason::SourceAddress),
            (common(1, 0xBEEF, 4, PacketType::Data), false, 0x0A00_0001, DropReason::Path),
            (common(1, 0xBEEF, 4, PacketType::Probe), false, 0x0A00_0001, DropReason::Path),
        ];
        for (n, (common, v6, source, reason)) in cases.into_iter().enumerate() {
            assert_eq!(table().look_up(&common, v6, source), Err(reason), "case {n}");
        }
    }

    #[test]
    fn a_reset_names_no_path() {
        assert!(table().look_up(&common(1, 0xBEEF, 77, PacketType::Reset), false, 0x0A00_0001).is_ok());
    }

    // REQ-CONN-2
    #[test]
    fn nothing_but_a_reset_of_the_peer_passes_a_connection_that_has_ended() {
        let mut table = table();
        table.close(1);
        let look_up = |tag, path, kind| table.look_up(&common(1, tag, path, kind), false, 0x0A00_0001);
        for kind in [PacketType::Data, PacketType::Ack, PacketType::Nak, PacketType::Probe] {
            assert_eq!(look_up(0xBEEF, 200, kind), Err(DropReason::ConnectionClosed), "{kind}");
        }
        assert_eq!(look_up(0xBEE0, 3, PacketType::Reset), Err(DropReason::Tag));
        assert!(look_up(0xBEEF, 3, PacketType::Reset).is_ok());
    }
}
