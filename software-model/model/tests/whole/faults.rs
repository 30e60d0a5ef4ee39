//! Packets that no honest peer sends: each is dropped for its own reason, touches nothing, and is answered as the reason says.

use crate::world::{Link, Network, World, BASE, BLANK, KEY, LENGTH, REGION, REQUESTS};
use heddle_model::core::CoreConfig;
use heddle_model::operations::Operations;
use heddle_model::rx::access::Region;
use heddle_model::rx::recv::Receive;
use heddle_model::tx::msg::WorkRequest;
use heddle_wire::drop::Answer;
use heddle_wire::serial::{Msn, Seq16};
use heddle_wire::{Body, Data, DropReason, Flag, Flags, Frame, Opcode, Status};

const LINK: Link = Link { ends: [(0, 1), (1, 2)], tags: [0x1111, 0x2222] };
const SINK: u64 = BASE + LENGTH + 2000;

fn world(life: bool) -> World {
    let config = CoreConfig { life, operations: Operations::ALL, ..CoreConfig::default() };
    let mut world = World::new(2, config, Network::default(), 1);
    assert!(world.connect(&LINK, 4));
    assert!(world.cores[1].post_receive(2, Receive { wr_id: 77, address: SINK, length: 1500 }));
    world
}

/// DATA that core `from` has just sent and that is on its way, as a form to write other packets on.
fn form(world: &mut World, from: usize) -> Frame {
    let now = world.now();
    let wr_id = 1000 + u64::from(world.cores[from].in_flight());
    let write = world.write(&LINK, from, wr_id, 3, 900_000, 8);
    world.cores[from].submit(write);
    let out = world.cores[from].transmit(now, &mut world.hosts[from]).expect("a frame");
    Frame::parse(&out.bytes, heddle_wire::ParseConfig::default()).expect("a good frame")
}

/// One packet to write: opcode, header, bytes of payload; LAST as it must be.
#[derive(Clone, Copy, Debug)]
struct Forged {
    opcode: Opcode,
    header: Data,
    payload: usize,
    last: bool,
}

/// An honest packet of a message of one slice.
fn honest(opcode: Opcode) -> Forged {
    let (length, payload) = match opcode {
        Opcode::FetchAdd | Opcode::CmpSwap => (8, 16),
        Opcode::AtomicResp => (8, 8),
        Opcode::ReadReq => (100, 0),
        _ => (100, 100),
    };
    let address = if opcode.has_key() { (BASE + 7) & !7 } else { 0 };
    let key = if opcode.has_key() { KEY } else { 0 };
    Forged { opcode, header: Data { length, address, key, ..Data::default() }, payload, last: true }
}

impl Forged {
    fn with(self, change: impl FnOnce(&mut Data)) -> Self {
        let mut header = self.header;
        change(&mut header);
        Self { header, ..self }
    }

    fn frame(&self, form: &Frame) -> Vec<u8> {
        let mut frame = form.clone();
        let Forged { opcode, header, payload, last } = *self;
        frame.packet.flags = if last { Flags::NONE.with(Flag::Last) } else { Flags::NONE };
        frame.packet.body = Body::Data { opcode, header, payload: vec![0xEE; payload] };
        let mut bytes = vec![];
        frame.emit_into(&mut bytes).expect("it can be written");
        bytes
    }
}

fn cases() -> Vec<(DropReason, Forged)> {
    let keyed = REQUESTS.into_iter().filter(|opcode| opcode.has_key()).map(honest);
    let mut cases = vec![];
    for forged in REQUESTS.map(honest) {
        cases.push((DropReason::Stream, forged.with(|data| data.stream = 4)));
        cases.push((DropReason::MsnWindow, forged.with(|data| data.msn = Msn::new(16))));
        cases.push((DropReason::MsnWindow, forged.with(|data| data.msn = Msn::new(0xFF_FFFF))));
        cases.push((DropReason::Slice, Forged { last: false, ..forged }));
        cases.push((DropReason::Slice, forged.with(|data| data.offset = 1024)));
        cases.push((DropReason::Slice, forged.with(|data| data.offset = 4)));
    }
    for forged in keyed {
        cases.push((DropReason::Key, forged.with(|data| data.key ^= 1)));
        cases.push((DropReason::Key, forged.with(|data| data.key += 1 << 16)));
        cases.push((DropReason::Key, forged.with(|data| data.key = u32::MAX)));
        cases.push((DropReason::Bounds, forged.with(|data| data.address = (BASE - 1) & !7)));
        cases.push((DropReason::Bounds, forged.with(|data| data.address = (BASE + LENGTH) & !7)));
        cases.push((DropReason::Bounds, forged.with(|data| data.address = !7)));
    }
    for opcode in [Opcode::Send, Opcode::SendImm, Opcode::WriteImm] {
        for rq_index in [1, 0xFFFF, 0x8000] {
            let forged = honest(opcode).with(|data| data.rq_index = Seq16::new(rq_index));
            cases.push((DropReason::Credit, forged));
        }
    }
    for opcode in [Opcode::Send, Opcode::SendImm] {
        let long = Forged { payload: 1024, last: false, ..honest(opcode) };
        cases.push((DropReason::Bounds, long.with(|data| data.length = 1501)));
    }
    for opcode in [Opcode::ReadReq, Opcode::FetchAdd, Opcode::CmpSwap] {
        for place in [16, 0xFFFF] {
            let forged = honest(opcode).with(|data| data.rq_index = Seq16::new(place));
            cases.push((DropReason::Depth, forged));
        }
    }
    for opcode in [Opcode::FetchAdd, Opcode::CmpSwap] {
        cases.push((DropReason::Operation, honest(opcode).with(|data| data.address += 4)));
        cases.push((DropReason::Slice, honest(opcode).with(|data| data.length = 16)));
    }
    cases.extend([Opcode::ReadResp, Opcode::AtomicResp].map(|o| (DropReason::AnswerUnmatched, honest(o))));
    cases
}

// REQ-OP-2, REQ-OP-6, REQ-OP-7, REQ-MR-1, REQ-MR-3, REQ-MR-5, REQ-MSG-5
#[test]
fn every_fault_has_its_reason_touches_nothing_and_leaves_the_bit_clear() {
    let cases = cases();
    for (reason, forged) in &cases {
        let mut world = world(false);
        let form = form(&mut world, 0);
        world.inject(1, &forged.frame(&form));
        let counters = world.cores[1].counters();
        assert_eq!((counters.drops(*reason), counters.dropped()), (1, 1), "{reason} {forged:?}");
        assert_eq!((counters.accepted, world.cores[1].completion()), (0, None), "{reason} {forged:?}");
        assert!(world.hosts[1].bytes.iter().all(|byte| *byte == BLANK), "{reason} {forged:?}");
        // The same PSN is let in with what it should have been.
        world.inject(1, &honest(Opcode::Send).frame(&form));
        assert_eq!(world.cores[1].counters().accepted, 1, "{reason} {forged:?}");
        let filled = |byte: &&u8| **byte != BLANK;
        assert_eq!(world.hosts[1].bytes.iter().filter(filled).count(), 100);
    }
    assert_eq!(cases.len(), 6 * 7 + 6 * 5 + 9 + 2 + 6 + 4 + 2);
}

#[test]
fn every_fault_that_is_answered_ends_the_connection_with_its_status_at_the_sender() {
    let mut answered = 0;
    for (reason, forged) in &cases() {
        let mut world = world(true);
        let form = form(&mut world, 0);
        world.inject(1, &forged.frame(&form));
        world.stir(0);
        world.run_to(100_000);
        let ended = world.completions[0].pop_front().map(|done| done.status);
        let want = match reason.answer() {
            Answer::Nak(code) => {
                answered += 1;
                Status::from_code(code.code())
            }
            // The packet is lost as far as the sender knows, and sent again as what it was.
            _ => Some(Status::Success),
        };
        assert_eq!(ended, want, "{reason} {forged:?}");
        let flushed = world.completions[1].iter().filter(|done| done.status == Status::Flushed);
        let ids: Vec<u64> = flushed.map(|done| done.wr_id).collect();
        assert_eq!(ids.as_slice(), if want == Some(Status::Success) { &[] } else { &[77][..] }, "{reason}");
        assert!(world.hosts[1].bytes[..(BASE + 900_000) as usize].iter().all(|byte| *byte == BLANK));
    }
    assert!(answered > 60, "{answered}");
}

#[test]
fn rights_and_domains_are_asked_for_by_whole_cores_too() {
    let none =
        Region { remote_write: false, remote_read: false, remote_atomic: false, ..crate::world::region() };
    let regions = [
        (DropReason::Rights, none),
        (DropReason::Key, Region { domain: 99, ..crate::world::region() }),
        (DropReason::Key, Region { valid: false, ..crate::world::region() }),
    ];
    for (reason, region) in regions {
        for opcode in [Opcode::Write, Opcode::WriteImm, Opcode::ReadReq, Opcode::FetchAdd, Opcode::CmpSwap] {
            let mut world = world(false);
            assert!(world.cores[1].set_region(REGION, region));
            let form = form(&mut world, 0);
            world.inject(1, &honest(opcode).frame(&form));
            assert_eq!(world.cores[1].counters().drops(reason), 1, "{reason} {opcode}");
        }
    }
}

#[test]
fn packets_that_contradict_the_earlier_ones_of_their_message_are_mismatches() {
    for change in 0..4 {
        let mut world = world(false);
        let [first, second] = [form(&mut world, 0), form(&mut world, 0)];
        let message = Forged { payload: 1024, last: false, ..honest(Opcode::Send) };
        let message = message.with(|data| data.length = 1400);
        world.inject(1, &message.frame(&first));
        let rest = Forged { payload: 376, last: true, ..message }.with(|data| data.offset = 1024);
        let bad = match change {
            0 => Forged { opcode: Opcode::SendImm, ..rest },
            1 => Forged { payload: 372, ..rest }.with(|data| data.length = 1396),
            2 => rest.with(|data| data.rq_index = Seq16::new(1)),
            _ => Forged { opcode: Opcode::Write, ..rest }.with(|data| data.key = KEY),
        };
        world.inject(1, &bad.frame(&second));
        let counters = world.cores[1].counters();
        assert_eq!((counters.accepted, counters.drops(DropReason::SlotMismatch)), (1, 1), "{change}");
        world.inject(1, &rest.frame(&second));
        let done = world.cores[1].completion().expect("the receive");
        assert_eq!((done.wr_id, done.byte_len, done.receive), (77, 1400, true));
    }
}

/// A receive is one message's, and a place one request's.
// REQ-MSG-5, REQ-OP-6
#[test]
fn what_another_message_has_claimed_is_a_fault() {
    let mut world = world(false);
    let forms = [0; 4].map(|_: u8| form(&mut world, 0));
    let message = Forged { payload: 1024, last: false, ..honest(Opcode::Send) };
    let message = message.with(|data| data.length = 1400);
    world.inject(1, &message.frame(&forms[0]));
    world.inject(1, &message.with(|data| data.stream = 1).frame(&forms[1]));
    assert_eq!(world.cores[1].counters().drops(DropReason::Credit), 1);
    // The request waits for message 0 of its stream; its place is not free until it is answered.
    let waiting = honest(Opcode::ReadReq).with(|data| (data.stream, data.msn) = (2, Msn::new(1)));
    world.inject(1, &waiting.frame(&forms[2]));
    let other = honest(Opcode::FetchAdd).with(|data| data.stream = 3);
    world.inject(1, &other.frame(&forms[3]));
    assert_eq!(world.cores[1].counters().drops(DropReason::Depth), 1);
    let elsewhere = other.with(|data| data.rq_index = Seq16::new(1));
    world.inject(1, &elsewhere.frame(&forms[3]));
    assert_eq!(world.cores[1].counters().accepted, 3);
}

fn read(local: u64, length: u32) -> WorkRequest {
    let (opcode, conn, rkey) = (Opcode::ReadReq.code(), 1, KEY);
    WorkRequest { wr_id: 5, opcode, conn, local, remote: BASE, rkey, length, ..WorkRequest::default() }
}

// REQ-OP-7
#[test]
fn forged_answers_land_nowhere_and_the_true_one_lands() {
    let mut world = world(false);
    world.hosts[1].bytes[BASE as usize..][..1500].fill(0x11);
    let form = form(&mut world, 1);
    assert!(world.submit(0, read(SINK, 1500)));
    let now = world.now();
    let out = world.cores[0].transmit(now, &mut world.hosts[0]).expect("the request").bytes;
    let answer = Forged { payload: 1024, last: false, ..honest(Opcode::ReadResp) };
    let answer = answer.with(|data| data.length = 1500);
    let forged = [
        (DropReason::AnswerUnmatched, answer.with(|data| data.msn = Msn::new(1))),
        (DropReason::AnswerUnmatched, answer.with(|data| data.stream = 1)),
        (DropReason::AnswerUnmatched, honest(Opcode::AtomicResp)),
        (DropReason::Stream, answer.with(|data| data.stream = 200)),
        (DropReason::Bounds, answer.with(|data| data.length = 1501)),
        (DropReason::Slice, answer.with(|data| data.length = 1499)),
        (DropReason::Slice, answer.with(|data| data.offset = 512)),
        (DropReason::Slice, answer.with(|data| data.offset = 2048)),
    ];
    for (n, (reason, forged)) in forged.iter().enumerate() {
        let before = world.cores[0].counters().drops(*reason);
        world.inject(0, &forged.frame(&form));
        assert_eq!(world.cores[0].counters().drops(*reason), before + 1, "case {n}");
    }
    assert!(world.hosts[0].bytes.iter().all(|byte| *byte == BLANK));
    world.inject(1, &out);
    assert!(world.settle(1_000_000));
    let done = world.completions[0].pop_front().expect("the READ");
    assert_eq!((done.wr_id, done.status, done.byte_len), (5, Status::Success, 1500));
    assert!(world.hosts[0].bytes[SINK as usize..][..1500].iter().all(|byte| *byte == 0x11));
    // Once it is complete, an answer under another PSN is to nothing.
    world.hosts[0].bytes[SINK as usize..][..1500].fill(BLANK);
    let late = self::form(&mut world, 1);
    world.inject(0, &answer.frame(&late));
    assert_eq!(world.cores[0].counters().drops(DropReason::AnswerUnmatched), 4);
    assert!(world.hosts[0].bytes[SINK as usize..][..1500].iter().all(|byte| *byte == BLANK));
}

/// The same content under another PSN, once the message is complete: the sink and the target are the user's again.
#[test]
fn nothing_lands_after_completion_under_another_psn() {
    for opcode in [Opcode::Write, Opcode::WriteImm, Opcode::Send, Opcode::SendImm] {
        let mut world = world(false);
        let [first, second] = [form(&mut world, 0), form(&mut world, 0)];
        world.inject(1, &honest(opcode).frame(&first));
        assert_eq!(world.hosts[1].bytes.iter().filter(|byte| **byte != BLANK).count(), 100, "{opcode}");
        world.hosts[1].bytes.fill(BLANK);
        world.inject(1, &honest(opcode).frame(&second));
        let counters = world.cores[1].counters();
        assert_eq!((counters.accepted, counters.drops(DropReason::MsnWindow)), (1, 1), "{opcode}");
        assert!(world.hosts[1].bytes.iter().all(|byte| *byte == BLANK), "{opcode}");
    }
}

// REQ-MR-6
#[test]
fn a_region_that_is_withdrawn_is_not_read_and_not_changed_any_more() {
    for (opcode, life) in [(Opcode::ReadReq, true), (Opcode::FetchAdd, true), (Opcode::FetchAdd, false)] {
        let mut world = world(life);
        let forms = [form(&mut world, 0), form(&mut world, 0)];
        let request = honest(opcode).with(|data| data.msn = Msn::new(1));
        world.inject(1, &request.frame(&forms[0]));
        assert!(world.cores[1].set_region(REGION, Region { valid: false, ..crate::world::region() }));
        // Message 0 comes: the request's turn.
        world.inject(1, &honest(Opcode::Send).frame(&forms[1]));
        world.run_to(20_000);
        assert_eq!(world.cores[1].counters().errors, 1, "{opcode}");
        assert!(!world.cores[1].is_open(2), "ended, or life is off");
        assert_eq!(world.cores[1].counters().data_sent, 0, "{opcode}: nothing is answered");
        let region = &world.hosts[1].bytes[BASE as usize..][..64];
        assert!(region.iter().all(|byte| *byte == BLANK), "{opcode}");
    }
}
