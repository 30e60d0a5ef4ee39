//! The receive parser's monitor: frames in, one verdict per frame out, and three streams.

mod ports;

pub use ports::{beats, Beat, OutBeat, ParseDut, Ports, Verdict};

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use heddle_model::rx::parse::{on_frame, ParseHeader, ParseIn, ParseOut, HEADER_WORDS};
use heddle_wire::{DropReason, Packet, PacketType};
use ports::ones;

/// Bytes of a frame within which its header words are complete, if it has any: nothing is announced later.
const ANNOUNCED: usize = 256;

/// The model's side.
#[derive(Debug)]
pub struct ParseMonitor {
    width: usize,
    frame: Vec<u8>,
    early_done: bool,
    early_header: Option<ParseHeader>,
    payload: Vec<u8>,
    masked: Option<Vec<u8>>,
    frames: Input<Vec<u8>>,
    early: Output<()>,
    h: Output<Verdict>,
    p: Output<Vec<u8>>,
    c: Output<Vec<u8>>,
}

impl ParseMonitor {
    /// A monitor of a parser with beats of `width` bytes.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            frame: Vec::new(),
            early_done: false,
            early_header: None,
            payload: Vec::new(),
            masked: None,
            frames: Input::request("s"),
            early: Output::side("early"),
            h: Output::answer("h"),
            p: Output::side("p"),
            c: Output::side("c"),
        }
    }

    fn take(&mut self, beat: &Beat, port: u16, check: &mut Check) {
        if beat.bytes.len() < self.width && !beat.last {
            check.mismatch("s", "a beat that is not the last is not full: the stimulus breaks the contract");
        }
        self.frame.extend(&beat.bytes);
        if !beat.last && (self.early_done || self.frame.len() > ANNOUNCED) {
            return;
        }
        let known = on_frame(ParseIn { bytes: &self.frame, bad: beat.bad, port });
        self.announce(&known, beat.last, check);
        if beat.last {
            let bytes = std::mem::take(&mut self.frame);
            self.early_done = false;
            let _ = self.frames.take(&Link::pulse(true, || bytes), check);
            self.expect(known, check);
        }
    }

    /// The header is announced when its words are complete, in whole beats, and the frame goes on behind
    /// them.
    fn announce(&mut self, known: &ParseOut, last: bool, check: &mut Check) {
        let Some(first) = known.payload.first() else { return };
        let words = match PacketType::from_code(first & 0xf) {
            Some(kind @ (PacketType::Nak | PacketType::Reset)) => Packet::header_bytes(kind, 0) / 4,
            _ => HEADER_WORDS,
        };
        let complete = (4 * words).next_multiple_of(self.width);
        let reached = known.payload.len() >= complete;
        let goes_on = !last || known.payload.len() > complete;
        if reached && !self.early_done {
            self.early_done = true;
            if goes_on {
                self.early.expect((), check);
                check.cover("announced");
            }
        }
    }

    fn expect(&mut self, out: ParseOut, check: &mut Check) {
        check.cover(out.drop.map_or("accepted", DropReason::name));
        if let Some(header) = out.header.as_ref().filter(|header| header.words[0] >> 24 & 0xf == 2) {
            check.cover(if header.words[0] >> 16 & 0xff == 0 { "ACK" } else { "ACK without SACK words" });
        }
        if !out.payload.is_empty() {
            self.p.expect(out.payload, check);
        }
        self.c.expect(out.masked, check);
        self.h.expect(Verdict { drop: out.drop.map_or(0, DropReason::code), header: out.header }, check);
    }

    fn payload(&mut self, link: &Link<OutBeat>, check: &mut Check) {
        let done = link.crossing().and_then(|beat| {
            let count = beat.keep.count_ones() as usize;
            if beat.keep != ones(count) || count == 0 || (count < self.width && !beat.last) {
                check.mismatch("p", format!("keep {:x}, last {}", beat.keep, beat.last));
            }
            self.payload.extend(&beat.bytes[..count]);
            beat.last.then(|| std::mem::take(&mut self.payload))
        });
        self.p.compare(&Link::pulse(done.is_some(), || done.unwrap_or_default()), check);
    }

    fn masked(&mut self, link: &Link<OutBeat>, check: &mut Check) {
        let done = link.crossing().and_then(|beat| {
            if beat.first {
                self.masked = Some(Vec::new());
            }
            if let Some(bytes) = &mut self.masked {
                for (i, byte) in beat.bytes.iter().enumerate() {
                    match beat.keep >> i & 1 {
                        1 => bytes.push(*byte),
                        _ if *byte != 0 => {
                            check.mismatch("c", format!("byte {i} is {byte:x} outside of the packet"))
                        }
                        _ => {}
                    }
                }
            }
            beat.last.then(|| self.masked.take().unwrap_or_default())
        });
        self.c.compare(&Link::pulse(done.is_some(), || done.unwrap_or_default()), check);
    }

    fn verdict(&mut self, ports: &Ports, check: &mut Check) {
        self.early.compare(&Link::pulse(ports.early.crossing().is_some(), || ()), check);
        if let Some(header) = ports.early.crossing() {
            self.early_header = Some(header.clone());
        }
        self.h.compare(&ports.h, check);
        if let Some(verdict) = ports.h.crossing() {
            let early = self.early_header.take();
            if let (Some(early), Some(header)) = (early, &verdict.header) {
                check.cover("announced header compared");
                if early != *header {
                    check.mismatch("early", format!("announced {early:x?}, then {header:x?}"));
                }
            }
        }
    }
}

impl Monitor for ParseMonitor {
    const NAME: &'static str = "parse";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(beat) = ports.s.crossing() {
            self.take(beat, ports.port, check);
        }
        self.verdict(ports, check);
        self.payload(&ports.p, check);
        self.masked(&ports.c, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.frames, &self.early, &self.h, &self.p, &self.c]
    }

    fn reset(&mut self) {
        self.frame.clear();
        self.early_done = false;
        self.early_header = None;
        self.payload.clear();
        self.masked = None;
        self.frames.reset();
        self.early.reset();
        self.h.reset();
        self.p.reset();
        self.c.reset();
    }
}
