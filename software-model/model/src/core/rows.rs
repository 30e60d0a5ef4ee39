//! Rows of a path that lie side by side here: an event that looks at one looks at the others. In the RTL each stands in its block's memory.

use crate::rx::path::RxPathRow;
use crate::tx::arrivals::ArrivalsRow;
use crate::tx::cc::CcRow;
use crate::tx::congested::CongestedRow;
use crate::tx::path::TxPathRow;
use crate::tx::reorder::ReorderRow;
use crate::tx::rto::RtoRow;
use crate::tx::telemetry::PathCounts;
use heddle_wire::Psn;

/// One path.
#[derive(Clone, Debug)]
pub(super) struct PathRows {
    pub(super) tx: TxPathRow,
    pub(super) rto: RtoRow,
    /// cwnd, where congestion control is on.
    pub(super) window: CcRow,
    /// Counters that ACKs brought, and what they and others add up to.
    pub(super) arrivals: ArrivalsRow,
    pub(super) counts: PathCounts,
    /// Where there are routes.
    pub(super) reorder: ReorderRow,
    pub(super) congested: CongestedRow,
    pub(super) rx: RxPathRow,
}

impl Default for PathRows {
    fn default() -> Self {
        Self {
            tx: TxPathRow::default(),
            rto: RtoRow::default(),
            window: CcRow::new(Psn::new(0)),
            arrivals: ArrivalsRow::default(),
            counts: PathCounts::default(),
            reorder: ReorderRow::default(),
            congested: CongestedRow::default(),
            rx: RxPathRow::default(),
        }
    }
}
