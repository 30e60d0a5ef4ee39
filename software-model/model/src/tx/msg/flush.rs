//! The end of a connection: every work request that has not ended does so now, once and in order.

use super::{Completion, TxMsg};
use heddle_wire::{Msn, Status};
use std::collections::VecDeque;

impl TxMsg {
    /// The connection has ended with `status`: the completions of every outstanding work request, each stream's in order. The request
    /// that was refused, (stream, msn), has the status, else the first; all others are FLUSHED. The connection is as new, and takes
    /// requests when it is set up again.
    // REQ-CONN-7
    pub fn flush(&mut self, conn: u16, status: Status, refused: Option<(u8, Msn)>) -> VecDeque<Completion> {
        let mut completions = VecDeque::new();
        for stream in 0..self.config.streams as u8 {
            let Some(marks) = self.marks(conn, stream) else { continue };
            let mut msn = marks.completed;
            while msn != marks.head {
                let named = refused == Some((stream, msn));
                let status = if named { status } else { Status::Flushed };
                completions.extend(self.row(conn, stream, msn).map(|row| Completion::of(row, status)));
                msn = msn.next();
            }
        }
        if completions.iter().all(|ended: &Completion| ended.status == Status::Flushed) {
            if let Some(first) = completions.front_mut() {
                first.status = status;
            }
        }
        self.renew(conn);
        completions
    }
}
