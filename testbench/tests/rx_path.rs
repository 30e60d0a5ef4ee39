//! The receive path engine of 64 lanes x 4 steps in lockstep with the model, by the cycle.

#[macro_use]
#[path = "rx_path/bench.rs"]
mod bench;
#[path = "rx_path/traffic.rs"]
mod traffic;

use heddle_model::rx::path::{RxOp, RxPathIn};
use heddle_model::Psn;
use heddle_testbench::duts::RxPath;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Setup};
use heddle_testbench::monitors::rx_path::{PathMonitor, Ports};
use heddle_testbench::Dut;
use traffic::Traffic;

path_bench!(RxPath, false, Ports::sample);

#[test]
fn every_operation_answers_as_the_model_at_its_cycle() {
    let report = matrix::<PathBench>(2_000);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(bench::SITUATIONS);
    // REQ-RX-1 to REQ-RX-5; the cycles are those of docs/architecture.md.
    assert_eq!(report.latency["v"], 4..=4);
    assert_eq!(report.latency["z"], 4..=7);
    assert_eq!(report.latency["out"], 12..=12);
    assert_eq!(report.channels["z"] / report.compared, 4, "{report:?}");
}
