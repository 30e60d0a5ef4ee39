//! The responder of a queue pair: takes requests in the order of their PSNs only.
//!
//! A gap is answered with one NAK; until the missing request comes, everything beyond it is dropped in
//! silence. Duplicates of WRITEs are acknowledged, those of READs answered again. Answers leave in the order
//! of their PSNs, so an ACK waits for the READs before it. Source: IBTA volume 1, sections 9.7.4 and 9.7.5.

use super::body::Write;
use heddle_wire::Psn;
use std::collections::VecDeque;

/// What is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Ack,
    Nak,
}

/// A READ that is being answered.
#[derive(Clone, Copy, Debug)]
struct Job {
    psn: Psn,
    packets: u32,
    bytes: u32,
    begun: bool,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is the one that was expected.
    Accepted,
    /// It had come before.
    Duplicate,
    /// One before it is missing.
    Refused,
}

/// A packet of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) psn: Psn,
    pub(super) bytes: u32,
    /// First or last of its answer: has an AETH.
    pub(super) edge: bool,
    /// Sent before.
    pub(super) again: bool,
}

#[derive(Debug)]
pub(super) struct Responder {
    expected: Psn,
    /// The gap before what came last has its NAK.
    nak_sent: bool,
    answer: Option<Answer>,
    jobs: VecDeque<Job>,
    /// PSN after the last answer that was ever sent.
    end: Psn,
}

impl Responder {
    pub(super) fn new(first: Psn) -> Self {
        Self { expected: first, nak_sent: false, answer: None, jobs: VecDeque::new(), end: first }
    }

    fn place(&mut self, psn: Psn, packets: u32) -> Taken {
        match psn.distance_from(self.expected) {
            0 => {
                self.expected = psn.plus(packets);
                self.nak_sent = false;
                self.answer.take_if(|answer| *answer == Answer::Nak);
                Taken::Accepted
            }
            ahead if ahead < Psn::HALF => {
                if !std::mem::replace(&mut self.nak_sent, true) {
                    self.answer = Some(Answer::Nak);
                }
                Taken::Refused
            }
            _ => Taken::Duplicate,
        }
    }

    pub(super) fn on_write(&mut self, psn: Psn, write: &Write) -> Taken {
        let taken = self.place(psn, 1);
        if taken != Taken::Refused && write.ack_req {
            self.answer.get_or_insert(Answer::Ack);
        }
        taken
    }

    pub(super) fn on_read(&mut self, psn: Psn, bytes: u32, mtu: u32) -> Taken {
        let packets = bytes.div_ceil(mtu).max(1);
        let taken = self.place(psn, packets);
        if taken == Taken::Refused {
            return taken;
        }
        // Who asks again asks for all that follows again.
        while let Some(job) = self.jobs.back_mut() {
            if job.psn.is_behind(psn) {
                job.packets = job.packets.min(psn.distance_from(job.psn));
                break;
            }
            self.jobs.pop_back();
        }
        self.jobs.push_back(Job { psn, packets, bytes, begun: false });
        taken
    }

    pub(super) fn has_response(&self) -> bool {
        !self.jobs.is_empty()
    }

    pub(super) fn has_answer(&self) -> bool {
        self.answer.is_some() && self.jobs.is_empty()
    }

    /// The ACK or NAK to send: the PSN, and whether it is a NAK.
    pub(super) fn take_answer(&mut self) -> Option<(Psn, bool)> {
        if !self.jobs.is_empty() {
            return None;
        }
        self.answer.take().map(|answer| match answer {
            Answer::Ack => (self.expected.previous(), false),
            Answer::Nak => (self.expected, true),
        })
    }

    /// The next packet of the answers to READs.
    pub(super) fn respond(&mut self, mtu: u32) -> Option<Response> {
        let job = self.jobs.front_mut()?;
        let (psn, bytes) = (job.psn, job.bytes.min(mtu));
        let edge = !job.begun || job.packets == 1;
        (job.psn, job.packets, job.bytes, job.begun) = (psn.next(), job.packets - 1, job.bytes - bytes, true);
        if job.packets == 0 {
            self.jobs.pop_front();
        }
        let again = psn.is_behind(self.end);
        self.end = self.end.serial_max(psn.next());
        Some(Response { psn, bytes, edge, again })
    }

    /// The queue pair has failed.
    pub(super) fn fail(&mut self) {
        self.answer = None;
        self.jobs.clear();
    }
}
