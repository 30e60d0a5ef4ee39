//! Packets between two hosts, followed through the fabric: when each was sent, and what became of it, where
//! and when.
//!
//! Nothing of a run depends on it.

use super::{Drop, Fabric};
use crate::packet::{Host, Packet};
use crate::time::Ps;
use std::collections::HashMap;

/// How a packet's way ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It has not.
    UnderWay,
    /// Its host took it.
    Delivered(Ps),
    /// It is lost. By chance it is so as soon as it comes to the port before the cable.
    Dropped(Drop, Ps),
}

/// A packet and what became of it.
#[derive(Clone, Debug)]
pub struct History<B> {
    /// As it was sent.
    pub packet: Packet<B>,
    /// When its host gave it to its port.
    pub sent: Ps,
    /// The last link that it was sent into, or was to be.
    pub link: u32,
    /// The link before which it was marked.
    pub marked: Option<u32>,
    /// The link that spoiled it.
    pub spoiled: Option<u32>,
    /// How it ended.
    pub end: End,
}

/// Something of a packet that may be followed.
#[inline]
pub(super) fn note<B>(follower: &mut Option<Box<Follower<B>>>, note: impl FnOnce(&mut Follower<B>)) {
    if let Some(follower) = follower {
        note(follower);
    }
}

/// All that is followed.
#[derive(Debug)]
pub(super) struct Follower<B> {
    between: [Host; 2],
    now: Ps,
    /// Places in `histories` of what is under way, by number in the fabric.
    under_way: HashMap<u32, usize>,
    histories: Vec<History<B>>,
}

impl<B> Follower<B> {
    fn new(between: [Host; 2]) -> Self {
        Self { between, now: Ps::ZERO, under_way: HashMap::new(), histories: Vec::new() }
    }

    /// A packet is sent, as number `flight`.
    pub(super) fn sent(&mut self, now: Ps, packet: &Packet<B>, flight: u32)
    where
        B: Clone,
    {
        let ends = [packet.src, packet.dst];
        if ends == self.between || ends == [self.between[1], self.between[0]] {
            let (packet, end) = (packet.clone(), End::UnderWay);
            self.under_way.insert(flight, self.histories.len());
            // It enters its first link at once.
            let (link, marked, spoiled) = (0, None, None);
            self.histories.push(History { packet, sent: now, link, marked, spoiled, end });
        }
    }

    /// Time has come to `now`.
    pub(super) fn set_now(&mut self, now: Ps) {
        self.now = now;
    }

    /// It is to be sent into a link.
    pub(super) fn enters(&mut self, flight: u32, link: u32) {
        self.change(flight, |history| history.link = link);
    }

    /// Its port has sent it into its link, or lost it there: it may be marked by now, and spoiled.
    pub(super) fn left(&mut self, flight: u32, is_marked: bool, is_spoiled: bool) {
        self.change(flight, |history| {
            let link = history.link;
            for (place, is) in [(&mut history.marked, is_marked), (&mut history.spoiled, is_spoiled)] {
                *place = place.or(is.then_some(link));
            }
        });
    }

    pub(super) fn delivered(&mut self, flight: u32) {
        self.ends(flight, End::Delivered(self.now));
    }

    pub(super) fn dropped(&mut self, flight: u32, why: Drop) {
        self.ends(flight, End::Dropped(why, self.now));
    }

    fn change(&mut self, flight: u32, change: impl FnOnce(&mut History<B>)) {
        if let Some(&at) = self.under_way.get(&flight) {
            change(&mut self.histories[at]);
        }
    }

    fn ends(&mut self, flight: u32, end: End) {
        self.change(flight, |history| history.end = end);
        self.under_way.remove(&flight);
    }
}

impl<B> Fabric<B> {
    /// Keeps from now on what becomes of the packets between two hosts, in both directions.
    pub fn follow(&mut self, between: [Host; 2]) {
        self.follower = Some(Box::new(Follower::new(between)));
    }

    /// The packets that were followed, in the order in which they were sent.
    pub fn histories(&self) -> &[History<B>] {
        self.follower.as_ref().map_or(&[], |follower| &follower.histories)
    }
}
