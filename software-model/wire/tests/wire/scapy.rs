//! Against scapy, with layers written by hand in tests/python: byte for byte, in both directions.

use crate::fields::{fields, hex, unhex};
use crate::robustness::seed;
use crate::support::one_of_each;
use crate::tools::{python, run};
use heddle_wire::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value};
use std::path::Path;

fn frames_py(arguments: &[&str], input: &str) -> Vec<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/frames.py");
    let output = run(python().arg(script).args(arguments), input.as_bytes());
    output.lines().map(str::to_owned).collect()
}

/// Ours, every kind over every lower header, ten times.
fn our_frames() -> Vec<Frame> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(21));
    (0..10).flat_map(|_| one_of_each(&mut rng)).collect()
}

#[test]
fn scapy_builds_the_same_bytes_from_the_same_fields() {
    let frames = our_frames();
    let input: String = frames.iter().map(|frame| Value::Object(fields(frame)).to_string() + "\n").collect();
    let built = frames_py(&["build"], &input);
    assert_eq!(built.len(), 560);
    for (frame, built) in frames.iter().zip(&built) {
        assert_eq!(&hex(&frame.emit().unwrap()), built, "{frame:?}");
    }
}

#[test]
fn scapy_reads_the_same_fields_from_our_bytes() {
    let frames = our_frames();
    let input: String = frames.iter().map(|frame| hex(&frame.emit().unwrap()) + "\n").collect();
    let read = frames_py(&["dissect"], &input);
    assert_eq!(read.len(), 560);
    for (frame, read) in frames.iter().zip(&read) {
        let read: Map<String, Value> = serde_json::from_str(read).unwrap();
        assert_eq!(read, fields(frame));
    }
}

#[test]
fn we_read_the_same_fields_from_scapys_bytes_and_build_them_again() {
    let lines = frames_py(&["random", &seed(22).to_string(), "600"], "");
    let (mut types, mut short) = ([0; 6], 0);
    for line in &lines {
        let (want, digits) = line.split_once(' ').unwrap();
        let want: Map<String, Value> = serde_json::from_str(want).unwrap();
        let bytes = unhex(digits);
        let frame = Frame::parse(&bytes, ParseConfig::default()).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(fields(&frame), want);
        assert_eq!(hex(&frame.emit().unwrap()), digits);
        types[usize::from(frame.packet.body.packet_type().code())] += 1;
        short += usize::from(matches!(frame.packet.body, Body::Ack(ack) if ack.form() == AckForm::NoSack));
    }
    assert_eq!(types.iter().sum::<usize>(), 600);
    assert!(types[1..].iter().all(|count| *count > 50), "{types:?}");
    assert!(short > 25 && types[2] - short > 25, "{short} of {types:?}");
}
