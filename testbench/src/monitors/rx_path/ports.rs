//! The links of either receive path engine.

use crate::lockstep::Link;
use crate::views::{RxPathView, RxPathWideView};
use heddle_model::rx::path::{RxOp, RxPathIn, RxPathOut};
use heddle_model::{Flags, Psn, Time32};

/// An early verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// 0 accept, 1 duplicate, 2 out of window, 3 fault.
    pub class: u8,
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Operation.
    pub op: u8,
    /// Path index.
    pub path: u16,
    /// As in the verdict.
    pub class: u8,
    /// Flags of the packet.
    pub flags: u8,
    /// Cumulative PSN.
    pub cum: u32,
    /// Highest PSN.
    pub high: u32,
    /// A gap opened.
    pub open: bool,
    /// A gap closed.
    pub close: bool,
    /// Marked packets.
    pub ce: u16,
    /// Duplicates.
    pub dup: u16,
    /// Packets.
    pub arrivals: u16,
    /// Timestamp to echo.
    pub ts: u32,
    /// Route to echo.
    pub route: u8,
    /// Tick of that arrival.
    pub at: u32,
}

impl Row {
    /// What the model answers, as the ports show it.
    pub fn of(out: &RxPathOut) -> Self {
        Self {
            op: out.op as u8,
            path: out.path,
            class: out.class.map_or(0, |class| class as u8),
            flags: out.flags.bits(),
            cum: out.cum.get(),
            high: out.high.get(),
            open: out.open,
            close: out.close,
            ce: out.ce,
            dup: out.dup,
            arrivals: out.arrivals,
            ts: out.ts.get(),
            route: out.route,
            at: out.at.get(),
        }
    }
}

/// Words of a snapshot that come in one cycle, with their numbers.
pub type Words = Vec<(u8, u64)>;

/// The links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Operation going in.
    pub input: Link<RxPathIn>,
    /// Early verdict.
    pub v: Link<Verdict>,
    /// Snapshot words.
    pub z: Link<Words>,
    /// Result.
    pub out: Link<Row>,
}

/// The operation with this number on the port.
pub fn operation(number: u8) -> RxOp {
    [RxOp::Data, RxOp::Probe, RxOp::Look, RxOp::Init][usize::from(number)]
}

/// Both engines have these ports; the snapshot's differ.
macro_rules! sample {
    ($view:ident, $words:expr) => {
        Self {
            input: Link::new($view.in_valid().bit(), $view.in_ready().bit(), || RxPathIn {
                op: operation($view.in_op().u8()),
                path: $view.in_path().u16(),
                psn: Psn::new($view.in_psn().u32()),
                ce: $view.in_ce().bit(),
                fault: $view.in_fault().bit(),
                flags: Flags::from_bits($view.in_flags().u8()),
                ts: Time32::new($view.in_ts().u32()),
                route: $view.in_route().u8(),
                now: Time32::new($view.in_now().u32()),
            }),
            v: Link::pulse($view.v_valid().bit(), || Verdict { class: $view.v_class().u8() }),
            z: $words,
            out: Link::pulse($view.out_valid().bit(), || Row {
                op: $view.out_op().u8(),
                path: $view.out_path().u16(),
                class: $view.out_class().u8(),
                flags: $view.out_flags().u8(),
                cum: $view.out_cum().u32(),
                high: $view.out_high().u32(),
                open: $view.out_open().bit(),
                close: $view.out_close().bit(),
                ce: $view.out_ce().u16(),
                dup: $view.out_dup().u16(),
                arrivals: $view.out_arrivals().u16(),
                ts: $view.out_ts().u32(),
                route: $view.out_route().u8(),
                at: $view.out_at().u32(),
            }),
        }
    };
}

impl Ports {
    /// What the view of an engine with 64 lanes shows in this cycle.
    pub fn sample(view: &impl RxPathView) -> Self {
        let word = || vec![(view.z_index().u8(), view.z_word().u64())];
        sample!(view, Link::pulse(view.z_valid().bit(), word))
    }

    /// What the view of an engine with 256 lanes shows in this cycle.
    pub fn sample_wide(view: &impl RxPathWideView) -> Self {
        let words = || {
            let halves = view.z_sack().words();
            let word = |k: usize| u64::from(halves[2 * k]) | u64::from(halves[2 * k + 1]) << 32;
            (0..4).map(|k| (k as u8, word(k))).collect()
        };
        sample!(view, Link::pulse(view.out_valid().bit(), words))
    }
}
