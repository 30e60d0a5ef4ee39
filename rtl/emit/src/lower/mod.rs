//! From rust-hdl's syntax tree to width-exact expressions and statements.
mod array;
mod expr;
mod integer;
mod link;
mod ops;
mod render;
mod select;
mod stmt;
mod value;

use link::ends;
pub(crate) use stmt::Fault;
pub(crate) use value::{literal, wrap};

use crate::error::Reason;
use crate::ir::Scope;

pub(crate) type Lowered<T> = Result<T, Reason>;

/// Lowers one kernel: what its names mean, and the loop indices of the moment.
pub(crate) struct Lower<'a> {
    scope: &'a Scope,
    loops: Vec<(String, i64)>,
}

impl<'a> Lower<'a> {
    pub fn new(scope: &'a Scope) -> Self {
        Self { scope, loops: vec![] }
    }
}
