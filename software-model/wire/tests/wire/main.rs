//! The wire format from outside of the crate.

mod fields;
mod libraries;
mod precedence;
mod renderings;
mod robustness;
mod scapy;
mod support;
mod tools;
