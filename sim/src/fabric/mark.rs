//! Which packets a switch marks CE: decided when one enters a queue, from what stands there before it.

use super::loss::{Chance, LossError};
use rand::RngCore;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

/// When a queue marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Marking {
    /// Never.
    Never,
    /// Whenever more than so many bytes stand in it. Source: DCTCP, RFC 8257 section 3.1.
    Threshold {
        /// Bytes.
        bytes: u64,
    },
    /// RED on the queue as it is, not on its mean: never up to `min`, always from more than `max`, between
    /// them with a probability that grows from 0 to `pmax`. Source: DCQCN, SIGCOMM 2015, figure 5.
    Red {
        /// Bytes.
        min: u64,
        /// Bytes.
        max: u64,
        /// Probability at `max`, 0 to 1.
        pmax: f64,
    },
}

/// A marking that cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MarkError {
    /// The probability.
    #[error(transparent)]
    Probability(#[from] LossError),
    /// The thresholds.
    #[error("RED from {min} to {max} bytes: the second must be more than the first, and at most 4294967295")]
    Thresholds {
        /// Asked for.
        min: u64,
        /// Asked for.
        max: u64,
    },
}

/// One queue's decisions.
#[derive(Clone, Debug)]
pub struct Marker {
    min: u64,
    max: u64,
    /// Probability at `max`, in 1/2^32.
    pmax: u64,
    /// Drawn from between the thresholds only.
    rng: ChaCha8Rng,
}

impl Marker {
    /// Of a marking.
    pub fn new(marking: Marking, rng: ChaCha8Rng) -> Result<Self, MarkError> {
        let (min, max, pmax) = match marking {
            Marking::Never => (u64::MAX, u64::MAX, 0),
            Marking::Threshold { bytes } => (bytes, bytes, 0),
            // 32 bits of thresholds and 32 of the probability: the product below has room.
            Marking::Red { min, max, .. } if min >= max || max > u64::from(u32::MAX) => {
                return Err(MarkError::Thresholds { min, max });
            }
            Marking::Red { min, max, pmax } => (min, max, Chance::new("marking probability", pmax)?.parts()),
        };
        Ok(Self { min, max, pmax, rng })
    }

    /// Bytes up to which it never marks.
    pub fn never_up_to(&self) -> u64 {
        self.min
    }

    /// Whether a packet that enters now is marked, when so many bytes stand before it.
    #[inline]
    pub fn marks(&mut self, queue_bytes: u64) -> bool {
        if queue_bytes <= self.min {
            return false;
        }
        if queue_bytes > self.max {
            return true;
        }
        // draw / 2^32 < pmax * (queue - min) / (max - min), without dividing; at most 2^64.
        let draw = u128::from(self.rng.next_u32());
        draw * u128::from(self.max - self.min) < u128::from(self.pmax) * u128::from(queue_bytes - self.min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::stream;

    fn marker(marking: Marking) -> Marker {
        Marker::new(marking, stream(1, "mark", 0)).unwrap()
    }

    #[test]
    fn a_threshold_marks_what_finds_more_than_it() {
        let mut marker = marker(Marking::Threshold { bytes: 1_000 });
        assert_eq!([0, 1_000, 1_001, u64::MAX].map(|queue| marker.marks(queue)), [false, false, true, true]);
    }

    #[test]
    fn never_is_never() {
        assert!(!marker(Marking::Never).marks(u64::MAX));
    }

    #[test]
    fn red_marks_in_proportion_between_its_thresholds() {
        let mut marker = marker(Marking::Red { min: 100_000, max: 500_000, pmax: 0.2 });
        let draws = 50_000;
        for (queue, p) in [(100_000, 0.0), (200_000, 0.05), (300_000, 0.1), (500_000, 0.2), (500_001, 1.0)] {
            let marked = f64::from((0..draws).map(|_| u32::from(marker.marks(queue))).sum::<u32>());
            let mean = f64::from(draws) * p;
            assert!(
                (marked - mean).abs() <= 5.0 * (mean * (1.0 - p)).sqrt(),
                "{marked} of {mean} at {queue}"
            );
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        let refused = |min, max, pmax| {
            Marker::new(Marking::Red { min, max, pmax }, stream(1, "mark", 0)).unwrap_err().to_string()
        };
        let thresholds =
            "RED from 5 to 5 bytes: the second must be more than the first, and at most 4294967295";
        assert_eq!(refused(5, 5, 0.1), thresholds);
        assert_eq!(refused(5, 6, 1.1), "a marking probability of 1.1: 0 to 1 are possible");
    }
}
