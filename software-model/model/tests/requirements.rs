//! Every rule of the paths that the protocol gives an id is cited where it is built and where it is tested.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The families of ids that this crate answers for.
const FAMILIES: [&str; 12] = [
    "REQ-RX-",
    "REQ-ACK-",
    "REQ-TX-",
    "REQ-RTO-",
    "REQ-CONN-",
    "REQ-OP-",
    "REQ-MR-",
    "REQ-MSG-",
    "REQ-ROUTE-",
    "REQ-CC-",
    "REQ-HINT-",
    "REQ-PACE-",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The ids in a text; a range "REQ-TX-1 to REQ-TX-11" names its ends only.
fn ids(text: &str) -> BTreeSet<String> {
    let id = |at: usize, family: &str| {
        let number: String = text[at + family.len()..].chars().take_while(char::is_ascii_digit).collect();
        (!number.is_empty()).then(|| format!("{family}{number}"))
    };
    let found = |family: &'static str| text.match_indices(family).filter_map(move |(at, _)| id(at, family));
    FAMILIES.into_iter().flat_map(found).collect()
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

/// The ids cited by the code and by the tests of this crate.
fn cited() -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut code, mut tests) = (BTreeSet::new(), BTreeSet::new());
    for path in rust_files(&root().join("src")) {
        let text = read(&path);
        let own = path.strip_prefix(root()).unwrap_or(&path);
        let is_test = own.ends_with("tests.rs") || own.components().any(|part| part.as_os_str() == "tests");
        let (built, tested) = if is_test {
            ("", text.as_str())
        } else {
            text.split_once("#[cfg(test)]").unwrap_or((&text, ""))
        };
        code.extend(ids(built));
        tests.extend(ids(tested));
    }
    for path in rust_files(&root().join("tests")).iter().filter(|path| !path.ends_with("requirements.rs")) {
        tests.extend(ids(&read(path)));
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
