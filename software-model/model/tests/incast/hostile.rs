//! Hints that lie or are lost, and a network that loses: slower, but nothing stands still, and every byte lands once.

use crate::frames::Lie;
use crate::fresh_seed;
use crate::plan::{Plan, PACKET, SLICE, US};
use crate::world::World;
use heddle_wire::Hint;

/// Runs until all is completed; when, in us.
fn end(plan: Plan, limit: u64) -> (World, u64) {
    let (senders, seed) = (plan.senders, plan.seed);
    let what = format!("{:?}, loss {:?}, {senders} senders, seed {seed}", plan.lie, plan.loss);
    let packets: Vec<u64> = plan.messages.iter().map(|message| message.packets).collect();
    let mut world = World::new(plan);
    assert!(world.run(limit * US), "not completed in {limit} us: {what}");
    let end = world.seen.completed.iter().flatten().max().expect("messages") / US;
    println!("{what}: {end} us, {} dropped, {} marked", world.seen.drops, world.seen.marks);
    for (n, packets) in packets.iter().enumerate() {
        assert_eq!(world.sink.landed(n, 0..usize::MAX), packets * SLICE, "sender {n}: {what}");
    }
    (world, end)
}

fn lied(lie: Lie, share: f64, packets: u64, seed: u64) -> Plan {
    Plan { lie: Some((lie, share)), ..Plan::incast(8, packets, seed) }
}

/// F21: 8 x 500 packets take 1,350 us at full rate.
#[test]
fn hints_of_none_the_smallest_stale_or_lost_leave_ecn_in_charge_and_nothing_stands_still() {
    for lie in [Lie::None, Lie::Always(1), Lie::Stale] {
        let (_, took) = end(lied(lie, 1.0, 500, 11), 5_000);
        assert!(took < 1_600, "{lie:?}: {took} us");
    }
    for share in [0.1, 0.5, 0.9] {
        let (_, took) = end(lied(Lie::None, share, 500, 12), 5_000);
        assert!(took < 1_700, "{share} of the hints lost: {took} us");
    }
}

/// F21: at the largest hint a packet takes five minutes; one goes each second.
#[test]
fn the_largest_hint_still_moves_a_packet_a_second() {
    let (_, took) = end(lied(Lie::Always(u16::MAX), 1.0, 6, 13), 10_000_000);
    assert!((4_000_000..7_500_000).contains(&took), "{took} us");
}

#[test]
fn any_hints_at_all_end_in_time() {
    let seed = fresh_seed("any_hints_at_all");
    let (_, took) = end(lied(Lie::Any, 1.0, 6, seed), 10_000_000);
    assert!(took < 7_500_000, "{took} us");
}

/// Without hints and marks only losses tell: windows are halved, and the link is not given up.
#[test]
fn a_fabric_without_marks_and_hints_is_kept_busy_by_halving() {
    let plan = Plan { ecn: u64::MAX, ..lied(Lie::None, 1.0, 2_000, 14) };
    let (world, took) = end(plan, 50_000);
    // 16,000 packets take 5,394 us at full rate.
    assert!(took < 6_500, "{took} us");
    // Slow start alone opens every window to 256; the last sender has the link for itself, and is right to.
    let windows =
        (0..8).flat_map(|n| (0..4).map(move |path| (n, path))).map(|(n, path)| world.core(n).window(path));
    let mut windows: Vec<u32> = windows.collect();
    windows.sort_unstable();
    assert!(windows[24] < 64, "{windows:?}");
    let sent: u64 = (0..8).map(|n| world.core(n).counters().data_sent).sum();
    assert_eq!((sent, world.seen.marks), (16_000, 0));
    assert!(world.seen.drops > 0 && world.seen.drops < sent / 2, "{} drops", world.seen.drops);
}

/// Whatever is lost, packets for the first time and again keep to the hint together.
// REQ-PACE-2
#[test]
fn resends_wait_for_the_pacer_as_new_packets_do() {
    // An eighth of the link: a packet in 2.75 us.
    let hint = Hint::encode(8 * 5225);
    let plan = Plan::incast(1, 400, 16);
    let (world, _) =
        end(Plan { loss: (0.3, 0.0), lie: Some((Lie::Always(hint.bits()), 1.0)), ..plan }, 50_000);
    let sent = &world.seen.sent;
    assert!(sent.len() > 500, "{} packets for 400", sent.len());
    let gap = PACKET * hint.decode() / 64;
    // At most one packet is saved up, and a packet owes 7/8 of itself at least.
    for nine in sent.windows(9) {
        assert!(nine[8] - nine[0] >= gap * 7 / 8 * 7, "9 packets in {} ps", nine[8] - nine[0]);
    }
}

#[test]
fn losses_both_ways_cost_little_more_than_themselves() {
    for (loss, senders, share) in [(0.0, 32, 0.97), (0.02, 32, 0.9), (0.05, 8, 0.85)] {
        let plan = Plan { loss: (loss, loss), ..Plan::incast(senders, 500, 15) };
        let (world, took) = end(plan, 50_000);
        let at_full_rate = senders as f64 * 500.0 * 0.33712;
        assert!(at_full_rate / took as f64 > share, "loss {loss}: {took} us of {at_full_rate}");
        assert_eq!(world.seen.drops, 0);
    }
}

/// The window follows the shortest round trip of late, and so do queues: they must not take themselves for the way.
// REQ-PACE-8
#[test]
fn queues_do_not_creep_into_the_shortest_round_trip() {
    // Six intervals. 10.9 us without a queue, 9.9 for a PROBE. Hints are for what the port takes, without marks; or for twice that, where
    // marks begin at 100 kB, 8 us, or not at all: then four times the shortest.
    let honest = Plan { ecn: u64::MAX, ..Plan::incast(8, LONGER, 17) };
    let twice = Lie::Always(Hint::encode(5225 * 2 / 2).bits());
    let lied = |ecn| Plan { ecn, lie: Some((twice, 1.0)), ..Plan::incast(2, LONGER, 17) };
    let cases = [(honest, 10.0..11.5), (lied(100_000), 10.0..16.0), (lied(u64::MAX), 30.0..40.0)];
    for (plan, want) in cases {
        let senders = plan.senders;
        let what = format!("{senders} senders, marks from {} bytes on", plan.ecn);
        let mut world = World::new(plan);
        world.run(50_000 * US);
        for n in 0..senders {
            let min = f64::from(world.core(n).min_rtt_ticks(0).expect("measured")) / 125.0;
            println!("{what}: {min:.1} us");
            assert!(want.contains(&min), "{min} us: {what}");
        }
    }
}

/// Packets of a transfer that takes longer than 50 ms.
const LONGER: u64 = 120_000;
