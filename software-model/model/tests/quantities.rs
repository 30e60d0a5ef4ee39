//! docs/quantities.md is what the code computes with.

use heddle_model::core::{CongestionConfig, CoreConfig};
use heddle_model::lfsr::Lfsr;
use heddle_model::map::WINDOW;
use heddle_model::rx::ack::AckConfig;
use heddle_model::rx::ack_route;
use heddle_model::rx::hint::{self, HintConfig, RxHint};
use heddle_model::tx::msg::Slice;
use heddle_model::tx::pace::{self, PaceConfig, PaceRow};
use heddle_model::tx::route::{self, RouteConfig};
use heddle_model::tx::rto::{self, RtoConfig, RtoRow, SentAs};
use heddle_model::tx::{cc, congested, path, reorder, sched};
use heddle_wire::{Hint, Psn, Seq16, Time32};
use std::collections::BTreeMap;

const PAGE: &str = include_str!("../../../docs/quantities.md");

/// Rows of the table below a heading, cell by cell.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, rest) = PAGE.split_once(heading).unwrap_or_else(|| panic!("no {heading}"));
    let section = rest.split("\n## ").next().unwrap_or(rest);
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

fn number(cell: &str) -> u64 {
    cell.replace(',', "").parse().unwrap_or_else(|e| panic!("{cell}: {e}"))
}

fn bits(greatest: u64) -> u64 {
    u64::from(u64::BITS - greatest.leading_zeros())
}

#[test]
fn every_constant_of_the_page_is_the_one_in_the_code() {
    let code: BTreeMap<&str, u64> = [
        ("path::MAX_ECHO_AGE_TICKS", path::MAX_ECHO_AGE_TICKS.into()),
        ("rto::MAX_INTERVAL_TICKS", rto::MAX_INTERVAL_TICKS.into()),
        ("rto::REPEAT_TICKS", rto::REPEAT_TICKS.into()),
        ("rto::REPEAT_JITTER_TICKS", rto::REPEAT_JITTER_TICKS.into()),
        ("rto::DEAD_AFTER", rto::DEAD_AFTER.into()),
        ("rto::DEAD_AFTER_WITHOUT_SAMPLE", rto::DEAD_AFTER_WITHOUT_SAMPLE.into()),
        ("reorder::MAX_GUARD", reorder::MAX_GUARD.into()),
        ("cc::FLOOR", cc::FLOOR.into()),
        ("cc::CAP", cc::CAP.into()),
        ("cc::START", cc::START.into()),
        ("pace::TICK", pace::TICK),
        ("pace::START_AGE", pace::START_AGE),
        ("pace::STALE_AGE", pace::STALE_AGE),
        ("pace::MEMORY_AGE", pace::MEMORY_AGE),
        ("pace::LONGEST_GAP", pace::LONGEST_GAP),
        ("pace::MAX_BLIND", pace::MAX_BLIND.into()),
        ("pace::LATE_PACKETS", pace::LATE_PACKETS.into()),
        ("pace::AGE_BITS", pace::AGE_BITS.into()),
        ("pace::MOST_TIMES", pace::MOST_TIMES.into()),
        ("sched::PLENTY", sched::PLENTY.into()),
        ("hint::INTERVAL_TICKS", hint::INTERVAL_TICKS.into()),
        ("hint::INTERVAL_UNITS", hint::INTERVAL_UNITS),
        ("hint::NEWCOMER_TICKS", hint::NEWCOMER_TICKS.into()),
        ("hint::SILENCE_TICKS", hint::SILENCE_TICKS.into()),
        ("hint::MAX_PERIODS", hint::MAX_PERIODS.into()),
        ("hint::DRAIN_Q16", hint::DRAIN_Q16),
        ("hint::ALONE_Q16", hint::ALONE_Q16),
        ("hint::MAC_BYTES", hint::MAC_BYTES.into()),
        ("hint::WINDOW_PACKETS", hint::WINDOW_PACKETS.into()),
        ("hint::MAX_WINDOW", hint::MAX_WINDOW.into()),
        ("route::MAX_PLANES", route::MAX_PLANES.into()),
        ("route::MAX_PATHS", route::MAX_PATHS.into()),
        ("route::FIRST_PORT", route::FIRST_PORT.into()),
        ("RouteConfig::SUSPECT_TICKS", RouteConfig::SUSPECT_TICKS.into()),
        ("RouteConfig::BUDGET_TICKS", RouteConfig::BUDGET_TICKS.into()),
        ("RouteConfig::MAX_BUDGET_TICKS", RouteConfig::MAX_BUDGET_TICKS.into()),
        ("congested::HEAVY_ROUNDS", congested::HEAVY_ROUNDS.into()),
        ("congested::DWELL_ROUNDS", congested::DWELL_ROUNDS.into()),
        ("ack_route::MOVE_TICKS", ack_route::MOVE_TICKS.into()),
        ("ack_route::FORGET_TICKS", ack_route::FORGET_TICKS.into()),
    ]
    .into();
    let page: BTreeMap<&str, u64> =
        table("## Constants").iter().map(|row| (row[0], number(row[1]))).collect();
    assert_eq!(page, code);
}

#[test]
fn the_width_of_every_quantity_is_the_least_that_holds_it() {
    let rows = table("## State and intermediate results");
    for row in &rows {
        let [name, _, width, _, least, greatest, _, _] = row[..] else { panic!("{row:?}") };
        if greatest == "wraps" {
            assert_eq!(number(least), 0, "{name}");
            continue;
        }
        assert!(number(least) <= number(greatest), "{name}");
        assert_eq!(bits(number(greatest)), number(width), "{name}");
    }
    assert_eq!(rows.len(), 60);
}

/// The greatest values that follow from others, and those that the code refuses to exceed.
#[test]
fn bounds_and_initial_values_are_those_of_the_code() {
    let rows = table("## State and intermediate results");
    let row = |name: &str| {
        let found = rows.iter().find(|row| row[0] == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    let (least, greatest) = (|name| number(row(name)[4]), |name| number(row(name)[5]));
    let initial = |name| number(row(name)[7]);

    assert_eq!((least("cwnd"), greatest("cwnd")), (cc::FLOOR.into(), cc::CAP.into()));
    let window = cc::CcRow::new(Psn::new(0));
    assert_eq!(initial("cwnd"), u64::from(window.packets() * cc::PACKET));
    assert_eq!((initial("alpha"), greatest("alpha")), (window.alpha().into(), cc::ALPHA_ONE.into()));
    assert_eq!(greatest("grown"), greatest("cwnd") - 1);
    assert_eq!(greatest("known, lost"), greatest("cwnd") / 256 - 1);
    assert_eq!(greatest("next - base, newly, in flight, waiting"), WINDOW.into());
    assert_eq!(greatest("reorder guard"), reorder::MAX_GUARD.into());
    assert_eq!(greatest("arrivals since the last ACK"), AckConfig::MAX_ARRIVALS.into());
    assert_eq!(initial("T"), RtoConfig::DEFAULT.ack_delay_ticks().into());
    assert_eq!(initial("T"), AckConfig::DEFAULT.delay_ticks().into());
    assert_eq!(initial("RTO0"), RtoConfig::DEFAULT.rto0_ticks().into());
    assert!(RtoConfig::new(250, greatest("RTO0") as u32).is_ok());
    assert!(RtoConfig::new(250, greatest("RTO0") as u32 + 1).is_err());

    let routes =
        |planes, suspect, budget| RouteConfig::with_times(planes as u8, suspect as u32, budget as u32);
    let [planes, suspect, budget] = ["planes", "time that a plane is suspect", "retry budget"].map(greatest);
    assert!(routes(planes, suspect, budget).is_ok());
    assert!(routes(planes + 1, suspect, budget).is_err());
    assert!(routes(planes, suspect + 1, budget).is_err());
    assert!(routes(planes, suspect, budget + 1).is_err());
    assert_eq!(initial("time that a plane is suspect"), RouteConfig::SUSPECT_TICKS.into());
    assert_eq!(initial("retry budget"), RouteConfig::BUDGET_TICKS.into());
    assert_eq!(greatest("paths of a connection on a plane"), route::MAX_PATHS.into());
    assert_eq!(least("source port"), route::FIRST_PORT.into());
    assert_eq!(greatest("heavy rounds in a row"), congested::HEAVY_ROUNDS.into());
    assert_eq!(greatest("dwell"), congested::DWELL_ROUNDS.into());

    assert_eq!(greatest("time per byte of a hint"), Hint::SLOWEST.decode());
    assert_eq!(greatest("g, owed x hint"), pace::LONGEST_GAP);
    assert_eq!(greatest("min RTT"), (1 << pace::RTT_BITS) - 1);
    assert_eq!(greatest("shortest, current and earlier minimum of RTT"), greatest("min RTT"));
    let rtt = |ticks| PaceConfig::new(ticks, 4);
    assert_eq!(rtt(initial("min RTT") as u32), Ok(PaceConfig::DEFAULT));
    assert!(rtt(greatest("min RTT") as u32).is_ok() && rtt(greatest("min RTT") as u32 + 1).is_err());
    assert_eq!(greatest("stretch"), pace::MAX_STRETCH.into());
    let quarters = (5 + greatest("stretch")) * greatest("min RTT") + 4 * greatest("T");
    assert_eq!(greatest("1.25 min RTT + T, stretched"), quarters * pace::TICK / 4);
    assert_eq!(least("1.25 min RTT + T, stretched"), pace::TICK / 4);
    assert_eq!(greatest("in flight of a connection"), 64 * u64::from(WINDOW));
    assert_eq!(greatest("in flight x g"), greatest("in flight of a connection") * pace::LONGEST_GAP);
    assert_eq!(greatest("blind"), pace::MAX_BLIND.into());
    assert_eq!(greatest("late"), pace::LATE_PACKETS.into());
    let left = [u64::MAX, 1 << 16, (1 << 16) - 1].map(|queued| u64::from(Slice::left_of(queued)));
    assert_eq!(left, [greatest("left"); 3]);
    assert_eq!(greatest("periods of gathering"), hint::MAX_PERIODS.into());

    assert_eq!(
        (least("target"), greatest("target")),
        (HintConfig::MIN_TARGET.into(), HintConfig::MAX_TARGET.into())
    );
    assert_eq!(
        (least("target of a plane"), greatest("target of a plane")),
        (least("target"), greatest("target"))
    );
    assert_eq!(greatest("intervals of a window"), hint::MAX_WINDOW.into());
    assert_eq!(greatest("DATA packets of a window"), 2 * greatest("planes") * greatest("n"));
    assert!(greatest("bytes of a window") > greatest("intervals of a window") * 16 * greatest("target"));
    assert_eq!(greatest("in flight of a connection on a plane"), greatest("in flight of a connection"));
    assert_eq!(greatest("L x 8"), 8 * greatest("target"));
    assert_eq!(least("B"), hint::INTERVAL_UNITS.div_ceil(greatest("target")));
    assert_eq!(greatest("B"), hint::INTERVAL_UNITS / (least("target") / 8));
    assert_eq!(greatest("n"), 1 << 16);
    assert_eq!(greatest("B x n"), greatest("B") * greatest("n"));
    assert_eq!(least("B x n"), (least("B") * hint::ALONE_Q16).div_ceil(1 << 16));
    assert_eq!(Lfsr::new(CoreConfig::default().seed), Lfsr::new(initial("random register") as u32));
    assert_eq!(Lfsr::new(0), Lfsr::new(greatest("random register") as u32));
}

/// The widest results, computed by the blocks themselves.
#[test]
fn the_greatest_values_are_reached_and_not_exceeded() {
    let rows = table("## State and intermediate results");
    let greatest = |name: &str| number(rows.iter().find(|row| row[0] == name).expect("named above")[5]);

    // The largest packet, and the largest draw: 1 1/8 packets are owed at most.
    let packet = greatest("bytes of a full packet") as u32;
    let mut row = PaceRow::new(packet);
    assert!(row.on_hint(Hint::from_bits(1), Seq16::new(0), 0));
    row.on_sent(packet, 0, u16::MAX);
    assert_eq!(row.due(), Some(greatest("owed")));

    let mut port = RxHint::new(1, HintConfig::new(HintConfig::MIN_TARGET).expect("the least"));
    let crowd = hint::Arrived { conn: 0, plane: 0, limited: false, bytes: u32::MAX, ce: Some(false) };
    let mut now = Time32::new(0);
    for _ in 0..300 {
        port.on_arrival(&crowd, now);
        now = now.plus(hint::INTERVAL_TICKS);
    }
    assert_eq!(port.hint(now), Hint::encode((greatest("B") * hint::ALONE_Q16).div_ceil(1 << 16)));

    let mut path = RtoRow::default();
    path.on_sent(SentAs::New, Time32::new(0), &RtoConfig::DEFAULT, 0);
    path.on_ack(Some((1 << rto::SAMPLE_BITS) - 1), 1, 1, Time32::new(0), &RtoConfig::DEFAULT);
    assert!(u64::from(path.srtt_ticks().expect("a sample")) * 8 <= greatest("srtt, rttvar"));
    assert!(CongestionConfig::new(u32::MAX, 1250, 4).is_err());
}
