//! Unary and binary operators.
use super::integer::fold;
use super::value::{wrap, Value};
use super::{Lower, Lowered};
use crate::error::Reason;
use crate::ir::{sign_extend, zero_extend, BinaryOp, CompareOp, Expr, ReduceOp};
use num_bigint::BigInt;
use rust_hdl::core::ast::{VerilogExpression as Ast, VerilogOp as Op, VerilogOpUnary as UnaryOp};

impl Lower<'_> {
    pub(super) fn unary(&self, op: &UnaryOp, inner: &Ast) -> Lowered<Value> {
        match (op, self.value(inner)?) {
            (UnaryOp::Neg, Value::Int { value, width, .. }) => {
                Ok(Value::Int { value: -value, width, signed: true })
            }
            (UnaryOp::Not, Value::Int { value, width: Some(width), signed }) => {
                let value = BigInt::from(wrap(&(-value - 1), width));
                Ok(Value::Int { value, width: Some(width), signed })
            }
            (op, Value::Int { value, width: Some(width), .. }) => {
                let ones = wrap(&value, width).count_ones();
                let truth = match op {
                    UnaryOp::All => ones == width as u64,
                    UnaryOp::Any => ones > 0,
                    _ => ones % 2 == 1,
                };
                Ok(Value::Int { value: truth.into(), width: Some(1), signed: false })
            }
            (op, Value::Bits { expr, signed }) => {
                let inner = Box::new(expr);
                Ok(match op {
                    UnaryOp::Not => Value::Bits { expr: Expr::Not(inner), signed },
                    UnaryOp::Neg => Value::Bits { expr: Expr::Neg(inner), signed },
                    UnaryOp::All => Value::bits(Expr::Reduce(ReduceOp::And, inner)),
                    UnaryOp::Any => Value::bits(Expr::Reduce(ReduceOp::Or, inner)),
                    UnaryOp::Xor => Value::bits(Expr::Reduce(ReduceOp::Xor, inner)),
                })
            }
            _ => Err(Reason::NoWidth("the operand of a unary operator")),
        }
    }

    pub(super) fn binary(&self, left: &Ast, op: &Op, right: &Ast) -> Lowered<Value> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        if let (Value::Int { value: a, width: None, .. }, Value::Int { value: b, width: None, .. }) =
            (&left, &right)
        {
            return fold(a, op, b);
        }
        match op {
            Op::Shl | Op::Shr => shift(&left, matches!(op, Op::Shl), &right),
            Op::Mul => multiply(&left, &right),
            _ => same_width(&left, op, &right),
        }
    }
}

fn shift(value: &Value, left: bool, amount: &Value) -> Lowered<Value> {
    let amount = match amount {
        Value::Int { value, .. } => Expr::constant(wrap(value, 64), value.bits().max(1) as usize),
        Value::Bits { expr, .. } => expr.clone(),
        Value::SignExtend(_) => return Err(Reason::NoWidth("the shift amount")),
    };
    let (expr, signed) = match value {
        // `1 << x.val()`: rust-hdl's literal type has 64 bits.
        Value::Int { width, signed, .. } => (value.fit(width.unwrap_or(64))?, *signed),
        Value::Bits { expr, signed } => (expr.clone(), *signed),
        Value::SignExtend(_) => return Err(Reason::NoWidth("the value shifted")),
    };
    let width = expr.width();
    if amount.known().is_some_and(|amount| *amount >= width.into()) {
        return Ok(Value::Bits { expr: Expr::constant(0u32, width), signed });
    }
    let expr = Expr::Shift { left, value: Box::new(expr), amount: Box::new(amount) };
    Ok(Value::Bits { expr, signed })
}

fn multiply(left: &Value, right: &Value) -> Lowered<Value> {
    let (Some(a), Some(b)) = (left.width(), right.width()) else {
        return Err(Reason::NoWidth("the literal factor"));
    };
    let signed = left.signed() || right.signed();
    let extend = |value: &Value, width| -> Lowered<Box<Expr>> {
        let expr = value.fit(width)?;
        let wide = if signed { sign_extend(&expr, a + b) } else { zero_extend(&expr, a + b) };
        Ok(Box::new(wide))
    };
    let expr = Expr::Binary(BinaryOp::Mul, extend(left, a)?, extend(right, b)?);
    Ok(Value::Bits { expr, signed })
}

fn same_width(left: &Value, op: &Op, right: &Value) -> Lowered<Value> {
    // rust-hdl adds a `bool` to `Bits<N>`.
    let carry = matches!(op, Op::Add) && right.width() == Some(1);
    let width = match (left.width(), right.width()) {
        (Some(a), Some(b)) if a == b => a,
        (Some(a), Some(_)) if carry => a,
        (Some(left), Some(right)) => return Err(Reason::Operands { left, right }),
        (Some(width), None) | (None, Some(width)) => width,
        (None, None) => return Err(Reason::NoWidth("both operands")),
    };
    let signed = left.signed() || right.signed();
    let a = left.fit(width)?;
    let b = if carry { zero_extend(&right.fit(1)?, width) } else { right.fit(width)? };
    let op = match op {
        Op::Eq => return Ok(compare(CompareOp::Eq, false, a, b)),
        Op::Ne => return Ok(compare(CompareOp::Ne, false, a, b)),
        Op::Lt => return Ok(compare(CompareOp::Lt, signed, a, b)),
        Op::Le => return Ok(compare(CompareOp::Le, signed, a, b)),
        Op::Gt => return Ok(compare(CompareOp::Gt, signed, a, b)),
        Op::Ge => return Ok(compare(CompareOp::Ge, signed, a, b)),
        Op::Add => BinaryOp::Add,
        Op::Sub => BinaryOp::Sub,
        Op::BitXor => BinaryOp::Xor,
        Op::BitAnd | Op::LogicalAnd => BinaryOp::And,
        Op::BitOr | Op::LogicalOr => BinaryOp::Or,
        Op::Mul | Op::Shl | Op::Shr => unreachable!("lowered by their own functions"),
    };
    Ok(Value::Bits { expr: Expr::Binary(op, Box::new(a), Box::new(b)), signed })
}

/// A comparison; one that no value of the operands can change is folded, since lint tools (rightly)
/// report it.
fn compare(op: CompareOp, signed: bool, left: Expr, right: Expr) -> Value {
    let width = left.width();
    let last = (num_bigint::BigUint::from(1u32) << width) - 1u32;
    let is = |expr: &Expr, value: &num_bigint::BigUint| !signed && expr.known() == Some(value);
    let zero = num_bigint::BigUint::default();
    let folded = match op {
        CompareOp::Lt if is(&right, &zero) || is(&left, &last) => Some(false),
        CompareOp::Ge if is(&right, &zero) || is(&left, &last) => Some(true),
        CompareOp::Gt if is(&right, &last) || is(&left, &zero) => Some(false),
        CompareOp::Le if is(&right, &last) || is(&left, &zero) => Some(true),
        _ => None,
    };
    match folded {
        Some(truth) => Value::Int { value: truth.into(), width: Some(1), signed: false },
        None => Value::bits(Expr::Compare { op, signed, left: Box::new(left), right: Box::new(right) }),
    }
}
