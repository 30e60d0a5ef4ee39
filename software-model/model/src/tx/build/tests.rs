use super::super::msg::WorkRequest;
use super::*;
use heddle_wire::Time32;

const ROW: MessageRow = MessageRow {
    request: WorkRequest {
        wr_id: 1,
        opcode: 1,
        fence: false,
        conn: 1,
        stream: 2,
        local: 0x1000,
        remote: 0x2000,
        rkey: 0x77,
        length: 2500,
        imm: 0x1234_5678,
        operand: 11,
        compare: 22,
    },
    msn: Msn::new(5),
    rq_index: Seq16::new(9),
    answer_bytes: 0,
    answered: false,
};

fn job(kind: JobKind) -> Job {
    Job { kind, path: 6, psn: Psn::new(99), route: 3, now: Time32::new(1000), ack_req: false }
}

/// The packet of slice `index`, sent for the first time.
fn packet(row: &MessageRow, index: u32) -> (Flags, Packet) {
    let mut build = Build::new(2, 4, 10);
    let slice = Slice { conn: 1, stream: 2, msn: Msn::new(5), index, ..Slice::default() };
    let job = job(JobKind::New(slice));
    let record = build.record(&job);
    let packet = build.packet(&job, record.as_ref(), Some(row));
    (packet.common.flags, packet)
}

fn of(opcode: Opcode, length: u32) -> MessageRow {
    let request = WorkRequest { opcode: opcode.code(), length, ..ROW.request };
    MessageRow { request, ..ROW }
}

fn body(packet: &Packet) -> (Opcode, Data, u64, u16, Option<Inline>) {
    match packet.body {
        Body::Data { opcode, header, local, len, inline } => (opcode, header, local, len, inline),
        Body::Probe(probe) => panic!("{probe:?}"),
    }
}

#[test]
fn every_packet_of_a_message_names_its_own_destination() {
    for (opcode, imm, address, key) in [
        (Opcode::Write, 0, 0x2800, 0x77),
        (Opcode::WriteImm, 0x1234_5678, 0x2800, 0x77),
        (Opcode::Send, 0, 0, 0),
        (Opcode::SendImm, 0x1234_5678, 0, 0),
    ] {
        let (flags, packet) = packet(&of(opcode, 2500), 2);
        let (sent, header, local, len, inline) = body(&packet);
        assert_eq!(
            (sent, flags, local, len, inline),
            (opcode, Flags::NONE.with(Flag::Last), 0x1800, 452, None)
        );
        let (stream, msn, rq_index) = (2, Msn::new(5), Seq16::new(9));
        let want = Data { stream, msn, offset: 2048, length: 2500, address, key, imm, rq_index, reserved: 0 };
        assert_eq!(header, want, "{opcode}");
        assert_eq!(packet.payload_len(), 452);
    }
}

#[test]
fn a_request_is_one_packet_that_is_the_last_and_reads_no_memory() {
    for (opcode, length, payload) in
        [(Opcode::ReadReq, 2500, 0), (Opcode::FetchAdd, 8, 16), (Opcode::CmpSwap, 8, 16)]
    {
        let (flags, packet) = packet(&of(opcode, length), 0);
        let (sent, header, _, len, inline) = body(&packet);
        assert_eq!((sent, flags, len), (opcode, Flags::NONE.with(Flag::Last), 0));
        assert_eq!((header.address, header.key, header.length, header.imm), (0x2000, 0x77, length, 0));
        let compare = if opcode == Opcode::CmpSwap { 22 } else { 0 };
        let operands = Inline::Operands(AtomicOperands { operand: 11, compare });
        assert_eq!(inline, (payload > 0).then_some(operands));
        assert_eq!(packet.payload_len(), payload);
    }
}

fn request(opcode: Opcode, length: u32) -> Request {
    let (stream, msn) = (2, Msn::new(5));
    Request {
        stream,
        msn,
        opcode,
        address: 0x3000,
        length,
        key: 0x55,
        domain: 1,
        operand: 0xABCD,
        compare: 0,
    }
}

#[test]
fn an_answer_carries_the_requesters_message_and_no_address() {
    let mut build = Build::new(2, 4, 10);
    let slice = Slice { conn: 1, stream: 2, msn: Msn::new(5), index: 1, answer: Some(4), ..Slice::default() };
    let new = job(JobKind::New(slice));
    let record = build.record(&new).expect("a record");
    assert_eq!(record.answer, Some(4));
    assert_eq!(build.request_of(6, Psn::new(99)), None, "a refusal of an answer is of no request here");
    let read = build.answer(&new, &record, Some(&request(Opcode::ReadReq, 2000)));
    let (opcode, header, local, len, _) = body(&read);
    assert_eq!((opcode, local, len), (Opcode::ReadResp, 0x3400, 976));
    let want = Data { stream: 2, msn: Msn::new(5), offset: 1024, length: 2000, ..Data::default() };
    assert_eq!(header, want);
    assert!(read.common.flags.has(Flag::Last));
    let first = PacketRecord { index: 0, ..record };
    let atomic = build.answer(&job(JobKind::Resend), &first, Some(&request(Opcode::CmpSwap, 8)));
    let (opcode, header, _, len, inline) = body(&atomic);
    assert_eq!((opcode, header.length, len), (Opcode::AtomicResp, 8, 0));
    assert_eq!(inline, Some(Inline::Result(AtomicResult { original: 0xABCD })));
    assert!(atomic.common.flags.has(Flag::Retx) && atomic.payload_len() == 8);
}

#[test]
fn an_answer_that_is_known_to_be_placed_is_not_sent_again() {
    let mut build = Build::new(2, 4, 10);
    let slice = Slice { stream: 2, msn: Msn::new(5), answer: Some(4), ..Slice::default() };
    build.record(&job(JobKind::New(slice)));
    let resend = job(JobKind::Resend);
    let record = build.record(&resend).expect("a record");
    let packet = build.answer(&resend, &record, None);
    assert_eq!(packet.body, Body::Probe(Probe { stream: 2, reserved: 0 }));
}
