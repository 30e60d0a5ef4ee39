//! What users of such transports reported in public (docs/testplan.md), where operations have the state for it.

use crate::pair::{pair, request, LINK, MS, SINK};
use crate::world::{Network, World, BASE, BLANK, LENGTH, REQUESTS};
use heddle_model::core::CoreConfig;
use heddle_model::operations::Operations;
use heddle_model::rx::recv::Receive;
use heddle_model::tx::msg::{Completion, WorkRequest};
use heddle_wire::{Ack, Body, DropReason, Flag, Frame, Opcode, PacketType, Status};

fn post(world: &mut World, count: u64, length: u32) {
    for wr_id in 0..count {
        assert!(world.cores[1].post_receive(2, Receive { wr_id, address: SINK, length }), "{wr_id}");
    }
    world.stir(1);
}

fn taken(world: &mut World, core: usize) -> Vec<Completion> {
    world.completions[core].drain(..).collect()
}

/// F23.
// REQ-MR-4
#[test]
fn an_empty_operation_is_one_packet_and_one_completion_and_touches_no_memory() {
    let mut world = pair(CoreConfig::default(), Network::default());
    post(&mut world, 3, 0);
    world.hosts.iter_mut().for_each(|host| host.fails = true);
    let kinds = [Opcode::Write, Opcode::WriteImm, Opcode::Send, Opcode::SendImm, Opcode::ReadReq];
    for (n, opcode) in kinds.into_iter().enumerate() {
        let nobodys = (u64::MAX, u64::MAX, 0xDEAD_BEEF);
        let (local, remote, rkey) = nobodys;
        let request = WorkRequest { local, remote, rkey, ..request(opcode, n as u64, 0) };
        assert!(world.submit(0, request), "{opcode}");
    }
    assert!(world.settle(10 * MS));
    let done = taken(&mut world, 0);
    let told: Vec<_> =
        done.iter().map(|done| (done.wr_id, done.status, done.byte_len, done.msn.get())).collect();
    let want: Vec<_> = (0..5).map(|n| (n, Status::Success, 0, n as u32)).collect();
    assert_eq!(told, want);
    let received = taken(&mut world, 1);
    assert!(received.iter().all(|done| done.receive && done.byte_len == 0 && done.status == Status::Success));
    assert_eq!(received.len(), 3);
    let sent = [0, 1].map(|core| world.cores[core].counters().data_sent);
    assert_eq!(sent, [5, 1], "one packet each, and one for the answer");
    assert_eq!([0, 1].map(|core: usize| world.cores[core].counters().errors), [0, 0]);
}

/// F25: slices around every boundary, for every operation that has them.
#[test]
fn messages_around_multiples_of_the_slice_are_the_packets_they_should_be() {
    let mut checked = 0;
    for slice_log2 in [10, 12] {
        let slice = 1u32 << slice_log2;
        let lengths =
            [slice - 1, slice, slice + 1, 2 * slice - 1, 2 * slice, 2 * slice + 1, 7 * slice, 16 * slice];
        for opcode in &REQUESTS[..5] {
            for length in lengths {
                let mut world = pair(CoreConfig { slice_log2, ..CoreConfig::default() }, Network::default());
                let from = if *opcode == Opcode::ReadReq { 1 } else { 0 };
                let bytes: Vec<u8> = (0..length).map(|n| (n * 7 + n / 251) as u8).collect();
                world.hosts[from].bytes[BASE as usize..][..length as usize].copy_from_slice(&bytes);
                post(&mut world, 1, length);
                assert!(world.submit(0, request(*opcode, 1, length)));
                let done = (0..100).any(|_| {
                    world.run_to(world.tick + MS);
                    !world.completions[0].is_empty()
                });
                assert!(done && world.settle(10 * MS), "{opcode} {length}");
                let packets = u64::from(length.div_ceil(slice));
                assert_eq!(world.cores[from].counters().data_sent, packets, "{opcode} {length}");
                let at = if matches!(opcode, Opcode::Write | Opcode::WriteImm) { BASE } else { SINK };
                let landed = &world.hosts[1 - from].bytes[at as usize..][..length as usize];
                assert!(landed == bytes, "{opcode} {length}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 2 * 5 * 8);
}

/// F25: what is lost is sent again packet by packet.
#[test]
fn a_lost_packet_of_a_long_message_is_sent_again_alone() {
    for opcode in [Opcode::Write, Opcode::Send, Opcode::ReadReq] {
        let (mut lost, mut resent) = (0, 0);
        for seed in 0..8u64 {
            let mut world = pair(CoreConfig::default(), Network::default());
            post(&mut world, 1, 64 << 10);
            world.run_to(seed * 17);
            assert!(world.submit(0, request(opcode, 1, 64 << 10)));
            let from = if opcode == Opcode::ReadReq { 1 } else { 0 };
            while world.cores[from].counters().data_sent < 10 {
                world.run_to(world.tick + 1);
            }
            // One packet is lost, in the middle.
            world.network.loss = 1.0;
            let before = world.cores[from].counters().data_sent;
            while world.cores[from].counters().data_sent == before {
                world.run_to(world.tick + 1);
            }
            lost += world.cores[from].counters().data_sent - before;
            world.network.loss = 0.0;
            assert!(world.settle(100 * MS) && world.completions[0].len() == 1, "{opcode}");
            resent += world.cores[from].counters().data_resent;
        }
        assert_eq!((lost, resent), (8, 8), "{opcode}");
    }
}

/// F25: a peer with smaller slices refuses what is too long, and both live on.
#[test]
fn slices_longer_than_the_peers_are_counted_and_change_nothing() {
    let mut world = pair(CoreConfig { slice_log2: 10, ..CoreConfig::default() }, Network::default());
    let config = CoreConfig { slice_log2: 9, operations: Operations::ALL, ..CoreConfig::default() };
    world.cores[1] = heddle_model::core::Core::new(config);
    world.cores[0] = heddle_model::core::Core::new(CoreConfig { slice_log2: 10, ..config });
    for core in &mut world.cores {
        assert!(core.set_region(crate::world::REGION, crate::world::region()));
    }
    assert!(world.connect(&LINK, 4));
    assert!(world.submit(0, request(Opcode::Write, 1, 4096)));
    world.run_to(world.tick + MS);
    let drops = world.cores[1].counters().drops(DropReason::Oversize);
    assert!(drops > 0 && world.cores[1].counters().accepted == 0, "{drops}");
    assert!(world.hosts[1].bytes.iter().all(|byte| *byte == BLANK));
    assert_eq!(world.completions[0].len(), 0);
}

/// F09: numbers of receives are 16 bits and one ring for all streams; those of messages are per stream.
// REQ-MSG-2
#[test]
fn one_stream_sleeps_while_another_wraps_the_numbers_of_receives() {
    const COUNT: u64 = 70_000;
    let mut world = pair(CoreConfig { cwnd: 256, ..CoreConfig::default() }, Network::default());
    let (mut submitted, mut posted, mut done, mut received) = (0, 0, 0, 0);
    let first = WorkRequest { stream: 3, ..request(Opcode::Send, u64::MAX, 0) };
    post(&mut world, 1, 8);
    assert!(world.submit(0, first) && world.settle(10 * MS));
    while received < COUNT {
        assert!(world.tick < 40_000 * MS, "{done} of {submitted} sent, {received} of {posted} received");
        let receive = Receive { wr_id: posted, address: SINK, length: 8 };
        while posted < COUNT + 1 && world.cores[1].post_receive(2, receive) {
            posted += 1;
        }
        world.stir(1);
        let send = WorkRequest { stream: 1, ..request(Opcode::SendImm, submitted, 0) };
        let send = WorkRequest { imm: submitted as u32, ..send };
        if submitted < COUNT && world.submit(0, send) {
            submitted += 1;
        }
        if submitted % 16 == 0 || submitted == COUNT {
            world.run_to(world.tick + 200);
        }
        done += taken(&mut world, 0).iter().filter(|done| done.stream == 1).count() as u64;
        for completion in taken(&mut world, 1).iter().filter(|done| done.stream == 1) {
            assert_eq!(completion.imm, Some(received as u32));
            received += 1;
        }
    }
    assert!(world.settle(10 * MS));
    assert!(world.submit(0, WorkRequest { wr_id: 9, ..first }) && world.settle(10 * MS));
    let last = taken(&mut world, 1);
    assert_eq!(last.iter().map(|done| (done.stream, done.msn.get())).collect::<Vec<_>>(), [(3, 1)]);
    assert_eq!(world.cores[1].counters().errors, 0);
}

/// F17: the news of a receive is lost, and nobody but the sender's timer can ask.
// REQ-MSG-1, REQ-ACK-1
#[test]
fn credit_that_was_lost_is_asked_for() {
    let mut world = pair(CoreConfig::default(), Network::default());
    post(&mut world, 1, 100);
    assert!(world.submit(0, request(Opcode::Send, 1, 100)) && world.settle(10 * MS));
    assert!(world.submit(0, request(Opcode::Send, 2, 100)));
    world.run_to(world.tick + 2_000);
    assert_eq!(taken(&mut world, 0).len(), 1, "the second waits for a receive");
    let acks = world.sent[usize::from(PacketType::Ack.code())];
    world.network.ack_loss = 1.0;
    post(&mut world, 1, 100);
    world.run_to(world.tick + 50);
    assert_eq!(world.sent[usize::from(PacketType::Ack.code())], acks + 1, "told at once");
    world.run_to(world.tick + 2_000);
    world.network.ack_loss = 0.0;
    let start = world.tick;
    assert!(world.settle(1_000 * MS));
    assert_eq!((taken(&mut world, 0).len(), taken(&mut world, 1).len()), (1, 2));
    assert!(world.tick - start < 10 * MS, "{} ticks", world.tick - start);
    assert!(world.cores[0].counters().probes_sent > 0);
}

/// F17: the same without a loss takes a round trip and no question.
// REQ-ACK-1
#[test]
fn a_receive_that_is_waited_for_is_told_of_at_once() {
    let mut world = pair(CoreConfig::default(), Network::default());
    post(&mut world, 1, 100);
    assert!(world.submit(0, request(Opcode::Send, 1, 100)) && world.settle(10 * MS));
    assert!(world.submit(0, request(Opcode::Send, 2, 100)));
    let probes = world.cores[0].counters().probes_sent;
    post(&mut world, 1, 100);
    // The news, the message, its ACK.
    world.run_to(world.tick + 3 * crate::world::DELAY + 100);
    assert_eq!((taken(&mut world, 0).len(), taken(&mut world, 1).len()), (2, 2));
    assert_eq!(world.cores[0].counters().probes_sent, probes);
}

/// A gap opens and closes: the ACK that tells of it has 118 bytes, the one behind it 86.
// REQ-ACK-5
#[test]
fn an_ack_has_sack_words_only_while_there_is_a_gap() {
    let config = CoreConfig { paths: 1, ..CoreConfig::default() };
    let slice = 1 << config.slice_log2;
    let mut world = pair(config, Network::default());
    let transmit = |world: &mut World, from: usize| {
        let now = world.now();
        world.cores[from].transmit(now, &mut world.hosts[from]).map(|out| out.bytes)
    };
    let receive = |world: &mut World, at: usize, bytes: &[u8]| {
        let now = world.now();
        world.cores[at].receive(now, bytes, &mut world.hosts[at]);
    };
    world.cores[0].submit(request(Opcode::Write, 1, 3 * slice));
    let data: [Vec<u8>; 3] = std::array::from_fn(|_| transmit(&mut world, 0).expect("a packet"));
    [0, 2].iter().for_each(|n: &usize| receive(&mut world, 1, &data[*n]));
    for (opcode, length) in [(0, 118), (1, 86)] {
        let ack = transmit(&mut world, 1).expect("an ACK");
        assert_eq!((ack[42], ack[43], ack.len()), (0x12, opcode, length));
        world.tick += 10;
        receive(&mut world, 0, &ack);
        // The first tells of the gap; the second that it is closed.
        if let Some(resend) = transmit(&mut world, 0) {
            assert_eq!(resend[50..54], data[1][50..54], "route and PSN of the packet that did not come");
            receive(&mut world, 1, &resend);
        }
    }
    let counters = world.cores[0].counters();
    assert_eq!((counters.acks_received, counters.data_resent), (2, 1));
    let done: Vec<_> = std::iter::from_fn(|| world.cores[0].completion()).collect();
    assert_eq!((done.len(), done[0].status), (1, Status::Success));
    assert!(world.cores[0].is_idle());
}

/// F29: the connection ends while answers are on their way.
#[test]
fn nothing_of_a_read_lands_after_its_completion_whatever_comes_late() {
    let (mut landed, mut late) = (0, 0);
    for step in 0..40 {
        let network = Network { reorder: 0.5, duplicate: 0.3, loss: 0.05, ..Network::default() };
        let mut world = pair(CoreConfig::default(), network);
        world.hosts[1].bytes[BASE as usize..][..100_000].fill(0x11);
        assert!(world.submit(0, request(Opcode::ReadReq, 1, 100_000)));
        world.run_to(1_000 + step * 50);
        let now = world.now();
        assert!(world.cores[0].close(1, now));
        world.stir(0);
        while world.completions[0].is_empty() {
            world.run_to(world.tick + 100);
        }
        let done = taken(&mut world, 0);
        assert_eq!((done.len(), done[0].status), (1, Status::Flushed));
        // The sink is the user's again.
        let sink = &mut world.hosts[0].bytes[SINK as usize..][..100_000];
        landed += sink.iter().filter(|byte| **byte == 0x11).count();
        sink.fill(0x77);
        let before = world.cores[0].counters().dropped();
        world.run_to(world.tick + 10 * MS);
        late += world.cores[0].counters().dropped() - before;
        let sink = &world.hosts[0].bytes[SINK as usize..][..100_000];
        assert!(sink.iter().all(|byte| *byte == 0x77), "step {step}");
    }
    assert!(landed > 0 && late > 0, "{landed} bytes before, {late} packets after");
}

/// More READs than the depth, on streams that finish in any order, under loss.
// REQ-MSG-3, REQ-OP-6
#[test]
fn more_reads_than_the_depth_all_come() {
    let network = Network { loss: 0.1, ack_loss: 0.1, reorder: 0.1, duplicate: 0.1, ..Network::default() };
    let mut world = pair(CoreConfig { streams: 16, slots: 4, ..CoreConfig::default() }, network);
    let bytes: Vec<u8> = (0..LENGTH).map(|n| (n % 253) as u8).collect();
    world.hosts[1].bytes[BASE as usize..][..LENGTH as usize].copy_from_slice(&bytes);
    let mut sink = SINK;
    let mut want = vec![];
    for n in 0..64u64 {
        let length = 1 + (n * 577 % 3000) as u32;
        let (stream, remote) = ((n % 16) as u8, BASE + n * 10_000);
        let read = WorkRequest { stream, remote, local: sink, ..request(Opcode::ReadReq, n, length) };
        assert!(world.submit(0, read));
        want.push((sink, n * 10_000, u64::from(length)));
        sink += u64::from(length) + 1;
    }
    assert!(world.settle(1_000 * MS));
    assert_eq!(taken(&mut world, 0).len(), 64);
    for (sink, at, length) in want {
        let got = &world.hosts[0].bytes[sink as usize..][..length as usize];
        assert!(got == &bytes[at as usize..][..length as usize], "{at}");
        assert_eq!(world.hosts[0].bytes[(sink + length) as usize], BLANK);
    }
    assert_eq!(world.cores[1].counters().drops(DropReason::Depth), 0);
}

/// An answer says that its request, and all before it, is done: no ACK needs to come through for that.
// REQ-OP-8
#[test]
fn a_read_completes_with_what_is_before_it_though_every_ack_is_lost() {
    let mut world = pair(CoreConfig::default(), Network { ack_loss: 1.0, ..Network::default() });
    world.hosts[1].bytes[BASE as usize..][..3000].fill(0x11);
    assert!(world.submit(0, WorkRequest { remote: BASE + 5000, ..request(Opcode::Write, 1, 2000) }));
    assert!(world.submit(0, request(Opcode::ReadReq, 2, 3000)));
    assert!(world.submit(0, WorkRequest { remote: BASE + 9000, ..request(Opcode::Write, 3, 2000) }));
    world.run_to(100 * MS);
    let done: Vec<u64> = taken(&mut world, 0).iter().map(|done| done.wr_id).collect();
    assert_eq!(done, [1, 2], "what is behind the READ needs an ACK");
    world.network.ack_loss = 0.0;
    assert!(world.settle(10_000 * MS));
    assert_eq!(taken(&mut world, 0).len(), 1);
}

/// What the requester tells of answers, word by word, and what the responder does with it.
// REQ-OP-9
#[test]
fn the_end_of_an_answer_is_reported_and_its_packets_are_not_sent_again() {
    let mut world = pair(CoreConfig::default(), Network::default());
    let parse = |bytes: &[u8]| Frame::parse(bytes, Default::default()).expect("a good frame").packet;
    let exchange = |world: &mut World, from: usize| {
        let now = world.now();
        let out = world.cores[from].transmit(now, &mut world.hosts[from]).expect("a frame").bytes;
        world.cores[1 - from].receive(now, &out, &mut world.hosts[1 - from]);
        out
    };
    let read = WorkRequest { stream: 2, ..request(Opcode::ReadReq, 1, 8) };
    world.cores[0].submit(read);
    exchange(&mut world, 0);
    let told = parse(&exchange(&mut world, 1));
    assert!(matches!(told.body, Body::Ack(ack) if (ack.done_stream, ack.done_msn.get()) == (2, 1)));
    let answer = parse(&exchange(&mut world, 1));
    assert!(matches!(answer.body, Body::Data { opcode: Opcode::ReadResp, .. }));
    // The ACK of the answer: core 1 gets what it says of answers, and not what it says of the path.
    let now = world.now();
    let mut report = world.cores[0].transmit(now, &mut world.hosts[0]).expect("the ACK").bytes;
    let mut frame = Frame::parse(&report, Default::default()).expect("a good frame");
    let Body::Ack(ack) = &mut frame.packet.body else { panic!("{frame:?}") };
    assert!(ack.ack_flags.has(Flag::Response), "{ack:?}");
    assert_eq!((ack.done_stream, ack.done_msn.get()), (2, 1));
    (ack.cum, ack.arrivals) = (ack.cum.previous(), Default::default());
    let ahead = Ack { done_msn: ack.done_msn.next(), ..*ack };
    let emit = |frame: &Frame, into: &mut Vec<u8>| frame.emit_into(into).expect("it can be written");
    emit(&frame, &mut report);
    world.inject(1, &report);
    frame.packet.body = Body::Ack(ahead);
    emit(&frame, &mut report);
    world.inject(1, &report);
    assert_eq!(world.cores[1].counters().drops(DropReason::AckInvalid), 1, "beyond what was executed");
    // Its timer asks; the answer does not leave again.
    world.run_to(world.tick + 10 * MS);
    let counters = world.cores[1].counters();
    assert_eq!((counters.data_sent, counters.data_resent), (1, 0));
    assert!(counters.probes_sent > 0 && world.settle(10 * MS));
}

/// An error of an atomic's sink is an error, and the answer is not lost for it.
#[test]
fn a_sink_that_memory_refuses_ends_the_connection() {
    let mut world = pair(CoreConfig::default(), Network::default());
    assert!(world
        .submit(0, WorkRequest { local: SINK, remote: (BASE + 7) & !7, ..request(Opcode::FetchAdd, 1, 8) }));
    world.run_to(700);
    world.hosts[0].fails = true;
    world.run_to(100 * MS);
    let done = taken(&mut world, 0);
    assert_eq!(
        done.iter().map(|done| (done.wr_id, done.status)).collect::<Vec<_>>(),
        [(1, Status::LocalMemory)]
    );
    assert!(world.hosts[0].bytes.iter().all(|byte| *byte == BLANK));
}
