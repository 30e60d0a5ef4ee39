//! What skid buffer and FIFO promise, in rust-hdl: order, latency, throughput, capacity, reset.
use heddle_emit::diff::{seed, Stimuli};
use heddle_emit::prims::{Fifo, Skid};
use rust_hdl::prelude::*;
use std::collections::VecDeque;

/// The ports the two have in common.
trait Link: Block {
    fn clk(&mut self) -> &mut Signal<In, Clock>;
    fn drive(&mut self, rst: bool, valid: bool, data: u64, ready: bool);
    /// `in_ready`, `out_valid`, `out_data`.
    fn see(&self) -> (bool, bool, u64);
}

macro_rules! link {
    ($ty:ty) => {
        impl Link for $ty {
            fn clk(&mut self) -> &mut Signal<In, Clock> {
                &mut self.clk
            }

            fn drive(&mut self, rst: bool, valid: bool, data: u64, ready: bool) {
                self.rst.next = rst;
                self.in_valid.next = valid;
                self.in_data.next = data.to_bits();
                self.out_ready.next = ready;
            }

            fn see(&self) -> (bool, bool, u64) {
                let data: u64 = self.out_data.val().into();
                (self.in_ready.val(), self.out_valid.val(), data)
            }
        }
    };
}
link!(Skid<Bits<32>>);
link!(Fifo<Bits<32>, 4, 5>);

/// What happened in one cycle.
struct Cycle {
    taken: bool,
    given: Option<u64>,
}

fn settle<L: Link>(link: &mut L) {
    assert!(simulate(link, 100), "did not settle");
}

/// One cycle; `valid` and `ready` are what the two neighbours offer.
fn cycle<L: Link>(link: &mut L, rst: bool, valid: bool, data: u64, ready: bool) -> Cycle {
    link.clk().next = false.into();
    settle(link);
    link.drive(rst, valid, data, ready);
    settle(link);
    let (in_ready, out_valid, out_data) = link.see();
    link.clk().next = true.into();
    settle(link);
    Cycle { taken: valid && in_ready && !rst, given: (out_valid && ready && !rst).then_some(out_data) }
}

fn fresh<L: Link>(mut link: L) -> L {
    link.connect_all();
    cycle(&mut link, true, false, 0, false);
    cycle(&mut link, false, false, 0, false);
    link
}

fn keeps_order_and_loses_nothing<L: Link>(link: L, seed: u64) -> usize {
    let mut link = fresh(link);
    let mut stimuli = Stimuli::new(seed);
    let mut inside = VecDeque::new();
    let mut passed = 0;
    for word in 0..4_000 {
        let (valid, ready) = match (word / 500) % 4 {
            0 => (stimuli.chance(3, 4), stimuli.chance(1, 4)),
            1 => (stimuli.chance(1, 4), stimuli.chance(3, 4)),
            2 => (true, stimuli.bit()),
            _ => (stimuli.bit(), true),
        };
        let done = cycle(&mut link, false, valid, word, ready);
        if let Some(got) = done.given {
            assert_eq!(Some(got), inside.pop_front(), "seed {seed}, word {word}");
            passed += 1;
        }
        if done.taken {
            inside.push_back(word);
        }
    }
    passed
}

#[test]
fn words_leave_in_order_and_none_is_lost_under_any_stall() {
    assert!(keeps_order_and_loses_nothing(Skid::<Bits<32>>::default(), seed(51)) > 1_000);
    assert!(keeps_order_and_loses_nothing(Fifo::<Bits<32>, 4, 5>::new(12), seed(52)) > 1_000);
}

/// Cycles from the transfer in to the cycle in which the word is offered.
fn latency<L: Link>(link: L) -> usize {
    let mut link = fresh(link);
    assert!(cycle(&mut link, false, true, 7, true).taken);
    (1..20).find(|_| cycle(&mut link, false, false, 0, true).given == Some(7)).unwrap()
}

#[test]
fn latencies_are_those_documented() {
    assert_eq!(latency(Skid::<Bits<32>>::default()), 1);
    assert_eq!(latency(Fifo::<Bits<32>, 4, 5>::new(12)), 3);
}

fn bubbles<L: Link>(link: L) -> usize {
    let mut link = fresh(link);
    let given = (0..200).filter(|word| cycle(&mut link, false, true, *word, true).given.is_some()).count();
    200 - given
}

#[test]
fn both_carry_one_word_per_cycle() {
    assert_eq!(bubbles(Skid::<Bits<32>>::default()), 1);
    assert_eq!(bubbles(Fifo::<Bits<32>, 4, 5>::new(12)), 3);
}

#[test]
fn a_fifo_holds_exactly_its_depth_and_counts_it() {
    let mut fifo = fresh(Fifo::<Bits<32>, 4, 5>::new(12));
    for word in 0..40 {
        let taken = cycle(&mut fifo, false, true, word, false).taken;
        assert_eq!(taken, word < 16);
        assert_eq!(fifo.count.val(), (word + 1).min(16));
        assert_eq!(fifo.almost_full.val(), word + 1 >= 12);
    }
}

#[test]
fn reset_empties_and_then_opens_after_one_cycle() {
    fn run<L: Link>(link: L) {
        let mut link = fresh(link);
        for word in 0..10 {
            cycle(&mut link, false, true, word, false);
        }
        cycle(&mut link, true, true, 99, true);
        let (in_ready, out_valid, _) = link.see();
        assert!(!in_ready && !out_valid);
        assert!(!cycle(&mut link, false, true, 1, true).taken);
        assert!(cycle(&mut link, false, true, 2, true).taken);
        let next = (0..10).find_map(|_| cycle(&mut link, false, false, 0, true).given);
        assert_eq!(next, Some(2));
    }
    run(Skid::<Bits<32>>::default());
    run(Fifo::<Bits<32>, 4, 5>::new(12));
}
