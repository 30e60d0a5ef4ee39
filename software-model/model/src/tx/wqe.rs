//! Work requests off the stream: each packet is one record of the host queues, or is discarded as a whole.
//!
//! Mirrors the RTL block `tx_wqe`; docs/blocks/tx-wqe.md has ports and latency.

use super::msg::WorkRequest;
use heddle_wire::queues::WorkFlag;

/// The request in a packet, `None` when it has not the length of a record.
pub fn on_packet(packet: &[u8]) -> Option<WorkRequest> {
    packet.try_into().ok().map(request)
}

/// The request in a record.
pub fn request(record: &[u8; heddle_wire::WorkRequest::BYTES]) -> WorkRequest {
    let fields = heddle_wire::WorkRequest::parse(record);
    WorkRequest {
        wr_id: fields.wr_id,
        opcode: fields.opcode,
        fence: fields.flags >> WorkFlag::Fence.code() & 1 == 1,
        conn: fields.conn,
        stream: fields.stream,
        local: fields.local_address,
        remote: fields.remote_address,
        rkey: fields.rkey,
        length: fields.length,
        imm: fields.imm,
        operand: fields.operand,
        compare: fields.compare,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_its_fields_where_the_host_queues_say() {
        // By hand: opcode, flags, conn, stream, then wr_id, addresses, length, key, immediate and operands, least significant byte first.
        let mut bytes: [u8; 64] = std::array::from_fn(|i| i as u8);
        let want = WorkRequest {
            wr_id: 0x0F0E_0D0C_0B0A_0908,
            opcode: 0,
            fence: true,
            conn: 0x0302,
            stream: 4,
            local: 0x1716_1514_1312_1110,
            remote: 0x1F1E_1D1C_1B1A_1918,
            rkey: 0x2726_2524,
            length: 0x2322_2120,
            imm: 0x2B2A_2928,
            operand: 0x3736_3534_3332_3130,
            compare: 0x3F3E_3D3C_3B3A_3938,
        };
        assert_eq!(on_packet(&bytes), Some(want));
        bytes[1] = 0xFE;
        assert_eq!(on_packet(&bytes), Some(WorkRequest { fence: false, ..want }));
    }

    #[test]
    fn a_packet_of_another_length_is_nothing() {
        for len in (0..200).filter(|&len| len != 64) {
            assert_eq!(on_packet(&vec![1; len]), None, "{len} bytes");
        }
    }
}
