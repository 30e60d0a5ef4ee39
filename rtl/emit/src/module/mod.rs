//! One module definition: names, kernel, plan, text.
mod assigned;
mod build;
mod children;
mod scope;

pub(crate) use build::{build, Definition, Port, Unnamed};
pub(crate) use children::Register;
pub(crate) use scope::{Kind, Naming};
