//! The framer's monitor: packets and payload in, frames out, byte for byte those of the wire codec.

mod ports;

pub use ports::{Beat, Own, Ports, Row};

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::tx_rows::Request;
use heddle_model::tx::framer::Framer;
use heddle_wire::{Ack, Body, Common, Data, Nak, Opcode, Packet, PacketType, Probe};
use std::collections::VecDeque;

/// The model's side.
#[derive(Debug)]
pub struct FramerMonitor {
    width: usize,
    connections: u16,
    paths: u16,
    model: Framer,
    /// Connections as they were set up; what is the core's own is in the registers.
    rows: Vec<Option<Row>>,
    payload: VecDeque<Vec<u8>>,
    /// Inside a frame: the next beat must be offered at once.
    inside: bool,
    a: Input<Request>,
    b: Input<Request>,
    y: Input<Vec<u8>>,
    m: Output<Beat>,
    end: Output<u8>,
}

/// The packet that a request and its payload describe; none when its type or opcode is none.
pub fn packet(request: &Request, payload: Vec<u8>) -> Option<Packet> {
    let bytes: Vec<u8> = request.words.iter().flat_map(|word| word.to_be_bytes()).collect();
    let common = Common::parse(bytes[..16].try_into().ok()?);
    let body = match PacketType::from_code(common.packet_type)? {
        PacketType::Data => {
            let header = Data::parse(bytes[16..48].try_into().ok()?);
            Body::Data { opcode: Opcode::from_code(common.opcode)?, header, payload }
        }
        PacketType::Ack => {
            // What stands behind an ACK without SACK words is not sent.
            let end = Packet::header_bytes(PacketType::Ack, common.opcode);
            let mut header = [0; Ack::BYTES];
            header[..end - 16].copy_from_slice(&bytes[16..end]);
            Body::Ack(Ack::parse(&header))
        }
        PacketType::Nak => Body::Nak(Nak::parse(bytes[16..32].try_into().ok()?)),
        PacketType::Probe => Body::Probe(Probe::parse(bytes[16..20].try_into().ok()?)),
        PacketType::Reset => Body::Reset,
    };
    let Common { flags, path, dst_conn, tag, route, psn, timestamp, .. } = common;
    Some(Packet { flags, path, dst_conn, tag, route, psn, timestamp, body })
}

impl FramerMonitor {
    /// A monitor of a framer with beats of `width` bytes, `connections` of `paths` each; the registers are
    /// what the ports say.
    pub fn new(width: usize, connections: u16, paths: u16) -> Self {
        Self {
            width,
            connections,
            paths,
            model: Framer::new(connections.into(), paths.into(), 0),
            rows: vec![None; connections.into()],
            payload: VecDeque::new(),
            inside: false,
            a: Input::request("a"),
            b: Input::request("b"),
            y: Input::side("y"),
            m: Output::side("m"),
            end: Output::answer("end"),
        }
    }

    /// Expects the frame of a packet; false when its connection is not set up.
    fn frame(&mut self, own: &Own, request: &Request, payload: Vec<u8>, check: &mut Check) -> bool {
        let conn = request.path / self.paths;
        let Some(row) = self.rows[usize::from(conn)].as_ref().filter(|row| row.valid) else {
            check.cover("not set up");
            return false;
        };
        self.model.set_port(own.port);
        self.model.set_connection(conn, row.model(own));
        let packet = packet(request, payload);
        let words = |body: &Body| Packet::header_bytes(body.packet_type(), body.opcode()) / 4;
        let count = packet.as_ref().map_or(0, |packet| words(&packet.body));
        if count != usize::from(request.count) {
            check.mismatch("count", format!("{} words of a packet with {count}", request.count));
        }
        let (plane, bytes) = match packet.map(|packet| self.model.frame(request.path, packet)) {
            Some(Some(Ok(frame))) => frame,
            other => {
                check.mismatch("model", format!("{other:?} of {request:x?}"));
                return false;
            }
        };
        if request.words[0] >> 24 & 0xf == u32::from(PacketType::Ack.code()) {
            check.cover(if count == 18 { "ACK" } else { "ACK without SACK words" });
        }
        let tagged = bytes[12..14] == [0x81, 0];
        let v6 = bytes[if tagged { 16..18 } else { 12..14 }] == [0x86, 0xdd];
        check.cover(match (v6, tagged) {
            (false, false) => "IPv4",
            (false, true) => "IPv4 in a VLAN",
            (true, false) => "IPv6",
            (true, true) => "IPv6 in a VLAN",
        });
        let split = bytes.len() % self.width == 2;
        check.cover(if split { "ICRC over two beats" } else { "ICRC in one beat" });
        for (i, chunk) in bytes.chunks(self.width).enumerate() {
            let last = i * self.width + chunk.len() == bytes.len();
            let mut lanes = chunk.to_vec();
            lanes.resize(self.width, 0);
            self.m.expect(Beat { lanes, keep: ports::ones(chunk.len()), last, plane }, check);
        }
        self.end.expect(plane, check);
        true
    }

    /// The payload of a packet, from whole beats in the buffer, filled with zeros to a whole word.
    fn take_payload(&mut self, len: u16, check: &mut Check) -> Vec<u8> {
        let beats = usize::from(len).div_ceil(self.width);
        if self.payload.len() < beats {
            check.mismatch("b", "taken before its payload is complete");
        }
        let mut payload: Vec<u8> = self.payload.drain(..beats.min(self.payload.len())).flatten().collect();
        payload.truncate(len.into());
        payload.resize(payload.len().next_multiple_of(4), 0);
        check.cover(if len % 4 == 0 { "whole words" } else { "padded" });
        payload
    }
}

impl Monitor for FramerMonitor {
    const NAME: &'static str = "tx_framer";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some((conn, row)) = &ports.row {
            self.rows[usize::from(*conn)] = Some(row.clone());
        }
        if let Some((path, route)) = ports.route {
            self.model.set_route(path, route);
        }
        if let Some(request) = self.a.take(&ports.a, check) {
            if !self.frame(&ports.own, &request, Vec::new(), check) {
                self.a.explain("not set up");
            }
        }
        if let Some(request) = self.b.take(&ports.b, check) {
            if ports.a.offered().is_some() {
                check.mismatch("b", "taken while an acknowledgement is offered");
            }
            let payload = self.take_payload(request.len, check);
            if !self.frame(&ports.own, &request, payload, check) {
                self.b.explain("not set up");
            }
        }
        self.payload.extend(self.y.take(&ports.y, check));
        if self.inside && ports.m.offered().is_none() {
            check.mismatch("m", "a gap inside a frame");
        }
        if let Some(beat) = ports.m.crossing() {
            self.inside = !beat.last;
        }
        self.m.compare(&ports.m, check);
        let end = ports.m.offered().filter(|beat| beat.last).map(|beat| beat.plane);
        let ready = ports.m.crossing().is_some();
        self.end.compare(&Link::new(end.is_some(), ready, || end.unwrap_or_default()), check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.a, &self.b, &self.y, &self.m, &self.end]
    }

    fn reset(&mut self) {
        self.model = Framer::new(self.connections.into(), self.paths.into(), 0);
        self.rows.fill(None);
        self.payload.clear();
        self.inside = false;
        self.a.reset();
        self.b.reset();
        self.y.reset();
        self.m.reset();
        self.end.reset();
    }
}
