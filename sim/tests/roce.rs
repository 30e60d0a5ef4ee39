//! RoCE in a small world: everything is delivered, and go-back-N costs what it must.

mod pipe;

use heddle_sim::endpoint::{Endpoint, News, Post, Verb};
use heddle_sim::time::{Ps, Rate};
use heddle_sim::transports::dcqcn::DcqcnSettings;
use heddle_sim::transports::roce::{Roce, RoceSettings, What};
use heddle_sim::transports::Port;
use pipe::messages::MESSAGES;
use pipe::{Pipe, Weather};

const RATE: u64 = 100_000_000_000;

fn port(planes: u8) -> Port {
    Port { planes, rate: Rate::new(RATE).unwrap(), rtt: Ps::from_us(6) }
}

fn hosts(count: u32, planes: u8, settings: &RoceSettings) -> Vec<Roce> {
    (0..count).map(|host| Roce::new(host, &port(planes), settings, 11).unwrap()).collect()
}

fn plain() -> RoceSettings {
    RoceSettings { dcqcn: None, ..RoceSettings::default() }
}

fn write(id: u32, peer: u32, bytes: u32) -> Post {
    Post { id, peer, connection: 0, verb: Verb::Write, bytes }
}

#[test]
fn every_message_is_delivered_and_completed_once_at_any_loss() {
    let mut checked = 0;
    for (case, loss) in [0.0, 0.001, 0.01, 0.1, 0.3].into_iter().enumerate() {
        for (qps, chunk_bytes, planes) in [(1, None, 1), (4, Some(8_192), 2), (16, None, 4)] {
            let seed = case as u64 * 10 + u64::from(qps);
            let settings = RoceSettings {
                qps,
                chunk_bytes,
                timeout: Ps(4_096_000 << 4),
                retries: 255,
                ..RoceSettings::default()
            };
            let weather = Weather { loss: [loss; 2], ..Weather::fair(seed) };
            let mut pipe = Pipe::new(hosts(3, planes, &settings), planes, weather);
            let about = format!("loss {loss}, {qps} QPs");
            checked += pipe.random_messages(seed, Ps::from_us(2_000_000), &about);
            let resent: u64 = pipe.hosts.iter().map(|host| host.counters().data_resent).sum();
            match loss {
                0.0 => assert_eq!((resent, pipe.lost), (0, 0), "{qps} QPs"),
                0.001 => {}
                _ => assert!(resent > 0, "loss {loss}, {qps} QPs"),
            }
        }
    }
    assert_eq!(checked, 5 * 3 * MESSAGES * 2);
}

/// A packet takes a slot of length s; D is the time from the start of a packet to the arrival of the NAK that
/// it brings about, in slots, rounded up, as the sender never idles; T the timer, likewise. Nothing but data
/// is lost.
///
/// The first try of a packet is lost with p. Then 1 + G slots pass until a later packet starts that comes
/// through, G = p / (1 - p) in the mean, and D more until it is sent again. From then on the responder is
/// silent until it comes: each loss of it, p / (1 - p) in the mean, costs T. Slots per packet: E = 1 + p (1 /
/// (1 - p) + D + T p / (1 - p)); goodput is 1 / E of line rate.
#[test]
fn go_back_n_has_the_goodput_of_the_closed_form() {
    let settings =
        RoceSettings { timeout: Ps(4_096_000 << 3), retries: 255, window_percent: None, ..plain() };
    for (case, (p, packets)) in
        [(0.0, 50_000), (0.001, 1_000_000), (0.01, 1_000_000), (0.1, 600_000), (0.3, 300_000)]
            .into_iter()
            .enumerate()
    {
        let weather = Weather { loss: [p, 0.0], ..Weather::fair(case as u64) };
        let mut pipe = Pipe::new(hosts(2, 1, &settings), 1, weather);
        let bytes = packets * 4_096u64;
        let message = 1 << 30;
        let messages = bytes.div_ceil(message);
        for id in 0..messages {
            let bytes = message.min(bytes - id * message);
            pipe.post(0, &write(id as u32, 1, bytes as u32));
        }
        pipe.run(Ps::from_us(10_000_000));
        let end =
            pipe.told.iter().filter(|told| matches!(told.2, News::Delivered(_))).map(|told| told.0).max();
        assert_eq!(pipe.told.len() as u64, 2 * messages);
        let slot = (4_096.0 + 82.0) * 8e12 / RATE as f64;
        let nak = 86.0 * 8e12 / RATE as f64;
        let d = ((2.0 * slot + 2.0 * nak + 4e6) / slot).ceil();
        let t = (32_768_000.0 / slot).ceil();
        let expected = 1.0 + p * (1.0 / (1.0 - p) + d + t * p / (1.0 - p));
        let measured = end.unwrap().0 as f64 / slot / packets as f64;
        let ratio = expected / measured;
        println!(
            "p {p}: goodput {:.4} of line rate, by formula {:.4}, ratio {ratio:.4}",
            1.0 / measured,
            1.0 / expected
        );
        assert!((ratio - 1.0).abs() < 0.02, "p {p}: {ratio}");
    }
}

#[test]
fn a_gap_has_one_nak_and_a_lost_resend_waits_for_the_timer() {
    let settings = RoceSettings { ack_every: 1 << 15, ..plain() };
    let mut pair = hosts(2, 1, &settings);
    pair[0].post(Ps::ZERO, &write(0, 1, 4_096 * 6));
    let take = |host: usize, pair: &mut Vec<Roce>| pair[host].transmit(Ps::ZERO, 1);
    let packets: Vec<_> = std::iter::from_fn(|| take(0, &mut pair)).collect();
    assert_eq!(packets.len(), 6);
    let mut naks = Vec::new();
    for (n, packet) in packets.iter().enumerate() {
        if n != 2 {
            pair[1].receive(Ps::ZERO, packet);
        }
        naks.extend(std::iter::from_fn(|| take(1, &mut pair)));
    }
    assert_eq!(naks.len(), 1);
    assert_eq!((naks[0].body.what, naks[0].body.psn), (What::Nak, packets[2].body.psn));
    // Everything from the gap on again; the resend of the gap is lost again, and nothing is said.
    pair[0].receive(Ps::ZERO, &naks[0]);
    let again: Vec<_> = std::iter::from_fn(|| take(0, &mut pair)).collect();
    assert_eq!(
        again.iter().map(|packet| packet.body.psn).collect::<Vec<_>>(),
        packets[2..].iter().map(|packet| packet.body.psn).collect::<Vec<_>>()
    );
    let placed: u32 = again[1..].iter().map(|packet| pair[1].receive(Ps::ZERO, packet)).sum();
    assert_eq!(placed, 0);
    assert!(take(1, &mut pair).is_none());
    // Until the timer, 4.096 us x 2^8.
    let timer = Ps(4_096_000 << 8);
    assert_eq!(pair[0].next_deadline(Ps::ZERO), Some(timer));
    pair[0].advance(timer);
    let last: Vec<_> = std::iter::from_fn(|| pair[0].transmit(timer, 1)).collect();
    assert_eq!(last.len(), 4);
    let placed: u32 = last.iter().map(|packet| pair[1].receive(timer, packet)).sum();
    assert_eq!(placed, 4 * 4_096);
    assert_eq!((pair[1].news(), pair[1].counters().refused), (Some(News::Delivered(0)), 3 + 3));
    let ack = pair[1].transmit(timer, 1).unwrap();
    assert_eq!(ack.body.what, What::Ack);
    pair[0].receive(timer, &ack);
    assert_eq!((pair[0].news(), pair[0].next_deadline(timer)), (Some(News::Completed(0)), None));
}

#[test]
fn a_peer_that_is_silent_is_given_up_after_the_retries() {
    let mut host = hosts(1, 1, &RoceSettings { retries: 7, ..plain() }).remove(0);
    host.post(Ps::ZERO, &write(5, 1, 10_000));
    host.post(Ps::ZERO, &Post { verb: Verb::Read, ..write(6, 1, 10_000) });
    let (mut now, mut sent, mut expiries) = (Ps::ZERO, 0, 0);
    loop {
        sent += std::iter::from_fn(|| host.transmit(now, 1)).count();
        let Some(at) = host.next_deadline(now) else { break };
        assert_eq!(at - now, Ps(4_096_000 << 8));
        (now, expiries) = (at, expiries + 1);
        host.advance(now);
    }
    // The first try and seven more, then the eighth expiry.
    assert_eq!((sent, expiries, host.counters().expiries), (8 * 4, 8, 8));
    assert_eq!([host.news(), host.news(), host.news()], [Some(News::Failed(5)), Some(News::Failed(6)), None]);
    host.post(now, &write(7, 1, 1));
    assert_eq!((host.news(), host.transmit(now, 1).is_none()), (Some(News::Failed(7)), true));
}

#[test]
fn lost_carrier_moves_queue_pairs_and_a_failure_elsewhere_ends_them() {
    let settings = RoceSettings { retries: 7, qps: 4, timeout: Ps(4_096_000 << 4), ..plain() };
    for carrier in [true, false] {
        let mut pipe = Pipe::new(hosts(2, 2, &settings), 2, Weather::fair(3));
        (0..8).for_each(|id| pipe.post(0, &write(id, 1, 1_000_000)));
        pipe.run(Ps::from_us(100));
        pipe.weather.dead = 0b10;
        if carrier {
            (0..2).for_each(|host| pipe.set_plane(host, 1, false));
        }
        pipe.run(Ps::from_us(10_000));
        let count = |wanted: fn(u32) -> News| {
            (0..8).filter(|id| pipe.told.iter().any(|told| told.2 == wanted(*id))).count()
        };
        let (done, failed) = (count(News::Completed), count(News::Failed));
        assert_eq!((done, failed), if carrier { (8, 0) } else { (4, 4) });
        if carrier {
            pipe.weather.dead = 0;
            (0..2).for_each(|host| pipe.set_plane(host, 1, true));
            (8..16).for_each(|id| pipe.post(0, &write(id, 1, 1_000_000)));
            let start = pipe.now;
            pipe.run(Ps::from_us(20_000));
            let last =
                pipe.told.iter().filter(|told| matches!(told.2, News::Delivered(8..))).map(|told| told.0);
            // 8 MB on two planes: 320 us and headers.
            assert!((last.max().unwrap() - start) < Ps::from_us(345), "{:?}", pipe.told.last());
        }
    }
}

#[test]
fn two_flows_share_a_marked_queue_and_keep_it_short() {
    let settings = RoceSettings {
        window_percent: None,
        dcqcn: Some(DcqcnSettings::default()),
        ..RoceSettings::default()
    };
    // The marking of the paper, scaled from 40 to 100 Gb/s.
    let weather = Weather { red: Some((12_500, 500_000, 0.01)), ..Weather::fair(7) };
    let mut pipe = Pipe::new(hosts(3, 1, &settings), 1, weather);
    let message = 500_000;
    for id in 0..2_000 {
        pipe.post(1, &write(id, 0, message));
    }
    pipe.run(Ps::from_us(2_000));
    for id in 2_000..4_000 {
        pipe.post(2, &write(id, 0, message));
    }
    pipe.run(Ps::from_us(20_000));
    let queue = pipe.longest_queue;
    pipe.told.clear();
    pipe.longest_queue = 0;
    pipe.run(Ps::from_us(60_000));
    let delivered = pipe.told.iter().filter_map(|told| match told.2 {
        News::Delivered(id) => Some(id),
        _ => None,
    });
    let delivered: Vec<u32> = delivered.collect();
    let first = delivered.iter().filter(|id| **id < 2_000).count() as f64;
    let share = first / delivered.len() as f64;
    let goodput = delivered.len() as f64 * f64::from(message) * 8.0 / 40e-3 / RATE as f64;
    println!("share {share:.3}, goodput {goodput:.3}, longest queue {queue}, then {}", pipe.longest_queue);
    assert!((share - 0.5).abs() < 0.05, "{share}");
    assert!(goodput > 0.9, "{goodput}");
    assert!(pipe.longest_queue < queue);
}
