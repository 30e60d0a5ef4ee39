use super::*;
use crate::capture::Writer;
use crate::cosim::{run, ModelEngine, Observer, Plan, Scenario, Settings, Transmission, Workload};
use crate::link::{Probability, Rates};
use heddle_rtl::config::named;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

struct Recorder<'a>(Writer<'a, Vec<u8>>);

impl Observer for Recorder<'_> {
    fn on_frame(&mut self, seen: &Transmission<'_>) -> io::Result<()> {
        self.0.write(seen)
    }
}

/// The capture of a file of `bytes` over a network that does everything to it.
fn capture(bytes: usize, rate: f64) -> Vec<u8> {
    let rate = Probability::new("test", rate).unwrap();
    let rates = Rates { loss: rate, ack_loss: rate, reorder: rate, duplicate: rate, corrupt: rate };
    let scenario = Scenario::new(Settings {
        planes: 2,
        rates,
        psn_start: Some(0xFF_FFFC),
        seed: 3,
        ..Settings::new(named::tiny())
    })
    .unwrap();
    let plan = Plan::workload(&scenario, Workload::Write, bytes as u64);
    let mut recorder = Recorder(Writer::new(&scenario, Vec::new()).unwrap());
    let build = |setup: &_, memory| ModelEngine::new(&scenario, setup, memory);
    run(&scenario, &plan, build, &mut recorder).unwrap();
    recorder.0.finish().unwrap()
}

fn shown(capture: &[u8]) -> Result<String, TraceError> {
    let mut text = Vec::new();
    let packets = trace(capture, ParseConfig::default(), &mut text)?;
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.lines().count() as u64, packets);
    Ok(text)
}

#[test]
fn a_run_is_shown_packet_by_packet_with_what_the_network_did() {
    let text = shown(&capture(3000, 0.12)).unwrap();
    for part in
        ["[lost]", "corrupted: bit", "duplicated", "late by", "dropped, ", "sack +", "RETX", "->", "<-"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn what_is_no_capture_is_refused_in_one_sentence() {
    let good = capture(300, 0.0);
    for (bytes, want) in [
        (&b""[..], "it is no pcapng file: it ends too early"),
        (
            b"\xd4\xc3\xb2\xa1 an older format, or some text",
            "it is no pcapng file: it does not begin with a section header",
        ),
        (&good[..good.len() - 3], "is broken: it ends too early"),
    ] {
        let error = shown(bytes).unwrap_err().to_string();
        assert!(error.contains(want) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn damaged_captures_are_shown_or_refused() {
    let good = capture(2000, 0.1);
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut fine, mut refused) = (0, 0);
    for _ in 0..3000 {
        let mut bytes = good.clone();
        for _ in 0..rng.gen_range(1..4) {
            let at = rng.gen_range(0..bytes.len());
            bytes[at] = rng.gen();
        }
        bytes.truncate(rng.gen_range(bytes.len() / 2..=bytes.len()));
        match shown(&bytes) {
            Ok(_) => fine += 1,
            Err(_) => refused += 1,
        }
    }
    assert_eq!(fine + refused, 3000);
    assert!(refused > 1000 && fine > 0, "{fine} shown, {refused} refused");
}

#[test]
fn times_follow_the_resolution_of_their_interface() {
    assert_eq!(nanoseconds(7, 9), 7);
    assert_eq!(nanoseconds(7, 6), 7_000);
    assert_eq!(nanoseconds(7, 0), 7_000_000_000);
    assert_eq!(nanoseconds(7_999, 12), 7);
    assert_eq!(nanoseconds(3, 0x81), 1_500_000_000);
    assert_eq!((nanoseconds(u64::MAX.into(), 127), nanoseconds(u64::MAX.into(), 255)), (0, 0));
}
