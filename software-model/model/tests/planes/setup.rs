//! The set-up of both ends.

use crate::plan::{Plan, FIRST_TAG, KEY_TAG, REGION};
use crate::world::CONN;
use heddle_model::core::Core;
use heddle_model::rx::access::Region;
use heddle_model::rx::conn::RxConnRow;
use heddle_model::tx::framer::{Route, TxConnRow};
use heddle_model::{Psn, Time32};
use std::net::Ipv4Addr;

/// Connection, paths and region of end `n`; all memory may be written.
pub fn set_up(core: &mut Core, n: usize, plan: &Plan, start: Time32) {
    let address = |n: usize| Ipv4Addr::new(10, 0, 0, n as u8 + 1);
    let receive = RxConnRow {
        valid: true,
        tag: FIRST_TAG + n as u16,
        v6: false,
        peer: u128::from(u32::from(address(1 - n))),
        domain: 3,
    };
    let transmit = TxConnRow {
        peer_conn: CONN,
        peer_tag: FIRST_TAG + 1 - n as u16,
        dst_mac: [2, 0, 0, 0, 0, 1],
        src_mac: [2, 0, 0, 0, 0, 2],
        vlan: None,
        src: address(n).into(),
        dst: address(1 - n).into(),
        hops: 64,
        data_dscp: 10,
        ack_dscp: 46,
    };
    assert!(core.set_connection(CONN, receive, transmit));
    for local in 0..plan.paths {
        let path = CONN * plan.paths + local;
        let psn = Psn::new(Psn::MASK - 300 + u32::from(local));
        // ACKs start on the first path's plane.
        let plane = (local % u16::from(plan.planes)) as u8;
        let route = Route { plane: (plane + plan.first_plane) % plan.planes, src_port: 49_152 + path };
        assert!(core.set_path(path, psn, psn, route, start));
    }
    let region = Region {
        valid: true,
        tag: KEY_TAG,
        base: 0,
        length: plan.memory() as u64,
        remote_write: true,
        domain: 3,
        ..Region::default()
    };
    assert!(core.set_region(REGION, region));
}
