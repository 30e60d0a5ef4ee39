//! When a source is idle, when a sink is not ready.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::fmt;
use std::str::FromStr;

/// A pattern of cycles in which a source does not offer, or a sink does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    /// No such cycle.
    Never,
    /// One cycle in 16.
    Rare,
    /// Every other cycle.
    Often,
    /// 15 cycles in 16.
    Almost,
    /// Runs of 1 to 64 cycles with and without.
    Bursts,
    /// For sinks: ready only once an offer has waited for a cycle. An output whose `valid` waits for `ready` hangs.
    Lazy,
}

impl Stall {
    /// Every pattern that a source can have too.
    pub const ALL: [Stall; 5] = [Stall::Never, Stall::Rare, Stall::Often, Stall::Almost, Stall::Bursts];

    /// Every pair of (idle, backpressure) of [`Stall::ALL`].
    pub fn matrix() -> impl Iterator<Item = (Stall, Stall)> {
        Self::ALL.into_iter().flat_map(|idle| Self::ALL.into_iter().map(move |back| (idle, back)))
    }
}

impl fmt::Display for Stall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stall::Never => "never",
            Stall::Rare => "rare",
            Stall::Often => "often",
            Stall::Almost => "almost",
            Stall::Bursts => "bursts",
            Stall::Lazy => "lazy",
        })
    }
}

impl FromStr for Stall {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|s| s.to_string() == text);
        found.ok_or_else(|| format!("`{text}` is none of never, rare, often, almost, bursts"))
    }
}

/// Draws the cycles of one pattern, for one link.
#[derive(Clone, Debug)]
pub struct Pace {
    stall: Stall,
    rng: ChaCha8Rng,
    go: bool,
    left: u32,
}

impl Pace {
    /// A link's own cycles of the pattern `stall`.
    pub fn new(stall: Stall, rng: ChaCha8Rng) -> Self {
        Self { stall, rng, go: true, left: 0 }
    }

    /// Whether the link may move in this cycle; call once per cycle.
    pub fn go(&mut self) -> bool {
        match self.stall {
            // The harness takes the ready cycles away in which no offer has waited.
            Stall::Never | Stall::Lazy => true,
            Stall::Rare => self.rng.gen_ratio(15, 16),
            Stall::Often => self.rng.gen_ratio(1, 2),
            Stall::Almost => self.rng.gen_ratio(1, 16),
            Stall::Bursts => self.burst(),
        }
    }

    fn burst(&mut self) -> bool {
        if self.left == 0 {
            self.left = self.rng.gen_range(1..=64);
            self.go = !self.go;
        }
        self.left -= 1;
        self.go
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn share(stall: Stall) -> f64 {
        let mut pace = Pace::new(stall, ChaCha8Rng::seed_from_u64(3));
        let cycles = 64_000;
        (0..cycles).filter(|_| pace.go()).count() as f64 / f64::from(cycles)
    }

    #[test]
    fn each_pattern_moves_in_its_share_of_the_cycles() {
        let near =
            |stall, want: f64| assert!((share(stall) - want).abs() < 0.02, "{stall}: {}", share(stall));
        near(Stall::Never, 1.0);
        near(Stall::Rare, 15.0 / 16.0);
        near(Stall::Often, 0.5);
        near(Stall::Almost, 1.0 / 16.0);
        near(Stall::Bursts, 0.5);
    }

    #[test]
    fn names_are_read_back_and_the_matrix_has_every_pair_once() {
        assert!(Stall::ALL.iter().all(|s| s.to_string().parse() == Ok(*s)));
        assert!("sometimes".parse::<Stall>().is_err());
        let cells: Vec<_> = Stall::matrix().collect();
        assert!(cells.iter().all(|cell| cells.iter().filter(|c| *c == cell).count() == 1));
        assert_eq!(cells.len(), 25);
    }
}
