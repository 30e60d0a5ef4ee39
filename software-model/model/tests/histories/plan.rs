//! What happens in one history: the network's behaviour and the transfer, all drawn from one seed.

use heddle_model::rx::ack::AckConfig;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Time is in picoseconds: a packet of 64 bytes takes less than a tick on the wire.
pub const US: u64 = 1_000_000;
pub const TICK: u64 = 8_000;

/// A probability in parts per million.
pub type Ppm = u32;

/// A route that loses everything for a while.
#[derive(Clone, Debug)]
pub struct Hole {
    pub plane: u32,
    pub from: u64,
    pub until: u64,
    pub data: bool,
    pub acks: bool,
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    pub planes: u32,
    pub paths: u16,
    pub packet_bytes: u64,
    pub loss_data: Ppm,
    pub loss_acks: Ppm,
    pub duplicate: Ppm,
    pub reorder_data: Ppm,
    pub reorder_acks: Ppm,
    pub reorder_by: u64,
    /// Routes are up to this much longer than the shortest.
    pub spread: u64,
    /// From this time on every route is this much shorter.
    pub shorten: Option<(u64, u64)>,
    pub holes: Vec<Hole>,
    /// Mean time between two voluntary route changes of a path.
    pub voluntary_every: Option<u64>,
    pub packets: u32,
    pub message: u32,
    /// The next message is queued when the last is acknowledged.
    pub gated: bool,
    pub cwnd: u16,
    /// None: as the duplicates tell.
    pub reorder_guard: Option<u8>,
    pub ack: AckConfig,
    pub psns_before_wrap: u32,
    pub ticks_before_wrap: u32,
    pub routes_before_wrap: u8,
}

impl Plan {
    /// Undisturbed: 100 Gb/s in four planes, a round trip of 10 us, 4 KiB packets.
    pub fn calm(seed: u64, packets: u32) -> Self {
        Self {
            seed,
            planes: 4,
            paths: 8,
            packet_bytes: 4096,
            loss_data: 0,
            loss_acks: 0,
            duplicate: 0,
            reorder_data: 0,
            reorder_acks: 0,
            reorder_by: 0,
            spread: 300_000,
            shorten: None,
            holes: Vec::new(),
            voluntary_every: None,
            packets,
            message: packets,
            gated: false,
            cwnd: 16,
            reorder_guard: None,
            ack: AckConfig::DEFAULT,
            psns_before_wrap: 400,
            ticks_before_wrap: 1000,
            routes_before_wrap: 1,
        }
    }

    /// Everything at once: loss to 30 % of data and of ACKs, duplication, reordering, routes that shorten,
    /// holes, voluntary changes, and every counter close to its wrap.
    pub fn random(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let rng = &mut rng;
        let planes = pick(rng, &[1, 2, 4]);
        let holes = holes(rng, planes);
        let loss = |rng: &mut ChaCha8Rng| {
            pick(rng, &[0, 10_000, 100_000, 300_000u32]) / 1000 * rng.gen_range(0..=1000)
        };
        Self {
            planes,
            paths: (planes * rng.gen_range(1..=3)) as u16,
            packet_bytes: pick(rng, &[64, 512, 4096]),
            loss_data: loss(rng),
            loss_acks: loss(rng),
            duplicate: pick(rng, &[0, 0, 50_000, 300_000]),
            reorder_data: pick(rng, &[0, 0, 50_000, 500_000]),
            reorder_acks: pick(rng, &[0, 0, 50_000, 500_000]),
            reorder_by: rng.gen_range(0..30 * US),
            spread: pick(rng, &[300_000, 1_200_000, 4_800_000]),
            shorten: rng.gen_ratio(1, 4).then(|| (rng.gen_range(0..60 * US), 4 * US)),
            holes,
            voluntary_every: rng.gen_bool(0.5).then(|| rng.gen_range(30 * US..500 * US)),
            packets: rng.gen_range(1..1500),
            message: rng.gen_range(1..300),
            gated: rng.gen_ratio(1, 3),
            cwnd: rng.gen_range(1..=64),
            reorder_guard: pick(rng, &[None, Some(0), Some(4), Some(16)]),
            ack: AckConfig::new(rng.gen_range(1..=16), 250, pick(rng, &[1, 8, 64]))
                .expect("a possible configuration"),
            psns_before_wrap: rng.gen_range(0..400),
            ticks_before_wrap: rng.gen_range(0..20_000),
            routes_before_wrap: rng.gen_range(0..4),
            ..Self::calm(seed, 0)
        }
    }

    /// A random history on routes that keep the order of data; ACKs may overtake each other.
    pub fn random_fifo(seed: u64) -> Self {
        Self { reorder_data: 0, shorten: None, ..Self::random(seed) }
    }

    /// A random history in which only ACKs are lost.
    pub fn random_ack_loss_only(seed: u64) -> Self {
        let loss_acks = ChaCha8Rng::seed_from_u64(!seed).gen_range(0..=300_000);
        Self { loss_data: 0, loss_acks, holes: Vec::new(), ..Self::random_fifo(seed) }
    }

    /// Whether evidence can never err: each route keeps the order of the data on it.
    pub fn is_fifo(&self) -> bool {
        self.reorder_data == 0 && self.shorten.is_none()
    }
}

fn pick<T: Copy>(rng: &mut ChaCha8Rng, from: &[T]) -> T {
    from[rng.gen_range(0..from.len())]
}

/// A plane that loses everything for good while another lives, or the first one for up to 2 ms.
fn holes(rng: &mut ChaCha8Rng, planes: u32) -> Vec<Hole> {
    let from = rng.gen_range(0..80 * US);
    if planes > 1 && rng.gen_bool(0.5) {
        let until = if rng.gen_ratio(1, 3) { from + rng.gen_range(0..500 * US) } else { u64::MAX };
        let (data, acks) = pick(rng, &[(true, false), (false, true), (true, true)]);
        vec![Hole { plane: rng.gen_range(0..planes), from, until, data, acks }]
    } else if rng.gen_ratio(1, 4) {
        vec![Hole { plane: 0, from, until: from + rng.gen_range(0..2000 * US), data: true, acks: true }]
    } else {
        Vec::new()
    }
}
