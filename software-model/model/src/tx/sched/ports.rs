//! Ports that take no frame now: what would leave by them waits, and holds nothing else up.

use super::Sched;
use std::collections::VecDeque;

/// Which ports take a frame, and who waits for the others.
#[derive(Clone, Debug, Default)]
pub(super) struct Ports {
    /// Bit p: the port of plane p takes no frame.
    shut: u16,
    /// Paths that have something to resend.
    resends: VecDeque<u16>,
    /// Connections that have a usable path, but none whose port takes a frame.
    connections: VecDeque<u16>,
}

impl Ports {
    pub(super) fn takes(&self, plane: u8) -> bool {
        self.shut >> plane & 1 == 0
    }

    pub(super) fn hold_resend(&mut self, path: u16) {
        self.resends.push_back(path);
    }

    pub(super) fn hold(&mut self, conn: u16) {
        self.connections.push_back(conn);
    }

    /// The connection has ended.
    pub(super) fn forget(&mut self, conn: u16, paths: u32) {
        self.resends.retain(|&path| u32::from(path) / paths != conn.into());
        self.connections.retain(|&held| held != conn);
    }
}

impl Sched {
    /// Ports that take a frame now, bit p for that of plane p: packets and resends for others wait, and keep their place.
    // REQ-ROUTE-10
    pub fn set_ports(&mut self, open: u16) {
        let opens = self.ports.shut & open != 0;
        self.ports.shut = !open;
        if !opens {
            return;
        }
        // Who waited longest is looked at first.
        for path in std::mem::take(&mut self.ports.resends).into_iter().rev() {
            self.resends.push_front(path);
        }
        for conn in std::mem::take(&mut self.ports.connections).into_iter().rev() {
            self.ready.push_front(conn);
        }
    }
}
