//! What a kernel becomes: nets, width-exact expressions, statements.
mod expr;
mod function;
mod net;
mod slice;
mod stmt;

pub(crate) use expr::{BinaryOp, CompareOp, Expr, ReduceOp};
pub(crate) use function::Function;
pub(crate) use net::{Named, Net, NetId, Role, Scope};
pub(crate) use slice::{concat, sign_extend, slice, zero_extend};
pub(crate) use stmt::{Arm, Range, Stmt};
