//! `get_bit`, `get_bits` and `replace_bit`.
use super::value::{wrap, Value};
use super::{Lower, Lowered};
use crate::error::Reason;
use crate::ir::{concat, slice, zero_extend, Expr, Function};
use num_bigint::BigInt;
use rust_hdl::core::ast::VerilogExpression as Ast;

/// An index: known at emission, or not.
enum Index {
    At(usize),
    Run(Expr),
}

impl Lower<'_> {
    pub(super) fn get_bits(&self, of: &Ast, width: usize, offset: &Ast) -> Lowered<Value> {
        let (value, signed) = self.selectable(of)?;
        let of = value.width();
        let expr = match self.index(offset)? {
            // rust-hdl allows the offset to be the width: all zeros.
            Index::At(lo) if lo > of => return Err(out_of_range(lo, of)),
            Index::At(lo) => slice(&value, lo, width),
            Index::Run(index) => {
                let function = Function::SliceAt { of, index: index.width(), width: width.min(of) };
                zero_extend(&Expr::Call(function, vec![value, index]), width)
            }
        };
        Ok(Value::Bits { expr, signed })
    }

    pub(super) fn get_bit(&self, of: &Ast, index: &Ast) -> Lowered<Value> {
        let (value, _) = self.selectable(of)?;
        let of = value.width();
        Ok(Value::bits(match self.index(index)? {
            Index::At(at) if at >= of => return Err(out_of_range(at, of)),
            Index::At(at) => slice(&value, at, 1),
            // rust-hdl accepts no other index than 0 here.
            Index::Run(_) if of == 1 => value,
            Index::Run(index) => {
                let bits = of.ilog2() as usize;
                match value {
                    // Every index is inside: Verilog's own bit select cannot give x.
                    Expr::Net { net, .. } if of.is_power_of_two() && index.width() <= bits => {
                        Expr::Bit { net, index: Box::new(zero_extend(&index, bits)) }
                    }
                    value => {
                        let function = Function::SliceAt { of, index: index.width(), width: 1 };
                        Expr::Call(function, vec![value, index])
                    }
                }
            }
        }))
    }

    pub(super) fn replace_bit(&self, of: &Ast, index: &Ast, bit: &Ast) -> Lowered<Value> {
        let (value, signed) = self.selectable(of)?;
        let of = value.width();
        let bit = self.value(bit)?.fit(1)?;
        let expr = match self.index(index)? {
            Index::At(at) if at >= of => return Err(out_of_range(at, of)),
            Index::At(at) => {
                let mut parts = vec![];
                if at + 1 < of {
                    parts.push(slice(&value, at + 1, of - at - 1));
                }
                parts.push(bit);
                if at > 0 {
                    parts.push(slice(&value, 0, at));
                }
                concat(parts)
            }
            Index::Run(_) if of == 1 => bit,
            Index::Run(index) => {
                let function = Function::SetBit { of, index: index.width() };
                Expr::Call(function, vec![value, index, bit])
            }
        };
        Ok(Value::Bits { expr, signed })
    }

    /// The value a bit is selected from: its width must be known.
    fn selectable(&self, ast: &Ast) -> Lowered<(Expr, bool)> {
        match self.value(ast)? {
            Value::Bits { expr, signed } => Ok((expr, signed)),
            Value::Int { value, width: Some(width), signed } => {
                Ok((Expr::constant(wrap(&value, width), width), signed))
            }
            _ => Err(Reason::NoWidth("the value selected from")),
        }
    }

    /// `.index()` leaves no trace in the tree, so `x.index() + 1`, which does not wrap, and
    /// `(x + 1).index()`, which does, differ by a parenthesis alone: the first form is refused.
    fn index(&self, ast: &Ast) -> Lowered<Index> {
        match self.value(ast)? {
            Value::Int { value, .. } => to_usize(&value).map(Index::At),
            Value::Bits { .. } if matches!(ast, Ast::Binary(..)) => Err(Reason::IndexArithmetic),
            Value::Bits { expr, .. } => match expr.known() {
                Some(value) => to_usize(&value.clone().into()).map(Index::At),
                None => Ok(Index::Run(expr)),
            },
            Value::SignExtend(_) => Err(Reason::NoWidth("the index")),
        }
    }
}

fn to_usize(value: &BigInt) -> Lowered<usize> {
    usize::try_from(value.clone()).map_err(|_| Reason::Integer(value.to_string()))
}

fn out_of_range(index: usize, width: usize) -> Reason {
    Reason::IndexRange { index: index.to_string(), width }
}
