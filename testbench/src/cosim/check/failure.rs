//! Requests that end with an error: once each, and in order.

use super::Check;
use heddle_wire::{Completion, Status};

/// A request that ended with an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// Its host.
    pub host: usize,
    /// Its connection.
    pub connection: u16,
    /// Its number.
    pub wr_id: u64,
    /// Name of the status.
    pub status: String,
    /// It only followed from another one.
    follows: bool,
}

impl Check {
    /// A work request or a receive has ended with an error: it must be owed one end, and in stream order, unless it
    /// was refused at once.
    pub(super) fn on_error(
        &mut self,
        host: usize,
        completion: &Completion,
        is_receive: bool,
    ) -> Result<(), String> {
        let Completion { wr_id, stream, conn, status, .. } = *completion;
        let name = Status::from_code(status).map_or_else(|| status.to_string(), |s| s.to_string());
        let owed = if is_receive {
            self.receives.remove(&(host, wr_id)).is_some_and(|receive| receive.conn == conn)
        } else {
            let queue = self.requests.get_mut(&(host, conn, stream));
            let at = queue.as_ref().and_then(|owed| owed.iter().position(|one| one.request.wr_id == wr_id));
            let refused = status == Status::InvalidRequest.code();
            at.filter(|&at| at == 0 || refused).and_then(|at| queue?.remove(at)).is_some()
        };
        if !owed {
            let what = if is_receive { "receive " } else { "" };
            return Err(format!("{what}wr_id {wr_id} ended with {name} where it is not next, or has ended"));
        }
        self.failed[usize::from(is_receive)] += 1;
        let follows = [Status::InvalidRequest, Status::Flushed].iter().any(|one| one.code() == status);
        if self.failure.as_ref().is_none_or(|first| first.follows && !follows) {
            self.failure = Some(Failure { host, connection: conn, wr_id, status: name, follows });
        }
        Ok(())
    }

    /// The first request that ended with an error that no other brought about.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Work requests, and receives, that ended with an error.
    pub fn failed(&self) -> [usize; 2] {
        self.failed
    }
}
