//! A lowered value: what rust-hdl's tree says about it, and what it leaves out.
use super::Lowered;
use crate::error::Reason;
use crate::ir::{sign_extend, Expr};
use num_bigint::{BigInt, BigUint, Sign};
use rust_hdl::core::ast::VerilogLiteral;

#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// Known at emission. Without a width (Rust inferred it) it adapts to its context.
    Int { value: BigInt, width: Option<usize>, signed: bool },
    /// Known at run time, exactly as wide as its expression.
    Bits { expr: Expr, signed: bool },
    /// `signed_bit_cast(x)`: extended or truncated to a width that the tree has lost.
    SignExtend(Expr),
}

impl Value {
    pub fn integer(value: impl Into<BigInt>) -> Self {
        Value::Int { value: value.into(), width: None, signed: false }
    }

    pub fn bits(expr: Expr) -> Self {
        Value::Bits { expr, signed: false }
    }

    pub fn width(&self) -> Option<usize> {
        match self {
            Value::Int { width, .. } => *width,
            Value::Bits { expr, .. } => Some(expr.width()),
            Value::SignExtend(_) => None,
        }
    }

    pub fn signed(&self) -> bool {
        match self {
            Value::Int { signed, .. } | Value::Bits { signed, .. } => *signed,
            Value::SignExtend(_) => true,
        }
    }

    /// The expression of exactly `width` bits; another known width is refused.
    pub fn fit(&self, width: usize) -> Lowered<Expr> {
        match self {
            Value::Int { value, width: own, signed } => {
                if let Some(got) = own.filter(|got| *got != width) {
                    return Err(Reason::Width { got, need: width });
                }
                if needed_bits(value, *signed) > width {
                    return Err(Reason::Literal { value: value.to_string(), width });
                }
                Ok(Expr::constant(wrap(value, width), width))
            }
            Value::Bits { expr, .. } if expr.width() == width => Ok(expr.clone()),
            Value::Bits { expr, .. } => Err(Reason::Width { got: expr.width(), need: width }),
            Value::SignExtend(expr) => Ok(sign_extend(expr, width)),
        }
    }
}

fn needed_bits(value: &BigInt, signed: bool) -> usize {
    let bits = match value.sign() {
        Sign::Minus => (value + BigInt::from(1)).bits() + 1,
        _ => value.bits() + u64::from(signed),
    };
    bits as usize
}

/// `value` modulo 2^`width`.
pub(crate) fn wrap(value: &BigInt, width: usize) -> BigUint {
    let modulus = BigInt::from(1) << width;
    let rest = value % &modulus;
    let rest = if rest.sign() == Sign::Minus { rest + modulus } else { rest };
    rest.magnitude().clone()
}

/// Value and width of a literal. Its fields are private; its `LowerHex` form (`32'hff`) is not.
pub(crate) fn literal(literal: &VerilogLiteral) -> (BigInt, usize) {
    let text = format!("{literal:x}");
    let parsed = text.split_once("'h").and_then(|(width, digits)| {
        Some((BigInt::parse_bytes(digits.as_bytes(), 16)?, width.parse::<usize>().ok()?))
    });
    parsed.unwrap_or_else(|| unreachable!("rust-hdl prints literals as WIDTH'hDIGITS, not {text}"))
}
