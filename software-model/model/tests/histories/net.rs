//! The network: routes with delays, losses, duplicates, reordering and holes.

use crate::plan::{Plan, Ppm};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bits per second of all planes together.
const RATE: u64 = 100_000_000_000;
/// One-way delay of the shortest route.
const DELAY: u64 = 4_800_000;
/// Ethernet, IP, UDP, transport headers, ICRC, preamble and gap around a payload.
const OVERHEAD_BYTES: u64 = 114;
const ACK_BYTES: u64 = 138;
const LONGEST_DUPLICATION: u64 = 20_000_000;

/// A route number: plane and source port.
pub type Route = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Data,
    Ack,
}

pub struct Net {
    plan: Plan,
    rng: ChaCha8Rng,
}

impl Net {
    pub fn new(plan: &Plan) -> Self {
        Self { plan: plan.clone(), rng: ChaCha8Rng::seed_from_u64(plan.seed ^ 0x6e65_7477_6f72_6b00) }
    }

    pub fn plane(&self, route: Route) -> u32 {
        route % self.plan.planes
    }

    /// How long a data packet occupies its plane's port.
    pub fn serialisation(&self) -> u64 {
        (self.plan.packet_bytes + OVERHEAD_BYTES) * 8 * 1_000_000_000_000
            / (RATE / u64::from(self.plan.planes))
    }

    fn delay(&self, route: Route, now: u64) -> u64 {
        let spread = u64::from(route).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let delay = DELAY + spread % (self.plan.spread + 1);
        match self.plan.shorten {
            Some((from, by)) if now >= from => delay - by.min(delay / 2),
            _ => delay,
        }
    }

    fn chance(&mut self, ppm: Ppm) -> bool {
        ppm > 0 && self.rng.gen_range(0..1_000_000) < ppm
    }

    fn in_hole(&self, plane: u32, now: u64, kind: Kind) -> bool {
        let covers = |data: bool, acks: bool| if kind == Kind::Data { data } else { acks };
        let mut holes = self.plan.holes.iter();
        holes.any(|h| h.plane == plane && (h.from..h.until).contains(&now) && covers(h.data, h.acks))
    }

    /// When the copies of a packet that leaves now arrive; none if it is lost.
    pub fn send(&mut self, kind: Kind, route: Route, now: u64) -> Vec<u64> {
        let (loss, reorder, on_wire) = match kind {
            Kind::Data => (self.plan.loss_data, self.plan.reorder_data, self.serialisation()),
            Kind::Ack => {
                (self.plan.loss_acks, self.plan.reorder_acks, ACK_BYTES * 8 * 1_000_000_000_000 / RATE)
            }
        };
        if self.chance(loss) || self.in_hole(self.plane(route), now, kind) {
            return Vec::new();
        }
        let mut at = now + on_wire + self.delay(route, now);
        if self.chance(reorder) {
            at += self.rng.gen_range(0..=self.plan.reorder_by);
        }
        let copy = self.chance(self.plan.duplicate).then(|| at + self.rng.gen_range(0..LONGEST_DUPLICATION));
        std::iter::once(at).chain(copy).collect()
    }
}
