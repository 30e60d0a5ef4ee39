//! Width-exact expressions.
//!
//! Invariant: every node is a self-determined Verilog expression of exactly [`Expr::width`] bits, and
//! the operands of a context-determined operator have the operator's width. So nothing is widened by
//! context: no carry appears, no `~` fills upper bits, and no tool has a width to warn about.
use super::{Function, Named, NetId};
use num_bigint::BigUint;

/// Operators whose operands have the width of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReduceOp {
    And,
    Or,
    Xor,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    Const {
        value: BigUint,
        width: usize,
    },
    /// A localparam.
    Named(Named),
    Net {
        net: NetId,
        width: usize,
    },
    /// `width` bits of a net from bit `lo` up.
    Select {
        net: NetId,
        lo: usize,
        width: usize,
    },
    /// One bit of a net at a run-time index that is always inside.
    Bit {
        net: NetId,
        index: Box<Expr>,
    },
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Reduce(ReduceOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Compare {
        op: CompareOp,
        signed: bool,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// The amount is self-determined and may have any width.
    Shift {
        left: bool,
        value: Box<Expr>,
        amount: Box<Expr>,
    },
    /// Most significant first.
    Concat(Vec<Expr>),
    Repeat(usize, Box<Expr>),
    Call(Function, Vec<Expr>),
}

impl Expr {
    pub fn constant(value: impl Into<BigUint>, width: usize) -> Self {
        Expr::Const { value: value.into() % (BigUint::from(1u32) << width), width }
    }

    pub fn width(&self) -> usize {
        match self {
            Expr::Const { width, .. } | Expr::Net { width, .. } | Expr::Select { width, .. } => *width,
            Expr::Named(named) => named.width,
            Expr::Bit { .. } | Expr::Reduce(..) | Expr::Compare { .. } => 1,
            Expr::Not(x) | Expr::Neg(x) | Expr::Binary(_, x, _) => x.width(),
            Expr::Shift { value, .. } => value.width(),
            Expr::Concat(parts) => parts.iter().map(Expr::width).sum(),
            Expr::Repeat(count, x) => count * x.width(),
            Expr::Call(function, _) => function.width(),
        }
    }

    /// The value, when it is known at emission.
    pub fn known(&self) -> Option<&BigUint> {
        match self {
            Expr::Const { value, .. } => Some(value),
            Expr::Named(named) => Some(&named.value),
            _ => None,
        }
    }

    /// Calls `f` on this node and all below it.
    pub fn visit<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        match self {
            Expr::Const { .. } | Expr::Named(_) | Expr::Net { .. } | Expr::Select { .. } => {}
            Expr::Bit { index: x, .. }
            | Expr::Not(x)
            | Expr::Neg(x)
            | Expr::Reduce(_, x)
            | Expr::Repeat(_, x) => x.visit(f),
            Expr::Binary(_, left, right) | Expr::Compare { left, right, .. } => {
                left.visit(f);
                right.visit(f);
            }
            Expr::Shift { value, amount, .. } => {
                value.visit(f);
                amount.visit(f);
            }
            Expr::Concat(parts) | Expr::Call(_, parts) => parts.iter().for_each(|part| part.visit(f)),
        }
    }

    /// Calls `f(net, lo, width)` for every read of a net; `width` 0 stands for the whole net.
    pub fn reads(&self, f: &mut dyn FnMut(NetId, usize, usize)) {
        self.visit(&mut |node| match node {
            Expr::Net { net, width } => f(*net, 0, *width),
            Expr::Select { net, lo, width } => f(*net, *lo, *width),
            Expr::Bit { net, .. } => f(*net, 0, 0),
            _ => {}
        });
    }
}
