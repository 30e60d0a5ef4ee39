//! Completions as records of the host queues, one per packet of the stream.
//!
//! Mirrors the RTL block `tx_cpl`; docs/blocks/tx-cpl.md has ports and latency.

use super::msg::Completion;
use heddle_wire::queues::CompletionFlag;

/// The record of a completion.
pub fn record(completion: &Completion) -> [u8; heddle_wire::Completion::BYTES] {
    let flag = |set, flag: CompletionFlag| u8::from(set) << flag.code();
    heddle_wire::Completion {
        status: completion.status.code(),
        opcode: completion.opcode,
        conn: completion.conn,
        stream: completion.stream,
        flags: flag(completion.receive, CompletionFlag::Receive)
            | flag(completion.imm.is_some(), CompletionFlag::Imm),
        wr_id: completion.wr_id,
        byte_count: completion.byte_len,
        imm: completion.imm.unwrap_or(0),
        msn: completion.msn.get(),
        ..heddle_wire::Completion::default()
    }
    .emit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_wire::{Msn, Status};

    #[test]
    fn a_record_has_its_fields_where_the_host_queues_say() {
        let completion = Completion {
            wr_id: 0x0807_0605_0403_0201,
            conn: 0x0B0A,
            stream: 0x0C,
            opcode: 1,
            status: Status::InvalidRequest,
            byte_len: 0x1413_1211,
            msn: Msn::new(0x23_2221),
            receive: false,
            imm: None,
        };
        let mut want = [9, 1, 0x0A, 0x0B, 0x0C, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8].to_vec();
        want.extend([0x11, 0x12, 0x13, 0x14, 0, 0, 0, 0, 0x21, 0x22, 0x23, 0, 0, 0, 0, 0]);
        assert_eq!(record(&completion).to_vec(), want);
        let received = Completion { receive: true, imm: Some(0x1B1A_1918), ..completion };
        want[5] = 3;
        want[20..24].copy_from_slice(&[0x18, 0x19, 0x1A, 0x1B]);
        assert_eq!(record(&received).to_vec(), want);
        want[5] = 1;
        want[20..24].fill(0);
        assert_eq!(record(&Completion { imm: None, ..received }).to_vec(), want);
    }
}
