//! The Heddle transport core in rust-hdl.

pub mod blocks;
pub mod config;
pub mod designs;
pub mod generated;
pub mod rx;
