//! Every rule that the protocol gives an id is cited where it is built and where it is tested, and docs/requirements.md shows it.

mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The ids in a text, REQ, a family in capitals and a number, with the place of each; a range "REQ-TX-1 to REQ-TX-11" names its ends only.
fn places(text: &str) -> Vec<(usize, String)> {
    let id = |at: usize| {
        let rest = &text[at + 4..];
        let family = rest.find(|c: char| !c.is_ascii_uppercase()).filter(|&end| end > 0)?;
        let number = rest[family..].strip_prefix('-')?;
        let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        (digits > 0).then(|| (at, text[at..at + 4 + family + 1 + digits].to_owned()))
    };
    text.match_indices("REQ-").filter_map(|(at, _)| id(at)).collect()
}

fn ids(text: &str) -> BTreeSet<String> {
    places(text).into_iter().map(|(_, id)| id).collect()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a directory entry").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => rust_files(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// A file of the model as what is built and what is tested, either of which may be empty.
fn halves(path: &Path) -> (String, String) {
    let text = read(path);
    let own = path.strip_prefix(root()).unwrap_or(path);
    let is_test = own.components().any(|part| part.as_os_str() == "tests")
        || path.file_name().is_some_and(|name| name == "tests.rs");
    match text.split_once("#[cfg(test)]") {
        _ if is_test => (String::new(), text),
        Some((built, tested)) => (built.to_owned(), tested.to_owned()),
        None => (text, String::new()),
    }
}

/// Every file of the model's sources and tests, but for this one.
fn files() -> Vec<PathBuf> {
    let folders = ["src", "tests"].map(|folder| rust_files(&root().join(folder)));
    let mut files: Vec<_> = folders.into_iter().flatten().collect();
    files.retain(|path| !path.starts_with(root().join("tests/requirements")));
    files.sort();
    files
}

/// The ids cited by the code and by the tests of this crate.
fn cited() -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut code, mut tests) = (BTreeSet::new(), BTreeSet::new());
    for path in files() {
        let (built, tested) = halves(&path);
        code.extend(ids(&built));
        tests.extend(ids(&tested));
    }
    (code, tests)
}

#[test]
fn every_requirement_cited_in_the_slice_has_a_test() {
    let protocol = read(&root().join("../../docs/protocol.md"));
    let (rules, not_yet) =
        protocol.split_once("## 10. Rules with an id that nothing builds yet").expect("section 10");
    let (rules, not_yet) = (ids(rules), ids(not_yet));
    let (code, tests) = cited();
    let due: BTreeSet<String> = rules.difference(&not_yet).cloned().collect();
    assert_eq!(not_yet.difference(&rules).count(), 0, "section 10 names {not_yet:?}, the rules {rules:?}");
    assert_eq!(code, due, "cited by the code, and due by the protocol");
    assert_eq!(
        tests.difference(&rules).collect::<Vec<_>>(),
        [""; 0],
        "tests cite rules that are not in the protocol"
    );
    assert_eq!(due.difference(&tests).collect::<Vec<_>>(), [""; 0], "rules without a test");
    assert!(due.len() >= 29, "only {} rules were found", due.len());
}

#[test]
fn every_test_named_in_the_plan_exists() {
    let plan = read(&root().join("../../docs/testplan.md"));
    let rows = plan.lines().filter(|line| line.starts_with("| F"));
    let names: Vec<&str> = rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect();
    let crates =
        ["software-model", "rtl", "testbench", "fpga-boards"].map(|folder| root().join("../..").join(folder));
    let mut sources = String::new();
    crates.iter().flat_map(|folder| rust_files(folder)).for_each(|path| sources += &read(&path));
    let missing: Vec<&&str> =
        names.iter().filter(|name| !sources.contains(&format!("fn {name}()"))).collect();
    assert_eq!(missing, [&""; 0]);
    assert!(names.len() >= 17, "{names:?}");
}

#[test]
fn the_table_of_requirements_is_that_of_the_sources() {
    let (path, want) = (root().join("../../docs/requirements.md"), table::render());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &want).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    let update = "UPDATE=1 cargo test -p heddle-model --test requirements";
    assert!(read(&path) == want, "docs/requirements.md is stale; write it anew: {update}");
}
