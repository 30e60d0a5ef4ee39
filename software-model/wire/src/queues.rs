//! Records between host and core: work requests, posted receives and completions. They lie in host memory and
//! on the core's AXI4-Stream ports alike: little-endian, byte 0 in bits 7 to 0 of the first beat, one record
//! per stream packet.

use crate::field::{layout, Source};
use crate::kinds::vocabulary;

const A: Source = Source::Architecture;

layout! {
    /// Work request: one message. 64 bytes on s_axis_wqe.
    WORK_REQUEST, WorkRequest, Little, 64 {
        /// WRITE, WRITE_IMM, SEND, SEND_IMM, READ_REQ (a READ), FETCH_ADD or CMP_SWAP, by its number on the
        /// wire.
        opcode: u8 = 8, A;
        /// Bit 0: FENCE.
        flags: u8 = 8, A;
        /// Local number of the connection.
        conn: u16 = 16, A;
        /// Stream of the connection.
        stream: u8 = 8, A;
        /// 0.
        reserved0: u8 = 8, A;
        /// 0.
        reserved1: u16 = 16, A;
        /// Returned in the completion.
        wr_id: u64 = 64, A;
        /// Local memory: source (WRITE, SEND), or sink of the answer (READ, atomics). Any byte address.
        local_address: u64 = 64, A;
        /// Remote memory (WRITE, READ, atomics).
        remote_address: u64 = 64, A;
        /// Bytes of the message; 8 for atomics.
        length: u32 = 32, A;
        /// Remote key (WRITE, READ, atomics).
        rkey: u32 = 32, A;
        /// Immediate (WRITE_IMM, SEND_IMM).
        imm: u32 = 32, A;
        /// 0.
        reserved2: u32 = 32, A;
        /// Added, or swapped in (atomics).
        operand: u64 = 64, A;
        /// Compared with (CMP_SWAP).
        compare: u64 = 64, A;
    }
}

layout! {
    /// Posted receive: the sink of one SEND, or the right to one WRITE_IMM. 32 bytes on s_axis_rqe.
    RECEIVE, Receive, Little, 32 {
        /// Local number of the connection.
        conn: u16 = 16, A;
        /// 0.
        reserved0: u16 = 16, A;
        /// Bytes of the sink.
        length: u32 = 32, A;
        /// Returned in the completion.
        wr_id: u64 = 64, A;
        /// The sink, any byte address.
        local_address: u64 = 64, A;
        /// 0.
        reserved1: u64 = 64, A;
    }
}

layout! {
    /// Completion of a work request or of a posted receive. 32 bytes on m_axis_cpl.
    COMPLETION, Completion, Little, 32 {
        /// How it ended; 0 is success.
        status: u8 = 8, A;
        /// Opcode of the work request; of the arrived message for a posted receive.
        opcode: u8 = 8, A;
        /// Local number of the connection.
        conn: u16 = 16, A;
        /// Stream of the connection.
        stream: u8 = 8, A;
        /// Bit 0: RECEIVE, of a posted receive. Bit 1: IMM, imm is valid.
        flags: u8 = 8, A;
        /// 0.
        reserved0: u16 = 16, A;
        /// The one given with the work request or the receive.
        wr_id: u64 = 64, A;
        /// Bytes of the message that were moved; 0 unless the status is success.
        byte_count: u32 = 32, A;
        /// Immediate of the arrived message.
        imm: u32 = 32, A;
        /// Message sequence number on its stream, 24 bits; 0 for a work request that was refused.
        msn: u32 = 32, A;
        /// 0.
        reserved1: u32 = 32, A;
    }
}

const _: () = {
    assert!(WORK_REQUEST.is_naturally_aligned());
    assert!(RECEIVE.is_naturally_aligned());
    assert!(COMPLETION.is_naturally_aligned());
};

vocabulary! {
    /// Bit positions in `flags` of a work request.
    WorkFlag, "work request flag" {
        /// Held until the stream's earlier work requests are done.
        Fence = 0, "FENCE";
    }
}

vocabulary! {
    /// Bit positions in `flags` of a completion.
    CompletionFlag, "completion flag" {
        /// Of a posted receive.
        Receive = 0, "RECEIVE";
        /// The field imm is valid.
        Imm = 1, "IMM";
    }
}

vocabulary! {
    /// How a work request or a posted receive ended. 1 to 5 are the codes of a NAK.
    Status, "completion status" {
        /// Done.
        Success = 0, "SUCCESS";
        /// The peer refused key or right.
        RemoteAccess = 1, "REMOTE_ACCESS";
        /// The peer found it outside of a region or a receive.
        RemoteBounds = 2, "REMOTE_BOUNDS";
        /// The peer does not have the operation enabled.
        RemoteOperation = 3, "REMOTE_OPERATION";
        /// The peer saw a rule of the protocol broken.
        RemoteProtocol = 4, "REMOTE_PROTOCOL";
        /// The peer has no such connection any more, or has reset it.
        RemoteConnection = 5, "REMOTE_CONNECTION";
        /// No progress for the retry budget.
        RetryBudget = 6, "RETRY_BUDGET";
        /// The memory bus answered with an error.
        LocalMemory = 7, "LOCAL_MEMORY";
        /// The connection had ended before this was done.
        Flushed = 8, "FLUSHED";
        /// Refused at once: opcode, connection or stream is not one that this core has.
        InvalidRequest = 9, "INVALID_REQUEST";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{NakCode, Opcode};

    /// Bytes by hand: every field at its offset, least significant byte first.
    #[test]
    fn work_request_lies_in_memory_as_a_little_endian_struct() {
        let request = WorkRequest {
            opcode: Opcode::Write.code(),
            flags: 1,
            conn: 0x0203,
            stream: 4,
            reserved0: 0,
            reserved1: 0,
            wr_id: 0x1112_1314_1516_1718,
            local_address: 0x2122_2324_2526_2728,
            remote_address: 0x3132_3334_3536_3738,
            length: 0x4142_4344,
            rkey: 0x5152_5354,
            imm: 0x6162_6364,
            reserved2: 0,
            operand: 0x7172_7374_7576_7778,
            compare: 0x8182_8384_8586_8788,
        };
        let hex = "0101030204000000 1817161514131211 2827262524232221 3837363534333231 \
                   44434241 54535251 64636261 00000000 7877767574737271 8887868584838281";
        let digits: Vec<u8> = hex.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
        let want: Vec<u8> = digits
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
        assert_eq!(request.emit().to_vec(), want);
        assert_eq!(WorkRequest::parse(&request.emit()), request);
    }

    #[test]
    fn the_status_of_a_refusal_is_the_code_of_its_nak() {
        for code in NakCode::ALL {
            let status = Status::from_code(code.code()).unwrap();
            assert_eq!(status.name(), format!("REMOTE_{}", code.name()));
        }
    }
}
