//! What lies between hosts.

pub mod fault;
pub mod hash;
pub mod loss;
pub mod mark;
pub mod port;
pub mod routes;
pub mod topology;
