//! Operation streams for the transmit path engine: every path has a sender, a lossy channel of one FIFO
//! per route and a receiver, so that most ACKs are true and the maps fill with losses, resends and
//! rounds. Some operations are then spoilt: forged, stale, at the very edge of a rule, or random.

use heddle_model::map::RingMap;
use heddle_model::tx::path::{TxOp, TxPathIn, TxPathOut, TxPathRow, MAX_ECHO_AGE_TICKS};
use heddle_wire::{Psn, Time32};
use rand::seq::SliceRandom;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// A packet on its way.
#[derive(Clone, Copy, Debug)]
struct Flight {
    psn: Psn,
    ts: Time32,
    route: u8,
}

/// The far end of a path.
#[derive(Clone, Debug)]
struct Receiver {
    cum: Psn,
    high: Psn,
    beyond: RingMap,
    echo: Flight,
}

impl Receiver {
    fn new(first: Psn, now: Time32) -> Self {
        let echo = Flight { psn: first, ts: now, route: 0 };
        Self { cum: first, high: first.minus(1), beyond: RingMap::default(), echo }
    }

    fn arrive(&mut self, packet: Flight) {
        self.echo = packet;
        if packet.psn.is_behind(self.cum) {
            return;
        }
        if self.high.is_behind(packet.psn) {
            self.high = packet.psn;
        }
        self.beyond.set(packet.psn);
        self.advance();
    }

    /// An invented ACK was believed: from now on the receiver has what it claimed, or the path would
    /// stand still.
    fn learn(&mut self, base: Psn, acked: RingMap) {
        let own = self.beyond.psns_from(self.cum).collect::<Vec<_>>();
        let claimed = acked.psns_from(base).collect::<Vec<_>>();
        if self.cum.is_behind(base) {
            self.cum = base;
        }
        self.beyond = RingMap::default();
        for psn in own.into_iter().chain(claimed).filter(|psn| !psn.is_behind(self.cum)) {
            self.beyond.set(psn);
            if self.high.is_behind(psn) {
                self.high = psn;
            }
        }
        self.advance();
    }

    fn advance(&mut self) {
        while self.beyond.get(self.cum) {
            self.beyond.clear(self.cum);
            self.cum = self.cum.plus(1);
        }
        if self.high.is_behind(self.cum.minus(1)) {
            self.high = self.cum.minus(1);
        }
    }

    fn ack(&self) -> TxPathIn {
        TxPathIn {
            op: TxOp::Ack,
            cum: self.cum,
            high: self.high,
            route: self.echo.route,
            ts: self.echo.ts,
            sack: self.beyond,
            ..TxPathIn::default()
        }
    }
}

/// One path, both ends and what is between them.
#[derive(Clone, Debug)]
struct Story {
    row: TxPathRow,
    last: Option<TxPathOut>,
    receiver: Receiver,
    /// Packets on the current route and on the one before.
    routes: [VecDeque<Flight>; 2],
    acks: VecDeque<TxPathIn>,
    /// Timestamps of recent packets: the edges of the rules of time.
    stamps: VecDeque<Time32>,
}

/// What the traffic is like for a while; weights of the operations in the order of their codes but INIT.
#[derive(Clone, Copy, Debug)]
struct Mood {
    weights: [u32; 7],
    /// Packets that reach the receiver before an ACK is made, at most.
    deliver: u32,
    /// Loss of packets and of ACKs, percent.
    loss: u32,
    /// Spoilt ACKs, percent.
    spoilt: u32,
}

const MOODS: [Mood; 10] = [
    // Steady, hardly a loss; lossy; very lossy.
    Mood { weights: [30, 10, 1, 0, 0, 0, 40], deliver: 3, loss: 2, spoilt: 5 },
    Mood { weights: [40, 30, 1, 0, 0, 0, 40], deliver: 6, loss: 15, spoilt: 10 },
    Mood { weights: [40, 40, 4, 1, 1, 1, 40], deliver: 12, loss: 45, spoilt: 15 },
    // The window fills up and stays full.
    Mood { weights: [3, 2, 1, 0, 0, 0, 90], deliver: 2, loss: 30, spoilt: 20 },
    // Long bursts arrive, the window empties.
    Mood { weights: [70, 10, 2, 0, 0, 0, 10], deliver: 250, loss: 5, spoilt: 5 },
    // Routes change and die.
    Mood { weights: [25, 15, 4, 14, 10, 8, 30], deliver: 8, loss: 20, spoilt: 5 },
    // Timers, and resends nobody answers.
    Mood { weights: [10, 30, 25, 2, 3, 3, 30], deliver: 4, loss: 50, spoilt: 5 },
    // After a window filled up: resends until only its end is lost.
    Mood { weights: [2, 97, 1, 0, 0, 0, 1], deliver: 250, loss: 60, spoilt: 10 },
    // Routes change until their counter wraps.
    Mood { weights: [15, 5, 2, 35, 5, 20, 20], deliver: 8, loss: 20, spoilt: 5 },
    // Hostile.
    Mood { weights: [70, 5, 2, 1, 1, 1, 20], deliver: 5, loss: 10, spoilt: 70 },
];

/// The mood in which a window fills up, and those that may follow it.
const FILL: usize = 3;
const BURSTS: usize = 4;
const EMPTY: usize = 7;
/// The mood in which the route counter wraps.
const ROUTES: usize = 8;

/// Operations for all paths of an engine.
#[derive(Clone, Debug)]
pub struct History {
    rng: ChaCha8Rng,
    now: Time32,
    stories: Vec<Option<Story>>,
    mood: usize,
    mood_left: u32,
    /// The paths in use; few of them make bursts on one path.
    active: Vec<usize>,
}

impl History {
    /// Operations for `paths` paths, none of which is initialised yet.
    pub fn new(mut rng: ChaCha8Rng, paths: usize) -> Self {
        // Close to the wrap of the clock.
        let now = Time32::new(u32::MAX - rng.gen_range(0..20_000));
        let stories = vec![None; paths];
        Self { rng, now, stories, mood: 0, mood_left: 0, active: vec![0] }
    }

    /// The engine was reset: every path has to be initialised again.
    pub fn reset(&mut self) {
        self.stories.fill(None);
    }

    /// The next operation.
    pub fn step(&mut self) -> TxPathIn {
        if self.mood_left == 0 {
            self.change_mood();
        }
        self.mood_left -= 1;
        self.pass_time();
        let path = *self.active.choose(&mut self.rng).expect("a path is active");
        let (now, mood) = (self.now, MOODS[self.mood]);
        let input = match &mut self.stories[path] {
            story @ None => {
                let first = first_psn(&mut self.rng);
                *story = Some(Story::new(first, now));
                TxPathIn { op: TxOp::Init, cum: first, ..TxPathIn::default() }
            }
            // A path starts anew now and then, while packets of its former life are still on their way.
            Some(story) if self.rng.gen_ratio(1, 1500) => {
                let first = first_psn(&mut self.rng);
                story.receiver = Receiver::new(first, now);
                TxPathIn { op: TxOp::Init, cum: first, ..TxPathIn::default() }
            }
            Some(story) => story.choose(mood, now, &mut self.rng),
        };
        let input = TxPathIn { path: path as u16, now, ..input };
        self.stories[path].as_mut().expect("initialised").apply(&input);
        input
    }

    fn change_mood(&mut self) {
        if self.mood == FILL {
            self.mood = *[BURSTS, EMPTY].choose(&mut self.rng).expect("not empty");
            self.mood_left = 600;
            return;
        }
        self.mood = self.rng.gen_range(0..MOODS.len());
        let paths = self.stories.len();
        let (count, length) = match self.rng.gen_range(0..4) {
            // It takes 256 packets to fill a window.
            _ if self.mood == FILL => (1, 900),
            _ if self.mood == ROUTES => (1, 1800),
            0 => (1, 400),
            1 => (2.min(paths), 600),
            2 => (5.min(paths), 1200),
            _ => (paths, 1500),
        };
        let all: Vec<usize> = (0..paths).collect();
        self.active = all.choose_multiple(&mut self.rng, count).copied().collect();
        self.mood_left = self.rng.gen_range(length / 4..length);
    }

    fn pass_time(&mut self) {
        let ticks = match self.rng.gen_range(0..20_000) {
            0 => self.rng.gen_range(0..u32::MAX),
            1..=3 => MAX_ECHO_AGE_TICKS / 2,
            4..=4000 => 0,
            4001..=5000 => self.rng.gen_range(0..3000),
            _ => self.rng.gen_range(1..4),
        };
        self.now = self.now.plus(ticks);
    }
}

/// Anywhere, but often just before the wrap of the PSN or of the ring.
fn first_psn(rng: &mut ChaCha8Rng) -> Psn {
    let any = rng.gen_range(0..=Psn::MASK);
    match rng.gen_range(0..3) {
        0 => Psn::new(Psn::MASK - rng.gen_range(0..700)),
        1 => Psn::new(any & !0xFF | rng.gen_range(0xC0..=0xFF)),
        _ => Psn::new(any),
    }
}

impl Story {
    fn new(first: Psn, now: Time32) -> Self {
        Self {
            row: TxPathRow::default(),
            last: None,
            receiver: Receiver::new(first, now),
            routes: Default::default(),
            acks: VecDeque::new(),
            stamps: VecDeque::new(),
        }
    }

    /// Follows the sender, to know what is on its way.
    fn apply(&mut self, input: &TxPathIn) {
        let out = self.row.apply(input);
        match (input.op, out.psn) {
            (TxOp::Sent | TxOp::Resend | TxOp::Expire, Some(psn)) => {
                self.routes[0].push_back(Flight { psn, ts: input.now, route: out.route });
                self.stamps.push_front(input.now);
                self.stamps.truncate(40);
            }
            (TxOp::Voluntary, _) => self.routes.swap(0, 1),
            (TxOp::Dead | TxOp::Init, _) => self.routes.iter_mut().for_each(VecDeque::clear),
            _ => {}
        }
        if input.op == TxOp::Init {
            self.acks.clear();
        }
        if input.op == TxOp::Ack && out.ok {
            self.receiver.learn(out.base, self.row.maps()[0]);
        }
        self.last = Some(out);
    }

    fn choose(&mut self, mood: Mood, now: Time32, rng: &mut ChaCha8Rng) -> TxPathIn {
        let mut left = rng.gen_range(0..mood.weights.iter().sum());
        let code = mood.weights.iter().position(|&weight| {
            let found = left < weight;
            left = left.saturating_sub(weight);
            found
        });
        let plain = |op| TxPathIn { op, ..TxPathIn::default() };
        let mut input = match code {
            Some(0) => self.ack(mood, rng),
            Some(1) => plain(TxOp::Resend),
            Some(2) => plain(TxOp::Expire),
            Some(3) => plain(TxOp::Voluntary),
            Some(4) => plain(TxOp::VoluntaryTimeout),
            Some(5) => plain(TxOp::Dead),
            _ => plain(TxOp::Sent),
        };
        if input.op == TxOp::Ack {
            if rng.gen_ratio(1, 8) {
                input.reorder = *[1, 2, 7, 60, 255].choose(rng).expect("not empty");
            }
            if rng.gen_range(0..100) < mood.spoilt {
                self.spoil(&mut input, now, rng);
            }
        } else if rng.gen_bool(0.5) {
            // What these operations have no use for may be anything.
            input = TxPathIn { op: input.op, ..noise(rng) };
        }
        input
    }

    /// Delivers some packets and makes an ACK; hands over the oldest that is not lost, or once in a while
    /// another.
    fn ack(&mut self, mood: Mood, rng: &mut ChaCha8Rng) -> TxPathIn {
        for _ in 0..rng.gen_range(0..=mood.deliver) {
            let route = usize::from(rng.gen_ratio(1, 3));
            if let Some(packet) = self.routes[route].pop_front() {
                if rng.gen_range(0..100) >= mood.loss {
                    self.receiver.arrive(packet);
                }
            }
        }
        self.acks.push_back(self.receiver.ack());
        while self.acks.len() > 1 && (self.acks.len() > 8 || rng.gen_range(0..100) < mood.loss) {
            self.acks.pop_front();
        }
        let made = "one was made";
        match rng.gen_range(0..20) {
            0 => *self.acks.iter().collect::<Vec<_>>().choose(rng).copied().expect(made),
            1 => self.acks.pop_back().expect(made),
            _ => self.acks.pop_front().expect(made),
        }
    }

    /// Turns an ACK into one at or beyond the edge of what is believed.
    fn spoil(&self, ack: &mut TxPathIn, now: Time32, rng: &mut ChaCha8Rng) {
        let Some(last) = self.last else { return };
        let (base, next) = (last.base, last.next);
        let span = next.distance_from(base);
        let near = |psn: Psn, rng: &mut ChaCha8Rng| psn.plus(rng.gen_range(0..3)).minus(1);
        match rng.gen_range(0..15) {
            0 => ack.cum = near(base, rng),
            1 => ack.cum = near(next, rng),
            2 => ack.cum = base.plus(rng.gen_range(0..=span)),
            3 => ack.high = near(ack.cum.minus(1), rng),
            4 => ack.high = near(next.minus(1), rng),
            5 => ack.sack.set(near(ack.cum, rng)),
            6 => ack.sack.set(near(next, rng)),
            7 => ack.ts = now.minus(MAX_ECHO_AGE_TICKS).plus(rng.gen_range(0..3)).minus(1),
            8 => ack.ts = now.plus(rng.gen_range(0..2)),
            9 | 10 => {
                let stamp = self.stamps.iter().collect::<Vec<_>>().choose(rng).copied().copied();
                ack.ts = stamp.unwrap_or(now).plus(rng.gen_range(0..3)).minus(1);
                ack.route = last.route;
            }
            11 => ack.route = last.route.wrapping_sub(rng.gen_range(0..2)),
            12 => {
                // So far apart that a serial comparison goes round.
                ack.cum = next.plus(rng.gen_range(0..3));
                ack.high = ack.cum.plus((1 << 23) - rng.gen_range(0..4));
            }
            13 => {
                // Everything is acknowledged, or a random part.
                ack.cum = base.plus(rng.gen_range(0..=span));
                let rest = next.distance_from(ack.cum);
                ack.sack = RingMap::range(ack.cum.plus(1), rest.saturating_sub(1)) & noise(rng).sack;
                ack.high = ack.sack.last_from(ack.cum).unwrap_or(ack.cum.minus(1));
            }
            _ => *ack = noise(rng),
        }
    }
}

/// An ACK of random bits.
fn noise(rng: &mut ChaCha8Rng) -> TxPathIn {
    TxPathIn {
        op: TxOp::Ack,
        path: 0,
        cum: Psn::new(rng.gen()),
        high: Psn::new(rng.gen()),
        route: rng.gen(),
        ts: Time32::new(rng.gen()),
        now: Time32::new(0),
        reorder: rng.gen(),
        sack: RingMap::from_words(rng.gen()),
    }
}
