//! When an acknowledgement is due, one test per trigger.

use super::*;
use crate::rx::path::{RxPathIn, RxPaths};
use heddle_wire::{Flags, Psn};

/// A receive path engine with its triggers.
struct Bench {
    paths: RxPaths,
    ack: AckTrigger,
    now: Time32,
}

impl Bench {
    fn new(config: AckConfig) -> Self {
        let (mut paths, ack) = (RxPaths::new(4), AckTrigger::new(4, config));
        for path in 0..4 {
            paths.apply(&RxPathIn { op: RxOp::Init, path, ..RxPathIn::default() });
        }
        Self { paths, ack, now: Time32::new(u32::MAX - 100) }
    }

    fn packet(&self, path: u16, psn: u32) -> RxPathIn {
        RxPathIn { path, psn: Psn::new(psn), now: self.now, ..RxPathIn::default() }
    }

    fn arrive(&mut self, packet: RxPathIn) -> Option<u16> {
        let out = self.paths.apply(&packet);
        self.ack.on_result(&out, self.now)
    }

    fn data(&mut self, path: u16, psn: u32) -> Option<u16> {
        self.arrive(self.packet(path, psn))
    }

    fn tick(&mut self, ticks: u32) -> Option<u16> {
        self.now = self.now.plus(ticks);
        self.ack.on_tick(self.now)
    }
}

// REQ-ACK-2
#[test]
fn the_fourth_arrival_is_acknowledged() {
    let mut bench = Bench::new(AckConfig::DEFAULT);
    for round in 0..3 {
        for i in 0..3 {
            assert_eq!(bench.data(1, 4 * round + i), None);
        }
        assert_eq!(bench.data(1, 4 * round + 3), Some(1));
        bench.ack.on_taken(1);
    }
}

// REQ-ACK-2
#[test]
fn a_single_arrival_is_acknowledged_after_t_and_not_before() {
    let mut bench = Bench::new(AckConfig::DEFAULT);
    assert_eq!(bench.data(2, 0), None);
    assert_eq!(bench.tick(249), None);
    assert_eq!(bench.tick(1), Some(2), "250 ticks, across the wrap of the clock");
    bench.ack.on_taken(2);
    assert_eq!(bench.tick(1000), None);
}

// REQ-ACK-2
#[test]
fn t_runs_from_the_first_arrival_that_waits() {
    let mut bench = Bench::new(AckConfig::DEFAULT);
    bench.data(2, 0);
    assert_eq!(bench.tick(200), None);
    bench.data(2, 1);
    assert_eq!(bench.tick(50), Some(2));
}

// REQ-ACK-2
#[test]
fn an_overtaken_deadline_requests_nothing() {
    let mut bench = Bench::new(AckConfig::DEFAULT);
    bench.data(0, 0);
    assert_eq!(bench.data(0, 0), Some(0), "a duplicate");
    bench.ack.on_taken(0);
    assert_eq!(bench.tick(100), None);
    bench.data(0, 1);
    assert_eq!(bench.tick(150), None, "the deadline of the first arrival belongs to an ACK that went out");
    assert_eq!(bench.tick(99), None);
    assert_eq!(bench.tick(1), Some(0), "that of the second counts");
}

// REQ-ACK-2
#[test]
fn deadlines_come_in_order_one_per_tick() {
    let mut bench = Bench::new(AckConfig::DEFAULT);
    for path in 0..4 {
        bench.data(path, 0);
        assert_eq!(bench.tick(1), None);
    }
    assert_eq!(bench.ack.next_deadline(), Some(bench.now.plus(246)));
    let mut due = Vec::new();
    bench.tick(200);
    for _ in 0..60 {
        due.extend(bench.tick(1));
    }
    assert_eq!(due, [0, 1, 2, 3]);
    assert_eq!(bench.ack.next_deadline(), None);
}

// REQ-ACK-1, F11.
#[test]
fn each_trigger_acknowledges_at_once() {
    let at_once = |set_up: &[u32], last: RxPathIn| {
        let mut bench = Bench::new(AckConfig::DEFAULT);
        for &psn in set_up {
            if bench.data(0, psn).is_some() {
                bench.ack.on_taken(0);
            }
        }
        bench.arrive(last)
    };
    let packet = |psn: u32| RxPathIn { psn: Psn::new(psn), ..RxPathIn::default() };
    let cases = [
        ("in order", at_once(&[], packet(0)), false),
        ("beyond high", at_once(&[0], packet(2)), true),
        ("within an open gap", at_once(&[0, 4], packet(3)), false),
        ("the next beyond high with a gap open", at_once(&[0, 4], packet(5)), false),
        ("closing a gap", at_once(&[0, 2], packet(1)), true),
        ("a duplicate", at_once(&[0], packet(0)), true),
        ("out of window", at_once(&[], packet(256)), true),
        (
            "asking for it",
            at_once(&[], RxPathIn { flags: Flags::NONE.with(Flag::AckReq), ..packet(0) }),
            true,
        ),
        (
            "with other flags",
            at_once(&[], RxPathIn { flags: Flags::from_bits(0xFF).without(Flag::AckReq), ..packet(0) }),
            false,
        ),
        ("a probe", at_once(&[], RxPathIn { op: RxOp::Probe, ..packet(0) }), true),
        (
            "a look",
            at_once(&[], RxPathIn { op: RxOp::Look, flags: Flags::NONE.with(Flag::AckReq), ..packet(0) }),
            false,
        ),
        (
            "a fault",
            at_once(&[], RxPathIn { fault: true, flags: Flags::NONE.with(Flag::AckReq), ..packet(0) }),
            false,
        ),
    ];
    for (name, got, want) in cases {
        assert_eq!(got.is_some(), want, "{name}");
    }
    assert_eq!(cases.len(), 12);
    assert_eq!(Bench::new(AckConfig::DEFAULT).ack.demand(3), Some(3), "a complete message");
}

// REQ-ACK-3
#[test]
fn one_ack_is_pending_per_path_and_later_triggers_merge() {
    let mut bench = Bench::new(AckConfig::DEFAULT);
    assert_eq!(bench.data(0, 1), Some(0));
    for psn in [3, 5, 0, 0, 6, 7, 8, 9, 10] {
        assert_eq!(bench.data(0, psn), None, "psn {psn}");
    }
    assert_eq!(bench.ack.demand(0), None);
    assert_eq!(bench.data(1, 1), Some(1), "another path has its own");
    bench.ack.on_taken(0);
    assert_eq!(bench.tick(1000), None, "the ACK covers all that came before it was taken");
    assert_eq!(bench.data(0, 3), Some(0), "and the next trigger has its own");
}

// REQ-ACK-2
#[test]
fn a_full_fifo_acknowledges_at_once() {
    let mut bench = Bench::new(AckConfig::new(4, 250, 2).unwrap());
    assert_eq!([bench.data(0, 0), bench.data(1, 0), bench.data(2, 0)], [None, None, Some(2)]);
    bench.tick(250);
    assert_eq!(bench.data(3, 0), None, "one has left");
}

// REQ-ACK-2: 256 overtaken deadlines bring the generation back to where it was.
#[test]
fn a_generation_never_comes_round_while_its_deadline_waits() {
    let mut bench = Bench::new(AckConfig::new(4, u16::MAX, 255).unwrap());
    let mut requests = 0;
    for psn in 0..300 {
        if bench.data(0, psn).is_some() || bench.data(0, psn).is_some() {
            bench.ack.on_taken(0);
            requests += 1;
        }
    }
    assert_eq!(requests, 300, "each by its duplicate, or by the full FIFO");
    let mut late = 0;
    for _ in 0..300 {
        late += u32::from(bench.tick(u32::from(u16::MAX)).is_some());
    }
    assert_eq!(late, 0, "every deadline was overtaken");
}

#[test]
fn impossible_configurations_are_refused() {
    assert_eq!(AckConfig::new(0, 250, 64), Err(AckConfigError::Arrivals { got: 0, max: 31 }));
    assert_eq!(AckConfig::new(32, 250, 64), Err(AckConfigError::Arrivals { got: 32, max: 31 }));
    assert_eq!(AckConfig::new(4, 250, 0), Err(AckConfigError::Deadlines));
    assert_eq!(AckConfig::new(4, 250, 64), Ok(AckConfig::DEFAULT));
}
