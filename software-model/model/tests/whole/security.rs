//! Frames of others: forged, mutated, replayed. Every one is counted under one reason, and changes nothing.

use crate::world::{Host, Intruder, Link, Network, World, BASE, BLANK, LENGTH};
use heddle_model::core::{CongestionConfig, Core, CoreConfig};
use heddle_model::operations::Operations;
use heddle_wire::{
    Body, DropReason, Flag, Flags, Frame, Ip, Nak, NakCode, Packet, ParseConfig, Probe, Status, Time32,
};
use rand::seq::SliceRandom;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Forged frames of one test.
const FRAMES: u64 = 350_000;
const LINK: Link = Link { ends: [(0, 1), (1, 6)], tags: [0x1111, 0x2222] };

/// How a frame is forged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Forgery {
    /// From another address.
    Address,
    /// A bit of what the ICRC covers, flipped.
    Bit,
    /// Cut short, anywhere.
    Cut,
    /// Longer than it says.
    Longer,
    /// To another port.
    Port,
    /// A path that the connection does not have.
    Path,
    /// An ACK of an echo that is too old.
    OldEcho,
    /// An ACK of an echo of tomorrow.
    EarlyEcho,
    /// An ACK of what was never sent.
    Beyond,
    /// An ACK with a bit where nothing was sent.
    Sack,
    /// A refusal of a packet that is not on its way.
    NakPsn,
    /// A refusal of a packet of another incarnation.
    NakTag,
    /// A refusal that there is not.
    NakCode,
    /// An answer to a RESET that was never sent.
    ResetAnswer,
    /// Another tag: a stranger, who is told so now and then.
    Tag,
    /// A connection that is not set up: a stranger.
    Stranger,
    /// What was received before, once more: answered by an ACK.
    Again,
    /// A PSN far ahead: answered by an ACK.
    Psn,
    /// Another key, right, place, slice or message: refused by a NAK that the sender knows to be none of its own.
    Key,
    Bounds,
    Slice,
    Stream,
}

use Forgery as F;

/// Those of somebody who does not know the tag. Not even an answer tells of them.
const OUTSIDE: [F; 6] = [F::Address, F::Bit, F::Cut, F::Longer, F::Port, F::Path];
/// Those of somebody who knows address and tag, and gets no answer. They are traffic of the connection, which a hint counts.
const INSIDE: [F; 8] =
    [F::OldEcho, F::EarlyEcho, F::Beyond, F::Sack, F::NakPsn, F::NakTag, F::NakCode, F::ResetAnswer];
const ANSWERED: [F; 8] = [F::Tag, F::Stranger, F::Again, F::Psn, F::Key, F::Bounds, F::Slice, F::Stream];

type Counts = BTreeMap<(Forgery, DropReason), u64>;

struct Forger {
    rng: ChaCha8Rng,
    menu: Vec<Forgery>,
    per_arrival: u32,
    counts: Rc<RefCell<Counts>>,
}

impl Intruder for Forger {
    fn on_arrival(&mut self, core: &mut Core, host: &mut Host, now: Time32, bytes: &[u8]) {
        let Ok(frame) = Frame::parse(bytes, ParseConfig::default()) else { return };
        if matches!(frame.packet.body, Body::Nak(_) | Body::Reset) {
            return;
        }
        for _ in 0..self.per_arrival {
            let forgery = *self.menu.choose(&mut self.rng).expect("a menu");
            let Some(forged) = self.forge(forgery, &frame, bytes) else { continue };
            let before = core.counters().clone();
            core.receive(now, &forged, host);
            let after = core.counters();
            let counted: Vec<_> = (DropReason::ALL.iter())
                .filter(|&&reason| after.drops(reason) != before.drops(reason))
                .copied()
                .collect();
            assert_eq!(
                (counted.len(), after.dropped() - before.dropped()),
                (1, 1),
                "{forgery:?}: {counted:?}"
            );
            assert!(expected(forgery).contains(&counted[0]), "{forgery:?} counted as {}", counted[0]);
            *self.counts.borrow_mut().entry((forgery, counted[0])).or_default() += 1;
        }
    }
}

/// The reasons that a forgery may be counted under; several where it depends on what has arrived.
fn expected(forgery: Forgery) -> &'static [DropReason] {
    use DropReason as D;
    match forgery {
        F::Address => &[D::SourceAddress],
        // A flipped bit is seen by the first check that reads it, and by the ICRC in the end.
        F::Bit | F::Cut | F::Longer => &[
            D::EthernetTruncated,
            D::EtherType,
            D::IpTruncated,
            D::IpVersion,
            D::IpOptions,
            D::IpChecksum,
            D::IpFragment,
            D::IpProtocol,
            D::IpLength,
            D::IpTrailing,
            D::UdpTruncated,
            D::UdpPort,
            D::UdpLength,
            D::TransportTruncated,
            D::Version,
            D::PacketType,
            D::Opcode,
            D::Length,
            D::Icrc,
        ],
        F::Port => &[D::UdpPort],
        F::Path => &[D::Path],
        F::OldEcho | F::EarlyEcho => &[D::AckStale],
        F::Beyond | F::Sack => &[D::AckInvalid, D::AckStale],
        F::NakPsn | F::NakTag | F::NakCode => &[D::NakInvalid],
        F::ResetAnswer => &[D::ResetUnmatched],
        F::Tag => &[D::Tag],
        F::Stranger => &[D::Connection],
        F::Again => &[D::Duplicate],
        F::Psn => &[D::OutOfWindow],
        F::Key => &[D::Key, D::OutOfWindow, D::MsnWindow, D::SlotMismatch, D::AnswerUnmatched],
        F::Bounds => &[D::Bounds, D::OutOfWindow, D::MsnWindow, D::SlotMismatch, D::AnswerUnmatched],
        F::Slice => &[D::Slice, D::OutOfWindow, D::MsnWindow, D::SlotMismatch, D::AnswerUnmatched],
        F::Stream => &[D::Stream, D::OutOfWindow],
    }
}

impl Forger {
    fn forge(&mut self, forgery: Forgery, real: &Frame, bytes: &[u8]) -> Option<Vec<u8>> {
        let rng = &mut self.rng;
        match forgery {
            F::Bit => {
                let mut forged = bytes.to_vec();
                // Behind the TOS, TTL and checksums, which the fabric may change.
                let at = rng.gen_range(42..forged.len());
                forged[at] ^= 1 << rng.gen_range(0..8);
                return Some(forged);
            }
            F::Cut => return Some(bytes[..rng.gen_range(0..bytes.len())].to_vec()),
            F::Longer => {
                let more = rng.gen_range(1..64);
                return Some([bytes, &vec![rng.gen(); more]].concat());
            }
            _ => {}
        }
        let mut frame = real.clone();
        if !matches!(forgery, F::Address | F::Port | F::Tag | F::Stranger | F::Path) {
            frame.packet = packet(rng, forgery, &real.packet)?;
        }
        match forgery {
            F::Address => match &mut frame.ip {
                Ip::V4(ip) => ip.src = rng.gen::<u32>().max(0x0B00_0000).into(),
                Ip::V6(_) => return None,
            },
            F::Port => frame.dst_port ^= 1 << rng.gen_range(0..16),
            F::Tag => frame.packet.tag ^= 1 << rng.gen_range(0..16),
            F::Stranger => frame.packet.dst_conn = 9,
            F::Path => {
                frame.packet.path = rng.gen_range(4..=255);
                // A RESET names no path.
                (frame.packet.body != Body::Reset).then_some(())?;
            }
            _ => {}
        }
        // Whatever type of packet a stranger tries.
        if matches!(forgery, F::Address | F::Port | F::Tag | F::Stranger) {
            match rng.gen_range(0..6) {
                0 => frame.packet.body = Body::Reset,
                1 => frame.packet.body = Body::Probe(Probe { stream: rng.gen_range(0..9), reserved: 0 }),
                2 => frame.packet.body = Body::Nak(Nak { code: rng.gen_range(0..7), ..Nak::default() }),
                _ => {}
            }
        }
        Some(frame.emit().expect("a frame"))
    }
}

/// The packet of a forger who knows address and tag. `None` when the real one is of another type.
fn packet(rng: &mut ChaCha8Rng, forgery: Forgery, real: &Packet) -> Option<Packet> {
    let mut packet = real.clone();
    match (forgery, &mut packet.body) {
        (F::OldEcho, Body::Ack(_)) => {
            packet.timestamp = packet.timestamp.minus(rng.gen_range((1 << 21) + 100_000..1 << 31));
        }
        (F::EarlyEcho, Body::Ack(_)) => {
            packet.timestamp = packet.timestamp.plus(rng.gen_range(100_000..1 << 30))
        }
        (F::Beyond, Body::Ack(ack)) => ack.cum = ack.cum.plus(rng.gen_range(1_000..1 << 22)),
        (F::Sack, Body::Ack(ack)) => ack.sack.lanes = [u64::MAX; 4],
        (F::NakPsn | F::NakTag | F::NakCode, Body::Ack(_) | Body::Data { .. }) => {
            let code = if forgery == F::NakCode { rng.gen_range(5..=255) } else { NakCode::Access.code() };
            let psn = packet.psn.plus(if forgery == F::NakPsn { rng.gen_range(300..1 << 22) } else { 0 });
            packet.psn = psn;
            let (conn, tag) = if real.dst_conn == 6 { (1, 0x1111) } else { (6, 0x2222) };
            let tag: u32 = if forgery == F::NakTag { tag ^ 1 } else { tag };
            packet.body = Body::Nak(Nak {
                code,
                reserved: 0,
                offender0: 0x1101_0000 | u32::from(packet.path),
                offender1: conn << 16 | tag,
                offender2: psn.get(),
            });
        }
        (F::ResetAnswer, _) => {
            packet.flags = Flags::NONE.with(Flag::Response);
            packet.body = Body::Reset;
        }
        (F::Again, Body::Data { .. }) => {}
        (F::Psn, Body::Data { .. }) => packet.psn = packet.psn.plus(rng.gen_range(600..1 << 22)),
        // Not on its way: the NAK that answers it is worth nothing.
        (F::Key, Body::Data { opcode, header, .. }) if opcode.has_key() && header.length > 0 => {
            packet.psn = packet.psn.plus(250);
            header.key ^= 1 << rng.gen_range(0..32);
        }
        (F::Bounds, Body::Data { opcode, header, .. }) if opcode.has_key() && header.length > 0 => {
            packet.psn = packet.psn.plus(250);
            header.address = match rng.gen_range(0..4) {
                // The last bytes of a message may be few.
                0 => BASE + LENGTH - u64::from(rng.gen_range(0..(header.length - header.offset).min(8))),
                1 => BASE - 1,
                2 => u64::MAX - rng.gen_range(0..2_000),
                _ => rng.gen_range(1u64 << 32..1 << 63),
            };
        }
        (F::Slice, Body::Data { header, .. }) => {
            packet.psn = packet.psn.plus(250);
            header.offset ^= 1 << rng.gen_range(0..10);
        }
        (F::Stream, Body::Data { opcode, header, .. }) if !opcode.is_answer() => {
            packet.psn = packet.psn.plus(250);
            header.stream = rng.gen_range(4..=255);
        }
        _ => return None,
    }
    Some(packet)
}

fn world(seed: u64, hints: bool) -> World {
    let congestion = CongestionConfig::new(125_000, 1_250, 4).expect("good values");
    let config = CoreConfig {
        life: true,
        operations: Operations::ALL,
        congestion: hints.then_some(congestion),
        ..CoreConfig::default()
    };
    let network = Network { loss: 0.01, ack_loss: 0.01, ..Network::default() };
    let mut world = World::new(2, config, network, seed);
    for host in &mut world.hosts {
        ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut host.bytes[BASE as usize..][..LENGTH as usize / 2]);
    }
    assert!(world.connect(&LINK, 4));
    world
}

/// Messages of up to 2 KiB, WRITEs and READs, both ways, until `enough`; then until all is done. All succeed.
fn busy(world: &mut World, seed: u64, mut enough: impl FnMut(&World) -> bool) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut owed = [0u64; 2];
    while !enough(world) {
        for (end, owed) in owed.iter_mut().enumerate() {
            for stream in 0..4 {
                // Sources are the first half, sinks the second of the same place.
                let (at, length) = (rng.gen_range(0..LENGTH / 2 - 4_096), rng.gen_range(0..2_048));
                let request = match rng.gen_range(0..4) {
                    0 => world.read(&LINK, end, *owed, stream, at, length),
                    _ => world.write(&LINK, end, *owed, stream, at, length),
                };
                let there = |address: u64| address + LENGTH / 2;
                let request = match request.opcode == heddle_wire::Opcode::Write.code() {
                    true => heddle_model::tx::msg::WorkRequest { remote: there(request.remote), ..request },
                    false => heddle_model::tx::msg::WorkRequest { local: there(request.local), ..request },
                };
                *owed += u64::from(world.submit(LINK.ends[end].0, request));
            }
        }
        let next = world.tick + 500;
        world.run_to(next);
    }
    assert!(world.settle(250_000_000), "everything ends");
    for (end, owed) in owed.into_iter().enumerate() {
        let done = &world.completions[end];
        assert!(done.iter().all(|done| done.status == Status::Success));
        assert_eq!(done.len() as u64, owed);
        assert!(world.cores[end].is_open(LINK.ends[end].1));
        // What was written equals the source at the same place; everything else is as it was.
        let bytes = &world.hosts[end].bytes[BASE as usize..][..LENGTH as usize];
        let (source, sink) = bytes.split_at(LENGTH as usize / 2);
        assert!(source.iter().zip(sink).all(|(a, b)| b == a || *b == BLANK));
        let behind = &world.hosts[end].bytes[(BASE + LENGTH) as usize..];
        assert!(world.hosts[end].bytes[..BASE as usize].iter().chain(behind).all(|byte| *byte == BLANK));
    }
}

fn attack(world: &mut World, seed: u64, menu: &[Forgery], per_arrival: u32) -> Rc<RefCell<Counts>> {
    let counts = Rc::new(RefCell::new(Counts::new()));
    let rng = ChaCha8Rng::seed_from_u64(seed ^ 0xF0);
    let forger = Forger { rng, menu: menu.to_vec(), per_arrival, counts: counts.clone() };
    world.intruder = Some(Box::new(forger));
    counts
}

fn total(counts: &Counts) -> u64 {
    counts.values().sum()
}

/// Two worlds alike, one of them under attack: they send the same frames at the same times.
fn compare(seed: u64, menu: &[Forgery], hints: bool) {
    let mut attacked = world(seed, hints);
    let counts = attack(&mut attacked, seed, menu, 16);
    let (seen, end) = (counts.clone(), Cell::new(0));
    busy(&mut attacked, seed, |world| {
        end.set(world.tick);
        total(&seen.borrow()) >= FRAMES
    });
    let mut quiet = world(seed, hints);
    busy(&mut quiet, seed, |world| world.tick >= end.get());
    all_tried(menu, &counts.borrow());
    assert_eq!(attacked.digest, quiet.digest);
    assert!(
        attacked.hosts[0].bytes == quiet.hosts[0].bytes && attacked.hosts[1].bytes == quiet.hosts[1].bytes
    );
}

fn all_tried(menu: &[Forgery], counts: &Counts) {
    let all = menu.iter().all(|forgery| counts.keys().any(|(seen, _)| seen == forgery));
    assert!(all && total(counts) >= FRAMES, "{counts:?}");
}

#[test]
fn forgeries_of_who_does_not_know_the_tag_leave_every_frame_as_it_was() {
    compare(31, &OUTSIDE, true);
}

#[test]
fn forgeries_that_contradict_what_was_sent_leave_every_frame_as_it_was() {
    compare(33, &INSIDE, false);
}

// REQ-CONN-4, REQ-RX-1
#[test]
fn forgeries_that_are_answered_end_nothing_and_land_nowhere() {
    let seed = 32;
    let mut world = world(seed, true);
    let counts = attack(&mut world, seed, &ANSWERED, 24);
    let seen = counts.clone();
    busy(&mut world, seed, |_| total(&seen.borrow()) >= FRAMES);
    let counts = counts.borrow();
    all_tried(&ANSWERED, &counts);
    for core in &world.cores {
        let strangers =
            core.counters().drops(DropReason::Tag) + core.counters().drops(DropReason::Connection);
        assert!(strangers > 10_000);
        // Refusals are one per connection at a time, and one per 100 us for strangers.
        let (told, forged) = (core.counters().naks_sent, core.counters().dropped());
        assert!(told > 0 && told < forged / 2, "{told} NAKs to {forged} packets");
    }
}
