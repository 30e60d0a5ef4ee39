//! What Heddle is compared with: RoCEv2 as it is deployed, and selective repeat, sprayed.
//!
//! | transport | recovery | rate | paths |
//! |---|---|---|---|
//! | [`roce`] | go-back-N, one NAK per gap, timer | line rate or DCQCN | one per QP |
//! | [`irn`] | selective repeat, bitmap per QP | window of a BDP, DCQCN if asked for | sprayed |
//!
//! Sources: IBTA volume 1, chapter 9 and annex A17; Zhu et al., SIGCOMM 2015 ([`dcqcn`]);
//! Mittal et al., SIGCOMM 2018 ([`irn`]). Where a deployed
//! NIC leaves a choice, the one is taken that is better for the baseline, and the setting's doc says so.
//! Queue pairs come into being when the first message or packet needs them: setting up connections costs
//! nothing here.

mod alarms;
pub mod dcqcn;
pub mod irn;
mod pairs;
mod parts;
pub mod roce;
mod turns;
mod wire;

pub use pairs::{Port, SettingsError};

/// UDP destination port of RoCEv2. Source: IBTA annex A17.
pub const DST_PORT: u16 = 4791;
