//! Answers in: to which outstanding request a READ_RESP or ATOMIC_RESP belongs, and where its bytes go.
//!
//! Nothing of an answer says where it goes: the requester's own row does, so nothing that a peer sends can widen the sink. The rows are
//! tx_msg's. Mirrors no RTL block yet; docs/blocks/rx-answer.md says what one will hold.

use crate::operations;
use crate::tx::msg::Sink;
use heddle_wire::{Data, DropReason, Opcode};

/// The sink of the request that this answers: outstanding, and answered by this opcode. REQ-OP-7.
pub fn sink(opcode: Opcode, row: Option<Sink>) -> Result<Sink, DropReason> {
    row.filter(|sink| operations::answer(sink.request) == Some(opcode)).ok_or(DropReason::AnswerUnmatched)
}

/// Where the slice goes: inside of the sink, whose length the answer must have.
pub fn address(sink: &Sink, data: &Data) -> Result<u64, DropReason> {
    match data.length {
        length if length > sink.length => Err(DropReason::Bounds),
        length if length < sink.length => Err(DropReason::Slice),
        _ => Ok(sink.address.wrapping_add(data.offset.into())),
    }
}

/// The bytes that an atomic's answer leaves in memory: the earlier value as the host stores it, least significant byte first. On the
/// wire it is big-endian. REQ-OP-4.
pub fn atomic_bytes(original: u64) -> [u8; 8] {
    original.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Sink = Sink { request: Opcode::ReadReq, address: u64::MAX - 1023, length: 3000 };

    /// REQ-OP-7: of another kind, or to no request, is unmatched.
    #[test]
    fn an_answer_belongs_to_a_request_of_its_kind() {
        let atomic = Sink { request: Opcode::CmpSwap, address: 8, length: 8 };
        assert_eq!(sink(Opcode::ReadResp, Some(READ)), Ok(READ));
        assert_eq!(sink(Opcode::AtomicResp, Some(atomic)), Ok(atomic));
        for (opcode, row) in
            [(Opcode::AtomicResp, Some(READ)), (Opcode::ReadResp, Some(atomic)), (Opcode::ReadResp, None)]
        {
            assert_eq!(sink(opcode, row), Err(DropReason::AnswerUnmatched), "{opcode}");
        }
    }

    #[test]
    fn a_slice_goes_to_its_offset_and_an_answer_of_another_length_nowhere() {
        let data = |offset, length| Data { offset, length, address: 0xDEAD, ..Data::default() };
        assert_eq!(address(&READ, &data(0, 3000)), Ok(u64::MAX - 1023));
        assert_eq!(address(&READ, &data(2048, 3000)), Ok(1024), "addresses wrap");
        assert_eq!(address(&READ, &data(0, 3001)), Err(DropReason::Bounds));
        assert_eq!(address(&READ, &data(0, 2999)), Err(DropReason::Slice));
    }

    /// REQ-OP-4.
    #[test]
    fn an_atomics_value_lies_in_memory_least_significant_byte_first() {
        assert_eq!(atomic_bytes(0x0102_0304_0506_0708), [8, 7, 6, 5, 4, 3, 2, 1]);
    }
}
