//! Queue pairs by peer and connection, and what a host knows of its ports.

use super::dcqcn::DcqcnError;
use crate::packet::Host;
use crate::time::{Ps, Rate};
use thiserror::Error;

/// Ports of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// Planes, one port each, 1 to 16.
    pub planes: u8,
    /// Rate of a port.
    pub rate: Rate,
    /// Round trip of an empty network, serialization included: with the rate, the bandwidth-delay product.
    pub rtt: Ps,
}

impl Port {
    /// Bandwidth-delay product in packets of so many bytes, rounded up, at least 1.
    pub(super) fn bdp_packets(&self, wire_bytes: u32) -> u32 {
        let packets = self.rate.bytes_in(self.rtt).div_ceil(wire_bytes.into());
        packets.clamp(1, super::parts::MOST_PACKETS.into()) as u32
    }
}

/// Settings with which a transport cannot work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// Planes.
    #[error("{got} planes: 1 to 16 are possible")]
    Planes {
        /// The value given.
        got: u8,
    },
    /// Path MTU.
    #[error("MTU {got}: InfiniBand knows 256, 512, 1024, 2048 and 4096")]
    Mtu {
        /// The value given.
        got: u32,
    },
    /// A number that must lie within limits.
    #[error("{name} = {got}: {least} to {most} is possible")]
    Range {
        /// Of what.
        name: &'static str,
        /// The value given.
        got: u64,
        /// The least that is possible.
        least: u64,
        /// The most.
        most: u64,
    },
    /// Chunks.
    #[error("chunks of {got} bytes: at least the MTU, {mtu}, is needed")]
    Chunk {
        /// The value given.
        got: u32,
        /// The least.
        mtu: u32,
    },
    /// DCQCN.
    #[error(transparent)]
    Dcqcn(#[from] DcqcnError),
}

/// `got`, if it lies within the limits.
pub(super) fn within<T: Copy + Into<u64>>(
    name: &'static str,
    got: T,
    least: u64,
    most: u64,
) -> Result<T, SettingsError> {
    match got.into() {
        value if (least..=most).contains(&value) => Ok(got),
        got => Err(SettingsError::Range { name, got, least, most }),
    }
}

/// What both transports check.
pub(super) fn check(port: &Port, mtu: u32) -> Result<(), SettingsError> {
    if !(1..=16).contains(&port.planes) {
        return Err(SettingsError::Planes { got: port.planes });
    }
    match mtu {
        256 | 512 | 1024 | 2048 | 4096 => Ok(()),
        got => Err(SettingsError::Mtu { got }),
    }
}

/// Where a queue pair travels: on its home plane, or, while that is down, in turn on those that are up.
pub(super) fn plane_of(home: u8, up: u16) -> u8 {
    if up >> home & 1 == 1 || up == 0 {
        return home;
    }
    let nth = u32::from(home) % up.count_ones();
    (0..16).filter(|plane| up >> plane & 1 == 1).nth(nth as usize).unwrap_or(home)
}

/// Where the queue pairs of a connection begin.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// By peer, then by connection.
    first: Vec<Vec<Option<u32>>>,
}

impl Pairs {
    /// The first queue pair of a connection.
    pub(super) fn find(&self, peer: Host, connection: u16) -> Option<u32> {
        *self.first.get(peer as usize)?.get(usize::from(connection))?
    }

    /// A connection's begin at `first`.
    pub(super) fn add(&mut self, peer: Host, connection: u16, first: u32) {
        let (peer, connection) = (peer as usize, usize::from(connection));
        if self.first.len() <= peer {
            self.first.resize(peer + 1, Vec::new());
        }
        let row = &mut self.first[peer];
        if row.len() <= connection {
            row.resize(connection + 1, None);
        }
        row[connection] = Some(first);
    }

    /// The first queue pairs of all connections with a peer.
    pub(super) fn of(&self, peer: Host) -> impl Iterator<Item = u32> + '_ {
        self.first.get(peer as usize).into_iter().flatten().filter_map(|first| *first)
    }
}
