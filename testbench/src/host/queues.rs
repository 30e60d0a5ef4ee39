//! Work requests in, completions out.

use super::pins::{Inputs, Outputs, Word};
use heddle_wire::{Completion, WorkRequest};
use std::collections::VecDeque;

/// Work requests, one at a time.
pub(super) struct Requests<W> {
    beats: VecDeque<W>,
}

impl<W> Default for Requests<W> {
    fn default() -> Self {
        Self { beats: VecDeque::new() }
    }
}

impl<W: Word> Requests<W> {
    pub fn offer(&mut self, request: &WorkRequest) -> bool {
        let free = self.beats.is_empty();
        if free {
            self.beats.extend(request.emit().chunks(W::BYTES).map(W::from_bytes));
        }
        free
    }

    pub fn drive(&mut self, inputs: &mut Inputs<W>) {
        inputs.wqe_valid = !self.beats.is_empty();
        if let Some(&data) = self.beats.front() {
            inputs.wqe_data = data;
            inputs.wqe_last = self.beats.len() == 1;
        }
    }

    pub fn crossed(&mut self, outputs: &Outputs<W>) {
        if outputs.wqe_ready {
            self.beats.pop_front();
        }
    }
}

/// Completions.
#[derive(Default)]
pub(super) struct Completions {
    bytes: Vec<u8>,
    done: VecDeque<Completion>,
}

impl Completions {
    pub fn take(&mut self) -> Option<Completion> {
        self.done.pop_front()
    }

    pub fn crossed<W: Word>(&mut self, inputs: &Inputs<W>, outputs: &Outputs<W>) {
        if !(outputs.cpl_valid && inputs.cpl_ready) {
            return;
        }
        outputs.cpl_data.put(&mut self.bytes);
        if outputs.cpl_last {
            let record = self.bytes.first_chunk().expect("a completion has 32 bytes");
            self.done.push_back(Completion::parse(record));
            self.bytes.clear();
        }
    }
}
