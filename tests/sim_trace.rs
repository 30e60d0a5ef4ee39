//! `heddle sim --trace`: the capture, what `heddle trace` and tshark make of it, and every way to be refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PLAN: &str = r#"about = "Two hosts and bad cables."
topology.hosts = 2
topology.planes = 2
traffic.kind = "permutation"
traffic.bytes = "1MiB"
loss.on = "every-hop"
loss.corrupt = 0.01
[[sweep]]
name = "s"
loss.rate = [0, 0.05]
[[target]]
name = "as fast as without losses"
measure = "goodput"
want = ">= 0.01"
per.loss.rate = [0]
of.loss.rate = [0.05]
"#;

const LOSSY: [&str; 5] = ["plan.toml", "--point", "s/rate=0.05", "--trace", "1:0"];

fn heddle(dir: &Path, command: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heddle")).arg(command).args(args).current_dir(dir).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    folder
}

/// The numbers of packets, resends and drops in what is said of a capture.
fn counts(line: &str) -> [usize; 3] {
    let numbers: Vec<_> = line.split([' ', ':', ',']).filter_map(|word| word.parse().ok()).collect();
    numbers[numbers.len() - 3..].try_into().unwrap()
}

#[test]
fn a_capture_is_written_and_shown_with_every_reason_and_changes_no_result() {
    let folder = folder();
    let args = |more: &[&'static str]| [&LOSSY[..], more].concat();
    let traced = heddle(folder.path(), "sim", &args(&["--json", "traced.json"]));
    assert!(traced.status.success(), "{}", said(&traced));
    let text = printed(&traced);
    let (table, line) = text.trim_end().rsplit_once('\n').unwrap();
    let begin = "trace-1-0.pcapng: host 1, connection 0 with host 0, of s/rate=0.05: ";
    assert!(line.starts_with(begin), "{line}");
    let plain =
        heddle(folder.path(), "sim", &["plan.toml", "--point", "s/rate=0.05", "--json", "plain.json"]);
    assert_eq!(printed(&plain), format!("{table}\n"));
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("traced.json") == read("plain.json"));

    let shown = printed(&heddle(folder.path(), "trace", &["trace-1-0.pcapng"]));
    let [packets, resent, dropped] = counts(line);
    let with = |part: &str| shown.lines().filter(|line| line.contains(part)).count();
    assert_eq!(shown.lines().count(), packets);
    assert_eq!((with("[resent: ") + with("[instead of psn "), with("[dropped")), (resent, dropped));
    assert_eq!((with(" -> ") > 40, with(" <- ") > 40, with(" icrc")), (true, true, 0), "{shown}");
    assert!(resent > 5 && dropped > 10 && with("declared lost at ") > 3 && with("plane1") > 20, "{line}");

    let named = heddle(folder.path(), "sim", &args(&["--pcap", "mine.pcapng", "--out", "out"]));
    assert!(named.status.success() && printed(&named).contains("mine.pcapng: host 1"), "{}", said(&named));
    let beside = heddle(folder.path(), "sim", &args(&["--out", "out"]));
    assert!(printed(&beside).contains("out/trace-1-0.pcapng: host 1"), "{}", printed(&beside));
    assert!(
        read("mine.pcapng") == read("trace-1-0.pcapng")
            && read("out/trace-1-0.pcapng") == read("mine.pcapng")
    );
    assert_eq!(fs::read_dir(folder.path().join("out/points")).unwrap().count(), 1);
}

#[test]
fn tshark_shows_every_packet_of_a_capture_as_good_with_its_comments() {
    let folder = folder();
    let traced = heddle(folder.path(), "sim", &LOSSY);
    let [packets, resent, dropped] = counts(printed(&traced).trim_end());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("software-model/wire/dissector/heddle.lua");
    let fields = ["frame.time_epoch", "frame.interface_name", "frame.comment", "heddle.drop", "heddle.psn"];
    let output = Command::new("tshark")
        .arg("-X")
        .arg(format!("lua_script:{}", script.display()))
        .args(["-r", "trace-1-0.pcapng", "-T", "fields", "-E", "separator=/t", "-E", "aggregator=;"])
        .args(fields.iter().flat_map(|field| ["-e", field]))
        .current_dir(folder.path())
        .output()
        .expect("tshark is missing: run tools/setup.sh");
    assert!(output.status.success(), "{}", said(&output));
    let (text, shown) = (printed(&output), printed(&heddle(folder.path(), "trace", &["trace-1-0.pcapng"])));
    let (mut resends, mut drops) = (0, 0);
    assert_eq!((text.lines().count(), shown.lines().count()), (packets, packets));
    for (row, line) in text.lines().zip(shown.lines()) {
        let row: Vec<_> = row.split('\t').collect();
        let (seconds, fraction) = row[0].split_once('.').unwrap();
        let ns = seconds.parse::<u64>().unwrap() * 1_000_000_000 + fraction.parse::<u64>().unwrap();
        let time = format!("{}.{:03}", ns / 1000, ns % 1000);
        let words: Vec<_> = line.split_whitespace().collect();
        assert_eq!((words[0], words[1], row[3]), (&*time, row[1], "0"), "{line}");
        assert!(words[3] == "PROBE" || line.contains(&format!(" psn {} ", row[4])), "{line}");
        let comments: String = row[2].split(';').map(|part| part.trim()).collect::<Vec<_>>().join("; ");
        let ours = line
            .split_once("  [")
            .map_or(String::new(), |(_, rest)| rest.trim_end_matches(']').replace("]  [", "; "));
        assert_eq!(comments, ours);
        resends += usize::from(row[2].contains("resent: ") || row[2].contains("instead of psn "));
        drops += usize::from(row[2].split(';').any(|part| part.trim().starts_with("dropped")));
    }
    assert_eq!((resends, drops, resent > 5), (resent, dropped, true));
}

#[test]
fn what_cannot_be_traced_is_refused_in_one_sentence_with_code_2_before_anything_runs() {
    let folder = folder();
    let point = ["--point", "s/rate=0"];
    let many =
        "--trace 0:0: a capture is of one run, and the plan has 2 points: choose one with --point, like \
                --point s/rate=0, or with --set\n";
    let kind = |kind: &str| {
        format!(
            "--trace 0:0: packets of transport.kind = {kind:?} cannot be traced, only those of \"heddle\"\n"
        )
    };
    let (roce, irn) = (kind("roce"), kind("irn"));
    let cases: [(&[&str], &str); 9] = [
        (&["--trace", "0:0"], many),
        (&["--trace", "0:0", "--set", "loss.rate=[0,0.05]"], many),
        (
            &["--point", "s/rate=1"],
            "--point s/rate=1: no point of the plan is called so: those are s/rate=0, s/rate=0.05\n",
        ),
        (&["--trace", "2:0"], "--trace 2:0: there is no host 2, those are 0 to 1\n"),
        (&["--trace", "0:1"], "--trace 0:1: host 0 has no connection 1, those are 0 with host 1\n"),
        (
            &["--trace", "0"],
            "--trace \"0\" is not understood: needed is NODE:CONN, a host and its number of a connection, like \
             0:0\n",
        ),
        (&["--trace", "0:0", "--set", "transport.kind=roce"], &roce),
        (&["--trace", "0:0", "--set", "transport.kind=irn"], &irn),
        (
            &["--trace", "0:0", "--pcap", "x", "--set", "topology.hosts=1"],
            "--set topology.hosts=1: topology.hosts: 1 is outside",
        ),
    ];
    for (args, wanted) in cases {
        let all = args.contains(&"--point") || wanted.contains("2 points");
        let args = [&["plan.toml"][..], if all { &[] } else { &point }, args].concat();
        let refused = heddle(folder.path(), "sim", &args);
        assert!(said(&refused).starts_with(&format!("heddle: {wanted}")), "{args:?}: {}", said(&refused));
        assert_eq!((refused.status.code(), said(&refused).lines().count()), (Some(2), 1), "{args:?}");
        assert_eq!(printed(&refused), "");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written");
}
