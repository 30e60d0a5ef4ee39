//! Planes of 25 Gb/s, four of them unless a test says otherwise: 31,250 bytes in 10 us, 0.98 of it 30,625. A window is
//! ceil(8 x 4214 / 30,625) = 2 intervals, and a plane is busy with 3/4 x 61,250 = 45,938 bytes: 11 packets.

use super::super::*;
use super::MAX_WINDOW;

const PLANE: u32 = 30_625;
const BYTES: u32 = 4214;
const BUSY: u32 = 11;

fn at(ticks: u32) -> Time32 {
    // Time wraps in every test.
    Time32::new(ticks.wrapping_sub(3_000))
}

fn port(planes: u8) -> RxHint {
    let config = HintConfig::new(4 * PLANE).and_then(|config| config.with_plane_target(PLANE));
    RxHint::new(4, config.expect("a target that can be").with_packets(BYTES, 250).with_planes(planes))
}

fn data(plane: u8) -> Arrived {
    Arrived { conn: 0, plane, limited: true, bytes: BYTES, ce: Some(false) }
}

/// What is told at `at` with so many planes: 640,000,000 / 30,625 = 20,898 for one.
fn planes_told(block: &mut RxHint, now: Time32) -> u64 {
    let level = |planes: u64| 640_000_000u64.div_ceil(planes * u64::from(PLANE));
    block.hint(now);
    let found = (1..=16).find(|&planes| level(planes) == block.level);
    found.unwrap_or_else(|| panic!("a level of {}", block.level))
}

/// So many packets on each plane, one plane after the other, from a window's start on; what is told at its end.
fn window(block: &mut RxHint, number: u32, packets: &[u32]) -> u64 {
    let start = number * 2 * INTERVAL_TICKS;
    for (plane, &count) in (0..).zip(packets) {
        (0..count).for_each(|_| block.on_arrival(&data(plane), at(start + 1 + u32::from(plane))));
    }
    planes_told(block, at(start + 2 * INTERVAL_TICKS))
}

/// A port whose first interval starts at 0.
fn started(planes: u8) -> RxHint {
    let mut block = port(planes);
    assert_eq!(planes_told(&mut block, at(0)), u64::from(planes.min(4)));
    block
}

// REQ-HINT-5
#[test]
fn a_plane_is_silent_when_none_of_its_data_came_while_the_others_were_busy() {
    let mut block = started(4);
    assert_eq!(window(&mut block, 0, &[BUSY, BUSY, BUSY, 0]), 3);
    assert_eq!(window(&mut block, 1, &[BUSY + 5, 0, BUSY - 5, 0]), 2, "they are busy together");
    assert_eq!(window(&mut block, 2, &[BUSY, 0, 0, 0]), 1);
    let mut block = started(4);
    assert_eq!(window(&mut block, 0, &[BUSY, BUSY, BUSY - 1, 0]), 4, "a packet less: not busy");
    assert_eq!(window(&mut block, 1, &[BUSY, BUSY, BUSY, 1]), 4, "one packet is enough to be heard");
}

// REQ-HINT-5
#[test]
fn a_silent_plane_counts_again_with_its_first_data_and_not_for_a_window_that_is_less_busy() {
    let mut block = started(4);
    assert_eq!(window(&mut block, 0, &[BUSY, 0, BUSY, 0]), 2);
    for number in 1..10 {
        assert_eq!(window(&mut block, number, &[1, 0, 0, 0]), 2, "window {number}");
    }
    let start = 20 * INTERVAL_TICKS;
    block.on_arrival(&data(3), at(start + 5));
    assert_eq!(planes_told(&mut block, at(start + INTERVAL_TICKS - 1)), 2);
    assert_eq!(planes_told(&mut block, at(start + INTERVAL_TICKS)), 3, "from the interval's end on");
    // PROBEs are no DATA: a plane may pass short frames alone.
    block.on_arrival(&Arrived { ce: None, bytes: 90, ..data(1) }, at(start + INTERVAL_TICKS + 1));
    assert_eq!(planes_told(&mut block, at(start + 2 * INTERVAL_TICKS)), 3);
}

// REQ-HINT-5
#[test]
fn when_nobody_is_limited_silence_is_forgotten() {
    let mut block = started(4);
    assert_eq!(window(&mut block, 0, &[BUSY, 0, 0, 0]), 1);
    // The last packet of the message says that no more is queued; its bytes are light, until eight intervals are over.
    block.on_arrival(&Arrived { limited: false, bytes: 0, ..data(0) }, at(2 * INTERVAL_TICKS + 1));
    assert_eq!(planes_told(&mut block, at(3 * INTERVAL_TICKS)), 4);
    // The same by silence of more than 1 ms.
    let mut block = started(4);
    assert_eq!(window(&mut block, 0, &[BUSY, 0, 0, 0]), 1);
    assert_eq!(planes_told(&mut block, at(SILENCE_TICKS)), 1);
    assert_eq!(planes_told(&mut block, at(SILENCE_TICKS + 2 * INTERVAL_TICKS)), 4);
}

// REQ-HINT-5
#[test]
fn a_lost_carrier_counts_at_once_and_so_does_one_that_is_back() {
    let mut block = started(4);
    for (plane, up, told) in [(1, false, 3), (3, false, 2), (1, true, 3), (0, false, 2), (2, false, 1)] {
        block.set_plane(plane, up);
        assert_eq!(planes_told(&mut block, at(1)), told, "plane {plane}, up {up}");
    }
    block.set_plane(1, false);
    assert_eq!(planes_told(&mut block, at(2)), 1, "without any plane: what one could bring");
    (0..4).for_each(|plane| block.set_plane(plane, true));
    block.set_plane(16, false);
    assert_eq!(planes_told(&mut block, at(3)), 4, "no such plane");
}

// REQ-HINT-1, REQ-HINT-5
#[test]
fn the_host_may_take_less_than_the_planes_bring_and_planes_need_not_count() {
    // Eight planes, but the port takes what four bring.
    let mut block = started(8);
    for plane in 0..4 {
        block.set_plane(plane, false);
        assert_eq!(planes_told(&mut block, at(1)), 4);
    }
    block.set_plane(4, false);
    assert_eq!(planes_told(&mut block, at(1)), 3);
    block.set_target(2 * PLANE).expect("a target that can be");
    assert_eq!(planes_told(&mut block, at(INTERVAL_TICKS)), 2);
    let config = HintConfig::new(4 * PLANE).expect("a target that can be").with_packets(BYTES, 250);
    let mut block = RxHint::new(4, config.with_planes(4));
    block.set_plane(2, false);
    block.hint(at(0));
    assert_eq!(window(&mut block, 0, &[2 * BUSY, 0, 0, 0]), 4);
}

/// 1 Gb/s in four planes: a packet of 1,100 bytes takes 35 us of one, and a window is ceil(8,800 / 306) = 29 intervals.
// REQ-HINT-5
#[test]
fn windows_are_as_long_as_slow_planes_need() {
    let config = HintConfig::new(1_225).and_then(|config| config.with_plane_target(306));
    let config = config.expect("targets that can be").with_packets(1_100, 250).with_planes(4);
    let mut block = RxHint::new(1, config);
    block.hint(at(0));
    // 3/4 x 29 x 306 = 6,655.5 bytes: eight packets of 832 bytes on plane 0 are busy.
    for (bytes, told) in [(831, 1_224), (832, 306)] {
        let mut block = block.clone();
        for n in 0..8 {
            block.on_arrival(&Arrived { bytes, ..data(0) }, at(1 + 4_400 * n));
        }
        block.hint(at(29 * INTERVAL_TICKS - 1));
        assert_eq!(block.level, 640_000_000u64.div_ceil(1_224), "{bytes} bytes");
        block.hint(at(29 * INTERVAL_TICKS));
        assert_eq!(block.level, 640_000_000u64.div_ceil(told), "{bytes} bytes");
    }
}

// REQ-HINT-5
#[test]
fn a_window_begins_with_data_whatever_rested_before() {
    for rest in 0..10 {
        let mut block = started(4);
        let start = rest * INTERVAL_TICKS + 3;
        (0..2 * BUSY).for_each(|_| block.on_arrival(&data(0), at(start)));
        let told = [1, 2, 3].map(|n| planes_told(&mut block, at(start + n * INTERVAL_TICKS)));
        assert_eq!(told, [4, 1, 1], "a rest of {rest} intervals");
    }
}

/// Three connections, each of which takes one plane after the other: 2 x 4 x 3 packets are waited for.
// REQ-HINT-5
#[test]
fn a_window_lasts_until_each_limited_connection_could_have_used_each_plane_twice() {
    for (packets, told) in [(23, 4), (24, 1)] {
        let mut block = started(4);
        for n in 0..packets {
            block.on_arrival(&Arrived { conn: n % 3, ..data(0) }, at(1));
        }
        assert_eq!(planes_told(&mut block, at(2 * INTERVAL_TICKS)), told, "{packets} packets");
        // One more, and the window is over: 24 packets in three intervals are more than three quarters of a plane.
        block.on_arrival(&data(0), at(2 * INTERVAL_TICKS + 1));
        assert_eq!(planes_told(&mut block, at(3 * INTERVAL_TICKS)), 1);
    }
}

#[test]
fn targets_of_a_plane_out_of_range_are_refused() {
    let (min, max) = (HintConfig::MIN_TARGET, HintConfig::MAX_TARGET);
    let config = HintConfig::new(max).expect("the largest");
    for got in [0, min - 1, max + 1] {
        assert_eq!(config.with_plane_target(got), Err(HintConfigError::Target { got, min, max }));
    }
    // The longest windows: the smallest target, and more connections than send.
    for (target, limited) in [(min, 1), (max, 1 << 16)] {
        let config = config.with_plane_target(target).expect("a target that can be");
        let mut planes = Planes::new(&config.with_packets(16_383, 250).with_planes(16));
        for interval in 0..MAX_WINDOW {
            assert_eq!(planes.target(max), max.min(16 * target), "interval {interval}");
            (0..300u32).for_each(|n| planes.on_data((n % 15) as u8, u32::MAX));
            planes.end_interval(limited);
        }
        assert_eq!(planes.target(max), max.min(15 * target));
    }
}
