//! Sweeps of a run that is made up.

use super::*;
use crate::plan::{Plan, Source};
use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;

const PLAN: &str = "traffic.bytes = \"1MiB\"\n[[sweep]]\nname = \"s\"\nloss.rate = [0, 0.001, 0.01, 0.1]\n\
                    topology.planes = [1, 2, 4]\n";

fn points(text: &str) -> Vec<Point> {
    Plan::load(&Source::of_text("plan", text), &[]).unwrap().points
}

/// Something that depends on the point, and takes a while that does not.
fn outcome(point: &Point) -> Outcome {
    let goodput_bps = u64::from(point.fabric.planes) * 1_000 + u64::from(point.loss.rate.billionths());
    Outcome { goodput_bps, ..Outcome::default() }
}

/// Which points are run, and a failure at one of them.
#[derive(Default)]
struct Fake {
    ran: Mutex<Vec<String>>,
    fails_at: Option<&'static str>,
}

impl Fake {
    fn run(&self, points: &[Point], options: &Options<'_>) -> Result<Vec<Outcome>, SweepError> {
        run(points, options, |point| {
            if self.fails_at == Some(point.name()) {
                return Err("it does not end");
            }
            self.ran.lock().unwrap().push(point.name().to_owned());
            Ok(outcome(point))
        })
    }

    fn ran(&self) -> usize {
        let ran = self.ran.lock().unwrap();
        assert_eq!(ran.iter().collect::<BTreeSet<_>>().len(), ran.len(), "a point ran twice: {ran:?}");
        ran.len()
    }
}

#[test]
fn outcomes_are_in_the_order_of_the_plan_on_any_number_of_threads() {
    let points = points(PLAN);
    let wanted: Vec<_> = points.iter().map(outcome).collect();
    assert_eq!(wanted.len(), 12);
    for threads in [0, 1, 2, 3, 8, 20] {
        let fake = Fake::default();
        assert_eq!(
            fake.run(&points, &Options { threads, store: None }).unwrap(),
            wanted,
            "{threads} threads"
        );
        assert_eq!(fake.ran(), 12);
    }
}

#[test]
fn a_sweep_that_was_interrupted_goes_on_where_it_stopped_with_the_same_result() {
    let (points, folder) = (points(PLAN), tempfile::tempdir().unwrap());
    let store = Store::open(&folder.path().join("points"), "1").unwrap();
    let options = Options { store: Some(&store), threads: 1 };
    let fails_at = Some("s/rate=0.01/planes=2");
    let first = Fake { fails_at, ..Fake::default() };
    let refused = first.run(&points, &options).unwrap_err().to_string();
    assert_eq!(refused, "point s/rate=0.01/planes=2: it does not end");
    let done = first.ran();
    assert!((1..12).contains(&done), "{done} points before the failure");
    let second = Fake::default();
    let outcomes = second.run(&points, &Options { threads: 4, ..options }).unwrap();
    assert_eq!((second.ran(), outcomes), (12 - done, points.iter().map(outcome).collect::<Vec<_>>()));
    let third = Fake::default();
    third.run(&points, &options).unwrap();
    assert_eq!(third.ran(), 0);
}

#[test]
fn the_first_failure_in_the_order_of_the_plan_is_told_and_nothing_is_begun_after_it() {
    let points = points(PLAN);
    let ran = Mutex::new(0);
    let failed = run(&points, &Options { threads: 1, store: None }, |_| -> Result<Outcome, &str> {
        *ran.lock().unwrap() += 1;
        Err("no")
    });
    assert_eq!(failed.unwrap_err().to_string(), "point s/rate=0/planes=1: no");
    assert_eq!(*ran.lock().unwrap(), 1);
}

#[test]
fn a_fault_of_the_program_is_told_with_the_point() {
    let points = points(PLAN);
    let failed = run(&points, &Options { threads: 2, store: None }, |point| -> Result<Outcome, &str> {
        assert_ne!(point.name(), "s/rate=0.001/planes=4", "this is the fault of the test");
        Ok(outcome(point))
    });
    let wanted = "point s/rate=0.001/planes=4: the program has a fault, see above";
    assert_eq!(failed.unwrap_err().to_string(), wanted);
}

#[test]
fn another_plan_another_seed_and_another_version_use_nothing_that_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let ran = |text: &str, version: &str| {
        let store = Store::open(folder.path(), version).unwrap();
        let fake = Fake::default();
        fake.run(&points(text), &Options { store: Some(&store), threads: 2 }).unwrap();
        fake.ran()
    };
    assert_eq!((ran(PLAN, "1"), ran(PLAN, "1")), (12, 0));
    assert_eq!((ran(PLAN, "2"), ran(PLAN, "1")), (12, 0));
    assert_eq!(ran(&format!("seed = 2\n{PLAN}"), "1"), 12);
    assert_eq!(ran(&format!("switch.buffer = \"2MiB\"\n{PLAN}"), "1"), 12);
    // Another value of an axis: only the points that are new.
    assert_eq!(ran(&PLAN.replace("0.1]", "0.2]"), "1"), 3);
}

#[test]
fn what_is_in_a_trace_is_part_of_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), "1").unwrap();
    let path = |bytes: u32| {
        let text = format!("at,verb,host,peer,bytes\n0ns,write,0,1,{bytes}\n");
        fs::write(folder.path().join("m.csv"), text).unwrap();
        let text = "traffic = { kind = \"trace\", file = \"m.csv\" }\n";
        let source = Source { folder: folder.path().to_owned(), ..Source::of_text("plan", text) };
        store.path(&Plan::load(&source, &[]).unwrap().points[0])
    };
    assert_eq!(path(7), path(7));
    assert_ne!(path(7), path(8));
}

#[test]
fn a_file_that_is_cut_or_changed_is_not_believed() {
    let (points, folder) = (points(PLAN), tempfile::tempdir().unwrap());
    let store = Store::open(folder.path(), "1").unwrap();
    let options = Options { store: Some(&store), threads: 2 };
    Fake::default().run(&points, &options).unwrap();
    let read = |n: usize| fs::read_to_string(store.path(&points[n])).unwrap();
    let write = |n: usize, text: &str| fs::write(store.path(&points[n]), text).unwrap();
    write(0, &read(0)[..100]);
    write(1, "");
    // A number that was not so.
    let changed = read(2).replace("\"goodput_bps\":4000", "\"goodput_bps\":4001");
    assert_ne!(changed, read(2));
    write(2, &changed);
    // The file of another point.
    write(3, &read(4));
    fs::write(folder.path().join(".part-left"), "{").unwrap();
    let again = Fake::default();
    assert_eq!(again.run(&points, &options).unwrap(), points.iter().map(outcome).collect::<Vec<_>>());
    assert_eq!(again.ran(), 4);
    let parts = fs::read_dir(folder.path()).unwrap().filter_map(Result::ok);
    let parts = parts.filter(|entry| entry.file_name().to_string_lossy().starts_with(".part-"));
    assert_eq!(parts.count(), 1, "a file in the making was left");
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let refused = Store::open(&folder.path().join("file/points"), "1").unwrap_err().to_string();
    assert!(refused.starts_with("cannot write ") && refused.contains("file/points"), "{refused}");
}
