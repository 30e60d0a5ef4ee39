//! Inputs of children and registers that are plain copies of something settled: connected directly,
//! without a net of their own.
use super::{remove_steps, Step};
use crate::ir::{Expr, NetId, Role, Scope, Stmt};
use crate::module::Register;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn direct(steps: &mut Vec<Step>, scope: &Scope, registers: &[Register]) -> BTreeMap<NetId, Expr> {
    let data: BTreeSet<NetId> = registers.iter().map(|register| register.d).collect();
    let last_write = last_writes(steps);
    let mut writers: BTreeMap<NetId, usize> = BTreeMap::new();
    for net in steps.iter().flat_map(|step| step.stmt.writes()) {
        *writers.entry(net).or_default() += 1;
    }
    let mut connect = BTreeMap::new();
    let mut gone = BTreeSet::new();
    for (index, step) in steps.iter().enumerate() {
        let Stmt::Assign { target, range: None, value } = &step.stmt else { continue };
        let input = matches!(scope.net(*target).role, Role::ChildInput | Role::RegisterInput);
        let plain =
            matches!(value, Expr::Net { .. } | Expr::Select { .. } | Expr::Const { .. } | Expr::Named(_));
        let once = writers.get(target) == Some(&1);
        let settled = settled(&step.stmt, index, &last_write);
        if input && plain && once && settled && !data.contains(target) {
            connect.insert(*target, value.clone());
            gone.insert(index);
        }
    }
    remove_steps(steps, &|index| gone.contains(&index));
    connect
}

/// The last step that writes each net.
pub(super) fn last_writes(steps: &[Step]) -> BTreeMap<NetId, usize> {
    let mut last = BTreeMap::new();
    for (index, step) in steps.iter().enumerate() {
        for net in step.stmt.writes() {
            last.insert(net, index);
        }
    }
    last
}

/// Does `stmt`, the step at `index`, read only nets that no step from there on writes?
pub(super) fn settled(stmt: &Stmt, index: usize, last: &BTreeMap<NetId, usize>) -> bool {
    stmt.reads().iter().all(|net| last.get(net).is_none_or(|at| *at < index))
}
