//! Checks that every net is assigned on every path, and not read before.
use crate::error::Reason;
use crate::ir::{NetId, Scope, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// Bits assigned so far on this path.
type Cover = BTreeMap<NetId, Vec<bool>>;

/// The net at fault and why.
pub(super) fn check(stmts: &[Stmt], scope: &Scope) -> Result<(), (NetId, Reason)> {
    let driven: BTreeSet<NetId> = stmts.iter().flat_map(Stmt::writes).collect();
    let check = Check { scope, driven: &driven };
    let mut cover = Cover::new();
    check.block(stmts, &mut cover)?;
    for net in &driven {
        if !complete(&cover, *net) {
            return Err((*net, Reason::Latch(scope.net(*net).spelling())));
        }
    }
    Ok(())
}

fn complete(cover: &Cover, net: NetId) -> bool {
    cover.get(&net).is_some_and(|bits| bits.iter().all(|bit| *bit))
}

struct Check<'a> {
    scope: &'a Scope,
    driven: &'a BTreeSet<NetId>,
}

impl Check<'_> {
    fn block(&self, stmts: &[Stmt], cover: &mut Cover) -> Result<(), (NetId, Reason)> {
        stmts.iter().try_for_each(|stmt| self.statement(stmt, cover))
    }

    fn statement(&self, stmt: &Stmt, cover: &mut Cover) -> Result<(), (NetId, Reason)> {
        self.reads(stmt, cover)?;
        match stmt {
            Stmt::Comment(_) => {}
            Stmt::Assign { target, range, .. } => {
                let width = self.scope.net(*target).width;
                let (lo, count) = range.unwrap_or((0, width));
                let bits = cover.entry(*target).or_insert_with(|| vec![false; width]);
                bits[lo..lo + count].fill(true);
            }
            Stmt::If { then, otherwise, .. } => {
                let mut other = cover.clone();
                self.block(then, cover)?;
                self.block(otherwise, &mut other)?;
                meet(cover, &other);
            }
            Stmt::Case { arms, full, .. } => {
                let before = cover.clone();
                let mut joined: Option<Cover> = None;
                for arm in arms {
                    let mut inside = before.clone();
                    self.block(&arm.body, &mut inside)?;
                    match &mut joined {
                        None => joined = Some(inside),
                        Some(joined) => meet(joined, &inside),
                    }
                }
                let some_default = *full || arms.iter().any(|arm| arm.pattern.is_none());
                *cover = joined.filter(|_| some_default).unwrap_or(before);
            }
        }
        Ok(())
    }

    fn reads(&self, stmt: &Stmt, cover: &Cover) -> Result<(), (NetId, Reason)> {
        let mut early = None;
        stmt.own_exprs(&mut |expr| {
            expr.reads(&mut |net, lo, width| {
                let ready = match cover.get(&net) {
                    _ if !self.driven.contains(&net) => !self.undriven(net),
                    Some(bits) if width > 0 => bits[lo..lo + width].iter().all(|bit| *bit),
                    Some(bits) => bits.iter().all(|bit| *bit),
                    None => false,
                };
                if !ready {
                    early = Some(net);
                }
            })
        });
        match early {
            Some(net) => Err((net, Reason::ReadBeforeAssigned(self.scope.net(net).spelling()))),
            None => Ok(()),
        }
    }

    /// This block should drive it and does not.
    fn undriven(&self, net: NetId) -> bool {
        self.scope.net(net).driven()
    }
}

fn meet(cover: &mut Cover, other: &Cover) {
    cover.retain(|net, bits| {
        let Some(others) = other.get(net) else { return false };
        bits.iter_mut().zip(others).for_each(|(bit, other)| *bit &= *other);
        true
    });
}
