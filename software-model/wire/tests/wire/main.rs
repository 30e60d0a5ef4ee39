//! The wire format from outside of the crate.

mod precedence;
mod renderings;
mod robustness;
mod support;
