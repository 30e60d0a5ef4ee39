//! ACK builder: from a path's state to the ACK that tells it.
//!
//! Owns ack_seq per connection. Mirrors the RTL block `ack_build`; docs/blocks/rx-ack-build.md has ports and latency.

use super::path::RxPathOut;
use heddle_wire::header::VERSION;
use heddle_wire::serial::{Msn, Seq16, Time32};
use heddle_wire::{Ack, Common, Flag, Flags, Hint, PacketType, Sack};

/// An ACK ready to be framed; the framer adds the peer's connection number and tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckPacket {
    /// Path index, {connection, path of the connection}.
    pub path: u16,
    /// Common header; `dst_conn` and `tag` are 0 here.
    pub common: Common,
    /// Words 4 to 17; those of the SACK are sent only when `common.opcode` says so.
    pub ack: Ack,
}

impl AckPacket {
    /// With the connection's credit, and with word 8 speaking of answers.
    pub fn telling(self, credit: Seq16, answers: bool) -> Self {
        let ack_flags = if answers { self.ack.ack_flags.with(Flag::Response) } else { self.ack.ack_flags };
        Self { ack: Ack { rq_credit: credit, ack_flags, ..self.ack }, ..self }
    }
}

/// The block.
#[derive(Clone, Debug)]
pub struct AckBuild {
    ack_seq: Vec<Seq16>,
    /// Where every connection's ack_seq starts.
    first: Seq16,
    paths: u32,
}

impl AckBuild {
    /// Every connection's next ack_seq is 0.
    pub fn new(connections: u32, paths: u32) -> Self {
        Self::starting_at(connections, paths, Seq16::new(0))
    }

    /// As [`Self::new`], but the first ACK is `first`: what a test of the wrap needs.
    pub fn starting_at(connections: u32, paths: u32, first: Seq16) -> Self {
        Self { ack_seq: vec![first; connections as usize], first, paths }
    }

    /// The connection has ended: the next one's ACKs are numbered anew.
    pub fn reset(&mut self, conn: u16) {
        self.ack_seq[usize::from(conn)] = self.first;
    }

    /// Builds the ACK of a path from a LOOK result; `done` is the stream it speaks of and that stream's leading complete messages.
    pub fn build(&mut self, look: &RxPathOut, done: (u8, Msn), now: Time32) -> AckPacket {
        let conn = usize::from(look.path) / self.paths as usize;
        let ack_seq = self.ack_seq[conn];
        self.ack_seq[conn] = ack_seq.next();
        // The longest hold that can be told is 2^16 - 2 ticks; 2^16 - 1 means none.
        let hold = now.distance_from(look.at).min(0xFFFF) as u16;
        let ack = Ack {
            ack_flags: Flags::NONE,
            cum: look.cum,
            hold,
            ce_count: Seq16::new(look.ce),
            hint: Hint::NONE,
            rq_credit: Seq16::new(0),
            ack_seq,
            dup_count: Seq16::new(look.dup),
            done_stream: done.0,
            done_msn: done.1,
            arrivals: Seq16::new(look.arrivals),
            reserved: 0,
            sack: Sack { lanes: look.before.words() },
        };
        // REQ-ACK-5
        let common = Common {
            version: VERSION,
            packet_type: PacketType::Ack.code(),
            opcode: ack.form().code(),
            flags: Flags::NONE,
            path: (u32::from(look.path) % self.paths) as u8,
            dst_conn: 0,
            tag: 0,
            route: look.route,
            psn: look.high,
            timestamp: look.ts,
        };
        AckPacket { path: look.path, common, ack }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rx::path::{RxOp, RxPathIn, RxPathRow};
    use heddle_wire::{AckForm, Psn};

    /// A window's packets in any order: SACK words are there exactly while something is received beyond cum.
    // REQ-ACK-5
    #[test]
    fn an_ack_has_sack_words_exactly_when_a_packet_beyond_cum_is_received() {
        let first = Psn::new(0xFF_FFF0);
        let mut row = RxPathRow::default();
        row.apply(&RxPathIn { op: RxOp::Init, psn: first, ..RxPathIn::default() });
        let mut build = AckBuild::new(1, 1);
        let mut seen = [0; 2];
        // 51 is odd, so every offset comes once; 0, which fills the last gap, at the end.
        for step in 1..=256 {
            let psn = first.plus(step * 51 % 256);
            row.apply(&RxPathIn { op: RxOp::Data, psn, ..RxPathIn::default() });
            let look = row.apply(&RxPathIn { op: RxOp::Look, ..RxPathIn::default() });
            let packet = build.build(&look, (0, Msn::new(0)), Time32::new(0));
            let form = AckForm::from_code(packet.common.opcode);
            assert_eq!(form, Some(packet.ack.form()));
            let gap = packet.common.psn != packet.ack.cum.minus(1);
            assert_eq!(form, Some(if gap { AckForm::Sack } else { AckForm::NoSack }), "step {step}");
            seen[usize::from(gap)] += 1;
        }
        assert_eq!(seen, [1, 255]);
    }
}
