//! Who looks at a run: captures and progress bars.

use super::paths::PathSample;
use crate::link::Fate;
use std::io;

/// Which way a frame travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the receiver.
    Forth,
    /// From the receiver.
    Back,
}

/// A frame on the wire.
#[derive(Clone, Copy, Debug)]
pub struct Transmission<'a> {
    /// Which way.
    pub direction: Direction,
    /// On which plane.
    pub plane: u8,
    /// Cycle of its last beat at the core that sent it.
    pub cycle: u64,
    /// The frame as it was sent, without FCS.
    pub frame: &'a [u8],
    /// What the network does to it.
    pub fate: Fate,
}

/// What a run tells as it goes.
pub trait Observer: Send {
    /// A frame was sent, in order of its last beat.
    fn on_frame(&mut self, _: &Transmission<'_>) -> io::Result<()> {
        Ok(())
    }

    /// So many bytes of payload that had not arrived before arrive on a plane in this cycle, which may be one to
    /// come.
    fn on_payload(&mut self, _plane: u8, _cycle: u64, _bytes: u64) {}

    /// How many cycles lie between looks at the paths; none when nobody looks.
    fn paths_every(&self) -> Option<u64> {
        None
    }

    /// State of a path.
    fn on_path(&mut self, _: &PathSample) -> io::Result<()> {
        Ok(())
    }

    /// So many bytes of messages are completed.
    fn on_progress(&mut self, _bytes: u64) {}
}

/// Looks at nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl Observer for Blind {}
