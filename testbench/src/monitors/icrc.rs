//! The ICRC engine's monitor: packets in, a verdict and a word out for each.

use crate::duts::{Icrc, Icrc512};
use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::views::IcrcView;
use crate::wide;
use crate::Dut;
use heddle_model::icrc::on_packet;
use rand::RngCore;
use std::collections::VecDeque;

/// One beat of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// The whole beat, zeros outside of the packet.
    pub bytes: Vec<u8>,
    /// The packet starts in this beat.
    pub first: bool,
    /// The packet ends in this beat.
    pub last: bool,
    /// With `first`: the code of the byte at which it starts.
    pub skip: u8,
    /// With `last`: bytes of the beat, 0 for all.
    pub tail: u8,
}

/// Byte of its first beat at which a packet with this code starts, in beats of `width` bytes.
pub fn skipped(skip: u8, width: usize) -> usize {
    [0, 14 % width, 18 % width][usize::from(skip)]
}

/// Cuts a packet into beats of `width` bytes.
pub fn beats(packet: &[u8], skip: u8, width: usize) -> Vec<Beat> {
    let mut padded = vec![0; skipped(skip, width)];
    padded.extend(packet);
    let tail = (padded.len() % width) as u8;
    padded.resize(padded.len().next_multiple_of(width), 0);
    let count = padded.len() / width;
    let beat = |(i, bytes): (usize, &[u8])| Beat {
        bytes: bytes.to_vec(),
        first: i == 0,
        last: i + 1 == count,
        skip,
        tail,
    };
    padded.chunks(width).enumerate().map(beat).collect()
}

/// The engine's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// A beat going in.
    pub input: Link<Beat>,
    /// Verdict.
    pub k: Link<bool>,
    /// Word.
    pub w: Link<u32>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl IcrcView) -> Self {
        let taken = || Beat {
            bytes: view.in_data().bytes().to_vec(),
            first: view.in_first().bit(),
            last: view.in_last().bit(),
            skip: view.in_skip().u8(),
            tail: view.in_tail().u8(),
        };
        Self {
            input: Link::pulse(view.in_valid().bit(), taken),
            k: Link::pulse(view.k_valid().bit(), || view.k_good().bit()),
            w: Link::pulse(view.w_valid().bit(), || view.w_icrc().u32()),
        }
    }
}

/// An engine of either width.
pub trait IcrcDut: Dut + IcrcView {
    /// Bytes per beat.
    const BYTES: usize;
    /// Drives a beat, or an idle cycle with noise on the payload.
    fn drive(&mut self, beat: Option<&Beat>, rng: &mut impl RngCore);
}

macro_rules! icrc_dut {
    ($dut:ty, $bytes:literal, |$given:ident| $from_bytes:expr) => {
        impl IcrcDut for $dut {
            const BYTES: usize = $bytes;

            fn drive(&mut self, beat: Option<&Beat>, rng: &mut impl RngCore) {
                while {
                    self.noise("in_", rng);
                    self.in_skip() > 2
                } {}
                self.set_in_valid(beat.is_some());
                if let Some(beat) = beat {
                    let mut $given: [u8; $bytes] = [0; $bytes];
                    $given.copy_from_slice(&beat.bytes);
                    self.set_in_data($from_bytes);
                    self.set_in_first(beat.first);
                    self.set_in_last(beat.last);
                    if beat.first {
                        self.set_in_skip(beat.skip);
                    }
                    if beat.last {
                        self.set_in_tail(beat.tail);
                    }
                }
            }
        }
    };
}

icrc_dut!(Icrc, 8, |bytes| u64::from_le_bytes(bytes));
icrc_dut!(Icrc512, 64, |bytes| &wide::from_bytes(&bytes));

/// The model's side.
#[derive(Debug)]
pub struct IcrcMonitor {
    width: usize,
    packet: Vec<u8>,
    /// The frame under way has come to its packet.
    begun: bool,
    packets: Input<Vec<u8>>,
    k: Output<bool>,
    w: Output<u32>,
    /// Of the answers on `k` and on `w` to come: there was a packet. What is said of a frame without one means nothing, and nobody looks.
    meant: [VecDeque<bool>; 2],
}

impl IcrcMonitor {
    /// A monitor of an engine with beats of `width` bytes.
    pub fn new(width: usize) -> Self {
        let (packets, k, w) = (Input::request("in"), Output::answer("k"), Output::side("w"));
        Self { width, packet: Vec::new(), begun: false, packets, k, w, meant: Default::default() }
    }

    fn take(&mut self, beat: &Beat, check: &mut Check) {
        let start = if beat.first { skipped(beat.skip, self.width) } else { 0 };
        let end = match (beat.last, usize::from(beat.tail)) {
            (true, 1..) => beat.tail.into(),
            _ => self.width,
        };
        if beat.first {
            self.packet.clear();
            self.begun = end > start;
        }
        self.packet.extend(beat.bytes.get(start..end).unwrap_or_default());
        if beat.last {
            let packet = std::mem::take(&mut self.packet);
            let meant = std::mem::take(&mut self.begun);
            self.meant.iter_mut().for_each(|answers| answers.push_back(meant));
            if !meant {
                let _ = self.packets.take(&Link::pulse(true, || packet), check);
                self.packets.explain("no packet");
                return;
            }
            let out = on_packet(&packet);
            let _ = self.packets.take(&Link::pulse(true, || packet), check);
            check.cover(if out.good { "good" } else { "bad" });
            self.k.expect(out.good, check);
            self.w.expect(out.icrc, check);
        }
    }
}

impl Monitor for IcrcMonitor {
    const NAME: &'static str = "icrc";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(beat) = ports.input.crossing() {
            self.take(beat, check);
        }
        let [k, w] = &mut self.meant;
        if ports.k.crossing().is_none() || k.pop_front() != Some(false) {
            self.k.compare(&ports.k, check);
        }
        if ports.w.crossing().is_none() || w.pop_front() != Some(false) {
            self.w.compare(&ports.w, check);
        }
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.packets, &self.k, &self.w]
    }

    fn reset(&mut self) {
        self.packet.clear();
        self.begun = false;
        self.meant = Default::default();
        self.packets.reset();
        self.k.reset();
        self.w.reset();
    }
}
