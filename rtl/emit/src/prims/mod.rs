//! Primitive blocks: register, memories, FIFO, skid buffer.
//!
//! All are ordinary rust-hdl blocks on one clock `clk`, with a synchronous active-high `rst` where
//! they hold state that needs one. Memories start at zero in simulation and are never reset.
mod fifo;
mod ram;
mod reg;
mod skid;
mod tdp;

pub use fifo::Fifo;
pub use ram::{SdpRam, SdpRamNc};
pub use reg::Reg;
pub(crate) use reg::REG_TEXT;
pub use skid::Skid;
pub use tdp::TdpRam;
