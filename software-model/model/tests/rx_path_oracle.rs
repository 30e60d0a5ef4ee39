//! The receive path against a second, independent implementation: sets of absolute packet numbers, no ring,
//! no wrap.

use heddle_model::map::RingMap;
use heddle_model::rx::path::{RxClass, RxOp, RxPathIn, RxPathRow};
use heddle_model::{Flags, Psn, Time32};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeSet;

/// Absolute numbers start here, so that every distance behind is positive too.
const ORIGIN: i64 = 1 << 40;

/// A receive path as the rules say it in words.
#[derive(Default)]
struct Naive {
    first: i64,
    received: BTreeSet<i64>,
    arrivals: Vec<(bool, bool)>,
    echo: Option<(u64, u8, u64)>,
}

impl Naive {
    fn cum(&self) -> i64 {
        (self.first..).find(|p| !self.received.contains(p)).expect("an unbounded range")
    }

    fn high(&self) -> i64 {
        self.received.last().copied().unwrap_or(self.first - 1)
    }

    fn beyond_cum(&self) -> BTreeSet<i64> {
        let cum = self.cum();
        self.received.iter().copied().filter(|p| *p > cum).collect()
    }

    fn classify(&self, p: i64, fault: bool) -> RxClass {
        let cum = self.cum();
        if p < cum || self.received.contains(&p) {
            RxClass::Duplicate
        } else if p >= cum + 256 {
            RxClass::OutOfWindow
        } else if fault {
            RxClass::Fault
        } else {
            RxClass::Accept
        }
    }
}

/// A step, relative to the state it meets.
#[derive(Clone, Debug)]
enum Step {
    Data { pick: Pick, ce: bool, fault: bool, route: u8 },
    Probe { route: u8 },
    Look,
    Init { first: u32 },
}

#[derive(Clone, Debug)]
enum Pick {
    NextBeyondHigh(i64),
    FromCum(i64),
    /// The n-th packet of the window that is missing, counted round.
    Missing(usize),
}

fn pick() -> impl Strategy<Value = Pick> {
    prop_oneof![
        6 => (1i64..3).prop_map(Pick::NextBeyondHigh),
        1 => (1i64..40).prop_map(Pick::NextBeyondHigh),
        2 => (-300i64..300).prop_map(Pick::FromCum),
        1 => (250i64..262).prop_map(Pick::FromCum),
        1 => (-(1i64 << 23)..(1i64 << 23)).prop_map(Pick::FromCum),
        4 => (0usize..64).prop_map(Pick::Missing),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        60 => (pick(), any::<bool>(), prop::bool::weighted(0.1), any::<u8>())
            .prop_map(|(pick, ce, fault, route)| Step::Data { pick, ce, fault, route }),
        2 => any::<u8>().prop_map(|route| Step::Probe { route }),
        2 => Just(Step::Look),
        1 => any::<u32>().prop_map(|first| Step::Init { first }),
    ]
}

fn wire(p: i64) -> Psn {
    Psn::new(p as u32)
}

fn ring(set: &BTreeSet<i64>) -> RingMap {
    set.iter().fold(RingMap::EMPTY, |map, p| map | RingMap::of(wire(*p)))
}

fn choose(naive: &Naive, pick: &Pick) -> i64 {
    match *pick {
        Pick::NextBeyondHigh(n) => naive.high() + n,
        Pick::FromCum(n) => naive.cum() + n,
        Pick::Missing(n) => {
            let (cum, high) = (naive.cum(), naive.high());
            let missing: Vec<i64> = (cum..=high.max(cum)).filter(|p| !naive.received.contains(p)).collect();
            missing[n % missing.len()]
        }
    }
}

fn check(first: u32, start: u32, steps: &[Step]) -> Result<usize, TestCaseError> {
    let mut naive = Naive { first: ORIGIN + i64::from(first), ..Naive::default() };
    let mut row = RxPathRow::default();
    row.apply(&RxPathIn { op: RxOp::Init, psn: wire(naive.first), ..RxPathIn::default() });
    let mut now = u64::from(start);
    let mut compared = 0;
    for step in steps {
        now += 3;
        let mut before = naive.beyond_cum();
        let (cum, high) = (naive.cum(), naive.high());
        let mut input = RxPathIn {
            now: Time32::new(now as u32),
            flags: Flags::from_bits(now as u8),
            ..RxPathIn::default()
        };
        let (mut class, mut open, mut close) = (None, false, false);
        match step {
            Step::Data { pick, ce, fault, route } => {
                let p = choose(&naive, pick);
                let verdict = naive.classify(p, *fault);
                input = RxPathIn { psn: wire(p), ce: *ce, fault: *fault, route: *route, ..input };
                input.ts = Time32::new((now - 2) as u32);
                if matches!(verdict, RxClass::Accept | RxClass::Duplicate) {
                    naive.arrivals.push((*ce, verdict == RxClass::Duplicate));
                    naive.echo = Some((now - 2, *route, now));
                }
                if verdict == RxClass::Accept {
                    naive.received.insert(p);
                    (open, close) = (p > high + 1, naive.cum() > cum + 1);
                }
                class = Some(verdict);
            }
            Step::Probe { route } => {
                input =
                    RxPathIn { op: RxOp::Probe, route: *route, ts: Time32::new((now - 2) as u32), ..input };
                naive.echo = Some((now - 2, *route, now));
            }
            Step::Look => input.op = RxOp::Look,
            Step::Init { first } => {
                input = RxPathIn { op: RxOp::Init, psn: Psn::new(*first), ..input };
                naive = Naive { first: ORIGIN + i64::from(*first), ..Naive::default() };
                before.clear();
            }
        }
        let out = row.apply(&input);
        let count =
            |wanted: fn(&(bool, bool)) -> bool| naive.arrivals.iter().filter(|a| wanted(a)).count() as u16;
        let (ts, route, at) = naive.echo.unwrap_or_default();
        prop_assert_eq!((out.op, out.flags, out.class), (input.op, input.flags, class));
        prop_assert_eq!((out.cum, out.high), (wire(naive.cum()), wire(naive.high())));
        prop_assert_eq!((out.open, out.close), (open, close));
        prop_assert_eq!((out.arrivals, out.ce, out.dup), (count(|_| true), count(|a| a.0), count(|a| a.1)));
        prop_assert_eq!((out.ts, out.route, out.at), (Time32::new(ts as u32), route, Time32::new(at as u32)));
        prop_assert_eq!(out.before, ring(&before));
        compared += 1;
    }
    Ok(compared)
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 400, rng_seed: RngSeed::Fixed(256), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_output_of_the_receive_path_agrees_with_sets_of_absolute_numbers(
        first in prop_oneof![any::<u32>(), Just(0), 0xFF_FF00u32..0x100_0000],
        start in prop_oneof![any::<u32>(), Just(u32::MAX - 40)],
        steps in prop::collection::vec(step(), 1..600),
    ) {
        prop_assert_eq!(check(first, start, &steps)?, steps.len());
    }
}
