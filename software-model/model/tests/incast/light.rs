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
