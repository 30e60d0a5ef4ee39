//! When to acknowledge: at once, after A arrivals, or T after the first that waits.
//!
//! T is constant, so the deadlines are a FIFO of (path, deadline, generation): an acknowledgement that
//! overtakes a deadline advances the path's generation instead of searching the FIFO. A full FIFO
//! acknowledges at once, which is always allowed, so it may have any depth. docs/blocks/rx-ack.md. Mirrors
//! the RTL's ack block.

use crate::rx::path::{RxClass, RxOp, RxPathOut};
use heddle_wire::{Flag, Time32};
use std::collections::VecDeque;
use thiserror::Error;

/// How long acknowledgements may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckConfig {
    arrivals: u8,
    delay_ticks: u16,
    deadlines: u8,
}

/// A value that no acknowledgement rule can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AckConfigError {
    /// Arrivals per ACK.
    #[error("an ACK after {got} arrivals: 1 to {max} are possible")]
    Arrivals {
        /// The value given.
        got: u8,
        /// The largest possible.
        max: u8,
    },
    /// Depth of the FIFO of deadlines.
    #[error("a FIFO of no deadlines: at least 1 is needed")]
    Deadlines,
}

impl AckConfig {
    /// Largest number of arrivals per ACK: the count has 5 bits.
    pub const MAX_ARRIVALS: u8 = 31;
    /// A = 4 arrivals or T = 2 us (section 4), 64 deadlines.
    pub const DEFAULT: Self = Self { arrivals: 4, delay_ticks: 250, deadlines: 64 };

    /// A: arrivals per ACK.
    pub const fn arrivals(&self) -> u8 {
        self.arrivals
    }

    /// Deadlines that wait at a time.
    pub const fn deadlines(&self) -> u8 {
        self.deadlines
    }

    /// T in ticks.
    pub const fn delay_ticks(&self) -> u16 {
        self.delay_ticks
    }

    /// An ACK after `arrivals` packets or `delay_ticks` of 8 ns; up to `deadlines` wait at a time. The
    /// generations have 8 bits, so 255 deadlines are the most that can be told apart.
    pub fn new(arrivals: u8, delay_ticks: u16, deadlines: u8) -> Result<Self, AckConfigError> {
        if arrivals == 0 || arrivals > Self::MAX_ARRIVALS {
            return Err(AckConfigError::Arrivals { got: arrivals, max: Self::MAX_ARRIVALS });
        }
        if deadlines == 0 {
            return Err(AckConfigError::Deadlines);
        }
        Ok(Self { arrivals, delay_ticks, deadlines })
    }
}

/// State of one path: 15 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    /// An ACK is requested and not yet taken.
    pending: bool,
    /// Arrivals since the last ACK, below A.
    count: u8,
    /// A deadline of the present generation is in the FIFO.
    armed: bool,
    generation: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Deadline {
    path: u16,
    at: Time32,
    generation: u8,
}

/// Acknowledgement triggers of all receive paths. Each event returns the path whose ACK it requests, if it
/// does.
#[derive(Clone, Debug)]
pub struct AckTrigger {
    config: AckConfig,
    rows: Vec<Row>,
    deadlines: VecDeque<Deadline>,
}

impl AckTrigger {
    /// `paths` paths, none of them with anything to acknowledge.
    pub fn new(paths: u16, config: AckConfig) -> Self {
        Self { config, rows: vec![Row::default(); paths.into()], deadlines: VecDeque::new() }
    }

    /// T is changed: it holds for the deadlines from here on.
    pub fn set_delay_ticks(&mut self, delay_ticks: u16) {
        self.config.delay_ticks = delay_ticks;
    }

    /// A result of the receive path engine.
    pub fn on_result(&mut self, result: &RxPathOut, now: Time32) -> Option<u16> {
        // REQ-ACK-1: gap opens, gap closes, duplicate, out of window, ACK_REQ, PROBE. A fault is the NAK's
        // matter.
        let at_once = match (result.op, result.class) {
            (RxOp::Probe, _) => true,
            (RxOp::Data, Some(RxClass::Accept)) => {
                result.open || result.close || result.flags.has(Flag::AckReq)
            }
            (RxOp::Data, Some(RxClass::Duplicate | RxClass::OutOfWindow)) => true,
            _ => return None,
        };
        match at_once {
            true => self.demand(result.path),
            false => self.count(result.path, now),
        }
    }

    /// REQ-ACK-1: an ACK is due at once: a message is complete, a receive was posted when the credit was
    /// exhausted, or another stream's `done` is to be reported.
    pub fn demand(&mut self, path: u16) -> Option<u16> {
        // REQ-ACK-3: one ACK is pending per path; later triggers merge into it.
        let row = &mut self.rows[usize::from(path)];
        (!std::mem::replace(&mut row.pending, true)).then_some(path)
    }

    // REQ-ACK-2: after A arrivals, or T after the first of them.
    fn count(&mut self, path: u16, now: Time32) -> Option<u16> {
        let row = &mut self.rows[usize::from(path)];
        if row.pending {
            return None;
        }
        row.count += 1;
        if row.count >= self.config.arrivals {
            return self.demand(path);
        }
        if row.armed {
            return None;
        }
        if self.deadlines.len() == usize::from(self.config.deadlines) {
            return self.demand(path);
        }
        row.armed = true;
        let at = now.plus(self.config.delay_ticks.into());
        self.deadlines.push_back(Deadline { path, at, generation: row.generation });
        None
    }

    /// Time passes: looks at the oldest deadline only, as the RTL does each cycle.
    pub fn on_tick(&mut self, now: Time32) -> Option<u16> {
        let oldest = *self.deadlines.front()?;
        if oldest.at.is_ahead(now) {
            return None;
        }
        self.deadlines.pop_front();
        let row = &self.rows[usize::from(oldest.path)];
        match row.armed && row.generation == oldest.generation {
            true => self.demand(oldest.path),
            false => None,
        }
    }

    /// The requested ACK is being built: the state it reports covers every arrival so far.
    pub fn on_taken(&mut self, path: u16) {
        let row = &mut self.rows[usize::from(path)];
        if row.armed {
            row.generation = row.generation.wrapping_add(1);
        }
        *row = Row { generation: row.generation, ..Row::default() };
    }

    /// The path's connection has ended: nothing is to be acknowledged, and a deadline that still runs is overtaken.
    pub fn reset(&mut self, path: u16) {
        let row = &mut self.rows[usize::from(path)];
        *row = Row { generation: row.generation.wrapping_add(1), ..Row::default() };
    }

    /// The oldest deadline, live or overtaken: when [`Self::on_tick`] next has something to do.
    pub fn next_deadline(&self) -> Option<Time32> {
        self.deadlines.front().map(|deadline| deadline.at)
    }
}

#[cfg(test)]
mod tests;
