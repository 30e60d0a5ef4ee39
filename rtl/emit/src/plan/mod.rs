//! Decides how the statements of a kernel become Verilog: which connect a child directly, which are
//! clocked, which are `assign`s, and which share an `always @(*)`.
mod clocked;
mod connect;
mod dead;
mod group;

use crate::error::Reason;
use crate::ir::{Expr, NetId, Scope, Stmt};
use crate::module::Register;
use std::collections::BTreeMap;

pub(crate) use clocked::{Clocked, Update};
pub(crate) use group::Comb;

/// A top-level statement and the comments before it.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub comments: Vec<String>,
    pub stmt: Stmt,
}

pub(crate) struct Plan {
    /// Inputs of children and registers that need no net of their own.
    pub connect: BTreeMap<NetId, Expr>,
    pub comb: Vec<Comb>,
    pub clocked: Vec<Clocked>,
}

impl Plan {
    /// Needs statements that passed `assigned::check`.
    pub fn new(stmts: Vec<Stmt>, scope: &Scope, registers: &[Register]) -> Result<Self, (NetId, Reason)> {
        let mut steps = steps(stmts);
        dead::remove(&mut steps);
        let connect = connect::direct(&mut steps, scope, registers);
        let clocked = clocked::plan(&mut steps, scope, registers, &connect)?;
        let comb = group::plan(steps, scope)?;
        Ok(Self { connect, comb, clocked })
    }

    /// Calls `f` on every expression the module will contain.
    pub fn exprs<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        self.connect.values().for_each(&mut *f);
        for comb in &self.comb {
            comb.steps().iter().for_each(|step| step.stmt.exprs(f));
        }
        for clocked in &self.clocked {
            clocked.exprs(f);
        }
    }
}

fn steps(stmts: Vec<Stmt>) -> Vec<Step> {
    let mut steps = vec![];
    let mut comments = vec![];
    for stmt in stmts {
        match stmt {
            Stmt::Comment(text) => comments.push(text),
            stmt => steps.push(Step { comments: std::mem::take(&mut comments), stmt }),
        }
    }
    steps
}

/// Removes the steps `gone` selects; their comments move to the next step.
fn remove_steps(steps: &mut Vec<Step>, gone: &dyn Fn(usize) -> bool) {
    let mut comments: Vec<String> = vec![];
    let mut kept = vec![];
    for (index, mut step) in std::mem::take(steps).into_iter().enumerate() {
        comments.append(&mut step.comments);
        if !gone(index) {
            step.comments = std::mem::take(&mut comments);
            kept.push(step);
        }
    }
    *steps = kept;
}
