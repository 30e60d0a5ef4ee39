//! From a document to its points.

use super::error::{Origin, PlanError, Refusal};
use super::point::Point;
use super::settings::Settings;
use super::source::Source;
use super::target::{self, Target};
use super::tree::{Content, Node};
use super::{check, Plan, PlanText};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Plans within plans within plans end here.
const DEEPEST: usize = 4;
/// Most points of a plan.
const MOST_POINTS: usize = 100_000;

/// Reads a plan and all that it is made of.
pub fn plan(source: &Source, sets: &[String]) -> Result<Plan, PlanError> {
    let sets = sets.iter().map(|set| parse_set(set)).collect::<Result<Vec<_>, _>>()?;
    let mut used = vec![false; sets.len()];
    let mut plan = read(source, &sets, &mut used, 0)?;
    plan.texts.extend(
        sets.iter().map(|(_, node)| PlanText { shown: node.origin.source.clone(), text: String::new() }),
    );
    // A list is for a sweep; where no sweep has that key, nothing was done with it.
    for ((key, node), used) in sets.iter().zip(used) {
        if !used {
            let message = "a list is possible for a key that a sweep of the plan has, and none has this one";
            return Err(PlanError { origin: node.origin.clone(), key: key.clone(), message: message.into() });
        }
    }
    let mut names = BTreeSet::new();
    for point in &plan.points {
        if !names.insert(point.name()) {
            let origin = Origin { source: source.shown.clone(), line: 0 };
            let message =
                format!("two points are called {}: give their sweeps different names", point.name());
            return Err(PlanError { origin, key: "sweep".into(), message });
        }
    }
    Ok(plan)
}

/// One point of text.
pub fn single(text: &str) -> Result<Point, PlanError> {
    let tree = Node::parse("plan", text)?;
    point(&tree, Path::new(""), "point".into(), "point".into(), None, Vec::new())
}

type Sets = [(String, Node)];

/// A `key=value` of the command line; a value that is no TOML is text.
fn parse_set(set: &str) -> Result<(String, Node), PlanError> {
    let origin = Origin { source: format!("--set {set}"), line: 0 };
    let refuse = || PlanError {
        origin: origin.clone(),
        key: String::new(),
        message: "is not understood: needed is key=value like topology.hosts=64".into(),
    };
    let (key, value) = set.split_once('=').ok_or_else(refuse)?;
    if key.is_empty() || key.split('.').any(str::is_empty) {
        return Err(refuse());
    }
    let parsed =
        Node::parse("--set", &format!("value = {value}")).ok().and_then(|mut tree| tree.take("value"));
    let content = parsed.map_or_else(|| Content::Leaf(Value::from(value)), |node| node.content);
    Ok((key.to_owned(), Node { origin, content }))
}

fn read(source: &Source, sets: &Sets, used: &mut [bool], depth: usize) -> Result<Plan, PlanError> {
    let mut tree = Node::parse(&source.shown, &source.text)?;
    let about = tree.take("about").map_or_else(|| Ok(String::new()), |node| node.read())?;
    let texts = vec![PlanText { shown: source.shown.clone(), text: source.text.clone() }];
    let name = source.name.clone();
    let mut plan = Plan { name, about, points: Vec::new(), targets: Vec::new(), texts };
    let parts = tree.take("parts");
    let variants = variants(&mut tree)?;
    let sweeps = list(&mut tree, "sweep")?;
    let targets = list(&mut tree, "target")?;
    for (key, node) in
        parts.iter().flat_map(Node::list).zip(0..).map(|(node, n)| (format!("parts[{n}]"), node))
    {
        let name: String = node.read()?;
        if depth == DEEPEST {
            let message =
                format!("{name} is a part of a part, {DEEPEST} deep: plans must not hold themselves");
            return Err(PlanError { origin: node.origin.clone(), key, message });
        }
        let inner = Source::open_beside(&name, &source.folder).map_err(|e| PlanError {
            origin: node.origin.clone(),
            key,
            message: format!("{name} {}", e.message),
        })?;
        let inner = read(&inner, sets, used, depth + 1)?;
        plan.points.extend(inner.points);
        plan.targets.extend(inner.targets);
        plan.texts.extend(inner.texts);
    }
    let has = |key: &str, value: &Node| sweeps.iter().any(|sweep| position(sweep, key, value).is_some());
    let choose = sets.iter().map(|(key, node)| node.list().iter().all(|value| has(key, value))).collect();
    let reader = Reader { source, base: &tree, variants: &variants, sets, choose };
    let mut points = Vec::new();
    for sweep in sweeps.iter() {
        reader.sweep(sweep, used, &mut points)?;
    }
    if sweeps.is_empty() && parts.is_none() {
        reader.sweep(&Node::table(tree.origin.clone()), used, &mut points)?;
    } else if let (true, Some((key, node))) = (sweeps.is_empty(), tree.leaves().first()) {
        let message = "is without effect: a plan of parts alone has no settings of its own";
        return Err(PlanError { origin: node.origin.clone(), key: key.clone(), message: message.into() });
    }
    for node in &targets {
        let target = Target::read(node, &points)?;
        match target.check(&points) {
            // What the command line has set may have left no points to judge.
            Err(_) if !sets.is_empty() => {}
            Err(refusal) => return Err(node.refuse(refusal)),
            Ok(()) => plan.targets.push(target),
        }
    }
    plan.points.extend(points);
    Ok(plan)
}

/// A list of tables.
fn list(tree: &mut Node, key: &str) -> Result<Vec<Node>, PlanError> {
    let Some(node) = tree.take(key) else { return Ok(Vec::new()) };
    match node.content {
        Content::List(nodes) => Ok(nodes),
        _ => Err(PlanError {
            origin: node.origin,
            key: key.to_owned(),
            message: format!("is one table: needed is a list of them, each begun by [[{key}]]"),
        }),
    }
}

fn variants(tree: &mut Node) -> Result<BTreeMap<String, Node>, PlanError> {
    let Some(node) = tree.take("variant") else { return Ok(BTreeMap::new()) };
    match node.content {
        Content::Table(entries) => Ok(entries.into_iter().collect()),
        _ => Err(PlanError {
            origin: node.origin,
            key: "variant".to_owned(),
            message: "is no table: needed are settings under names, like variant.roce.transport.kind".into(),
        }),
    }
}

/// Key, values of an axis.
type Axis = (String, Vec<Node>);

struct Reader<'a> {
    source: &'a Source,
    base: &'a Node,
    variants: &'a BTreeMap<String, Node>,
    sets: &'a Sets,
    /// Of each set, whether the plan has all its values on axes: then it chooses among the points that there
    /// are.
    choose: Vec<bool>,
}

/// Where a value is on an axis of a sweep; for a key that is no axis of it there is no place.
fn position(sweep: &Node, key: &str, value: &Node) -> Option<usize> {
    let node = key.split('.').try_fold(sweep, |node, part| node.get(part))?;
    let Content::List(values) = &node.content else { return None };
    let wanted = text(&value.to_json());
    values.iter().position(|one| target::same(&text(&one.to_json()), &wanted))
}

impl Reader<'_> {
    /// All points of a sweep: the last axis turns fastest.
    fn sweep(&self, sweep: &Node, used: &mut [bool], points: &mut Vec<Point>) -> Result<(), PlanError> {
        let (whole, mut sweep) = (sweep, sweep.clone());
        let name = sweep.take("name").map_or_else(|| Ok(self.source.name.clone()), |node| node.read())?;
        let mut tree = self.base.clone();
        let mut axes: Vec<Axis> = Vec::new();
        for (key, node) in sweep.leaves() {
            match &node.content {
                // Faults are a list by nature.
                Content::List(values) if key != "fault" => {
                    if values.is_empty() {
                        return Err(
                            node.refuse(Refusal::new(key, "is an axis of no values: 1 or more are needed"))
                        );
                    }
                    axes.push((key, values.clone()));
                }
                _ if key == "variant" => axes.push((key, vec![node.clone()])),
                _ => tree.set(&key, node.clone()),
            }
        }
        let mut last = Vec::new();
        for (n, (key, node)) in self.sets.iter().enumerate() {
            match axes.iter_mut().find(|(axis, _)| axis == key) {
                Some((_, values)) => {
                    let is_chosen = |node: &&Node| !self.choose[n] || position(whole, key, node).is_some();
                    let list = node.list().iter().filter(is_chosen);
                    *values = list.map(|one| Node { origin: node.origin.clone(), ..one.clone() }).collect();
                    used[n] = true;
                }
                None if matches!(node.content, Content::List(_)) && key != "fault" => {}
                None => {
                    last.push((key, node));
                    used[n] = true;
                }
            }
        }
        let count = axes.iter().try_fold(1usize, |count, (_, values)| count.checked_mul(values.len()));
        let count = count.filter(|count| *count <= MOST_POINTS).ok_or_else(|| {
            sweep.refuse(Refusal::new(
                "sweep",
                format!("has more than {MOST_POINTS} points: take fewer values"),
            ))
        })?;
        for n in 0..count {
            let mut left = n;
            let mut chosen: Vec<_> = axes
                .iter()
                .rev()
                .map(|(key, values)| {
                    let node = &values[left % values.len()];
                    left /= values.len();
                    (key, node)
                })
                .collect();
            chosen.reverse();
            points.push(self.point(&name, tree.clone(), &chosen, &last)?);
        }
        Ok(())
    }

    fn point(
        &self,
        sweep: &str,
        mut tree: Node,
        chosen: &[(&String, &Node)],
        last: &[(&String, &Node)],
    ) -> Result<Point, PlanError> {
        let mut variant = None;
        for (_, node) in chosen.iter().filter(|(key, _)| *key == "variant") {
            let name: String = node.read()?;
            let settings = self.variants.get(&name).ok_or_else(|| {
                let names: Vec<_> = self.variants.keys().map(String::as_str).collect();
                let message = format!("{name:?} is no variant of the plan: those are {}", names.join(", "));
                PlanError { origin: node.origin.clone(), key: "variant".into(), message }
            })?;
            settings.leaves().into_iter().for_each(|(key, node)| tree.set(&key, node.clone()));
            variant = Some(name);
        }
        for (key, node) in chosen.iter().chain(last).filter(|(key, _)| *key != "variant") {
            tree.set(key, (*node).clone());
        }
        let axes: Vec<_> = chosen.iter().map(|(key, node)| ((*key).clone(), text(&node.to_json()))).collect();
        let mut name = sweep.to_owned();
        for (key, value) in &axes {
            let short = key.rsplit('.').next().unwrap_or(key);
            name += &match short {
                "variant" | "kind" => format!("/{value}"),
                _ => format!("/{short}={value}"),
            };
        }
        point(&tree, &self.source.folder, name, sweep.to_owned(), variant, axes)
    }
}

fn point(
    tree: &Node,
    folder: &Path,
    name: String,
    sweep: String,
    variant: Option<String>,
    axes: Vec<(String, String)>,
) -> Result<Point, PlanError> {
    let settings: Settings = tree.read()?;
    let run = check::run(&settings, folder).map_err(|refusal| tree.refuse(refusal))?;
    let variant = variant.unwrap_or_else(|| target::setting(&settings, "transport.kind").unwrap_or_default());
    Ok(Point { name, sweep, variant, axes, settings, run })
}

/// How a value is shown.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
