//! Requester and responder back to back, over the end of the PSN ring.

use super::body::What;
use super::requester::Requester;
use super::responder::{Responder, Taken};
use super::settings::{Config, RoceSettings};
use crate::endpoint::Verb;
use crate::time::{Ps, Rate};
use crate::transports::parts::Part;
use crate::transports::Port;
use heddle_wire::Psn;
use rand::Rng;
use std::collections::VecDeque;

fn config() -> Config {
    let port = Port { planes: 1, rate: Rate::new(100_000_000_000).unwrap(), rtt: Ps::from_us(5) };
    let settings = RoceSettings { mtu: 256, retries: 255, ack_every: 5, ..RoceSettings::default() };
    Config::new(&port, &settings, 1).unwrap()
}

/// A link that keeps the order.
type Link = VecDeque<(Psn, What)>;

#[test]
fn writes_and_reads_come_in_order_and_once_over_the_end_of_the_ring_whatever_is_lost() {
    let config = config();
    let mut wrapped = 0;
    for seed in 0..60 {
        let mut rng = crate::seed::stream(seed, "go-back-n", 0);
        let first = Psn::new(Psn::MASK - rng.gen_range(0..300));
        let (mut requester, mut responder) = (Requester::new(first), Responder::new(first));
        let parts = (0..60).map(|id| Part {
            id,
            verb: if rng.gen() { Verb::Write } else { Verb::Read },
            bytes: rng.gen_range(1..4_000),
            of: 1,
        });
        let parts: Vec<Part> = parts.collect();
        parts.iter().for_each(|part| requester.post(*part, config.mtu));
        let (mut there, mut back) = (Link::new(), Link::new());
        let (mut done, mut delivered, mut bytes, mut idle) = (Vec::new(), Vec::new(), 0u32, 0);
        let lossy = f64::from(seed as u32 % 4) * 0.1;
        while done.len() < parts.len() {
            idle += 1;
            if requester.can_send(&config) && rng.gen_bool(0.6) {
                let request = requester.send(Ps::ZERO, &config).unwrap();
                there.extend((!rng.gen_bool(lossy)).then_some((request.psn, request.what)));
                idle = 0;
            }
            if rng.gen_bool(0.5) {
                let taken = match there.pop_front() {
                    Some((psn, What::Write(write))) => {
                        let taken = responder.on_write(psn, &write);
                        if taken == Taken::Accepted {
                            bytes += write.bytes;
                            delivered.extend(write.ends.map(|(id, _)| id));
                        }
                        taken
                    }
                    Some((psn, What::Read { bytes })) => responder.on_read(psn, bytes, config.mtu),
                    _ => Taken::Refused,
                };
                idle = if taken == Taken::Accepted { 0 } else { idle };
            }
            let answer = match responder.take_answer() {
                Some((psn, nak)) => Some((psn, if nak { What::Nak } else { What::Ack })),
                None => responder.respond(config.mtu).map(|r| (r.psn, What::Response { bytes: r.bytes })),
            };
            back.extend(answer.filter(|_| !rng.gen_bool(lossy)));
            if let Some((psn, what)) = back.pop_front() {
                let done = |part: Part| done.push(part.id);
                let heard = match what {
                    What::Ack => requester.on_ack(psn, done),
                    What::Nak => requester.on_nak(psn, done),
                    What::Response { bytes } => requester.on_response(psn, bytes, done),
                    _ => panic!("{what:?} is no answer"),
                };
                bytes += heard.bytes;
                idle = if heard.progress { 0 } else { idle };
            }
            if idle > 100 && there.is_empty() && back.is_empty() {
                assert!(requester.is_waiting(), "seed {seed}: nothing to wait for, {} done", done.len());
                requester.on_expiry(&config);
                idle = 0;
            }
        }
        let all: Vec<u32> = parts.iter().map(|part| part.id).collect();
        let writes: Vec<u32> =
            parts.iter().filter(|part| part.verb == Verb::Write).map(|part| part.id).collect();
        assert_eq!((done, delivered), (all, writes), "seed {seed}");
        assert_eq!(bytes, parts.iter().map(|part| part.bytes).sum::<u32>(), "seed {seed}");
        assert!(!requester.is_waiting() && !requester.can_send(&config));
        wrapped += u32::from(parts.iter().map(|part| part.bytes.div_ceil(256)).sum::<u32>() > 300);
    }
    assert_eq!(wrapped, 60);
}

#[test]
fn settings_that_cannot_be_are_refused_with_what_was_seen() {
    let port = Port { planes: 1, rate: Rate::new(1_000_000_000).unwrap(), rtt: Ps::from_us(5) };
    let refused = |settings: &RoceSettings| Config::new(&port, settings, 1).unwrap_err().to_string();
    let plain = RoceSettings::default();
    assert_eq!(
        refused(&RoceSettings { mtu: 1_500, ..plain.clone() }),
        "MTU 1500: InfiniBand knows 256, 512, 1024, 2048 and 4096"
    );
    assert_eq!(refused(&RoceSettings { qps: 0, ..plain.clone() }), "qps = 0: 1 to 256 is possible");
    let chunk = RoceSettings { chunk_bytes: Some(100), ..plain };
    assert_eq!(refused(&chunk), "chunks of 100 bytes: at least the MTU, 4096, is needed");
    assert!(Config::new(&Port { planes: 17, ..port }, &RoceSettings::default(), 1).is_err());
}
