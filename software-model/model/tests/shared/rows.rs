//! What the two ends of a connection of a test know of each other.

use heddle_model::rx::conn::RxConnRow;
use heddle_model::tx::framer::TxConnRow;
use std::net::Ipv4Addr;

/// One end.
#[derive(Clone, Copy)]
pub struct End {
    pub address: Ipv4Addr,
    /// Connection index at this end.
    pub conn: u16,
    pub tag: u16,
}

/// The rows of `own`, whose packets may use the regions of `domain`: untagged IPv4.
pub fn rows(own: &End, peer: &End, domain: u16) -> (RxConnRow, TxConnRow) {
    let receive =
        RxConnRow { valid: true, tag: own.tag, v6: false, peer: u128::from(u32::from(peer.address)), domain };
    let transmit = TxConnRow {
        peer_conn: peer.conn,
        peer_tag: peer.tag,
        dst_mac: [2, 0, 0, 0, 0, 1],
        src_mac: [2, 0, 0, 0, 0, 2],
        vlan: None,
        src: own.address.into(),
        dst: peer.address.into(),
        hops: 64,
        data_dscp: 10,
        ack_dscp: 46,
    };
    (receive, transmit)
}
