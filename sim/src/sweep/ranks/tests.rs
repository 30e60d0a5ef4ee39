//! Processes that are threads, and a run that is made up.

use super::*;
use crate::plan::{Plan, Source};
use crate::sweep::Store;
use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::Mutex;

type Bytes = Vec<u8>;

/// A process of some that speak through pipes.
#[derive(Debug)]
enum Pipes {
    First { words: Receiver<(usize, Bytes)>, answers: Vec<Sender<Bytes>>, is_ending: bool },
    Other { rank: usize, word: Sender<(usize, Bytes)>, answer: Receiver<Bytes>, is_ending: bool },
}

/// So many processes.
fn processes(size: usize, is_ending: bool) -> Vec<Pipes> {
    let (word, words) = mpsc::channel();
    let mut answers = Vec::new();
    let mut others = Vec::new();
    for rank in 1..size {
        let (sender, answer) = mpsc::channel();
        answers.push(sender);
        others.push(Pipes::Other { rank, word: word.clone(), answer, is_ending });
    }
    let first = Pipes::First { words, answers, is_ending };
    std::iter::once(first).chain(others).collect()
}

impl Pipes {
    /// In the thread that is the process.
    fn begin(self) -> Ranks {
        Ranks(Box::new(self))
    }
}

impl Link for Pipes {
    fn rank(&self) -> usize {
        match self {
            Self::First { .. } => 0,
            Self::Other { rank, .. } => *rank,
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::First { answers, .. } => answers.len() + 1,
            Self::Other { .. } => unreachable!("nobody asks another one"),
        }
    }

    fn beside(&self) -> usize {
        1
    }

    fn heard_of_first(&self, word: bool) -> bool {
        word
    }

    fn hear(&self) -> Option<(usize, Bytes)> {
        let Self::First { words, .. } = self else { unreachable!("only the first one hears") };
        words.try_recv().ok()
    }

    fn answer(&self, rank: usize, bytes: &[u8]) {
        let Self::First { answers, .. } = self else { unreachable!("only the first one answers") };
        answers[rank - 1].send(bytes.to_vec()).unwrap();
    }

    fn ask(&self, bytes: &[u8]) -> Bytes {
        let Self::Other { rank, word, answer, .. } = self else { unreachable!("the first one does not ask") };
        word.send((*rank, bytes.to_vec())).unwrap();
        answer.recv().unwrap_or_default()
    }

    fn is_ending(&self) -> bool {
        match self {
            Self::First { is_ending, .. } | Self::Other { is_ending, .. } => *is_ending,
        }
    }
}

fn points(count: usize) -> Vec<Point> {
    let seeds: Vec<_> = (1..=count).map(|n| n.to_string()).collect();
    let text = format!("traffic.bytes = \"1MiB\"\n[[sweep]]\nseed = [{}]\n", seeds.join(", "));
    Plan::load(&Source::of_text("p", &text), &[]).unwrap().points
}

fn outcome(point: &Point) -> Outcome {
    Outcome { messages: point.seed, ..Outcome::default() }
}

/// Runs the points on so many ranks of so many threads; `run` is told the rank.
fn job<E: Display>(
    size: usize,
    points: &[Point],
    options: Options<'_>,
    versions: &[&str],
    run: impl Fn(usize, &Point) -> Result<Outcome, E> + Sync,
) -> Result<Vec<Outcome>, String> {
    let run = &run;
    std::thread::scope(|scope| {
        let ranks = processes(size, false).into_iter().zip(versions.iter().cycle());
        let ranks: Vec<_> = ranks
            .enumerate()
            .map(|(rank, (link, version))| {
                scope.spawn(move || link.begin().run(points, &options, version, |point| run(rank, point)))
            })
            .collect();
        let mut ended = ranks.into_iter().map(|thread| thread.join().unwrap());
        let first = ended.next().unwrap();
        for other in ended {
            assert!(matches!(other, Ok(None)), "{other:?}");
        }
        first.map(Option::unwrap).map_err(|e| e.to_string())
    })
}

#[test]
fn any_number_of_ranks_gives_all_outcomes_in_the_order_of_the_plan() {
    for (count, size, threads) in [(10, 1, 1), (10, 4, 1), (3, 4, 2), (30, 3, 3), (1, 2, 1)] {
        let points = points(count);
        let ran = AtomicUsize::new(0);
        let options = Options { store: None, threads };
        let done = job(size, &points, options, &["1"], |_, point| {
            ran.fetch_add(1, Ordering::Relaxed);
            Ok::<_, String>(outcome(point))
        });
        assert_eq!(done.unwrap(), points.iter().map(outcome).collect::<Vec<_>>(), "{count} on {size}");
        assert_eq!(ran.into_inner(), count);
    }
}

#[test]
fn a_rank_with_a_long_point_leaves_the_others_to_the_rest() {
    let points = points(12);
    let ran = Mutex::new(BTreeMap::<usize, usize>::new());
    let done = AtomicUsize::new(0);
    let long = Mutex::new(None);
    let options = Options { store: None, threads: 1 };
    job(3, &points, options, &["1"], |rank, point| {
        *ran.lock().unwrap().entry(rank).or_default() += 1;
        if point.seed == 1 {
            *long.lock().unwrap() = Some(rank);
            // As long as all others together.
            while done.load(Ordering::Relaxed) < 11 {
                std::thread::sleep(NAP);
            }
        }
        done.fetch_add(1, Ordering::Relaxed);
        Ok::<_, String>(outcome(point))
    })
    .unwrap();
    let ran = ran.into_inner().unwrap();
    assert_eq!(ran.values().sum::<usize>(), 12);
    // It may have run others before it was handed the long one: that was the first.
    assert_eq!(ran[&long.into_inner().unwrap().unwrap()], 1);
}

#[test]
fn the_first_failure_in_the_order_of_the_plan_is_told_and_no_point_is_begun_after_it() {
    let points = points(200);
    let ran = AtomicUsize::new(0);
    let options = Options { store: None, threads: 1 };
    let told = job(4, &points, options, &["1"], |_, point| {
        ran.fetch_add(1, Ordering::Relaxed);
        assert_ne!(point.seed, 3, "this is the fault of the test");
        std::thread::sleep(NAP);
        if point.seed == 4 {
            Err("no")
        } else {
            Ok(outcome(point))
        }
    });
    let told = told.unwrap_err();
    let fault = "point p/seed=3: the program has a fault, see above";
    assert!(told == fault || told == "point p/seed=4: no", "{told}");
    assert!(ran.into_inner() < 20);
}

#[test]
fn only_what_is_not_on_disk_is_run_and_the_first_rank_writes_it() {
    let (points, folder) = (points(9), tempfile::tempdir().unwrap());
    let store = Store::open(folder.path(), "1").unwrap();
    let options = Options { store: Some(&store), threads: 1 };
    let again = || {
        let ran = AtomicUsize::new(0);
        let done = job(3, &points, options, &["1"], |_, point| {
            ran.fetch_add(1, Ordering::Relaxed);
            Ok::<_, String>(outcome(point))
        });
        assert_eq!(done.unwrap().len(), 9);
        ran.into_inner()
    };
    assert_eq!((again(), again()), (9, 0));
    fs::remove_file(store.path(&points[4])).unwrap();
    fs::remove_file(store.path(&points[8])).unwrap();
    assert_eq!(again(), 2);
}

#[test]
fn a_rank_with_another_program_is_refused() {
    let options = Options { store: None, threads: 1 };
    let told = job(2, &points(400), options, &["1", "2"], |_, point| {
        std::thread::sleep(NAP);
        Ok::<_, String>(outcome(point))
    });
    assert_eq!(
        told.unwrap_err(),
        "rank 1 has another plan, or another build of the program; give all the same"
    );
}

#[test]
fn a_rank_that_cannot_take_part_says_why() {
    let points = points(3);
    let ranks = processes(2, false);
    let desk = Desk::new(&points, None);
    std::thread::scope(|scope| {
        let [first, other] = <[Pipes; 2]>::try_from(ranks).unwrap();
        scope.spawn(move || other.begin().give_up("the plan is not here"));
        first.begin().serve(&desk, "j").unwrap();
    });
    assert_eq!(desk.close().unwrap_err().to_string(), "rank 1 says: the plan is not here");
}

#[test]
fn when_the_launcher_ends_the_job_the_point_of_the_silent_rank_is_told() {
    let points = points(5);
    let word = || Word::Next { job: "j".to_owned(), done: Box::default() };
    let told = |silent: Option<usize>| {
        let desk = Desk::new(&points, None);
        let mut ranks = processes(4, true);
        let others = ranks.split_off(1);
        let first = ranks.remove(0);
        let told = std::thread::scope(|scope| {
            scope.spawn(move || {
                for link in others.into_iter().map(Pipes::begin) {
                    link.say(&word()).unwrap();
                    if silent != Some(link.0.rank()) {
                        link.say(&Word::Alive);
                    }
                }
            });
            first.begin().serve(&desk, "j").unwrap_err()
        });
        told.to_string()
    };
    assert_eq!(told(Some(2)), "rank 2 died while it ran point p/seed=2");
    assert_eq!(told(Some(3)), "rank 3 died while it ran point p/seed=3");
    assert!(told(None).starts_with("the job was ended from outside"), "{}", told(None));
}
