//! Arithmetic on integers known at emission: loop indices and literals, as Rust's `usize`.
use super::value::Value;
use super::Lowered;
use crate::error::Reason;
use num_bigint::{BigInt, Sign};
use rust_hdl::core::ast::VerilogOp;

pub(super) fn fold(left: &BigInt, op: &VerilogOp, right: &BigInt) -> Lowered<Value> {
    let compare = |truth: bool| Ok(Value::Int { value: truth.into(), width: Some(1), signed: false });
    let shift = || u32::try_from(right.clone()).map_err(|_| Reason::Integer(format!("shift by {right}")));
    let value = match op {
        VerilogOp::Eq => return compare(left == right),
        VerilogOp::Ne => return compare(left != right),
        VerilogOp::Lt => return compare(left < right),
        VerilogOp::Le => return compare(left <= right),
        VerilogOp::Gt => return compare(left > right),
        VerilogOp::Ge => return compare(left >= right),
        VerilogOp::Add => left + right,
        VerilogOp::Sub => left - right,
        VerilogOp::Mul => left * right,
        VerilogOp::BitXor => left ^ right,
        VerilogOp::BitAnd => left & right,
        VerilogOp::BitOr => left | right,
        VerilogOp::Shl => left << shift()?,
        VerilogOp::Shr => left >> shift()?,
        VerilogOp::LogicalAnd => return Err(Reason::IntegerOperator("&&")),
        VerilogOp::LogicalOr => return Err(Reason::IntegerOperator("||")),
    };
    if matches!(op, VerilogOp::Sub) && value.sign() == Sign::Minus {
        return Err(Reason::Integer(format!("{left} - {right}")));
    }
    Ok(Value::integer(value))
}
