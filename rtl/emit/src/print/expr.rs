//! Expressions.
use crate::ir::{BinaryOp, CompareOp, Expr, NetId, Range, ReduceOp, Scope};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Prints expressions of one module.
pub(super) struct Printer<'a> {
    pub scope: &'a Scope,
    /// Struct fields that have a wire of their own.
    pub fields: BTreeMap<(NetId, Range), String>,
}

/// How an expression stands inside another.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Alone: no parentheses.
    Whole,
    /// Left operand of this operator.
    Left(BinaryOp),
    /// Any other operand.
    Operand,
}

impl Printer<'_> {
    pub fn expr(&self, expr: &Expr) -> String {
        self.place(expr, Place::Whole)
    }

    fn place(&self, expr: &Expr, place: Place) -> String {
        let operand = |x: &Expr| self.place(x, Place::Operand);
        let (text, compound) = match expr {
            Expr::Const { value, width } => (number(value, *width), false),
            Expr::Named(named) => (named.name.clone(), false),
            Expr::Net { net, .. } => (self.scope.net(*net).name.clone(), false),
            Expr::Select { net, lo, width } => (self.select(*net, *lo, *width), false),
            Expr::Bit { net, index } => {
                (format!("{}[{}]", self.scope.net(*net).name, self.expr(index)), false)
            }
            Expr::Not(x) => return unary("~", &operand(x), x),
            Expr::Neg(x) => (unary("-", &operand(x), x), true),
            // Two operators side by side can be one token: always parentheses.
            Expr::Reduce(op, x) => {
                let op = match op {
                    ReduceOp::And => "&",
                    ReduceOp::Or => "|",
                    ReduceOp::Xor => "^",
                };
                (unary(op, &operand(x), x), true)
            }
            Expr::Binary(op, left, right) => {
                let text =
                    format!("{} {} {}", self.place(left, Place::Left(*op)), symbol(*op), operand(right));
                (text, place != Place::Left(*op) || !associative(*op))
            }
            Expr::Compare { op, signed, left, right } => {
                let side = |x: &Expr| {
                    if *signed {
                        format!("$signed({})", self.expr(x))
                    } else {
                        operand(x)
                    }
                };
                (format!("{} {} {}", side(left), comparison(*op), side(right)), true)
            }
            Expr::Shift { left, value, amount } => {
                let op = if *left { "<<" } else { ">>" };
                (format!("{} {op} {}", operand(value), operand(amount)), true)
            }
            Expr::Concat(parts) => (format!("{{{}}}", self.list(parts)), false),
            Expr::Repeat(count, x) => (format!("{{{count}{{{}}}}}", self.expr(x)), false),
            Expr::Call(function, parts) => (format!("{}({})", function.name(), self.list(parts)), false),
        };
        if compound && place != Place::Whole {
            format!("({text})")
        } else {
            text
        }
    }

    fn list(&self, parts: &[Expr]) -> String {
        parts.iter().map(|part| self.expr(part)).collect::<Vec<_>>().join(", ")
    }

    fn select(&self, net: NetId, lo: usize, width: usize) -> String {
        match self.fields.get(&(net, (lo, width))) {
            Some(name) => name.clone(),
            None => format!("{}{}", self.scope.net(net).name, part(Some((lo, width)))),
        }
    }
}

/// An operator before an operand that is a name or has parentheses.
fn unary(op: &str, operand: &str, inner: &Expr) -> String {
    if matches!(inner, Expr::Not(_)) {
        format!("{op}({operand})")
    } else {
        format!("{op}{operand}")
    }
}

/// `[hi:lo]`, `[lo]`, or nothing for a whole net.
pub(super) fn part(range: Option<Range>) -> String {
    match range {
        None => String::new(),
        Some((lo, 1)) => format!("[{lo}]"),
        Some((lo, width)) => format!("[{}:{lo}]", lo + width - 1),
    }
}

pub(super) fn number(value: &BigUint, width: usize) -> String {
    if width == 1 || *value < BigUint::from(10u32) {
        format!("{width}'{}{value}", if width == 1 { 'b' } else { 'd' })
    } else {
        format!("{width}'h{value:x}")
    }
}

fn associative(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Mul)
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}

fn comparison(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}
