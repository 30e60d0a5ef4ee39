//! What the fuzzer found worth keeping is run again: `make fuzz` adds to it.

#[path = "../../fuzz/src/endpoint/mod.rs"]
mod endpoint;

use std::path::Path;

#[test]
fn every_program_of_the_corpus_leaves_the_endpoints_rules_intact() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/endpoint");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut programs: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    programs.sort();
    assert!(programs.len() > 100, "{} programs in {}", programs.len(), folder.display());
    for path in programs {
        println!("{}", path.display());
        endpoint::run(&std::fs::read(&path).expect("a program"));
    }
}
