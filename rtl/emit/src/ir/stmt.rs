//! Statements after loops are unrolled.
use super::{Expr, NetId};
use std::collections::BTreeSet;

/// Part of a net: lowest bit and width.
pub(crate) type Range = (usize, usize);

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stmt {
    /// `range` is `None` for the whole net.
    Assign {
        target: NetId,
        range: Option<Range>,
        value: Expr,
    },
    If {
        cond: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// `full`: the patterns cover every variant, so the last arm is also the default.
    Case {
        on: Expr,
        arms: Vec<Arm>,
        full: bool,
    },
    Comment(String),
}

/// One arm of a case; no pattern is the default.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arm {
    pub pattern: Option<Expr>,
    pub body: Vec<Stmt>,
}

impl Stmt {
    /// Calls `f` on this statement and all inside it.
    pub fn visit<'a>(&'a self, f: &mut dyn FnMut(&'a Stmt)) {
        f(self);
        match self {
            Stmt::If { then, otherwise, .. } => then.iter().chain(otherwise).for_each(|s| s.visit(f)),
            Stmt::Case { arms, .. } => arms.iter().flat_map(|arm| &arm.body).for_each(|s| s.visit(f)),
            Stmt::Assign { .. } | Stmt::Comment(_) => {}
        }
    }

    /// Calls `f` on the expressions of this statement and all inside it.
    pub fn exprs<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        self.visit(&mut |stmt| stmt.own_exprs(f));
    }

    /// Calls `f` on the expressions of this statement alone.
    pub fn own_exprs<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match self {
            Stmt::Assign { value, .. } => f(value),
            Stmt::If { cond, .. } => f(cond),
            Stmt::Case { on, arms, .. } => {
                f(on);
                arms.iter().filter_map(|arm| arm.pattern.as_ref()).for_each(f);
            }
            Stmt::Comment(_) => {}
        }
    }

    pub fn writes(&self) -> BTreeSet<NetId> {
        let mut nets = BTreeSet::new();
        self.visit(&mut |stmt| {
            if let Stmt::Assign { target, .. } = stmt {
                nets.insert(*target);
            }
        });
        nets
    }

    pub fn reads(&self) -> BTreeSet<NetId> {
        let mut nets = BTreeSet::new();
        self.exprs(&mut |expr| {
            expr.reads(&mut |net, _, _| {
                nets.insert(net);
            })
        });
        nets
    }

    /// The statement reduced to its assignments to `keep`; `None` when nothing is left.
    pub fn project(&self, keep: &dyn Fn(NetId) -> bool) -> Option<Stmt> {
        let list = |body: &[Stmt]| body.iter().filter_map(|s| s.project(keep)).collect::<Vec<_>>();
        match self {
            Stmt::Assign { target, .. } => keep(*target).then(|| self.clone()),
            Stmt::Comment(_) => None,
            Stmt::If { cond, then, otherwise } => {
                let (mut then, mut otherwise) = (list(then), list(otherwise));
                if then.is_empty() && otherwise.is_empty() {
                    return None;
                }
                let mut cond = cond.clone();
                if then.is_empty() {
                    cond = if let Expr::Not(x) = cond { *x } else { Expr::Not(Box::new(cond)) };
                    then = std::mem::take(&mut otherwise);
                }
                Some(Stmt::If { cond, then, otherwise })
            }
            Stmt::Case { on, arms, full } => {
                let arms: Vec<_> =
                    arms.iter().map(|a| Arm { pattern: a.pattern.clone(), body: list(&a.body) }).collect();
                let some = arms.iter().any(|arm| !arm.body.is_empty());
                some.then(|| Stmt::Case { on: on.clone(), arms, full: *full })
            }
        }
    }
}
