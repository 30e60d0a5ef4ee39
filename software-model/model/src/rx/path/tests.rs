//! Rules of the receive path, one test each.

use super::*;

fn psn(value: u32) -> Psn {
    Psn::new(value)
}

struct Bench {
    row: RxPathRow,
    now: u32,
}

impl Bench {
    fn at(first: u32) -> Self {
        let mut row = RxPathRow::default();
        row.apply(&RxPathIn { op: RxOp::Init, psn: psn(first), ..RxPathIn::default() });
        Self { row, now: 1000 }
    }

    fn packet(&mut self, value: u32) -> RxPathIn {
        self.now += 10;
        RxPathIn {
            psn: psn(value),
            ts: Time32::new(self.now - 5),
            now: Time32::new(self.now),
            ..RxPathIn::default()
        }
    }

    fn data(&mut self, value: u32) -> RxPathOut {
        let packet = self.packet(value);
        self.row.apply(&packet)
    }
}

// REQ-RX-1, F05.
#[test]
fn distances_255_256_and_257_are_told_apart_at_every_wrap() {
    let mut checked = 0;
    for first in
        (0..=0xFF_FFFF).step_by(0x7_FFF1).chain([0, 1, 255, 256, 0x7F_FFFF, 0x80_0000, 0xFF_FF00, 0xFF_FFFF])
    {
        let mut bench = Bench::at(first);
        let class = |bench: &Bench, distance: u32| bench.row.classify(psn(first).plus(distance), false);
        for (distance, want) in [
            (0, RxClass::Accept),
            (255, RxClass::Accept),
            (256, RxClass::OutOfWindow),
            (257, RxClass::OutOfWindow),
            ((1 << 23) - 1, RxClass::OutOfWindow),
            (1 << 23, RxClass::Duplicate),
            (Psn::MASK, RxClass::Duplicate),
        ] {
            assert_eq!(class(&bench, distance), want, "first {first:#x} distance {distance:#x}");
            checked += 1;
        }
        let out = bench.data(psn(first).plus(255).get());
        assert_eq!((out.class, out.open, out.high), (Some(RxClass::Accept), true, psn(first).plus(255)));
        assert_eq!(class(&bench, 255), RxClass::Duplicate);
    }
    assert_eq!(checked, 41 * 7);
}

// REQ-RX-1
#[test]
fn a_fault_is_reported_only_for_a_packet_that_would_be_accepted() {
    let mut bench = Bench::at(100);
    bench.data(101);
    for (value, want) in [
        (100, RxClass::Fault),
        (101, RxClass::Duplicate),
        (99, RxClass::Duplicate),
        (356, RxClass::OutOfWindow),
    ] {
        let mut packet = bench.packet(value);
        packet.fault = true;
        assert_eq!(bench.row.apply(&packet).class, Some(want), "psn {value}");
    }
    assert_eq!(bench.data(100).class, Some(RxClass::Accept), "a fault leaves the bit clear");
}

// REQ-RX-2, REQ-RX-3
#[test]
fn the_packet_that_fills_the_gap_moves_cum_over_the_whole_run() {
    let mut bench = Bench::at(0xFF_FFFE);
    let out = bench.data(0xFF_FFFF);
    assert_eq!((out.cum, out.high, out.open, out.close), (psn(0xFF_FFFE), psn(0xFF_FFFF), true, false));
    let out = bench.data(0);
    assert_eq!((out.open, out.close), (false, false), "beyond high by one opens nothing");
    assert!(bench.data(3).open);
    assert!(!bench.data(2).open, "below high opens nothing");
    let out = bench.data(0xFF_FFFE);
    assert_eq!((out.cum, out.high, out.open, out.close), (psn(1), psn(3), false, true));
    let out = bench.data(1);
    assert_eq!((out.cum, out.close), (psn(4), true));
    let out = bench.data(4);
    assert_eq!((out.cum, out.high, out.open, out.close), (psn(5), psn(4), false, false));
    assert!(out.before.is_empty());
}

// REQ-RX-2: the ring is full but for cum, and its one zero comes last.
#[test]
fn cum_can_move_by_the_whole_window_at_once() {
    for first in [0, 77, 0xFF_FF80] {
        let mut bench = Bench::at(first);
        for i in 1..WINDOW {
            let out = bench.data(psn(first).plus(i).get());
            assert_eq!((out.class, out.cum), (Some(RxClass::Accept), psn(first)));
            assert_eq!(out.before, RingMap::range(psn(first).plus(1), i - 1));
        }
        let out = bench.data(first);
        assert_eq!((out.cum, out.close), (psn(first).plus(WINDOW), true));
        let look = bench.row.apply(&RxPathIn { op: RxOp::Look, ..RxPathIn::default() });
        assert!(look.before.is_empty());
    }
}

// REQ-RX-4
#[test]
fn only_accepted_packets_and_duplicates_are_arrivals() {
    let mut bench = Bench::at(10);
    let mut send = |value: u32, fault: bool| {
        let mut packet = bench.packet(value);
        packet.ce = true;
        packet.fault = fault;
        packet.route = value as u8;
        let out = bench.row.apply(&packet);
        ((out.arrivals, out.ce, out.dup), out.route, out.at == packet.now && out.ts == packet.ts)
    };
    assert_eq!(send(10, false), ((1, 1, 0), 10, true));
    assert_eq!(send(10, false), ((2, 2, 1), 10, true));
    assert_eq!(send(11 + 256, false), ((2, 2, 1), 10, false), "out of window leaves counters and echo");
    assert_eq!(send(12, true), ((2, 2, 1), 10, false), "a fault leaves counters and echo");
    assert_eq!(send(12, false), ((3, 3, 1), 12, true));
}

// REQ-RX-4
#[test]
fn counters_wrap_at_65536() {
    let mut bench = Bench::at(0);
    bench.data(0);
    for _ in 0..65535u32 {
        let mut packet = bench.packet(0);
        packet.ce = true;
        bench.row.apply(&packet);
    }
    let out = bench.data(0);
    assert_eq!((out.arrivals, out.dup, out.ce), (1, 0, 65535));
}

// REQ-RX-5
#[test]
fn a_probe_moves_the_echo_and_counts_nothing() {
    let mut bench = Bench::at(10);
    bench.data(10);
    let mut probe = bench.packet(999);
    probe.op = RxOp::Probe;
    probe.ce = true;
    probe.route = 7;
    let out = bench.row.apply(&probe);
    assert_eq!((out.arrivals, out.ce, out.dup, out.cum, out.class), (1, 0, 0, psn(11), None));
    assert_eq!((out.ts, out.route, out.at), (probe.ts, 7, probe.now));
    let look = RxPathIn { op: RxOp::Look, ts: Time32::new(1), route: 9, now: Time32::new(2), ..probe };
    let seen = bench.row.apply(&look);
    assert_eq!((seen.ts, seen.route, seen.at), (probe.ts, 7, probe.now), "LOOK changes nothing");
}

#[test]
fn init_forgets_everything() {
    let mut bench = Bench::at(10);
    bench.data(12);
    bench.data(12);
    let init = RxPathIn {
        op: RxOp::Init,
        psn: psn(0),
        ts: Time32::new(9),
        route: 9,
        now: Time32::new(9),
        ..RxPathIn::default()
    };
    let out = bench.row.apply(&init);
    assert!(out.before.is_empty(), "what was before a path's first INIT is undefined, so no INIT shows it");
    assert_eq!((out.cum, out.high, out.arrivals, out.dup, out.ce), (psn(0), psn(0xFF_FFFF), 0, 0, 0));
    assert_eq!((out.ts, out.route, out.at), (Time32::new(0), 0, Time32::new(0)));
    assert_eq!(bench.row, RxPathRow::init(psn(0)));
}

#[test]
fn paths_do_not_touch_each_other() {
    let mut paths = RxPaths::new(3);
    for path in 0..3 {
        paths.apply(&RxPathIn {
            op: RxOp::Init,
            path,
            psn: psn(100 * u32::from(path)),
            ..RxPathIn::default()
        });
    }
    paths.apply(&RxPathIn { path: 1, psn: psn(101), ..RxPathIn::default() });
    let look =
        |paths: &mut RxPaths, path| paths.apply(&RxPathIn { op: RxOp::Look, path, ..RxPathIn::default() });
    assert_eq!((look(&mut paths, 0).cum, look(&mut paths, 0).arrivals), (psn(0), 0));
    assert_eq!((look(&mut paths, 1).cum, look(&mut paths, 1).before), (psn(100), RingMap::of(psn(101))));
    assert_eq!((look(&mut paths, 2).cum, look(&mut paths, 2).arrivals), (psn(200), 0));
}
