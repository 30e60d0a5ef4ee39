//! Knows every packet's fate, and judges.

use super::{Receiver, Sender};
use std::collections::{BTreeMap, BTreeSet};

/// What a transfer amounted to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// Packets sent for the first time.
    pub sent: u64,
    /// Packets sent again.
    pub resends: u64,
    /// Transmissions lost.
    pub lost: u64,
    /// Losses that led to a resend without a timer.
    pub found_by_evidence: u64,
    /// Resends by evidence of packets whose last transmission was not lost.
    pub spurious_by_evidence: u64,
    /// Timer expiries.
    pub expiries: u64,
    /// Route changes.
    pub route_changes: u64,
    /// Packets that arrived again.
    pub duplicates: u64,
    /// Most packets of one path in flight.
    pub most_in_flight: u16,
    /// Transactions that crossed the ports of both engines.
    pub crossed: u64,
    /// Transactions compared with the model.
    pub compared: u64,
}

/// Why a packet is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// For the first time.
    New,
    /// Found lost by evidence, unless a timer had a hand in it.
    Resend,
    /// By a timer.
    Expiry,
}

/// Fates and placements, per path.
pub struct Oracle {
    /// Of each packet on its way to being acknowledged: whether its last transmission was lost.
    doomed: Vec<BTreeMap<u32, bool>>,
    /// Packets that a timer declared lost.
    by_timer: Vec<BTreeSet<u32>>,
    placed: Vec<BTreeSet<u32>>,
    sums: Sums,
}

impl Oracle {
    /// Nothing sent yet.
    pub fn new(paths: usize) -> Self {
        Self {
            doomed: vec![BTreeMap::new(); paths],
            by_timer: vec![BTreeSet::new(); paths],
            placed: vec![BTreeSet::new(); paths],
            sums: Sums::default(),
        }
    }

    /// A packet was sent; `delivered`: the network will bring it.
    pub fn on_sent(&mut self, path: usize, psn: u32, cause: Cause, delivered: bool) {
        let timer = self.by_timer[path].remove(&psn);
        let doomed = self.doomed[path].insert(psn, !delivered);
        match cause {
            Cause::New => {
                assert_eq!(doomed, None, "path {path}: PSN {psn:#x} was used twice");
                self.sums.sent += 1;
            }
            Cause::Resend => {
                self.sums.resends += 1;
                match (doomed, timer) {
                    (Some(true), false) => self.sums.found_by_evidence += 1,
                    (Some(false), false) => self.sums.spurious_by_evidence += 1,
                    (Some(_), true) => {}
                    (None, _) => panic!("path {path}: PSN {psn:#x} is resent and was never sent"),
                }
            }
            Cause::Expiry => self.sums.expiries += 1,
        }
        self.sums.lost += u64::from(!delivered);
    }

    /// A timer or a route's end declares these packets lost, if they still are unreceived.
    pub fn on_timer(&mut self, path: usize, psns: impl Iterator<Item = u32>) {
        self.by_timer[path].extend(psns);
        self.sums.route_changes += 1;
    }

    /// A packet is placed.
    pub fn on_placed(&mut self, path: usize, psn: u32) {
        assert!(self.placed[path].insert(psn), "path {path}: PSN {psn:#x} was placed twice");
    }

    /// A packet came again.
    pub fn on_duplicate(&mut self) {
        self.sums.duplicates += 1;
    }

    /// Packets placed, over all paths.
    pub fn placed(&self) -> u64 {
        self.placed.iter().map(|psns| psns.len() as u64).sum()
    }

    /// The end of the transfer.
    pub fn sums(&self, sender: &Sender, receiver: &Receiver) -> Sums {
        let (crossed, compared) = (sender.crossed + receiver.crossed, sender.compared + receiver.compared);
        Sums { crossed, compared, most_in_flight: sender.most_in_flight, ..self.sums }
    }
}
