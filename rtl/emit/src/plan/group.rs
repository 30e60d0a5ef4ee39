//! Divides combinational statements into `assign`s and independent `always @(*)` blocks.
//!
//! Statements that assign the same net stay together, and a reader of an intermediate value (it sits
//! between two assignments of the net) joins them. Any other reader sees the settled value, which is what
//! rust-hdl's fixed point gives it. Blocks that would read each other become one.
use super::connect::last_writes;
use super::Step;
use crate::error::Reason;
use crate::ir::{NetId, Scope, Stmt};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use petgraph::unionfind::UnionFind;
use std::collections::{BTreeMap, BTreeSet};

/// Combinational logic of one group.
#[derive(Debug)]
pub(crate) enum Comb {
    /// Assignments of whole nets, or of disjoint parts of them.
    Assign(Vec<Step>),
    /// One `always @(*)`.
    Block(Vec<Step>),
}

impl Comb {
    pub fn steps(&self) -> &[Step] {
        match self {
            Comb::Assign(steps) | Comb::Block(steps) => steps,
        }
    }
}

pub(super) fn plan(steps: Vec<Step>, scope: &Scope) -> Result<Vec<Comb>, (NetId, Reason)> {
    let accesses: Vec<_> = steps.iter().map(|step| (step.stmt.writes(), step.stmt.reads())).collect();
    let last = last_writes(&steps);
    let mut first = BTreeMap::new();
    let mut groups = UnionFind::<usize>::new(steps.len());
    for (index, (writes, _)) in accesses.iter().enumerate() {
        for net in writes {
            groups.union(*first.entry(*net).or_insert(index), index);
        }
    }
    for (index, (_, reads)) in accesses.iter().enumerate() {
        for net in reads {
            if let (Some(from), Some(to)) = (first.get(net), last.get(net)) {
                if *from < index && index < *to {
                    groups.union(*from, index);
                }
            }
        }
    }
    merge_cycles(&mut groups, &accesses, &first);
    let labels = groups.into_labeling();
    let mut order: Vec<usize> = vec![];
    let mut members: BTreeMap<usize, Vec<Step>> = BTreeMap::new();
    for (step, label) in steps.into_iter().zip(labels) {
        if !members.contains_key(&label) {
            order.push(label);
        }
        members.entry(label).or_default().push(step);
    }
    order.iter().filter_map(|label| members.remove(label)).map(|steps| shape(steps, scope)).collect()
}

/// Groups that read each other are one: in the kernel's order, each read comes after its assignment.
fn merge_cycles(
    groups: &mut UnionFind<usize>,
    accesses: &[(BTreeSet<NetId>, BTreeSet<NetId>)],
    first: &BTreeMap<NetId, usize>,
) {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = accesses.iter().map(|_| graph.add_node(())).collect();
    for (index, (_, reads)) in accesses.iter().enumerate() {
        let reader = groups.find(index);
        for writer in reads.iter().filter_map(|net| first.get(net)).map(|at| groups.find(*at)) {
            graph.update_edge(nodes[writer], nodes[reader], ());
        }
    }
    for cycle in tarjan_scc(&graph) {
        for pair in cycle.windows(2) {
            groups.union(pair[0].index(), pair[1].index());
        }
    }
}

fn shape(steps: Vec<Step>, scope: &Scope) -> Result<Comb, (NetId, Reason)> {
    let mut taken: BTreeMap<NetId, Vec<bool>> = BTreeMap::new();
    let mut plain = true;
    let mut reads = BTreeSet::new();
    for step in &steps {
        reads.extend(step.stmt.reads());
        let Stmt::Assign { target, range, .. } = &step.stmt else {
            plain = false;
            continue;
        };
        let width = scope.net(*target).width;
        let (lo, count) = range.unwrap_or((0, width));
        let bits = taken.entry(*target).or_insert_with(|| vec![false; width]);
        plain &= !bits[lo..lo + count].contains(&true);
        bits[lo..lo + count].fill(true);
    }
    let writes: BTreeSet<NetId> = steps.iter().flat_map(|step| step.stmt.writes()).collect();
    if plain && writes.is_disjoint(&reads) {
        return Ok(Comb::Assign(steps));
    }
    // Without an input, `always @(*)` would never run.
    match writes.first() {
        Some(net) if reads.is_subset(&writes) => {
            Err((*net, Reason::ConstantSteps(scope.net(*net).spelling())))
        }
        _ => Ok(Comb::Block(steps)),
    }
}
