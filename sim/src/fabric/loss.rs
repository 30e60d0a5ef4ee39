//! What a link does to packets by chance: it loses them, one by one or in bursts, or damages them.
//!
//! One draw per packet. A damaged packet travels on; the receiving NIC's ICRC finds it.

use rand::RngCore;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

/// How packets are lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// Not at all.
    None,
    /// Each by itself.
    Bernoulli {
        /// Probability, 0 to 1.
        loss: f64,
    },
    /// Gilbert: the link is good or bad for a while, a bad one loses everything. How long it stays so, in
    /// packets, is geometric.
    Bursts {
        /// Part of the packets that is lost, 0 to less than 1.
        loss: f64,
        /// Mean number of packets that are lost one after the other, 1 or more.
        mean_burst: f64,
    },
}

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing.
    Passes,
    /// It does not arrive.
    Lost,
    /// It arrives, and its ICRC is wrong.
    Corrupt,
}

/// A model that cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LossError {
    /// A probability.
    #[error("a {what} of {got}: 0 to 1 are possible")]
    Probability {
        /// Of what.
        what: &'static str,
        /// Asked for.
        got: f64,
    },
    /// A burst.
    #[error("bursts of {got} packets: 1 or more are possible")]
    Burst {
        /// Asked for.
        got: f64,
    },
    /// There would have to be less than one packet between two bursts.
    #[error("a loss of {loss} in bursts of {mean_burst} packets: at most {most} is possible with these")]
    TooMuch {
        /// Asked for.
        loss: f64,
        /// Asked for.
        mean_burst: f64,
        /// With one packet between two bursts.
        most: f64,
    },
}

/// A probability in 1/2^32, rounded to the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(what: &'static str, got: f64) -> Result<Self, LossError> {
        match (0.0..=1.0).contains(&got) {
            true => Ok(Self((got * (1u64 << 32) as f64).round() as u64)),
            false => Err(LossError::Probability { what, got }),
        }
    }

    pub(super) fn parts(self) -> u64 {
        self.0
    }

    fn happens(self, draw: u32) -> bool {
        u64::from(draw) < self.0
    }
}

#[derive(Clone, Debug)]
enum State {
    Always(Chance),
    /// Chances to become bad, and good again.
    Gilbert {
        worsens: Chance,
        mends: Chance,
        is_bad: bool,
    },
}

/// A link's chances.
#[derive(Clone, Debug)]
pub struct Loss {
    state: State,
    corrupt: Chance,
    rng: ChaCha8Rng,
}

impl Loss {
    /// Of a link on which, besides, a part `corrupt` of what arrives is damaged. `None` when nothing ever
    /// happens to a packet.
    pub fn new(model: Model, corrupt: f64, mut rng: ChaCha8Rng) -> Result<Option<Self>, LossError> {
        let corrupt = Chance::new("corruption", corrupt)?;
        let state = match model {
            Model::None => State::Always(Chance(0)),
            Model::Bernoulli { loss } => State::Always(Chance::new("loss", loss)?),
            Model::Bursts { loss, mean_burst } => Self::gilbert(loss, mean_burst, rng.next_u32())?,
        };
        let never = matches!(state, State::Always(Chance(0)) | State::Gilbert { worsens: Chance(0), .. });
        Ok((!never || corrupt != Chance(0)).then_some(Self { state, corrupt, rng }))
    }

    /// In the long run a part w / (w + m) of the packets finds the link bad, and 1 / m of them one after the
    /// other.
    fn gilbert(loss: f64, mean_burst: f64, draw: u32) -> Result<State, LossError> {
        let is_bad = Chance::new("loss", loss)?.happens(draw);
        if !(mean_burst >= 1.0 && mean_burst.is_finite()) {
            return Err(LossError::Burst { got: mean_burst });
        }
        let most = mean_burst / (mean_burst + 1.0);
        if loss > most {
            return Err(LossError::TooMuch { loss, mean_burst, most });
        }
        let mends = 1.0 / mean_burst;
        let worsens = Chance::new("loss", mends * loss / (1.0 - loss))?;
        Ok(State::Gilbert { worsens, mends: Chance::new("loss", mends)?, is_bad })
    }

    /// Of the next packet.
    pub fn fate(&mut self) -> Fate {
        let draw = self.rng.next_u64();
        let (first, second) = ((draw >> 32) as u32, draw as u32);
        let is_lost = match &mut self.state {
            State::Always(chance) => chance.happens(first),
            State::Gilbert { worsens, mends, is_bad } => {
                let is_lost = *is_bad;
                *is_bad ^= if *is_bad { mends } else { worsens }.happens(first);
                is_lost
            }
        };
        match (is_lost, self.corrupt.happens(second)) {
            (true, _) => Fate::Lost,
            (false, true) => Fate::Corrupt,
            (false, false) => Fate::Passes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::stream;

    const PACKETS: u32 = 400_000;

    fn run(model: Model, corrupt: f64, seed: u64) -> Vec<Fate> {
        let mut loss = Loss::new(model, corrupt, stream(seed, "loss", 3)).unwrap().unwrap();
        (0..PACKETS).map(|_| loss.fate()).collect()
    }

    fn count(fates: &[Fate], wanted: Fate) -> f64 {
        fates.iter().filter(|fate| **fate == wanted).count() as f64
    }

    /// Whether a count is within five deviations of so many of `of`.
    fn is_plausible(count: f64, p: f64, of: f64) -> bool {
        (count - p * of).abs() <= 5.0 * (of * p * (1.0 - p)).sqrt()
    }

    /// Lengths of the runs of lost packets.
    fn bursts(fates: &[Fate]) -> Vec<usize> {
        fates.split(|fate| *fate != Fate::Lost).map(<[Fate]>::len).filter(|length| *length > 0).collect()
    }

    #[test]
    fn losses_and_damage_by_themselves_are_as_frequent_as_asked_for() {
        for (loss, corrupt) in [(0.001, 0.0), (0.05, 0.01), (0.5, 0.5), (0.0, 0.02), (1.0, 0.3)] {
            let fates = run(Model::Bernoulli { loss }, corrupt, 1);
            let lost = count(&fates, Fate::Lost);
            assert!(is_plausible(lost, loss, PACKETS.into()), "{lost} lost at {loss}");
            let damaged = count(&fates, Fate::Corrupt);
            let arrived = f64::from(PACKETS) - lost;
            assert!(is_plausible(damaged, corrupt, arrived), "{damaged} damaged at {corrupt}");
        }
    }

    #[test]
    fn losses_by_themselves_leave_bursts_as_short_as_chance_does() {
        // The mean length of runs of independent losses is 1 / (1 - p).
        let lengths = bursts(&run(Model::Bernoulli { loss: 0.2 }, 0.0, 2));
        let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
        assert!((mean - 1.25).abs() < 0.02, "{mean}");
    }

    #[test]
    fn bursts_have_the_mean_length_and_the_mean_loss_asked_for() {
        for (loss, mean_burst) in [(0.01, 8.0), (0.1, 20.0), (0.3, 2.0), (0.5, 1.0)] {
            let fates = run(Model::Bursts { loss, mean_burst }, 0.0, 3);
            let lengths = bursts(&fates);
            let n = lengths.len() as f64;
            let mean = lengths.iter().sum::<usize>() as f64 / n;
            // Geometric lengths: deviation sqrt(1 - m) / m for a chance m = 1 / mean to end.
            let deviation = (1.0 - 1.0 / mean_burst).sqrt() * mean_burst / n.sqrt();
            assert!((mean - mean_burst).abs() <= 5.0 * deviation, "{mean} packets, {mean_burst} asked for");
            // Losses come in bursts, so their part varies 2 * mean_burst times as much as alone.
            let deviation = (loss * (1.0 - loss) * 2.0 * mean_burst / f64::from(PACKETS)).sqrt();
            let part = count(&fates, Fate::Lost) / f64::from(PACKETS);
            assert!((part - loss).abs() <= 5.0 * deviation, "{part} lost, {loss} asked for");
        }
    }

    #[test]
    fn nothing_to_do_is_none_and_a_seed_gives_the_same_losses_again() {
        let rng = || stream(1, "loss", 0);
        assert!(Loss::new(Model::None, 0.0, rng()).unwrap().is_none());
        assert!(Loss::new(Model::Bernoulli { loss: 0.0 }, 0.0, rng()).unwrap().is_none());
        assert!(Loss::new(Model::Bursts { loss: 0.0, mean_burst: 3.0 }, 0.0, rng()).unwrap().is_none());
        assert!(Loss::new(Model::None, 0.1, rng()).unwrap().is_some());
        let model = Model::Bursts { loss: 0.1, mean_burst: 4.0 };
        assert_eq!(run(model, 0.1, 5), run(model, 0.1, 5));
        assert_ne!(run(model, 0.1, 5), run(model, 0.1, 6));
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        let cases = [
            (Model::Bernoulli { loss: 1.5 }, 0.0, "a loss of 1.5: 0 to 1 are possible"),
            (Model::Bernoulli { loss: f64::NAN }, 0.0, "a loss of NaN: 0 to 1 are possible"),
            (Model::None, -0.1, "a corruption of -0.1: 0 to 1 are possible"),
            (
                Model::Bursts { loss: 0.1, mean_burst: 0.5 },
                0.0,
                "bursts of 0.5 packets: 1 or more are possible",
            ),
            (
                Model::Bursts { loss: 0.8, mean_burst: 3.0 },
                0.0,
                "a loss of 0.8 in bursts of 3 packets: at most 0.75 is possible with these",
            ),
        ];
        for (model, corrupt, expected) in cases {
            let error = Loss::new(model, corrupt, stream(1, "loss", 0)).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
