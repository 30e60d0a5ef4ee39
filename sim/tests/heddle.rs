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

impl Wire {
    fn new() -> Self {
        let config = HeddleConfig {
            planes: 1,
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
        let pairs = [Pair { a: 0, b: 1, connections: 1 }];
        Self {
            hosts: Heddle::fabric(2, &pairs, &config, 5).expect("hosts"),
            now: Ps::ZERO,
            flying: Vec::new(),
        }
    }

    /// Moves a message of one packet and tells how long it took; `lose` says which packets do not arrive.
    fn write(&mut self, id: u32, mut lose: impl FnMut(&Packet<HeddleBody>) -> bool) -> Ps {
        let start = self.now;
        self.hosts[0].post(start, &Post { id, peer: 1, connection: 0, verb: Verb::Write, bytes: 4_096 });
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
