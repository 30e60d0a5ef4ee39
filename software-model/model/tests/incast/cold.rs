//! What a message costs that meets an idle connection.

use crate::plan::{Message, Plan, PACKET, US};
use crate::world::World;

/// How long a message of so many packets takes on a connection that never sent, and 50 ms later, in us.
fn alone(packets: u64, read: bool) -> (f64, f64) {
    let again = 50_000 * US;
    let messages = [0, again].map(|at| Message { read, ..Message::write(0, at, packets) });
    let mut world = World::new(Plan::new(1, messages.into(), 8));
    assert!(world.run(100_000 * US));
    assert_eq!(world.core(0).counters().data_sent, 2 * packets);
    assert_eq!(world.core(0).counters().data_resent, 0);
    let completed = |n: usize| world.seen.completed[n].expect("all are completed");
    (completed(0) as f64 / US as f64, (completed(1) - again) as f64 / US as f64)
}

/// Against the figures that the rules were chosen by: 11.7, 27.9, 44 and 110 us; 64 kB again 15.7.
#[test]
fn a_message_alone_takes_as_long_as_was_measured_when_the_rules_were_chosen() {
    for (packets, cold, warm) in [(4, 11.7, 11.7), (16, 27.9, 15.7), (64, 44.0, 39.0), (256, 110.0, 106.0)] {
        let (first, again) = alone(packets, false);
        println!("{packets} packets: {first:.1} us, again {again:.1} us");
        assert!((0.9 * cold..1.02 * cold).contains(&first), "{packets} packets: {first}");
        assert!((0.9 * warm..1.02 * warm).contains(&again), "{packets} packets again: {again}");
    }
}

/// The request brings the hint, so nothing is asked for first: 64 kB in 15.7 us.
#[test]
fn a_read_is_answered_at_its_hint_from_the_first_packet_on() {
    let (first, again) = alone(16, true);
    println!("READ of 16 packets: {first:.1} us, again {again:.1} us");
    for took in [first, again] {
        assert!((0.9 * 15.7..1.02 * 15.7).contains(&took), "{took} us");
    }
}

/// Everybody who is asked answers at once, and the port takes it.
#[test]
fn reads_from_many_at_once_fill_the_port_and_drop_nothing() {
    for (responders, packets) in [(8, 16), (64, 16), (256, 16), (64, 128)] {
        let read = |sender| Message { read: true, ..Message::write(sender, 0, packets) };
        let mut world = World::new(Plan::new(responders, (0..responders).map(read).collect(), 9));
        assert!(world.run(100_000 * US));
        let end = world.seen.completed.iter().flatten().max().expect("messages");
        // All bytes at full rate, and a round trip.
        let ideal = (responders as u64 * packets * PACKET * 80) as f64 / US as f64 + 10.6;
        let slower = *end as f64 / US as f64 / ideal;
        let queue = world.seen.queue.iter().max().expect("intervals");
        println!("{responders} READs of {packets} packets: {slower:.2} of the ideal, queue {queue}");
        assert!(slower < 1.15, "{responders} x {packets}: {slower}");
        assert_eq!(world.seen.drops, 0);
        assert!(*queue < 300_000, "{queue}");
    }
}
