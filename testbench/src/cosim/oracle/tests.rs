use super::*;
use crate::link::{Fate, Loss};
use heddle_wire::{Flags, Ip, Ipv4, Opcode, Probe, Time32};
use std::net::Ipv4Addr;

const FIRST: u32 = 0xFF_FFFE;

/// A DATA frame of path 0 and what it carries, by its distance from the first PSN.
fn data(distance: u32, route: u8) -> Frame {
    let psn = Psn::new(FIRST).plus(distance);
    let header = Data { offset: distance * 1024, ..Data::default() };
    let body = Body::Data { opcode: Opcode::Write, header, payload: vec![0; 8] };
    frame(Packet { body, psn, route, ..packet() })
}

fn packet() -> Packet {
    Packet {
        flags: Flags::NONE,
        path: 0,
        dst_conn: 1,
        tag: 2,
        route: 0,
        psn: Psn::new(0),
        timestamp: Time32::new(0),
        body: Body::Reset,
    }
}

fn frame(packet: Packet) -> Frame {
    let address = Ipv4Addr::new(10, 0, 0, 1);
    let ip = Ip::V4(Ipv4 { dscp: 0, ecn: 2, identification: 0, ttl: 64, src: address, dst: address });
    Frame {
        dst_mac: [2; 6],
        src_mac: [2; 6],
        vlan: None,
        ip,
        src_port: 1,
        dst_port: 2,
        udp_checksum: 0,
        packet,
    }
}

struct Bench {
    oracle: Oracle,
    cycle: u64,
}

impl Bench {
    fn new() -> Self {
        Self { oracle: Oracle::new([Psn::new(FIRST)].into_iter()), cycle: 0 }
    }

    /// Sends, 10 cycles after the last; frames take 100 cycles.
    fn send(&mut self, frame: &Frame, cause: Cause, lost: bool) -> Result<bool, Violation> {
        self.cycle += 10;
        let departure = Departure { plane: 0, frame: Vec::new(), began: self.cycle, cause };
        let fate = Fate { lost: lost.then_some(Loss::Chance), ..Fate::default() };
        let sent = Sent { number: 0, fate, arrives_at: self.cycle + 100 };
        self.oracle.on_sent(self.cycle, frame, &departure, &sent)
    }

    fn ack(&mut self, distance: u32) {
        let cum = heddle_wire::Psn::new(FIRST).plus(distance);
        self.oracle.on_ack(0, &Ack { cum, ..Ack::default() });
    }
}

fn psn(distance: u32) -> Psn {
    Psn::new(FIRST).plus(distance)
}

/// The resend is by evidence, but there was none before a timer asked.
#[test]
fn a_loss_that_a_timers_packet_brought_to_light_is_counted_apart() {
    let probe = frame(Packet { body: Body::Probe(Probe::default()), ..packet() });
    for asks in [Cause::Probe, Cause::Expire(psn(1))] {
        let mut bench = Bench::new();
        bench.send(&data(0, 0), Cause::New, true).unwrap();
        bench.send(&data(1, 0), Cause::New, true).unwrap();
        let asked = if asks == Cause::Probe { probe.clone() } else { data(1, 0) };
        bench.send(&asked, asks, false).unwrap();
        bench.send(&data(0, 0), Cause::Resend(psn(0)), true).unwrap();
        bench.send(&data(0, 0), Cause::Resend(psn(0)), false).unwrap();
        let judged = bench.oracle.judgement();
        assert_eq!((judged.found_after_timer, judged.found_by_evidence), (1, 1), "{asks:?}");
    }
}

#[test]
fn a_loss_found_by_evidence_is_counted_with_the_time_it_cost() {
    let mut bench = Bench::new();
    assert_eq!(bench.send(&data(0, 0), Cause::New, false), Ok(true));
    assert_eq!(bench.send(&data(1, 0), Cause::New, true), Ok(false));
    assert_eq!(bench.send(&data(2, 0), Cause::New, false), Ok(true));
    bench.cycle = 500;
    assert_eq!(bench.send(&data(1, 0), Cause::Resend(psn(1)), false), Ok(true));
    let want = Judgement {
        sent: 4,
        resent: 1,
        losses: 1,
        found_by_evidence: 1,
        max_outstanding: 3,
        recovered: 1,
        // Missed at 120, arrived at 610.
        recovery_cycles: 490,
        ..Judgement::default()
    };
    assert_eq!(*bench.oracle.judgement(), want);
    let first = bench.oracle.first_loss().unwrap();
    assert_eq!((first.lost_at, first.resent_at), (20, Some(510)));
}

#[test]
fn a_resend_of_what_arrives_is_spurious_by_what_caused_it() {
    let mut bench = Bench::new();
    for distance in 0..4 {
        bench.send(&data(distance, 0), Cause::New, false).unwrap();
    }
    bench.send(&data(0, 0), Cause::Resend(psn(0)), false).unwrap();
    bench.send(&data(1, 0), Cause::Expire(psn(1)), true).unwrap();
    // Another route since: the route's death, a timer's finding, has declared it lost.
    bench.send(&data(2, 1), Cause::Resend(psn(2)), false).unwrap();
    // A resend whose message is done.
    let probe = frame(Packet { body: Body::Probe(heddle_wire::Probe::default()), ..packet() });
    bench.send(&probe, Cause::Resend(psn(3)), false).unwrap();
    let probe_after_death = frame(Packet { route: 1, ..probe.packet.clone() });
    bench.send(&probe_after_death, Cause::Resend(psn(3)), false).unwrap();
    bench.send(&probe, Cause::Probe, false).unwrap();
    let judged = *bench.oracle.judgement();
    assert_eq!((judged.spurious_by_evidence, judged.spurious_by_timer), (2, 3));
    assert_eq!((judged.losses, judged.found_by_evidence + judged.found_by_timer), (1, 0));
    assert_eq!((judged.sent, judged.resent), (7, 3));
}

#[test]
fn acknowledgements_lower_what_is_outstanding_and_stale_ones_do_not() {
    let mut bench = Bench::new();
    for distance in 0..5 {
        bench.send(&data(distance, 0), Cause::New, false).unwrap();
    }
    bench.ack(3);
    assert_eq!(bench.oracle.outstanding(), 2);
    bench.ack(1);
    bench.ack(9);
    assert_eq!(bench.oracle.outstanding(), 2);
    assert_eq!(bench.oracle.outstanding_text(), "path 0: psn 1 to 2");
    bench.ack(5);
    assert_eq!((bench.oracle.outstanding(), bench.oracle.judgement().max_outstanding), (0, 5));
}

#[test]
fn broken_rules_are_named() {
    let mut bench = Bench::new();
    let gap = bench.send(&data(1, 0), Cause::New, false).unwrap_err();
    assert_eq!(gap.to_string(), "path 0 sent psn 16777215 as New where the next new one is 16777214");
    bench.send(&data(0, 0), Cause::New, false).unwrap();
    assert!(matches!(bench.send(&data(0, 0), Cause::New, false), Err(Violation::Psn { .. })));
    let unsent = bench.send(&data(1, 0), Cause::Resend(psn(1)), false);
    assert!(matches!(unsent, Err(Violation::Psn { .. })));
    let mut other = data(0, 0);
    if let Body::Data { header, .. } = &mut other.packet.body {
        header.address = 1;
    }
    let other = bench.send(&other, Cause::Resend(psn(0)), false);
    assert_eq!(other, Err(Violation::Content { path: 0, psn: FIRST }));
    for distance in 1..256 {
        bench.send(&data(distance, 0), Cause::New, false).unwrap();
    }
    let full = bench.send(&data(256, 0), Cause::New, false);
    assert_eq!(full, Err(Violation::Window { path: 0, outstanding: 257 }));
    let mut astray = data(0, 0);
    astray.packet.path = 1;
    assert_eq!(bench.send(&astray, Cause::New, false), Err(Violation::Path { path: 1 }));
}
