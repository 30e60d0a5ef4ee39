//! Captures of a run, read by tshark with the rendered dissector: the same packets, times, planes, comments
//! and verdicts.

use heddle_rtl::config::named;
use heddle_testbench::capture::{trace, Writer};
use heddle_testbench::cosim::{run, ModelEngine, Observer, Plan, Scenario, Settings, Transmission, Workload};
use heddle_testbench::link::{Probability, Rates};
use heddle_wire::{Frame, ParseConfig};
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::Command;

/// A packet as tshark must show it.
#[derive(Debug, PartialEq)]
struct Shown {
    nanoseconds: u64,
    interface: String,
    comment: String,
    psn: Option<String>,
    /// Number of the drop reason, 0 for a good packet.
    drop: u8,
}

struct Recorder<'a> {
    scenario: &'a Scenario,
    writer: Writer<'a, File>,
    shown: Vec<Shown>,
}

impl Observer for Recorder<'_> {
    fn on_frame(&mut self, seen: &Transmission<'_>) -> io::Result<()> {
        let frame = Frame::parse(seen.frame, ParseConfig::default()).unwrap();
        let mut carried = seen.frame.to_vec();
        if let Some(bit) = seen.fate.flipped {
            carried[bit / 8] ^= 1 << (bit % 8);
        }
        let drop = Frame::parse(&carried, ParseConfig::default()).map_or_else(|e| e.reason as u8, |_| 0);
        self.shown.push(Shown {
            nanoseconds: self.scenario.nanoseconds(seen.cycle),
            interface: format!("plane{}", seen.plane),
            comment: seen.fate.to_string(),
            // A flipped bit may be one of the PSN.
            psn: (drop == 0).then(|| frame.packet.psn.get().to_string()),
            drop,
        });
        self.writer.write(seen)
    }
}

/// What tshark shows, a row per packet.
fn tshark(capture: &Path) -> Vec<Vec<String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../software-model/wire/dissector/heddle.lua");
    let fields = ["frame.time_epoch", "frame.interface_name", "frame.comment", "heddle.psn", "heddle.drop"];
    let output = Command::new("tshark")
        .arg("-X")
        .arg(format!("lua_script:{}", script.display()))
        .arg("-r")
        .arg(capture)
        .args(["-T", "fields", "-E", "separator=/t"])
        .args(fields.iter().flat_map(|field| ["-e", field]))
        .output()
        .expect("tshark is missing: run tools/setup.sh");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn tshark_shows_every_packet_of_a_run_with_its_time_plane_comment_and_verdict() {
    let rate = Probability::new("test", 0.05).unwrap();
    let rates = Rates { loss: rate, ack_loss: rate, reorder: rate, duplicate: rate, corrupt: rate };
    let scenario =
        Scenario::new(Settings { rates, speed: Some(5_000_000_000), seed: 5, ..Settings::new(named::gbe()) })
            .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.pcapng");
    let writer = Writer::new(&scenario, File::create(&path).unwrap()).unwrap();
    let mut recorder = Recorder { scenario: &scenario, writer, shown: Vec::new() };
    let plan = Plan::workload(&scenario, Workload::Write, 200_000);
    let build = |setup: &_, memory| ModelEngine::new(&scenario, setup, memory);
    run(&scenario, &plan, build, &mut recorder).unwrap();
    let Recorder { writer, shown, .. } = recorder;
    writer.finish().unwrap();

    let rows = tshark(&path);
    assert_eq!(rows.len(), shown.len());
    assert!(shown.len() > 400 && shown.iter().filter(|packet| packet.drop != 0).count() > 5);
    assert!(shown.iter().any(|packet| packet.comment == "lost"));
    for (row, want) in rows.iter().zip(&shown) {
        let (seconds, fraction) = row[0].split_once('.').unwrap();
        let got = Shown {
            nanoseconds: seconds.parse::<u64>().unwrap() * 1_000_000_000 + fraction.parse::<u64>().unwrap(),
            interface: row[1].clone(),
            comment: row[2].clone(),
            psn: (want.drop == 0).then(|| row[3].clone()),
            drop: row[4].parse().unwrap(),
        };
        assert_eq!(got, *want);
    }
    // Our own reader agrees on the number.
    let packets = trace(File::open(&path).unwrap(), ParseConfig::default(), &mut io::sink()).unwrap();
    assert_eq!(packets, shown.len() as u64);
}
