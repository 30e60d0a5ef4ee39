//! The set-up of both ends.

use crate::plan::{Plan, FIRST_TAG, KEY_TAG, REGION};
use crate::rows::{rows, End};
use crate::world::CONN;
use heddle_model::core::Core;
use heddle_model::rx::access::Region;
use heddle_model::tx::framer::Route;
use heddle_model::{Psn, Time32};
use std::net::Ipv4Addr;

/// Connection, paths and region of end `n`; all memory may be written.
pub fn set_up(core: &mut Core, n: usize, plan: &Plan, start: Time32) {
    let end = |n: usize| End {
        address: Ipv4Addr::new(10, 0, 0, n as u8 + 1),
        conn: CONN,
        tag: FIRST_TAG + n as u16,
    };
    let (receive, transmit) = rows(&end(n), &end(1 - n), 3);
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
