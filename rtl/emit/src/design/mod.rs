//! The design as rust-hdl presents it: instances, their signals and types.
mod name;
mod names;
mod register;
mod tree;
mod types;

pub use name::ModuleName;
pub(crate) use names::{legal, Names};
pub(crate) use register::{recognise, RegisterKind};
pub(crate) use tree::{collect, Instance, Signal};
pub(crate) use types::{fields, variants};
