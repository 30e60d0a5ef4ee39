//! The parser's links, and how they are driven and sampled at either width.

use crate::duts::{Parse, Parse512};
use crate::lockstep::Link;
use crate::views::ParseView;
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

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl ParseView) -> Self {
        let width = view.s_axis_tdata().bytes().len();
        let header = || {
            let words: [u32; HEADER_WORDS] = view.h_words().header();
            let count = words_of(words[0]);
            ParseHeader {
                v6: view.h_v6().bit(),
                src: view.h_src().u128(),
                ce: view.h_ce().bit(),
                words: words[..count].to_vec(),
                paylen: view.h_paylen().u16(),
            }
        };
        let verdict = || {
            let drop = view.h_drop().u8();
            Verdict { drop, header: (drop == 0).then(header) }
        };
        let taken = || {
            let count = view.s_axis_tkeep().u64().count_ones() as usize;
            let last = view.s_axis_tlast().bit();
            let bytes = view.s_axis_tdata().bytes()[..count].to_vec();
            Beat { bytes, last, bad: last && view.s_axis_tuser().bit() }
        };
        let payload = || OutBeat {
            bytes: view.p_tdata().bytes().to_vec(),
            keep: view.p_tkeep().u64(),
            first: false,
            last: view.p_tlast().bit(),
        };
        let masked = || {
            let skip = [0, 14 % width, 18 % width][usize::from(view.c_skip().u8())];
            let tail = match usize::from(view.c_tail().u8()) {
                0 => width,
                tail => tail,
            };
            let (first, last) = (view.c_first().bit(), view.c_last().bit());
            let end = if last { ones(tail) } else { ones(width) };
            let keep = if first { end & !ones(skip) } else { end };
            OutBeat { bytes: view.c_data().bytes().to_vec(), keep, first, last }
        };
        Self {
            s: Link::pulse(view.s_axis_tvalid().bit(), taken),
            port: view.cfg_port().u16(),
            early: Link::pulse(view.early().bit(), header),
            h: Link::pulse(view.h_valid().bit(), verdict),
            p: Link::pulse(view.p_tvalid().bit(), payload),
            c: Link::pulse(view.c_valid().bit(), masked),
        }
    }
}

/// A parser of either width.
pub trait ParseDut: Dut + ParseView {
    /// Bytes per beat.
    const BYTES: usize;
    /// Drives the UDP port and a beat, or an idle cycle with noise on the payload.
    fn drive(&mut self, port: u16, beat: Option<&Beat>, rng: &mut impl RngCore);
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
    ($dut:ty, $bytes:literal, |$given:ident| $from_bytes:expr) => {
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
        }
    };
}

parse_dut!(Parse, 8, |bytes| u64::from_le_bytes(bytes));
parse_dut!(Parse512, 64, |bytes| &wide::from_bytes(&bytes));

/// Header words of a packet with this word 0; of an unknown type as many as may be looked at.
fn words_of(first: u32) -> usize {
    let opcode = (first >> 16) as u8;
    let words = |kind| (Packet::header_bytes(kind, opcode) / 4).min(HEADER_WORDS);
    PacketType::from_code((first >> 24 & 0xf) as u8).map_or(4, words)
}
