//! What lies between hosts.

pub mod port;
