//! Frames laid out by hand in tests/golden, with their derivation.

use crate::fields::{fields, hex, unhex};
use heddle_wire::*;
use serde_json::{Map, Value};
use std::path::Path;

/// Bytes and fields of a golden file: lines `bytes HEX # meaning` and `field NAME VALUE`.
fn read(path: &Path) -> (Vec<u8>, Map<String, Value>) {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut bytes, mut fields) = (Vec::new(), Map::new());
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(digits) = line.strip_prefix("bytes ") {
            bytes.extend(unhex(digits));
        } else if let Some(field) = line.strip_prefix("field ") {
            let (name, value) = field.split_once(' ').unwrap();
            let is_text = ["eth.", "ip.src", "ip.dst", "ipv6.src", "ipv6.dst", "heddle.ack.sack", "payload"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
                && name != "ip.dsfield";
            let value = if is_text { value.into() } else { value.parse::<u64>().unwrap().into() };
            fields.insert(name.into(), value);
        } else {
            assert_eq!(line, "", "{}", path.display());
        }
    }
    fields.entry("payload").or_insert("".into());
    (bytes, fields)
}

#[test]
fn frames_laid_out_by_hand_are_read_and_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut checked = 0;
    for name in ["probe-ipv4", "ack-ipv6-tagged", "ack-no-sack-ipv4", "write-ipv4"] {
        let (bytes, want) = read(&folder.join(name).with_extension("txt"));
        let frame = Frame::parse(&bytes, ParseConfig::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(fields(&frame), want, "{name}");
        assert_eq!(hex(&frame.emit().unwrap()), hex(&bytes), "{name}");
        checked += 1;
    }
    assert_eq!(checked, 4);
    assert_eq!(checked, std::fs::read_dir(folder).unwrap().count());
}

#[test]
fn the_golden_ack_reports_the_packets_behind_the_gap() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/ack-ipv6-tagged.txt");
    let frame = Frame::parse(&read(&path).0, ParseConfig::default()).unwrap();
    let Body::Ack(ack) = &frame.packet.body else { panic!("an ACK") };
    let received: Vec<_> =
        (0..256).map(|ahead| ack.cum.plus(ahead)).filter(|psn| ack.sack.get(*psn)).collect();
    assert_eq!(received, [Psn::new(0xff_ffff), Psn::new(1)]);
    assert_eq!(ack.hint.decode(), 80 * hint::UNITS_PER_PS);
}
