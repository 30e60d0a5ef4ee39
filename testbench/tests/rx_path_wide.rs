//! The receive path engine of 256 lanes in lockstep with the model, by the cycle.

#[macro_use]
#[path = "rx_path/bench.rs"]
mod bench;
#[path = "rx_path/monitor.rs"]
mod monitor;
#[path = "rx_path/traffic.rs"]
mod traffic;

use heddle_model::rx::path::{RxOp, RxPathIn};
use heddle_model::{Flags, Psn, Time32};
use heddle_testbench::duts::RxPathWide;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Link, Setup};
use heddle_testbench::Dut;
use monitor::{operation, PathMonitor, Ports, Row, Timing, Verdict, Words};
use traffic::Traffic;

path_bench!(RxPathWide, true, Timing { interval: 1, same_path: 7 }, |dut| {
    Link::pulse(dut.out_valid(), || {
        let halves = dut.z_sack();
        let word = |k: usize| u64::from(halves[2 * k]) | u64::from(halves[2 * k + 1]) << 32;
        (0..4).map(|k| (k as u8, word(k))).collect()
    })
});

#[test]
fn every_operation_answers_as_the_model_at_its_cycle() {
    let report = matrix::<PathBench>(2_000);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(bench::SITUATIONS);
    // REQ-RX-1 to REQ-RX-5; the cycles are those of docs/architecture.md.
    assert_eq!(report.latency["v"], 4..=4);
    assert_eq!(report.latency["out"], 6..=6);
    assert_eq!(report.latency["z"], 6..=6);
    assert_eq!(report.channels["z"], report.channels["out"], "{report:?}");
}
