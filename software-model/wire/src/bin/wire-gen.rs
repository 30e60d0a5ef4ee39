//! Writes every rendering of the wire tables into the repository, or checks that the committed ones are current.
//!
//! `wire-gen [--check] [ROOT]`: ROOT is the root of the repository, by default the one this was built in.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut check, mut root) = (false, Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--check" => check = true,
            flag if flag.starts_with('-') => {
                eprintln!("wire-gen: unknown option {flag}; usage: wire-gen [--check] [ROOT]");
                return ExitCode::from(2);
            }
            path => root = PathBuf::from(path),
        }
    }
    let mut stale = 0;
    for rendering in heddle_wire::render::all() {
        let path = root.join(rendering.path);
        if std::fs::read_to_string(&path).is_ok_and(|text| text == rendering.text) {
            continue;
        }
        stale += 1;
        println!("{} {}", if check { "stale:" } else { "written:" }, rendering.path);
        let folder = path.parent().unwrap_or(&root);
        let written =
            || std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, &rendering.text));
        if check {
            continue;
        }
        if let Err(error) = written() {
            eprintln!("wire-gen: cannot write {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    if check && stale > 0 {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
