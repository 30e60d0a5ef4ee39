//! The wire format from outside of the crate.

mod c_header;
mod fields;
mod golden;
mod libraries;
mod parallel;
mod precedence;
mod renderings;
mod robustness;
mod scapy;
mod support;
mod systemrdl;
mod tools;
mod tshark;
