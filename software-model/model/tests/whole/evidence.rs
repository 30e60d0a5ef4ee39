//! Who was right about what was lost: an observer of the network who knows the fate of every frame.

use heddle_model::core::Cause;
use heddle_wire::Psn;
use std::collections::BTreeMap;

/// What became of losses, and what was sent again for nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// DATA transmissions that the network lost or spoiled.
    pub losses: u64,
    /// Of these, those in whose place the packet was sent again by evidence.
    pub by_evidence: u64,
    /// Those in whose place a timer sent it again, or the death of its route.
    pub by_timer: u64,
    /// Sent again by evidence though an earlier transmission arrives.
    pub spurious: u64,
    /// The same by a timer or the death of a route.
    pub spurious_by_timer: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Self) {
        self.losses += other.losses;
        self.by_evidence += other.by_evidence;
        self.by_timer += other.by_timer;
        self.spurious += other.spurious;
        self.spurious_by_timer += other.spurious_by_timer;
    }
}

#[derive(Clone, Copy, Debug)]
struct Packet {
    /// A transmission of it arrives.
    arrives: bool,
    /// The last one was lost, and nobody has sent it again.
    open: bool,
    route: u8,
}

/// A frame as it left: sender, connection number at the receiver, path and route.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    pub from: usize,
    pub conn: u16,
    pub path: u8,
    pub route: u8,
    pub psn: Psn,
    pub is_data: bool,
    pub lost: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub tally: Tally,
    packets: BTreeMap<(usize, u16, u8, u32), Packet>,
}

impl Evidence {
    /// The connection begins anew: its PSNs are others.
    pub fn forget(&mut self, from: usize, conn: u16) {
        self.packets.retain(|key, _| (key.0, key.1) != (from, conn));
    }

    pub fn on_sent(&mut self, left: &Left, cause: Cause) {
        let &Left { from, conn, path, route, psn, is_data, lost } = left;
        let (psn, timer) = match cause {
            Cause::New => (psn, false),
            Cause::Resend(psn) => (psn, false),
            Cause::Expire(psn) => (psn, true),
            _ => return,
        };
        let new = Packet { arrives: false, open: false, route };
        let packet = self.packets.entry((from, conn, path, psn.get())).or_insert(new);
        if cause != Cause::New {
            // On another route: the packet's own has died in between.
            let timer = timer || packet.route != route;
            let tally = &mut self.tally;
            let (found, in_vain) = match timer {
                true => (&mut tally.by_timer, &mut tally.spurious_by_timer),
                false => (&mut tally.by_evidence, &mut tally.spurious),
            };
            *found += u64::from(packet.open);
            *in_vain += u64::from(packet.arrives);
            packet.open = false;
        }
        if is_data {
            self.tally.losses += u64::from(lost);
            *packet = Packet { arrives: packet.arrives || !lost, open: lost, route };
        }
    }
}
