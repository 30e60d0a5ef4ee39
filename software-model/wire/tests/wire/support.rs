//! Frames for the tests: one of every kind, over every lower header, and random ones.

use heddle_wire::*;
use rand::{Rng, RngCore};

/// Every combination of tag and IP version.
pub const LOWER: [(bool, bool); 4] = [(false, false), (true, false), (false, true), (true, true)];

/// A random packet of this type, an ACK with SACK words; `opcode` counts for DATA alone.
pub fn random_body(rng: &mut impl Rng, packet_type: PacketType, opcode: Opcode) -> Body {
    match packet_type {
        PacketType::Data => {
            let bytes = match opcode.payload_rule() {
                heddle_wire::kinds::PayloadRule::Exactly(bytes) => bytes,
                heddle_wire::kinds::PayloadRule::Slice => 4 * rng.gen_range(0..=300),
            };
            let mut payload = vec![0; bytes];
            rng.fill_bytes(&mut payload);
            Body::Data { opcode, header: Data::parse(&random_array(rng)), payload }
        }
        PacketType::Ack => Body::Ack(Ack::parse(&random_array(rng))),
        PacketType::Nak => Body::Nak(Nak::parse(&random_array(rng))),
        PacketType::Probe => Body::Probe(Probe::parse(&random_array(rng))),
        PacketType::Reset => Body::Reset,
    }
}

fn random_array<const N: usize>(rng: &mut impl RngCore) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill_bytes(&mut bytes);
    bytes
}

/// A frame around `body` with random fields.
pub fn random_frame(rng: &mut impl Rng, tagged: bool, v6: bool, body: Body) -> Frame {
    let ip = if v6 {
        Ip::V6(Ipv6 {
            dscp: rng.gen_range(0..64),
            ecn: rng.gen_range(0..4),
            flow_label: rng.gen_range(0..1 << 20),
            hop_limit: rng.gen(),
            src: random_array(rng).into(),
            dst: random_array(rng).into(),
        })
    } else {
        Ip::V4(Ipv4 {
            dscp: rng.gen_range(0..64),
            ecn: rng.gen_range(0..4),
            identification: rng.gen(),
            ttl: rng.gen(),
            src: random_array(rng).into(),
            dst: random_array(rng).into(),
        })
    };
    let vlan = tagged.then(|| Vlan { pcp: rng.gen_range(0..8), dei: rng.gen(), vid: rng.gen_range(0..4096) });
    Frame {
        dst_mac: random_array(rng),
        src_mac: random_array(rng),
        vlan,
        ip,
        src_port: rng.gen(),
        dst_port: heddle_wire::header::DEFAULT_PORT,
        udp_checksum: rng.gen(),
        packet: Packet {
            flags: Flags::from_bits(rng.gen()),
            path: rng.gen(),
            dst_conn: rng.gen(),
            tag: rng.gen(),
            route: rng.gen(),
            psn: Psn::new(rng.gen()),
            timestamp: Time32::new(rng.gen()),
            body,
        },
    }
}

/// A random ACK of a path without a gap: one without SACK words.
pub fn random_short_ack(rng: &mut impl Rng) -> Body {
    Body::Ack(Ack { sack: Sack::EMPTY, ..Ack::parse(&random_array(rng)) })
}

/// A random packet of every type and opcode, in order of the numbers.
pub fn random_bodies(rng: &mut impl Rng) -> Vec<Body> {
    let data = Opcode::ALL.iter().map(|opcode| (PacketType::Data, *opcode));
    let others = PacketType::ALL[1..].iter().map(|packet_type| (*packet_type, Opcode::Write));
    let kinds: Vec<_> = data.chain(others).collect();
    let mut bodies: Vec<_> = kinds.into_iter().map(|(kind, opcode)| random_body(rng, kind, opcode)).collect();
    let at = bodies.iter().position(|body| body.packet_type() == PacketType::Nak).unwrap();
    bodies.insert(at, random_short_ack(rng));
    bodies
}

/// One frame of every type and opcode, over every lower header: 14 x 4.
pub fn one_of_each(rng: &mut impl Rng) -> Vec<Frame> {
    let mut frames = Vec::new();
    for (tagged, v6) in LOWER {
        for body in random_bodies(rng) {
            frames.push(random_frame(rng, tagged, v6, body));
        }
    }
    frames
}
