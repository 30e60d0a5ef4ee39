//! Sinks that are not ready before they have seen an offer.

use super::bench::Setup;
use super::stall::Stall;
use crate::dut::Dut;

/// Takes `ready` away from every sink of a block whose offer has not waited for a cycle.
pub(crate) struct LazySinks {
    sinks: Vec<Sink>,
}

struct Sink {
    ready: usize,
    valid: usize,
    wanted: bool,
    waited: bool,
}

impl LazySinks {
    /// The sinks of `D`, when the pattern is [`Stall::Lazy`]; else none.
    pub fn new<D: Dut>(setup: &Setup) -> Self {
        let sinks = if setup.back == Stall::Lazy { D::sinks() } else { Vec::new() };
        let sink = |(ready, valid)| Sink { ready, valid, wanted: false, waited: false };
        Self { sinks: sinks.into_iter().map(sink).collect() }
    }

    /// After the stimulus has driven its inputs.
    pub fn hold(&mut self, dut: &mut impl Dut) {
        for sink in &mut self.sinks {
            sink.wanted = dut.model().bit(sink.ready);
            dut.model_mut().set_bit(sink.ready, sink.wanted && sink.waited);
        }
    }

    /// After the logic has settled.
    pub fn look(&mut self, dut: &impl Dut) {
        for sink in &mut self.sinks {
            sink.waited = dut.model().bit(sink.valid) && !dut.model().bit(sink.ready);
        }
    }

    /// After the clock edge: the stimulus finds its inputs as it left them.
    pub fn restore(&mut self, dut: &mut impl Dut) {
        for sink in &mut self.sinks {
            dut.model_mut().set_bit(sink.ready, sink.wanted);
        }
    }
}
