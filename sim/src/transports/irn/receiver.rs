//! The receiving half of a queue pair: a bitmap. Packets are placed as they come; what they are the end of
//! happens in the order of PSNs. Every packet is answered.

use super::body::{Ack, End};
use super::settings::Config;
use heddle_wire::Psn;
use std::collections::VecDeque;

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is new.
    Accepted,
    /// It had come before.
    Duplicate,
    /// The bitmap does not reach so far.
    Refused,
}

#[derive(Debug)]
pub(super) struct Receiver {
    cum: Psn,
    bits: Vec<u64>,
    ends: Vec<Option<End>>,
    /// Packets to answer and their numbers.
    answers: VecDeque<(Psn, u64)>,
}

impl Receiver {
    pub(super) fn new(first: Psn) -> Self {
        Self { cum: first, bits: Vec::new(), ends: Vec::new(), answers: VecDeque::new() }
    }

    /// Word and bit of a PSN.
    fn place(&self, psn: Psn) -> (usize, u64) {
        let at = psn.get() as usize & (self.ends.len() - 1);
        (at / 64, 1 << (at % 64))
    }

    pub(super) fn on_data(
        &mut self,
        psn: Psn,
        number: u64,
        end: Option<End>,
        config: &Config,
        mut ends: impl FnMut(End),
    ) -> Taken {
        if self.ends.is_empty() {
            self.bits = vec![0; config.span as usize / 64];
            self.ends = vec![None; config.span as usize];
        }
        let (word, bit) = self.place(psn);
        let taken = match psn.distance_from(self.cum) {
            far if far >= Psn::HALF => Taken::Duplicate,
            far if far >= config.span => return Taken::Refused,
            _ if self.bits[word] & bit != 0 => Taken::Duplicate,
            _ => Taken::Accepted,
        };
        if taken == Taken::Accepted {
            self.bits[word] |= bit;
            self.ends[psn.get() as usize & (config.span as usize - 1)] = end;
            self.move_on(&mut ends);
        }
        match self.answers.back_mut() {
            // One ACK answers both.
            Some((last, newest)) if last.is_behind(self.cum) && psn.is_behind(self.cum) => {
                (*last, *newest) = (psn, number.max(*newest));
            }
            _ => self.answers.push_back((psn, number)),
        }
        taken
    }

    fn move_on(&mut self, ends: &mut impl FnMut(End)) {
        loop {
            let (word, bit) = self.place(self.cum);
            if self.bits[word] & bit == 0 {
                return;
            }
            self.bits[word] &= !bit;
            let at = self.cum.get() as usize & (self.ends.len() - 1);
            if let Some(end) = self.ends[at].take() {
                ends(end);
            }
            self.cum = self.cum.next();
        }
    }

    pub(super) fn has_answer(&self) -> bool {
        !self.answers.is_empty()
    }

    /// The next ACK, with the PSN and number of the packet that it answers.
    pub(super) fn take_answer(&mut self) -> Option<(Psn, u64, Ack)> {
        let (psn, number) = self.answers.pop_front()?;
        let base = Psn::new(psn.get() & !63);
        let bits = self.bits[self.place(psn).0];
        // The ring: what lies before cum stands for PSNs that are a bitmap later, what lies a bitmap beyond
        // it for earlier ones.
        let from = |psn: Psn| match psn.signed_distance_from(base) {
            at if at <= 0 => u64::MAX,
            at @ 1..64 => u64::MAX << at,
            _ => 0,
        };
        let word = bits & from(self.cum) & !from(self.cum.plus(self.ends.len() as u32));
        Some((psn, number, Ack { cum: self.cum, word }))
    }

    /// The queue pair has failed.
    pub(super) fn fail(&mut self) {
        self.answers.clear();
    }
}
