//! What lies between hosts.

pub mod hash;
pub mod port;
pub mod routes;
pub mod topology;
