//! The transmit path against a second, independent implementation: one state per packet of absolute number,
//! absolute times, no maps, no ring, no wrap.

mod tx_oracle;

use heddle_model::map::RingMap;
use heddle_model::tx::path::{TxOp, TxPathIn, TxPathRow};
use heddle_model::{Psn, Time32};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tx_oracle::{Ack, Naive, Slot};

/// Absolute numbers start here, so that every distance behind is positive too.
const ORIGIN: i64 = 1 << 40;

/// A step, relative to the state it meets.
#[derive(Clone, Debug)]
enum Step {
    Plain(TxOp),
    Ack(AckStep),
    Init { first: u32 },
}

#[derive(Clone, Debug)]
struct AckStep {
    cum: Cum,
    /// Which packets beyond cum are newly reported, one bit each.
    news: [u64; 4],
    /// Whether what was reported before is reported again.
    remembers: bool,
    /// A ring slot that is set whatever it means.
    stray: Option<u8>,
    high: High,
    stamp: Stamp,
    routes_back: u8,
    reorder: u8,
}

#[derive(Clone, Debug)]
enum Cum {
    Forward(i64),
    Span(u8),
    At(i64),
}

#[derive(Clone, Debug)]
enum High {
    Honest,
    Off(i64),
}

#[derive(Clone, Debug)]
enum Stamp {
    Ago(u64),
    NearTn(i64),
    NearT1(i64),
    NearT0(i64),
    NearOldest(i64),
    Ahead(u64),
}

fn ack() -> impl Strategy<Value = AckStep> {
    let cum = prop_oneof![
        12 => (0i64..4).prop_map(Cum::Forward),
        3 => any::<u8>().prop_map(Cum::Span),
        1 => (-3i64..3).prop_map(Cum::At),
        1 => (-(1i64 << 23) + 1..(1i64 << 23) - 300).prop_map(Cum::At),
    ];
    let high = prop_oneof![
        20 => Just(High::Honest),
        2 => (-2i64..3).prop_map(High::Off),
        1 => (-(1i64 << 22)..(1i64 << 22)).prop_map(High::Off),
    ];
    let stamp = prop_oneof![
        4 => (0u64..400).prop_map(Stamp::Ago),
        4 => (-1i64..2).prop_map(Stamp::NearTn),
        4 => (-1i64..2).prop_map(Stamp::NearT1),
        4 => (-1i64..2).prop_map(Stamp::NearT0),
        1 => (-1i64..2).prop_map(Stamp::NearOldest),
        1 => prop_oneof![Just(1u64), 1u64..(1 << 31) - 1].prop_map(Stamp::Ahead),
    ];
    let news = (any::<[u64; 4]>(), any::<[u64; 4]>(), any::<bool>()).prop_map(|(a, b, dense)| {
        std::array::from_fn(|w| if dense { a[w] } else { a[w] & b[w] & (a[w] >> 7) })
    });
    (
        (cum, news, prop::bool::weighted(0.9), prop::option::weighted(0.03, any::<u8>())),
        (high, stamp),
        (
            prop_oneof![6 => Just(0u8), 1 => 0u8..3],
            prop_oneof![6 => Just(0u8), 1 => any::<u8>(), 1 => 0u8..8],
        ),
    )
        .prop_map(|((cum, news, remembers, stray), (high, stamp), (routes_back, reorder))| AckStep {
            cum,
            news,
            remembers,
            stray,
            high,
            stamp,
            routes_back,
            reorder,
        })
}

fn step() -> impl Strategy<Value = (Step, u64)> {
    let op = prop_oneof![
        50 => Just(Step::Plain(TxOp::Sent)),
        22 => Just(Step::Plain(TxOp::Resend)),
        30 => ack().prop_map(Step::Ack),
        4 => Just(Step::Plain(TxOp::Expire)),
        2 => Just(Step::Plain(TxOp::Voluntary)),
        2 => Just(Step::Plain(TxOp::VoluntaryTimeout)),
        2 => Just(Step::Plain(TxOp::Dead)),
        1 => any::<u32>().prop_map(|first| Step::Init { first }),
    ];
    // Several operations may fall into one tick; now and then an ACK takes longer than it may.
    (op, prop_oneof![40 => 0u64..20, 1 => (1u64 << 21) - 2..(1 << 21) + 3])
}

fn wire(p: i64) -> Psn {
    Psn::new(p as u32)
}

/// The ACK that `step` asks for, in absolute numbers.
fn resolve(step: &AckStep, naive: &Naive) -> Ack {
    let (base, next) = (naive.base, naive.next);
    let cum = match step.cum {
        Cum::Forward(n) => (base + n).min(next),
        Cum::Span(n) => base + i64::from(n) * (next - base) / 255,
        Cum::At(n) => base + n,
    };
    let new = |p: i64| step.news[(p - cum) as usize / 64] >> ((p - cum) % 64) & 1 == 1;
    let known = |p: i64| step.remembers && naive.slots.get(&p) == Some(&Slot::Received);
    let mut sack: Vec<i64> = (cum + 1..next.min(cum + 256)).filter(|p| known(*p) || new(*p)).collect();
    let honest_high = sack.last().copied().unwrap_or(cum - 1);
    sack.extend(step.stray.map(|slot| cum + (i64::from(slot) - cum).rem_euclid(256)));
    let near = |time: u64, n: i64| (time as i64 + n) as u64;
    let echo = match step.stamp {
        Stamp::Ago(n) => naive.now - n,
        Stamp::NearTn(n) => near(naive.tn, n),
        Stamp::NearT1(n) => near(naive.t1, n),
        Stamp::NearT0(n) => near(naive.t0, n),
        Stamp::NearOldest(n) => near(naive.now - (1 << 21), n),
        Stamp::Ahead(n) => naive.now + n,
    };
    let high = match step.high {
        High::Honest => honest_high,
        High::Off(n) => honest_high + n,
    };
    Ack { cum, high, sack, echo, route: naive.route - u64::from(step.routes_back), reorder: step.reorder }
}

fn check(first: u32, start: u32, steps: &[(Step, u64)]) -> Result<usize, TestCaseError> {
    let start = (1 << 33) + u64::from(start);
    let mut naive = Naive::new(ORIGIN + i64::from(first), start);
    let mut row = TxPathRow::default();
    let now = Time32::new(start as u32);
    row.apply(&TxPathIn { op: TxOp::Init, cum: Psn::new(first), now, ..TxPathIn::default() });
    let mut compared = 0;
    for (step, later) in steps {
        naive.now += later;
        let mut input = TxPathIn { now: Time32::new(naive.now as u32), ..TxPathIn::default() };
        let want = match step {
            Step::Plain(op) => {
                input.op = *op;
                naive.plain(*op)
            }
            Step::Init { first } => {
                (input.op, input.cum) = (TxOp::Init, Psn::new(*first));
                naive = Naive::new(ORIGIN + i64::from(*first), naive.now);
                naive.outcome()
            }
            Step::Ack(step) => {
                let ack = resolve(step, &naive);
                input = TxPathIn {
                    op: TxOp::Ack,
                    cum: wire(ack.cum),
                    high: wire(ack.high),
                    route: ack.route as u8,
                    ts: Time32::new(ack.echo as u32),
                    reorder: ack.reorder,
                    sack: ack.sack.iter().fold(RingMap::EMPTY, |map, p| map | RingMap::of(wire(*p))),
                    ..input
                };
                naive.ack(&ack)
            }
        };
        let out = row.apply(&input);
        prop_assert_eq!((out.op, out.now, out.ok, out.bad), (input.op, input.now, want.ok, want.bad));
        prop_assert_eq!(
            (out.base, out.next, out.route),
            (wire(naive.base), wire(naive.next), naive.route as u8)
        );
        prop_assert_eq!((out.psn, out.newly), (want.psn.map(wire), want.newly));
        let count =
            |wanted: fn(&Slot) -> bool| naive.slots.values().filter(|slot| wanted(slot)).count() as u16;
        prop_assert_eq!(out.inflight, count(|slot| *slot != Slot::Received));
        prop_assert_eq!(
            (out.waiting, out.lost),
            (count(|s| *s == Slot::Waiting), count(|s| *s == Slot::Waiting) > 0)
        );
        let members = |wanted: fn(&Slot) -> bool| {
            let psns = naive.slots.iter().filter(|(_, slot)| wanted(slot)).map(|(p, _)| *p);
            psns.fold(RingMap::EMPTY, |map, p| map | RingMap::of(wire(p)))
        };
        let maps = [
            members(|slot| *slot == Slot::Received),
            members(|slot| *slot == Slot::Waiting),
            members(|slot| matches!(slot, Slot::Resent { .. })),
            members(|slot| matches!(slot, Slot::Resent { old: true })),
        ];
        prop_assert_eq!(row.maps(), maps);
        compared += 1;
    }
    Ok(compared)
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 400, rng_seed: RngSeed::Fixed(257), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_output_of_the_transmit_path_agrees_with_one_state_per_packet(
        first in prop_oneof![any::<u32>(), Just(0), 0xFF_FF00u32..0x100_0000],
        start in prop_oneof![any::<u32>(), Just(u32::MAX - 4000)],
        burst in 0usize..=257,
        steps in prop::collection::vec(step(), 1..800),
    ) {
        let burst = std::iter::repeat_n((Step::Plain(TxOp::Sent), 1), burst);
        let steps: Vec<_> = burst.chain(steps).collect();
        prop_assert_eq!(check(first, start, &steps)?, steps.len());
    }
}
