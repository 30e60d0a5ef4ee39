//! Completions against the work requests, and the receiver's memory against the file.

use super::memory::HostMemory;
use heddle_wire::{Completion, Status, WorkRequest};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ops::Range;

/// What the end of a run found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Bytes found equal both when their message was completed and at the end.
    pub bytes: u64,
    /// The SHA-256 of the two are equal.
    pub sha256_match: bool,
}

/// Keeps the account of a run's work requests.
pub struct Check<'a> {
    file: &'a [u8],
    remote: u64,
    /// Requests that are owed a completion, per stream in order.
    owed: BTreeMap<u8, Vec<WorkRequest>>,
    requests: usize,
    completed: usize,
    completed_bytes: u64,
    /// Messages that were in place when they were completed.
    in_place: Vec<Range<usize>>,
}

impl<'a> Check<'a> {
    /// `remote`: where the file goes to in the receiver's memory.
    pub fn new(file: &'a [u8], remote: u64, requests: &[WorkRequest]) -> Self {
        let mut owed: BTreeMap<u8, Vec<WorkRequest>> = BTreeMap::new();
        // The next one of a stream is its last element.
        for request in requests.iter().rev() {
            owed.entry(request.stream).or_default().push(*request);
        }
        let requests = requests.len();
        Self { file, remote, owed, requests, completed: 0, completed_bytes: 0, in_place: Vec::new() }
    }

    /// Work requests completed.
    pub fn completed(&self) -> usize {
        self.completed
    }

    /// Their bytes.
    pub fn completed_bytes(&self) -> u64 {
        self.completed_bytes
    }

    /// Whether every work request is completed.
    pub fn is_complete(&self) -> bool {
        self.completed == self.requests
    }

    /// Which are not, for a diagnosis.
    pub fn missing_text(&self) -> String {
        let open = self.owed.iter().filter(|(_, owed)| !owed.is_empty());
        let text: Vec<_> =
            open.map(|(stream, owed)| format!("stream {stream} lacks {}", owed.len())).collect();
        if text.is_empty() {
            "none is missing".to_owned()
        } else {
            text.join(", ")
        }
    }

    /// A completion at the sender: it must be the next of its stream, a success, and its bytes must be in the
    /// receiver's memory now.
    pub fn on_completion(&mut self, completion: &Completion, memory: &HostMemory) -> Result<(), String> {
        let Completion { wr_id, stream, .. } = *completion;
        let owed = self.owed.get_mut(&stream).and_then(Vec::pop);
        let request =
            owed.ok_or(format!("wr_id {wr_id} is completed, but stream {stream} is owed nothing"))?;
        if wr_id != request.wr_id {
            return Err(format!("stream {stream} completed wr_id {wr_id} where {} is next", request.wr_id));
        }
        if completion.status != Status::Success.code() {
            let code = completion.status;
            let name = Status::from_code(code).map_or_else(|| code.to_string(), |s| s.to_string());
            return Err(format!("wr_id {wr_id} ended with status {name}"));
        }
        if (completion.byte_count, completion.conn) != (request.length, request.conn) {
            return Err(format!(
                "wr_id {wr_id} moved {} bytes on connection {}, asked for were {} on {}",
                completion.byte_count, completion.conn, request.length, request.conn
            ));
        }
        let len = request.length as usize;
        let at = (request.remote_address - self.remote) as usize;
        if memory.slice(request.remote_address, len) == Some(&self.file[at..at + len]) {
            self.in_place.push(at..at + len);
        }
        self.completed += 1;
        self.completed_bytes += len as u64;
        Ok(())
    }

    /// The end: compares the whole file, byte by byte and by SHA-256. The bytes of a message that was
    /// completed before all of it was in memory do not count.
    pub fn finish(&self, memory: &HostMemory) -> Verified {
        let data = memory.data();
        let equal = |range: &Range<usize>| {
            let pairs = self.file[range.clone()].iter().zip(&data[range.clone()]);
            pairs.filter(|(want, got)| want == got).count() as u64
        };
        Verified {
            file_bytes: self.file.len() as u64,
            bytes: self.in_place.iter().map(equal).sum(),
            sha256_match: Sha256::digest(self.file) == Sha256::digest(data),
        }
    }
}

#[cfg(test)]
mod tests;
