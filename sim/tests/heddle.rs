//! Two of Heddle's hosts by hand: what is on the wire, and when.

use heddle_sim::endpoint::{Endpoint, News, Post, Verb};
use heddle_sim::heddle::{Constants, Heddle, HeddleBody, HeddleConfig, Pair};
use heddle_sim::packet::Packet;
use heddle_sim::time::{Ps, Rate};
use heddle_wire::Body;

/// One way.
const DELAY: Ps = Ps::from_us(2);

struct Wire {
    hosts: Vec<Heddle>,
    now: Ps,
    flying: Vec<(Ps, Packet<HeddleBody>)>,
}

fn hosts(hosts: u32, pairs: &[Pair], planes: u8) -> Vec<Heddle> {
    let config = HeddleConfig {
        planes,
        rate: Rate::new(100_000_000_000).expect("a rate"),
        slow: None,
        drain: None,
        paths: 16,
        slice_log2: 12,
        rtt0: Ps::from_us(10),
        small_packets: 4,
        fixed_window: None,
        constants: Constants::default(),
    };
    Heddle::fabric(hosts, pairs, &config, 5).expect("hosts")
}

fn post(id: u32, peer: u32, connection: u16, bytes: u32) -> Post {
    Post { id, peer, connection, verb: Verb::Write, bytes }
}

impl Wire {
    fn new() -> Self {
        let hosts = hosts(2, &[Pair { a: 0, b: 1, connections: 1 }], 1);
        Self { hosts, now: Ps::ZERO, flying: Vec::new() }
    }

    /// Moves a message of one packet and tells how long it took; `lose` says which packets do not arrive.
    fn write(&mut self, id: u32, mut lose: impl FnMut(&Packet<HeddleBody>) -> bool) -> Ps {
        let start = self.now;
        self.hosts[0].post(start, &post(id, 1, 0, 4_096));
        for _ in 0..10_000 {
            for n in 0..2 {
                while let Some(packet) = self.hosts[n].transmit(self.now, 1) {
                    if !lose(&packet) {
                        self.flying.push((self.now + DELAY, packet));
                    }
                }
            }
            while let Some(news) = self.hosts[0].news() {
                if news == News::Completed(id) {
                    return self.now - start;
                }
            }
            let now = self.now;
            let deadlines = self.hosts.iter_mut().filter_map(|host| host.next_deadline(now));
            let next = deadlines.chain(self.flying.iter().map(|(at, _)| *at)).min();
            self.now = next.expect("something is awaited").max(now);
            self.hosts.iter_mut().for_each(|host| host.advance(self.now));
            let now = self.now;
            let (come, flying) = std::mem::take(&mut self.flying).into_iter().partition(|(at, _)| *at <= now);
            self.flying = flying;
            for (_, packet) in Vec::from_iter::<Vec<_>>(come) {
                self.hosts[packet.dst as usize].receive(now, &packet);
            }
        }
        panic!("message {id} is not done at {:?}", self.now);
    }
}

/// The other paths were never measured, but the connection was: four round trips and 2 T, then a PROBE, its answer, and the resend.
/// Their own timer would have waited for 200 us.
#[test]
fn the_first_packet_of_a_path_is_missed_after_a_few_round_trips_of_the_connection() {
    let mut wire = Wire::new();
    let round_trip = wire.write(0, |_| false);
    assert!((DELAY + DELAY..Ps::from_us(7)).contains(&round_trip), "{round_trip:?}");
    let mut lost = 0;
    let took = wire.write(1, |packet| {
        let first = matches!(packet.body.body, Body::Data { .. }) && lost == 0;
        lost += u32::from(first);
        first
    });
    assert_eq!(lost, 1);
    assert!((Ps::from_us(16)..Ps::from_us(40)).contains(&took), "{took:?}");
}

/// A message that must wait for a hint is announced, and nobody answers: a quarter of RTO0 seven times, then doubling.
// REQ-PACE-4
#[test]
fn an_announcement_that_is_lost_is_repeated_every_50_us_and_from_the_eighth_time_on_less_often() {
    let mut host = hosts(2, &[Pair { a: 0, b: 1, connections: 1 }], 1).remove(0);
    let (mut now, mut announced) = (Ps::ZERO, vec![]);
    host.post(now, &post(1, 1, 0, 65_536));
    while now < Ps::from_us(800) {
        host.advance(now);
        while let Some(packet) = host.transmit(now, 1) {
            assert!(matches!(packet.body.body, Body::Probe(_)), "{packet:?}");
            announced.push(now.0 / 1_000_000);
        }
        now = host.next_deadline(now).expect("an answer is awaited").max(now);
    }
    assert_eq!(announced, [0, 50, 100, 150, 200, 250, 300, 350, 400, 500, 700]);
}

/// Where senders start together, or connections of a sender, their first packets and their ACKs are on all planes alike.
// REQ-ACK-4
#[test]
fn first_paths_are_on_planes_in_turn_by_host_and_by_connection() {
    let pairs = [(0, 1, 4), (0, 2, 1), (0, 3, 1)].map(|(a, b, connections)| Pair { a, b, connections });
    let mut hosts = hosts(4, &pairs, 4);
    let mut first = |host: usize, peer, connection| {
        hosts[host].post(Ps::ZERO, &post(1, peer, connection, 4_096));
        hosts[host].transmit(Ps::ZERO, 0b1111).expect("a packet goes blind").plane
    };
    assert_eq!([0, 1, 2, 3].map(|connection| first(0, 1, connection)), [0, 1, 2, 3]);
    assert_eq!([1, 2, 3].map(|host| first(host, 0, 0)), [1, 2, 3]);
}

/// With room in one port alone, what is new leaves there, whichever path would be next.
// REQ-ROUTE-10
#[test]
fn a_host_with_one_free_port_sends_by_it_all_that_it_may() {
    let mut host = hosts(2, &[Pair { a: 0, b: 1, connections: 1 }], 4).remove(0);
    host.post(Ps::ZERO, &post(1, 1, 0, 4 * 4_096));
    let planes = |host: &mut Heddle, ports| -> Vec<u8> {
        std::iter::from_fn(|| host.transmit(Ps::ZERO, ports)).map(|packet| packet.plane).collect()
    };
    assert_eq!(host.transmit(Ps::ZERO, 0b0100).map(|packet| packet.plane), Some(2));
    assert!(planes(&mut host, 0).is_empty());
    assert_eq!(planes(&mut host, 0b0010), [1, 1, 1]);
}
