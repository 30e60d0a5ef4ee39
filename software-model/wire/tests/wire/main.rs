//! The wire format from outside of the crate.

mod precedence;
mod robustness;
mod support;
