//! Tests of planes and their answers, frame by frame.

use crate::controlled::controlled;
use crate::plan::Plan;
use crate::world::{time, World, US};
use heddle_model::core::Core;
use heddle_model::memory::Memory;
use heddle_wire::{Ack, Body, DropReason, Flag, Flags, Frame, Ip, Ipv4, Packet, ParseConfig, Probe, Time32};
use std::net::Ipv4Addr;

/// Memory that nobody may touch.
pub struct Nobody;

impl Memory for Nobody {
    fn write(&mut self, _: u64, _: &[u8]) -> bool {
        panic!("a write")
    }
    fn read(&mut self, _: u64, _: &mut [u8]) -> bool {
        panic!("a read")
    }
}

/// A frame of the peer of core `to`.
pub fn frame(to: u8, packet: Packet<Vec<u8>>) -> Vec<u8> {
    let address = |n: u8| Ipv4Addr::new(10, 0, 0, n + 1);
    let frame = Frame {
        dst_mac: [2, 0, 0, 0, 0, 2],
        src_mac: [2, 0, 0, 0, 0, 1],
        vlan: None,
        ip: Ip::V4(Ipv4 {
            dscp: 10,
            ecn: 2,
            identification: 0,
            ttl: 64,
            src: address(1 - to),
            dst: address(to),
        }),
        src_port: 50_000,
        dst_port: heddle_wire::header::DEFAULT_PORT,
        udp_checksum: 0,
        packet: Packet { dst_conn: 1, tag: crate::plan::FIRST_TAG + u16::from(to), ..packet },
    };
    frame.emit().expect("a frame")
}

pub fn packet(flags: Flags, route: u8, timestamp: Time32, body: Body<Vec<u8>>) -> Packet<Vec<u8>> {
    let psn = heddle_wire::Psn::new(0);
    Packet { flags, path: 0, dst_conn: 0, tag: 0, route, psn, timestamp, body }
}

fn test_of(plane: u8, timestamp: Time32) -> Vec<u8> {
    let flags = Flags::NONE.with(Flag::PlaneTest);
    frame(1, packet(flags, plane, timestamp, Body::Probe(Probe { stream: 0, reserved: 0 })))
}

fn answer() -> Ack {
    Ack { ack_flags: Flags::NONE.with(Flag::PlaneTest), ..Ack::default() }
}

/// What core `core` sends now: plane and packet.
pub fn sent(core: &mut Core, now: Time32) -> Vec<(u8, Packet<Vec<u8>>)> {
    let outgoing = std::iter::from_fn(|| core.transmit(now, &mut Nobody));
    let config = ParseConfig { port: heddle_wire::header::DEFAULT_PORT };
    outgoing.map(|out| (out.plane, Frame::parse(&out.bytes, config).expect("our own").packet)).collect()
}

fn idle() -> World {
    World::new(&Plan { messages: 0, ..Plan::new(1, 4) })
}

// REQ-ROUTE-4
#[test]
fn a_test_is_answered_on_every_plane_up_with_its_own_echo_and_is_no_arrival_of_its_path() {
    let mut world = idle();
    let core = &mut world.cores[1];
    assert!(core.set_plane(3, false, time(90 * US)));
    core.receive_on(time(100 * US), 2, &test_of(2, Time32::new(777)), &mut Nobody);
    let answers = sent(core, time(104 * US));
    let [(first, answer), others @ ..] = &answers[..] else { panic!("{answers:?}") };
    let Body::Ack(ack) = &answer.body else { panic!("{answer:?}") };
    assert_eq!((*first, answer.route, answer.timestamp), (0, 2, Time32::new(777)), "the ACK's route first");
    assert!(others.iter().all(|(_, other)| other == answer));
    assert_eq!(others.iter().map(|(plane, _)| *plane).collect::<Vec<_>>(), [1, 2]);
    assert!(ack.ack_flags.has(Flag::PlaneTest));
    assert_eq!((ack.hold, ack.arrivals.get(), ack.dup_count.get()), (4 * 125, 0, 0));
    assert_eq!((core.counters().probes_received, core.counters().acks_sent), (1, 3));
    // The path's own echo is untouched: a plain PROBE's is the newest.
    let probe = packet(Flags::NONE, 9, Time32::new(888), Body::Probe(Probe { stream: 0, reserved: 0 }));
    core.receive_on(time(110 * US), 1, &frame(1, probe), &mut Nobody);
    core.receive_on(time(111 * US), 1, &test_of(3, Time32::new(999)), &mut Nobody);
    let echoes: Vec<_> =
        sent(core, time(111 * US)).iter().map(|(_, ack)| (ack.route, ack.timestamp.get())).collect();
    assert_eq!(echoes, [(9, 888), (3, 999), (3, 999), (3, 999)]);
}

// REQ-ROUTE-4
#[test]
fn answers_that_match_no_test_are_counted_and_believed_in_nothing() {
    let mut world = idle();
    let core = &mut world.cores[0];
    let ack = Ack { cum: heddle_wire::Psn::new(5), ..answer() };
    for (n, plane) in [0, 3, 4, 255].into_iter().enumerate() {
        let bytes = frame(0, packet(Flags::NONE, plane, time(n as u64), Body::Ack(ack)));
        core.receive_on(time(US), 1, &bytes, &mut Nobody);
    }
    assert_eq!((core.counters().drops(DropReason::AckPlaneTest), core.counters().dropped()), (4, 4));
    assert_eq!((core.counters().acks_received, core.in_flight()), (0, 0));
}

// REQ-HINT-5
#[test]
fn a_receiver_that_loses_a_carrier_tells_so_in_its_next_ack() {
    let mut world = controlled(&Plan { messages: 0, ..Plan::new(1, 4) });
    let core = &mut world.cores[1];
    // 64,225 / 2^16 of 640,000,000 / (0.98 x 125,000), and of 93,750 and 62,500 bytes, each rounded up, at last to 11 bits.
    for (lost, units) in [(None, 5_124), (Some(1), 6_828), (Some(3), 10_240)] {
        assert!(lost.is_none_or(|plane| core.set_plane(plane, false, time(US))));
        let probe = packet(Flags::NONE, 0, time(US), Body::Probe(Probe { stream: 0, reserved: 0 }));
        core.receive_on(time(US), 0, &frame(1, probe), &mut Nobody);
        let hints = sent(core, time(US)).into_iter().map(|(_, packet)| match packet.body {
            Body::Ack(ack) => ack.hint.decode(),
            body => panic!("{body:?}"),
        });
        assert_eq!(hints.collect::<Vec<_>>(), [units]);
    }
}

// Invariant 7.
#[test]
fn a_flood_of_tests_is_answered_up_to_a_bound_and_counted_beyond() {
    let mut world = idle();
    let core = &mut world.cores[1];
    for n in 0..1000 {
        core.receive_on(time(US), 0, &test_of((n % 256) as u8, Time32::new(n)), &mut Nobody);
    }
    assert_eq!(sent(core, time(US)).len(), 64 * 4, "each on four planes");
    let counters = core.counters();
    assert_eq!((counters.probes_received, counters.tests_unanswered, counters.dropped()), (1000, 936, 0));
}

// REQ-ROUTE-4, REQ-ROUTE-7
#[test]
fn a_test_leaves_on_its_plane_and_its_answer_puts_the_plane_on_trial() {
    let mut world = idle();
    let core = &mut world.cores[0];
    assert!(core.set_plane(2, false, time(0)) && !core.set_plane(2, false, time(0)));
    assert!(sent(core, time(US)).is_empty(), "no test without a carrier");
    assert!(core.set_plane(2, true, time(5 * US)));
    core.advance(time(5 * US));
    let tests = sent(core, time(6 * US));
    let (planes, probe) = (tests.iter().map(|(plane, _)| *plane).collect::<Vec<_>>(), &tests[0].1);
    assert_eq!((planes, probe.route, probe.flags), (vec![2], 2, Flags::NONE.with(Flag::PlaneTest)));
    let health = |core: &Core| core.plane_health(1, 2);
    assert_eq!(health(core), Some(heddle_model::tx::route::Health::Suspect));
    let bytes = frame(0, packet(Flags::NONE, 2, probe.timestamp, Body::Ack(answer())));
    core.receive_on(time(16 * US), 0, &bytes, &mut Nobody);
    assert_eq!(health(core), Some(heddle_model::tx::route::Health::Trial));
    assert_eq!((core.counters().acks_received, core.counters().dropped()), (1, 0));
}
