//! Bit selection, concatenation and extension of expressions, at exact widths.
use super::{BinaryOp, Expr, Function};
use num_bigint::BigUint;

/// Bits `lo .. lo + width`; bits past the top are zero, as in rust-hdl's `bit_cast` and `get_bits`.
pub(crate) fn slice(value: &Expr, lo: usize, width: usize) -> Expr {
    let of = value.width();
    if lo >= of {
        return Expr::constant(0u32, width);
    }
    if lo + width > of {
        return zero_extend(&slice(value, lo, of - lo), width);
    }
    if lo == 0 && width == of {
        return value.clone();
    }
    inside(value, lo, width).unwrap_or_else(|| {
        let function = Function::Slice { of, lo, width };
        Expr::Call(function, vec![value.clone()])
    })
}

/// A selection that lies inside and is smaller than the value, where operators let it through.
fn inside(value: &Expr, lo: usize, width: usize) -> Option<Expr> {
    let part = |x: &Expr| Box::new(slice(x, lo, width));
    Some(match value {
        Expr::Const { value, .. } => Expr::constant(value >> lo, width),
        Expr::Named(named) => Expr::constant(&named.value >> lo, width),
        Expr::Net { net, .. } => Expr::Select { net: *net, lo, width },
        Expr::Select { net, lo: start, .. } => Expr::Select { net: *net, lo: start + lo, width },
        Expr::Concat(parts) => of_concat(parts, lo, width),
        Expr::Repeat(_, x) if x.width() == 1 => Expr::Repeat(width, x.clone()),
        Expr::Not(x) => Expr::Not(part(x)),
        Expr::Neg(x) if lo == 0 => Expr::Neg(part(x)),
        Expr::Binary(op, left, right) => match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Expr::Binary(*op, part(left), part(right)),
            // The low bits of a sum depend on the low bits of its operands only.
            BinaryOp::Add | BinaryOp::Sub if lo == 0 => Expr::Binary(*op, part(left), part(right)),
            _ => return None,
        },
        Expr::Shift { left, value, amount } => {
            let amount = usize::try_from(amount.known()?.clone()).ok()?;
            if !*left {
                slice(value, lo + amount, width)
            } else if lo >= amount {
                slice(value, lo - amount, width)
            } else if lo + width <= amount {
                Expr::constant(0u32, width)
            } else {
                let zeros = amount - lo;
                concat(vec![slice(value, 0, width - zeros), Expr::constant(0u32, zeros)])
            }
        }
        _ => return None,
    })
}

fn of_concat(parts: &[Expr], lo: usize, width: usize) -> Expr {
    let mut taken = vec![];
    let mut base = 0;
    for part in parts.iter().rev() {
        let top = base + part.width();
        let (from, to) = (lo.max(base), (lo + width).min(top));
        if from < to {
            taken.push(slice(part, from - base, to - from));
        }
        base = top;
    }
    taken.reverse();
    concat(taken)
}

/// Concatenation, most significant first, flattened; adjacent constants merge.
pub(crate) fn concat(parts: Vec<Expr>) -> Expr {
    let mut flat: Vec<Expr> = vec![];
    for part in parts {
        let inner = if let Expr::Concat(inner) = part { inner } else { vec![part] };
        for part in inner {
            match (flat.last_mut(), &part) {
                (Some(Expr::Const { value: high, width }), Expr::Const { value: low, width: low_width }) => {
                    *high = (high.clone() << *low_width) | low;
                    *width += low_width;
                }
                _ => flat.push(part),
            }
        }
    }
    if flat.len() == 1 {
        flat.remove(0)
    } else {
        Expr::Concat(flat)
    }
}

pub(crate) fn zero_extend(value: &Expr, width: usize) -> Expr {
    let of = value.width();
    if of == width {
        value.clone()
    } else {
        concat(vec![Expr::Const { value: BigUint::default(), width: width - of }, value.clone()])
    }
}

/// Sign extension or truncation.
pub(crate) fn sign_extend(value: &Expr, width: usize) -> Expr {
    let of = value.width();
    if width <= of {
        return slice(value, 0, width);
    }
    match value {
        _ if of == 1 => Expr::Repeat(width, Box::new(value.clone())),
        Expr::Net { .. } | Expr::Select { .. } => {
            let sign = Expr::Repeat(width - of, Box::new(slice(value, of - 1, 1)));
            Expr::Concat(vec![sign, value.clone()])
        }
        _ => Expr::Call(Function::Extend { of, width }, vec![value.clone()]),
    }
}
