//! Two Verilated cores as endpoints of a run, the golden model's block beside every block of both: every byte arrives, every transaction
//! is the model's, whatever the network does.

use heddle_rtl::config::{named, Config};
use heddle_testbench::cosim::{
    run, Blind, Plan, Report, RtlEngine, Scenario, Settings, WatchedCore, Workload,
};
use heddle_testbench::duts::{CoreGbe, CoreTiny};
use heddle_testbench::link::{Probability, Rates};
use heddle_testbench::lockstep::seeds;

fn settings(config: Config, seed: u64, rates: Rates) -> Settings {
    Settings { rates, seed, ..Settings::new(config) }
}

fn rate(value: f64) -> Probability {
    Probability::new("test", value).unwrap()
}

fn lossy(loss: f64) -> Rates {
    Rates { loss: rate(loss), ack_loss: rate(loss), ..Rates::default() }
}

fn transfer<D: WatchedCore>(settings: Settings, bytes: usize) -> Report {
    let seed = settings.seed;
    let replay = format!("replay: SEED={seed} cargo test -p heddle-testbench --test cosim_rtl");
    let scenario = Scenario::new(settings).unwrap();
    let plan = Plan::workload(&scenario, Workload::Write, bytes as u64);
    let config = *scenario.config();
    let mut power_on = scenario.power_on_seeds().into_iter();
    let build =
        |setup: &_, memory| RtlEngine::<D>::new(&config, setup, memory, power_on.next().unwrap_or_default());
    let outcome = run(&scenario, &plan, build, &mut Blind).unwrap_or_else(|e| panic!("{e}; {replay}"));
    assert!(outcome.is_good(), "{outcome:?}; {replay}");
    let report = outcome.report;
    assert!(report.transactions_crossed > 40 && report.transactions_compared == report.transactions_crossed);
    report
}

#[test]
fn files_of_every_awkward_size_arrive() {
    for bytes in [0, 1, 4095, 4096, 4097] {
        for seed in seeds() {
            transfer::<CoreGbe>(settings(named::gbe(), seed, lossy(0.01)), bytes);
            transfer::<CoreTiny>(settings(named::tiny(), seed, lossy(0.01)), bytes);
        }
    }
}

#[test]
fn losses_of_data_and_acks_are_found_by_evidence_and_nothing_is_sent_in_vain() {
    for (loss, bytes) in [(0.01, 1 << 20), (0.1, 1 << 18)] {
        let (mut losses, mut by_evidence) = (0, 0);
        for seed in seeds() {
            let report = transfer::<CoreGbe>(settings(named::gbe(), seed, lossy(loss)), bytes);
            assert_eq!(report.spurious_resends, 0, "{report:?}");
            losses += report.losses;
            by_evidence += report.losses_found_by_evidence;
        }
        assert!(losses >= 3 * seeds().len() as u64, "{losses} losses");
        // The last packet of a path has nothing behind it that could tell of its loss: one is let off.
        assert!(
            (losses - by_evidence).saturating_sub(1) * 100 <= losses * 5,
            "{by_evidence} of {losses} at {loss}"
        );
    }
}

#[test]
fn reordered_duplicated_and_spoiled_packets_do_no_harm() {
    let rates = Rates { reorder: rate(0.02), duplicate: rate(0.02), corrupt: rate(0.05), ..lossy(0.02) };
    let (mut duplicates, mut spoiled) = (0, 0);
    for seed in seeds() {
        let report = transfer::<CoreGbe>(settings(named::gbe(), seed, rates), 1 << 17);
        duplicates += report.duplicates_received;
        spoiled += report.drops.get("icrc").copied().unwrap_or(0);
    }
    assert!(duplicates > 0 && spoiled > 0, "{duplicates} duplicates, {spoiled} spoiled packets");
}

#[test]
fn a_whole_window_of_packets_is_outstanding_across_the_wrap_of_the_psn() {
    // One path of several: the others are never set up.
    let settings = Settings {
        planes: 1,
        paths: 1,
        delays_ps: vec![50_000_000],
        psn_start: Some((1 << 24) - 100),
        ..settings(named::gbe(), 1, lossy(0.2))
    };
    let report = transfer::<CoreGbe>(settings, 3 << 18);
    assert_eq!(report.max_outstanding, 256, "{report:?}");
}
