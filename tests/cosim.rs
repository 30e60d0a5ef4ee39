//! `heddle cosim` and `heddle trace`: results, files, and every way to be refused.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn heddle(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heddle")).args(args).current_dir(dir).output().unwrap()
}

fn model(dir: &Path, args: &[&str]) -> Output {
    heddle(dir, &[&["cosim", "--engine", "model"], args].concat())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn names(dir: &Path) -> BTreeSet<String> {
    fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The keys that others rely on, as docs/cosim.md lists them.
const KEYS: [&str; 35] = [
    "config",
    "seed",
    "file_bytes",
    "bytes_verified",
    "sha256_match",
    "cycles",
    "goodput_bits_per_cycle",
    "packets_sent",
    "packets_resent",
    "spurious_resends",
    "spurious_by_timer",
    "timer_expiries",
    "duplicates_received",
    "out_of_window",
    "drops",
    "transactions_crossed",
    "transactions_compared",
    "transactions_explained",
    "mismatches",
    "sim_cycles_per_second",
    "recovery_rtts",
    "losses",
    "losses_found_by_evidence",
    "losses_found_after_timer",
    "losses_found_by_timer",
    "max_outstanding",
    "workload",
    "senders",
    "messages",
    "receives_completed",
    "sender_goodput_bits_per_cycle",
    "ce_marked",
    "buffer_losses",
    "plane_losses",
    "max_queue_bytes",
];

#[test]
fn a_random_mebibyte_arrives_over_a_lossy_network_with_table_figures_and_capture() {
    let dir = tempfile::tempdir().unwrap();
    let lossy =
        ["--workload", "write", "--loss", "0.01", "--ack-loss", "0.01", "--seed", "7", "--out", "out"];
    let done = model(dir.path(), &lossy);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    assert_eq!(said(&done), "", "no progress bar in a pipe");
    assert!(printed(&done).contains("gbe, seed 7") && printed(&done).contains("SHA-256 equal"));
    let out = dir.path().join("out");
    assert_eq!(names(&out), [".heddle-output", "capture.pcapng", "report.json"].map(str::to_owned).into());
    let report = json(&out.join("report.json"));
    let keys: BTreeSet<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, BTreeSet::from(KEYS));
    assert_eq!((&report["file_bytes"], &report["bytes_verified"]), (&(1 << 20).into(), &(1 << 20).into()));
    assert_eq!((&report["sha256_match"], &report["spurious_resends"]), (&true.into(), &0.into()));
    assert!(report["losses"].as_u64() > Some(0) && report["recovery_rtts"].as_f64() > Some(1.0));
    // The same seed again is the same run, and replaces the folder.
    assert_eq!(model(dir.path(), &lossy).status.code(), Some(0));
    let again = json(&out.join("report.json"));
    let same = KEYS.iter().filter(|&&key| key != "sim_cycles_per_second").filter(|&&k| again[k] == report[k]);
    assert_eq!(same.count(), KEYS.len() - 1);
    // The documented keys are these.
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/cosim.md")).unwrap();
    for key in KEYS {
        assert!(page.contains(&format!("| `{key}` |")), "{key} is not in docs/cosim.md");
    }
}

#[test]
fn the_trace_of_a_capture_has_a_line_per_packet() {
    let dir = tempfile::tempdir().unwrap();
    let run = [
        "--workload",
        "write",
        "--bytes",
        "64KiB",
        "--loss",
        "0.1",
        "--pcap",
        "x.pcapng",
        "--json",
        "x.json",
    ];
    let done = model(dir.path(), &run);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    let shown = heddle(dir.path(), &["trace", "x.pcapng"]);
    assert_eq!((shown.status.code(), said(&shown)), (Some(0), String::new()));
    let report = json(&dir.path().join("x.json"));
    let data = printed(&shown).lines().filter(|line| line.contains("-> DATA")).count() as u64;
    assert_eq!(Some(data), report["packets_sent"].as_u64());
    let lost =
        printed(&shown).lines().filter(|l| l.contains("-> DATA") && l.contains("[lost]")).count() as u64;
    assert_eq!((Some(lost), lost > 0), (report["losses"].as_u64(), true));
    assert_eq!(names(dir.path()), ["x.json", "x.pcapng"].map(str::to_owned).into());
}

#[test]
fn files_given_by_name_arrive_the_empty_one_too() {
    let dir = tempfile::tempdir().unwrap();
    for bytes in [0, 1, 4095, 4096, 4097] {
        fs::write(dir.path().join("file"), vec![0x5A; bytes]).unwrap();
        let done =
            model(dir.path(), &["--config", "tiny", "--file", "file", "--planes", "2", "--json", "x.json"]);
        assert_eq!(done.status.code(), Some(0), "{bytes}: {}", said(&done));
        assert_eq!(json(&dir.path().join("x.json"))["bytes_verified"], bytes, "{bytes}");
    }
}

#[test]
fn verilated_cores_move_a_file_and_write_a_waveform_around_the_first_loss() {
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "cosim",
        "--config",
        "tiny",
        "--workload",
        "write",
        "--bytes",
        "8KiB",
        "--loss",
        "0.1",
        "--out",
        "out",
    ];
    let done = heddle(dir.path(), &args);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    let out = dir.path().join("out");
    let report = json(&out.join("report.json"));
    assert_eq!((&report["bytes_verified"], &report["mismatches"]), (&8192.into(), &0.into()));
    assert!(report["transactions_compared"].as_u64() > Some(100), "{report}");
    assert!(report["losses"].as_u64() > Some(0), "{report}");
    let wave = out.join("wave.vcd");
    let bytes = fs::metadata(&wave).unwrap().len();
    assert!((10_000..50_000_000).contains(&bytes), "{bytes} bytes");
    let text = fs::read_to_string(&wave).unwrap();
    assert!(text.contains("$enddefinitions") && text.lines().any(|line| line.starts_with('#')));
    assert!(names(&out.join("verilog")).contains("heddle_tiny.f"));
}

#[test]
fn wrong_arguments_end_with_2_and_one_sentence_that_says_what_is_needed() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("text"), "no capture").unwrap();
    let write = ["--workload", "write"];
    let wrong: [(&[&str], &str); 34] = [
        (&[], "--file <FILE>|--workload <WORKLOAD>"),
        (&["--file", "a", "--workload", "write"], "cannot be used with"),
        (&["--file", "a", "--bytes", "7"], "cannot be used with"),
        (&["--file", "missing"], "cannot read missing: No such file"),
        (&["--file", "."], "cannot read .: Is a directory"),
        (&["--workload", "reads"], "possible values: mixed, write, send, read, atomic"),
        (&[&write[..], &["--config", "huge"]].concat(), "there are: tiny, gbe, dc100"),
        (&[&write[..], &["--loss", "1.5"]].concat(), "it is 1.5, it must be between 0 and 1"),
        (&[&write[..], &["--loss", "nan"]].concat(), "must be between 0 and 1"),
        (&[&write[..], &["--corrupt", "1%"]].concat(), "needed is a number between 0 and 1"),
        (&[&write[..], &["--delay", "2"]].concat(), "needed is a duration like 2us"),
        (&[&write[..], &["--delay", "3ns"]].concat(), "no whole number of clock cycles of gbe, 8000 ps each"),
        (&[&write[..], &["--delay", "1us,2us"]].concat(), "2 delays for 4 planes"),
        (&[&write[..], &["--rate", "10Gb"]].concat(), "needed is a rate like 10G"),
        (&[&write[..], &["--rate", "0G"]].concat(), "a rate of 0 bits per second sends nothing"),
        (&[&write[..], &["--planes", "17"]].concat(), "17 planes, there must be 1 to 16"),
        (&[&write[..], &["--paths", "5"]].concat(), "5 paths, gbe has connections of 1 to 4"),
        (&[&write[..], &["--psn-start", "16777216"]].concat(), "it has 24 bits"),
        (&[&write[..], &["--bytes", "9GiB"]].concat(), "at most 1073741824"),
        (&[&write[..], &["--wave", "x.vcd"]].concat(), "--wave needs --engine rtl"),
        (&["--workload", "read", "--like-rtl"], "leaves out every operation but WRITE"),
        (&[&write[..], &["--senders", "0"]].concat(), "0 senders, gbe has connections for 1 to 16"),
        (&[&write[..], &["--senders", "17"]].concat(), "17 senders, gbe has connections for 1 to 16"),
        (&[&write[..], &["--bytes", "1GiB", "--senders", "2"]].concat(), "at most 1073741824 of all senders"),
        (&[&write[..], &["--ecn-threshold", "100k"]].concat(), "the planes have no rate"),
        (&[&write[..], &["--buffer", "1MiB"]].concat(), "the planes have no rate"),
        (
            &[&write[..], &["--rate", "1G", "--ecn-threshold", "9k", "--buffer", "9k"]].concat(),
            "nothing would be marked",
        ),
        (&[&write[..], &["--ecn-threshold", "many"]].concat(), "needed is a number of bytes"),
        (&[&write[..], &["--kill-plane", "1"]].concat(), "needed is a plane and a time like 1@500us"),
        (&[&write[..], &["--kill-plane", "4@5us"]].concat(), "there is no plane 4 to kill or revive"),
        (&[&write[..], &["--kill-plane", "1@5us,1@9us"]].concat(), "but it is dead already"),
        (&[&write[..], &["--revive-plane", "1@5us"]].concat(), "but it is not dead"),
        (&[&write[..], &["--kill-plane", "1@5001ps"]].concat(), "no whole number of clock cycles"),
        (&[&write[..], &["--carrier"]].concat(), "kill one too"),
    ];
    for (args, want) in wrong {
        let refused = model(dir.path(), args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {}", said(&refused));
        assert!(said(&refused).contains(want), "{args:?}: {}", said(&refused));
    }
    for (args, want) in [
        (&["trace", "missing"][..], "cannot read missing: No such file"),
        (&["trace", "text"], "cannot read text: it is no pcapng file"),
        (&["trace", "."], "cannot read .: "),
        (&["cosim", "--config", "dc100", "--workload", "write"], "the core of dc100 is not Verilated"),
        (&["cosim", "--workload", "mixed"], "--workload mixed needs --engine model"),
        (&["cosim", "--workload", "write", "--senders", "2"], "--senders needs --engine model"),
        (&["cosim", "--workload", "write", "--ecn-threshold", "9k"], "--ecn-threshold needs --engine model"),
        (&["cosim", "--workload", "write", "--kill-plane", "1@5us"], "--kill-plane needs --engine model"),
        (&["cosim", "--workload", "write", "--trace-paths", "x.csv"], "--trace-paths needs --engine model"),
    ] {
        let refused = heddle(dir.path(), args);
        assert_eq!((refused.status.code(), said(&refused).lines().count()), (Some(2), 1), "{args:?}");
        assert!(said(&refused).contains(want), "{args:?}: {}", said(&refused));
    }
    assert_eq!(names(dir.path()), BTreeSet::from(["text".to_owned()]));
}

#[test]
fn a_run_without_progress_ends_with_1_a_diagnosis_its_seed_and_the_command_again() {
    let dir = tempfile::tempdir().unwrap();
    let stuck = "--like-rtl --config tiny --workload write --bytes 300 --loss 1 --pcap x.pcapng";
    let stuck: Vec<_> = stuck.split(' ').collect();
    let failed = model(dir.path(), &stuck);
    assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
    let said = said(&failed);
    for part in
        ["no progress", "stream 0 lacks 1", "seed 1, again with: heddle cosim --engine model --like-rtl"]
    {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(said.lines().count(), 1, "{said}");
    // The capture shows what was tried.
    let shown = heddle(dir.path(), &["trace", "x.pcapng"]);
    assert!(printed(&shown).contains("[lost]"), "{}", printed(&shown));
}

#[test]
fn a_connection_that_gives_up_ends_with_1_and_says_how_every_request_ended() {
    let dir = tempfile::tempdir().unwrap();
    let failed = model(dir.path(), &["--workload", "write", "--loss", "1"]);
    assert_eq!((failed.status.code(), said(&failed).lines().count()), (Some(1), 1), "{}", said(&failed));
    let want = "of 16 work requests handed in 0 were completed and 16 ended with an error";
    assert!(said(&failed).contains("RETRY_BUDGET") && said(&failed).contains(want), "{}", said(&failed));
}

#[test]
fn mixed_messages_arrive_and_the_figures_say_what_was_moved() {
    let dir = tempfile::tempdir().unwrap();
    let mixed = "--workload mixed --bytes 200KiB --senders 3 --loss 0.1 --ack-loss 0.1 --json x.json";
    let done = model(dir.path(), &mixed.split(' ').collect::<Vec<_>>());
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    let report = json(&dir.path().join("x.json"));
    assert_eq!((&report["workload"], &report["senders"]), (&"mixed".into(), &3.into()));
    assert_eq!((&report["sha256_match"], &report["file_bytes"]), (&true.into(), &report["bytes_verified"]));
    assert!(report["receives_completed"].as_u64() > Some(10), "{report}");
    assert!(report["file_bytes"].as_u64() > Some(6 * 200 * 1024 * 9 / 10), "both ways of three: {report}");
    assert!(printed(&done).contains("mixed, ") && printed(&done).contains("SHA-256 equal"));
}

#[test]
fn a_plane_that_dies_and_comes_back_is_seen_in_the_picture_and_in_the_state_of_the_paths() {
    let dir = tempfile::tempdir().unwrap();
    let run = "--workload write --bytes 2MiB --rate 1.9G --ecn-threshold 100k --buffer 1MiB --carrier \
               --kill-plane 1@500us --revive-plane 1@1500us --plot x.svg --trace-paths x.csv --json x.json";
    let done = model(dir.path(), &run.split_whitespace().collect::<Vec<_>>());
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    assert_eq!(names(dir.path()), ["x.csv", "x.json", "x.svg"].map(str::to_owned).into());
    assert!(json(&dir.path().join("x.json"))["plane_losses"].as_u64() > Some(0));
    let picture = fs::read_to_string(dir.path().join("x.svg")).unwrap();
    for part in ["<svg", "plane 0", "plane 3", "killed: 1", "revived: 1", "time, us", "payload, Gbit/s"] {
        assert!(picture.contains(part), "{part}");
    }
    let table = fs::read_to_string(dir.path().join("x.csv")).unwrap();
    let mut lines = table.lines();
    let names: Vec<_> = lines.next().unwrap().split(',').collect();
    // The documented columns are these.
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/cosim.md")).unwrap();
    assert!(names.iter().all(|name| page.contains(&format!("`{name}`"))), "{names:?}");
    let at = |name| names.iter().position(|one| *one == name).unwrap();
    let (time, endpoint, plane) = (at("time_us"), at("endpoint"), at("plane"));
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap_or(0.0)).collect()).collect();
    let on_plane = |from: f64, to: f64| {
        let rows = rows.iter().filter(|row| row[endpoint] == 0.0 && (from..to).contains(&row[time]));
        let (on, all): (Vec<_>, Vec<_>) =
            (rows.clone().filter(|row| row[plane] == 1.0).collect(), rows.collect());
        (on.len(), all.len())
    };
    let (before, dead, back) = (on_plane(0.0, 490.0), on_plane(520.0, 1490.0), on_plane(2200.0, 1e9));
    assert!(before.0 * 4 == before.1 && before.1 > 100, "{before:?}");
    assert!(dead.0 == 0 && dead.1 > 200, "{dead:?}");
    assert!(back.0 * 8 > back.1 && back.1 > 100, "{back:?}");
}

#[test]
fn outputs_that_cannot_be_made_are_one_sentence_and_code_1_and_leave_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    for option in ["--json", "--pcap", "--out", "--plot", "--trace-paths"] {
        let failed = model(dir.path(), &["--workload", "write", "--bytes", "10", option, "file/below"]);
        assert_eq!(failed.status.code(), Some(1), "{option}: {}", said(&failed));
        let said = said(&failed);
        assert!(said.starts_with("heddle: cannot write file/below, nothing was left there: "), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert_eq!(names(dir.path()), BTreeSet::from(["file".to_owned()]));
}

/// A file size limit, with its signal ignored, makes a write fail in the middle of a file, as a full disk
/// does, for root too.
#[test]
fn a_capture_that_outgrows_the_disk_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    for outputs in ["--pcap x.pcapng --json x.json", "--out out"] {
        let limit = r#"trap "" XFSZ; ulimit -f 64; exec "$0""#;
        let script = format!("{limit} cosim --engine model --workload write --bytes 1MiB {outputs}");
        let failed = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_heddle")])
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
        assert!(said(&failed).contains("File too large"), "{}", said(&failed));
        assert_eq!(said(&failed).lines().count(), 1, "{}", said(&failed));
        assert_eq!(names(dir.path()), BTreeSet::new(), "something was left");
    }
}
