//! Where operations, routes, ends of connections and timers meet.

use crate::life::frame;
use crate::pair::{pair, request, LINK, MS, SINK};
use crate::rows::{rows, End};
use crate::world::{region, Link, Network, World, BLANK, DELAY, REGION};
use heddle_model::core::{CongestionConfig, CoreConfig};
use heddle_model::rx::access::Region;
use heddle_model::rx::recv::Receive;
use heddle_model::tx::msg::WorkRequest;
use heddle_model::tx::route::RouteConfig;
use heddle_wire::{Body, Flag, Flags, Frame, Opcode, ParseConfig, Probe, Psn, Status, Time32};
use std::net::Ipv4Addr;

/// 20 ms.
const BUDGET: u32 = 2_500_000;

fn world(routes: bool, network: Network) -> World {
    let routes = routes.then(|| RouteConfig::with_times(4, 25_000, BUDGET).expect("good times"));
    from(CoreConfig { routes, ..CoreConfig::default() }, network)
}

fn from(config: CoreConfig, network: Network) -> World {
    pair(CoreConfig { connections: 4, ..config }, network)
}

fn wait(world: &mut World, what: &str, until: impl Fn(&World) -> bool) {
    let end = world.tick + 1_000 * MS;
    while !until(world) {
        assert!(world.tick < end, "{what}");
        world.run_to(world.tick + 1);
    }
}

/// The ACK of a question is lost, and the answer itself comes: nobody asks again, and nothing is unanswered.
// REQ-TX-13
#[test]
fn a_question_that_the_answer_itself_made_idle_does_not_end_the_connection() {
    let mut world = world(true, Network::default());
    assert!(world.submit(0, request(Opcode::ReadReq, 1, 100)));
    wait(&mut world, "the request arrives", |world| world.cores[1].counters().accepted == 1);
    // The answer is lost, and so is the question.
    world.network.loss = 1.0;
    wait(&mut world, "a question", |world| world.cores[0].counters().probes_sent == 1);
    assert_eq!(world.cores[0].counters().acks_received, 1);
    (world.network.loss, world.network.ack_loss) = (0.0, 1.0);
    wait(&mut world, "the answer", |world| !world.completions[0].is_empty());
    world.network.ack_loss = 0.0;
    assert!(world.settle(10 * MS));
    assert_eq!(world.cores[0].counters().acks_received, 1, "nothing but the answer was heard");
    world.run_to(world.tick + 2 * u64::from(BUDGET));
    assert_eq!((world.cores[0].is_open(1), world.cores[1].is_open(2)), (true, true));
    assert!(world.submit(0, request(Opcode::Write, 2, 5000)) && world.settle(10 * MS));
    let done: Vec<_> = world.completions[0].iter().map(|done| (done.wr_id, done.status)).collect();
    assert_eq!(done, [(1, Status::Success), (2, Status::Success)]);
}

/// Half a ring of the clock is 17 s: what comes after a longer sleep is ahead all the same, and timers run.
#[test]
fn a_core_with_nothing_to_do_may_sleep_longer_than_half_a_ring_of_its_clock() {
    for seconds in [1, 17, 18, 30, 35, 100] {
        let mut world = world(true, Network::default());
        assert!(world.submit(0, request(Opcode::Write, 1, 5000)) && world.settle(10 * MS));
        world.run_to(world.tick + seconds * 1_000 * MS);
        (world.network.loss, world.network.ack_loss) = (0.5, 0.5);
        let now = world.now();
        world.cores.iter_mut().for_each(|core| core.advance(now));
        assert!(world.submit(0, request(Opcode::Write, 2, 5000)) && world.settle(100 * MS), "{seconds} s");
        assert_eq!(world.completions[0].len(), 2);
        assert!(world.cores[0].counters().expiries > 0, "{seconds} s: a timer was needed");
    }
}

/// A test of a plane knows nothing of what is queued: its sender counts as before.
// REQ-HINT-2
#[test]
fn a_test_of_a_plane_leaves_its_sender_limited() {
    let routes = Some(RouteConfig::new(4).expect("four planes"));
    let congestion = Some(CongestionConfig::new(60_000, 1_250, 4).expect("good values"));
    let mut world = from(CoreConfig { routes, congestion, ..CoreConfig::default() }, Network::default());
    assert!(world.submit(0, request(Opcode::Write, 1, 500_000)));
    world.run_to(10_000);
    assert_eq!(world.cores[1].limited_connections(), 1);
    let probe = || Body::Probe(Probe { stream: 0, reserved: 0 });
    let answered = |world: &World| world.cores[1].counters().probes_received;
    let before = answered(&world);
    world.inject(1, &frame(1, 2, LINK.tags[1], Psn::new(0), Flags::NONE.with(Flag::PlaneTest), probe()));
    assert_eq!((answered(&world), world.cores[1].limited_connections()), (before + 1, 1));
    world.inject(1, &frame(1, 2, LINK.tags[1], Psn::new(0), Flags::NONE, probe()));
    assert_eq!((answered(&world), world.cores[1].limited_connections()), (before + 2, 0), "a question does");
}

/// The plane of a test that is about to leave loses its carrier: those behind it leave all the same.
// REQ-ROUTE-4, REQ-ROUTE-7
#[test]
fn a_test_that_is_not_wanted_any_more_holds_no_other_back() {
    let mut world = world(true, Network::default());
    let now = world.now();
    let (core, host) = (&mut world.cores[0], &mut world.hosts[0]);
    for up in [false, true] {
        assert!(core.set_plane(1, up, now) && core.set_plane(2, up, now));
    }
    core.advance(now);
    assert!(core.set_plane(1, false, now));
    let test = core.transmit(now, host).expect("the test of plane 2");
    let packet = Frame::parse(&test.bytes, ParseConfig::default()).expect("our own").packet;
    assert_eq!((test.plane, packet.route, packet.flags.has(Flag::PlaneTest)), (2, 2, true));
    assert_eq!(core.transmit(now, host), None);
}

/// Answers that wait are one per connection, however often it is asked.
// REQ-CONN-9
#[test]
fn resets_that_come_faster_than_their_answers_leave_are_answered_together() {
    let mut world = world(false, Network::default());
    let reset = frame(1, 2, LINK.tags[1], Psn::new(0), Flags::NONE, Body::Reset);
    let now = world.now();
    (0..1_000).for_each(|_| world.cores[1].receive(now, &reset, &mut world.hosts[1]));
    world.stir(1);
    world.run_to(MS);
    let counters = world.cores[1].counters();
    assert_eq!((counters.resets_received, counters.resets_sent), (1_000, 1));
    world.inject(1, &reset);
    world.run_to(2 * MS);
    assert_eq!(world.cores[1].counters().resets_sent, 2, "each is answered");
}

/// An answer speaks for the incarnation that it ends.
// REQ-CONN-1, REQ-CONN-9
#[test]
fn a_connection_is_not_set_up_anew_before_the_answer_to_its_reset_has_left() {
    let mut world = world(false, Network::default());
    let now = world.now();
    let (core, host) = (&mut world.cores[1], &mut world.hosts[1]);
    core.receive(now, &frame(1, 2, LINK.tags[1], Psn::new(0), Flags::NONE, Body::Reset), host);
    assert_eq!(core.ended().map(|ended| ended.status), Some(Status::RemoteConnection));
    let end = |core: u8, conn, tag| End { address: Ipv4Addr::new(10, 0, 0, core + 1), conn, tag };
    let (receive, transmit) = rows(&end(1, 2, 0x4444), &end(0, 1, 0x3333), 3);
    assert!(!core.set_connection(2, receive, transmit));
    let answer = core.transmit(now, host).expect("the answer").bytes;
    let packet = Frame::parse(&answer, ParseConfig::default()).expect("our own").packet;
    assert_eq!(
        (packet.body, packet.flags.has(Flag::Response), packet.tag),
        (Body::Reset, true, LINK.tags[0])
    );
    assert!(core.set_connection(2, receive, transmit));
}

/// Waits for a receive that nobody posts, while some questions are lost.
fn asking(lost: u64) -> World {
    let mut world = world(true, Network::default());
    assert!(world.submit(0, request(Opcode::Send, 1, 100)));
    world.network.loss = 1.0;
    wait(&mut world, "a question", |world| world.cores[0].counters().probes_sent >= lost);
    world.network.loss = 0.0;
    world.run_to(world.tick + 60 * MS);
    assert!(world.cores[0].counters().probes_sent > lost + 3 && world.cores[0].is_open(1));
    world
}

/// A first question is answered on one plane alone, and a repeated one on all: of these, silence tells of the path.
// REQ-ROUTE-8
#[test]
fn a_path_is_left_for_a_repeated_question_that_nobody_answers_and_for_no_other() {
    let dead = |lost| asking(lost).cores[0].counters().dead_routes;
    assert_eq!([0, 1, 2, 3].map(dead), [0, 0, 1, 2]);
}

// REQ-MSG-1
#[test]
fn a_question_goes_on_another_plane_than_that_of_the_path_before() {
    let mut world = world(true, Network::default());
    let now = world.now();
    // Path 1 goes to plane 2, where path 2 is.
    assert!(world.cores[0].set_plane(1, false, now));
    assert!(world.submit(0, request(Opcode::Send, 1, 100)));
    let mut planes = vec![];
    while planes.len() < 3 {
        let due = world.cores[0].next_deadline().expect("the timer runs");
        world.cores[0].advance(due);
        let Some(probe) = world.cores[0].transmit(due, &mut world.hosts[0]) else { continue };
        planes.push(probe.plane);
        world.cores[1].receive_on(due, probe.plane, &probe.bytes, &mut world.hosts[1]);
        let answer = world.cores[1].transmit(due, &mut world.hosts[1]).expect("it is answered");
        world.cores[0].receive_on(due, answer.plane, &answer.bytes, &mut world.hosts[0]);
    }
    assert_eq!(planes, [0, 2, 3]);
}

/// The answer of a short READ comes among those of a long one: it asks for no ACK itself.
// REQ-ACK-1, REQ-HINT-4
#[test]
fn a_whole_answer_is_acknowledged_at_once() {
    let mut world = world(false, Network::default());
    assert!(world.submit(0, request(Opcode::ReadReq, 1, 100_000)));
    assert!(world.submit(0, WorkRequest { stream: 1, ..request(Opcode::ReadReq, 2, 100) }));
    wait(&mut world, "the short one", |world| !world.completions[0].is_empty());
    assert_eq!((world.completions[0][0].wr_id, world.cores[0].counters().acks_sent), (2, 1));
}

/// What was sent before is not read again; whether it has arrived is asked.
// REQ-MR-6
#[test]
fn an_answer_that_may_not_be_read_any_more_is_asked_about_and_not_sent_again() {
    let mut world = world(false, Network::default());
    assert!(world.submit(0, request(Opcode::ReadReq, 1, 100)));
    wait(&mut world, "the request arrives", |world| world.cores[1].counters().accepted == 1);
    world.network.loss = 1.0;
    wait(&mut world, "the answer leaves", |world| world.cores[1].counters().data_sent == 1);
    assert!(world.cores[1].set_region(REGION, Region { valid: false, ..region() }));
    world.network.loss = 0.0;
    world.run_to(world.tick + 10 * MS);
    let counters = world.cores[1].counters();
    assert_eq!((counters.data_resent, counters.errors, world.cores[1].is_open(2)), (0, 0, true));
    assert!(
        counters.probes_sent > 0 && world.hosts[0].bytes[SINK as usize..].iter().all(|byte| *byte == BLANK)
    );
}

/// A receive that was posted before anything came, and whose question is lost, is told of by an ACK that speaks of answers.
// REQ-MSG-2
#[test]
fn credit_in_an_ack_that_speaks_of_answers_is_used_at_once() {
    let mut world = world(false, Network::default());
    assert!(world.cores[1].post_receive(2, Receive { wr_id: 9, address: SINK, length: 100 }));
    world.network.loss = 1.0;
    assert!(world.submit(0, request(Opcode::Send, 1, 100)));
    wait(&mut world, "the question leaves", |world| world.cores[0].counters().probes_sent == 1);
    world.network.loss = 0.0;
    assert!(world.submit(1, WorkRequest { conn: 2, ..request(Opcode::ReadReq, 5, 100) }));
    // The request, the answer, its ACK, the message, its ACK.
    world.run_to(world.tick + 6 * DELAY);
    assert_eq!(world.completions[0].iter().map(|done| done.wr_id).collect::<Vec<_>>(), [1]);
    assert_eq!(world.cores[0].counters().probes_sent, 1);
}

/// A WRITE of one packet, whose timer has expired; nothing was sent for that yet. The ACK that core 1 has for it.
fn expired() -> (World, Time32, Vec<u8>) {
    let mut world = world(true, Network::default());
    let now = world.now();
    let (sender, receiver) = world.cores.split_at_mut(1);
    let (own, peer) = world.hosts.split_at_mut(1);
    sender[0].submit(request(Opcode::Write, 1, 100));
    let packet = sender[0].transmit(now, &mut own[0]).expect("the packet");
    receiver[0].receive_on(now, packet.plane, &packet.bytes, &mut peer[0]);
    let ack = receiver[0].transmit(now, &mut peer[0]).expect("its ACK").bytes;
    let mut due = now;
    while sender[0].telemetry(4).counts.expiries == 0 {
        due = sender[0].next_deadline().expect("the timer runs");
        sender[0].advance(due);
    }
    (world, due, ack)
}

// REQ-RTO-5, REQ-RTO-7
#[test]
fn an_expiry_is_withdrawn_by_the_progress_that_comes_before_its_packet_leaves() {
    let (mut world, now, ack) = expired();
    let (core, host) = (&mut world.cores[0], &mut world.hosts[0]);
    core.receive(now, &ack, host);
    assert_eq!(core.transmit(now, host), None);
    assert!(core.completion().is_some() && core.telemetry(4).usable);
}

// REQ-ROUTE-7
#[test]
fn an_expiry_is_no_matter_any_more_when_the_carrier_is_lost() {
    let (mut world, now, _) = expired();
    let (core, host) = (&mut world.cores[0], &mut world.hosts[0]);
    assert!(core.set_plane(0, false, now));
    while core.transmit(now, host).is_some() {}
    assert_eq!(
        (core.counters().expiries, core.counters().data_resent),
        (0, 1),
        "sent again on another plane"
    );
}

// REQ-ROUTE-7
#[test]
fn paths_without_a_carrier_go_elsewhere_when_they_are_idle_or_new() {
    let mut world = world(true, Network::default());
    let now = world.now();
    assert!(world.cores[0].set_plane(1, false, now));
    world.run_to(1_000 * MS);
    assert_eq!((world.cores[0].telemetry(5).route.plane, world.cores[0].counters().expiries), (2, 0));
    assert!(world.cores[0].telemetry(5).usable && world.cores[0].next_deadline().is_none());
    let other = Link { ends: [(0, 2), (1, 3)], tags: [5, 6] };
    assert!(world.connect(&other, 4));
    assert_eq!([8, 9, 10, 11].map(|path| world.cores[0].telemetry(path).route.plane), [0, 2, 2, 3]);
}
