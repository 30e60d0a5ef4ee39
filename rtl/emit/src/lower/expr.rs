//! Expressions: names, literals, casts.
use super::value::{literal, wrap, Value};
use super::{Lower, Lowered};
use crate::error::Reason;
use crate::ir::{slice, Expr, Named, NetId};
use rust_hdl::core::ast::VerilogExpression as Ast;

impl Lower<'_> {
    pub(super) fn value(&self, ast: &Ast) -> Lowered<Value> {
        match ast {
            Ast::Paren(inner) => self.value(inner),
            Ast::Signal(name) => self.name(name),
            Ast::Literal(number) => {
                let (value, width) = literal(number);
                // Only `bool` literals are one bit wide; all others adapt.
                Ok(Value::Int { value, width: (width == 1).then_some(1), signed: false })
            }
            Ast::Cast(inner, width) => self.cast(inner, *width),
            Ast::Signed(inner) => Ok(match self.value(inner)? {
                Value::Int { value, width, .. } => Value::Int { value, width, signed: true },
                Value::Bits { expr, signed: false } => Value::Bits { expr, signed: true },
                Value::Bits { expr, signed: true } => Value::SignExtend(expr),
                Value::SignExtend(_) => return Err(Reason::NoWidth("the inner signed_bit_cast")),
            }),
            Ast::Unsigned(inner) => Ok(match self.value(inner)? {
                Value::Int { value, width, .. } => Value::Int { value, width, signed: false },
                Value::Bits { expr, .. } => Value::Bits { expr, signed: false },
                Value::SignExtend(_) => return Err(Reason::NoWidth("the inner signed_bit_cast")),
            }),
            Ast::Unary(op, inner) => self.unary(op, inner),
            Ast::Binary(left, op, right) => self.binary(left, op, right),
            Ast::Slice(of, width, offset) => self.get_bits(of, *width, offset),
            Ast::Index(of, index) => self.get_bit(of, index),
            Ast::IndexReplace(of, index, bit) => self.replace_bit(of, index, bit),
        }
    }

    fn cast(&self, inner: &Ast, width: usize) -> Lowered<Value> {
        match self.value(inner)? {
            Value::Int { value, .. } => {
                let value = wrap(&value, width).into();
                Ok(Value::Int { value, width: Some(width), signed: false })
            }
            Value::Bits { expr, .. } => Ok(Value::bits(slice(&expr, 0, width))),
            Value::SignExtend(_) => Err(Reason::NoWidth("the inner signed_bit_cast")),
        }
    }

    pub(super) fn condition(&self, ast: &Ast) -> Lowered<Value> {
        let value = self.value(ast)?;
        if value.width() == Some(1) {
            Ok(value)
        } else {
            Err(Reason::Condition)
        }
    }

    fn name(&self, raw: &str) -> Lowered<Value> {
        if let Some((_, index)) = self.loops.iter().rev().find(|(name, _)| name == raw) {
            // rust-hdl erases `self.`, so the signal `self.k` and the loop index `k` look the same.
            if self.scope.by_path.contains_key(raw) || self.scope.constants.contains_key(raw) {
                return Err(Reason::LoopIndexIsSignal(raw.to_string()));
            }
            return Ok(Value::integer(*index));
        }
        let path = self.canonical(raw)?;
        if let Some(id) = self.scope.by_path.get(&path) {
            let net = self.scope.net(*id);
            if !net.readable() {
                return Err(Reason::ChildInputRead(net.spelling()));
            }
            let expr = Expr::Net { net: *id, width: net.width };
            return Ok(Value::Bits { expr, signed: net.signed() });
        }
        if let Some(named) = self.scope.constants.get(&path) {
            return Ok(Value::Bits { signed: named.signed, expr: Expr::Named(named.clone()) });
        }
        match self.variant(&path)? {
            Some(named) => Ok(Value::bits(Expr::Named(named))),
            None => Err(Reason::UnknownName(raw.to_string())),
        }
    }

    /// The enum variant that `path` ends in.
    pub(super) fn variant(&self, path: &str) -> Lowered<Option<Named>> {
        let suffix = format!("${path}");
        let hits: Vec<_> = self
            .scope
            .variants
            .iter()
            .filter(|(key, _)| {
                let qualified = path == *key || path.ends_with(&format!("${key}"));
                qualified || (!path.contains('$') && key.ends_with(&suffix))
            })
            .map(|(_, named)| named.clone())
            .collect();
        match hits.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.clone())),
            _ => Err(Reason::AmbiguousVariant(path.to_string())),
        }
    }

    /// A net this block drives.
    pub(super) fn target(&self, raw: &str) -> Lowered<NetId> {
        let path = self.canonical(raw)?;
        let id = *self.scope.by_path.get(&path).ok_or(Reason::UnknownName(path))?;
        let net = self.scope.net(id);
        if net.driven() {
            Ok(id)
        } else {
            Err(Reason::NotDriven(net.spelling()))
        }
    }
}
