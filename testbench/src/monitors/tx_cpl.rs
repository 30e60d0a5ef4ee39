//! Completions onto the stream.

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::views::TxCplView;

/// A beat of the stream: the bytes whose keep bit is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Keep bits.
    pub keep: u64,
    /// The bytes that are kept.
    pub bytes: Vec<u8>,
    /// The packet's last.
    pub last: bool,
}

/// The block's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Record.
    pub cpl: Link<[u8; 32]>,
    /// Stream.
    pub m: Link<Beat>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl TxCplView) -> Self {
        let beat = || {
            let keep = view.m_axis_cpl_tkeep().u64();
            let data = view.m_axis_cpl_tdata().bytes().iter().enumerate();
            let bytes = data.filter(|(at, _)| keep >> at & 1 == 1).map(|(_, byte)| *byte).collect();
            Beat { keep, bytes, last: view.m_axis_cpl_tlast().bit() }
        };
        let record = || std::array::from_fn(|at| view.cpl_record().bytes()[at]);
        Self {
            cpl: Link::new(view.cpl_valid().bit(), view.cpl_ready().bit(), record),
            m: Link::new(view.m_axis_cpl_tvalid().bit(), view.m_axis_cpl_tready().bit(), beat),
        }
    }
}

/// The other side: a record is one packet of its bytes, the first in the low lane.
#[derive(Debug)]
pub struct TxCplMonitor {
    width: usize,
    cpl: Input<[u8; 32]>,
    m: Output<Beat>,
}

impl TxCplMonitor {
    /// A monitor of a stream of `width` bytes.
    pub fn new(width: usize) -> Self {
        Self { width, cpl: Input::request("cpl"), m: Output::side("m") }
    }
}

impl Monitor for TxCplMonitor {
    const NAME: &'static str = "tx_cpl";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(record) = self.cpl.take(&ports.cpl, check) {
            check.cover("record");
            self.cpl.explain("a packet");
            let beats = record.len().div_ceil(self.width);
            for (at, bytes) in record.chunks(self.width).enumerate() {
                let keep = (1 << bytes.len()) - 1;
                self.m.expect(Beat { keep, bytes: bytes.to_vec(), last: at + 1 == beats }, check);
            }
        }
        self.m.compare(&ports.m, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.cpl, &self.m]
    }

    fn reset(&mut self) {
        self.cpl.reset();
        self.m.reset();
    }
}
