//! Captures of runs: every packet once, why it was sent again, and what became of it.

use heddle_model::core::Cause;
use heddle_model::tx::path::LossReason;
use heddle_sim::capture::{Capture, CaptureError, Entry, Recorder, Request};
use heddle_sim::fabric::{Drop, End};
use heddle_sim::heddle::Sending;
use heddle_sim::outcome::Outcome;
use heddle_sim::plan::Point;
use heddle_sim::run::run;
use heddle_sim::time::Ps;
use heddle_wire::{Ack, Body, Frame, ParseConfig, Psn};
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketOption;
use pcap_file::pcapng::{Block, PcapNgReader};
use std::collections::BTreeMap;

fn point(text: &str) -> Point {
    Point::parse(text).expect(text)
}

fn capture(text: &str, host: u32, conn: u16) -> (Outcome, Capture) {
    Recorder::new(&point(text), Request { host, conn }).expect(text).run()
}

fn is_data(entry: &Entry) -> bool {
    matches!(entry.history.packet.body.body, Body::Data { .. })
}

fn sending(entry: &Entry) -> &Sending {
    entry.sending.as_ref().expect("somebody has sent it")
}

/// Two hosts that write to each other on one connection: whatever is sent is of it.
fn two_hosts(more: &str) -> String {
    format!(
        "topology.hosts = 2\ntraffic.kind = 'permutation'\ntraffic.bytes = '1MiB'\n\
         transport.paths = 4\n{more}"
    )
}

const LOSSY: &str = "loss.rate = 0.04\nloss.on = 'every-hop'\nloss.corrupt = 0.01\nseed = 5";

#[test]
fn a_run_that_is_followed_is_the_same_and_every_packet_of_it_is_there_once() {
    let text = two_hosts(LOSSY);
    let (outcome, capture) = capture(&text, 0, 0);
    assert_eq!(run(&point(&text)).expect("an outcome"), outcome);
    let count = |is: &dyn Fn(&Entry) -> bool| capture.entries.iter().filter(|entry| is(entry)).count() as u64;
    let transport = outcome.transport;
    assert_eq!(count(&|_| true), outcome.packets.sent);
    assert_eq!(count(&|entry| is_data(entry) && !entry.is_resent()), transport.data_sent);
    assert_eq!(count(&|entry| is_data(entry) && entry.is_resent()), transport.data_resent);
    let is_answer = |entry: &Entry| matches!(entry.history.packet.body.body, Body::Ack(_) | Body::Nak(_));
    assert_eq!(count(&is_answer), transport.answers);
    assert_eq!(count(&|entry| matches!(entry.history.end, End::Delivered(_))), outcome.packets.delivered);
    assert_eq!(count(&|entry| entry.history.end == End::UnderWay), outcome.packets.in_flight);
    for (why, name) in Drop::ALL {
        let dropped = |entry: &Entry| matches!(entry.history.end, End::Dropped(this, _) if this == why);
        assert_eq!(count(&dropped), outcome.packets.drops[name], "{name}");
    }
    assert!(transport.data_resent > 30 && outcome.packets.drops["corrupt"] > 5, "{outcome:?}");
    assert!(capture.entries.is_sorted_by_key(|entry| entry.at));
    let ends_after_it_began = |entry: &Entry| match entry.history.end {
        End::Delivered(at) => at > entry.history.sent,
        End::Dropped(_, at) => at >= entry.history.sent,
        End::UnderWay => true,
    };
    assert!(capture.entries.iter().all(ends_after_it_began));
    let out = count(&|entry| entry.is_outbound);
    assert!(out > outcome.packets.sent / 3 && out < outcome.packets.sent * 2 / 3, "{out}");
}

/// The peer sees the same packets, in the other direction.
#[test]
fn both_ends_of_a_connection_show_the_same_packets() {
    let text = two_hosts(LOSSY);
    let of = |host: u32| {
        let (_, capture) = capture(&text, host, 0);
        let packet = |entry: &Entry| (entry.history.sent, entry.history.packet.src, entry.history.end);
        let mut all: Vec<_> =
            capture.entries.iter().map(|entry| format!("{:?} {:?}", packet(entry), entry.sending)).collect();
        all.sort();
        all
    };
    assert_eq!(of(0), of(1));
}

#[test]
fn every_resend_has_its_reason_and_every_drop_its_place() {
    let (_, capture) = capture(&two_hosts(LOSSY), 0, 0);
    let (mut resent, mut dropped) = (0, 0);
    for entry in &capture.entries {
        let said = |begin: &str| entry.comments.iter().filter(|comment| comment.starts_with(begin)).count();
        let (found, cause) = (sending(entry).found, sending(entry).cause);
        assert_eq!(found.is_some(), matches!(cause, Cause::Resend(_)), "{entry:?}");
        assert_eq!(said("resent: ") + said("instead of psn "), usize::from(entry.is_resent()), "{entry:?}");
        assert_eq!(said("dropped"), usize::from(entry.is_dropped()), "{entry:?}");
        let places = ["host 0 -> switch0", "host 1 -> switch0", "switch0 -> host 0", "switch0 -> host 1"];
        if entry.is_dropped() {
            let named = places.iter().filter(|place| entry.comments.iter().any(|c| c.contains(**place)));
            assert_eq!(named.count(), 1, "{entry:?}");
        }
        resent += u64::from(entry.is_resent());
        dropped += u64::from(entry.is_dropped());
    }
    assert!(resent > 30 && dropped > 60, "{resent} resent, {dropped} dropped");
}

/// How many packets of its path beyond `psn` an ACK reports, if it does not say that all up to `psn` came.
fn newer(ack: &Ack, psn: Psn) -> u32 {
    let cum = Psn::new(ack.cum.get());
    let ahead = |distance: &u32| cum.plus(*distance).is_ahead(psn) && ack.sack.get(cum.plus(*distance));
    if psn.is_behind(cum) {
        0
    } else {
        (1..256).filter(ahead).count() as u32
    }
}

/// From the packets alone: a host that finds a packet overtaken has just received the ACK that tells so, and
/// one whose timer expires has not.
#[test]
fn reasons_are_what_the_packets_themselves_show() {
    let (mut overtaken, mut expired) = (0, 0);
    for seed in 0..200 {
        // Many and short: it is at the end of a message that timers must help.
        let text = two_hosts(&LOSSY.replace("seed = 5", &format!("seed = {seed}")));
        let (_, capture) = capture(&text.replace("'1MiB'", "'64KiB'"), 0, 0);
        let arrived = |entry: &&Entry| !entry.is_outbound && matches!(entry.history.end, End::Delivered(_));
        let acks: Vec<_> = capture.entries.iter().filter(arrived).collect();
        let shown = |path: u8, psn: Psn, from: Ps, to: Ps| {
            let acks = acks.iter().filter(move |entry| entry.at > from && entry.at <= to);
            let of_path = acks.filter(move |entry| entry.history.packet.body.path == path);
            of_path.filter_map(move |entry| match &entry.history.packet.body.body {
                Body::Ack(ack) => Some((entry.at, newer(ack, psn))),
                _ => None,
            })
        };
        let mut sent = BTreeMap::new();
        for entry in capture.entries.iter().filter(|entry| entry.is_outbound && is_data(entry)) {
            let body = &entry.history.packet.body;
            let key = (body.path, body.psn.get());
            let times: &mut Vec<Ps> = sent.entry(key).or_default();
            let (last, is_first) = (times.last().copied().unwrap_or_default(), times.len() == 1);
            times.push(entry.at);
            match (sending(entry).cause, sending(entry).found) {
                (Cause::Resend(psn), Some(found)) => {
                    assert_eq!(psn, body.psn);
                    let LossReason::Overtaken { newer } = found.reason else { continue };
                    let told: Vec<_> = shown(body.path, psn, last, found.at).collect();
                    assert_eq!(told.last(), Some(&(found.at, newer.into())), "seed {seed}: {entry:?}");
                    overtaken += 1;
                }
                // What was sent after a first resend proves nothing about it unless it is echoed.
                (Cause::Expire(psn), None) if is_first => {
                    let most = shown(body.path, psn, last, entry.at).map(|(_, newer)| newer).max();
                    assert_eq!(most.unwrap_or(0), 0, "seed {seed}: {entry:?}");
                    expired += 1;
                }
                _ => {}
            }
        }
    }
    assert!(overtaken > 200 && expired > 10, "{overtaken} overtaken, {expired} expired");
}

/// Faults and crowds, and what is said of their packets.
#[test]
fn every_kind_of_drop_and_of_evidence_is_told_in_words() {
    let planes = "topology.planes = 2\ntraffic.bytes = '8MiB'";
    let fault = format!("{planes}\n[[fault]]\nat = '100us'\nplane = 1");
    let slow = "topology.drain = '20G'\nswitch.ecn = 'off'\ntransport.window = 200\ntraffic.bytes = '8MiB'";
    let crowd =
        "switch.buffer = '40KiB'\nswitch.ecn_from = '20KiB'\ntransport.window = 60\nbackground.load = 0.5";
    let cases = [
        (LOSSY.to_owned(), vec!["lost on switch0 -> host", "corrupted on ", "was dropped"]),
        (
            format!("{fault}\nuntil = '300us'\nsilent = true"),
            vec!["-> switch0 is down", "its path's timer expired", "expired too often", "was dropped"],
        ),
        (fault.clone(), vec!["its plane has lost its carrier", "is down"]),
        (format!("{fault}\nhost = 1"), vec!["switch0 -> host 1 is down", "had arrived at"]),
        (format!("switch.reroute = '2us'\n{fault}\nhost = 1"), vec!["switch0 has no way to host 1"]),
        (
            LOSSY.replace("0.04", "0.3") + "\ntransport.paths = 4",
            vec![
                "sent after it;",
                "sent after its resend;",
                "asked: no answer came in time",
                "instead of psn ",
            ],
        ),
        (slow.to_owned(), vec!["no room in the receive buffer of host "]),
        (crowd.to_owned(), vec!["no room before switch0 -> host ", "marked before switch0 -> host "]),
    ];
    let mut said = 0;
    for (more, wanted) in &cases {
        let text = if more.contains("traffic.bytes") { "" } else { "traffic.bytes = '1MiB'\n" };
        let text = format!("topology.hosts = 4\ntraffic.kind = 'permutation'\n{text}{more}");
        let (outcome, capture) = capture(&text, 0, 0);
        assert_eq!(outcome, run(&point(&text)).expect(&text), "{text}");
        for want in wanted {
            let found = capture.entries.iter().any(|entry| entry.comments.iter().any(|c| c.contains(want)));
            let all: Vec<_> = capture.entries.iter().flat_map(|entry| &entry.comments).take(40).collect();
            assert!(found, "{want} in {text}\n{all:#?}");
            said += 1;
        }
    }
    assert_eq!(said, 19);
}

#[test]
fn the_file_has_whole_frames_with_their_times_planes_directions_and_comments() {
    let text = &format!(
        "topology.hosts = 4\ntopology.planes = 2\ntraffic.kind = 'incast'\ntraffic.senders = 3\n\
         traffic.bytes = '1MiB'\nswitch.ecn_from = '10KiB'\nbackground.load = 0.5\n{LOSSY}"
    );
    let write = || {
        let (mut file, capture) = (Vec::new(), capture(text, 0, 1).1);
        capture.write(&mut file).expect("memory");
        (file, capture)
    };
    let (file, capture) = write();
    assert!(file == write().0, "another run, another file");
    let mut reader = PcapNgReader::new(&file[..]).expect("a capture");
    let (mut entries, mut marked) = (capture.entries.iter(), 0);
    while let Some(block) = reader.next_block() {
        let Block::EnhancedPacket(packet) = block.expect("a block") else { continue };
        let entry = entries.next().expect("an entry");
        let frame = Frame::parse(&packet.data, ParseConfig::default()).expect("a good frame");
        assert_eq!(packet.data.len() as u32 + 24, entry.history.packet.bytes);
        assert_eq!(frame.packet.with_payload(|payload| payload.len() as u16), entry.history.packet.body);
        assert_eq!(packet.timestamp.as_nanos(), u128::from(entry.at.0 / 1_000));
        assert_eq!(packet.interface_id, u32::from(entry.history.packet.plane));
        let ce = entry.history.marked.is_some() && !entry.is_outbound;
        assert_eq!(frame.ip.ce(), ce);
        marked += u64::from(ce);
        let mut options = packet.options.iter();
        let flags = if entry.is_outbound { 2 } else { 1 };
        assert_eq!(options.next(), Some(&EnhancedPacketOption::Flags(flags)));
        let comments: Vec<_> = options
            .map(|option| match option {
                EnhancedPacketOption::Comment(comment) => comment.to_string(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(comments, entry.comments);
    }
    assert!(entries.next().is_none() && capture.entries.len() > 500, "{} entries", capture.entries.len());
    assert!(marked > 10, "{marked} marked");
}

#[test]
fn a_connection_among_many_is_followed_alone() {
    let text = "topology.kind = 'leaf-spine'\ntopology.hosts = 8\ntopology.hosts_per_leaf = 4\n\
                traffic.kind = 'all-to-all'\ntraffic.bytes = '64KiB'\ntraffic.connections = 2\n\
                loss.rate = 0.02";
    // Host 3 has two connections with each of 0, 1, 2, 4, ..: the ninth is the first of those with host 5.
    let (outcome, capture) = capture(text, 3, 8);
    assert_eq!((outcome.messages, outcome.delivered), (112, 112));
    assert!(capture.title.starts_with("host 3, connection 8 with host 5, of "), "{}", capture.title);
    let mut new = 0;
    for entry in &capture.entries {
        let packet = &entry.history.packet;
        let ends = if entry.is_outbound { (3, 5) } else { (5, 3) };
        assert_eq!((packet.src, packet.dst), ends);
        assert!(entry.is_outbound || packet.body.dst_conn == 8);
        new += u64::from(is_data(entry) && !entry.is_resent());
    }
    assert_eq!(new, 2 * 16, "a message each way");
}

#[test]
fn what_cannot_be_followed_is_refused_in_one_sentence() {
    for text in ["", "0", "a:0", "0:", ":0", "0:-1", "0:70000", "0:0:0", "5000000000:0", "+1:0"] {
        let error = text.parse::<Request>().expect_err(text);
        assert_eq!(error, CaptureError::Text { got: text.to_owned() });
    }
    assert_eq!("12:34".parse(), Ok(Request { host: 12, conn: 34 }));
    let refused = |text: &str, host, conn| {
        let error = Recorder::new(&point(text), Request { host, conn }).expect_err(text).to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    };
    let plain = "topology.hosts = 14\ntraffic.kind = 'incast'\ntraffic.senders = 12\ntraffic.bytes = '1KiB'";
    assert_eq!(refused(plain, 14, 0), "14:0: there is no host 14, those are 0 to 13");
    assert_eq!(refused(plain, 2, 1), "2:1: host 2 has no connection 1, those are 0 with host 0");
    assert_eq!(
        refused(plain, 13, 0),
        "13:0: host 13 has no connection 0, nor any other: no message of the plan begins or ends there"
    );
    let many = refused(&format!("{plain}\ntraffic.connections = 2"), 0, 99);
    let listed = "those are 0 with host 1, 1 with host 1 (its number 1), 2 with host 2, ";
    assert!(
        many.contains(listed) && many.ends_with(", and so on to 23 with host 12 (its number 1)"),
        "{many}"
    );
    for kind in ["roce", "irn"] {
        let text = format!("{plain}\ntransport.kind = '{kind}'");
        assert_eq!(
            refused(&text, 0, 0),
            format!("0:0: packets of transport.kind = {kind:?} cannot be traced, only those of \"heddle\"")
        );
    }
}
