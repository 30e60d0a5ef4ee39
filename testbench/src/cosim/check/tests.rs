use super::super::plan::HostPlan;
use super::super::scenario::Scenario;
use super::super::settings::Settings;
use super::super::setup::{endpoints, RECEIVER};
use super::super::workload::Workload;
use super::*;
use heddle_rtl::config::named;
use heddle_wire::queues::WorkFlag;

/// Two hosts with this memory: the sender's requests, the receiver's receives.
struct Bench {
    plan: Plan,
    memories: Vec<HostMemory>,
    check: Check,
}

/// Addresses in the requests are offsets.
fn bench(memory: [&[u8]; 2], requests: &[WorkRequest], receives: &[Receive]) -> Bench {
    let scenario = Scenario::new(Settings::new(named::tiny())).unwrap();
    let setups = endpoints(&scenario);
    let [sender, receiver] = [0, 1].map(|n| setups[n].region.base);
    let [conn, peer] = [0, 1].map(|n| setups[n].connections[0].connection);
    let requests = requests.iter().map(|request| WorkRequest {
        conn,
        local_address: sender + request.local_address,
        remote_address: receiver + request.remote_address,
        ..*request
    });
    let receives = receives.iter().map(|one| Receive {
        conn: peer,
        local_address: receiver + one.local_address,
        ..*one
    });
    let hosts = vec![
        HostPlan { memory: memory[0].to_vec(), requests: requests.collect(), ..HostPlan::default() },
        HostPlan { memory: memory[1].to_vec(), receives: receives.collect(), ..HostPlan::default() },
    ];
    let plan = Plan { name: "test", setups, hosts };
    let memories = (0..2).map(|n| plan.memory(n)).collect();
    Bench { check: Check::new(&plan), plan, memories }
}

impl Bench {
    fn put(&mut self, host: usize, offset: u64, bytes: &[u8]) {
        let address = self.plan.setups[host].region.base + offset;
        self.memories[host].slice_mut(address, bytes.len()).unwrap().copy_from_slice(bytes);
    }

    fn complete(&mut self, host: usize, completion: Completion) -> Result<(), String> {
        let conn = self.plan.setups[host].connections[0].connection;
        let memories = &self.memories;
        self.check.on_completion(host, &Completion { conn, ..completion }, |n| &memories[n])
    }

    fn finish(&self) -> Verified {
        self.check.finish(|n| &self.memories[n], 2)
    }
}

fn request(opcode: Opcode, wr_id: u64, stream: u8, local: u64, remote: u64, length: u32) -> WorkRequest {
    let opcode = opcode.code();
    let (local_address, remote_address) = (local, remote);
    WorkRequest { opcode, wr_id, stream, local_address, remote_address, length, ..WorkRequest::default() }
}

fn done(opcode: Opcode, wr_id: u64, stream: u8, msn: u32, byte_count: u32) -> Completion {
    Completion { opcode: opcode.code(), wr_id, stream, msn, byte_count, ..Completion::default() }
}

/// Three WRITEs of ten bytes on two streams.
fn writes() -> Bench {
    let write = |wr_id, stream, at, length| request(Opcode::Write, wr_id, stream, at, at, length);
    bench([b"0123456789", &[0; 10]], &[write(0, 0, 0, 4), write(1, 1, 4, 4), write(2, 0, 8, 2)], &[])
}

fn wrote(wr_id: u64, stream: u8, msn: u32, byte_count: u32) -> Completion {
    done(Opcode::Write, wr_id, stream, msn, byte_count)
}

#[test]
fn completions_in_stream_order_with_every_byte_in_place_verify_the_memory() {
    let mut bench = writes();
    bench.put(RECEIVER, 0, b"0123456789");
    for completion in [wrote(1, 1, 0, 4), wrote(0, 0, 0, 4), wrote(2, 0, 1, 2)] {
        assert!(!bench.check.is_complete());
        bench.complete(0, completion).unwrap();
    }
    assert!(bench.check.is_complete());
    assert_eq!((bench.check.completed(), bench.check.completed_bytes()), (3, 10));
    let good = Verified { bytes_asked: 10, bytes: 10, sha256_match: true, wrong: None, receives: 0 };
    assert_eq!(bench.finish(), good);
}

#[test]
fn a_message_completed_before_its_bytes_are_there_is_not_verified() {
    let mut bench = writes();
    bench.put(RECEIVER, 0, b"0123456.89");
    for completion in [wrote(0, 0, 0, 4), wrote(1, 1, 0, 4), wrote(2, 0, 1, 2)] {
        bench.complete(0, completion).unwrap();
    }
    bench.put(RECEIVER, 7, b"7");
    let late = bench.finish();
    assert_eq!((late.bytes, late.sha256_match, late.wrong), (6, true, None));
    // Damage after the completion is found too, and so is a byte of the source that changed.
    bench.put(RECEIVER, 0, b"X");
    let damaged = bench.finish();
    assert_eq!((damaged.bytes, damaged.sha256_match), (5, false));
    assert_eq!(damaged.wrong.as_deref(), Some("byte 0 of endpoint 1 is 0x58, it must be 0x30"));
    bench.put(RECEIVER, 0, b"0");
    bench.put(0, 9, b"X");
    assert_eq!(bench.finish().wrong.as_deref(), Some("byte 9 of endpoint 0 is 0x58, it must be 0x39"));
}

#[test]
fn a_completion_that_is_not_owed_is_refused_with_what_was_seen() {
    let refused = |completion: Completion| writes().complete(0, completion).unwrap_err();
    assert_eq!(refused(wrote(2, 0, 0, 4)), "stream 0 completed wr_id 2 where 0 is next");
    assert_eq!(refused(wrote(7, 3, 0, 2)), "wr_id 7 is completed, but stream 3 is owed nothing");
    assert_eq!(refused(wrote(0, 0, 0, 3)), "wr_id 0 moved 3 bytes with opcode 1, asked for were 4 with 1");
    assert_eq!(
        refused(done(Opcode::Send, 0, 0, 0, 4)),
        "wr_id 0 moved 4 bytes with opcode 3, asked for were 4 with 1"
    );
    assert_eq!(refused(wrote(0, 0, 5, 4)), "wr_id 0 is message 5 of stream 0, 0 is next");
    let odd = Completion { flags: 2, ..wrote(0, 0, 0, 4) };
    assert_eq!(refused(odd), "wr_id 0 is completed with flags 2");
    assert_eq!(writes().check.missing_text(), "stream 0 lacks 2, stream 1 lacks 1");
}

#[test]
fn every_request_ends_once_in_stream_order_with_an_error_too() {
    let ended = |status: Status, wr_id, stream| Completion {
        status: status.code(),
        ..done(Opcode::Write, wr_id, stream, 0, 0)
    };
    let mut bench = writes();
    let not_next = bench.complete(0, ended(Status::Flushed, 2, 0)).unwrap_err();
    assert_eq!(not_next, "wr_id 2 ended with FLUSHED where it is not next, or has ended");
    // Refused at once: before those that still wait.
    bench.complete(0, ended(Status::InvalidRequest, 2, 0)).unwrap();
    assert_eq!(bench.check.failure().unwrap().status, "INVALID_REQUEST");
    bench.complete(0, ended(Status::RetryBudget, 0, 0)).unwrap();
    assert!(bench.complete(0, ended(Status::Flushed, 0, 0)).unwrap_err().contains("has ended"));
    bench.complete(0, ended(Status::Flushed, 1, 1)).unwrap();
    let first = bench.check.failure().unwrap();
    assert_eq!((first.wr_id, first.status.as_str()), (0, "RETRY_BUDGET"));
    assert_eq!((bench.check.failed(), bench.check.completed()), ([3, 0], 0));
    assert!(!bench.check.is_complete());
    let mut bench = sends();
    let receive = Completion { flags: 1, ..ended(Status::Flushed, 50, 0) };
    bench.complete(RECEIVER, receive).unwrap();
    assert!(bench
        .complete(RECEIVER, receive)
        .unwrap_err()
        .starts_with("receive wr_id 50 ended with FLUSHED"));
}

/// SEND_IMM of 3 bytes and WRITE_IMM of 2 bytes into receives of 4.
fn sends() -> Bench {
    let requests = [
        WorkRequest { imm: 77, ..request(Opcode::SendImm, 0, 1, 0, 0, 3) },
        WorkRequest { imm: 78, ..request(Opcode::WriteImm, 1, 1, 3, 8, 2) },
    ];
    let receive = |wr_id, at| Receive { wr_id, local_address: at, length: 4, ..Receive::default() };
    bench([b"abcde", &[0xA5; 10]], &requests, &[receive(50, 0), receive(51, 4)])
}

fn received(opcode: Opcode, wr_id: u64, msn: u32, byte_count: u32, imm: u32) -> Completion {
    Completion { flags: 3, imm, ..done(opcode, wr_id, 1, msn, byte_count) }
}

#[test]
fn a_send_must_be_in_the_receive_that_it_consumed_and_a_write_with_immediate_in_none() {
    let mut bench = sends();
    // The second receive takes the first message: which one does is not the requests' to say.
    bench.put(RECEIVER, 4, b"abc");
    bench.put(RECEIVER, 8, b"de");
    bench.complete(RECEIVER, received(Opcode::SendImm, 51, 0, 3, 77)).unwrap();
    assert_eq!(bench.check.missing_text(), "stream 1 lacks 2, stream 1 lacks 1 receives");
    bench.complete(RECEIVER, received(Opcode::WriteImm, 50, 1, 2, 78)).unwrap();
    bench.complete(0, done(Opcode::SendImm, 0, 1, 0, 3)).unwrap();
    assert!(!bench.check.is_complete());
    bench.complete(0, done(Opcode::WriteImm, 1, 1, 1, 2)).unwrap();
    assert!(bench.check.is_complete());
    let good = Verified { bytes_asked: 5, bytes: 5, sha256_match: true, wrong: None, receives: 2 };
    assert_eq!(bench.finish(), good);
    // Behind the message the receive is as it was.
    bench.put(RECEIVER, 7, b"!");
    assert_eq!(bench.finish().wrong.as_deref(), Some("byte 7 of endpoint 1 is 0x21, it must be 0xa5"));
}

#[test]
fn a_receive_that_is_completed_wrongly_is_refused_with_what_was_seen() {
    let refused = |completion: Completion| sends().complete(RECEIVER, completion).unwrap_err();
    let first = received(Opcode::SendImm, 50, 0, 3, 77);
    let other_imm = refused(Completion { imm: 70, ..first });
    assert_eq!(other_imm, "receive wr_id 50 came with imm Some(70), sent was Some(77)");
    let no_imm = refused(Completion { flags: 1, ..first });
    assert_eq!(no_imm, "receive wr_id 50 came with imm None, sent was Some(77)");
    let unknown = refused(Completion { wr_id: 9, ..first });
    assert_eq!(unknown, "receive wr_id 9 is completed, it was consumed or never posted");
    let mut bench = sends();
    bench.put(RECEIVER, 0, b"abc");
    bench.complete(RECEIVER, first).unwrap();
    let again = bench.complete(RECEIVER, received(Opcode::WriteImm, 50, 1, 2, 78)).unwrap_err();
    assert_eq!(again, "receive wr_id 50 is completed, it was consumed or never posted");
    let early = bench.complete(RECEIVER, received(Opcode::WriteImm, 51, 1, 2, 78));
    assert!(early.is_err(), "its message was owed, and is no more");
    let mut bench = sends();
    bench.complete(RECEIVER, first).unwrap();
    assert_eq!(
        bench.complete(RECEIVER, received(Opcode::WriteImm, 51, 1, 2, 78)).unwrap_err(),
        "receive wr_id 51 is completed before the message's bytes are in place"
    );
}

#[test]
fn reads_and_atomics_bring_what_the_peer_had_in_stream_order() {
    // A word of 5, to which 3 is added, then 8 is swapped for 100, then 7 for 1 in vain.
    let atomic = |opcode, wr_id, local, operand, compare| WorkRequest {
        operand,
        compare,
        ..request(opcode, wr_id, 2, local, 0, 8)
    };
    let requests = [
        atomic(Opcode::FetchAdd, 0, 0, 3, 0),
        atomic(Opcode::CmpSwap, 1, 8, 100, 8),
        atomic(Opcode::CmpSwap, 2, 16, 1, 7),
        request(Opcode::ReadReq, 3, 0, 24, 8, 2),
    ];
    let mut bench = bench([&[0xEE; 26], &[5, 0, 0, 0, 0, 0, 0, 0, b'h', b'i']], &requests, &[]);
    bench.put(RECEIVER, 0, &[100]);
    for (at, value) in [(0, 5u64), (8, 8), (16, 100)] {
        bench.put(0, at, &value.to_le_bytes());
    }
    bench.put(0, 24, b"hi");
    for (opcode, wr_id, stream, msn, len) in [
        (Opcode::FetchAdd, 0, 2, 0, 8),
        (Opcode::CmpSwap, 1, 2, 1, 8),
        (Opcode::ReadReq, 3, 0, 0, 2),
        (Opcode::CmpSwap, 2, 2, 2, 8),
    ] {
        bench.complete(0, done(opcode, wr_id, stream, msn, len)).unwrap();
    }
    let good = Verified { bytes_asked: 26, bytes: 26, sha256_match: true, wrong: None, receives: 0 };
    assert_eq!(bench.finish(), good);
}

/// Two streams add 3 and 5 to a word of 10.
fn adds(found: [u64; 2], end: u64) -> Verified {
    let add = |wr_id, stream, local, operand| WorkRequest {
        operand,
        ..request(Opcode::FetchAdd, wr_id, stream, local, 0, 8)
    };
    let requests = [add(0, 0, 0, 3), add(1, 1, 8, 5)];
    let mut bench = bench([&[0xFF; 16], &10u64.to_le_bytes()], &requests, &[]);
    bench.put(RECEIVER, 0, &end.to_le_bytes());
    for (n, value) in found.into_iter().enumerate() {
        bench.put(0, 8 * n as u64, &value.to_le_bytes());
        bench.complete(0, done(Opcode::FetchAdd, n as u64, n as u8, 0, 8)).unwrap();
    }
    bench.finish()
}

#[test]
fn adds_of_several_streams_happen_one_after_the_other_in_any_order() {
    for found in [[10, 13], [15, 10]] {
        let good = adds(found, 18);
        assert_eq!((good.bytes, good.sha256_match, good.wrong), (16, true, None), "{found:?}");
    }
    let torn = adds([10, 10], 18).wrong.unwrap();
    assert!(torn.contains("found 10 where 13 was left"), "{torn}");
    let lost = adds([10, 13], 15);
    assert!(!lost.sha256_match && lost.wrong.is_some_and(|wrong| wrong.contains("endpoint 1")));
}

/// What a fenced WRITE sends is what the READ before it brought, and a READ sees the WRITE before it.
#[test]
fn a_stream_sees_what_it_did_before() {
    let requests = [
        request(Opcode::ReadReq, 0, 0, 0, 0, 2),
        WorkRequest { flags: 1 << WorkFlag::Fence as u8, ..request(Opcode::Write, 1, 0, 0, 2, 2) },
        request(Opcode::ReadReq, 2, 0, 2, 2, 2),
    ];
    let bench = bench([&[0; 4], b"xy\0\0"], &requests, &[]);
    assert_eq!(bench.check.expected.memory(0).data(), b"xyxy");
    assert_eq!(bench.check.expected.memory(RECEIVER).data(), b"xyxy");
}

/// Every sink of a plan differs, byte by byte, from what it must become; all else must not change.
#[test]
fn a_plans_sinks_hold_nothing_that_could_look_right() {
    for workload in Workload::ALL {
        for senders in [1, 2] {
            let settings = Settings { senders, seed: 3, ..Settings::new(named::gbe()) };
            let scenario = Scenario::new(settings).unwrap();
            let plan = Plan::workload(&scenario, workload, 600_000);
            let (check, before) = (Check::new(&plan), Expected::new(&plan));
            let (mut sinks, mut atomics) = (0, 0);
            for owed in check.requests.values().flatten() {
                if let Effect::Placed(place) = owed.effect {
                    let of = |memories: &Expected| {
                        memories.memory(place.host).slice(place.address, place.len).unwrap().to_vec()
                    };
                    let (before, after) = (of(&before), of(&check.expected));
                    assert!(before.iter().zip(&after).all(|(a, b)| a != b), "{workload:?}: {owed:?}");
                    sinks += place.len as u64;
                }
                atomics += u64::from(matches!(owed.effect, Effect::Fetched { .. }));
            }
            let sent: u64 = check.arrivals.values().flatten().map(|one| u64::from(one.request.length)).sum();
            assert!(sinks + 8 * atomics + sent >= plan.bytes(), "{workload:?}: a request has no sink");
            assert!(plan.bytes() + 100 >= 600_000 * u64::from(senders), "{workload:?}");
            assert_eq!(atomics > 0, [Workload::Atomic, Workload::Mixed].contains(&workload), "{workload:?}");
        }
    }
}
