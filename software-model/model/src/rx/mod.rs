//! The receiver of section 4 of the protocol, one file per block.

pub mod access;
pub mod ack;
pub mod ack_build;
pub mod ack_route;
pub mod answer;
pub mod conn;
pub mod hint;
pub mod hold;
pub mod msg;
pub mod nak;
pub mod parse;
pub mod path;
pub mod place;
pub mod recv;
pub mod verdict;
