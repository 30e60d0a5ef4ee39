//! Who takes less than a share leaves the rest to the others.

use crate::plan::{Message, Plan, CAPACITY, PACKET, SLICE, US};
use crate::world::{World, INTERVAL};

const LONG: u64 = 20_000;

/// Runs senders 0 and 1 with all that they can and the others as planned: each of the two gets half of what the others leave.
fn judge(plan: Plan) {
    let mut world = World::new(plan);
    world.run(300 * INTERVAL);
    let late = 100..300;
    let landed = |n: usize| world.sink.landed(n, late.clone()) as f64;
    let others: f64 = (2..world.plan().senders).map(landed).sum();
    let target = 0.98 * f64::from(CAPACITY) * 200.0 * SLICE as f64 / PACKET as f64;
    assert!(others > 0.05 * target, "the others moved {others}");
    for heavy in [0, 1] {
        let share = landed(heavy) / ((target - others) / 2.0);
        println!("sender {heavy}: {share:.4} of half of what is left by {:.3}", others / target);
        assert!((0.97..1.03).contains(&share), "sender {heavy} got {share}");
    }
    assert_eq!(world.seen.drops, 0);
    // Who waits for its own port is not limited by its hint.
    assert_eq!(world.core(world.plan().senders).limited_connections(), 2);
}

fn heavy() -> Vec<Message> {
    (0..2).map(|sender| Message::write(sender, sender as u64 * US, LONG)).collect()
}

#[test]
fn two_heavy_senders_share_what_two_light_ones_leave() {
    // Packets of their own at 5, 10 and 20 % of the link each.
    for gap in [6_740_000, 3_370_000, 1_685_000] {
        let light = |sender| {
            let message = move |k| Message::write(sender, sender as u64 * US / 2 + k * gap, 1);
            (0..300 * INTERVAL / gap - 1).map(message)
        };
        judge(Plan::new(4, heavy().into_iter().chain(light(2)).chain(light(3)).collect(), 6));
    }
}

#[test]
fn a_sender_with_a_slow_port_of_its_own_is_no_heavy_one() {
    let slow = Message::write(2, 0, LONG);
    let plan = Plan::new(3, heavy().into_iter().chain([slow]).collect(), 7);
    judge(Plan { slow: Some((2, 800)), ..plan });
}

/// Half of a receiver's planes are lost, and come back: three intervals later the link carries what it is told.
// REQ-HINT-1
#[test]
fn a_receiver_that_can_take_less_is_sent_less_and_more_again_when_it_can() {
    let messages = (0..8).map(|sender| Message::write(sender, sender as u64 * US / 2, LONG)).collect();
    let mut world = World::new(Plan::new(8, messages, 9));
    for (until, capacity) in [(100, CAPACITY / 2), (200, CAPACITY), (300, CAPACITY)] {
        world.run(until * INTERVAL);
        world.set_capacity(capacity);
    }
    let landed = |from: usize, to: usize| {
        let all: u64 = (0..8).map(|n| world.sink.landed(n, from..to)).sum();
        (all * PACKET) as f64 / (SLICE * u64::from(CAPACITY)) as f64 / (to - from) as f64
    };
    let shares = [landed(50, 100), landed(103, 200), landed(203, 300)];
    println!("{shares:.3?} of the link");
    for (share, want) in shares.iter().zip([0.98, 0.49, 0.98]) {
        assert!((want - 0.02..want + 0.01).contains(share), "{share}, not {want}");
    }
    assert_eq!(world.seen.drops, 0);
}
