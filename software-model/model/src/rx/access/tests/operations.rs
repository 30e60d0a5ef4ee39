//! Faults of every operation, and their order.

use super::*;
use crate::rx::recv::Receive;
use crate::tx::msg::Sink;
use heddle_wire::serial::Seq16;

fn all(region: Region) -> Access {
    let operations = Operations::ALL;
    let mut access =
        Access::new(AccessConfig { regions: 8, streams: 4, slots: 16, slice_log2: 10, operations });
    assert!(access.set(3, region));
    access
}

const REGION: Region = Region {
    valid: true,
    tag: 0xBCDE,
    base: 0x1000,
    length: 8192,
    remote_read: true,
    remote_write: true,
    remote_atomic: true,
    domain: 5,
};

/// What the look-ups find for an honest packet of any kind.
fn rows() -> LookedUp {
    let receive = Receive { wr_id: 1, address: 0x9000, length: 4096 };
    LookedUp { receive: Some(RecvRow { receive, claimed: None }), place_free: true, ..LookedUp::default() }
}

/// An honest packet: its first slice.
fn of(opcode: Opcode, length: u32) -> (Common, Data, u16) {
    let (common, data, payload) = packet(0x1000, 0, length);
    let request = matches!(opcode, Opcode::ReadReq | Opcode::FetchAdd | Opcode::CmpSwap);
    let (flags, payload) = match request {
        true => (Flags::NONE.with(Flag::Last), if opcode == Opcode::ReadReq { 0 } else { 16 }),
        false => (common.flags, payload),
    };
    (Common { opcode: opcode.code(), flags, ..common }, data, payload)
}

fn judge(
    access: &Access,
    rows: LookedUp,
    (common, data, payload): &(Common, Data, u16),
) -> Result<Placement, DropReason> {
    access.judge(common, data, *payload, 5, |_| rows)
}

const KEYED: [(Opcode, u32); 5] = [
    (Opcode::Write, 3000),
    (Opcode::WriteImm, 3000),
    (Opcode::ReadReq, 3000),
    (Opcode::FetchAdd, 8),
    (Opcode::CmpSwap, 8),
];

#[test]
fn honest_packets_of_every_kind_are_let_in() {
    let access = all(REGION);
    for (opcode, length) in KEYED {
        let len = if length == 8 || opcode == Opcode::ReadReq { 0 } else { 1024 };
        let want = Placement { opcode, address: 0x1000, len };
        assert_eq!(judge(&access, rows(), &of(opcode, length)), Ok(want));
    }
    for opcode in [Opcode::Send, Opcode::SendImm] {
        let (common, data, payload) = of(opcode, 3000);
        let data = Data { offset: 1024, key: 0, address: 0, ..data };
        let want = Placement { opcode, address: 0x9400, len: 1024 };
        assert_eq!(
            judge(&access, rows(), &(common, data, payload)),
            Ok(want),
            "no key: the receive says where"
        );
    }
}

// REQ-OP-2
#[test]
fn operations_that_are_not_enabled_and_atomics_that_are_not_aligned_are_faults() {
    for &opcode in Opcode::ALL {
        let others: Vec<Opcode> = Opcode::ALL.iter().copied().filter(|other| *other != opcode).collect();
        let operations =
            Operations::of(&others.iter().copied().filter(|o| !o.is_answer()).collect::<Vec<_>>());
        let config = AccessConfig { regions: 8, streams: 4, slots: 16, slice_log2: 10, operations };
        if operations.has(opcode) {
            continue;
        }
        let got = judge(&Access::new(config), rows(), &of(opcode, 8));
        assert_eq!(got, Err(DropReason::Operation), "{opcode}");
    }
    let access = all(REGION);
    for opcode in [Opcode::FetchAdd, Opcode::CmpSwap] {
        for low in 1..8 {
            let (common, data, payload) = of(opcode, 8);
            let data = Data { address: 0x1000 + low, stream: 99, ..data };
            let got = judge(&access, rows(), &(common, data, payload));
            assert_eq!(got, Err(DropReason::Operation), "before the stream is looked at");
        }
    }
}

// REQ-MR-1, REQ-MR-2
#[test]
fn each_right_is_asked_for_by_its_own_operations_and_by_no_other() {
    type Take = fn(&mut Region);
    let takes: [(Take, &[Opcode]); 3] = [
        (|region| region.remote_write = false, &[Opcode::Write, Opcode::WriteImm]),
        (|region| region.remote_read = false, &[Opcode::ReadReq]),
        (|region| region.remote_atomic = false, &[Opcode::FetchAdd, Opcode::CmpSwap]),
    ];
    for (take, needs) in takes {
        let mut region = REGION;
        take(&mut region);
        for (opcode, length) in KEYED {
            let got = judge(&all(region), rows(), &of(opcode, length)).map(|_| ());
            let want = if needs.contains(&opcode) { Err(DropReason::Rights) } else { Ok(()) };
            assert_eq!(got, want, "{opcode}");
        }
    }
}

// REQ-MR-2, REQ-MR-3
#[test]
fn the_whole_source_of_a_request_is_inside_or_nothing_of_it_is() {
    let access = all(Region { length: 3000, ..REGION });
    for (address, length, want) in [
        (0x1000, 3000, Ok(())),
        (0x1000, 3001, Err(DropReason::Bounds)),
        (0x1001, 3000, Err(DropReason::Bounds)),
        (0xFFF, 8, Err(DropReason::Bounds)),
        (u64::MAX - 3, 8, Err(DropReason::Bounds)),
        (0x1000, u32::MAX, Err(DropReason::Bounds)),
    ] {
        let (common, data, payload) = of(Opcode::ReadReq, length);
        let got = judge(&access, rows(), &(common, Data { address, ..data }, payload));
        assert_eq!(got.map(|_| ()), want, "{address:#x} {length}");
    }
    let (common, data, payload) = of(Opcode::FetchAdd, 8);
    let last = Data { address: 0x1000 + 2992, ..data };
    assert!(judge(&access, rows(), &(common, last, payload)).is_ok());
    let beyond = Data { address: 0x1000 + 3000, ..data };
    assert_eq!(judge(&access, rows(), &(common, beyond, payload)), Err(DropReason::Bounds));
}

// REQ-MR-4
#[test]
fn an_empty_request_of_any_kind_needs_no_key_but_a_receive_or_a_place() {
    let access = all(Region::default());
    for opcode in [Opcode::Write, Opcode::WriteImm, Opcode::Send, Opcode::SendImm, Opcode::ReadReq] {
        let (common, data, payload) = of(opcode, 0);
        let data = Data { address: u64::MAX, key: 0, ..data };
        assert_eq!(judge(&access, rows(), &(common, data, payload)).map(|p| p.len), Ok(0), "{opcode}");
        let want = match opcode {
            Opcode::Write => Ok(0),
            Opcode::ReadReq => Err(DropReason::Depth),
            _ => Err(DropReason::Credit),
        };
        let got = judge(&access, LookedUp::default(), &(common, data, payload)).map(|p| p.len);
        assert_eq!(got, want, "{opcode}");
    }
}

// REQ-MSG-5, REQ-MR-5
#[test]
fn a_send_needs_a_receive_that_is_its_own_and_long_enough() {
    let access = all(REGION);
    let (common, data, payload) = of(Opcode::Send, 4096);
    assert!(judge(&access, rows(), &(common, data, payload)).is_ok());
    let long = Data { length: 4097, ..data };
    assert_eq!(judge(&access, rows(), &(common, long, payload)), Err(DropReason::Bounds));
    let claimed = |by| {
        let receive = rows().receive.map(|row| RecvRow { claimed: Some(by), ..row });
        judge(&access, LookedUp { receive, ..rows() }, &(common, data, payload))
    };
    assert!(claimed((0, Msn::new(0))).is_ok());
    assert_eq!(claimed((0, Msn::new(1))), Err(DropReason::Credit));
    assert_eq!(claimed((1, Msn::new(0))), Err(DropReason::Credit));
}

#[test]
fn a_packet_that_is_not_of_its_slots_message_is_a_mismatch() {
    let access = all(REGION);
    let (common, data, payload) = of(Opcode::WriteImm, 3000);
    let data = Data { rq_index: Seq16::new(9), ..data };
    let slot = Slot {
        valid: true,
        message_len: 3000,
        bytes: 1024,
        opcode: Opcode::WriteImm.code(),
        rq_index: Seq16::new(9),
        ..Slot::default()
    };
    let with = |slot| judge(&access, LookedUp { slot: Some(slot), ..rows() }, &(common, data, payload));
    assert!(with(slot).is_ok());
    let others = [
        Slot { message_len: 2999, ..slot },
        Slot { opcode: Opcode::Write.code(), ..slot },
        Slot { rq_index: Seq16::new(8), ..slot },
        Slot { complete: true, ..slot },
    ];
    for other in others {
        assert_eq!(with(other), Err(DropReason::SlotMismatch), "{other:?}");
    }
}

#[test]
fn requests_that_no_sender_makes_are_faults() {
    let access = all(REGION);
    let (common, data, payload) = of(Opcode::ReadReq, 3000);
    let atomic = of(Opcode::CmpSwap, 8);
    let bad = [
        (common, Data { offset: 1024, ..data }, payload),
        (Common { flags: Flags::NONE, ..common }, data, payload),
        (atomic.0, Data { length: 16, ..atomic.1 }, 16),
        (atomic.0, Data { length: 0, ..atomic.1 }, 16),
    ];
    for (n, packet) in bad.iter().enumerate() {
        assert_eq!(judge(&access, rows(), packet), Err(DropReason::Slice), "case {n}");
    }
    let taken = LookedUp { place_free: false, ..rows() };
    assert_eq!(judge(&access, taken, &atomic), Err(DropReason::Depth));
}

// REQ-OP-7
#[test]
fn an_answer_goes_where_its_request_says() {
    let access = all(Region::default());
    let sink = Sink { request: Opcode::ReadReq, address: 0x7000, length: 3000 };
    let with = |sink, packet: &(Common, Data, u16)| judge(&access, LookedUp { sink, ..rows() }, packet);
    let (common, data, payload) = of(Opcode::ReadResp, 3000);
    let data = Data { offset: 1024, key: 0, address: 0, ..data };
    let placement = Placement { opcode: Opcode::ReadResp, address: 0x7400, len: 1024 };
    assert_eq!(with(Some(sink), &(common, data, payload)), Ok(placement));
    assert_eq!(with(None, &(common, data, payload)), Err(DropReason::AnswerUnmatched));
    let far = Data { msn: Msn::new(99), ..data };
    assert!(with(Some(sink), &(common, far, payload)).is_ok(), "done here is of the other direction");
    assert_eq!(with(Some(sink), &(common, Data { stream: 4, ..data }, payload)), Err(DropReason::Stream));
    assert_eq!(with(Some(sink), &(common, Data { offset: 1028, ..data }, payload)), Err(DropReason::Slice));
    assert_eq!(with(Some(sink), &(common, Data { length: 3500, ..data }, payload)), Err(DropReason::Bounds));
    let atomic = Sink { request: Opcode::FetchAdd, length: 8, ..sink };
    assert_eq!(with(Some(atomic), &(common, data, payload)), Err(DropReason::AnswerUnmatched));
    let placement = Placement { opcode: Opcode::AtomicResp, address: 0x7000, len: 8 };
    assert_eq!(with(Some(atomic), &of(Opcode::AtomicResp, 8)), Ok(placement));
}

/// The reason is the lowest number of those that hold.
#[test]
fn of_several_faults_the_first_is_the_reason() {
    let access = all(Region { remote_read: false, length: 1, ..REGION });
    let (common, data, payload) = of(Opcode::ReadReq, 3000);
    let slot = Some(Slot { valid: true, complete: true, ..Slot::default() });
    let mut rows = LookedUp { done: Msn::new(1), slot, ..LookedUp::default() };
    let mut packet =
        (Common { opcode: 0, ..common }, Data { stream: 4, offset: 1024, key: 0, ..data }, payload);
    let mut found = vec![];
    let mut step = |packet: &(Common, Data, u16), rows: LookedUp| found.push(judge(&access, rows, packet));
    step(&packet, rows);
    packet.0.opcode = common.opcode;
    step(&packet, rows);
    packet.1.stream = 0;
    step(&packet, rows);
    rows.done = Msn::new(0);
    step(&packet, rows);
    packet.1.offset = 0;
    step(&packet, rows);
    rows.slot = None;
    step(&packet, rows);
    rows.place_free = true;
    step(&packet, rows);
    packet.1.key = KEY;
    step(&packet, rows);
    let want = [
        DropReason::Operation,
        DropReason::Stream,
        DropReason::MsnWindow,
        DropReason::Slice,
        DropReason::SlotMismatch,
        DropReason::Depth,
        DropReason::Key,
        DropReason::Rights,
    ];
    assert_eq!(found, want.map(Err));
}
