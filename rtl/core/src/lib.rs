//! The Heddle transport core in rust-hdl.

pub mod config;
pub mod designs;
pub mod generated;
pub mod rx;
