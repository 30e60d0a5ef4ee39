//! One switch, driven by hand.

use crate::fabric::paused::*;
use crate::fabric::port::{Port as Fifo, Queued};
use crate::packet::Class;
use crate::seed::stream;
use crate::time::{Ps, Rate};
use proptest::prelude::*;
use rand::Rng;
use std::collections::BTreeMap;

/// 80 ps a byte.
const RATE: Rate = Rate::new(100_000_000_000).unwrap();
const DELAY: Ps = Ps::from_ns(500);

fn lossy(bytes: u64) -> Buffers {
    Buffers { classes: 1, pool: Pool::PerPort { bytes, xoff: 1 }, lossless: [None; 2] }
}

fn lossless(xoff: u64, hysteresis: u64, headroom: u64) -> Buffers {
    let lossless = Lossless { headroom: Headroom::Bytes(headroom), hysteresis };
    Buffers { classes: 1, pool: Pool::PerPort { bytes: 1, xoff }, lossless: [Some(lossless), None] }
}

fn shared(bytes: u64, log2: i8) -> Buffers {
    let alpha = Alpha::new(log2).unwrap();
    Buffers { classes: 1, pool: Pool::Shared { bytes, alpha, xoff: None }, lossless: [None; 2] }
}

fn switch(buffers: Buffers, ports: usize) -> Switch<u32> {
    Switch::new(buffers, &vec![(RATE, DELAY); ports]).unwrap()
}

fn arrival(from: u32, to: u32, packet: u32, bytes: u32) -> Arrival<u32> {
    Arrival { from, to, packet, bytes, class: Class::Data }
}

fn send(port: u32, packet: u32, leaves: u64) -> Action<u32> {
    Action::Send { port, packet, leaves: Ps(leaves) }
}

fn frame(port: u32, class: u8, is_paused: bool, leaves: u64) -> Action<u32> {
    Action::Pause { port, frame: PauseFrame { class, is_paused }, leaves: Ps(leaves) }
}

/// What a call says.
fn acts(call: impl FnOnce(&mut Vec<Action<u32>>)) -> Vec<Action<u32>> {
    let mut actions = Vec::new();
    call(&mut actions);
    actions
}

#[test]
fn with_one_class_and_no_pauses_departures_and_drops_are_those_of_the_fifo() {
    for (rate, buffer) in [(100_000_000_000, 30_000), (400_000_000_000, 9_000), (7_777_777_777, 12_345)] {
        let rate = Rate::new(rate).unwrap();
        let mut switch: Switch<u32> = Switch::new(lossy(buffer), &[(rate, DELAY); 2]).unwrap();
        let mut fifo = Fifo::new(rate, buffer);
        let rng = &mut stream(buffer, "arrivals", 0);
        let (mut now, mut free_at, mut departures, mut expected, mut drops) =
            (Ps(1), None, vec![], vec![], 0);
        for packet in 0..20_000 {
            let bytes = rng.gen_range(64..4_200);
            // Loads from 0.5 to 2, a moment with several arrivals now and then.
            let gap = rng.gen_range(0..rate.time_of(2_100).0 * [1, 2, 4][packet as usize / 5_000 % 3]);
            now = now + Ps(if gap % 7 == 0 { 0 } else { gap });
            while let Some(at) = free_at.filter(|at| *at <= now) {
                free_at = None;
                for action in acts(|actions| switch.on_free(at, 1, actions)) {
                    let Action::Send { packet, leaves, .. } = action else { panic!("{action:?}") };
                    free_at = Some(leaves);
                    departures.push((packet, leaves));
                }
            }
            // The FIFO's may be one too low.
            let beyond = switch.backlog_bytes(now, 1, Class::Data) - fifo.backlog_bytes(now);
            assert!(beyond <= 1, "{beyond} bytes more at {now:?}");
            match fifo.enter(now, bytes) {
                Queued::Leaves(at) => expected.push((packet, at)),
                Queued::Full => drops += 1,
            }
            for action in acts(|actions| switch.enqueue(now, arrival(0, 1, packet, bytes), actions)) {
                match action {
                    Action::Send { packet, leaves, .. } => {
                        free_at = Some(leaves);
                        departures.push((packet, leaves));
                    }
                    other => assert_eq!(other, Action::Drop { packet }),
                }
            }
            assert_eq!(switch.drops(), drops, "packet {packet} at {now:?}");
        }
        let compared = departures.len();
        assert_eq!(departures, expected[..compared]);
        assert!(compared > 10_000 && drops > 1_000, "{compared} departures, {drops} drops");
    }
}

#[test]
fn control_goes_first_and_interrupts_nothing() {
    let mut switch = switch(Buffers { classes: 2, ..lossy(100_000) }, 2);
    let control = |packet| Arrival { class: Class::Control, ..arrival(0, 1, packet, 100) };
    let started = acts(|actions| {
        switch.enqueue(Ps(0), arrival(0, 1, 1, 1_000), actions);
        switch.enqueue(Ps(0), arrival(0, 1, 2, 1_000), actions);
        switch.enqueue(Ps(0), control(3), actions);
    });
    assert_eq!(started, [send(1, 1, 80_000)]);
    assert_eq!(acts(|actions| switch.on_free(Ps(80_000), 1, actions)), [send(1, 3, 88_000)]);
    assert_eq!(acts(|actions| switch.on_free(Ps(88_000), 1, actions)), [send(1, 2, 168_000)]);
    assert_eq!((switch.queue_of(Class::Data), switch.queue_of(Class::Control)), (0, 1));
}

#[test]
fn what_passes_xoff_pauses_its_sender_and_what_brings_it_down_by_the_hysteresis_resumes_it() {
    let mut switch = switch(lossless(3_000, 1_000, 2_000), 3);
    // Three packets stand at XOFF; port 2 sends them.
    let started =
        acts(|actions| (0..3).for_each(|n| switch.enqueue(Ps(0), arrival(0, 2, n, 1_000), actions)));
    assert_eq!(started, [send(2, 0, 80_000)]);
    // The fourth goes into headroom; its pause frame of 84 bytes takes 6,720 ps.
    let paused = acts(|actions| switch.enqueue(Ps(0), arrival(0, 2, 3, 1_000), actions));
    assert_eq!(paused, [frame(0, 0, true, 6_720)]);
    // The fifth fits as well and says nothing new, the sixth does not. Port 1 has room of its own.
    assert_eq!(acts(|actions| switch.enqueue(Ps(1), arrival(0, 2, 4, 1_000), actions)), []);
    let full = acts(|actions| switch.enqueue(Ps(2), arrival(0, 2, 5, 1), actions));
    assert_eq!(full, [Action::Drop { packet: 5 }]);
    assert_eq!(acts(|actions| switch.enqueue(Ps(2), arrival(1, 2, 6, 3_000), actions)), []);
    assert_eq!((switch.drops(), switch.held_bytes()), (1, 8_000));
    assert_eq!(acts(|actions| switch.on_free(Ps(6_720), 0, actions)), []);
    // Two leave headroom, a third the pool: 2,000 of 3,000 are left.
    let (mut at, mut resumed) = (80_000, vec![]);
    for packet in 1..4 {
        let mut actions = acts(|actions| switch.on_free(Ps(at), 2, actions));
        assert_eq!(actions.pop(), Some(send(2, packet, at + 80_000)));
        resumed.push(actions);
        at += 80_000;
    }
    assert_eq!(resumed, [vec![], vec![], vec![frame(0, 0, false, 240_000 + 6_720)]]);
}

#[test]
fn a_pause_frame_waits_for_the_packet_on_the_wire_and_goes_before_the_next() {
    let mut switch = switch(lossless(100, 50, 10_000), 3);
    let actions = acts(|actions| {
        switch.enqueue(Ps(0), arrival(1, 0, 1, 50), actions);
        switch.enqueue(Ps(0), arrival(1, 0, 2, 50), actions);
        switch.enqueue(Ps(1_000), arrival(0, 2, 3, 1_000), actions);
    });
    assert_eq!(actions, [send(0, 1, 4_000), send(2, 3, 81_000)]);
    assert_eq!(acts(|actions| switch.on_free(Ps(4_000), 0, actions)), [frame(0, 0, true, 10_720)]);
    assert_eq!(acts(|actions| switch.on_free(Ps(10_720), 0, actions)), [send(0, 2, 14_720)]);
}

#[test]
fn a_paused_class_stands_still_the_other_goes_on_and_the_time_is_counted() {
    let mut switch = switch(Buffers { classes: 2, ..lossy(100_000) }, 2);
    let pause = |is_paused| PauseFrame { class: 0, is_paused };
    assert_eq!(acts(|actions| switch.on_pause(Ps(1_000), 1, pause(true), actions)), []);
    assert_eq!(acts(|actions| switch.enqueue(Ps(2_000), arrival(0, 1, 1, 100), actions)), []);
    let control = Arrival { class: Class::Control, ..arrival(0, 1, 2, 100) };
    assert_eq!(acts(|actions| switch.enqueue(Ps(3_000), control, actions)), [send(1, 2, 11_000)]);
    assert_eq!(acts(|actions| switch.on_free(Ps(11_000), 1, actions)), []);
    assert_eq!(switch.paused(Ps(21_000), 1), Paused { times: 1, time: Ps(20_000) });
    // A second frame that says the same changes nothing.
    assert_eq!(acts(|actions| switch.on_pause(Ps(22_000), 1, pause(true), actions)), []);
    let resumed = acts(|actions| switch.on_pause(Ps(31_000), 1, pause(false), actions));
    assert_eq!(resumed, [send(1, 1, 39_000)]);
    assert_eq!(switch.paused(Ps(90_000), 1), Paused { times: 1, time: Ps(30_000) });
}

#[test]
fn queues_of_a_shared_buffer_get_the_parts_that_the_dynamic_threshold_gives() {
    // n queues that are always full hold alpha * B / (1 + n * alpha) each. Source: Choudhury and Hahne.
    for (log2, queues, each) in [(0, 1, 500_000), (0, 3, 250_000), (1, 2, 400_000), (-1, 2, 250_000)] {
        let mut switch = switch(shared(1_000_000, log2), queues + 1);
        let mut stored = vec![0; queues];
        let mut drops = 0;
        for round in 0..6_000 {
            for to in 1..=queues as u32 {
                let actions = acts(|actions| switch.enqueue(Ps(0), arrival(0, to, round, 100), actions));
                let is_dropped = actions.contains(&Action::Drop { packet: round });
                stored[to as usize - 1] += u64::from(!is_dropped) * 100;
                drops += u64::from(is_dropped);
            }
        }
        for (to, stored) in stored.into_iter().enumerate() {
            let near = each - 400..=each + 400;
            assert!(near.contains(&stored), "queue {to} of {queues}: {stored}, alpha 2^{log2} gives {each}");
        }
        assert_eq!(switch.drops(), drops);
    }
}

#[test]
fn a_failed_link_drops_what_waits_and_frees_its_memory() {
    let mut switch = switch(lossless(2_000, 1_000, 2_000), 2);
    let arrive = |n, actions: &mut Vec<_>| switch.enqueue(Ps(0), arrival(0, 1, n, 1_000), actions);
    let mut arrive = arrive;
    let actions = acts(|actions| (0..3).for_each(|n| arrive(n, actions)));
    assert_eq!(actions, [send(1, 0, 80_000), frame(0, 0, true, 6_720)]);
    acts(|actions| switch.on_free(Ps(6_720), 0, actions));
    let down = acts(|actions| switch.on_down(Ps(10_000), 1, actions));
    let dropped = [1, 2].map(|packet| Action::Drop { packet });
    assert_eq!(down, [dropped.to_vec(), vec![frame(0, 0, false, 16_720)]].concat());
    assert_eq!(switch.held_bytes(), 1_000);
    acts(|actions| switch.on_free(Ps(80_000), 1, actions));
    assert_eq!((switch.held_bytes(), switch.drops()), (0, 2));
}

#[test]
fn a_port_at_another_rate_takes_the_time_of_that_rate() {
    let mut switch = switch(lossy(100_000), 2);
    acts(|actions| (0..2).for_each(|n| switch.enqueue(Ps(0), arrival(0, 1, n, 1_000), actions)));
    switch.set_rate(1, Rate::new(10_000_000_000).unwrap());
    assert_eq!(switch.backlog_bytes(Ps(80_000), 1, Class::Data), 1_000);
    assert_eq!(acts(|actions| switch.on_free(Ps(80_000), 1, actions)), [send(1, 1, 880_000)]);
}

#[test]
fn headroom_is_three_packets_a_frame_and_the_cable_both_ways() {
    // 100 Gb/s, 500 ns: 12,500 bytes on the cable in both directions.
    assert_eq!(headroom(RATE, DELAY, 1_500), 3 * 1_500 + 84 + 12_500 + 1);
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let refused = |buffers| Switch::<u32>::new(buffers, &[(RATE, DELAY)]).unwrap_err().to_string();
    assert_eq!(refused(Buffers { classes: 3, ..lossy(1) }), "3 classes of a port: 1 and 2 are possible");
    let second = Buffers { lossless: [None, lossless(1, 0, 1).lossless[0]], ..lossy(1) };
    assert_eq!(refused(second), "class 1 is to be lossless: of 1 classes the last is 0");
    let deep = "a hysteresis of 9 bytes: less than the XOFF threshold of 9 bytes is possible";
    assert_eq!(refused(lossless(9, 9, 1)), deep);
    assert_eq!((Alpha::new(-8), Alpha::new(4)), (None, None));
}

proptest! {
    /// Whatever comes: nothing is lost or made up, memory is bounded, pauses and resumes take turns.
    #[test]
    fn packets_are_conserved_and_pauses_take_turns(
        is_shared in any::<bool>(),
        ops in prop::collection::vec((0u32..10, 0u32..4, 0u32..4, 64u32..1_600), 1..400),
    ) {
        let protected = lossless(8_000, 3_000, 5_000);
        let alpha = Alpha::new(0).unwrap();
        let pool = if is_shared { Pool::Shared { bytes: 40_000, alpha, xoff: None } } else { protected.pool };
        // Data is lossless, control is not.
        let pool = match pool {
            Pool::PerPort { xoff, .. } => Pool::PerPort { bytes: 6_000, xoff },
            pool => pool,
        };
        let mut switch = switch(Buffers { classes: 2, pool, ..protected }, 4);
        let (mut now, mut free_at) = (Ps(0), [None; 4]);
        let (mut came, mut sent, mut dropped, mut inside) = (0u32, 0u32, 0u32, 0u64);
        let mut sizes = BTreeMap::new();
        let mut leaving: [Option<u32>; 4] = [None; 4];
        let mut told = BTreeMap::new();
        let drain = std::iter::repeat_n((9, 0, 0, 0), 4 * ops.len() + 64);
        let unpause = (0..4).map(|port| (7, port, 0, 0));
        for (op, from, to, bytes) in ops.into_iter().chain(unpause).chain(drain) {
            let mut actions = Vec::new();
            match op {
                0..6 => {
                    let class = if op < 4 { Class::Data } else { Class::Control };
                    sizes.insert(came, bytes);
                    inside += u64::from(bytes);
                    switch.enqueue(now, Arrival { from, to, packet: came, bytes, class }, &mut actions);
                    came += 1;
                }
                6 | 7 => {
                    let frame = PauseFrame { class: 0, is_paused: op == 6 };
                    switch.on_pause(now, from, frame, &mut actions);
                }
                _ => {
                    // Whichever port is free first.
                    let first = (0..4).filter_map(|port| Some((free_at[port]?, port))).min();
                    if let Some((at, port)) = first {
                        (now, free_at[port]) = (now.max(at), None);
                        inside -= leaving[port].take().map_or(0, |packet| u64::from(sizes[&packet]));
                        switch.on_free(now, port as u32, &mut actions);
                    }
                }
            }
            for action in actions {
                match action {
                    Action::Send { port, packet, leaves } => {
                        (free_at[port as usize], leaving[port as usize]) = (Some(leaves), Some(packet));
                        sent += 1;
                    }
                    Action::Pause { port, frame, leaves } => {
                        free_at[port as usize] = Some(leaves);
                        let before = told.insert(port, frame.is_paused);
                        prop_assert_ne!(before.unwrap_or(false), frame.is_paused);
                    }
                    Action::Drop { packet } => {
                        inside -= u64::from(sizes[&packet]);
                        dropped += 1;
                    }
                }
            }
            prop_assert_eq!(switch.held_bytes(), inside);
            let most = if is_shared { 40_000 + 4 * 5_000 } else { 4 * (13_000 + 6_000 + 1_600) };
            prop_assert!(inside <= most, "{} bytes", inside);
        }
        prop_assert_eq!((sent + dropped, u64::from(dropped)), (came, switch.drops()));
        prop_assert_eq!(inside, 0);
        prop_assert!(told.values().all(|is_paused| !is_paused), "paused at the end: {:?}", told);
    }
}
