//! Boards, flows and resource reports for the Heddle core.
//!
//! [`report`] synthesises blocks for an ECP5-85 with open tools and says what they cost and how fast they
//! are.

pub mod report;
pub mod tool;
