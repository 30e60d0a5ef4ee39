//! Removes top-level assignments that a later one replaces before anything reads them, such as the
//! `d = q` default of a register that is assigned unconditionally afterwards.
use super::{remove_steps, Step};
use crate::ir::{NetId, Stmt};
use std::collections::BTreeSet;

pub(super) fn remove(steps: &mut Vec<Step>) {
    // Backwards: the nets that a later step assigns wholly, with no read in between.
    let mut replaced: BTreeSet<NetId> = BTreeSet::new();
    let mut gone = BTreeSet::new();
    for (index, step) in steps.iter().enumerate().rev() {
        if let Stmt::Assign { target, range, .. } = &step.stmt {
            if replaced.contains(target) {
                gone.insert(index);
                continue;
            }
            if range.is_none() {
                replaced.insert(*target);
            }
        }
        for net in step.stmt.reads() {
            replaced.remove(&net);
        }
    }
    remove_steps(steps, &|index| gone.contains(&index));
}
