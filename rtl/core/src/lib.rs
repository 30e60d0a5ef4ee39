//! The Heddle transport core in rust-hdl.
