//! A host with IRN.

use super::body::{Ack, Data, End, IrnBody, What};
use super::qp::Qp;
use super::receiver::Taken;
use super::sender::Work;
use super::settings::{Config, IrnSettings};
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
pub struct Irn {
    host: Host,
    config: Config,
    pairs: Pairs,
    qps: Vec<Qp>,
    /// By connection, at its first queue pair: which of them carries the next part.
    next_lane: Vec<u16>,
    /// Who has a CNP or ACK to send, and who a packet with payload that is due.
    answers: Turns,
    data: Turns,
    /// Retransmission timers, and when limiters let the next packet go.
    timers: Alarms,
    limiters: Alarms,
    /// Planes with carrier.
    up: u16,
    /// Messages in parts: WRITEs and READs of ours, and WRITEs that come.
    ours: Open,
    theirs: Open,
    news: VecDeque<News>,
    counters: Transport,
}

impl Irn {
    /// A host; equal seeds at all hosts, as the first PSNs follow from it.
    ///
    /// # Errors
    /// When a setting is outside of what is possible.
    pub fn new(host: Host, port: &Port, settings: &IrnSettings, seed: u64) -> Result<Self, SettingsError> {
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

    /// The line that it stands in: that of its plane; who sprays stands in the first.
    fn line(&self, number: u32) -> u8 {
        if self.config.sprays() {
            0
        } else {
            self.qps[number as usize].plane
        }
    }

    /// It gets in line for what it has to send.
    fn queue(&mut self, now: Ps, number: u32) {
        let (line, qp) = (self.line(number), &self.qps[number as usize]);
        if qp.has_answer() {
            self.answers.push(line, number);
        }
        if qp.sender.can_send(&self.config) {
            match qp.limiter.due() > now {
                true => self.limiters.set(number, qp.limiter.due()),
                false => self.data.push(line, number),
            }
        }
    }

    /// Those whose limiter lets them go get in line.
    fn release(&mut self, now: Ps) {
        while let Some(number) = self.limiters.expired(now) {
            self.queue(now, number);
        }
    }

    fn start_timer(&mut self, now: Ps, number: u32) {
        self.timers.set(number, now + self.qps[number as usize].sender.timeout(&self.config));
    }

    fn take_data(&mut self, now: Ps, number: u32, body: &IrnBody, data: &Data) -> u32 {
        let (config, theirs, ours, news) = (&self.config, &mut self.theirs, &mut self.ours, &mut self.news);
        let Qp { sender, receiver, .. } = &mut self.qps[number as usize];
        let taken = receiver.on_data(body.psn, body.number, data.end, config, |end| match end {
            End::Write(id, of) => news.extend(theirs.done(id, of).then_some(News::Delivered(id))),
            End::Read(id, of, bytes) => sender.post(Work { bytes, end: End::Response(id, of) }, config),
            End::Response(id, of) => {
                sender.on_read_done();
                if ours.done(id, of) {
                    news.extend([News::Delivered(id), News::Completed(id)]);
                }
            }
        });
        self.queue(now, number);
        match taken {
            Taken::Accepted => return data.bytes,
            Taken::Duplicate => self.counters.duplicates += u64::from(data.bytes > 0),
            Taken::Refused => self.counters.refused += 1,
        }
        0
    }

    fn take_ack(&mut self, now: Ps, number: u32, body: &IrnBody, ack: &Ack) {
        let (ours, news) = (&mut self.ours, &mut self.news);
        let sender = &mut self.qps[number as usize].sender;
        let progress = sender.on_ack(body.psn, body.number, ack, &self.config, |end| {
            if let End::Write(id, of) = end {
                news.extend(ours.done(id, of).then_some(News::Completed(id)));
            }
        });
        if !sender.is_waiting() {
            self.timers.clear(number);
        } else if progress {
            self.start_timer(now, number);
        }
        self.queue(now, number);
    }
}

impl Endpoint for Irn {
    type Body = IrnBody;

    fn post(&mut self, now: Ps, post: &Post) {
        let first = self.first_qp(post.peer, post.connection);
        for Part { id, verb, bytes, of } in self.config.cut.parts(post.id, post.verb, post.bytes) {
            let lane = &mut self.next_lane[first as usize];
            let number = first + u32::from(*lane);
            *lane = (*lane + 1) % self.config.qps;
            let work = match verb {
                Verb::Write => Work { bytes, end: End::Write(id, of) },
                Verb::Read => Work { bytes: 0, end: End::Read(id, of, bytes) },
            };
            let qp = &mut self.qps[number as usize];
            if !qp.failed {
                qp.sender.post(work, &self.config);
                self.queue(now, number);
            } else if self.ours.failed(id, of) {
                self.news.push_back(News::Failed(id));
            }
        }
    }

    fn receive(&mut self, now: Ps, packet: &Packet<IrnBody>) -> u32 {
        let body = &packet.body;
        let number = self.first_qp(packet.src, body.connection) + u32::from(body.lane);
        let Some(qp) = self.qps.get_mut(number as usize).filter(|qp| !qp.failed) else {
            self.counters.refused += 1;
            return 0;
        };
        let cnp = body.what == What::Cnp;
        qp.limiter.on_packet(now, packet.ce, cnp, self.config.dcqcn.as_ref());
        match &body.what {
            What::Data(data) => return self.take_data(now, number, body, data),
            What::Ack(ack) => self.take_ack(now, number, body, ack),
            What::Cnp => {}
        }
        0
    }

    fn transmit(&mut self, now: Ps, ports: u16) -> Option<Packet<IrnBody>> {
        self.release(now);
        // Without carrier anywhere, packets leave all the same, and are lost.
        let usable = if self.up == 0 { ports } else { ports & self.up };
        let lines = if self.config.sprays() { u16::from(usable != 0) } else { ports };
        while let Some(number) = self.answers.pop(lines) {
            let answer = self.qps[number as usize].answer(self.host, usable, &self.config);
            let Some(packet) = answer else { continue };
            self.counters.answers += 1;
            self.queue(now, number);
            return Some(packet);
        }
        while let Some(number) = self.data.pop(lines) {
            let data = self.qps[number as usize].data(now, self.host, usable, &self.config);
            let Some((packet, again)) = data else { continue };
            self.counters.data_resent += u64::from(again);
            self.counters.data_sent += u64::from(!again);
            if !self.timers.is_set(number) {
                self.start_timer(now, number);
            }
            self.queue(now, number);
            return Some(packet);
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
            let qp = &mut self.qps[number as usize];
            if qp.sender.on_expiry(&self.config) {
                self.queue(now, number);
                continue;
            }
            for (id, of) in qp.fail() {
                if self.ours.failed(id, of) {
                    self.news.push_back(News::Failed(id));
                }
            }
        }
    }

    fn set_plane(&mut self, _now: Ps, plane: u8, up: bool) {
        let bit = 1 << plane;
        self.up = if up { self.up | bit } else { self.up & !bit };
        for qp in &mut self.qps {
            qp.move_to(self.up);
        }
        if !self.config.sprays() {
            let qps = &self.qps;
            self.answers.rearrange(|number| qps[number as usize].plane);
            self.data.rearrange(|number| qps[number as usize].plane);
        }
    }

    fn news(&mut self) -> Option<News> {
        self.news.pop_front()
    }

    fn allowed_bps(&self, _now: Ps, peer: Host) -> Option<u64> {
        let lanes = self.pairs.of(peer).flat_map(|first| (first..).take(self.config.qps.into()));
        let rates: Option<u64> =
            lanes.map(|number| self.qps[number as usize].limiter.bits_per_second()).sum();
        rates.filter(|sum| *sum > 0).map(|sum| sum.min(self.config.line_bps * u64::from(self.config.planes)))
    }

    fn counters(&self) -> Transport {
        self.counters
    }
}
