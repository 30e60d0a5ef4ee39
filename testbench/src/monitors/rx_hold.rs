//! The hold's monitor: what parser and ICRC engine say in, frames and their payloads out.

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::monitors::rx_verdict::Disposition;
use crate::rows::Held;
use crate::views::RxHoldView;
use heddle_model::rx::hold::Hold;
use heddle_wire::DropReason;
use std::collections::VecDeque;

/// Transport bytes before the stored ones: header words 0 to 11.
const HEADER: usize = 48;
/// Bytes of the ICRC.
const ICRC: usize = 4;

/// What the parser says of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Headers {
    /// Number of the drop reason, 0 for none.
    pub drop: u8,
    /// The frame, but for its plane and length.
    pub frame: Held,
    /// UDP payload bytes.
    pub paylen: u16,
}

/// A beat of payload that leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    /// The whole beat.
    pub data: Vec<u8>,
    /// It belongs to an ACK.
    pub ack: bool,
}

/// The block's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// First beat at the MAC, with its plane.
    pub first: Link<u8>,
    /// Headers.
    pub h: Link<Headers>,
    /// Beat from the parser, whole.
    pub p: Link<Vec<u8>>,
    /// Verdict of the ICRC engine.
    pub k: Link<bool>,
    /// Frame kept.
    pub f: Link<Held>,
    /// Disposition of the oldest frame.
    pub x: Link<Disposition>,
    /// Payload beat.
    pub d: Link<Payload>,
    /// Drop reason.
    pub drop: Link<u8>,
    /// Room for another frame.
    pub room: bool,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl RxHoldView) -> Self {
        let headers = || Headers {
            drop: view.h_drop().u8(),
            frame: Held {
                words: view.h_words().header(),
                src: view.h_src().u128(),
                v6: view.h_v6().bit(),
                ce: view.h_ce().bit(),
                ..Held::default()
            },
            paylen: view.h_paylen().u16(),
        };
        let held = || Held::unpack(view.f_frame().words());
        let disposition = || Disposition { take: view.x_take().bit(), ack: view.x_ack().bit() };
        let payload = || Payload { data: view.d_data().bytes().to_vec(), ack: view.d_ack().bit() };
        Self {
            first: Link::pulse(view.s_first().bit(), || view.s_plane().u8()),
            h: Link::pulse(view.h_valid().bit(), headers),
            p: Link::pulse(view.p_tvalid().bit(), || view.p_tdata().bytes().to_vec()),
            k: Link::pulse(view.k_valid().bit(), || view.k_good().bit()),
            f: Link::new(view.f_valid().bit(), view.f_ready().bit(), held),
            x: Link::pulse(view.x_valid().bit(), disposition),
            d: Link::new(view.d_valid().bit(), view.d_ready().bit(), payload),
            drop: Link::pulse(view.drop_valid().bit(), || view.drop_reason().u8()),
            room: view.room().bit(),
        }
    }
}

/// The model's side.
#[derive(Debug)]
pub struct HoldMonitor {
    width: usize,
    slice: u16,
    model: Hold,
    planes: VecDeque<u8>,
    headers: VecDeque<Headers>,
    /// Transport bytes of the frame whose verdict is to come, whole beats.
    packet: Vec<u8>,
    /// Payload beats of frames without a disposition.
    kept: VecDeque<Vec<Vec<u8>>>,
    k: Input<bool>,
    f: Output<Held>,
    d: Output<Payload>,
    drop: Output<u8>,
}

impl HoldMonitor {
    /// A monitor of a hold with beats of `width` bytes for payloads of at most `slice` bytes.
    pub fn new(width: usize, slice: u16) -> Self {
        Self {
            width,
            slice,
            model: Hold::new(slice),
            planes: VecDeque::new(),
            headers: VecDeque::new(),
            packet: Vec::new(),
            kept: VecDeque::new(),
            k: Input::request("k"),
            f: Output::answer("f"),
            d: Output::side("d"),
            drop: Output::side("drop"),
        }
    }

    fn frame(&mut self, good: bool, check: &mut Check) {
        let (Some(plane), Some(headers)) = (self.planes.pop_front(), self.headers.pop_front()) else {
            return check.mismatch("k", "a verdict on a frame without beats or headers");
        };
        let packet = std::mem::take(&mut self.packet);
        let len = usize::from(headers.paylen).saturating_sub(HEADER + ICRC);
        let mut stored: Vec<u8> = packet.into_iter().skip(HEADER).collect();
        stored.resize(stored.len().max(len).next_multiple_of(self.width), 0);
        match self.model.on_frame(headers.drop, &stored[..len], good) {
            Ok(()) => {
                check.cover("kept");
                self.f.expect(Held { plane, len: len as u16, ..headers.frame }, check);
                let beats = stored[..len.next_multiple_of(self.width)].chunks(self.width);
                self.kept.push_back(beats.map(<[u8]>::to_vec).collect());
            }
            Err(reason) => {
                check.cover(DropReason::from_code(reason).map_or("?", |reason| reason.name()));
                self.k.explain("dropped");
                self.drop.expect(reason, check);
            }
        }
    }

    fn dispose(&mut self, disposition: &Disposition, check: &mut Check) {
        let payload = self.model.dispose(disposition.take);
        let beats = self.kept.pop_front().unwrap_or_default();
        check.cover(if disposition.take { "taken" } else { "skipped" });
        if let Some(payload) = payload {
            assert_eq!(payload.len().div_ceil(self.width), beats.len(), "bytes and beats of the model");
            let ack = disposition.ack;
            beats.into_iter().for_each(|data| self.d.expect(Payload { data, ack }, check));
        }
    }
}

impl Monitor for HoldMonitor {
    const NAME: &'static str = "rx_hold";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        self.planes.extend(ports.first.crossing());
        self.headers.extend(ports.h.crossing().cloned());
        if let Some(good) = self.k.take(&ports.k, check) {
            if ports.p.crossing().is_some() {
                check.cover("next frame in the cycle of the verdict");
            }
            self.frame(good, check);
        }
        // A beat in the cycle of a verdict is the next frame's.
        self.packet.extend(ports.p.crossing().into_iter().flatten());
        if let Some(disposition) = ports.x.crossing() {
            self.dispose(disposition, check);
        }
        if !ports.room {
            check.cover("no room");
        }
        self.f.compare(&ports.f, check);
        self.d.compare(&ports.d, check);
        self.drop.compare(&ports.drop, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.k, &self.f, &self.d, &self.drop]
    }

    fn reset(&mut self) {
        self.model = Hold::new(self.slice);
        self.planes.clear();
        self.headers.clear();
        self.packet.clear();
        self.kept.clear();
        self.k.reset();
        self.f.reset();
        self.d.reset();
        self.drop.reset();
    }
}
