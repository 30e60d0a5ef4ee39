//! docs/requirements.md: a row per rule, with the places that build it and the tests that cite it.

use super::{files, halves, places, read, root};
use std::collections::BTreeMap;

/// What stands for one rule.
#[derive(Default)]
struct Row {
    rule: String,
    places: Vec<String>,
    tests: Vec<String>,
}

/// The whole document.
pub fn render() -> String {
    let mut rows: BTreeMap<(String, u32), Row> = BTreeMap::new();
    let protocol = read(&root().join("../../docs/protocol.md"));
    let rules = protocol.split("## 10.").next().unwrap_or_default();
    for (at, id) in places(rules) {
        let row = rows.entry(key(&id)).or_default();
        if row.rule.is_empty() {
            row.rule = rule(rules, at);
        }
    }
    for path in files() {
        let name = path.strip_prefix(root()).unwrap_or(&path).display();
        let name = format!("software-model/model/{name}");
        let (built, tested) = halves(&path);
        for (_, id) in places(&built) {
            note(&mut rows, &id, |row| &mut row.places, name.clone());
        }
        for (at, id) in places(&tested) {
            let test = test_of(&tested, at).unwrap_or(&name).to_owned();
            note(&mut rows, &id, |row| &mut row.tests, test);
        }
    }
    let mut text = String::from(
        "# Requirements\n\n\
         Written by `UPDATE=1 cargo test -p heddle-model --test requirements` from the ids in\n\
         [protocol.md](protocol.md), the model's sources and its tests; \
         a test fails when it is stale, when a rule has no place, and when a rule has no test. The RTL cites the same ids.\n\n\
         | rule | says (the end of it) | place | tests |\n|---|---|---|---|\n",
    );
    for ((family, number), Row { rule, places, tests }) in &rows {
        let code = |names: &[String]| {
            let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            if quoted.is_empty() {
                "not built yet".to_owned()
            } else {
                quoted.join(", ")
            }
        };
        text += &format!("| {family}{number} | {rule} | {} | {} |\n", code(places), code(tests));
    }
    text
}

fn note(
    rows: &mut BTreeMap<(String, u32), Row>,
    id: &str,
    list: impl Fn(&mut Row) -> &mut Vec<String>,
    name: String,
) {
    if let Some(row) = rows.get_mut(&key(id)) {
        let list = list(row);
        if !list.contains(&name) {
            list.push(name);
        }
    }
}

/// Family and number, so that rows are in the order of their numbers.
fn key(id: &str) -> (String, u32) {
    let at = id.rfind('-').map_or(0, |at| at + 1);
    (id[..at].to_owned(), id[at..].parse().unwrap_or_default())
}

/// The end of the sentence or clause in front of the bracket, on one line.
fn rule(text: &str, at: usize) -> String {
    let head = &text[..at];
    let head = &head[..head.rfind('[').unwrap_or(head.len())];
    let flat = head.split_whitespace().collect::<Vec<_>>().join(" ");
    // Brackets of the rule before, ends of sentences, and table bars all begin a rule.
    let start = [". ", "] ", "; ", ": ", "| "]
        .iter()
        .filter_map(|end| flat.rfind(end).map(|at| at + end.len()))
        .max();
    let rule = flat[start.unwrap_or(0)..].trim_start_matches(['-', ' ', ',']).replace('|', "/");
    match rule.char_indices().rev().nth(159) {
        Some((cut, _)) => format!("... {}", &rule[cut..]),
        None => rule,
    }
}

/// The test that a citation belongs to: the function below a comment that stands by itself, else the one around it.
fn test_of(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let inside = text[line..at].starts_with("     ");
    let name = |text: &'_ str, from: usize| {
        let rest = &text[from + 3..];
        rest.find(['(', '<']).map(|end| from + 3..from + 3 + end)
    };
    let range = match text[line..at].trim_start().starts_with("//") && !inside {
        true => name(text, at + text[at..].find("fn ")?)?,
        false => name(text, text[..at].rfind("fn ")?)?,
    };
    Some(&text[range])
}
