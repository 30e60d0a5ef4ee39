//! A queue pair's rate limiter: when its next packet may go, and its share of notification.

use super::{Dcqcn, Notification, Reaction};
use crate::time::Ps;

/// What DCQCN keeps for a queue pair. Without [`Dcqcn`] it never limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limiter {
    reaction: Option<Reaction>,
    notification: Notification,
    due: Ps,
}

impl Limiter {
    /// At line rate.
    pub fn new(dcqcn: Option<&Dcqcn>) -> Self {
        Self { reaction: dcqcn.map(Reaction::new), ..Self::default() }
    }

    /// The next packet with payload may go then.
    pub fn due(&self) -> Ps {
        self.due
    }

    /// Its rate, bits per second, where there is one.
    pub fn bits_per_second(&self) -> Option<u64> {
        self.reaction.map(|reaction| reaction.bits_per_second())
    }

    /// So many bytes go. A packet that a full port made late does not make the next one late.
    pub fn on_sent(&mut self, now: Ps, bytes: u32, dcqcn: Option<&Dcqcn>) {
        let (Some(reaction), Some(dcqcn)) = (self.reaction.as_mut(), dcqcn) else { return };
        reaction.on_sent(now, bytes, dcqcn);
        if let Some(rate) = reaction.limit() {
            let time = rate.time_of(bytes.into());
            self.due = self.due.max(Ps(now.0.saturating_sub(time.0))) + time;
        }
    }

    /// A packet has come: whether it was marked, and whether it is a CNP.
    pub fn on_packet(&mut self, now: Ps, ce: bool, cnp: bool, dcqcn: Option<&Dcqcn>) {
        let (Some(reaction), Some(dcqcn)) = (self.reaction.as_mut(), dcqcn) else { return };
        if ce {
            self.notification.on_mark(now, dcqcn);
        }
        if cnp {
            reaction.on_cnp(now, dcqcn);
        }
    }

    /// Whether a CNP is to be sent.
    pub fn has_cnp(&self) -> bool {
        self.notification.is_due()
    }

    /// The CNP that is to be sent is.
    pub fn take_cnp(&mut self) -> bool {
        self.notification.take()
    }
}
