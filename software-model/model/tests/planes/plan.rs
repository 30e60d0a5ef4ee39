//! What happens in a world.

use crate::world::{Ps, US};
use heddle_model::core::CoreConfig;
use heddle_model::tx::route::RouteConfig;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub const KEY_TAG: u32 = 0x1234;
pub const REGION: u32 = 2;
pub const FIRST_TAG: u16 = 0x3001;
/// Bytes of a slice.
pub const SLICE: u32 = 4096;

/// What a fault swallows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Everything, both ways, and nobody is told.
    All,
    /// What the sender sends.
    Data,
    /// What the receiver sends.
    Acks,
    /// Everything, and both ends see their carrier go.
    Carrier,
    /// The sender's frames above 1,000 bytes.
    LongFrames,
}

#[derive(Clone, Debug)]
pub struct Fault {
    pub plane: u8,
    pub from: Ps,
    pub until: Ps,
    pub what: What,
}

impl Fault {
    pub fn covers(&self, from_sender: bool, bytes: usize) -> bool {
        match self.what {
            What::All | What::Carrier => true,
            What::Data => from_sender,
            What::Acks => !from_sender,
            What::LongFrames => from_sender && bytes > 1000,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    pub planes: u8,
    pub paths: u16,
    /// The plane of the first path, and so of the ACKs at first.
    pub first_plane: u8,
    pub cwnd: u32,
    pub message: u32,
    pub messages: u64,
    pub loss: f64,
    pub ack_loss: f64,
    pub reorder: f64,
    pub faults: Vec<Fault>,
    /// (plane, ports that are congested in a thousand)
    pub congested: Option<(u8, u32)>,
    /// Each route's delay is longer by up to this.
    pub spread: Ps,
    /// From this time on every plane takes so much longer.
    pub detour: Option<(Ps, Ps)>,
    /// So many messages at first, the others from this time on.
    pub pause: Option<(u64, Ps)>,
    pub routes: RouteConfig,
    pub life: bool,
}

impl Plan {
    /// 256 KiB messages over four planes; the window of each plane holds twice what is in flight without a
    /// queue.
    pub fn new(seed: u64, paths: u16) -> Self {
        Self {
            seed,
            planes: 4,
            paths,
            first_plane: 0,
            cwnd: (64 / u32::from(paths)).clamp(2, 20),
            message: 256 << 10,
            messages: 64,
            loss: 0.0,
            ack_loss: 0.0,
            reorder: 0.0,
            faults: vec![],
            congested: None,
            spread: 0,
            detour: None,
            pause: None,
            routes: RouteConfig::new(4).expect("four planes"),
            life: false,
        }
    }

    /// Anything: up to four faults, some of which end, of which one plane at least is free; losses to 10 %.
    pub fn random(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x706c_616e_6573);
        let mut plan = Self::new(seed, [1, 2, 4, 4, 16, 64][rng.gen_range(0..6)]);
        plan.messages = 16;
        plan.first_plane = rng.gen_range(0..4);
        plan.message = rng.gen_range(1..200_000);
        for rate in [&mut plan.loss, &mut plan.ack_loss, &mut plan.reorder] {
            *rate = if rng.gen() { rng.gen_range(0.0..0.1) } else { 0.0 };
        }
        let safe: u8 = rng.gen_range(0..4);
        for _ in 0..rng.gen_range(0..5) {
            let plane = (safe + rng.gen_range(1..4)) % 4;
            let from = rng.gen_range(0..500 * US);
            let until = if rng.gen() { Ps::MAX } else { from + rng.gen_range(0..2_000 * US) };
            let what = [What::All, What::Data, What::Acks, What::Carrier][rng.gen_range(0..4)];
            // A carrier is lost once: two faults of one plane would give it back too early.
            if what != What::Carrier || plan.faults.iter().all(|fault| fault.plane != plane) {
                plan.faults.push(Fault { plane, from, until, what });
            }
        }
        plan
    }

    /// These planes are dead from `from` on, until `until`.
    pub fn killed(self, planes: &[u8], what: What, (from, until): (Ps, Ps)) -> Self {
        let faults = planes.iter().map(|&plane| Fault { plane, from, until, what }).collect();
        Self { faults, ..self }
    }

    pub fn memory(&self) -> usize {
        self.message as usize * self.messages as usize
    }

    /// Whether a switch on this route marks everything.
    pub fn marks(&self, plane: u8, port: u16) -> bool {
        self.congested.is_some_and(|(of, permille)| of == plane && hash(port) % 1000 < permille)
    }

    /// What this route takes longer than the shortest.
    pub fn longer(&self, port: u16) -> Ps {
        (u64::from(hash(port)) * self.spread) >> 16
    }

    pub fn config(&self, seed: u32) -> CoreConfig {
        CoreConfig {
            connections: 2,
            paths: self.paths.into(),
            streams: 4,
            slots: 16,
            slice_log2: SLICE.ilog2(),
            regions: 4,
            cwnd: self.cwnd,
            routes: Some(self.routes),
            life: self.life,
            seed,
            ..CoreConfig::default()
        }
    }
}

/// 16 bits.
fn hash(port: u16) -> u32 {
    u32::from(port).wrapping_mul(0x9E37_79B1) >> 16
}

/// From a time to the end of everything.
pub fn from_on(at: u64) -> (Ps, Ps) {
    (at * US, Ps::MAX)
}

/// Runs every case on the threads of this machine; returns how many ran. A case that fails fails the test.
pub fn parallel<T: Sync>(cases: &[T], run: impl Fn(&T) + Sync) -> usize {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = 0;
        while let Some(case) = cases.get(next.fetch_add(1, Relaxed)) {
            run(case);
            done += 1;
        }
        done
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a case failed; see above")).sum()
    })
}
