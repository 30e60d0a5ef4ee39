//! The processes that share the points of a plan.

#[path = "ranks/alone.rs"]
mod link;

use super::SweepError;
use crate::outcome::Outcome;
use crate::plan::Point;
use link::Link;
use serde::{Deserialize, Serialize};

/// This process among those that share the points.
#[derive(Debug)]
pub struct Ranks(Link);

/// What a rank tells the first one.
#[derive(Debug, Serialize, Deserialize)]
enum Told {
    /// Outcomes of its share.
    Done(Vec<Outcome>),
    /// A point that could not be run.
    Failed { point: String, error: String },
    /// Something else.
    Broken(String),
}

impl Ranks {
    /// Joins the job, if there is one.
    pub fn begin() -> Self {
        Self(Link::begin())
    }

    /// Whether this is the process that reads the results and writes the files.
    pub fn is_first(&self) -> bool {
        self.0.rank() == 0
    }

    /// What the first one says: whether to go on.
    pub fn go_on(&self, ready: bool) -> bool {
        self.0.heard_of_first(ready)
    }

    /// Threads of this process, where `asked` is 0 for all cores of all processes together.
    pub fn threads(&self, asked: usize) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        match (asked, self.0.size()) {
            (0, size) if size > 1 => (cores / size).max(1),
            _ => asked,
        }
    }

    /// The points that are this process's: every one of as many as there are processes.
    pub fn share(&self, points: &[Point]) -> Vec<Point> {
        points.iter().skip(self.0.rank()).step_by(self.0.size()).cloned().collect()
    }

    /// Tells the first process that this one, another, cannot do its share.
    ///
    /// # Errors
    /// The same.
    pub fn give_up(&self, error: &str) -> Result<(), SweepError> {
        let broken = || SweepError::Rank { rank: self.0.rank(), error: error.to_owned() };
        self.gather(&[], Err(broken()))?;
        Err(broken())
    }

    /// Brings the outcomes of all shares to the first process, in the order of the points; others get none.
    ///
    /// # Errors
    /// At the first process: the first point, in the order of the points, that failed at any of them.
    pub fn gather(
        &self,
        points: &[Point],
        share: Result<Vec<Outcome>, SweepError>,
    ) -> Result<Option<Vec<Outcome>>, SweepError> {
        let told = match share {
            Ok(outcomes) => Told::Done(outcomes),
            Err(SweepError::Run { point, error }) => Told::Failed { point, error },
            // One process alone keeps its error as it is.
            Err(error) if self.0.size() == 1 => return Err(error),
            Err(SweepError::Rank { error, .. }) => Told::Broken(error),
            Err(error) => Told::Broken(error.to_string()),
        };
        let bytes = serde_json::to_vec(&told).unwrap_or_default();
        let Some(all) = self.0.tell_first(bytes) else { return Ok(None) };
        let read = |(rank, bytes): (usize, Vec<u8>)| {
            let broken = |e: serde_json::Error| Told::Broken(format!("cannot be understood: {e}"));
            (rank, serde_json::from_slice(&bytes).unwrap_or_else(broken))
        };
        merge(points, (0..).zip(all).map(read).collect()).map(Some)
    }
}

/// The outcomes in the order of the points.
fn merge(points: &[Point], told: Vec<(usize, Told)>) -> Result<Vec<Outcome>, SweepError> {
    let mut failed: Vec<(usize, SweepError)> = Vec::new();
    let mut shares = Vec::new();
    for (rank, told) in told {
        let broken = |error| (points.len(), SweepError::Rank { rank, error });
        match told {
            Told::Done(outcomes) => shares.push(outcomes.into_iter()),
            Told::Broken(error) => failed.push(broken(error)),
            Told::Failed { point, error } => {
                let place = points.iter().position(|one| one.name() == point).unwrap_or(points.len());
                failed.push((place, SweepError::Run { point, error }));
            }
        }
    }
    if let Some((_, error)) = failed.into_iter().min_by_key(|(place, _)| *place) {
        return Err(error);
    }
    let size = shares.len().max(1);
    let outcomes: Vec<_> = (0..points.len()).filter_map(|n| shares.get_mut(n % size)?.next()).collect();
    match outcomes.len() == points.len() {
        true => Ok(outcomes),
        false => {
            let error = format!("{} of {} outcomes came", outcomes.len(), points.len());
            Err(SweepError::Rank { rank: 0, error })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Plan, Source};

    fn points(count: usize) -> Vec<Point> {
        let seeds: Vec<_> = (1..=count).map(|n| n.to_string()).collect();
        let text = format!("traffic.bytes = \"1MiB\"\n[[sweep]]\nseed = [{}]\n", seeds.join(", "));
        Plan::load(&Source::of_text("p", &text), &[]).unwrap().points
    }

    fn outcome(point: &Point) -> Outcome {
        Outcome { messages: point.seed, ..Outcome::default() }
    }

    #[test]
    fn shares_of_any_number_of_ranks_come_together_in_the_order_of_the_plan() {
        for (count, size) in [(10, 1), (10, 4), (3, 4), (8, 4), (1, 2)] {
            let points = points(count);
            let share = |rank: usize| points.iter().skip(rank).step_by(size).map(outcome).collect();
            let told = (0..size).map(|rank| (rank, Told::Done(share(rank)))).collect();
            let wanted: Vec<_> = points.iter().map(outcome).collect();
            assert_eq!(merge(&points, told).unwrap(), wanted, "{count} points on {size} ranks");
        }
    }

    #[test]
    fn the_first_failure_in_the_order_of_the_plan_is_told_whichever_rank_has_it() {
        let points = points(8);
        let failed = |n: usize| Told::Failed { point: points[n].name().to_owned(), error: "no".into() };
        let error = |told| merge(&points, told).unwrap_err().to_string();
        let told = vec![(0, failed(6)), (1, failed(3)), (2, Told::Broken("lost".into()))];
        assert_eq!(error(told), "point p/seed=4: no");
        assert_eq!(error(vec![(0, Told::Done(vec![])), (1, Told::Broken("lost".into()))]), "rank 1: lost");
        assert_eq!(error(vec![(0, Told::Done(vec![]))]), "rank 0: 0 of 8 outcomes came");
    }
}
