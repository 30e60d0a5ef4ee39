//! Receive access check: message slot, slice, posted receive, key, right and bounds of a DATA packet.
//!
//! Finds the fault that the path engine is handed with the packet; nothing is dropped here. Owns the memory regions; what it needs of other
//! blocks is looked up before. Mirrors the RTL block `rx_access` as far as WRITE goes; docs/blocks/rx-access.md has ports and latency.

mod region;

pub use region::{Region, Right, KEY_TAG_BITS};

use super::answer;
use super::msg::Slot;
use super::recv::RecvRow;
use crate::operations::Operations;
use crate::tx::msg::{Sink, SLICE_INDEX_BITS};
use heddle_wire::serial::Msn;
use heddle_wire::{Common, Data, DropReason, Flag, Opcode};

/// Sizes of the block, from the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessConfig {
    /// Regions, a power of two, at most 65,536.
    pub regions: u32,
    /// Streams per connection.
    pub streams: u32,
    /// Messages in flight per stream (M).
    pub slots: u32,
    /// log2 of the slice size in bytes.
    pub slice_log2: u32,
    /// Operations that are let in.
    pub operations: Operations,
}

/// What other blocks know of a packet's message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LookedUp {
    /// The stream's leading complete messages (rx_msg).
    pub done: Msn,
    /// The message's slot, when a packet of it has come (rx_msg).
    pub slot: Option<Slot>,
    /// The posted receive that the packet names (recv).
    pub receive: Option<RecvRow>,
    /// The place that a request names can take it (respond).
    pub place_free: bool,
    /// The outstanding request that the packet answers (tx_msg).
    pub sink: Option<Sink>,
}

/// Where an accepted packet's bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// What the packet is.
    pub opcode: Opcode,
    /// First byte in local memory.
    pub address: u64,
    /// Bytes of the packet; 0 of a request.
    pub len: u16,
}

/// The block.
#[derive(Clone, Debug)]
pub struct Access {
    config: AccessConfig,
    regions: Vec<Region>,
}

impl Access {
    /// No region set up.
    pub fn new(config: AccessConfig) -> Self {
        Self { config, regions: vec![Region::default(); config.regions as usize] }
    }

    /// Writes a region, from the control plane; false when there is no such index.
    pub fn set(&mut self, index: u32, region: Region) -> bool {
        self.regions.get_mut(index as usize).map(|slot| *slot = region).is_some()
    }

    /// The bytes to place, or the first fault, of a core that has only WRITE. `payload` is the padded payload of the frame; `done` the
    /// stream's leading complete messages.
    pub fn check(
        &self,
        common: &Common,
        data: &Data,
        payload: u16,
        domain: u16,
        done: impl FnOnce(u8) -> Msn,
    ) -> Result<u16, DropReason> {
        let look_up = |_| LookedUp { done: done(data.stream), ..LookedUp::default() };
        self.judge(common, data, payload, domain, look_up).map(|placement| placement.len)
    }

    /// Where the packet's bytes go, or the first fault. `payload` is the padded payload of the frame. `look_up` is asked when the
    /// stream is known to exist.
    ///
    /// The path engine asks for duplicates first, so a late duplicate of a message that is done is answered and not a slot fault.
    pub fn judge(
        &self,
        common: &Common,
        data: &Data,
        payload: u16,
        domain: u16,
        look_up: impl FnOnce(Opcode) -> LookedUp,
    ) -> Result<Placement, DropReason> {
        // REQ-OP-2: an operation that is not enabled, and an atomic that is not aligned.
        let opcode = Opcode::from_code(common.opcode).filter(|&opcode| self.config.operations.has(opcode));
        let opcode = opcode.ok_or(DropReason::Operation)?;
        let atomic = matches!(opcode, Opcode::FetchAdd | Opcode::CmpSwap);
        if atomic && data.address % 8 != 0 {
            return Err(DropReason::Operation);
        }
        if u32::from(data.stream) >= self.config.streams {
            return Err(DropReason::Stream);
        }
        let rows = look_up(opcode);
        if opcode.is_answer() {
            let sink = answer::sink(opcode, rows.sink)?;
            let len = self.slice_bytes(common, data, payload)?;
            let address = answer::address(&sink, data)?;
            return Ok(Placement { opcode, address, len });
        }
        if data.msn.distance_from(rows.done) >= self.config.slots {
            return Err(DropReason::MsnWindow);
        }
        let len = match opcode {
            Opcode::ReadReq | Opcode::FetchAdd | Opcode::CmpSwap => self.request(opcode, common, data)?,
            _ => self.slice_bytes(common, data, payload)?,
        };
        if rows.slot.is_some_and(|slot| is_another(&slot, opcode, data)) {
            return Err(DropReason::SlotMismatch);
        }
        let address = match opcode {
            Opcode::Send | Opcode::SendImm => {
                let RecvRow { receive, .. } = receive(&rows, data)?;
                // REQ-MR-5: the whole message fits the sink, whatever this packet carries.
                if data.length > receive.length {
                    return Err(DropReason::Bounds);
                }
                receive.address.wrapping_add(data.offset.into())
            }
            _ => {
                if opcode == Opcode::WriteImm {
                    receive(&rows, data)?;
                }
                self.permission(opcode, data, len, domain, &rows)?;
                data.address
            }
        };
        Ok(Placement { opcode, address, len })
    }

    /// The true bytes of the slice: the wire pads the last to a whole word.
    fn slice_bytes(&self, common: &Common, data: &Data, payload: u16) -> Result<u16, DropReason> {
        let slice = 1u32 << self.config.slice_log2;
        let aligned = data.offset & (slice - 1) == 0;
        let inside = data.offset < data.length || (data.offset == 0 && data.length == 0);
        if !aligned || !inside {
            return Err(DropReason::Slice);
        }
        let left = data.length - data.offset;
        let len = left.min(slice);
        let last = left <= slice;
        if common.flags.has(Flag::Last) != last || u32::from(payload) != len.next_multiple_of(4) {
            return Err(DropReason::Slice);
        }
        Ok(len as u16)
    }

    /// A request is one packet, the last of its message; its answer's slices can be numbered, and that of an atomic has 8 bytes.
    fn request(&self, opcode: Opcode, common: &Common, data: &Data) -> Result<u16, DropReason> {
        let slices = data.length.div_ceil(1 << self.config.slice_log2);
        let fits = slices <= 1 << SLICE_INDEX_BITS && (opcode == Opcode::ReadReq || data.length == 8);
        match data.offset == 0 && common.flags.has(Flag::Last) && fits {
            true => Ok(0),
            false => Err(DropReason::Slice),
        }
    }

    /// Place at the responder, key, right and bounds. REQ-MR-2: of a request, the whole source.
    fn permission(
        &self,
        opcode: Opcode,
        data: &Data,
        len: u16,
        domain: u16,
        rows: &LookedUp,
    ) -> Result<(), DropReason> {
        let (right, bytes) = match opcode {
            Opcode::ReadReq => (Right::Read, data.length),
            Opcode::FetchAdd | Opcode::CmpSwap => (Right::Atomic, data.length),
            _ => (Right::Write, len.into()),
        };
        if right != Right::Write && !rows.place_free {
            return Err(DropReason::Depth);
        }
        // REQ-MR-4: an empty range needs no key.
        if data.length == 0 {
            return Ok(());
        }
        self.allows(right, data.key, domain, data.address, bytes)
    }

    /// Whether the key gives the right to all of the bytes, or the first fault. Also asked when an answer is read, since a region may
    /// have been withdrawn. REQ-MR-1.
    pub fn allows(
        &self,
        right: Right,
        key: u32,
        domain: u16,
        address: u64,
        bytes: u32,
    ) -> Result<(), DropReason> {
        let region = self.regions.get((key >> KEY_TAG_BITS) as usize);
        region.ok_or(DropReason::Key)?.allows(right, key, domain, address, bytes)
    }
}

/// The slot is that of a message of another kind, or complete: this packet is none of it.
fn is_another(slot: &Slot, opcode: Opcode, data: &Data) -> bool {
    slot.complete
        || slot.opcode != opcode.code()
        || slot.message_len != data.length
        || (opcode.consumes_receive() && slot.rq_index != data.rq_index)
}

/// The posted receive that the packet names, when no other message has claimed it. REQ-MSG-5.
fn receive(rows: &LookedUp, data: &Data) -> Result<RecvRow, DropReason> {
    let own = |claimed| claimed == (data.stream, data.msn);
    rows.receive.filter(|row| row.claimed.is_none_or(own)).ok_or(DropReason::Credit)
}

#[cfg(test)]
mod tests;
