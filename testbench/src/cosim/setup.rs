//! What the control plane of a run writes into the two endpoints, all of it drawn from the seed.

use super::scenario::Scenario;
use heddle_wire::header::DEFAULT_PORT;
use heddle_wire::setup::{Key, Region, Route, RxConnection, TxConnection};
use heddle_wire::Psn;
use rand::Rng;
use std::net::Ipv4Addr;

/// Packets in flight allowed per path: a fixed window until congestion control is built.
pub const CWND_PACKETS: u16 = 64;

/// One path of the connection, in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathSetup {
    /// Index in the core's tables: connection x paths + path of the connection.
    pub index: u32,
    /// First PSN that comes from the peer.
    pub receive: Psn,
    /// First PSN that is sent.
    pub transmit: Psn,
    /// Where its packets travel.
    pub route: Route,
}

/// Everything that is written into one endpoint before the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointSetup {
    /// Own Ethernet address.
    pub mac: [u8; 6],
    /// Own IPv4 address.
    pub address: Ipv4Addr,
    /// UDP destination port of the transport.
    pub udp_port: u16,
    /// DSCP of DATA and PROBE.
    pub data_dscp: u8,
    /// DSCP of ACK and NAK.
    pub ack_dscp: u8,
    /// TTL.
    pub hop_limit: u8,
    /// Start of the random register, not 0.
    pub lfsr_seed: u32,
    /// Packets in flight allowed per path.
    pub cwnd_packets: u16,
    /// Row of the connection in the tables.
    pub connection: u16,
    /// Its receive side.
    pub receive: RxConnection,
    /// Its transmit side.
    pub transmit: TxConnection,
    /// Its paths.
    pub paths: Vec<PathSetup>,
    /// Row of the memory region.
    pub region_index: u16,
    /// The memory region.
    pub region: Region,
}

impl EndpointSetup {
    /// The key of the region as a peer names it.
    pub fn rkey(&self) -> u32 {
        u32::from_be_bytes(Key { index: self.region_index, tag: self.region.tag }.emit())
    }
}

/// Where the file lies at the sender and goes to at the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// First byte in the sender's memory, never a multiple of 4.
    pub local: u64,
    /// First byte in the receiver's memory, never a multiple of 4.
    pub remote: u64,
}

/// Both endpoints, sender first, for a file of `bytes`.
pub fn endpoints(scenario: &Scenario, bytes: u64) -> ([EndpointSetup; 2], Addresses) {
    let mut rng = scenario.rng(super::scenario::Draw::SetUp);
    let config = scenario.config();
    // Below 2^48 and 2^32 away from 0: no guard wraps.
    let mut place = || (rng.gen_range(1u64 << 32..1 << 48) & !3) | rng.gen_range(1..4);
    let addresses = Addresses { local: place(), remote: place() };
    let connections: [u16; 2] = [(); 2].map(|()| rng.gen_range(0..config.connections()) as u16);
    let tags: [u16; 2] = [(); 2].map(|()| rng.gen());
    let domains: [u16; 2] = [(); 2].map(|()| rng.gen());
    let first: Vec<[Psn; 2]> = (0..scenario.paths())
        .map(|_| [(); 2].map(|()| Psn::new(rng.gen_range(0..1 << 24))))
        .map(|drawn| scenario.psn_start().map_or(drawn, |start| [start; 2]))
        .collect();
    let mac = |n: usize| [0x02, 0, 0, 0, 0, n as u8 + 1];
    let address = |n: usize| Ipv4Addr::new(10, 0, 0, n as u8 + 1);
    let setups = [0, 1].map(|own| {
        let peer = 1 - own;
        let paths = (0..scenario.paths()).map(|path| PathSetup {
            index: u32::from(connections[own]) * config.paths() + path,
            receive: first[path as usize][peer],
            transmit: first[path as usize][own],
            route: Route {
                plane: (path % scenario.planes()) as u8,
                reserved: 0,
                src_port: rng.gen_range(0xC000..=0xFFFF),
            },
        });
        let paths = paths.collect();
        let region = Region {
            valid: 1,
            remote_read: 0,
            // Only the receiver lets its peer in.
            remote_write: own as u8,
            remote_atomic: 0,
            reserved0: 0,
            tag: rng.gen(),
            pd: domains[own],
            reserved1: 0,
            base: if own == 1 { addresses.remote } else { addresses.local },
            length: bytes,
        };
        EndpointSetup {
            mac: mac(own),
            address: address(own),
            udp_port: DEFAULT_PORT,
            data_dscp: 26,
            ack_dscp: 48,
            hop_limit: 64,
            lfsr_seed: rng.gen_range(1..=u32::MAX),
            cwnd_packets: CWND_PACKETS,
            connection: connections[own],
            receive: RxConnection {
                valid: 1,
                v6: 0,
                reserved0: 0,
                tag: tags[own],
                pd: domains[own],
                reserved1: 0,
                peer_address: mapped(address(peer)),
            },
            transmit: TxConnection {
                valid: 1,
                v6: 0,
                tagged: 0,
                reserved0: 0,
                vlan_tci: 0,
                peer_conn: connections[peer],
                peer_tag: tags[peer],
                peer_address: mapped(address(peer)),
                reserved1: 0,
                peer_mac_high: u16::from_be_bytes([mac(peer)[0], mac(peer)[1]]),
                peer_mac_low: u32::from_be_bytes([mac(peer)[2], mac(peer)[3], mac(peer)[4], mac(peer)[5]]),
            },
            paths,
            region_index: rng.gen_range(0..config.regions()) as u16,
            region,
        }
    });
    (setups, addresses)
}

/// An IPv4 address in the last 4 bytes behind zeros, as the rows have it.
fn mapped(address: Ipv4Addr) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[12..].copy_from_slice(&address.octets());
    bytes
}
