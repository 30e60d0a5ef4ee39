//! The parser's links, and how they are driven and sampled at either width.

use crate::duts::{Parse, Parse512};
use crate::lockstep::Link;
use crate::wide;
use crate::Dut;
use heddle_model::rx::parse::{ParseHeader, HEADER_WORDS};
use heddle_wire::{Packet, PacketType};
use rand::RngCore;

/// One beat of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// The bytes that count.
    pub bytes: Vec<u8>,
    /// Last beat of the frame.
    pub last: bool,
    /// With `last`: the MAC found the frame bad.
    pub bad: bool,
}

/// Cuts a frame into beats of `width` bytes.
pub fn beats(frame: &[u8], bad: bool, width: usize) -> Vec<Beat> {
    let count = frame.len().div_ceil(width);
    let beat = |(i, bytes): (usize, &[u8])| {
        let last = i + 1 == count;
        Beat { bytes: bytes.to_vec(), last, bad: bad && last }
    };
    frame.chunks(width).enumerate().map(beat).collect()
}

/// What the parser says of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Number of the drop reason, 0 for none.
    pub drop: u8,
    /// The header, of a frame that is not dropped.
    pub header: Option<ParseHeader>,
}

/// One beat of an output stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutBeat {
    /// The whole beat.
    pub bytes: Vec<u8>,
    /// Bytes that count: keep bits of `p`; on `c` those from the start to the end of the packet.
    pub keep: u64,
    /// First beat of the packet (`c` only).
    pub first: bool,
    /// Last beat of the frame.
    pub last: bool,
}

/// The parser's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// A beat going in.
    pub s: Link<Beat>,
    /// `cfg_port`.
    pub port: u16,
    /// The header is announced, and what it is.
    pub early: Link<ParseHeader>,
    /// Verdict.
    pub h: Link<Verdict>,
    /// Payload stream.
    pub p: Link<OutBeat>,
    /// ICRC stream.
    pub c: Link<OutBeat>,
}

/// A parser of either width.
pub trait ParseDut: Dut {
    /// Bytes per beat.
    const BYTES: usize;
    /// Drives the UDP port and a beat, or an idle cycle with noise on the payload.
    fn drive(&mut self, port: u16, beat: Option<&Beat>, rng: &mut impl RngCore);
    /// Samples every link.
    fn sample(&self) -> Ports;
}

/// The `count` lowest bits.
pub(super) fn ones(count: usize) -> u64 {
    if count == 64 {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}

macro_rules! parse_dut {
    ($dut:ty, $bytes:literal, |$bits:ident: &$raw:ty| $to_bytes:expr, |$given:ident| $from_bytes:expr) => {
        impl ParseDut for $dut {
            const BYTES: usize = $bytes;

            fn drive(&mut self, port: u16, beat: Option<&Beat>, rng: &mut impl RngCore) {
                self.noise("s_axis", rng);
                self.set_cfg_port(port);
                self.set_s_axis_tvalid(beat.is_some());
                if let Some(beat) = beat {
                    // Bytes that do not count are noise.
                    let mut $given: [u8; $bytes] = [0; $bytes];
                    rng.fill_bytes(&mut $given);
                    $given[..beat.bytes.len()].copy_from_slice(&beat.bytes);
                    self.set_s_axis_tdata($from_bytes);
                    self.set_s_axis_tkeep(ones(beat.bytes.len()) as _);
                    self.set_s_axis_tlast(beat.last);
                    if beat.last {
                        self.set_s_axis_tuser(beat.bad);
                    }
                }
            }

            fn sample(&self) -> Ports {
                let to_bytes = |$bits: &$raw| -> Vec<u8> { $to_bytes };
                let header = || {
                    let words: [u32; HEADER_WORDS] = wide::from_be_words(self.h_words());
                    let count = words_of((words[0] >> 24 & 0xf) as u8);
                    ParseHeader {
                        v6: self.h_v6(),
                        src: wide::to_u128(self.h_src()),
                        ce: self.h_ce(),
                        words: words[..count].to_vec(),
                        paylen: self.h_paylen(),
                    }
                };
                let taken = || {
                    let mut bytes = to_bytes(&self.s_axis_tdata().clone());
                    bytes.truncate(u64::from(self.s_axis_tkeep()).count_ones() as usize);
                    let last = self.s_axis_tlast();
                    Beat { bytes, last, bad: last && self.s_axis_tuser() }
                };
                let payload = || OutBeat {
                    bytes: to_bytes(&self.p_tdata().clone()),
                    keep: self.p_tkeep().into(),
                    first: false,
                    last: self.p_tlast(),
                };
                let masked = || {
                    let skip = [0, 14 % $bytes, 18 % $bytes][usize::from(self.c_skip())];
                    let tail = match usize::from(self.c_tail()) {
                        0 => $bytes,
                        tail => tail,
                    };
                    let (first, last) = (self.c_first(), self.c_last());
                    let end = if last { ones(tail) } else { ones($bytes) };
                    let keep = if first { end & !ones(skip) } else { end };
                    OutBeat { bytes: to_bytes(&self.c_data().clone()), keep, first, last }
                };
                Ports {
                    s: Link::pulse(self.s_axis_tvalid(), taken),
                    port: self.cfg_port(),
                    early: Link::pulse(self.early(), header),
                    h: Link::pulse(self.h_valid(), || Verdict {
                        drop: self.h_drop(),
                        header: (self.h_drop() == 0).then(header),
                    }),
                    p: Link::pulse(self.p_tvalid(), payload),
                    c: Link::pulse(self.c_valid(), masked),
                }
            }
        }
    };
}

parse_dut!(Parse, 8, |bits: &u64| bits.to_le_bytes().to_vec(), |bytes| u64::from_le_bytes(bytes));
parse_dut!(Parse512, 64, |bits: &[u32; 16]| wide::to_bytes(bits), |bytes| &wide::from_bytes(&bytes));

/// Header words of a packet type; of an unknown one as many as may be looked at.
fn words_of(code: u8) -> usize {
    PacketType::from_code(code).map_or(4, |kind| (Packet::header_bytes(kind) / 4).min(HEADER_WORDS))
}
