//! The ACK builder's links.

use crate::lockstep::Link;
pub use crate::monitors::rx_msg::Answer;
use crate::views::RxAckBuildView;
use heddle_model::rx::ack_build::AckPacket;
use heddle_wire::{Packet, PacketType};

/// What of the path engine's result an ACK tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Operation.
    pub op: u8,
    /// Cumulative PSN.
    pub cum: u32,
    /// Highest PSN.
    pub high: u32,
    /// Marked packets, duplicates, packets.
    pub counts: [u16; 3],
    /// Timestamp to echo.
    pub ts: u32,
    /// Route to echo.
    pub route: u8,
    /// Tick of that arrival.
    pub at: u32,
}

/// An ACK.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// Path that it travels on.
    pub path: u16,
    /// Its words.
    pub words: [u32; 18],
    /// How many of them are sent.
    pub count: u8,
}

impl Words {
    /// What the model built.
    pub fn of(packet: &AckPacket) -> Self {
        let mut bytes = packet.common.emit().to_vec();
        bytes.extend(packet.ack.emit());
        let word = |n: usize| u32::from_be_bytes(bytes[4 * n..4 * n + 4].try_into().expect("four bytes"));
        let count = Packet::header_bytes(PacketType::Ack, packet.common.opcode) / 4;
        Self { path: packet.path, words: std::array::from_fn(word), count: count as u8 }
    }
}

/// The block's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Ticks.
    pub now: u32,
    /// Path to acknowledge.
    pub r: Link<u16>,
    /// LOOK of this path.
    pub l: Link<u16>,
    /// Snapshot word with its number.
    pub z: Link<(u8, u64)>,
    /// Result of the path engine.
    pub o: Link<Row>,
    /// Connection whose report is wanted.
    pub report: Link<u16>,
    /// The report.
    pub answer: Link<Answer>,
    /// Another stream has news: ask again on this path.
    pub again: Link<u16>,
    /// ACK.
    pub g: Link<Words>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl RxAckBuildView) -> Self {
        let row = || Row {
            op: view.o_op().u8(),
            cum: view.o_cum().u32(),
            high: view.o_high().u32(),
            counts: [view.o_ce().u16(), view.o_dup().u16(), view.o_arrivals().u16()],
            ts: view.o_ts().u32(),
            route: view.o_route().u8(),
            at: view.o_at().u32(),
        };
        let answer = || Answer {
            stream: view.answer_stream().u8(),
            done: view.answer_done().u32(),
            more: view.answer_more().bit(),
        };
        let conn = || view.report_conn().u16();
        let words = || Words {
            path: view.g_path().u16(),
            words: view.g_words().header(),
            count: view.g_count().u8(),
        };
        Self {
            now: view.now().u32(),
            r: Link::new(view.r_valid().bit(), view.r_ready().bit(), || view.r_path().u16()),
            l: Link::new(view.l_valid().bit(), view.l_ready().bit(), || view.l_path().u16()),
            z: Link::pulse(view.z_valid().bit(), || (view.z_index().u8(), view.z_word().u64())),
            o: Link::pulse(view.o_valid().bit(), row),
            report: Link::new(view.report_valid().bit(), view.report_ready().bit(), conn),
            answer: Link::pulse(view.answer_valid().bit(), answer),
            again: Link::pulse(view.again_valid().bit(), || view.again_path().u16()),
            g: Link::new(view.g_valid().bit(), view.g_ready().bit(), words),
        }
    }
}
