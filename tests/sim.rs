//! `heddle sim`: plans, results, files, interruption, and every way to be refused.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PLAN: &str = r#"about = "Four hosts."
topology.hosts = 4
[traffic]
kind = "permutation"
bytes = "64KiB"
[[sweep]]
name = "s"
loss.rate = [0, 0.01, 0.1]
topology.planes = [1, 2]
[[target]]
name = "all of it arrives"
measure = "delivered"
want = ">= 1"
"#;

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    command.arg("sim").args(args).current_dir(dir);
    command
}

fn sim(dir: &Path, args: &[&str]) -> Output {
    command(dir, args).output().unwrap()
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

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    folder
}

#[test]
fn the_list_has_every_built_in_plan_with_a_sentence() {
    let listed = sim(Path::new("."), &["--list"]);
    let text = printed(&listed);
    for name in [
        "headline",
        "loss_sweep",
        "planes",
        "plane_failure",
        "incast",
        "spraying",
        "unmarked",
        "small",
        "sensitivity",
    ] {
        assert!(
            text.lines().any(|line| line.starts_with(&format!("{name} ")) && line.ends_with(" points.")),
            "{name}"
        );
    }
    assert!(listed.status.success());
}

#[test]
fn results_and_files_are_the_same_bytes_for_any_number_of_threads() {
    let folder = folder();
    let run = |threads: &str| {
        let (json, report) = (format!("{threads}.json"), format!("report-{threads}"));
        let args = ["plan.toml", "--seed", "7", "--threads", threads, "--json", &json, "--report", &report];
        let done = sim(folder.path(), &args);
        assert!(done.status.success(), "{}", said(&done));
        assert_eq!(said(&done), "");
        let report = folder.path().join(report);
        let files = names(&report);
        let files = files.iter().map(|name| (name.clone(), fs::read(report.join(name)).unwrap()));
        (printed(&done), fs::read(folder.path().join(json)).unwrap(), files.collect::<Vec<_>>())
    };
    let one = run("1");
    assert!(
        one.0.contains("met      all of it arrives: wanted >= 1, worst 1.00") && one.0.contains("seed 7,")
    );
    let names: Vec<_> = one.2.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, [".heddle-output", "points.csv", "report.html", "report.json"]);
    assert_eq!(one.2[3].1, one.1);
    let json: Value = serde_json::from_slice(&one.1).unwrap();
    assert_eq!(json["points"].as_array().unwrap().len(), 6);
    for point in json["points"].as_array().unwrap() {
        let packets = &point["outcome"]["packets"];
        let dropped: u64 = packets["drops"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        let rest = ["delivered", "in_flight"].map(|key| packets[key].as_u64().unwrap()).iter().sum::<u64>();
        assert!(packets["sent"].as_u64().unwrap() > 50);
        assert_eq!(packets["sent"].as_u64().unwrap(), dropped + rest, "{}", point["name"]);
    }
    assert!(run("2") == one && run("5") == one);
}

#[test]
fn a_run_that_is_killed_goes_on_from_its_finished_points_with_the_same_bytes() {
    let folder = folder();
    let set = "traffic.bytes=8MiB";
    let args = |out: &'static str, json: &'static str| {
        ["plan.toml", "--set", set, "--threads", "1", "--out", out, "--json", json]
    };
    let points = folder.path().join("killed/points");
    let mut child =
        command(folder.path(), &args("killed", "killed.json")).stdout(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    let finished = || points.exists() && names(&points).iter().any(|name| name.ends_with(".json"));
    while !finished() {
        assert!(begin.elapsed() < Duration::from_secs(300), "no point is finished");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = names(&points).into_iter().filter(|name| name.ends_with(".json")).collect::<BTreeSet<_>>();
    let time = |name: &str| fs::metadata(points.join(name)).unwrap().modified().unwrap();
    let before: Vec<_> = kept.iter().map(|name| time(name)).collect();
    assert!(!folder.path().join("killed.json").exists(), "it was not killed half-way");
    for args in [args("killed", "killed.json"), args("whole", "whole.json")] {
        assert!(sim(folder.path(), &args).status.success());
    }
    assert_eq!(
        kept.iter().map(|name| time(name)).collect::<Vec<_>>(),
        before,
        "a finished point was run again"
    );
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("killed.json") == read("whole.json"));
}

#[test]
fn a_target_that_is_not_met_ends_with_code_1_after_everything_is_written() {
    let folder = folder();
    let plan = PLAN.replace(">= 1", "> 1");
    fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let done = sim(folder.path(), &["plan.toml", "--csv", "points.csv"]);
    assert_eq!((done.status.code(), said(&done).as_str()), (Some(1), "heddle: 1 of 1 targets are not met\n"));
    assert!(printed(&done).contains("NOT MET  all of it arrives"));
    assert_eq!(fs::read_to_string(folder.path().join("points.csv")).unwrap().lines().count(), 7);
}

#[test]
fn what_cannot_be_is_refused_in_one_sentence_with_code_2_before_anything_runs() {
    let folder = folder();
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/file"), "").unwrap();
    fs::write(folder.path().join("bad.toml"), PLAN.replace("hosts", "hots")).unwrap();
    let cases: [(&[&str], &str); 6] = [
        (
            &["bad.toml"],
            "heddle: bad.toml, line 2: topology.hots: unknown field `hots`, expected one of `kind`",
        ),
        (&["none.toml"], "heddle: none.toml: cannot be read"),
        (
            &["none"],
            "heddle: none: is neither a file that ends with .toml nor a built-in plan: those are headline",
        ),
        (
            &["plan.toml", "--set", "loss.rate=-1"],
            "heddle: --set loss.rate=-1: loss.rate: -1 is not understood",
        ),
        (
            &["plan.toml", "--set", "traffic.hosts=5"],
            "heddle: --set traffic.hosts=5: traffic.hosts: 5 is outside",
        ),
        (&["plan.toml", "--report", "mine"], "heddle: mine exists and is no earlier output"),
    ];
    for (args, wanted) in cases {
        let refused = sim(folder.path(), args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        assert!(said(&refused).starts_with(wanted), "{args:?}: {}", said(&refused));
        assert_eq!((said(&refused).lines().count(), printed(&refused)), (1, String::new()), "{args:?}");
    }
}
