//! Runs a bench through the stall matrix.

use super::bench::{Bench, Setup};
use super::failure::{cell, Failure, Test};
use super::lazy::LazySinks;
use super::monitor::{Monitor, Report, Watch};
use super::seeds::{rng, seeds};
use super::stall::Stall;
use crate::dut::Dut;
use crate::wave;
use rand::Rng;
use std::any::Any;
use std::cell::Cell;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;

/// How long a block's test runs.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Requests per run (one seed, one pair of patterns).
    pub transactions: u64,
    /// Cycles without any transfer after which a run that is not done counts as hung.
    pub patience: u64,
    /// Cycles watched after all is done: nothing more may come.
    pub tail: u64,
}

impl Plan {
    /// `transactions` per run, hung after 20,000 cycles without a transfer, 200 cycles watched at the end.
    pub fn new(transactions: u64) -> Self {
        Self { transactions, patience: 20_000, tail: 200 }
    }
}

/// Cycles before and after the first difference that its waveform shows.
const BEFORE: u64 = 300;
const AFTER: u64 = 50;

/// Runs `B` under every pair of patterns, for every seed (`SEED` and `STALL` in the environment choose one), and gives
/// the sum of the reports.
///
/// # Panics
/// When a run fails, with the difference, the command that replays it, and the waveform around it.
#[track_caller]
pub fn matrix<B: Bench>(transactions: u64) -> Report {
    run_matrix::<B>(&Plan::new(transactions), Test::here())
}

/// [`matrix`] with a plan.
///
/// # Panics
/// As [`matrix`].
#[track_caller]
pub fn matrix_with<B: Bench>(plan: &Plan) -> Report {
    run_matrix::<B>(plan, Test::here())
}

fn run_matrix<B: Bench>(plan: &Plan, test: Test) -> Report {
    let mut total = Report::default();
    let chosen = std::env::var("STALL").ok();
    for seed in seeds() {
        for setup in setups::<B>(seed, plan.transactions) {
            if chosen.as_ref().is_some_and(|want| *want != cell(&setup)) {
                continue;
            }
            match one::<B>(&setup, plan, &test) {
                Ok(mut report) => {
                    if (setup.idle, setup.back, setup.resets) != (Stall::Never, Stall::Never, false) {
                        report.interval.clear();
                    }
                    total.add(&report);
                }
                Err(failure) => panic!("{failure}"),
            }
        }
    }
    total.partial = chosen.is_some() || std::env::var_os("SEED").is_some();
    assert!(total.crossed > 0, "nothing ran: STALL={chosen:?} is no pair such as never/often");
    total
}

/// Every pair of patterns, then sinks that wait for an offer where there are sinks, then resets where they are wanted.
fn setups<B: Bench>(seed: u64, transactions: u64) -> impl Iterator<Item = Setup> {
    let lazy = [(Stall::Never, Stall::Lazy), (Stall::Often, Stall::Lazy)];
    let lazy = lazy.into_iter().filter(|_| !B::Dut::sinks().is_empty());
    let resets = [(Stall::Never, Stall::Never), (Stall::Often, Stall::Often), (Stall::Bursts, Stall::Rare)];
    let resets = resets.into_iter().filter(|_| B::RESETS);
    let setup = move |resets| move |(idle, back)| Setup { seed, idle, back, resets, transactions };
    Stall::matrix().chain(lazy).map(setup(false)).chain(resets.map(setup(true)))
}

/// Runs one setup; a failure is run once more for its waveform.
pub(crate) fn one<B: Bench>(setup: &Setup, plan: &Plan, test: &Test) -> Result<Report, Box<Failure>> {
    let (cycle, what) = match attempt::<B>(setup, plan, None) {
        Ok(report) => return Ok(report),
        Err(seen) => seen,
    };
    let mut failure = Failure { setup: *setup, cycle, what, wave: None, test: test.clone() };
    if let Ok(folder) = wave::folder() {
        let name = format!("{}-{}-{}.vcd", B::Dut::NAME, setup.seed, cell(setup).replace('/', "-"));
        let (path, window) = (folder.join(name), cycle.saturating_sub(BEFORE)..cycle + AFTER);
        // The run is the same, so it fails the same; only the file matters.
        let _ = attempt::<B>(setup, plan, Some((path.clone(), window)));
        failure.wave = Some(path);
    }
    Err(Box::new(failure))
}

type Seen = (u64, String);

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

/// One run. The model may panic (an overflow, an assertion), and so may the design (`$stop`): that is a failure like
/// any other.
fn attempt<B: Bench>(
    setup: &Setup,
    plan: &Plan,
    trace: Option<(PathBuf, Range<u64>)>,
) -> Result<Report, Seen> {
    let cycle = Cell::new(0);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut run = Run::<B>::new(setup, &cycle);
        if let Some((path, window)) = &trace {
            run.dut.trace(path, window.clone());
        }
        let result = run.until_done(plan);
        if let (Err(_), Some((_, window))) = (&result, &trace) {
            while run.dut.cycle() < window.end {
                run.cycle();
            }
        }
        result
    }));
    result.unwrap_or_else(|panic| Err((cycle.get(), format!("panic: {}", panic_text(&*panic)))))
}

type Sample<B> = fn(&<B as Bench>::Dut) -> <<B as Bench>::Monitor as Monitor>::Ports;

struct Run<'a, B: Bench> {
    dut: B::Dut,
    bench: B,
    watch: Watch<B::Monitor, Sample<B>>,
    resets: Resets,
    lazy: LazySinks,
    at: &'a Cell<u64>,
}

impl<'a, B: Bench> Run<'a, B> {
    fn new(setup: &Setup, at: &'a Cell<u64>) -> Self {
        let (bench, watch) = (B::new(setup), Watch::new(B::monitor(setup), B::ports as Sample<B>));
        let (resets, lazy) = (Resets::new(setup), LazySinks::new::<B::Dut>(setup));
        Self { dut: B::Dut::power_on(setup.seed as u32), bench, watch, resets, lazy, at }
    }

    fn until_done(&mut self, plan: &Plan) -> Result<Report, Seen> {
        let (mut quiet, mut progress, mut tail) = (0, 0, 0);
        while tail < plan.tail {
            self.cycle();
            if let Some(first) = self.watch.check().first() {
                return Err((first.cycle, first.to_string()));
            }
            quiet = if self.watch.check().progress() == progress { quiet + 1 } else { 0 };
            progress = self.watch.check().progress();
            tail = if self.bench.done() && self.watch.is_idle() { tail + 1 } else { 0 };
            if quiet > plan.patience {
                return Err(self.hang(quiet));
            }
        }
        self.watch.close();
        match self.watch.check().first() {
            Some(first) => Err((first.cycle, first.to_string())),
            None => Ok(self.watch.summary()),
        }
    }

    fn cycle(&mut self) {
        self.at.set(self.dut.cycle());
        if self.resets.high(self.bench.done()) {
            self.bench.reset();
            self.watch.forget();
            self.dut.reset(1);
            return;
        }
        self.bench.drive(&mut self.dut, self.watch.monitor());
        self.lazy.hold(&mut self.dut);
        self.dut.eval();
        self.lazy.look(&self.dut);
        let ports = B::ports(&self.dut);
        self.watch.ports(&ports, self.dut.cycle());
        self.bench.settle(&ports);
        self.dut.tick();
        self.lazy.restore(&mut self.dut);
    }

    fn hang(&self, quiet: u64) -> Seen {
        let (state, ports) = (self.watch.state(), self.dut.ports_text());
        let what = format!("hang: no transfer for {quiet} cycles{state}\n  ports:{ports}");
        (self.dut.cycle().saturating_sub(quiet), what)
    }
}

/// When `rst` is high: two cycles at the start, then, where resets are wanted, one to three at random cycles.
struct Resets {
    high: u32,
    rng: Option<rand_chacha::ChaCha8Rng>,
}

impl Resets {
    fn new(setup: &Setup) -> Self {
        Self { high: 2, rng: setup.resets.then(|| rng(setup.seed, "resets")) }
    }

    fn high(&mut self, done: bool) -> bool {
        if self.high == 0 {
            if let Some(rng) = self.rng.as_mut().filter(|_| !done) {
                if rng.gen_ratio(1, 300) {
                    self.high = rng.gen_range(1..=3);
                }
            }
        }
        let now = self.high > 0;
        self.high = self.high.saturating_sub(1);
        now
    }
}
