//! Watches the wire between the endpoints and, knowing the fate of every frame, judges what the sender did
//! about losses. It never asks a core what was lost, and the cores never see it.

mod judgement;
mod violation;

pub use judgement::Judgement;
pub use violation::Violation;

use super::engine::Departure;
use crate::link::Sent;
use heddle_model::core::Cause;
use heddle_wire::{Ack, Body, Data, Frame, Opcode, Packet, Psn};

/// The window of a path in packets. Source: docs/protocol.md section 1.
const WINDOW: u32 = 256;

/// What led to a transmission of a DATA packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    First,
    Evidence,
    Timer,
}

/// A DATA packet over all its transmissions.
#[derive(Clone, Debug)]
struct PacketRecord {
    header: Data,
    bytes: usize,
    /// An intact copy arrives, or has arrived.
    arrives: bool,
    /// The newest transmission was lost, and nothing was sent in its place yet.
    lost: bool,
    /// When the first transmission would have arrived, if it was lost.
    missed_at: Option<u64>,
    /// Route of the newest transmission.
    route: u8,
    /// Cycle of the newest transmission.
    sent_at: u64,
}

impl PacketRecord {
    /// What led to a resend. After a route's death everything unreceived goes again: the timer found that,
    /// whoever sends it.
    fn kind_of_resend(&self, cause: Cause, route: u8) -> Kind {
        match cause {
            Cause::Resend(_) if self.route == route => Kind::Evidence,
            _ => Kind::Timer,
        }
    }
}

#[derive(Clone, Debug)]
struct PathRecord {
    first: Psn,
    /// Lowest PSN not acknowledged, as far as the sender has heard.
    cum: Psn,
    packets: Vec<PacketRecord>,
    /// Cycle of the newest packet that a timer sent: what it brings back is evidence, but not without it.
    asked_at: Option<u64>,
}

impl PathRecord {
    fn next(&self) -> Psn {
        self.first.plus(self.packets.len() as u32)
    }

    fn outstanding(&self) -> u32 {
        self.next().distance_from(self.cum)
    }
}

/// The first loss of DATA, and when it was sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstLoss {
    /// Cycle of the last byte of the transmission that was lost.
    pub lost_at: u64,
    /// Cycle of the last byte of its resend; none when nothing came in its place.
    pub resent_at: Option<u64>,
    path: u8,
    psn: Psn,
}

/// The oracle of one direction.
#[derive(Clone, Debug)]
pub struct Oracle {
    paths: Vec<PathRecord>,
    judgement: Judgement,
    first_loss: Option<FirstLoss>,
    outstanding: u32,
}

impl Oracle {
    /// `first`: the first PSN of each path of the connection.
    pub fn new(first: impl Iterator<Item = Psn>) -> Self {
        let paths = first
            .map(|first| PathRecord { first, cum: first, packets: Vec::new(), asked_at: None })
            .collect();
        Self { paths, judgement: Judgement::default(), first_loss: None, outstanding: 0 }
    }

    /// What was judged.
    pub fn judgement(&self) -> &Judgement {
        &self.judgement
    }

    /// The first loss of DATA.
    pub fn first_loss(&self) -> Option<FirstLoss> {
        self.first_loss
    }

    /// Packets sent and, as far as the sender has heard, not acknowledged.
    pub fn outstanding(&self) -> u32 {
        self.outstanding
    }

    /// The paths on which something is outstanding, for a diagnosis.
    pub fn outstanding_text(&self) -> String {
        let open = self.paths.iter().enumerate().filter(|(_, path)| path.outstanding() > 0);
        let text = open
            .map(|(n, path)| format!("path {n}: psn {} to {}", path.cum.get(), path.next().previous().get()));
        text.collect::<Vec<_>>().join(", ")
    }

    /// A frame left the sender at `cycle`. Says whether it is the first arrival of a packet: progress.
    pub fn on_sent(
        &mut self,
        cycle: u64,
        frame: &Frame,
        departure: &Departure,
        sent: &Sent,
    ) -> Result<bool, Violation> {
        let packet = &frame.packet;
        match &packet.body {
            Body::Data { opcode, header, payload } => {
                // The hint of a READ is that of the moment: it is not the packet's content.
                let imm = if *opcode == Opcode::ReadReq { 0 } else { header.imm };
                let header = Data { imm, ..*header };
                self.on_data(cycle, packet, (&header, payload.len()), departure.cause, sent)
            }
            Body::Probe(_) => {
                self.on_probe(cycle, packet, departure.cause)?;
                Ok(false)
            }
            Body::Ack(_) | Body::Nak(_) | Body::Reset => Ok(false),
        }
    }

    /// An intact ACK reached the sender.
    pub fn on_ack(&mut self, path: u8, ack: &Ack) {
        let Some(record) = self.paths.get_mut(usize::from(path)) else { return };
        let cum = Psn::new(ack.cum.get());
        let newly = cum.distance_from(record.cum);
        if newly <= record.outstanding() {
            record.cum = cum;
            self.outstanding -= newly;
        }
    }

    fn on_data(
        &mut self,
        cycle: u64,
        packet: &Packet,
        (header, bytes): (&Data, usize),
        cause: Cause,
        sent: &Sent,
    ) -> Result<bool, Violation> {
        let (path, psn) = (packet.path, packet.psn);
        let record = self.paths.get_mut(usize::from(path)).ok_or(Violation::Path { path })?;
        let at = psn.distance_from(record.first) as usize;
        let next = record.next().get();
        let kind = match cause {
            Cause::New if at == record.packets.len() => Kind::First,
            Cause::Resend(named) | Cause::Expire(named) if named == psn && at < record.packets.len() => {
                record.packets[at].kind_of_resend(cause, packet.route)
            }
            _ => return Err(Violation::Psn { path, psn: psn.get(), cause, next }),
        };
        if kind == Kind::First {
            record.packets.push(PacketRecord {
                header: *header,
                bytes,
                arrives: false,
                lost: false,
                missed_at: None,
                route: packet.route,
                sent_at: cycle,
            });
            self.outstanding += 1;
        }
        let asked_at = record.asked_at;
        if matches!(cause, Cause::Expire(_)) {
            record.asked_at = Some(cycle);
        }
        let (outstanding, known) = (record.outstanding(), &mut record.packets[at]);
        if outstanding > WINDOW {
            return Err(Violation::Window { path, outstanding });
        }
        if known.header != *header || known.bytes != bytes {
            return Err(Violation::Content { path, psn: psn.get() });
        }
        known.route = packet.route;
        let judgement = &mut self.judgement;
        judgement.max_outstanding = judgement.max_outstanding.max(self.outstanding);
        judgement.sent += 1;
        judgement.resent += u64::from(kind != Kind::First);
        if known.lost {
            let asked = asked_at.is_some_and(|asked_at| asked_at > known.sent_at);
            judgement.found_by_evidence += u64::from(kind == Kind::Evidence && !asked);
            judgement.found_after_timer += u64::from(kind == Kind::Evidence && asked);
            judgement.found_by_timer += u64::from(kind == Kind::Timer);
            known.lost = false;
            if let Some(first) = self.first_loss.as_mut().filter(|f| (f.path, f.psn) == (path, psn)) {
                first.resent_at.get_or_insert(cycle);
            }
        }
        known.sent_at = cycle;
        if known.arrives {
            judgement.spurious_by_evidence += u64::from(kind == Kind::Evidence);
            judgement.spurious_by_timer += u64::from(kind == Kind::Timer);
        }
        if sent.fate.arrives() {
            let progress = !known.arrives;
            if let Some(missed_at) = known.missed_at.filter(|_| progress) {
                judgement.recovered += 1;
                judgement.recovery_cycles += sent.arrives_at.saturating_sub(missed_at);
            }
            known.arrives = true;
            return Ok(progress);
        }
        judgement.losses += 1;
        known.lost = true;
        if kind == Kind::First {
            known.missed_at = Some(sent.arrives_at);
        }
        self.first_loss.get_or_insert(FirstLoss { lost_at: cycle, resent_at: None, path, psn });
        Ok(false)
    }

    /// A resend whose message is done goes out as a PROBE: it was decided on in vain all the same.
    fn on_probe(&mut self, cycle: u64, packet: &Packet, cause: Cause) -> Result<(), Violation> {
        let path = packet.path;
        if let (Some(record), Cause::Probe | Cause::Expire(_)) =
            (self.paths.get_mut(usize::from(path)), cause)
        {
            record.asked_at = Some(cycle);
        }
        let (Cause::Resend(psn) | Cause::Expire(psn)) = cause else { return Ok(()) };
        let record = self.paths.get(usize::from(path)).ok_or(Violation::Path { path })?;
        let known = record.packets.get(psn.distance_from(record.first) as usize);
        let next = record.next().get();
        let known = known.ok_or(Violation::Psn { path, psn: psn.get(), cause, next })?;
        let vain = u64::from(known.arrives);
        match known.kind_of_resend(cause, packet.route) {
            Kind::Evidence => self.judgement.spurious_by_evidence += vain,
            Kind::Timer | Kind::First => self.judgement.spurious_by_timer += vain,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
