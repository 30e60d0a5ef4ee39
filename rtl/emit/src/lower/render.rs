//! Prints rust-hdl's syntax tree back in Rust's spelling, for error messages.
use super::value::literal;
use rust_hdl::core::ast::{VerilogExpression as Ast, VerilogOp as Op, VerilogOpUnary as UnaryOp};

pub(super) fn assignment(target: &Ast, value: &Ast) -> String {
    format!("{}.next = {}", name(target), expr(value))
}

pub(super) fn expr(ast: &Ast) -> String {
    match ast {
        Ast::Signal(_) => name(ast),
        Ast::Literal(number) => literal(number).0.to_string(),
        Ast::Cast(x, width) => format!("bit_cast::<{width}, _>({})", expr(x)),
        Ast::Signed(x) => format!("signed_cast({})", expr(x)),
        Ast::Unsigned(x) => format!("unsigned_cast({})", expr(x)),
        Ast::Paren(x) => format!("({})", expr(x)),
        Ast::Binary(left, op, right) => format!("{} {} {}", expr(left), operator(op), expr(right)),
        Ast::Unary(UnaryOp::Not, x) => format!("!{}", expr(x)),
        Ast::Unary(UnaryOp::Neg, x) => format!("-{}", expr(x)),
        Ast::Unary(UnaryOp::All, x) => format!("{}.all()", expr(x)),
        Ast::Unary(UnaryOp::Any, x) => format!("{}.any()", expr(x)),
        Ast::Unary(UnaryOp::Xor, x) => format!("{}.xor()", expr(x)),
        Ast::Index(x, index) => format!("{}.get_bit({})", expr(x), expr(index)),
        Ast::Slice(x, width, offset) => format!("{}.get_bits::<{width}>({})", expr(x), expr(offset)),
        Ast::IndexReplace(x, index, bit) => {
            format!("{}.replace_bit({}, {})", expr(x), expr(index), expr(bit))
        }
    }
}

pub(super) fn name(ast: &Ast) -> String {
    match ast {
        Ast::Signal(name) => name.trim_end_matches("$next").replace('$', "."),
        other => expr(other),
    }
}

fn operator(op: &Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::LogicalAnd => "&&",
        Op::LogicalOr => "||",
        Op::BitXor => "^",
        Op::BitAnd => "&",
        Op::BitOr => "|",
        Op::Shl => "<<",
        Op::Shr => ">>",
        Op::Eq => "==",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Ne => "!=",
        Op::Ge => ">=",
        Op::Gt => ">",
    }
}
