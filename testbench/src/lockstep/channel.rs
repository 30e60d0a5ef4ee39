//! The channels of a monitor: what goes into the model, and what has to come out.

use super::check::{difference, Check};
use super::link::{Handshake, Link};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// What a report needs of a channel.
pub trait Channel {
    /// Name, that of the link.
    fn name(&self) -> &'static str;
    /// Requests that crossed: 0 for other channels.
    fn requests(&self) -> u64;
    /// Answers compared: 0 for other channels.
    fn answers(&self) -> u64;
    /// Transactions seen, of any kind.
    fn crossed(&self) -> u64;
    /// Expected and not seen, or seen and not expected yet.
    fn pending(&self) -> usize;
    /// Why requests had no answer, counted.
    fn reasons(&self) -> BTreeMap<&'static str, u64>;
    /// Cycles from queueing an expected transaction to its being offered: shortest and longest.
    fn latency(&self) -> Option<RangeInclusive<u64>>;
    /// Mean of the cycles from one transaction to the next, over the whole run.
    fn interval(&self) -> Option<f64>;
    /// State in words, for the report of a hang.
    fn state(&self) -> String;
    /// Forgets what is under way; the counts stay.
    fn reset(&mut self);
}

/// Transactions that go into the block.
#[derive(Clone, Debug)]
pub struct Input<T> {
    name: &'static str,
    request: bool,
    stable: bool,
    crossed: u64,
    reasons: BTreeMap<&'static str, u64>,
    handshake: Handshake<T>,
    span: Span,
}

/// Cycles of the first and the last transaction, and how many there were.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: Option<u64>,
    last: u64,
    count: u64,
}

impl Span {
    fn crossed(&mut self, cycle: u64) {
        self.first.get_or_insert(cycle);
        self.last = cycle;
        self.count += 1;
    }

    fn mean(&self) -> Option<f64> {
        let first = self.first.filter(|_| self.count > 1)?;
        Some((self.last - first) as f64 / (self.count - 1) as f64)
    }
}

impl<T: Clone + PartialEq + Debug> Input<T> {
    /// A link whose every transaction needs one answer, or one reason why there is none.
    pub fn request(name: &'static str) -> Self {
        let (reasons, handshake, span) = (BTreeMap::new(), Handshake::new(), Span::default());
        Self { name, request: true, stable: true, crossed: 0, reasons, handshake, span }
    }

    /// A link that belongs to requests of another link.
    pub fn side(name: &'static str) -> Self {
        Self { request: false, ..Self::request(name) }
    }

    /// Lets the offer change, or go, before it is taken: the block looks at it only when it takes it, and whoever
    /// offers chooses anew in every cycle (an arbiter in front of the block).
    pub fn chosen_anew(mut self) -> Self {
        self.stable = false;
        self
    }

    /// The transaction that crosses in this cycle, if one does.
    pub fn take(&mut self, link: &Link<T>, check: &mut Check) -> Option<T> {
        if self.stable {
            report_broken(self.name, &mut self.handshake, link, check);
        }
        let taken = link.crossing().cloned()?;
        self.crossed += 1;
        self.span.crossed(check.cycle());
        check.moved();
        Some(taken)
    }

    /// Accounts for one request that has no answer.
    pub fn explain(&mut self, reason: &'static str) {
        *self.reasons.entry(reason).or_default() += 1;
    }
}

impl<T: Clone + PartialEq + Debug> Channel for Input<T> {
    fn name(&self) -> &'static str {
        self.name
    }
    fn requests(&self) -> u64 {
        if self.request {
            self.crossed
        } else {
            0
        }
    }
    fn answers(&self) -> u64 {
        0
    }
    fn crossed(&self) -> u64 {
        self.crossed
    }
    fn pending(&self) -> usize {
        0
    }
    fn reasons(&self) -> BTreeMap<&'static str, u64> {
        self.reasons.clone()
    }
    fn latency(&self) -> Option<RangeInclusive<u64>> {
        None
    }
    fn interval(&self) -> Option<f64> {
        self.span.mean()
    }
    fn state(&self) -> String {
        let offered = if self.handshake.is_waiting() { ", one offered and not taken" } else { "" };
        format!("{}: {} in{offered}", self.name, self.crossed)
    }
    fn reset(&mut self) {
        self.handshake.reset();
    }
}

/// Transactions that come out of the block, compared in order with what the model expects.
#[derive(Clone, Debug)]
pub struct Output<T> {
    name: &'static str,
    answer: bool,
    early: usize,
    expected: VecDeque<(u64, T)>,
    seen: VecDeque<(u64, T)>,
    compared: u64,
    latency: Option<(u64, u64)>,
    handshake: Handshake<T>,
    span: Span,
}

impl<T: Clone + PartialEq + Debug> Output<T> {
    /// A link whose every transaction answers one request.
    pub fn answer(name: &'static str) -> Self {
        Self {
            name,
            answer: true,
            early: 0,
            expected: VecDeque::new(),
            seen: VecDeque::new(),
            compared: 0,
            latency: None,
            handshake: Handshake::new(),
            span: Span::default(),
        }
    }

    /// A link that shows more than, or something else than, one transaction per request.
    pub fn side(name: &'static str) -> Self {
        Self { answer: false, ..Self::answer(name) }
    }

    /// Lets the RTL be up to `count` transactions ahead of what the model has been told (cut-through
    /// streams, whose model answers when it has the whole frame). Without it, an output before its cause is
    /// a mismatch.
    pub fn ahead(mut self, count: usize) -> Self {
        self.early = count;
        self
    }

    /// Queues what the model answers, in the cycle in which its cause crosses.
    pub fn expect(&mut self, transaction: T, check: &mut Check) {
        self.expect_since(check.cycle(), transaction, check);
    }

    /// Queues what the model could not answer at once: its cause crossed in the cycle `since`.
    pub fn expect_since(&mut self, since: u64, transaction: T, check: &mut Check) {
        self.expected.push_back((since, transaction));
        self.settle(check);
    }

    /// Compares what crosses in this cycle; call in every cycle, after the inputs.
    pub fn compare(&mut self, link: &Link<T>, check: &mut Check) {
        let fresh = !self.handshake.is_waiting();
        report_broken(self.name, &mut self.handshake, link, check);
        if let Some(offered) = link.offered() {
            self.offered(offered, fresh, check);
        }
        if let Some(seen) = link.crossing() {
            check.moved();
            self.span.crossed(check.cycle());
            self.seen.push_back((check.cycle(), seen.clone()));
            self.settle(check);
        }
    }

    fn offered(&mut self, offered: &T, fresh: bool, check: &mut Check) {
        let ahead = self.seen.len() + 1;
        if self.expected.is_empty() && ahead > self.early {
            self.surplus(offered, check);
        }
        if let (true, Some((since, _))) = (fresh, self.expected.front()) {
            let cycles = check.cycle() - since;
            let (low, high) = self.latency.unwrap_or((cycles, cycles));
            self.latency = Some((low.min(cycles), high.max(cycles)));
        }
    }

    fn surplus(&self, offered: &T, check: &mut Check) {
        check.mismatch(self.name, format!("rtl offers {offered:x?}, model has nothing left to expect"));
    }

    fn settle(&mut self, check: &mut Check) {
        while let (Some((_, want)), Some((_, seen))) = (self.expected.front(), self.seen.front()) {
            if want != seen {
                let what = difference(seen, want);
                check.mismatch(self.name, format!("transaction {}: {what}", self.compared));
            }
            self.compared += 1;
            self.expected.pop_front();
            self.seen.pop_front();
        }
        // A surplus that was reported when it was offered does not stay to shift the rest.
        self.seen.truncate(self.early);
    }
}

impl<T: Clone + PartialEq + Debug> Channel for Output<T> {
    fn name(&self) -> &'static str {
        self.name
    }
    fn requests(&self) -> u64 {
        0
    }
    fn answers(&self) -> u64 {
        if self.answer {
            self.compared
        } else {
            0
        }
    }
    fn crossed(&self) -> u64 {
        self.compared + self.seen.len() as u64
    }
    fn pending(&self) -> usize {
        self.expected.len() + self.seen.len()
    }
    fn reasons(&self) -> BTreeMap<&'static str, u64> {
        BTreeMap::new()
    }
    fn latency(&self) -> Option<RangeInclusive<u64>> {
        self.latency.map(|(low, high)| low..=high)
    }
    fn interval(&self) -> Option<f64> {
        self.span.mean()
    }
    fn state(&self) -> String {
        let next = self.expected.front().map(|(since, t)| format!(", next (cycle {since}) {t:x?}"));
        let (name, compared, next) = (self.name, self.compared, next.unwrap_or_default());
        format!(
            "{name}: {compared} compared, {} expected, {} early{next}",
            self.expected.len(),
            self.seen.len()
        )
    }
    fn reset(&mut self) {
        self.handshake.reset();
        self.expected.clear();
        self.seen.clear();
    }
}

fn report_broken<T: Clone + PartialEq + Debug>(
    name: &'static str,
    handshake: &mut Handshake<T>,
    link: &Link<T>,
    check: &mut Check,
) {
    match handshake.broken(link) {
        None => {}
        Some((was, None)) => check.mismatch(name, format!("valid fell before ready, offered was {was:x?}")),
        Some((was, Some(is))) => {
            check.mismatch(name, format!("payload changed before ready: was {was:x?}, is {is:x?}"));
        }
    }
}
