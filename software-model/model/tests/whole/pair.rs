//! Two whole cores with one connection, and what is asked of it.

use crate::world::{Link, Network, World, BASE, BLANK, KEY, LENGTH};
use heddle_model::core::CoreConfig;
use heddle_model::operations::Operations;
use heddle_model::tx::msg::WorkRequest;
use heddle_wire::Opcode;

/// The connection: row 1 of core 0, row 2 of core 1.
pub const LINK: Link = Link { ends: [(0, 1), (1, 2)], tags: [0x1111, 0x2222] };
/// Memory that no peer has a key to.
pub const SINK: u64 = BASE + LENGTH;
/// 1 ms.
pub const MS: u64 = 125_000;

/// The cores, every operation and the ends of connections on, connected over four planes.
pub fn pair(config: CoreConfig, network: Network) -> World {
    let config = CoreConfig { operations: Operations::ALL, life: true, ..config };
    let mut world = World::new(2, config, network, 7);
    for host in &mut world.hosts {
        host.bytes.resize((SINK + 200_000) as usize, BLANK);
    }
    assert!(world.connect(&LINK, 4));
    world
}

/// A request of core 0; the answer of a READ goes to the sink.
pub fn request(opcode: Opcode, wr_id: u64, length: u32) -> WorkRequest {
    let (local, remote) = if opcode == Opcode::ReadReq { (SINK, BASE) } else { (BASE, BASE) };
    let opcode = opcode.code();
    WorkRequest { wr_id, opcode, conn: 1, local, remote, rkey: KEY, length, ..WorkRequest::default() }
}
