//! The receiver of section 4 of docs/protocol.md, one file per block.

pub mod access;
pub mod ack;
pub mod ack_build;
pub mod conn;
pub mod hold;
pub mod msg;
pub mod parse;
pub mod path;
pub mod path_wide;
pub mod place;
pub mod placed;
pub mod rows;
pub mod verdict;
