//! What a run found, in the terms of docs/cosim.md.

use serde::Serialize;
use std::collections::BTreeMap;

/// The figures of a run. Field names are the stable JSON keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Name of the configuration.
    pub config: &'static str,
    /// Everything random followed from it.
    pub seed: u64,
    /// Bytes of the file, or of all messages.
    pub file_bytes: u64,
    /// Bytes found where they must be, both when their message was completed and at the end.
    pub bytes_verified: u64,
    /// Whether all memories have the SHA-256 of what they must hold.
    pub sha256_match: bool,
    /// Cycles from the end of the set-up to the last completion.
    pub cycles: u64,
    /// Bits of messages per cycle, from the first beat of the first DATA frame to the last completion.
    pub goodput_bits_per_cycle: f64,
    /// DATA packets that the sender sent, resends included.
    pub packets_sent: u64,
    /// Of these, packets that had been sent before.
    pub packets_resent: u64,
    /// Resends by evidence of a packet of which an earlier transmission arrives.
    pub spurious_resends: u64,
    /// The same by timer.
    pub spurious_by_timer: u64,
    /// Expiries of path timers.
    pub timer_expiries: u64,
    /// Duplicates that were dropped.
    pub duplicates_received: u64,
    /// Packets that were dropped because they were out of the path's window.
    pub out_of_window: u64,
    /// Packets that the cores dropped, by reason; those of no reason are left out.
    pub drops: BTreeMap<&'static str, u64>,
    /// Transactions that went into a watched block inside of a core and have an answer of their own.
    pub transactions_crossed: u64,
    /// Answers compared with the golden model's.
    pub transactions_compared: u64,
    /// Transactions that went into a watched block and have no answer of their own, by block and reason.
    pub transactions_explained: BTreeMap<String, u64>,
    /// Of the answers compared, different.
    pub mismatches: u64,
    /// Cycles computed per second, all cores; 0 where nobody took the time.
    pub sim_cycles_per_second: f64,
    /// Mean time that a packet whose first transmission was lost came late, in round trips; none without one.
    pub recovery_rtts: Option<f64>,
    /// DATA transmissions that the network lost or spoiled.
    pub losses: u64,
    /// Of these, those in whose place the packet was sent again by evidence alone.
    pub losses_found_by_evidence: u64,
    /// Of these, those in whose place it was sent again by evidence, after a timer had sent something on the path.
    pub losses_found_after_timer: u64,
    /// Of these, those in whose place the packet was sent again by a timer.
    pub losses_found_by_timer: u64,
    /// Most packets sent and not acknowledged at a time, over all paths.
    pub max_outstanding: u32,
    /// What was moved: `file` or the name of the workload.
    pub workload: &'static str,
    /// Endpoints that sent to the one receiver.
    pub senders: u32,
    /// Work requests of all endpoints.
    pub messages: u64,
    /// Posted receives that messages consumed.
    pub receives_completed: u64,
    /// Bits of its messages per cycle of every sender, from the first beat of the first DATA frame of all to its
    /// own last completion.
    pub sender_goodput_bits_per_cycle: Vec<f64>,
    /// Frames that a queue marked CE.
    pub ce_marked: u64,
    /// Frames for which a queue had no room.
    pub buffer_losses: u64,
    /// Frames that a dead plane lost.
    pub plane_losses: u64,
    /// Most bytes that stood in a plane's queue, preamble, FCS and gap included; 0 where planes have no speed.
    pub max_queue_bytes: u64,
}

impl Report {
    /// Whether every byte arrived and nothing differed.
    pub fn is_good(&self) -> bool {
        self.bytes_verified == self.file_bytes
            && self.sha256_match
            && self.mismatches == 0
            && self.transactions_compared == self.transactions_crossed
    }
}
