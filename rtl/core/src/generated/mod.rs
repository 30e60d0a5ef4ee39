//! Files rendered from the tables of the wire crate; a test there fails when one is stale.

pub mod wire;
