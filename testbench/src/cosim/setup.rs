//! What the control plane of a run writes into the endpoints, all of it drawn from the seed.
//!
//! Endpoint 0 is the first sender, endpoint 1 the receiver, every further one a sender. Connection k is that of
//! the k-th sender.

use super::scenario::{Draw, Scenario};
use heddle_wire::header::DEFAULT_PORT;
use heddle_wire::setup::{Key, Region, Route, RxConnection, TxConnection};
use heddle_wire::Psn;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::net::Ipv4Addr;

/// Packets in flight allowed per path where congestion control is off.
pub const CWND_PACKETS: u16 = 64;
/// The endpoint that all others send to.
pub const RECEIVER: usize = 1;

/// The endpoint of the k-th sender.
pub const fn sender(k: usize) -> usize {
    if k < RECEIVER {
        k
    } else {
        k + 1
    }
}

/// One path of a connection, in both directions.
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

/// One connection of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionSetup {
    /// The endpoint at the other end.
    pub peer: usize,
    /// Row in the tables.
    pub connection: u16,
    /// Its receive side.
    pub receive: RxConnection,
    /// Its transmit side.
    pub transmit: TxConnection,
    /// Its paths.
    pub paths: Vec<PathSetup>,
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
    /// Packets in flight allowed per path where congestion control is off.
    pub cwnd_packets: u16,
    /// Its connections: the receiver has one per sender, in their order, a sender one.
    pub connections: Vec<ConnectionSetup>,
    /// Row of the memory region.
    pub region_index: u16,
    /// The memory region: all that the host has for the run. Its base is never a multiple of 4.
    pub region: Region,
}

impl EndpointSetup {
    /// The key of the region as a peer names it.
    pub fn rkey(&self) -> u32 {
        u32::from_be_bytes(Key { index: self.region_index, tag: self.region.tag }.emit())
    }
}

fn mac(host: usize) -> [u8; 6] {
    let [high, low] = (host as u16 + 1).to_be_bytes();
    [0x02, 0, 0, 0, high, low]
}

fn address(host: usize) -> Ipv4Addr {
    let [high, low] = (host as u16 + 1).to_be_bytes();
    Ipv4Addr::new(10, 0, high, low)
}

/// The endpoint that has this Ethernet address, whether it takes part or not.
pub fn host_of(destination: [u8; 6]) -> Option<usize> {
    let number = usize::from(u16::from_be_bytes([destination[4], destination[5]]));
    number.checked_sub(1).filter(|&host| mac(host) == destination)
}

/// Below 2^48 and 2^32 away from 0: no guard wraps.
fn place(rng: &mut ChaCha8Rng) -> u64 {
    (rng.gen_range(1u64 << 32..1 << 48) & !3) | rng.gen_range(1..4)
}

/// A connection: what both ends need of it.
struct Line {
    hosts: [usize; 2],
    connections: [u16; 2],
    tags: [u16; 2],
    domains: [u16; 2],
    /// First PSNs that the ends send with, path by path.
    first: Vec<[Psn; 2]>,
}

impl Line {
    /// Draws it. `used`: rows that the second end has in use; `domain`: its protection domain, when it has one.
    fn new(
        scenario: &Scenario,
        rng: &mut ChaCha8Rng,
        hosts: [usize; 2],
        used: &[u16],
        domain: Option<u16>,
    ) -> Self {
        let rows = scenario.config().connections();
        let own = rng.gen_range(0..rows) as u16;
        let mut peer = rng.gen_range(0..rows) as u16;
        while used.contains(&peer) {
            peer = rng.gen_range(0..rows) as u16;
        }
        let tags = [(); 2].map(|()| rng.gen());
        let domains = [rng.gen(), domain.unwrap_or_else(|| rng.gen())];
        let first = (0..scenario.paths())
            .map(|_| [(); 2].map(|()| Psn::new(rng.gen_range(0..1 << 24))))
            .map(|drawn| scenario.psn_start().map_or(drawn, |start| [start; 2]))
            .collect();
        Self { hosts, connections: [own, peer], tags, domains, first }
    }

    /// The rows of end `own`; source ports are drawn.
    fn end(&self, scenario: &Scenario, rng: &mut ChaCha8Rng, own: usize) -> ConnectionSetup {
        let peer = 1 - own;
        let paths = (0..scenario.paths()).map(|path| PathSetup {
            index: u32::from(self.connections[own]) * scenario.config().paths() + path,
            receive: self.first[path as usize][peer],
            transmit: self.first[path as usize][own],
            route: Route {
                plane: (path % scenario.planes()) as u8,
                reserved: 0,
                src_port: rng.gen_range(0xC000..=0xFFFF),
            },
        });
        let peer_mac = mac(self.hosts[peer]);
        let [a, b, rest @ ..] = peer_mac;
        ConnectionSetup {
            peer: self.hosts[peer],
            connection: self.connections[own],
            paths: paths.collect(),
            receive: RxConnection {
                valid: 1,
                v6: 0,
                reserved0: 0,
                tag: self.tags[own],
                pd: self.domains[own],
                reserved1: 0,
                peer_address: mapped(address(self.hosts[peer])),
            },
            transmit: TxConnection {
                valid: 1,
                v6: 0,
                tagged: 0,
                reserved0: 0,
                vlan_tci: 0,
                peer_conn: self.connections[peer],
                peer_tag: self.tags[peer],
                peer_address: mapped(address(self.hosts[peer])),
                reserved1: 0,
                peer_mac_high: u16::from_be_bytes([a, b]),
                peer_mac_low: u32::from_be_bytes(rest),
            },
        }
    }

    /// End `own` as an endpoint that has no other connection; its region is empty and without rights.
    fn endpoint(&self, scenario: &Scenario, rng: &mut ChaCha8Rng, own: usize, base: u64) -> EndpointSetup {
        let connections = vec![self.end(scenario, rng, own)];
        let region = Region { valid: 1, tag: rng.gen(), pd: self.domains[own], base, ..Region::default() };
        EndpointSetup {
            mac: mac(self.hosts[own]),
            address: address(self.hosts[own]),
            udp_port: DEFAULT_PORT,
            data_dscp: 26,
            ack_dscp: 48,
            hop_limit: 64,
            lfsr_seed: rng.gen_range(1..=u32::MAX),
            cwnd_packets: CWND_PACKETS,
            connections,
            region_index: rng.gen_range(0..scenario.config().regions()) as u16,
            region,
        }
    }
}

/// All endpoints; their regions are still empty and without rights.
pub fn endpoints(scenario: &Scenario) -> Vec<EndpointSetup> {
    let mut rng = scenario.rng(Draw::SetUp);
    let bases = [place(&mut rng), place(&mut rng)];
    let line = Line::new(scenario, &mut rng, [sender(0), RECEIVER], &[], None);
    let mut all: Vec<_> =
        [0, 1].map(|own| line.endpoint(scenario, &mut rng, own, bases[own])).into_iter().collect();
    for k in 1..scenario.senders() as usize {
        let mut rng = scenario.rng_of(Draw::SetUp, k);
        let base = place(&mut rng);
        let used: Vec<_> = all[RECEIVER].connections.iter().map(|one| one.connection).collect();
        let hosts = [sender(k), RECEIVER];
        let line = Line::new(scenario, &mut rng, hosts, &used, Some(line.domains[1]));
        let endpoint = line.endpoint(scenario, &mut rng, 0, base);
        let receiving = line.end(scenario, &mut rng, 1);
        all[RECEIVER].connections.push(receiving);
        all.push(endpoint);
    }
    all
}

/// An IPv4 address in the last 4 bytes behind zeros, as the rows have it.
fn mapped(address: Ipv4Addr) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[12..].copy_from_slice(&address.octets());
    bytes
}
