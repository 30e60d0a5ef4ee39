//! What a core has counted.

use heddle_wire::DropReason;

/// What a core has counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Frames handed in.
    pub frames_received: u64,
    /// DATA packets whose payload was placed.
    pub accepted: u64,
    /// ACKs that were good.
    pub acks_received: u64,
    /// PROBEs received.
    pub probes_received: u64,
    /// DATA packets sent for the first time.
    pub data_sent: u64,
    /// DATA packets sent again.
    pub data_resent: u64,
    /// ACKs sent.
    pub acks_sent: u64,
    /// PROBEs sent.
    pub probes_sent: u64,
    /// NAKs received that were valid, those for the control plane included.
    pub naks_received: u64,
    /// NAKs sent.
    pub naks_sent: u64,
    /// RESETs received that ended a connection or answered one, or were answered.
    pub resets_received: u64,
    /// RESETs sent, answers included.
    pub resets_sent: u64,
    /// Timer expiries, dead routes included.
    pub expiries: u64,
    /// Dead routes.
    pub dead_routes: u64,
    /// Errors of messages or memory.
    pub errors: u64,
    /// Tests of planes that were received while too many answers waited.
    pub tests_unanswered: u64,
    /// Connections that used up their retry budget.
    pub budgets_spent: u64,
    pub(super) drops: [u64; DropReason::LIMIT],
}

impl Counters {
    /// Packets dropped for this reason.
    pub fn drops(&self, reason: DropReason) -> u64 {
        self.drops[reason as usize]
    }

    /// Packets dropped, for any reason.
    pub fn dropped(&self) -> u64 {
        self.drops.iter().sum()
    }
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            frames_received: 0,
            accepted: 0,
            acks_received: 0,
            probes_received: 0,
            data_sent: 0,
            data_resent: 0,
            acks_sent: 0,
            probes_sent: 0,
            naks_received: 0,
            naks_sent: 0,
            resets_received: 0,
            resets_sent: 0,
            expiries: 0,
            dead_routes: 0,
            errors: 0,
            tests_unanswered: 0,
            budgets_spent: 0,
            drops: [0; DropReason::LIMIT],
        }
    }
}
