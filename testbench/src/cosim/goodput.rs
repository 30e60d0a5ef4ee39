//! Payload over time, plane by plane: in as many equal steps as a plot can show, however long the run is.

/// Most steps; with one more, pairs are joined. More would show single packets instead of a rate.
const MOST_STEPS: usize = 128;

/// Bytes of payload that had not arrived before, per plane and step of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goodput {
    /// Cycles of a step.
    step: u64,
    /// Per plane, per step.
    bytes: Vec<Vec<u64>>,
}

impl Goodput {
    /// Of that many planes; steps are `step` cycles at first.
    pub fn new(planes: u32, step: u64) -> Self {
        Self { step: step.max(1), bytes: vec![Vec::new(); planes as usize] }
    }

    /// Bytes arrive on a plane.
    pub fn add(&mut self, plane: u8, cycle: u64, bytes: u64) {
        while cycle / self.step >= MOST_STEPS as u64 {
            self.step *= 2;
            for plane in &mut self.bytes {
                *plane = plane.chunks(2).map(|pair| pair.iter().sum()).collect();
            }
        }
        let Some(steps) = self.bytes.get_mut(usize::from(plane)) else { return };
        let at = (cycle / self.step) as usize;
        if steps.len() <= at {
            steps.resize(at + 1, 0);
        }
        steps[at] += bytes;
    }

    /// Cycles of a step.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Steps until the last arrival.
    pub fn steps(&self) -> usize {
        self.bytes.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Bytes of every step of every plane, all of the same length.
    pub fn planes(&self) -> Vec<Vec<u64>> {
        let steps = self.steps();
        let padded = |plane: &Vec<u64>| [plane.as_slice(), &vec![0; steps - plane.len()]].concat();
        self.bytes.iter().map(padded).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stand_in_their_step_and_plane() {
        let mut goodput = Goodput::new(2, 100);
        for (plane, cycle, bytes) in [(0, 0, 1), (0, 99, 2), (0, 100, 4), (1, 350, 8)] {
            goodput.add(plane, cycle, bytes);
        }
        assert_eq!(goodput.planes(), [[3, 4, 0, 0], [0, 0, 0, 8]]);
        assert_eq!((goodput.step(), goodput.steps()), (100, 4));
    }

    #[test]
    fn a_long_run_has_longer_steps_and_loses_no_byte() {
        let mut goodput = Goodput::new(1, 10);
        (0..100_000).for_each(|cycle| goodput.add(0, cycle, 3));
        // 10 x 2^7 is the first step of which 128 reach over 100,000 cycles.
        assert_eq!((goodput.step(), goodput.steps()), (1280, 79));
        let planes = goodput.planes();
        assert_eq!(planes[0].iter().sum::<u64>(), 300_000);
        assert!(planes[0][..78].iter().all(|&bytes| bytes == 3840));
    }

    #[test]
    fn an_arrival_far_ahead_does_not_take_memory_for_what_is_in_between() {
        let mut goodput = Goodput::new(1, 1);
        goodput.add(0, 5, 7);
        goodput.add(0, 1 << 40, 9);
        assert!(goodput.steps() <= MOST_STEPS);
        assert_eq!(goodput.planes()[0].iter().sum::<u64>(), 16);
    }
}
