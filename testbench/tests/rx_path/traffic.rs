//! Operations for the receive path engines: near the edges of each path's window, in the manner of one phase
//! at a time.

use super::bench::PATHS;
use heddle_model::rx::path::{RxOp, RxPathIn};
use heddle_model::{Flags, Psn, Time32};
use heddle_testbench::monitors::rx_path::PathMonitor;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// What the traffic is like for a while.
#[derive(Clone, Copy)]
enum Phase {
    /// Any path, any operation.
    Mix,
    /// One path after the other.
    Round,
    /// A few paths, or one: operations wait for their path.
    Crowd { paths: usize },
    /// One path's window fills up but for cum, from below until `depth` or at random until it is full; then
    /// cum arrives.
    Fill { path: usize, depth: Option<u32> },
}

/// Operations in a phase that fills a window: more than the window has.
const FILL: u32 = 300;

/// Draws operations; guided by the model, never by the RTL.
pub struct Traffic {
    rng: ChaCha8Rng,
    phase: Phase,
    left: u32,
    next: usize,
}

impl Traffic {
    pub fn new(rng: ChaCha8Rng) -> Self {
        Self { rng, phase: Phase::Mix, left: 0, next: 0 }
    }

    /// The next operation.
    pub fn draw<const WIDE: bool>(&mut self, monitor: &PathMonitor<WIDE>) -> RxPathIn {
        if self.left == 0 {
            self.change();
        }
        let fresh = self.left == FILL && self.rng.gen();
        self.left -= 1;
        let path = self.path();
        let mut op = RxPathIn {
            op: self.op(),
            path: path as u16,
            psn: Psn::new(self.rng.gen()),
            ce: self.rng.gen(),
            fault: self.rng.gen_ratio(1, 12),
            flags: Flags::from_bits(self.rng.gen()),
            ts: Time32::new(self.rng.gen()),
            route: self.rng.gen(),
            now: Time32::new(self.rng.gen()),
        };
        match monitor.last(path) {
            None => op.op = RxOp::Init,
            Some(_) if fresh => op.op = RxOp::Init,
            Some(last) if op.op == RxOp::Data => {
                let (cum, high) = (last.cum, last.high);
                op.psn = match self.phase {
                    Phase::Fill { depth, .. } => self.fill(monitor, path, cum, depth),
                    _ => self.near(cum, high),
                };
                if let Phase::Fill { .. } = self.phase {
                    op.fault = false;
                }
            }
            Some(_) => {}
        }
        if op.op == RxOp::Init {
            op.psn = self.first_psn();
        }
        op
    }

    fn change(&mut self) {
        (self.phase, self.left) = match self.rng.gen_range(0..8) {
            0 | 1 => (Phase::Mix, 200),
            2 => (Phase::Round, 130),
            3 => (Phase::Crowd { paths: self.rng.gen_range(2..=5) }, 150),
            4 => (Phase::Crowd { paths: 1 }, 60),
            _ => {
                let depth = self.rng.gen::<bool>().then(|| self.rng.gen_range(1..=256));
                (Phase::Fill { path: self.rng.gen_range(0..PATHS), depth }, FILL)
            }
        };
        self.next = self.rng.gen_range(0..PATHS);
    }

    fn path(&mut self) -> usize {
        match self.phase {
            Phase::Mix => self.rng.gen_range(0..PATHS),
            Phase::Round => {
                self.next = (self.next + 1) % PATHS;
                self.next
            }
            Phase::Crowd { paths } => (self.next + self.rng.gen_range(0..paths)) % PATHS,
            Phase::Fill { path, .. } => path,
        }
    }

    fn op(&mut self) -> RxOp {
        let others = if matches!(self.phase, Phase::Fill { .. }) { 2 } else { 100 };
        match self.rng.gen_range(0..1000) {
            n if n < others => RxOp::Probe,
            n if n < 2 * others => RxOp::Look,
            n if n < 2 * others + others / 4 => RxOp::Init,
            _ => RxOp::Data,
        }
    }

    /// PSNs next to what makes a difference: cum, high, the window's end, half the space.
    fn near(&mut self, cum: Psn, high: Psn) -> Psn {
        match self.rng.gen_range(0..20) {
            0..=5 => high.plus(1),
            6..=8 => cum,
            9 => high.plus(2),
            10 => high,
            11 | 12 => cum.plus(self.rng.gen_range(0..256)),
            13 => cum.plus(self.rng.gen_range(0..4)),
            14 => cum.minus(self.rng.gen_range(1..300)),
            15 | 16 => cum.plus(self.rng.gen_range(252..=260)),
            17 => cum.plus((1 << 23) - 2 + self.rng.gen_range(0..5)),
            18 => cum.minus(1),
            _ => Psn::new(self.rng.gen()),
        }
    }

    /// A PSN beyond cum that is not received; cum itself once there are enough.
    fn fill<const WIDE: bool>(
        &mut self,
        monitor: &PathMonitor<WIDE>,
        path: usize,
        cum: Psn,
        depth: Option<u32>,
    ) -> Psn {
        let from = if depth.is_some() { cum } else { cum.plus(self.rng.gen_range(0..256)) };
        let hole = monitor.hole_after(path, from).map(|hole| hole.distance_from(cum) % 256);
        match (hole, depth) {
            (Some(hole), Some(depth)) if hole >= depth => cum,
            (Some(hole), _) => cum.plus(hole),
            (None, _) => cum,
        }
    }

    fn first_psn(&mut self) -> Psn {
        let near: u32 = self.rng.gen_range(0..600);
        match self.rng.gen_range(0..4) {
            0 => Psn::new(0).minus(self.rng.gen_range(1..=24)),
            1 => Psn::new(0).plus(near).minus(300),
            2 => Psn::new(1 << 23).plus(near).minus(300),
            _ => Psn::new(self.rng.gen()),
        }
    }
}
