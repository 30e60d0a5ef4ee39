//! Reports of outcomes that are made up.

mod browser;
mod made_up;

use super::*;
use crate::plan::{Plan, Source};
use made_up::{outcome, report};
use std::collections::BTreeSet;

#[test]
fn the_table_names_every_point_every_target_the_seed_and_the_version() {
    let report = report("small", &["seed=7"]);
    let table = report.table();
    for (point, _) in &report.done {
        assert_eq!(table.matches(&format!("{} ", point.name())).count(), 1 + at(&report, point.name()));
    }
    assert_eq!(
        table.lines().filter(|line| line.starts_with("met ") || line.starts_with("NOT MET")).count(),
        3
    );
    assert!(table.ends_with("\nseed 7, heddle 1.2.3\n"), "{table}");
    assert!(table.lines().all(|line| line.trim_end() == line));
}

/// How often a point is where a target is worst and something follows on the line: never, they end it.
fn at(report: &Report, name: &str) -> usize {
    report.table().lines().filter(|line| line.contains(&format!("at {name} "))).count()
}

#[test]
fn the_csv_has_a_line_for_every_point_and_all_lines_have_the_columns_of_the_head() {
    let report = report("small", &[]);
    let text = report.csv();
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().unwrap().clone();
    let column = |name: &str| head.iter().position(|column| column == name).unwrap();
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), report.done.len());
    for (record, (point, outcome)) in records.iter().zip(&report.done) {
        assert_eq!(&record[column("point")], point.name());
        assert_eq!(record[column("goodput_bps")].parse::<u64>().unwrap(), outcome.goodput_bps);
        assert_eq!(record[column("loss")].parse::<f64>().unwrap(), point.loss.rate.fraction());
    }
}

#[test]
fn the_json_has_the_keys_that_are_documented_and_gives_the_outcomes_back() {
    let report = report("plane_failure", &[]);
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    let keys =
        |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let set = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(keys(&json), set(&["plan", "about", "version", "seeds", "targets", "points"]));
    assert_eq!(keys(&json["targets"][0]), set(&["name", "want", "value", "met", "at"]));
    assert_eq!(keys(&json["points"][0]), set(&["name", "sweep", "variant", "axes", "settings", "outcome"]));
    let points = json["points"].as_array().unwrap();
    assert_eq!(points.len(), report.done.len());
    for (read, (_, outcome)) in points.iter().zip(&report.done) {
        assert_eq!(&serde_json::from_value::<Outcome>(read["outcome"].clone()).unwrap(), outcome);
    }
}

#[test]
fn targets_of_parts_speak_of_the_points_of_their_own_plan() {
    let judged = |name: &str| report(name, &[]).targets().to_vec();
    let parts = ["loss_sweep", "planes", "plane_failure", "incast", "spraying", "unmarked"];
    let parts: Vec<_> = parts.into_iter().flat_map(judged).collect();
    assert!(parts.len() > 10);
    assert_eq!(judged("headline"), parts);
}

#[test]
fn equal_outcomes_give_equal_bytes() {
    let all = || {
        let report = report("headline", &[]);
        (report.table(), report.csv(), report.json(), report.html().unwrap())
    };
    assert_eq!(all(), all());
}

#[test]
fn the_page_loads_nothing_and_escapes_what_the_plan_says() {
    let text = "about = \"<script>alert(1)</script>\"\ntraffic.bytes = \"1MiB\"\n[[sweep]]\nname = \"a<b\"\nseed = [1, 2]\n";
    let plan = Plan::load(&Source::of_text("x&y", text), &[]).unwrap();
    let outcomes = plan.points.iter().map(outcome).collect();
    let page = Report::new(plan, outcomes, "1.2.3").html().unwrap();
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;") && page.contains("<h2>a&lt;b</h2>"));
    let headline = report("headline", &[]).html().unwrap();
    for outside in ["src=", "href=", "url(", "@import", "<link", "<script", "<img"] {
        assert!(!headline.contains(outside), "{outside}");
    }
    assert!(headline.contains("built-in plan plane_failure") && headline.contains("seed 1, heddle 1.2.3"));
}

#[test]
fn every_figure_of_a_study_is_a_picture_of_its_own_and_marks_what_the_protocol_has() {
    let report = report("sensitivity", &[]);
    let pictures = report.pictures().unwrap();
    let names: BTreeSet<&str> = pictures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((pictures.len(), names.len()), (28, 28), "{names:?}");
    let of = |name: &str| &pictures.iter().find(|(one, _)| one == name).unwrap_or_else(|| panic!("{name}")).1;
    for (name, mark) in [
        ("initial-window.svg", "default: 16"),
        ("target.svg", "default: 0.98"),
        ("window-2.svg", "default: 1.25"),
        ("stretch.svg", "default: 2.75"),
        ("ack-every.svg", "default: 4"),
        ("ack-delay.svg", "default: 2us"),
        ("paths-2.svg", "default: 16"),
        ("rto0.svg", "default: 200us"),
        ("ecn-from.svg", "default: 100KiB"),
        ("round-trip.svg", "default: 500ns"),
    ] {
        assert_eq!(of(name).matches(mark).count(), 1, "{name}: {mark}");
    }
    for (name, picture) in &pictures {
        assert!(
            picture.len() < 40_000 && picture.matches("<title>").count() == 1,
            "{name}: {}",
            picture.len()
        );
    }
}

#[test]
fn a_report_of_runs_in_which_nothing_arrived_has_its_figures_too() {
    for builtin in crate::plan::builtins() {
        let plan = Plan::load(&Source::open(builtin.name).unwrap(), &[]).unwrap();
        let outcomes = vec![Outcome::default(); plan.points.len()];
        let report = Report::new(plan, outcomes, "1.2.3");
        assert!(report.html().unwrap().contains("<figure>"), "{}", builtin.name);
        assert!(report.targets().iter().any(|target| !target.met), "{}", builtin.name);
    }
}
