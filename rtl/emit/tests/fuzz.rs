//! A few random kernels on every run; many more: the example `fuzz`.
#[path = "../examples/fuzz/expression.rs"]
mod expression;
#[path = "../examples/fuzz/kernel.rs"]
mod kernel;
#[path = "../examples/fuzz/project.rs"]
mod project;

#[test]
fn random_kernels_agree_in_both_simulators() {
    const KERNELS: usize = 3;
    const CYCLES: usize = 300;
    let first = heddle_emit::diff::seed(40);
    let plan = project::Plan { seeds: first..first + KERNELS as u64, cycles: CYCLES, verilator: true };
    let report = project::run(&plan).unwrap_or_else(|error| {
        panic!(
            "{error}\nreplay: cargo run -p heddle-emit --example fuzz -- --seed {first} --kernels {KERNELS}"
        )
    });
    assert_eq!((report.kernels, report.vectors), (KERNELS, KERNELS * (3 * CYCLES + 1)));
}
