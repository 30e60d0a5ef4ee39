//! The control plane: cores, connections and routes of a whole fabric.

use super::constants::Constants;
use super::line::{address, Frames};
use super::memory::Landed;
use super::Heddle;
use crate::packet::Host;
use crate::seed;
use crate::time::{Ps, Rate};
use heddle_model::core::{CongestionConfig, CongestionConfigError, Core, CoreConfig};
use heddle_model::operations::Operations;
use heddle_model::rx::access::Region;
use heddle_model::rx::ack::{AckConfig, AckConfigError};
use heddle_model::rx::conn::RxConnRow;
use heddle_model::tx::framer::{Route, TxConnRow};
use heddle_model::tx::route::{RouteConfig, RouteConfigError};
use heddle_model::tx::rto::{RtoConfig, RtoConfigError};
use heddle_wire::{Psn, Time32};
use rand::{Rng, RngCore};
use rand_chacha::ChaCha8Rng;
use std::collections::{HashMap, VecDeque};
use thiserror::Error;

/// Key of the one region that every host has: index 0 and a tag.
pub(super) const KEY: u32 = 0x4D1;
/// Differentiated services of DATA and PROBE, and of what answers.
pub(super) const DATA_DSCP: u8 = 0;
pub(super) const ANSWER_DSCP: u8 = 1;
/// Time to live.
pub(super) const HOPS: u8 = 64;

/// Connections between two hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// One end.
    pub a: Host,
    /// The other.
    pub b: Host,
    /// How many connections they have.
    pub connections: u16,
}

/// What every host is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeddleConfig {
    /// Planes, a port each.
    pub planes: u8,
    /// Rate of a port.
    pub rate: Rate,
    /// How many hosts, the last ones, have slower ports, and how fast those are.
    pub slow: Option<(u32, Rate)>,
    /// What the host takes in, if less than what its ports bring.
    pub drain: Option<Rate>,
    /// Paths per connection, a power of two, 1 to 64.
    pub paths: u32,
    /// log2 of the slice size, 10 to 12.
    pub slice_log2: u32,
    /// Round trip taken until one is measured.
    pub rtt0: Ps,
    /// A message of no more packets goes blind without a hint.
    pub small_packets: u8,
    /// Packets in flight per path, where congestion control is off.
    pub fixed_window: Option<u32>,
    /// Constants of the protocol.
    pub constants: Constants,
}

/// A fabric that no cores can serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HeddleConfigError {
    /// Paths.
    #[error("{got} paths per connection: 1, 2, 4, 8, 16, 32 or 64 are possible")]
    Paths {
        /// The value given.
        got: u32,
    },
    /// Slices.
    #[error("slices of 2^{got} bytes: 2^10 to 2^12 are possible")]
    Slice {
        /// The value given.
        got: u32,
    },
    /// Rows of a core.
    #[error("host {host} has {connections} connections of {paths} paths: at most 65,536 paths are possible")]
    Connections {
        /// Which host.
        host: Host,
        /// Its connections.
        connections: usize,
        /// Paths of each.
        paths: u32,
    },
    /// A host with itself, or one that is not there.
    #[error("a connection between hosts {a} and {b} of {hosts}")]
    Pair {
        /// One end.
        a: Host,
        /// The other.
        b: Host,
        /// Hosts that there are.
        hosts: u32,
    },
    /// Congestion control.
    #[error(transparent)]
    Congestion(#[from] CongestionConfigError),
    /// When to acknowledge.
    #[error(transparent)]
    Ack(#[from] AckConfigError),
    /// Timers.
    #[error(transparent)]
    Rto(#[from] RtoConfigError),
    /// Planes.
    #[error(transparent)]
    Routes(#[from] RouteConfigError),
}

/// One end of a connection.
#[derive(Clone, Copy, Debug)]
struct End {
    host: Host,
    conn: u16,
    tag: u16,
}

impl Heddle {
    /// All hosts of a fabric, with their connections set up; equal seeds give equal hosts.
    ///
    /// # Errors
    /// When a core cannot be built as asked, or a pair is not one.
    pub fn fabric(
        hosts: u32,
        pairs: &[Pair],
        config: &HeddleConfig,
        seed: u64,
    ) -> Result<Vec<Self>, HeddleConfigError> {
        if !config.paths.is_power_of_two() || config.paths > 64 {
            return Err(HeddleConfigError::Paths { got: config.paths });
        }
        if !(10..=12).contains(&config.slice_log2) {
            return Err(HeddleConfigError::Slice { got: config.slice_log2 });
        }
        let mut connections = vec![0usize; hosts as usize];
        for &Pair { a, b, connections: count } in pairs {
            if a == b || a >= hosts || b >= hosts {
                return Err(HeddleConfigError::Pair { a, b, hosts });
            }
            connections[a as usize] += usize::from(count);
            connections[b as usize] += usize::from(count);
        }
        let mut all = Vec::with_capacity(hosts as usize);
        for (host, connections) in (0..).zip(connections) {
            let rate = match config.slow {
                Some((count, slow)) if host + count >= hosts => slow,
                _ => config.rate,
            };
            all.push(Self::new(host, connections, &HeddleConfig { rate, ..*config }, seed)?);
        }
        let mut rng = seed::stream(seed, "connections", 0);
        for pair in pairs {
            for number in 0..pair.connections {
                connect(&mut all, pair, number, config, &mut rng);
            }
        }
        Ok(all)
    }

    fn new(
        host: Host,
        connections: usize,
        config: &HeddleConfig,
        seed: u64,
    ) -> Result<Self, HeddleConfigError> {
        let &HeddleConfig { planes, rate, drain, paths, slice_log2, rtt0, small_packets, .. } = config;
        let &HeddleConfig { fixed_window, constants, .. } = config;
        let rows = connections.max(1).next_power_of_two();
        if rows * paths as usize > 1 << 16 {
            return Err(HeddleConfigError::Connections { host, connections, paths });
        }
        let in_10_us = |rate: Rate| constants.capacity(rate.bytes_in(Ps::from_us(10)));
        let plane = in_10_us(rate);
        let capacity = drain.map_or(u64::MAX, in_10_us).min(plane * u64::from(planes));
        let rtt0 = (rtt0.0 / Ps::TICK).min(u64::from(u32::MAX)) as u32;
        let bytes = |bytes: u64| bytes.min(u64::from(u32::MAX)) as u32;
        let congestion = CongestionConfig::new(bytes(capacity), rtt0, small_packets)?
            .with_plane_capacity(bytes(plane))?
            .with_window(constants.window_quarters, constants.stretch_quarters)?
            .with_start(constants.initial_window)?;
        let Constants { ack_every, ack_delay_ticks, ack_deadlines, .. } = constants;
        let mut rng = seed::stream(seed, "core", host.into());
        let mut core = Core::new(CoreConfig {
            connections: rows as u32,
            paths,
            streams: 1,
            slots: 64,
            slice_log2,
            regions: 1,
            receives: 1,
            cwnd: fixed_window.unwrap_or(16),
            seed: rng.next_u32() | 1,
            operations: Operations::ALL,
            congestion: fixed_window.is_none().then_some(congestion),
            routes: Some(RouteConfig::new(planes)?),
            life: true,
            ack: AckConfig::new(ack_every, ack_delay_ticks, ack_deadlines)?,
            rto: RtoConfig::new(ack_delay_ticks, constants.rto0_ticks(rtt0))?,
            ..CoreConfig::default()
        });
        // All of memory is open to the peers: what is studied here is not protection.
        let region = Region {
            valid: true,
            tag: KEY,
            base: 0,
            length: u64::MAX,
            remote_read: true,
            remote_write: true,
            ..Region::default()
        };
        core.set_region(0, region);
        Ok(Self {
            core,
            connections: HashMap::new(),
            taken: 0,
            backlog: vec![VecDeque::new(); rows],
            line: Frames::new(host),
            memory: Landed::default(),
            news: VecDeque::new(),
            watched: None,
        })
    }
}

fn connect(all: &mut [Heddle], pair: &Pair, number: u16, config: &HeddleConfig, rng: &mut ChaCha8Rng) {
    let ends = [pair.a, pair.b].map(|host| {
        let conn = all[host as usize].taken;
        all[host as usize].taken += 1;
        End { host, conn, tag: rng.gen() }
    });
    let psns: Vec<[Psn; 2]> = (0..config.paths).map(|_| [Psn::new(rng.gen()), Psn::new(rng.gen())]).collect();
    for (n, &own) in ends.iter().enumerate() {
        let peer = ends[1 - n];
        let heddle = &mut all[own.host as usize];
        heddle.connections.insert((peer.host, number), own.conn);
        let receive = RxConnRow {
            valid: true,
            tag: own.tag,
            v6: false,
            peer: u32::from(address(peer.host)).into(),
            domain: 0,
        };
        let transmit = TxConnRow {
            peer_conn: peer.conn,
            peer_tag: peer.tag,
            dst_mac: [0; 6],
            src_mac: [0; 6],
            vlan: None,
            src: address(own.host).into(),
            dst: address(peer.host).into(),
            hops: HOPS,
            data_dscp: DATA_DSCP,
            ack_dscp: ANSWER_DSCP,
        };
        heddle.core.set_connection(own.conn, receive, transmit);
        for (local, psn) in (0u32..).zip(&psns) {
            let path = u32::from(own.conn) * config.paths + local;
            // ACKs travel with the first path, and data that starts everywhere at once goes there first: were it on plane 0 of every
            // connection and host, that plane would get all of it.
            let plane = ((own.host + u32::from(own.conn) + local) % u32::from(config.planes)) as u8;
            let route = Route { plane, src_port: 0xC000 | rng.gen::<u16>() >> 2 };
            heddle.core.set_path(path as u16, psn[1 - n], psn[n], route, Time32::new(0));
        }
    }
}
