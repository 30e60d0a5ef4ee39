//! Against tshark with the rendered dissector: every field of every kind of frame, both checksums, and the drop reasons.

use crate::fields::fields;
use crate::robustness::seed;
use crate::support::one_of_each;
use crate::tools::{root, run};
use heddle_wire::field::Layout;
use heddle_wire::header::{ACK, ATOMIC_OPERANDS, ATOMIC_RESULT, COMMON, DATA, NAK, PROBE};
use heddle_wire::*;
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketBlock;
use pcap_file::pcapng::blocks::interface_description::InterfaceDescriptionBlock;
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::DataLink;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Duration;

const LOWER: [&str; 17] = [
    "eth.dst",
    "eth.src",
    "vlan.priority",
    "vlan.dei",
    "vlan.id",
    "ip.dsfield",
    "ip.id",
    "ip.ttl",
    "ip.src",
    "ip.dst",
    "ipv6.tclass",
    "ipv6.flow",
    "ipv6.hlim",
    "ipv6.src",
    "ipv6.dst",
    "udp.srcport",
    "udp.checksum",
];
const VERDICTS: [&str; 4] =
    ["heddle.icrc.status", "heddle.ipv4_checksum.status", "ip.checksum.status", "heddle.drop"];

/// The dissector's name of every field of every layout, from the tables.
fn layout_names() -> Vec<String> {
    let layouts: [(&str, &Layout); 7] = [
        ("", &COMMON),
        ("data.", &DATA),
        ("ack.", &ACK),
        ("nak.", &NAK),
        ("probe.", &PROBE),
        ("atomic_operands.", &ATOMIC_OPERANDS),
        ("atomic_result.", &ATOMIC_RESULT),
    ];
    let names = |(prefix, layout): (&str, &Layout)| {
        layout.fields.iter().map(|field| format!("heddle.{prefix}{}", field.name)).collect::<Vec<_>>()
    };
    layouts.into_iter().flat_map(names).collect()
}

/// Writes the frames as a capture and gives, frame by frame, what tshark shows in these fields.
fn show(frames: &[Vec<u8>], names: &[String]) -> Vec<BTreeMap<String, String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.pcapng");
    let mut writer = PcapNgWriter::new(std::fs::File::create(&path).unwrap()).unwrap();
    let interface = InterfaceDescriptionBlock { linktype: DataLink::ETHERNET, snaplen: 0, options: vec![] };
    writer.write_pcapng_block(interface).unwrap();
    for (index, frame) in frames.iter().enumerate() {
        let packet = EnhancedPacketBlock {
            interface_id: 0,
            timestamp: Duration::from_micros(index as u64),
            original_len: frame.len() as u32,
            data: frame.into(),
            options: vec![],
        };
        writer.write_pcapng_block(packet).unwrap();
    }
    drop(writer);
    let script = root().join("software-model/wire/dissector/heddle.lua");
    let mut command = Command::new("tshark");
    command.arg("-X").arg(format!("lua_script:{}", script.display()));
    command.args([
        "-o",
        "ip.check_checksum:TRUE",
        "-T",
        "fields",
        "-E",
        "separator=/t",
        "-E",
        "occurrence=f",
    ]);
    command.arg("-r").arg(&path);
    for name in names {
        command.args(["-e", name]);
    }
    let output = run(&mut command, b"");
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines.len(), frames.len(), "tshark shows one line per frame");
    let line = |line: &&str| {
        let values: Vec<_> = line.split('\t').collect();
        assert_eq!(values.len(), names.len(), "{line}");
        let shown = names.iter().zip(values).filter(|(_, value)| !value.is_empty());
        shown.map(|(name, value)| (name.clone(), value.to_string())).collect()
    };
    lines.iter().map(line).collect()
}

/// A value as tshark prints it and as we have it: numbers in either base, else text.
fn same(shown: &str, want: &Value) -> bool {
    let number = match shown.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => shown.parse().ok(),
    };
    match want {
        Value::Number(want) => number == want.as_u64(),
        Value::String(want) => shown == want,
        _ => false,
    }
}

fn names() -> Vec<String> {
    let fixed = LOWER.into_iter().chain(VERDICTS).chain(["heddle.payload"]).map(str::to_owned);
    fixed.chain(layout_names()).collect()
}

/// Frames whose source port is no other protocol's: tshark asks the lower of the two ports first.
fn frames(rng: &mut ChaCha8Rng, rounds: usize) -> Vec<Frame> {
    let mut frames: Vec<_> = (0..rounds).flat_map(|_| one_of_each(rng)).collect();
    for frame in &mut frames {
        frame.src_port = rng.gen_range(header::DEFAULT_PORT + 1..=u16::MAX);
    }
    frames
}

#[test]
fn tshark_shows_every_field_and_finds_both_checksums_good() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(41));
    let frames = frames(&mut rng, 4);
    let bytes: Vec<_> = frames.iter().map(|frame| frame.emit().unwrap()).collect();
    let names = names();
    let mut seen = BTreeSet::new();
    for (frame, shown) in frames.iter().zip(show(&bytes, &names)) {
        let mut want = fields(frame);
        let payload = want.remove("payload").unwrap();
        match &frame.packet.body {
            Body::Data { opcode: Opcode::FetchAdd | Opcode::CmpSwap, payload, .. } => {
                let operands = AtomicOperands::parse(payload.as_slice().try_into().unwrap());
                want.insert("heddle.atomic_operands.operand".into(), operands.operand.into());
                want.insert("heddle.atomic_operands.compare".into(), operands.compare.into());
            }
            Body::Data { opcode: Opcode::AtomicResp, payload, .. } => {
                let result = AtomicResult::parse(payload.as_slice().try_into().unwrap());
                want.insert("heddle.atomic_result.original".into(), result.original.into());
            }
            _ if payload != Value::String(String::new()) => {
                want.insert("heddle.payload".into(), payload);
            }
            _ => {}
        }
        want.insert("heddle.icrc.status".into(), 1.into());
        want.insert("heddle.drop".into(), 0.into());
        if !frame.ip.is_v6() {
            want.insert("heddle.ipv4_checksum.status".into(), 1.into());
            want.insert("ip.checksum.status".into(), 1.into());
        }
        for (name, want) in &want {
            let shown = shown.get(name).map_or("nothing", |value| value);
            assert!(same(shown, want), "{name}: tshark shows {shown}, want {want}\n{frame:?}");
        }
        assert_eq!(shown.len(), want.len(), "{shown:?}");
        seen.extend(shown.into_keys());
    }
    assert_eq!(seen.len(), names.len(), "every field was shown: {seen:?}");
}

#[test]
fn flags_and_received_packets_are_spelled_out() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(42));
    let mut frame = frames(&mut rng, 1).swap_remove(9);
    frame.packet.flags = Flags::NONE.with(Flag::AckReq).with(Flag::Retx);
    let Body::Ack(ack) = &mut frame.packet.body else { panic!("the tenth of each round is an ACK") };
    ack.ack_flags = Flags::NONE.with(Flag::PlaneTest);
    ack.cum = Psn::new(0xff_fffe);
    ack.hint = Hint::encode(5120);
    ack.sack = Sack::EMPTY;
    for ahead in [1, 2, 4, 255] {
        ack.sack.set(ack.cum.plus(ahead));
    }
    let names = [
        "heddle.flag.ack_req",
        "heddle.flag.last",
        "heddle.flag.retx",
        "heddle.ack.flag.plane_test",
        "heddle.ack.flag.response",
        "heddle.ack.received",
        "heddle.ack.hint_gbps",
    ];
    let mut short = frame.clone();
    let Body::Ack(ack) = &mut short.packet.body else { panic!("still an ACK") };
    ack.sack = Sack::EMPTY;
    let bytes = [&frame, &short].map(|frame| frame.emit().unwrap());
    let [shown, shown_short] = show(&bytes, &names.map(str::to_owned)).try_into().unwrap();
    let values: Vec<_> = names.iter().map(|name| shown[*name].as_str()).collect();
    assert_eq!(values, ["1", "0", "1", "1", "0", "16777215-0 2 253", "100"]);
    assert_eq!(shown_short.get("heddle.ack.received"), None);
    assert_eq!(shown_short["heddle.ack.hint_gbps"], "100");
    // The line of the packet list names the form.
    let infos = show(&bytes, &["_ws.col.Info".into()]);
    let named = |shown: &BTreeMap<String, String>, name| shown["_ws.col.Info"].starts_with(name);
    assert!(named(&infos[0], "ACK SACK conn ") && named(&infos[1], "ACK NO_SACK conn "), "{infos:?}");
}

#[test]
fn a_corrupted_frame_shows_a_bad_icrc_or_a_bad_header_checksum() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(43));
    let frames = frames(&mut rng, 1);
    let (mut corrupted, mut header) = (Vec::new(), Vec::new());
    for frame in &frames {
        let mut bytes = frame.emit().unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 0x10;
        corrupted.push(bytes);
        if !frame.ip.is_v6() {
            let mut bytes = frame.emit().unwrap();
            bytes[if frame.vlan.is_some() { 18 } else { 14 } + 8] ^= 1;
            header.push(bytes);
        }
    }
    let names = names();
    let icrc: Vec<_> = show(&corrupted, &names);
    assert_eq!(icrc.len(), 56);
    assert!(icrc.iter().all(|shown| shown["heddle.icrc.status"] == "0"));
    assert!(icrc.iter().all(|shown| shown["heddle.drop"] == DropReason::Icrc.code().to_string()));
    let checksum: Vec<_> = show(&header, &names);
    assert_eq!(checksum.len(), 28);
    assert!(checksum.iter().all(|shown| shown["ip.checksum.status"] == "0"));
    assert!(checksum.iter().all(|shown| shown["heddle.ipv4_checksum.status"] == "0"));
    assert!(checksum.iter().all(|shown| shown["heddle.drop"] == DropReason::IpChecksum.code().to_string()));
}

/// Mutated frames: whatever the dissector is given, its reason is the codec's.
#[test]
fn the_dissector_gives_the_reason_that_the_codec_gives() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(44));
    let mut bytes = Vec::new();
    for frame in frames(&mut rng, 30) {
        let mut frame_bytes = frame.emit().unwrap();
        let transport = frame_bytes.len() - frame.packet.bytes() - 4;
        match rng.gen_range(0..8) {
            0 => frame_bytes[transport] ^= 1 << rng.gen_range(0..8),
            1 => frame_bytes[transport + 1] ^= 1 << rng.gen_range(0..8),
            2 => frame_bytes.extend([0; 3]),
            3 => frame_bytes[transport - 8 + 5] ^= 4,
            4 => resize(&mut frame_bytes, &frame, rng.gen_range(-6..=6)),
            5 => frame_bytes[transport + 5] ^= 1,
            6 if !frame.ip.is_v6() => frame_bytes[transport - 28 + rng.gen_range(1..12)] ^= 1,
            _ => {}
        }
        bytes.push(frame_bytes);
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (bytes, shown) in bytes.iter().zip(show(&bytes, &names())) {
        let Some(reason) = shown.get("heddle.drop") else { continue };
        let want = Frame::parse(bytes, ParseConfig::default()).err().map_or(0, |e| e.reason.code());
        assert_eq!(*reason, want.to_string(), "{}", crate::fields::hex(bytes));
        *counts.entry(reason.clone()).or_default() += 1;
    }
    let compared: usize = counts.values().sum();
    assert!(compared > 30 * 56 * 9 / 10 && counts.len() >= 10, "{compared} compared: {counts:?}");
}

/// Makes the packet longer or shorter, with all lengths and the header checksum in agreement.
fn resize(bytes: &mut Vec<u8>, frame: &Frame, change: i32) {
    let length = (bytes.len() as i32 + change) as usize;
    bytes.resize(length, 0);
    let ip = if frame.vlan.is_some() { 18 } else { 14 };
    let put = |bytes: &mut [u8], at: usize, value: usize| {
        bytes[at..at + 2].copy_from_slice(&(value as u16).to_be_bytes());
    };
    if frame.ip.is_v6() {
        put(bytes, ip + 4, length - ip - 40);
        put(bytes, ip + 40 + 4, length - ip - 40);
    } else {
        put(bytes, ip + 2, length - ip);
        put(bytes, ip + 20 + 4, length - ip - 20);
        let sum = net::ipv4_checksum(&bytes[ip..ip + 20].try_into().unwrap());
        put(bytes, ip + 10, sum.into());
    }
}
