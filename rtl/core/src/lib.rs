//! The Heddle transport core in rust-hdl.

pub mod config;
