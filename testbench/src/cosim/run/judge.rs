//! What the endpoints did, looked at in the order of its cycles.

use super::super::engine::{Departure, Engine};
use super::super::error::RunError;
use super::super::observer::{Direction, Observer, Transmission};
use super::super::setup::{host_of, RECEIVER};
use super::{side, Event, Run};
use heddle_wire::{Body, Frame};

impl<E: Engine, O: Observer> Run<'_, E, O> {
    pub(super) fn judge(&mut self, event: Event) -> Result<(), RunError> {
        match event {
            Event::Arrived(at, ack) => {
                self.traffic = self.cycle;
                if let Some((from, path, ack)) = ack.as_deref() {
                    self.oracle(at, *from).on_ack(*path, ack);
                }
                Ok(())
            }
            Event::Departed(from, departure) => self.depart(from, departure),
            Event::Completed(host, completion) => {
                let (cycle, hosts) = (self.cycle, &self.hosts);
                let judged = self.check.on_completion(host, &completion, |n| hosts[n].engine.memory());
                judged.map_err(|what| RunError::Completion {
                    side: side(self.scenario, host),
                    cycle,
                    what,
                })?;
                self.progress = cycle;
                self.ended[host] = cycle;
                self.observer.on_progress(self.check.completed_bytes());
                if self.completed.is_none() && self.check.is_complete() {
                    self.completed = Some(cycle);
                }
                Ok(())
            }
        }
    }

    fn depart(&mut self, from: usize, departure: Departure) -> Result<(), RunError> {
        let (cycle, plane) = (self.cycle, departure.plane);
        let side = || side(self.scenario, from);
        let frame = Frame::parse(&departure.frame, self.parse).map_err(|error| RunError::Frame {
            side: side(),
            cycle,
            error,
        })?;
        let to = host_of(frame.dst_mac)
            .filter(|&to| to < self.hosts.len() && (to == RECEIVER) != (from == RECEIVER))
            .ok_or(RunError::Address { side: side(), cycle, mac: frame.dst_mac })?;
        let kind = frame.packet.body.packet_type();
        // The copy is the network's; the capture and the oracle look at what was sent.
        let planes = self.scenario.planes();
        let sent = self.links[usize::from(from == RECEIVER)]
            .send(cycle, plane, departure.frame.clone(), kind)
            .ok_or(RunError::Plane { side: side(), plane, planes, cycle })?;
        self.traffic = cycle;
        self.network.count(&sent.fate);
        let payload = match &frame.packet.body {
            Body::Data { payload, .. } => {
                self.first_beat.get_or_insert(departure.began);
                payload.len() as u64
            }
            _ => 0,
        };
        let judged = self.oracle(from, to).on_sent(cycle, &frame, &departure, &sent);
        let side = || super::side(self.scenario, from);
        let arrives = judged.map_err(|violation| RunError::Violation { side: side(), cycle, violation })?;
        if arrives {
            self.progress = cycle;
            self.observer.on_payload(plane, sent.arrives_at, payload);
        }
        let direction = if from == RECEIVER { Direction::Back } else { Direction::Forth };
        let frame = &departure.frame;
        self.observer.on_frame(&Transmission { direction, plane, cycle, frame, fate: sent.fate })?;
        Ok(())
    }
}
