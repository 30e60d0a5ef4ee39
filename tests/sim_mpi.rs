//! `heddle sim` as an MPI job: the ranks share the points, and the result is that of one process.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const RANKS: usize = 4;
const PLAN: &str = r#"about = "Four hosts."
topology.hosts = 4
traffic = { kind = "permutation", bytes = "64KiB" }
[variant.good]
# Only a run can see that no core has so many paths.
[variant.bad]
transport.paths = 64
traffic.connections = 4096
# Minutes, where the others take no time.
[variant.long]
traffic.bytes = "1GiB"
[[sweep]]
name = "s"
variant = ["good"]
loss.rate = [0, 0.001, 0.01, 0.02, 0.05, 0.1]
topology.planes = [1, 2]
[[target]]
name = "all of it arrives"
measure = "delivered"
want = ">= 1"
"#;

/// As many ranks as asked for, however many cores there are and whoever asks.
fn job(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "--allow-run-as-root", "-n", &RANKS.to_string()]);
    command.args([env!("CARGO_BIN_EXE_heddle"), "sim"]).args(args).current_dir(dir);
    command
}

fn alone(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heddle")).arg("sim").args(args).current_dir(dir).output().unwrap()
}

fn run(mut command: Command) -> Output {
    command.output().expect("mpirun is installed by tools/setup.sh")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    folder
}

fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap())).collect()
}

#[test]
fn four_ranks_give_the_bytes_of_one_process_and_go_on_from_what_is_on_disk() {
    let folder = folder();
    let dir = |name: &str| folder.path().join(name);
    let args = |name: &'static str, out: &'static str| ["plan.toml", "--report", name, "--out", out];
    let one = alone(folder.path(), &args("one", "out-one"));
    assert!(one.status.success(), "{}", said(&one));
    let kept = files(&dir("out-one/points"));
    assert_eq!(kept.len(), 12);
    // The second time half of the points are there.
    for round in 0..2 {
        let ranks = run(job(folder.path(), &args("ranks", "out-ranks")));
        assert!(ranks.status.success(), "{}", said(&ranks));
        assert_eq!(String::from_utf8_lossy(&ranks.stdout), String::from_utf8_lossy(&one.stdout));
        for name in ["report.html", "report.json", "points.csv"] {
            let read = |folder: &str| fs::read(dir(folder).join(name)).unwrap();
            assert!(read("ranks") == read("one"), "{name}, round {round}");
        }
        assert!(files(&dir("out-ranks/points")) == kept, "round {round}");
        for name in kept.keys().step_by(2).filter(|_| round == 0) {
            fs::remove_file(dir("out-ranks/points").join(name)).unwrap();
        }
    }
}

#[test]
fn a_point_that_fails_at_a_rank_is_named_once_with_code_1() {
    let folder = folder();
    let args = ["plan.toml", "--set", "variant=[\"good\", \"bad\"]", "--json", "x.json"];
    let failed = run(job(folder.path(), &args));
    assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
    assert!(said(&failed).contains("heddle: point s/bad/rate=0"), "{}", said(&failed));
    assert_eq!(said(&failed).matches("heddle: point").count(), 1);
    assert!(!folder.path().join("x.json").exists());
}

#[test]
fn what_is_refused_is_refused_once_with_code_2() {
    let folder = folder();
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/file"), "").unwrap();
    let cases = [
        (["plan.toml", "--set", "topology.hots=3"], "topology.hots: unknown field"),
        (["plan.toml", "--report", "mine"], "mine exists and is no earlier output"),
    ];
    for (args, wanted) in cases {
        let refused = run(job(folder.path(), &args));
        assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
        assert_eq!(said(&refused).matches(wanted).count(), 1, "{}", said(&refused));
    }
}

#[test]
fn the_death_of_a_rank_names_the_point_that_it_was_at() {
    let folder = folder();
    let args = ["plan.toml", "--set", "variant=long", "--set", "topology.planes=1", "--threads", "1"];
    let mut mpirun = job(folder.path(), &args).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    let victim = loop {
        if begin.elapsed() > Duration::from_secs(60) {
            mpirun.kill().unwrap();
            panic!("rank 2 is at no point");
        }
        if let Some(victim) = rank_at_a_point(&mut mpirun, 2) {
            break victim;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    Command::new("kill").args(["-KILL", &victim]).status().unwrap();
    let ended = mpirun.wait_with_output().unwrap();
    // mpirun's own code, of a process that was killed.
    assert_eq!(ended.status.code(), Some(128 + 9), "{}", said(&ended));
    let line =
        said(&ended).lines().filter(|line| line.starts_with("heddle: ")).collect::<Vec<_>>().join("\n");
    let points = ["0", "0.001", "0.01", "0.02"].map(|rate| format!("s/long/rate={rate}/planes=1"));
    let wanted = points.map(|point| format!("heddle: rank 2 died while it ran point {point}"));
    assert!(wanted.contains(&line), "{line:?} of {}", said(&ended));
}

/// The process of a rank, once its thread that runs points has worked for a fifth of a second.
fn rank_at_a_point(mpirun: &mut Child, rank: usize) -> Option<String> {
    assert!(mpirun.try_wait().unwrap().is_none(), "it has ended before");
    let children = format!("/proc/{0}/task/{0}/children", mpirun.id());
    let children = fs::read_to_string(children).ok()?;
    let is_rank = |pid: &&str| {
        let name = format!("OMPI_COMM_WORLD_RANK={rank}").into_bytes();
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == name)
    };
    let pid = children.split_whitespace().find(is_rank)?;
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let is_at_work = threads.filter_map(Result::ok).any(|thread| {
        let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // Past the name: state is the first field, ticks of user time the twelfth.
        let (name, rest) = stat.rsplit_once(") ").unwrap_or_default();
        let ticks = rest.split(' ').nth(11).and_then(|ticks| ticks.parse::<u64>().ok());
        name.contains("(points ") && ticks.is_some_and(|ticks| ticks >= 20)
    });
    is_at_work.then(|| pid.to_owned())
}
