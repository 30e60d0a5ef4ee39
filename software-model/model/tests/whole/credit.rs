//! Credit of a connection that has heard nothing yet.

use crate::world::{Link, Network, World, BASE, BLANK, KEY, LENGTH};
use heddle_model::core::{CongestionConfig, CoreConfig};
use heddle_model::operations::Operations;
use heddle_model::rx::recv::Receive;
use heddle_model::tx::msg::WorkRequest;
use heddle_model::tx::route::RouteConfig;
use heddle_wire::Opcode;

const LINK: Link = Link { ends: [(0, 1), (1, 2)], tags: [0x1111, 0x2222] };
const SINK: u64 = BASE + LENGTH;
/// 1 us.
const US: u64 = 125;

fn world(hints: bool, routes: bool) -> World {
    let congestion = CongestionConfig::new(125_000, 1_250, 4).expect("good values");
    let routes = routes.then(|| RouteConfig::new(4).expect("four planes"));
    let operations = Operations::ALL;
    let config =
        CoreConfig { operations, congestion: hints.then_some(congestion), routes, ..CoreConfig::default() };
    let mut world = World::new(2, config, Network::default(), 7);
    for host in &mut world.hosts {
        host.bytes.resize((SINK + 200_000) as usize, BLANK);
    }
    assert!(world.connect(&LINK, 4));
    world
}

fn send(wr_id: u64, length: u32) -> WorkRequest {
    let opcode = Opcode::Send.code();
    WorkRequest {
        wr_id,
        opcode,
        conn: 1,
        stream: 2,
        local: BASE,
        rkey: KEY,
        length,
        ..WorkRequest::default()
    }
}

fn post(world: &mut World, wr_id: u64) {
    let receive = Receive { wr_id, address: SINK, length: 100_000 };
    assert!(world.cores[1].post_receive(2, receive));
    world.stir(1);
}

/// Ticks until the receiver has a completion.
fn arrival(world: &mut World) -> u64 {
    let start = world.tick;
    while world.completions[1].is_empty() {
        assert!(world.tick < start + 10_000 * US, "no SEND has arrived");
        world.run_to(world.tick + 1);
    }
    world.tick - start
}

/// One way is 600 to 630 ticks by plane, and a short frame less than ten.
const ONE_WAY: u64 = 640;

/// A question, its answer and the SEND: three ways. Waiting for the timer took 200 us more.
// REQ-MSG-6
#[test]
fn the_first_send_of_a_connection_asks_for_credit_at_once() {
    for (hints, routes) in [(false, false), (true, false), (false, true), (true, true)] {
        for (length, more) in [(0, 0), (100, 0), (60_000, 6 * US)] {
            let mut world = world(hints, routes);
            (0..20).for_each(|wr_id| post(&mut world, wr_id));
            world.run_to(50 * US);
            assert!(world.submit(0, send(1, length)));
            let ticks = arrival(&mut world);
            println!("{length} bytes, hints {hints}, routes {routes}: {} us", ticks as f64 / US as f64);
            assert!(ticks <= 3 * ONE_WAY + more, "{ticks} ticks");
            assert_eq!(world.cores[0].counters().probes_sent, 1);
            // All of the credit is known: the next SENDs take one way.
            for wr_id in 2..20 {
                world.completions[1].clear();
                world.run_to(world.tick + 20 * US);
                assert!(world.submit(0, send(wr_id, 0)));
                let ticks = arrival(&mut world);
                assert!(ticks <= ONE_WAY, "{wr_id}: {ticks} ticks");
            }
            assert_eq!(world.cores[0].counters().probes_sent, 1);
        }
    }
}

// REQ-MSG-6, REQ-ACK-1
#[test]
fn where_nothing_is_posted_the_question_makes_the_first_post_heard_at_once() {
    let mut world = world(false, true);
    assert!(world.submit(0, send(1, 100)));
    // Another SEND does not ask again.
    assert!(world.submit(0, WorkRequest { stream: 1, ..send(2, 100) }));
    world.run_to(100 * US);
    assert_eq!((world.cores[0].counters().probes_sent, world.cores[1].counters().acks_sent), (1, 1));
    post(&mut world, 7);
    assert!(arrival(&mut world) <= 2 * ONE_WAY);
    post(&mut world, 8);
    assert!(world.settle(1_000 * US));
    assert_eq!(world.completions[1].len(), 2);
}

// REQ-MSG-6, REQ-MSG-1
#[test]
fn a_question_or_an_answer_that_is_lost_is_asked_again_200_us_later() {
    for (loss, ack_loss) in [(1.0, 0.0), (0.0, 1.0)] {
        let mut world = world(false, true);
        post(&mut world, 1);
        (world.network.loss, world.network.ack_loss) = (loss, ack_loss);
        assert!(world.submit(0, send(1, 100)));
        world.run_to(100 * US);
        (world.network.loss, world.network.ack_loss) = (0.0, 0.0);
        arrival(&mut world);
        assert!((200 * US..200 * US + 3 * ONE_WAY).contains(&world.tick), "{} ticks", world.tick);
        assert_eq!(world.cores[0].counters().probes_sent, 2);
    }
}

// REQ-MSG-6
#[test]
fn who_has_heard_something_is_told_of_receives_and_asks_for_none_at_once() {
    let mut world = world(false, true);
    let write = WorkRequest { opcode: Opcode::Write.code(), remote: BASE, ..send(1, 100) };
    assert!(world.submit(0, write) && world.settle(1_000 * US));
    let start = world.tick;
    assert!(world.submit(0, send(2, 100)));
    // The timer of a path that is measured.
    world.run_to(start + 12 * US);
    assert_eq!(world.cores[0].counters().probes_sent, 0);
    post(&mut world, 1);
    assert!(arrival(&mut world) <= 2 * ONE_WAY);
}
