//! The notification point: marks become CNPs, one per queue pair and interval at most.

use super::Dcqcn;
use crate::time::Ps;

/// What a queue pair knows of the marks that came to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Notification {
    /// The next CNP not before.
    quiet_until: Ps,
    due: bool,
}

impl Notification {
    /// A marked packet has come.
    pub fn on_mark(&mut self, now: Ps, dcqcn: &Dcqcn) {
        if now >= self.quiet_until {
            self.quiet_until = now + dcqcn.cnp_interval;
            self.due = true;
        }
    }

    /// Whether a CNP is to be sent.
    pub fn is_due(&self) -> bool {
        self.due
    }

    /// The CNP that is to be sent is.
    pub fn take(&mut self) -> bool {
        std::mem::take(&mut self.due)
    }
}
