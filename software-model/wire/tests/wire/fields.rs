//! A frame as a flat list of named numbers and texts: what the other implementations are compared by. Names are the dissector's.

use heddle_wire::*;
use serde_json::{json, Map, Value};

fn mac(bytes: [u8; 6]) -> String {
    bytes.map(|byte| format!("{byte:02x}")).join(":")
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of hexadecimal digits.
pub fn unhex(digits: &str) -> Vec<u8> {
    let nibbles: Vec<u8> =
        digits.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8).collect();
    assert_eq!(nibbles.len() % 2, 0, "{digits}");
    nibbles.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// The words of the vector as they travel.
fn sack_hex(sack: &Sack) -> String {
    let words = sack.lanes.iter().flat_map(|lane| [*lane as u32, (*lane >> 32) as u32]);
    words.map(|word| format!("{word:08x}")).collect()
}

fn lower(frame: &Frame) -> Value {
    let mut fields = json!({ "eth.dst": mac(frame.dst_mac), "eth.src": mac(frame.src_mac) });
    if let Some(Vlan { pcp, dei, vid }) = frame.vlan {
        extend(&mut fields, json!({ "vlan.priority": pcp, "vlan.dei": u8::from(dei), "vlan.id": vid }));
    }
    let ip = match &frame.ip {
        Ip::V4(ip) => json!({
            "ip.dsfield": ip.dscp << 2 | ip.ecn,
            "ip.id": ip.identification,
            "ip.ttl": ip.ttl,
            "ip.src": ip.src.to_string(),
            "ip.dst": ip.dst.to_string(),
        }),
        Ip::V6(ip) => json!({
            "ipv6.tclass": ip.dscp << 2 | ip.ecn,
            "ipv6.flow": ip.flow_label,
            "ipv6.hlim": ip.hop_limit,
            "ipv6.src": ip.src.to_string(),
            "ipv6.dst": ip.dst.to_string(),
        }),
    };
    extend(&mut fields, ip);
    extend(&mut fields, json!({ "udp.srcport": frame.src_port, "udp.checksum": frame.udp_checksum }));
    fields
}

fn extend(fields: &mut Value, more: Value) {
    let (Value::Object(fields), Value::Object(more)) = (fields, more) else { panic!("two objects") };
    fields.extend(more);
}

fn body(packet: &Packet) -> Value {
    match &packet.body {
        Body::Data { header, .. } => json!({
            "heddle.data.stream": header.stream,
            "heddle.data.msn": header.msn.get(),
            "heddle.data.offset": header.offset,
            "heddle.data.length": header.length,
            "heddle.data.address": header.address,
            "heddle.data.key": header.key,
            "heddle.data.imm": header.imm,
            "heddle.data.rq_index": header.rq_index.get(),
            "heddle.data.reserved": header.reserved,
        }),
        Body::Ack(ack) => json!({
            "heddle.ack.ack_flags": ack.ack_flags.bits(),
            "heddle.ack.cum": ack.cum.get(),
            "heddle.ack.hold": ack.hold,
            "heddle.ack.ce_count": ack.ce_count.get(),
            "heddle.ack.hint": ack.hint.bits(),
            "heddle.ack.rq_credit": ack.rq_credit.get(),
            "heddle.ack.ack_seq": ack.ack_seq.get(),
            "heddle.ack.dup_count": ack.dup_count.get(),
            "heddle.ack.done_stream": ack.done_stream,
            "heddle.ack.done_msn": ack.done_msn.get(),
            "heddle.ack.arrivals": ack.arrivals.get(),
            "heddle.ack.reserved": ack.reserved,
        }),
        Body::Nak(nak) => json!({
            "heddle.nak.code": nak.code,
            "heddle.nak.reserved": nak.reserved,
            "heddle.nak.offender0": nak.offender0,
            "heddle.nak.offender1": nak.offender1,
            "heddle.nak.offender2": nak.offender2,
        }),
        Body::Probe(probe) => {
            json!({ "heddle.probe.stream": probe.stream, "heddle.probe.reserved": probe.reserved })
        }
        Body::Reset => json!({}),
    }
}

/// Every field of a frame.
pub fn fields(frame: &Frame) -> Map<String, Value> {
    let mut fields = lower(frame);
    let packet = &frame.packet;
    let (opcode, payload) = match &packet.body {
        Body::Data { opcode, payload, .. } => (opcode.code(), hex(payload)),
        Body::Ack(ack) => (u8::from(ack.sack == Sack::EMPTY), String::new()),
        _ => (0, String::new()),
    };
    extend(
        &mut fields,
        json!({
            "heddle.version": 1,
            "heddle.packet_type": packet.body.packet_type().code(),
            "heddle.opcode": opcode,
            "heddle.flags": packet.flags.bits(),
            "heddle.path": packet.path,
            "heddle.dst_conn": packet.dst_conn,
            "heddle.tag": packet.tag,
            "heddle.route": packet.route,
            "heddle.psn": packet.psn.get(),
            "heddle.timestamp": packet.timestamp.get(),
            "payload": payload,
        }),
    );
    extend(&mut fields, body(packet));
    match &packet.body {
        Body::Ack(ack) if ack.sack != Sack::EMPTY => {
            extend(&mut fields, json!({ "heddle.ack.sack": sack_hex(&ack.sack) }));
        }
        _ => {}
    }
    let Value::Object(fields) = fields else { panic!("an object") };
    fields
}
