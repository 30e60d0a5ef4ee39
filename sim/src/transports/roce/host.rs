//! A host with RoCE.

use super::body::{RoceBody, What};
use super::qp::{Qp, Sent};
use super::requester::Heard;
use super::responder::Taken;
use super::settings::{Config, RoceSettings};
use crate::endpoint::{Endpoint, News, Post, Verb};
use crate::outcome::Transport;
use crate::packet::{Host, Packet};
use crate::time::Ps;
use crate::transports::alarms::Alarms;
use crate::transports::pairs::{Pairs, Port, SettingsError};
use crate::transports::parts::{Open, Part};
use crate::transports::turns::Turns;
use std::collections::VecDeque;

/// The host.
#[derive(Debug)]
pub struct Roce {
    host: Host,
    config: Config,
    pairs: Pairs,
    qps: Vec<Qp>,
    /// By connection, at its first queue pair: which of them carries the next part.
    next_lane: Vec<u16>,
    /// Who has a CNP, ACK or NAK to send, and who a packet with payload that is due.
    answers: Turns,
    data: Turns,
    /// Retransmission timers, and when limiters let the next packet go.
    timers: Alarms,
    limiters: Alarms,
    /// Planes with carrier.
    up: u16,
    /// Messages in parts: of ours, and of those that come.
    ours: Open,
    theirs: Open,
    news: VecDeque<News>,
    counters: Transport,
}

impl Roce {
    /// A host; equal seeds at all hosts, as the first PSNs follow from it.
    ///
    /// # Errors
    /// When a setting is outside of what is possible.
    pub fn new(host: Host, port: &Port, settings: &RoceSettings, seed: u64) -> Result<Self, SettingsError> {
        let config = Config::new(port, settings, seed)?;
        Ok(Self {
            host,
            config,
            pairs: Pairs::default(),
            qps: Vec::new(),
            next_lane: Vec::new(),
            answers: Turns::new(config.planes),
            data: Turns::new(config.planes),
            timers: Alarms::default(),
            limiters: Alarms::default(),
            up: u16::MAX >> (16 - config.planes),
            ours: Open::default(),
            theirs: Open::default(),
            news: VecDeque::new(),
            counters: Transport::default(),
        })
    }

    /// The first queue pair of a connection, which comes into being if it is new.
    fn first_qp(&mut self, peer: Host, connection: u16) -> u32 {
        if let Some(first) = self.pairs.find(peer, connection) {
            return first;
        }
        let first = self.qps.len() as u32;
        self.pairs.add(peer, connection, first);
        for lane in 0..self.config.qps {
            let mut qp = Qp::new(&self.config, self.host, peer, connection, lane);
            qp.move_to(self.up);
            self.qps.push(qp);
            self.next_lane.push(0);
            self.answers.grow();
            self.data.grow();
            self.timers.grow();
            self.limiters.grow();
        }
        first
    }

    /// It gets in line for what it has to send.
    fn queue(&mut self, now: Ps, number: u32) {
        let qp = &self.qps[number as usize];
        if qp.has_answer() {
            self.answers.push(qp.plane, number);
        }
        if qp.has_data(&self.config) {
            match qp.limiter.due() > now {
                true => self.limiters.set(number, qp.limiter.due()),
                false => self.data.push(qp.plane, number),
            }
        }
    }

    /// Those whose limiter lets them go get in line.
    fn release(&mut self, now: Ps) {
        while let Some(number) = self.limiters.expired(now) {
            self.queue(now, number);
        }
    }

    fn depart(&mut self, number: u32, sent: &Sent) -> Packet<RoceBody> {
        match sent.data {
            Some(true) => self.counters.data_resent += 1,
            Some(false) => self.counters.data_sent += 1,
            None => self.counters.answers += u64::from(!matches!(sent.what, What::Read { .. })),
        }
        self.qps[number as usize].packet(self.host, sent, &self.config)
    }

    /// What the requester has heard has consequences.
    fn heard(&mut self, now: Ps, number: u32, heard: Heard) {
        self.counters.duplicates += u64::from(heard.duplicate);
        self.counters.refused += u64::from(heard.refused);
        // Going back starts the timer with the next packet, which may have to wait for its turn.
        if heard.back || !self.qps[number as usize].requester.is_waiting() {
            self.timers.clear(number);
        } else if heard.progress {
            self.timers.set(number, now + self.config.timeout);
        }
    }

    fn fail(&mut self, number: u32) {
        let qp = &mut self.qps[number as usize];
        qp.failed = true;
        qp.responder.fail();
        for part in qp.requester.fail() {
            if self.ours.failed(part.id, part.of) {
                self.news.push_back(News::Failed(part.id));
            }
        }
    }

    fn request(&mut self, number: u32, body: &RoceBody) -> u32 {
        let responder = &mut self.qps[number as usize].responder;
        let (taken, bytes, ends) = match body.what {
            What::Write(write) => (responder.on_write(body.psn, &write), write.bytes, write.ends),
            What::Read { bytes } => (responder.on_read(body.psn, bytes, self.config.mtu), 0, None),
            _ => return 0,
        };
        match taken {
            Taken::Accepted => {
                if let Some((id, _)) = ends.filter(|(id, of)| self.theirs.done(*id, *of)) {
                    self.news.push_back(News::Delivered(id));
                }
                bytes
            }
            Taken::Duplicate => {
                self.counters.duplicates += u64::from(bytes > 0);
                0
            }
            Taken::Refused => {
                self.counters.refused += 1;
                0
            }
        }
    }
}

/// A message of ours has one more part that is done.
fn complete(ours: &mut Open, news: &mut VecDeque<News>, part: Part) {
    if ours.done(part.id, part.of) {
        if part.verb == Verb::Read {
            news.push_back(News::Delivered(part.id));
        }
        news.push_back(News::Completed(part.id));
    }
}

impl Endpoint for Roce {
    type Body = RoceBody;

    fn post(&mut self, now: Ps, post: &Post) {
        let first = self.first_qp(post.peer, post.connection);
        for part in self.config.cut.parts(post.id, post.verb, post.bytes) {
            let lane = &mut self.next_lane[first as usize];
            let number = first + u32::from(*lane);
            *lane = (*lane + 1) % self.config.qps;
            let qp = &mut self.qps[number as usize];
            if !qp.failed {
                qp.requester.post(part, self.config.mtu);
                self.queue(now, number);
            } else if self.ours.failed(part.id, part.of) {
                self.news.push_back(News::Failed(part.id));
            }
        }
    }

    fn receive(&mut self, now: Ps, packet: &Packet<RoceBody>) -> u32 {
        let body = &packet.body;
        let number = self.first_qp(packet.src, body.connection) + u32::from(body.lane);
        let Some(qp) = self.qps.get_mut(number as usize).filter(|qp| !qp.failed) else {
            self.counters.refused += 1;
            return 0;
        };
        let cnp = body.what == What::Cnp;
        qp.limiter.on_packet(now, packet.ce, cnp, self.config.dcqcn.as_ref());
        let (ours, news) = (&mut self.ours, &mut self.news);
        let done = |part| complete(ours, news, part);
        let heard = match body.what {
            What::Cnp => Heard::default(),
            What::Ack => qp.requester.on_ack(body.psn, done),
            What::Nak => qp.requester.on_nak(body.psn, done),
            What::Response { bytes } => qp.requester.on_response(body.psn, bytes, done),
            What::Write(_) | What::Read { .. } => Heard::default(),
        };
        let bytes = heard.bytes + self.request(number, body);
        self.heard(now, number, heard);
        self.queue(now, number);
        bytes
    }

    fn transmit(&mut self, now: Ps, ports: u16) -> Option<Packet<RoceBody>> {
        self.release(now);
        while let Some(number) = self.answers.pop(ports) {
            let Some(sent) = self.qps[number as usize].answer() else { continue };
            self.queue(now, number);
            return Some(self.depart(number, &sent));
        }
        while let Some(number) = self.data.pop(ports) {
            let qp = &mut self.qps[number as usize];
            let Some(sent) = qp.data(now, &self.config) else { continue };
            if qp.requester.is_waiting() && !self.timers.is_set(number) {
                self.timers.set(number, now + self.config.timeout);
            }
            self.queue(now, number);
            return Some(self.depart(number, &sent));
        }
        None
    }

    fn next_deadline(&mut self, _now: Ps) -> Option<Ps> {
        self.timers.next().into_iter().chain(self.limiters.next()).min()
    }

    fn advance(&mut self, now: Ps) {
        self.release(now);
        while let Some(number) = self.timers.expired(now) {
            self.counters.expiries += 1;
            match self.qps[number as usize].requester.on_expiry(&self.config) {
                true => self.queue(now, number),
                false => self.fail(number),
            }
        }
    }

    fn set_plane(&mut self, _now: Ps, plane: u8, up: bool) {
        let bit = 1 << plane;
        self.up = if up { self.up | bit } else { self.up & !bit };
        for qp in &mut self.qps {
            qp.move_to(self.up);
        }
        let qps = &self.qps;
        self.answers.rearrange(|number| qps[number as usize].plane);
        self.data.rearrange(|number| qps[number as usize].plane);
    }

    fn news(&mut self) -> Option<News> {
        self.news.pop_front()
    }

    fn allowed_bps(&self, _now: Ps, peer: Host) -> Option<u64> {
        let lanes = self.pairs.of(peer).flat_map(|first| (first..).take(self.config.qps.into()));
        let rate = |number: u32| self.qps[number as usize].limiter.bits_per_second();
        let rates: Option<u64> = lanes.map(rate).sum();
        rates.filter(|sum| *sum > 0).map(|sum| sum.min(self.config.line_bps * u64::from(self.config.planes)))
    }

    fn counters(&self) -> Transport {
        self.counters
    }
}
