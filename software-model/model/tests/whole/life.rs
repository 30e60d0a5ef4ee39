//! Connections begin, end, and begin anew while others run.

use crate::world::{Link, Network, World, BASE, BLANK, KEY, LENGTH};
use heddle_model::core::{CongestionConfig, Core, CoreConfig};
use heddle_model::tx::msg::{Completion, WorkRequest};
use heddle_model::tx::route::RouteConfig;
use heddle_wire::{
    Body, DropReason, Flag, Flags, Frame, Ip, Ipv4, Nak, NakCode, Packet, ParseConfig, Psn, Status, Time32,
};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::net::Ipv4Addr;

const SECOND: u64 = 125_000_000;
const LINK: Link = Link { ends: [(0, 1), (1, 6)], tags: [0x1111, 0x2222] };
const OTHER: Link = Link { ends: [(0, 2), (1, 3)], tags: [0x3333, 0x4444] };

fn world(network: Network, seed: u64) -> World {
    let mut world = World::new(2, CoreConfig { life: true, ..CoreConfig::default() }, network, seed);
    ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut world.hosts[0].bytes[BASE as usize..][..LENGTH as usize]);
    assert!(world.connect(&LINK, 4) && world.connect(&OTHER, 4));
    world
}

fn of(world: &mut World, core: usize, conn: u16) -> Vec<Completion> {
    let all = std::mem::take(&mut world.completions[core]);
    let (mine, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|done| done.conn == conn);
    world.completions[core] = others.into();
    mine
}

fn outcomes(completions: &[Completion]) -> Vec<(u64, Status)> {
    completions.iter().map(|done| (done.wr_id, done.status)).collect()
}

// REQ-CONN-3, REQ-CONN-7, REQ-CONN-8
#[test]
fn a_refused_request_ends_the_connection_with_one_completion_per_request_in_order() {
    let cases = [
        (Status::RemoteAccess, WorkRequest { rkey: KEY ^ 1, ..WorkRequest::default() }),
        (
            Status::RemoteBounds,
            WorkRequest { rkey: KEY, remote: BASE + LENGTH - 9, ..WorkRequest::default() },
        ),
    ];
    for (status, bad) in cases {
        let mut world = world(Network { loss: 0.05, ack_loss: 0.05, ..Network::default() }, 1);
        for id in 0..8 {
            let good = world.write(&LINK, 0, id, (id % 4) as u8, id * 10_000, 9_000);
            let remote = if bad.remote == 0 { good.remote } else { bad.remote };
            let request = if id == 5 { WorkRequest { rkey: bad.rkey, remote, ..good } } else { good };
            assert!(world.submit(0, request));
            let other = world.write(&OTHER, 0, 100 + id, (id % 4) as u8, 500_000 + id * 10_000, 10_000);
            assert!(world.submit(0, other));
        }
        world.run_to(SECOND / 10);
        let done = of(&mut world, 0, 1);
        let mut ids: Vec<_> = done.iter().map(|done| done.wr_id).collect();
        for stream in 0..4 {
            assert!(ids.iter().filter(|id| **id % 4 == stream).is_sorted(), "{status}: {ids:?}");
        }
        ids.sort_unstable();
        assert_eq!(ids, (0..8).collect::<Vec<_>>(), "{status}: once each");
        let ended: Vec<_> = done.iter().filter(|done| done.status != Status::Success).collect();
        let refused = ended.iter().find(|done| done.status == status).expect("the one at fault");
        assert_eq!(refused.wr_id, 5);
        assert!(ended.iter().all(|done| done.wr_id == 5 || done.status == Status::Flushed), "{done:?}");
        assert_eq!(world.cores[0].ended().map(|ended| (ended.conn, ended.status)), Some((1, status)));
        let at_peer = world.cores[1].ended().map(|ended| (ended.conn, ended.status));
        assert_eq!(at_peer, Some((6, Status::RemoteConnection)));
        assert_eq!((world.cores[0].ended(), world.cores[1].ended()), (None, None));
        // The other connection has not noticed.
        let done = of(&mut world, 0, 2);
        assert_eq!((done.len(), done.iter().all(|done| done.status == Status::Success)), (8, true));
        let (source, sink) = (&world.hosts[0].bytes, &world.hosts[1].bytes);
        let span = (BASE + 500_000) as usize..(BASE + 580_000) as usize;
        assert!(source[span.clone()] == sink[span]);
        let bad = (BASE + 50_000) as usize..(BASE + 59_000) as usize;
        assert!(sink[bad].iter().all(|byte| *byte == BLANK), "{status}: what was refused landed");
        let behind = &sink[(BASE + LENGTH) as usize..];
        assert!(behind.iter().all(|byte| *byte == BLANK));
    }
}

// REQ-CONN-5, REQ-CONN-6
#[test]
fn without_an_answer_requests_end_a_second_later_and_nothing_lands_after() {
    let mut world = world(Network::default(), 2);
    for id in 0..4 {
        let request = world.write(&LINK, 0, id, 0, id * 100_000, 100_000);
        assert!(world.submit(0, request));
    }
    world.run_to(2_000);
    world.network.dead = [true; 16];
    let at = world.tick;
    let now = world.now();
    assert!(world.cores[0].close(1, now) && !world.cores[0].close(1, now));
    world.stir(0);
    world.run_to(at + SECOND - 1);
    assert_eq!((of(&mut world, 0, 1), world.cores[0].ended()), (vec![], None));
    assert!(!world.connect(&Link { tags: [7, 8], ..LINK }, 4), "the last incarnation has not ended");
    world.run_to(at + SECOND);
    let done = of(&mut world, 0, 1);
    assert_eq!(outcomes(&done), (0..4).map(|id| (id, Status::Flushed)).collect::<Vec<_>>());
    assert_eq!(world.cores[0].ended().map(|ended| ended.status), Some(Status::Flushed));
    let before = world.hosts[1].bytes.clone();
    world.network.dead = [false; 16];
    world.run_to(at + 3 * SECOND);
    assert!(before == world.hosts[1].bytes, "a byte landed after the completion");
}

// REQ-CONN-6
#[test]
fn a_reset_that_a_dead_plane_swallows_is_repeated_on_the_next_path() {
    let mut world = world(Network::default(), 10);
    // Path 0 travels on plane 0.
    world.network.dead[0] = true;
    let now = world.now();
    assert!(world.cores[0].close(1, now));
    world.stir(0);
    world.run_to(25_000);
    assert_eq!(world.cores[0].ended(), None);
    world.run_to(25_000 + 2_500);
    assert_eq!(world.cores[0].ended().map(|ended| ended.status), Some(Status::Flushed));
    assert_eq!(world.cores[0].counters().resets_sent, 2);
}

// REQ-CONN-1, REQ-CONN-9
#[test]
fn connections_end_and_begin_anew_while_others_run() {
    for (seed, loss) in [(3, 0.0), (4, 0.1)] {
        let network = Network { loss, ack_loss: loss, reorder: 0.05, duplicate: 0.05, ..Network::default() };
        let mut world = world(network, seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut owed = 0;
        for lap in 0..40u16 {
            let link = Link { tags: [0x1111 + 2 * lap, 0x2222 + 2 * lap], ..LINK };
            if lap > 0 {
                assert!(
                    !world.connect(&Link { tags: [0x1111 + 2 * (lap - 1), 9], ..LINK }, 4),
                    "a tag used before"
                );
                assert!(world.connect(&link, 4), "lap {lap}, seed {seed}");
            }
            let count = rng.gen_range(1..12u64);
            for id in 0..count {
                let at = rng.gen_range(0..40) * 10_000;
                let length = rng.gen_range(0..10_000);
                let request = world.write(&link, 0, id, (id % 4) as u8, at, length);
                assert!(world.submit(0, request));
                let other = world.write(&OTHER, 0, owed, 0, 500_000 + owed * 500, 500);
                owed += u64::from(world.submit(0, other));
            }
            let until = world.tick + rng.gen_range(0..5_000);
            world.run_to(until);
            let (side, now) = (rng.gen_range(0..2), world.now());
            let (core, conn) = link.ends[side];
            assert!(world.cores[core].close(conn, now));
            world.stir(core);
            // Both ends are closed in the end; a lost answer takes a second.
            let end = world.tick + 2 * SECOND;
            while world.cores[0].is_open(1) || world.cores[1].is_open(6) {
                assert!(world.tick < end);
                let next = world.tick + 1_000;
                world.run_to(next);
            }
            while world.cores[core].ended().is_none() {
                assert!(world.tick < end);
                let next = world.tick + 1_000;
                world.run_to(next);
            }
            world.cores[1 - core].ended().expect("the peer has ended before");
            let mut ids: Vec<_> = of(&mut world, 0, 1).iter().map(|done| done.wr_id).collect();
            ids.sort_unstable();
            assert_eq!(ids, (0..count).collect::<Vec<_>>(), "lap {lap}, seed {seed}: once each");
        }
        assert!(world.settle(SECOND));
        let done = of(&mut world, 0, 2);
        assert_eq!(outcomes(&done), (0..owed).map(|id| (id, Status::Success)).collect::<Vec<_>>());
        let span = (BASE + 500_000) as usize..(BASE + 500_000 + owed * 500) as usize;
        assert!(world.hosts[0].bytes[span.clone()] == world.hosts[1].bytes[span], "seed {seed}");
    }
}

#[test]
fn memory_that_fails_ends_its_connection_at_both_ends() {
    let mut world = world(Network::default(), 5);
    let request = world.write(&LINK, 0, 9, 0, 0, 5_000);
    assert!(world.submit(0, request));
    world.hosts[1].fails = true;
    world.run_to(SECOND / 100);
    assert_eq!(outcomes(&of(&mut world, 0, 1)), [(9, Status::RemoteConnection)]);
    let why = [0, 1].map(|core| world.cores[core].ended().map(|ended| ended.status));
    assert_eq!(why, [Some(Status::RemoteConnection), Some(Status::LocalMemory)]);
}

/// A control frame for one of the two cores, from the other.
pub fn frame(to: u8, dst_conn: u16, tag: u16, psn: Psn, flags: Flags, body: Body) -> Vec<u8> {
    let address = |core: u8| Ipv4Addr::new(10, 0, 0, core + 1);
    let (src, dst) = (address(1 - to), address(to));
    let ip = Ip::V4(Ipv4 { dscp: 46, ecn: 0, identification: 0, ttl: 64, src, dst });
    let packet = Packet { flags, path: 0, dst_conn, tag, route: 0, psn, timestamp: Time32::new(0), body };
    let [dst_mac, src_mac] = [[2; 6], [4; 6]];
    let frame = Frame {
        dst_mac,
        src_mac,
        vlan: None,
        ip,
        src_port: 50_000,
        dst_port: 54_791,
        udp_checksum: 0,
        packet,
    };
    frame.emit().unwrap()
}

/// For connection 6 of core 1.
fn control(tag: u16, flags: Flags, body: Body) -> Vec<u8> {
    frame(1, 6, tag, Psn::new(0), flags, body)
}

// REQ-CONN-8, REQ-CONN-9
#[test]
fn forged_naks_and_resets_are_counted_and_end_nothing() {
    let mut world = world(Network::default(), 6);
    let nak = |code: NakCode, tag: u16| {
        Body::Nak(Nak {
            code: code.code(),
            offender0: 0x1101_0000,
            offender1: 1 << 16 | u32::from(tag),
            ..Nak::default()
        })
    };
    let expect = [
        (control(0x2223, Flags::NONE, Body::Reset), DropReason::Tag),
        (control(0x2222, Flags::NONE.with(Flag::Response), Body::Reset), DropReason::ResetUnmatched),
        (control(0x2222, Flags::NONE, nak(NakCode::Access, 0x1111)), DropReason::NakInvalid),
        (control(0x2222, Flags::NONE, nak(NakCode::Connection, 0x1111)), DropReason::NakInvalid),
        (control(0x2222, Flags::NONE, Body::Nak(Nak { code: 77, ..Nak::default() })), DropReason::NakInvalid),
    ];
    for (n, (frame, reason)) in expect.iter().enumerate() {
        let before = world.cores[1].counters().drops(*reason);
        world.inject(1, frame);
        assert_eq!(world.cores[1].counters().drops(*reason), before + 1, "case {n}");
        assert!(world.cores[1].is_open(6), "case {n}");
    }
    world.inject(1, &control(0x2222, Flags::NONE, Body::Reset));
    assert!(!world.cores[1].is_open(6));
}

// REQ-CONN-8
#[test]
fn a_nak_counts_when_its_words_are_those_of_a_packet_on_its_way() {
    let mut world = world(Network::default(), 11);
    let request = world.write(&LINK, 0, 5, 0, 0, 100);
    assert!(world.cores[0].accepts(&request));
    world.cores[0].submit(request);
    let now = world.now();
    let sent = world.cores[0].transmit(now, &mut world.hosts[0]).expect("the packet");
    let sent = Frame::parse(&sent.bytes, ParseConfig::default()).expect("our own").packet;
    let nak = |psn: Psn| {
        let body = Body::Nak(Nak {
            code: NakCode::Access.code(),
            offender0: 0x1101_0000 | u32::from(sent.path),
            offender1: u32::from(sent.dst_conn) << 16 | u32::from(sent.tag),
            offender2: psn.get(),
            ..Nak::default()
        });
        let mut bytes =
            Frame::parse(&frame(0, 1, 0x1111, sent.psn, Flags::NONE, body), ParseConfig::default());
        bytes.as_mut().expect("a frame").packet.path = sent.path;
        bytes.expect("a frame").emit().expect("a frame")
    };
    world.inject(0, &nak(sent.psn.plus(1)));
    assert_eq!(
        (world.cores[0].counters().drops(DropReason::NakInvalid), world.cores[0].is_open(1)),
        (1, true)
    );
    world.inject(0, &nak(sent.psn));
    assert_eq!((world.cores[0].counters().naks_received, world.cores[0].is_open(1)), (1, false));
}

// REQ-CONN-4
#[test]
fn a_peer_that_forgot_the_connection_is_told_of_by_the_control_plane_alone() {
    let congestion = CongestionConfig::new(125_000, 1_250, 4).expect("good values");
    // With hints a PROBE announces the message, and has no PSN that could be compared.
    for congestion in [None, Some(congestion)] {
        let config = CoreConfig { life: true, congestion, ..CoreConfig::default() };
        let mut world = World::new(2, config, Network::default(), 7);
        // Set up at one end only, as after a crash of the other.
        assert!(world.connect(&LINK, 4));
        world.cores[1] = Core::new(config);
        let request = world.write(&LINK, 0, 3, 0, 0, 100_000);
        assert!(world.submit(0, request));
        world.run_to(50_000);
        let sent = world.cores[1].counters().naks_sent;
        assert!((1..=4).contains(&sent), "{sent} in 400 us: one in 100 us");
        let nak = world.cores[0].connection_nak().expect("the control plane hears of it");
        let now = world.now();
        assert_eq!(world.cores[0].confirms(&nak, now), Some(1));
        assert!(world.cores[0].is_open(1), "nothing ends by itself");
        let mut forged = [nak; 3];
        forged[0].offender.tag ^= 1;
        forged[1].source ^= 1;
        forged[2].offender.psn = forged[2].offender.psn.plus(1_000);
        forged[2].offender.timestamp = now.plus(1);
        assert!(forged.iter().all(|forged| world.cores[0].confirms(forged, now).is_none()));
        assert!(world.cores[0].close(1, now));
    }
}

#[test]
fn the_control_planes_queue_of_connection_naks_is_bounded() {
    let mut world = world(Network::default(), 9);
    let body = Body::Nak(Nak { code: NakCode::Connection.code(), ..Nak::default() });
    let bytes = frame(0, 0, 0, Psn::new(0), Flags::NONE, body);
    for _ in 0..40 {
        world.inject(0, &bytes);
    }
    assert!(world.cores[0].counters().drops(DropReason::NakOverflow) >= 24);
    let waiting = std::iter::from_fn(|| world.cores[0].connection_nak()).count();
    assert_eq!(waiting, 16);
}

/// F27: retry exhaustion, and no timer after it.
// REQ-TX-13, REQ-CONN-7
#[test]
fn with_every_plane_dead_each_request_ends_once_within_the_budget_and_no_timer_is_left() {
    const BUDGET: u32 = 2_500_000;
    let routes = RouteConfig::with_times(4, 25_000, BUDGET).expect("good times");
    let config = CoreConfig { life: true, routes: Some(routes), ..CoreConfig::default() };
    let mut world = World::new(2, config, Network::default(), 8);
    assert!(world.connect(&LINK, 4));
    for id in 0..12 {
        let request = world.write(&LINK, 0, id, (id % 4) as u8, id * 20_000, 20_000);
        assert!(world.submit(0, request));
    }
    world.run_to(2_000);
    world.network.dead = [true; 16];
    let dead_from = world.tick;
    world.run_to(dead_from + u64::from(BUDGET) + 1_250);
    let done = of(&mut world, 0, 1);
    let mut ids: Vec<_> = done.iter().map(|done| done.wr_id).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..12).collect::<Vec<_>>(), "once each");
    let failed: Vec<_> = done.iter().filter(|done| done.status != Status::Success).collect();
    assert_eq!(failed[0].status, Status::RetryBudget);
    assert!(failed[1..].iter().all(|done| done.status == Status::Flushed), "{failed:?}");
    for stream in 0..4 {
        let of_it: Vec<_> = done.iter().filter(|done| done.stream == stream).map(|done| done.wr_id).collect();
        assert!(of_it.is_sorted(), "{of_it:?}");
    }
    assert_eq!(world.cores[0].ended().map(|ended| ended.status), Some(Status::RetryBudget));
    // Nothing is left that could go off, and nothing is sent.
    let sent = world.sent;
    let next = world.tick + 4 * SECOND;
    world.run_to(next);
    assert_eq!((world.cores[0].next_deadline(), world.sent), (None, sent));
    // The network is back, and so is the connection, once the peer has heard that it is over.
    world.network.dead = [false; 16];
    let now = world.now();
    if world.cores[1].close(6, now) {
        world.stir(1);
    }
    let next = world.tick + 2 * SECOND;
    world.run_to(next);
    let again = Link { tags: [0x7777, 0x8888], ..LINK };
    assert!(world.connect(&again, 4));
    let request = world.write(&again, 0, 99, 1, 0, 100_000);
    assert!(world.submit(0, request) && world.settle(SECOND));
    assert_eq!(outcomes(&of(&mut world, 0, 1)), [(99, Status::Success)]);
}
