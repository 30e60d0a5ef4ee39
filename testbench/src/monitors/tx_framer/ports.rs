//! What the framer's links and registers carry, at any data width.

use crate::bits::{Packer, Unpacker};
use crate::lockstep::Link;
use crate::tx_rows::Request;
use crate::views::TxFramerView;
use heddle_model::tx::framer::{Route, TxConnRow};
use heddle_wire::Vlan;
use std::net::IpAddr;

/// The registers, as the ports have them.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// Ethernet source.
    pub mac: [u8; 6],
    /// IPv4 source.
    pub v4: [u8; 4],
    /// IPv6 source.
    pub v6: [u8; 16],
    /// TTL or hop limit.
    pub hops: u8,
    /// DSCP of DATA and PROBE, 6 bits.
    pub data_dscp: u8,
    /// DSCP of the other types, 6 bits.
    pub ack_dscp: u8,
    /// UDP destination port.
    pub port: u16,
}

/// A connection row as the control plane writes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The connection is set up.
    pub valid: bool,
    /// Its addresses are IPv6.
    pub v6: bool,
    /// 802.1Q control information of its frames.
    pub tag: Option<u16>,
    /// Its number at the peer.
    pub peer_conn: u16,
    /// Its tag at the peer.
    pub peer_tag: u16,
    /// IP destination.
    pub peer: u128,
    /// Ethernet destination.
    pub mac: [u8; 6],
}

impl Row {
    /// Into the vector. RTL: `TxConnection`.
    pub fn pack(&self) -> [u32; 8] {
        let mac = self.mac.iter().fold(0u64, |mac, byte| mac << 8 | u64::from(*byte));
        let packer = Packer::default().put(1, self.valid).put(1, self.v6).put(1, self.tag.is_some());
        let packer = packer.put(16, self.tag.unwrap_or(0)).put(16, self.peer_conn).put(16, self.peer_tag);
        packer.put(128, self.peer).put(16, (mac >> 32) as u16).put(32, mac as u32).finish()
    }

    /// From the vector.
    pub fn unpack(vector: &[u32]) -> Self {
        let mut fields = Unpacker::new(vector);
        let (valid, v6, tagged) = (fields.flag(), fields.flag(), fields.flag());
        let tag = Some(fields.take(16) as u16).filter(|_| tagged);
        let (peer_conn, peer_tag) = (fields.take(16) as u16, fields.take(16) as u16);
        let (peer, high, low) = (fields.take(128), fields.take(16) as u64, fields.take(32) as u64);
        let mac = std::array::from_fn(|i| ((high << 32 | low) >> (40 - 8 * i)) as u8);
        Self { valid, v6, tag, peer_conn, peer_tag, peer, mac }
    }

    /// As the model has it.
    pub fn model(&self, own: &Own) -> TxConnRow {
        let (src, dst) = match self.v6 {
            true => (IpAddr::from(own.v6), IpAddr::from(self.peer.to_be_bytes())),
            false => (IpAddr::from(own.v4), IpAddr::from((self.peer as u32).to_be_bytes())),
        };
        let vlan = |tci: u16| Vlan { pcp: (tci >> 13) as u8, dei: tci >> 12 & 1 == 1, vid: tci & 0xfff };
        TxConnRow {
            peer_conn: self.peer_conn,
            peer_tag: self.peer_tag,
            dst_mac: self.mac,
            src_mac: own.mac,
            vlan: self.tag.map(vlan),
            src,
            dst,
            hops: own.hops,
            data_dscp: own.data_dscp,
            ack_dscp: own.ack_dscp,
        }
    }
}

/// A beat at `m_axis_tx`.
#[derive(Clone, Debug, PartialEq)]
pub struct Beat {
    /// The whole beat; zeros behind the frame's end.
    pub lanes: Vec<u8>,
    /// Bytes that count, the first in bit 0.
    pub keep: u64,
    /// The frame ends here.
    pub last: bool,
    /// Plane.
    pub plane: u8,
}

/// The framer's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// The registers.
    pub own: Own,
    /// A connection row that the control plane writes, with its index.
    pub row: Option<(u16, Row)>,
    /// A route that it writes, with the path index.
    pub route: Option<(u16, Route)>,
    /// Packets without payload.
    pub a: Link<Request>,
    /// Packets.
    pub b: Link<Request>,
    /// Their payload, whole beats.
    pub y: Link<Vec<u8>>,
    /// Frames.
    pub m: Link<Beat>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl TxFramerView) -> Self {
        let row = || (view.cfg_conn().u16(), Row::unpack(view.cfg_conn_row().words()));
        let route = || {
            let mut fields = view.cfg_route_row().fields();
            let (plane, src_port) = (fields.take(8) as u8, fields.take(16) as u16);
            (view.cfg_route().u16(), Route { plane, src_port })
        };
        let beat = || Beat {
            lanes: view.m_axis_tx_tdata().bytes().to_vec(),
            keep: view.m_axis_tx_tkeep().u64(),
            last: view.m_axis_tx_tlast().bit(),
            plane: view.m_axis_tx_tdest().u8(),
        };
        let request_a = || Request::unpack(view.a_frame().words());
        let request_b = || Request::unpack(view.b_frame().words());
        let own = Own {
            mac: std::array::from_fn(|i| view.own_mac().bytes()[5 - i]),
            v4: view.own_ipv4().u32().to_be_bytes(),
            v6: view.own_ipv6().u128().to_be_bytes(),
            hops: view.hops().u8(),
            data_dscp: view.data_dscp().u8(),
            ack_dscp: view.ack_dscp().u8(),
            port: view.port().u16(),
        };
        Self {
            own,
            row: view.cfg_conn_we().bit().then(row),
            route: view.cfg_route_we().bit().then(route),
            a: Link::new(view.a_valid().bit(), view.a_ready().bit(), request_a),
            b: Link::new(view.b_valid().bit(), view.b_ready().bit(), request_b),
            y: Link::new(view.y_valid().bit(), view.y_ready().bit(), || view.y_data().bytes().to_vec()),
            m: Link::new(view.m_axis_tx_tvalid().bit(), view.m_axis_tx_tready().bit(), beat),
        }
    }
}

/// The `count` lowest bits, 1 to 64 of them.
pub(super) fn ones(count: usize) -> u64 {
    u64::MAX >> (64 - count)
}
