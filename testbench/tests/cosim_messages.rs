//! Messages of every kind between golden models: what comes of them is what the requests say, whatever the network
//! does, with any number of senders.

use heddle_rtl::config::{named, Config};
use heddle_testbench::cosim::{
    run, Blind, Features, ModelEngine, Observer, Outcome, Plan, PlaneChange, RunError, Scenario, Settings,
    Workload,
};
use heddle_testbench::link::{Probability, QueueLimits, Rates};
use heddle_testbench::lockstep::seeds;

fn settings(config: Config, seed: u64) -> Settings {
    Settings { seed, features: Features::ALL, ..Settings::new(config) }
}

fn rate(value: f64) -> Probability {
    Probability::new("test", value).unwrap()
}

fn lossy(loss: f64) -> Rates {
    Rates { loss: rate(loss), ack_loss: rate(loss), ..Rates::default() }
}

fn transfer(settings: Settings, workload: Workload, bytes: u64) -> Outcome {
    let seed = settings.seed;
    let replay = format!("replay: SEED={seed} cargo test -p heddle-testbench --test cosim_messages");
    let scenario = Scenario::new(settings).unwrap();
    let plan = Plan::workload(&scenario, workload, bytes);
    let build = |setup: &_, memory| ModelEngine::new(&scenario, setup, memory);
    let outcome = run(&scenario, &plan, build, &mut Blind).unwrap_or_else(|e| panic!("{e}; {replay}"));
    assert!(outcome.is_good(), "{outcome:?}; {replay}");
    let report = &outcome.report;
    assert_eq!(report.bytes_verified, report.file_bytes, "{replay}");
    assert!(report.file_bytes >= bytes * u64::from(scenario.senders()) * 9 / 10, "{report:?}");
    outcome
}

#[test]
fn mixed_messages_both_ways_leave_every_memory_as_the_requests_say_at_any_loss() {
    let mut runs = 0;
    for loss in [0.0, 0.01, 0.1, 0.3] {
        let mut losses = 0;
        for config in named::all() {
            for seed in seeds() {
                let settings = Settings { rates: lossy(loss), ..settings(config, seed) };
                let report = transfer(settings, Workload::Mixed, 300_000).report;
                assert!(report.receives_completed > 0 && report.messages > 20, "{report:?}");
                losses += report.losses;
                // Planes keep the order: what is declared lost by evidence is lost.
                assert_eq!(report.spurious_resends, 0, "loss {loss}, seed {seed}: {report:?}");
                runs += 1;
            }
        }
        assert_eq!(losses > 0, loss > 0.0, "{losses} losses at {loss}");
    }
    assert_eq!(runs, 4 * 3 * seeds().len());
}

#[test]
fn every_workload_arrives_over_a_network_that_does_everything_to_it() {
    let rates = Rates { reorder: rate(0.05), duplicate: rate(0.05), corrupt: rate(0.02), ..lossy(0.05) };
    let mut spoiled = 0;
    for workload in Workload::ALL {
        for seed in seeds() {
            let bytes = if workload == Workload::Atomic { 20_000 } else { 200_000 };
            let report = transfer(Settings { rates, ..settings(named::gbe(), seed) }, workload, bytes).report;
            assert!(report.duplicates_received > 0, "{report:?}");
            spoiled += report.drops["icrc"];
            let sends = [Workload::Send, Workload::Mixed].contains(&workload);
            assert_eq!(report.receives_completed > 0, sends, "{report:?}");
        }
    }
    assert!(spoiled > 0);
}

#[test]
fn sequence_numbers_wrap_under_mixed_messages() {
    for seed in seeds() {
        let settings =
            Settings { psn_start: Some(0xFF_FFF0), rates: lossy(0.05), ..settings(named::gbe(), seed) };
        let report = transfer(settings, Workload::Mixed, 200_000).report;
        assert!(report.packets_sent > 8 * 16, "no path wrapped");
    }
}

#[test]
fn several_senders_share_the_receiver_and_a_word_that_all_add_to() {
    for workload in [Workload::Mixed, Workload::Atomic] {
        for seed in seeds() {
            let settings = Settings { senders: 5, rates: lossy(0.02), ..settings(named::gbe(), seed) };
            let report = transfer(settings, workload, 30_000).report;
            assert_eq!((report.senders, report.sender_goodput_bits_per_cycle.len()), (5, 5));
        }
    }
}

/// Sixteen senders into a port of half a core's speed: with hints the queue stays short and each has its share;
/// with fixed windows the buffer overflows.
#[test]
fn an_incast_is_fair_and_loses_nothing_where_fixed_windows_overflow() {
    let incast = |seed, features| Settings {
        senders: 16,
        planes: 1,
        speed: Some(4_000_000_000),
        limits: QueueLimits { ecn_threshold: Some(50_000), buffer: Some(500_000) },
        features,
        ..settings(named::gbe(), seed)
    };
    for seed in seeds() {
        let report = transfer(incast(seed, Features::ALL), Workload::Write, 256 << 10).report;
        assert_eq!((report.buffer_losses, report.losses), (0, 0), "{report:?}");
        assert!(report.max_queue_bytes < 100_000, "{report:?}");
        // A 16th of 32 bits per cycle, of which a packet's headers and gap take 98 of 1,146 bytes.
        let fair = 2.0 * 1024.0 / 1146.0;
        let shares = &report.sender_goodput_bits_per_cycle;
        assert!(shares.iter().all(|share| (0.9..1.12).contains(&(share / fair))), "{report:?}");
    }
    let report = transfer(incast(1, Features::RTL), Workload::Write, 256 << 10).report;
    assert!(report.buffer_losses > 1000 && report.ce_marked > 0, "{report:?}");
    assert!((490_000..=500_000).contains(&report.max_queue_bytes), "{report:?}");
}

#[test]
fn equal_seeds_give_equal_runs() {
    let noisy = |seed| Settings { senders: 3, rates: lossy(0.05), ..settings(named::gbe(), seed) };
    let transfer = |seed| transfer(noisy(seed), Workload::Mixed, 50_000);
    assert_eq!(transfer(7), transfer(7));
    assert_ne!(transfer(7).report.cycles, transfer(8).report.cycles);
}

/// Counts the payload that arrives per plane and eighth of a millisecond.
struct Planes(Vec<[u64; 4]>);

impl Observer for Planes {
    fn on_payload(&mut self, plane: u8, cycle: u64, bytes: u64) {
        let at = (cycle / 15_625) as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, [0; 4]);
        }
        self.0[at][usize::from(plane)] += bytes;
    }
}

/// Four planes that together carry nearly what a core sends.
fn planes(settings: Settings, bytes: u64) -> (Outcome, Vec<[u64; 4]>) {
    let limits = QueueLimits { ecn_threshold: Some(30_000), buffer: None };
    let scenario = Scenario::new(Settings { speed: Some(1_900_000_000), limits, ..settings }).unwrap();
    let plan = Plan::workload(&scenario, Workload::Write, bytes);
    let mut seen = Planes(Vec::new());
    let build = |setup: &_, memory| ModelEngine::new(&scenario, setup, memory);
    let outcome = run(&scenario, &plan, build, &mut seen).unwrap();
    assert!(outcome.is_good(), "{outcome:?}");
    (outcome, seen.0)
}

#[test]
fn losses_leave_all_planes_in_use() {
    for loss in [0.001, 0.02] {
        for seed in seeds() {
            let lossy = Settings { rates: lossy(loss), ..settings(named::gbe(), seed) };
            let (outcome, seen) = planes(lossy, 2 << 20);
            let all = seen.iter().fold([0; 4], |all, one| std::array::from_fn(|n| all[n] + one[n]));
            // A quarter each, give or take a fifth.
            assert!(all.iter().all(|bytes| (419_430..629_146).contains(bytes)), "{all:?} {outcome:?}");
        }
    }
}

#[test]
fn a_dead_plane_is_left_and_comes_back_into_use_with_and_without_carrier() {
    let change = |at_ps, up| PlaneChange { plane: 1, at_ps, up };
    let plane_changes = vec![change(1_000_000_000, false), change(3_000_000_000, true)];
    for carrier in [true, false] {
        for seed in seeds() {
            let plane_changes = plane_changes.clone();
            let settings = Settings { plane_changes, carrier, ..settings(named::gbe(), seed) };
            let (outcome, seen) = planes(settings, 4 << 20);
            assert!(outcome.report.plane_losses > 0, "{:?}", outcome.report);
            // From an eighth of a millisecond after the death nothing goes there, and the others carry what they did
            // before, or more.
            let (dead, three) = (&seen[10..23], seen[2..8].iter().flatten().sum::<u64>() / 6 * 3 / 4);
            assert!(dead.iter().all(|one| one[1] == 0), "{carrier} {seed}: {dead:?}");
            let least = dead.iter().map(|one| one.iter().sum::<u64>()).min().unwrap();
            assert!(least * 10 >= three * 9, "{carrier} {seed}: {least} of {three}");
            let back = seen[28..seen.len() - 1].iter().filter(|one| one[1] > 15_000).count();
            assert!(back >= 4, "{carrier} {seed}: {:?}", &seen[23..]);
        }
    }
}

#[test]
fn mixed_messages_are_exact_while_planes_die_and_come_back() {
    for seed in seeds() {
        let change = |plane, us: u64, up| PlaneChange { plane, at_ps: us * 1_000_000, up };
        let plane_changes = vec![
            change(0, 200, false),
            change(1, 300, false),
            change(2, 300, false),
            change(0, 900, true),
            change(3, 950, false),
            change(2, 1500, true),
        ];
        let rates = lossy(0.01);
        let settings = Settings { plane_changes, rates, ..settings(named::gbe(), seed) };
        let report = transfer(settings, Workload::Mixed, 1 << 20).report;
        assert!(report.plane_losses > 20 && report.timer_expiries > 5, "{report:?}");
    }
}

#[test]
fn when_all_planes_die_every_request_ends_once_with_an_error() {
    for workload in Workload::ALL {
        let plane_changes =
            (0..4).map(|plane| PlaneChange { plane, at_ps: 100_000_000, up: false }).collect();
        let scenario = Scenario::new(Settings { plane_changes, ..settings(named::gbe(), 2) }).unwrap();
        let plan = Plan::workload(&scenario, workload, 1 << 20);
        let build = |setup: &_, memory| ModelEngine::new(&scenario, setup, memory);
        let error = run(&scenario, &plan, build, &mut Blind).unwrap_err();
        let RunError::Ended { status, taken, completed, failed, .. } = &error else { panic!("{error}") };
        assert_eq!((status.as_str(), completed + failed), ("RETRY_BUDGET", *taken), "{error}");
        assert!(*failed > 0 && *taken <= plan.requests(), "{error}");
    }
}
