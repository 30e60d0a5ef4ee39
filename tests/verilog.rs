//! `heddle verilog`: what it writes, and that a failure leaves nothing behind.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn heddle(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heddle")).args(args).current_dir(dir).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn names(dir: &Path) -> BTreeSet<String> {
    fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_configuration_is_written_with_list_and_core_file_of_every_module() {
    for config in ["tiny", "gbe", "dc100"] {
        let dir = tempfile::tempdir().unwrap();
        let done = heddle(dir.path(), &["verilog", "--config", config, "--out", "made/by/heddle"]);
        assert_eq!(done.status.code(), Some(0), "{}", said(&done));
        let out = dir.path().join("made/by/heddle");
        let list = fs::read_to_string(out.join(format!("heddle_{config}.f"))).unwrap();
        let core = fs::read_to_string(out.join(format!("heddle_{config}.core"))).unwrap();
        let listed: BTreeSet<String> = list.lines().map(str::to_owned).collect();
        let modules: BTreeSet<String> = names(&out).into_iter().filter(|n| n.ends_with(".v")).collect();
        assert!(!modules.is_empty(), "{config}");
        assert_eq!(listed, modules, "{config}: the list names the modules and nothing else");
        for module in &modules {
            let text = fs::read_to_string(out.join(module)).unwrap();
            let opens = text.lines().filter(|l| l.starts_with("module ")).count();
            assert_eq!(opens, 1, "{config}: {module} holds one module");
            assert!(core.contains(&format!("- {module}\n")), "{config}: {module} is in the core file");
        }
    }
}

#[test]
fn files_are_accepted_by_verilator_as_the_list_gives_them() {
    let dir = tempfile::tempdir().unwrap();
    let done = heddle(dir.path(), &["verilog", "--config", "gbe", "--out", "out"]);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    let lint = Command::new("verilator")
        .args(["--lint-only", "-Wall", "--top-module", "rx_conn", "-f", "heddle_gbe.f"])
        .current_dir(dir.path().join("out"))
        .output()
        .expect("verilator is missing: run tools/setup.sh");
    assert!(lint.status.success(), "{}", said(&lint));
}

#[test]
fn core_file_lints_in_fusesoc() {
    let dir = tempfile::tempdir().unwrap();
    let done = heddle(dir.path(), &["verilog", "--config", "tiny", "--out", "out"]);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    let lint = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/target/venv/bin/fusesoc"))
        .args(["--cores-root", "out", "run", "--target", "lint_rx_conn", "::heddle_tiny"])
        .current_dir(dir.path())
        .env("XDG_CACHE_HOME", dir.path())
        .output()
        .expect("fusesoc is missing: run tools/setup.sh");
    assert!(lint.status.success(), "{}", said(&lint));
    assert!(dir.path().join("build").is_dir(), "fusesoc built nothing");
}

#[test]
fn second_run_replaces_the_first_and_leaves_no_stale_file() {
    let dir = tempfile::tempdir().unwrap();
    let args = |config| ["verilog", "--config", config, "--out", "out"];
    assert_eq!(heddle(dir.path(), &args("gbe")).status.code(), Some(0));
    assert_eq!(heddle(dir.path(), &args("tiny")).status.code(), Some(0));
    let there = names(&dir.path().join("out"));
    assert!(there.contains("heddle_tiny.f") && !there.contains("heddle_gbe.f"), "{there:?}");
    assert_eq!(names(dir.path()), BTreeSet::from(["out".to_owned()]));
}

#[test]
fn folder_of_somebody_else_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("home")).unwrap();
    fs::write(dir.path().join("home/thesis.tex"), "all of it").unwrap();
    let refused = heddle(dir.path(), &["verilog", "--config", "gbe", "--out", "home"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("home exists and is no earlier output"), "{}", said(&refused));
    assert_eq!(names(&dir.path().join("home")), BTreeSet::from(["thesis.tex".to_owned()]));
}

#[test]
fn wrong_arguments_end_with_2_and_say_what_there_is() {
    let dir = tempfile::tempdir().unwrap();
    let wrong: [(&[&str], &str); 5] = [
        (&["verilog", "--config", "huge", "--out", "out"], "there are: tiny, gbe, dc100"),
        (&["verilog", "--config", "gbe"], "--out <OUT>"),
        (&["verilog", "--out", "out"], "--config <CONFIG>"),
        (&["weave"], "unrecognized subcommand"),
        (&[], "Usage: heddle <COMMAND>"),
    ];
    for (args, want) in wrong {
        let refused = heddle(dir.path(), args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        assert!(said(&refused).contains(want), "{args:?}: {}", said(&refused));
    }
    assert_eq!(names(dir.path()), BTreeSet::new());
}

#[test]
fn folder_that_cannot_be_made_is_one_clear_sentence_and_code_1() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let failed = heddle(dir.path(), &["verilog", "--config", "tiny", "--out", "file/below"]);
    assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
    let said = said(&failed);
    assert!(said.starts_with("heddle: cannot write file/below, nothing was left there: "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(names(dir.path()), BTreeSet::from(["file".to_owned()]));
}

/// A file size limit of one block of 512 bytes, with its signal ignored, makes a write fail in the middle of
/// a file, as a full disk does, for root too.
#[test]
fn write_that_fails_half_way_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let script = r#"trap "" XFSZ; ulimit -f 1; exec "$0" verilog --config tiny --out out"#;
    let failed = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_heddle")])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
    assert!(said(&failed).contains("File too large"), "{}", said(&failed));
    assert_eq!(names(dir.path()), BTreeSet::new(), "something was left");
}
