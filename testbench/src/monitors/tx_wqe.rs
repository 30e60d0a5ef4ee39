//! Work requests off the stream, packet by packet.

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::views::TxWqeView;
use heddle_model::tx::wqe;

/// A beat of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The packet's last.
    pub last: bool,
}

/// The block's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Stream.
    pub s: Link<Beat>,
    /// Record.
    pub w: Link<[u8; 64]>,
    /// A packet was discarded.
    pub bad: Link<()>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl TxWqeView) -> Self {
        let beat =
            || Beat { bytes: view.s_axis_wqe_tdata().bytes().to_vec(), last: view.s_axis_wqe_tlast().bit() };
        let record = || std::array::from_fn(|at| view.w_request().bytes()[at]);
        Self {
            s: Link::new(view.s_axis_wqe_tvalid().bit(), view.s_axis_wqe_tready().bit(), beat),
            w: Link::new(view.w_valid().bit(), view.w_ready().bit(), record),
            bad: Link::pulse(view.bad_valid().bit(), || ()),
        }
    }
}

/// The model's side.
#[derive(Debug)]
pub struct TxWqeMonitor {
    packet: Vec<u8>,
    s: Input<Beat>,
    packets: Input<()>,
    w: Output<[u8; 64]>,
    bad: Output<()>,
}

impl Default for TxWqeMonitor {
    fn default() -> Self {
        let (s, packets) = (Input::side("s"), Input::request("packets"));
        Self { packet: Vec::new(), s, packets, w: Output::answer("w"), bad: Output::answer("bad") }
    }
}

impl TxWqeMonitor {
    fn packet(&mut self, packet: &[u8], check: &mut Check) {
        let _ = self.packets.take(&Link::pulse(true, || ()), check);
        match wqe::on_packet(packet) {
            Some(_) => {
                check.cover("record");
                self.w.expect(packet.try_into().expect("the length of a record"), check);
            }
            None => {
                check.cover(if packet.len() < 64 { "too short" } else { "too long" });
                self.bad.expect((), check);
            }
        }
    }
}

impl Monitor for TxWqeMonitor {
    const NAME: &'static str = "tx_wqe";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(beat) = self.s.take(&ports.s, check) {
            self.packet.extend(beat.bytes);
            if beat.last {
                let packet = std::mem::take(&mut self.packet);
                self.packet(&packet, check);
            }
        }
        self.w.compare(&ports.w, check);
        self.bad.compare(&ports.bad, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.s, &self.packets, &self.w, &self.bad]
    }

    fn reset(&mut self) {
        self.packet.clear();
        self.s.reset();
        self.packets.reset();
        self.w.reset();
        self.bad.reset();
    }
}
