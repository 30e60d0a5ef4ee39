//! Framer: Ethernet, IP, UDP and ICRC around a transport packet, and the plane it leaves on.
//!
//! Owns the transmit connection rows and the route of each path. Mirrors the RTL block `framer`; docs/blocks/tx-framer.md has ports and
//! latency.

use heddle_wire::{Body, EmitError, Frame, Ip, Ipv4, Ipv6, Packet, Vlan};
use std::net::IpAddr;

/// ECN-capable transport, codepoint ECT(0). Source: RFC 3168 section 5.
pub const ECT0: u8 = 2;
/// Not ECN-capable transport. Source: RFC 3168 section 5.
pub const NOT_ECT: u8 = 0;

/// One connection as the sender knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TxConnRow {
    /// The connection's number at the peer.
    pub peer_conn: u16,
    /// The connection's tag at the peer.
    pub peer_tag: u16,
    /// Ethernet destination.
    pub dst_mac: [u8; 6],
    /// Ethernet source.
    pub src_mac: [u8; 6],
    /// 802.1Q tag of every frame.
    pub vlan: Option<Vlan>,
    /// IP source; both addresses are of one family.
    pub src: IpAddr,
    /// IP destination.
    pub dst: IpAddr,
    /// TTL or hop limit.
    pub hops: u8,
    /// DSCP of DATA and PROBE, 6 bits.
    pub data_dscp: u8,
    /// DSCP of ACK and NAK, 6 bits.
    pub ack_dscp: u8,
}

/// Where a path's packets travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// Plane, 4 bits.
    pub plane: u8,
    /// UDP source port: what ECMP hashes.
    pub src_port: u16,
}

/// An answer to a packet of no connection: back to where the frame came from, by what it tells itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stranger {
    /// Plane that the frame came in on.
    pub plane: u8,
    /// The answer.
    pub frame: Frame<&'static [u8]>,
}

impl Stranger {
    /// `packet` to the sender of `frame`.
    pub fn answer(frame: &Frame<&[u8]>, plane: u8, packet: Packet<&'static [u8]>) -> Self {
        let ip = match frame.ip {
            Ip::V4(ip) => {
                Ip::V4(Ipv4 { ecn: NOT_ECT, identification: 0, ttl: 64, src: ip.dst, dst: ip.src, ..ip })
            }
            Ip::V6(ip) => Ip::V6(Ipv6 { ecn: NOT_ECT, hop_limit: 64, src: ip.dst, dst: ip.src, ..ip }),
        };
        let &Frame { dst_mac, src_mac, vlan, src_port, dst_port, .. } = frame;
        let (dst_mac, src_mac) = (src_mac, dst_mac);
        Self {
            plane,
            frame: Frame { dst_mac, src_mac, vlan, ip, src_port, dst_port, udp_checksum: 0, packet },
        }
    }
}

/// The block.
#[derive(Clone, Debug)]
pub struct Framer {
    connections: Vec<Option<TxConnRow>>,
    routes: Vec<Route>,
    paths: u32,
    port: u16,
}

impl Framer {
    /// No connection set up; `port` is the UDP destination port of the transport.
    pub fn new(connections: u32, paths: u32, port: u16) -> Self {
        Self {
            connections: vec![None; connections as usize],
            routes: vec![Route::default(); (connections * paths) as usize],
            paths,
            port,
        }
    }

    /// Writes a connection row, from the control plane; false when there is no such connection.
    pub fn set_connection(&mut self, conn: u16, row: TxConnRow) -> bool {
        self.connections.get_mut(usize::from(conn)).map(|slot| *slot = Some(row)).is_some()
    }

    /// The connection's number and tag at the peer.
    pub fn peer(&self, conn: u16) -> Option<(u16, u16)> {
        let row = (*self.connections.get(usize::from(conn))?)?;
        Some((row.peer_conn, row.peer_tag))
    }

    /// The connection that has this number and tag at the peer of this address (IPv4 in the low 32 bits). A search for the control plane.
    pub fn find(&self, peer_conn: u16, peer_tag: u16, peer: u128) -> Option<u16> {
        let address = |ip: IpAddr| match ip {
            IpAddr::V4(ip) => u128::from(u32::from(ip)),
            IpAddr::V6(ip) => u128::from(ip),
        };
        let wanted =
            |row: &TxConnRow| (row.peer_conn, row.peer_tag, address(row.dst)) == (peer_conn, peer_tag, peer);
        self.connections.iter().position(|row| row.as_ref().is_some_and(wanted)).map(|conn| conn as u16)
    }

    /// The UDP destination port is another one from here on.
    pub fn set_port(&mut self, port: u16) {
        self.port = port;
    }

    /// Writes a path's route, from the control plane; false when there is no such path.
    pub fn set_route(&mut self, path: u16, route: Route) -> bool {
        self.routes.get_mut(usize::from(path)).map(|slot| *slot = route).is_some()
    }

    /// The route of a path.
    ///
    /// # Panics
    /// If there is no such path.
    pub fn route(&self, path: u16) -> Route {
        self.routes[usize::from(path)]
    }

    /// The frame of a packet of path `path`, and its plane; `None` when the connection is not set up. The peer's connection number and tag
    /// are filled in here.
    pub fn frame<P: AsRef<[u8]>>(
        &self,
        path: u16,
        packet: Packet<P>,
    ) -> Option<Result<(u8, Vec<u8>), EmitError>> {
        let route = *self.routes.get(usize::from(path))?;
        let frame = self.frame_on(route, path / self.paths as u16, packet)?;
        Some(frame.emit().map(|bytes| (route.plane, bytes)))
    }

    /// The frame of a packet of connection `conn` on the route that is given; `None` as in [`Self::frame`].
    pub fn frame_on<P>(&self, route: Route, conn: u16, mut packet: Packet<P>) -> Option<Frame<P>> {
        let row = self.connections.get(usize::from(conn))?.as_ref()?;
        (packet.dst_conn, packet.tag) = (row.peer_conn, row.peer_tag);
        // What answers is not marked: CE on it would tell nobody anything.
        let (dscp, ecn) = match packet.body {
            Body::Data { .. } | Body::Probe(_) => (row.data_dscp, ECT0),
            Body::Ack(_) | Body::Nak(_) | Body::Reset => (row.ack_dscp, NOT_ECT),
        };
        let ip = match (row.src, row.dst) {
            (IpAddr::V4(src), IpAddr::V4(dst)) => {
                Ip::V4(Ipv4 { dscp, ecn, identification: 0, ttl: row.hops, src, dst })
            }
            (IpAddr::V6(src), IpAddr::V6(dst)) => {
                Ip::V6(Ipv6 { dscp, ecn, flow_label: 0, hop_limit: row.hops, src, dst })
            }
            _ => return None,
        };
        Some(Frame {
            dst_mac: row.dst_mac,
            src_mac: row.src_mac,
            vlan: row.vlan,
            ip,
            src_port: route.src_port,
            dst_port: self.port,
            udp_checksum: 0,
            packet,
        })
    }
}
