//! The golden model as both endpoints of a run: every file arrives, whatever the network does, and the oracle
//! agrees with the cores.

use heddle_rtl::config::{named, Config};
use heddle_testbench::cosim::{
    run, wave_window, Blind, Direction, ModelEngine, Observer, Outcome, Plan, RunError, Scenario, Settings,
    Transmission, Workload,
};
use heddle_testbench::link::{Probability, Rates};
use heddle_testbench::lockstep::seeds;
use std::io;

fn settings(config: Config, seed: u64) -> Settings {
    Settings { seed, ..Settings::new(config) }
}

fn rate(value: f64) -> Probability {
    Probability::new("test", value).unwrap()
}

fn lossy(loss: f64) -> Rates {
    Rates { loss: rate(loss), ack_loss: rate(loss), ..Rates::default() }
}

fn observed(settings: Settings, bytes: usize, observer: &mut impl Observer) -> Result<Outcome, RunError> {
    let scenario = Scenario::new(settings).unwrap();
    let plan = Plan::workload(&scenario, Workload::Write, bytes as u64);
    run(&scenario, &plan, |setup, memory| ModelEngine::new(&scenario, setup, memory), observer)
}

fn transfer(settings: Settings, bytes: usize) -> Outcome {
    let seed = settings.seed;
    let outcome = observed(settings, bytes, &mut Blind).unwrap_or_else(|e| {
        panic!("{e}; replay: SEED={seed} cargo test -p heddle-testbench --test cosim_model")
    });
    let report = &outcome.report;
    assert!(outcome.is_good(), "seed {seed}: {outcome:?}");
    assert_eq!((report.file_bytes, report.bytes_verified), (bytes as u64, bytes as u64));
    // Every loss was made good, or another copy had arrived.
    assert!(report.losses_found_by_evidence + report.losses_found_by_timer <= report.losses, "{report:?}");
    outcome
}

#[test]
fn files_of_every_awkward_size_arrive_in_every_configuration() {
    let mut arrived = 0;
    for config in named::all() {
        for bytes in [0, 1, 3, 4095, 4096, 4097, 70_000] {
            for seed in seeds() {
                let report = transfer(settings(config, seed), bytes).report;
                assert_eq!((report.packets_resent, report.losses, report.timer_expiries), (0, 0, 0));
                let slices = bytes.div_ceil(config.slice_bytes() as usize).max(1) as u64;
                assert_eq!(report.packets_sent, slices, "{} {bytes} bytes", config.name());
                arrived += 1;
            }
        }
    }
    assert_eq!(arrived, 3 * 7 * seeds().len());
}

#[test]
fn a_clean_network_is_used_at_the_speed_of_the_port() {
    let report = transfer(settings(named::gbe(), 1), 1 << 20).report;
    // A full packet is 1,122 bytes of which 1,024 are the file's: 58.4 of the port's 64 bits, less the last
    // round trip.
    assert!((50.0..58.4).contains(&report.goodput_bits_per_cycle), "{report:?}");
    assert_eq!((report.packets_sent, report.drops.len()), (1024, 0));
}

#[test]
fn one_mebibyte_arrives_at_every_loss_rate_and_evidence_finds_the_losses() {
    for loss in [0.01, 0.05, 0.1, 0.3] {
        let (mut evidence, mut timers) = (0, 0);
        for seed in seeds() {
            let report =
                transfer(Settings { rates: lossy(loss), ..settings(named::gbe(), seed) }, 1 << 20).report;
            assert!(report.losses > 0 && report.packets_resent > 0, "loss {loss}: {report:?}");
            // Planes keep the order: what is declared lost by evidence is lost.
            assert_eq!(report.spurious_resends, 0, "loss {loss}, seed {seed}: {report:?}");
            evidence += report.losses_found_by_evidence;
            timers += report.losses_found_by_timer;
        }
        // Of all runs together: one of them loses ten packets at 1 %, of which the last of a path may be one.
        let least = if loss < 0.02 { 0.95 } else { 0.5 };
        let by_evidence = evidence as f64 / (evidence + timers) as f64;
        assert!(by_evidence >= least, "loss {loss}, seeds {:?}: {timers} by timers, {evidence} not", seeds());
    }
}

#[test]
fn reordering_duplication_and_corruption_change_no_byte() {
    let mut spurious = 0;
    for seed in seeds() {
        let rates = Rates { reorder: rate(0.05), duplicate: rate(0.05), corrupt: rate(0.02), ..lossy(0.01) };
        let report = transfer(Settings { rates, ..settings(named::gbe(), seed) }, 400_000).report;
        assert!(report.duplicates_received > 0 && report.drops["icrc"] > 0, "{report:?}");
        spurious += report.spurious_resends;
    }
    // On a route that reorders, evidence errs, once or twice in most runs: the oracle sees it.
    assert!(spurious > 0, "of seeds {:?}", seeds());
}

#[test]
fn a_single_plane_and_a_slow_one_carry_the_file_too() {
    let one = Settings { planes: 1, paths: 1, rates: lossy(0.02), ..settings(named::gbe(), 3) };
    transfer(one, 300_000);
    let slow = Settings { planes: 2, speed: Some(1_000_000_000), ..settings(named::gbe(), 4) };
    let report = transfer(slow, 300_000).report;
    // Two planes of 1 Gbit/s are 16 bits per cycle of 8 ns, less headers and the gap.
    assert!((12.0..14.4).contains(&report.goodput_bits_per_cycle), "{report:?}");
}

#[test]
fn sequence_numbers_wrap_under_loss() {
    let psn_start = Some(0xFF_FFF0);
    for seed in seeds() {
        let rates = lossy(0.05);
        let report = transfer(Settings { psn_start, rates, ..settings(named::gbe(), seed) }, 200_000).report;
        assert!(report.packets_sent > 4 * 16, "no path wrapped");
        assert_eq!(report.spurious_resends, 0);
    }
}

#[test]
fn equal_seeds_give_equal_runs_and_another_seed_another_one() {
    let lossy = |seed| Settings { rates: lossy(0.05), ..settings(named::gbe(), seed) };
    assert_eq!(transfer(lossy(7), 100_000), transfer(lossy(7), 100_000));
    assert_ne!(transfer(lossy(7), 100_000).report.cycles, transfer(lossy(8), 100_000).report.cycles);
}

#[test]
fn a_network_that_loses_everything_ends_in_a_diagnosis() {
    let settings = Settings { rates: lossy(1.0), ..settings(named::tiny(), 5) };
    let error = observed(settings, 1000, &mut Blind).unwrap_err();
    assert!(matches!(error, RunError::Stalled { .. }), "{error}");
    let text = error.to_string();
    for part in [
        "no progress from cycle 0",
        "0 of 1 work requests are completed (stream 0 lacks 1)",
        "not acknowledged",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn the_window_of_a_waveform_holds_the_first_loss_and_its_resend() {
    let outcome = transfer(Settings { rates: lossy(0.01), ..settings(named::gbe(), 6) }, 1 << 20);
    let (loss, window) = (outcome.first_loss.unwrap(), wave_window(&outcome));
    assert!(window.contains(&loss.lost_at) && window.contains(&loss.resent_at.unwrap()), "{window:?}");
    assert!(window.end - window.start <= 4_000);
    let clean = transfer(settings(named::gbe(), 6), 4096);
    assert_eq!(wave_window(&clean), 0..clean.end);
}

/// Counts frames and fates as they pass.
#[derive(Default)]
struct Counter {
    forth: u64,
    back: u64,
    lost: u64,
    last_cycle: [u64; 2],
    progress: Vec<u64>,
}

impl Observer for Counter {
    fn on_frame(&mut self, seen: &Transmission<'_>) -> io::Result<()> {
        let side = usize::from(seen.direction == Direction::Back);
        assert!(seen.cycle >= self.last_cycle[side], "frames of a side begin in order");
        self.last_cycle[side] = seen.cycle;
        *[&mut self.forth, &mut self.back][side] += 1;
        self.lost += u64::from(seen.fate.lost.is_some() && side == 0);
        Ok(())
    }
    fn on_progress(&mut self, bytes: u64) {
        self.progress.push(bytes);
    }
}

#[test]
fn an_observer_sees_every_frame_of_both_directions_and_the_progress() {
    let mut counter = Counter::default();
    let settings =
        Settings { rates: Rates { loss: rate(0.05), ..Rates::default() }, ..settings(named::gbe(), 9) };
    let report = observed(settings, 500_000, &mut counter).unwrap().report;
    assert!(counter.forth >= report.packets_sent && counter.back > 0);
    // PROBEs are frames but no DATA.
    assert!(counter.lost >= report.losses && report.losses > 0);
    assert!(counter.progress.is_sorted());
    assert_eq!(counter.progress.last(), Some(&500_000));
}
