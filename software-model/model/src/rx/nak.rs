//! NAKs out: which refusals are answered, and with what.
//!
//! A refusal of a known connection is answered where its ACKs travel, on every plane if the packet came again; one NAK is
//! pending per connection, and what is refused meanwhile is answered when it is sent again. A packet of no connection is answered
//! from what the frame itself tells, at most one per [`CONNECTION_NAK_TICKS`]. docs/blocks/rx-nak.md has the widths.

use heddle_wire::header::VERSION;
use heddle_wire::{Body, Common, Flag, Nak, NakCode, Packet, PacketType, Time32};
use std::collections::VecDeque;

/// Least ticks from one CONNECTION NAK of the core to the next: 100 us. Source: docs/protocol.md section 3.
pub const CONNECTION_NAK_TICKS: u32 = 12_500;

/// The refusals that wait, 105 + 96 bits each.
#[derive(Clone, Debug)]
pub struct NakQueue {
    pending: Vec<bool>,
    /// Path index, NAK, and whether it goes out on every plane.
    waiting: VecDeque<(u16, Packet<&'static [u8]>, bool)>,
    /// When the last CONNECTION NAK was sent.
    last: Option<Time32>,
}

/// The NAK of code `code` to the packet with this header. The framer adds the peer's connection number and tag.
pub fn nak(code: NakCode, offender: &Common) -> Packet<&'static [u8]> {
    let bytes = offender.emit();
    let word =
        |n: usize| u32::from_be_bytes([bytes[4 * n], bytes[4 * n + 1], bytes[4 * n + 2], bytes[4 * n + 3]]);
    debug_assert_eq!(offender.version, VERSION);
    let &Common { flags: _, path, route, psn, timestamp, .. } = offender;
    Packet {
        flags: heddle_wire::Flags::NONE,
        path,
        dst_conn: 0,
        tag: 0,
        route,
        psn,
        timestamp,
        body: Body::Nak(Nak {
            code: code.code(),
            reserved: 0,
            offender0: word(0),
            offender1: word(1),
            offender2: word(2),
        }),
    }
}

impl NakQueue {
    /// Nothing refused yet.
    pub fn new(connections: u32) -> Self {
        Self { pending: vec![false; connections as usize], waiting: VecDeque::new(), last: None }
    }

    /// A DATA packet of path `path` of connection `conn` is refused. Whether it will be answered now.
    // REQ-CONN-3
    pub fn refuse(&mut self, conn: u16, path: u16, code: NakCode, offender: &Common) -> bool {
        let Some(pending) = self.pending.get_mut(usize::from(conn)) else { return false };
        let first = !std::mem::replace(pending, true);
        if first {
            // What comes again was refused before, and may have lost its NAK.
            let again = offender.flags.has(Flag::Retx);
            self.waiting.push_back((path, nak(code, offender), again));
        }
        first
    }

    /// Whether a packet of no connection may be answered now. What is a NAK, an ACK or a RESET itself never is.
    // REQ-CONN-4
    pub fn may_refuse_stranger(&mut self, offender: &Common, now: Time32) -> bool {
        let answerable = [PacketType::Data, PacketType::Probe];
        if !answerable.iter().any(|kind| kind.code() == offender.packet_type) {
            return false;
        }
        if self.last.is_some_and(|last| now.distance_from(last) < CONNECTION_NAK_TICKS) {
            return false;
        }
        self.last = Some(now);
        true
    }

    /// The oldest NAK that waits, with the path index of its offender, and whether it goes out on every plane.
    pub fn take(&mut self, paths: u32) -> Option<(u16, Packet<&'static [u8]>, bool)> {
        let (path, packet, again) = self.waiting.pop_front()?;
        self.pending[usize::from(path) / paths as usize] = false;
        Some((path, packet, again))
    }

    /// The connection has ended: what is refused of it is not answered any more.
    pub fn reset(&mut self, conn: u16, paths: u32) {
        self.waiting.retain(|(path, ..)| u32::from(*path) / paths != u32::from(conn));
        self.pending[usize::from(conn)] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_wire::Psn;

    fn offender() -> Common {
        Common {
            version: 1,
            packet_type: PacketType::Data.code(),
            opcode: 1,
            path: 2,
            dst_conn: 0x0102,
            tag: 0x0304,
            route: 9,
            psn: Psn::new(0x0A_0B0C),
            timestamp: Time32::new(77),
            ..Common::default()
        }
    }

    // REQ-CONN-3
    #[test]
    fn a_nak_carries_the_offenders_place_and_its_first_words() {
        let packet = nak(NakCode::Bounds, &offender());
        assert_eq!(
            (packet.path, packet.route, packet.psn.get(), packet.timestamp.get()),
            (2, 9, 0x0A_0B0C, 77)
        );
        let Body::Nak(nak) = packet.body else { panic!("a NAK") };
        assert_eq!(nak.code, 2);
        // By hand: version 1 type 1, opcode 1, no flags, path 2; connection and tag; route 9 and PSN.
        assert_eq!([nak.offender0, nak.offender1, nak.offender2], [0x1101_0002, 0x0102_0304, 0x090A_0B0C]);
    }

    #[test]
    fn one_nak_waits_per_connection() {
        let mut naks = NakQueue::new(4);
        assert!(naks.refuse(1, 6, NakCode::Access, &offender()));
        assert!(!naks.refuse(1, 5, NakCode::Access, &offender()));
        assert!(naks.refuse(3, 12, NakCode::Access, &offender()));
        assert_eq!(naks.take(4).map(|(path, ..)| path), Some(6));
        assert!(naks.refuse(1, 5, NakCode::Access, &offender()));
        naks.reset(1, 4);
        assert_eq!(naks.take(4).map(|(path, ..)| path), Some(12));
        assert_eq!(naks.take(4), None);
        assert!(naks.refuse(1, 5, NakCode::Access, &offender()));
    }

    // REQ-CONN-4
    #[test]
    fn strangers_are_answered_at_most_once_in_100_us_and_never_when_they_answer_themselves() {
        let mut naks = NakQueue::new(4);
        let start = Time32::new(u32::MAX - 5);
        for kind in [PacketType::Ack, PacketType::Nak, PacketType::Reset] {
            assert!(!naks.may_refuse_stranger(&Common { packet_type: kind.code(), ..offender() }, start));
        }
        assert!(naks.may_refuse_stranger(&offender(), start));
        assert!(!naks.may_refuse_stranger(&offender(), start.plus(12_499)));
        assert!(naks.may_refuse_stranger(&offender(), start.plus(12_500)));
    }
}
