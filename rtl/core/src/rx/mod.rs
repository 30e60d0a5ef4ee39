//! The receiver of section 4 of docs/protocol.md, one file per block.

pub mod access;
pub mod conn;
pub mod hold;
pub mod parse;
pub mod path;
pub mod path_wide;
pub mod rows;
pub mod verdict;
