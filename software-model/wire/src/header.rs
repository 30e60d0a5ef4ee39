//! The transport headers of `docs/protocol.md` section 3: one declaration each, table and struct.

use crate::field::{layout, Source};
use crate::hint::Hint;
use crate::kinds::{AckForm, Flags};
use crate::sack::Sack;
use crate::serial::{Msn, Psn, Seq16, Time32};

const P3: Source = Source::Protocol(3);

/// The only version of the protocol.
pub const VERSION: u8 = 1;
/// The UDP destination port until configured otherwise. Our own choice, from the dynamic range.
pub const DEFAULT_PORT: u16 = 54791;
/// Bytes of the ICRC behind every packet.
pub const ICRC_BYTES: usize = 4;

layout! {
    /// Common header of every packet, words 0 to 3.
    COMMON, Common, Big, 16 {
        /// Version of the protocol, 1.
        version: u8 = 4, P3;
        /// Packet type: 1 DATA, 2 ACK, 3 NAK, 4 PROBE, 5 RESET.
        packet_type: u8 = 4, P3;
        /// What a DATA packet does; of an ACK whether it has SACK words; 0 in every other type.
        opcode: u8 = 8, P3;
        /// Flag bits.
        flags: Flags = 8, P3;
        /// Path of the connection; in an ACK or NAK the path that carried the data.
        path: u8 = 8, P3;
        /// Number of the connection at the receiver of this packet.
        dst_conn: u16 = 16, P3;
        /// Random per incarnation of the connection.
        tag: u16 = 16, P3;
        /// Counts the changes of route of the path; echoed by an ACK.
        route: u8 = 8, P3;
        /// Packet sequence number of the path; in an ACK the highest received.
        psn: Psn = 24, P3;
        /// Time of sending in ticks of 8 ns; echoed by an ACK.
        timestamp: Time32 = 32, P3;
    }
}

layout! {
    /// DATA header, words 4 to 11, one layout for every opcode.
    DATA, Data, Big, 32 {
        /// Stream of the connection.
        stream: u8 = 8, P3;
        /// Message sequence number of the stream.
        msn: Msn = 24, P3;
        /// Where this packet's payload lies in the message, in bytes; a multiple of the slice size.
        offset: u32 = 32, P3;
        /// Bytes of the whole message; of the answer in a READ_REQ.
        length: u32 = 32, P3;
        /// Where this packet's payload goes (WRITE*), or where the source lies (READ_REQ, atomics).
        address: u64 = 64, P3;
        /// Key of the memory region: an index and a random tag.
        key: u32 = 32, P3;
        /// Immediate (WRITE_IMM, SEND_IMM); in a READ_REQ the hint for the answer.
        imm: u32 = 32, P3;
        /// Which posted receive the message consumes (SEND, SEND_IMM, WRITE_IMM); which place at the responder a
        /// request takes (READ_REQ, FETCH_ADD, CMP_SWAP).
        rq_index: Seq16 = 16, P3;
        /// Sent 0, ignored.
        reserved: u16 = 16, P3;
    }
}

layout! {
    /// ACK header, words 4 to 17; without words 10 to 17 when no bit of the SACK is set (opcode 1).
    ACK, Ack, Big, 56 {
        /// RESPONSE: word 8 speaks of answers. PLANE_TEST: answers a PROBE that tests a plane.
        ack_flags: Flags = 8, P3;
        /// The lowest PSN of the path that was not received.
        cum: Psn = 24, P3;
        /// Ticks from the echoed arrival to this ACK; 0xffff = no RTT sample.
        hold: u16 = 16, P3;
        /// CE-marked arrivals on this path.
        ce_count: Seq16 = 16, P3;
        /// Inverse rate for this connection, 16-bit float in 1/64 ps per byte; 0 = none.
        hint: Hint = 16, P3;
        /// Receives posted.
        rq_credit: Seq16 = 16, P3;
        /// Number of this ACK in the connection.
        ack_seq: Seq16 = 16, P3;
        /// Duplicates that arrived on this path.
        dup_count: Seq16 = 16, P3;
        /// The stream that done_msn speaks of.
        done_stream: u8 = 8, P3;
        /// Leading messages of that stream that are complete here; with RESPONSE, the peer's message before which
        /// every READ and atomic is answered.
        done_msn: Msn = 24, P3;
        /// Arrivals on this path.
        arrivals: Seq16 = 16, P3;
        /// Sent 0, ignored.
        reserved: u16 = 16, P3;
        /// Bit p mod 256: PSN p beyond cum is received; bit i is bit i mod 32 of word 10 + i /
        /// 32. Not there, and all zeros, with opcode 1.
        sack: Sack = 256, P3;
    }
}

layout! {
    /// NAK header, words 4 to 7.
    NAK, Nak, Big, 16 {
        /// Why: 1 ACCESS, 2 BOUNDS, 3 OPERATION, 4 PROTOCOL, 5 CONNECTION.
        code: u8 = 8, P3;
        /// Sent 0, ignored.
        reserved: u32 = 24, P3;
        /// Word 0 of the packet refused.
        offender0: u32 = 32, P3;
        /// Word 1 of the packet refused.
        offender1: u32 = 32, P3;
        /// Word 2 of the packet refused.
        offender2: u32 = 32, P3;
    }
}

layout! {
    /// PROBE header, word 4.
    PROBE, Probe, Big, 4 {
        /// The stream whose done_msn the sender waits for.
        stream: u8 = 8, P3;
        /// Sent 0, ignored.
        reserved: u32 = 24, P3;
    }
}

layout! {
    /// Payload of FETCH_ADD and CMP_SWAP.
    ATOMIC_OPERANDS, AtomicOperands, Big, 16 {
        /// Added, or swapped in.
        operand: u64 = 64, P3;
        /// Compared with (CMP_SWAP); 0 in a FETCH_ADD.
        compare: u64 = 64, P3;
    }
}

layout! {
    /// Payload of ATOMIC_RESP.
    ATOMIC_RESULT, AtomicResult, Big, 8 {
        /// The word's earlier value.
        original: u64 = 64, P3;
    }
}

const _: () = {
    assert!(COMMON.is_word_aligned() && DATA.is_word_aligned() && ACK.is_word_aligned());
    assert!(NAK.is_word_aligned() && PROBE.is_word_aligned());
    assert!(ATOMIC_OPERANDS.is_word_aligned() && ATOMIC_RESULT.is_word_aligned());
};

impl Ack {
    /// The form in which it is sent: without SACK words exactly when no bit is set. [REQ-ACK-5]
    pub fn form(&self) -> AckForm {
        if self.sack == Sack::EMPTY {
            AckForm::NoSack
        } else {
            AckForm::Sack
        }
    }
}

impl Nak {
    /// Words 0 to 2 of `offender`, as a NAK carries them.
    pub fn offender_words(offender: &Common) -> [u32; 3] {
        let bytes = offender.emit();
        core::array::from_fn(|i| crate::field::load_u64(&bytes, 32 * i, 32) as u32)
    }
}
