//! Selective repeat with one bitmap per queue pair, its packets sprayed: what an improved RoCE NIC could do.
//!
//! Source: Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018 (IRN): a packet is placed where
//! its header says, so its order does not matter; every packet is acknowledged; NACKs name what has come; a
//! window of a bandwidth-delay product; two timers. Spraying over source ports and planes is ours, with the
//! rule that it needs: [`IrnSettings::reorder`]. `IrnSettings { published: true, ports: 1, .. }` is IRN as
//! published.
//!
//! - Every WRITE packet has a RETH, every ACK the PSN that it answers. A READ's answer is numbered,
//!   acknowledged and capped as WRITEs are.
//! - A plane without carrier is not sprayed over. One that is dead elsewhere is: its share is lost and sent
//!   again.
//! - Messages complete in the order of their PSNs.

mod body;
mod host;
mod qp;
mod receiver;
mod sender;
mod settings;
#[cfg(test)]
mod tests;

pub use body::{Ack, Data, End, IrnBody, What};
pub use host::Irn;
pub use settings::IrnSettings;
