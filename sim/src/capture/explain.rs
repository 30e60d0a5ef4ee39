//! What is said of a packet: why it was sent again, and what became of it.

use crate::fabric::topology::{Node, Topology};
use crate::fabric::{Drop, End, History};
use crate::heddle::{Found, HeddleBody, Sending};
use crate::plan::Point;
use crate::time::Ps;
use heddle_model::core::Cause;
use heddle_model::tx::path::LossReason;
use heddle_model::tx::route::Cause as Death;
use heddle_wire::{Body, Flag, Psn};
use std::collections::HashMap;

/// How things are called.
pub(super) struct Names<'a> {
    pub(super) topology: &'a Topology,
    pub(super) point: &'a Point,
}

impl Names<'_> {
    fn node(&self, node: Node) -> String {
        match node {
            Node::Host(host) => format!("host {host}"),
            Node::Switch(switch) => self.point.switch_name(switch % self.topology.switches_per_plane()),
        }
    }

    fn link(&self, link: u32) -> String {
        let link = &self.topology.links[link as usize];
        format!("{} -> {}", self.node(link.from), self.node(link.to))
    }

    /// What became of a packet, if that is not that it arrived as it was.
    pub(super) fn fate(&self, history: &History<HeddleBody>, is_outbound: bool) -> Option<String> {
        let marked = history.marked.map(|link| format!("marked before {}", self.link(link)));
        let end = match history.end {
            End::Delivered(_) => return marked,
            End::UnderWay => "on its way when the run ended".to_owned(),
            End::Dropped(why, at) => {
                let when = if is_outbound { format!(" at {}", time(at)) } else { String::new() };
                format!("dropped{when}: {}", self.dropped(history, why))
            }
        };
        let sent = if is_outbound { String::new() } else { format!(", sent at {}", time(history.sent)) };
        let marked = marked.map(|marked| format!("{marked}, ")).unwrap_or_default();
        Some(format!("{marked}{end}{sent}"))
    }

    fn dropped(&self, history: &History<HeddleBody>, why: Drop) -> String {
        let (link, dst) = (self.link(history.link), history.packet.dst);
        let last = &self.topology.links[history.link as usize];
        match why {
            Drop::Chance => format!("lost on {link}"),
            Drop::Corrupt => {
                let spoiled = self.link(history.spoiled.unwrap_or(history.link));
                format!("corrupted on {spoiled}, which the ICRC showed host {dst}")
            }
            Drop::Buffer => format!("no room before {link}"),
            Drop::Link => format!("{link} is down"),
            Drop::NoRoute => format!("{} has no way to host {dst}", self.node(last.to)),
            Drop::Host => format!("no room in the receive buffer of host {dst}"),
        }
    }
}

/// What is known of the last transmission of a packet.
#[derive(Clone, Copy)]
struct Copy {
    sent: Ps,
    end: End,
}

/// The last transmissions of one end, by path and PSN.
#[derive(Default)]
pub(super) struct Copies(HashMap<(u8, Psn), Copy>);

impl Copies {
    /// Why a packet was sent again, and what had become of it before. Called for all that an end sent, in
    /// this order.
    pub(super) fn explain(
        &mut self,
        names: &Names<'_>,
        sending: &Sending,
        history: &History<HeddleBody>,
    ) -> Option<String> {
        let body = &sending.body;
        let now = Copy { sent: history.sent, end: history.end };
        if let (Body::Data { .. }, Cause::New) = (&body.body, sending.cause) {
            self.0.insert((body.path, body.psn), now);
        }
        let (psn, why) = match sending.cause {
            Cause::Resend(psn) => (psn, found(sending.found.as_ref())),
            Cause::Expire(psn) => (psn, "its path's timer expired".to_owned()),
            Cause::Probe | Cause::Reset if body.flags.has(Flag::Retx) => {
                return Some("asked: no answer came in time".to_owned())
            }
            _ => return None,
        };
        // In the place of a packet that nobody needs any more there goes a question; it brings nothing.
        let is_data = matches!(body.body, Body::Data { .. });
        let before = match is_data {
            true => self.0.insert((body.path, psn), now),
            false => self.0.get(&(body.path, psn)).copied(),
        };
        let what = if is_data { "resent".to_owned() } else { format!("instead of psn {}", psn.get()) };
        Some(format!("{what}: {why}; {}", names.before(before, history.sent)))
    }
}

impl Names<'_> {
    /// What had become of the last transmission of a packet that is sent again at `now`.
    fn before(&self, before: Option<Copy>, now: Ps) -> String {
        let Some(Copy { sent, end }) = before else { return "it had never left its host".to_owned() };
        let end = match end {
            End::Delivered(at) if at <= now => format!("had arrived at {}", time(at)),
            End::Dropped(..) => "was dropped".to_owned(),
            End::Delivered(_) | End::UnderWay => "was on its way".to_owned(),
        };
        format!("what was sent at {} {end}", time(sent))
    }
}

fn found(found: Option<&Found>) -> String {
    let Some(&Found { reason, at, ack }) = found else { return "declared lost".to_owned() };
    let told = match ack {
        Some(psn) => format!("the ACK of psn {}", psn.get()),
        None => "what came".to_owned(),
    };
    let why = match reason {
        LossReason::Overtaken { newer: 1 } => {
            format!("{told} shows a packet received that was sent after it")
        }
        LossReason::Overtaken { newer } => {
            format!("{told} shows {newer} packets received that were sent after it")
        }
        LossReason::Echo => format!("{told} echoes a packet that was sent after it"),
        LossReason::Again => format!("{told} echoes a packet that was sent after its resend"),
        LossReason::OldRoute => "its path has left the route that it was sent on, two RTOs ago".to_owned(),
        LossReason::Dead(Death::Carrier) => "its plane has lost its carrier".to_owned(),
        LossReason::Dead(_) => "its route is dead, its path's timer expired too often".to_owned(),
    };
    format!("declared lost at {}, {why}", time(at))
}

/// Microseconds with three decimals, as `heddle trace` shows times.
fn time(at: Ps) -> String {
    let ns = at.0 / 1_000;
    format!("{}.{:03} us", ns / 1_000, ns % 1_000)
}
