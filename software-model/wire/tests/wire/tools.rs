//! Programs that check from outside. A missing one is a failure that says how to get it, never a skipped test.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Python with the packages of tools/requirements.txt: the one of target/venv, else the one on PATH.
pub fn python() -> Command {
    let venv = root().join("target/venv/bin/python3");
    Command::new(if venv.exists() { venv } else { "python3".into() })
}

/// Runs a program with this input and gives what it printed.
pub fn run(command: &mut Command, input: &[u8]) -> String {
    let name = format!("{:?}", command.get_program());
    let hint = "run tools/setup.sh (make test does), which installs it";
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{name} cannot be run ({error}): {hint}"));
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the child was started");
    // A program that does not read its input closes it; what it says is judged below.
    let _ = feeder.join().expect("the feeder does not panic");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{name} failed ({}); when something is missing, {hint}:\n{errors}",
        output.status
    );
    String::from_utf8(output.stdout).expect("text")
}
