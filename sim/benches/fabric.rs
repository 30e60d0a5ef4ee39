//! How many packets the fabric moves per second: each counted once, from the host that sends it to the one that takes it.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use criterion::{criterion_group, criterion_main, BatchSize, Criterion, Throughput};
use heddle_sim::plan::Point;
use heddle_sim::run::world;

/// 100 Gb/s, a three-tier fat tree of full bisection, 4 KiB packets, 16 paths: everybody sends `bytes` to one other.
fn permutation(transport: &str, hosts: u32, bytes: u32) -> Point {
    let text = format!(
        "[topology]\nkind = 'fat-tree'\nhosts = {hosts}\ndelay = '1us'\n[switch]\necn_from = '40KiB'\n\
         [traffic]\nkind = 'permutation'\nbytes = '{bytes}'\n[transport]\nkind = '{transport}'\n"
    );
    Point::parse(&text).expect("a point")
}

fn fabric(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fabric");
    group.sample_size(10);
    for (transport, hosts, bytes) in
        [("heddle", 128, 2_000_000), ("roce", 128, 2_000_000), ("heddle", 1_024, 500_000)]
    {
        let point = permutation(transport, hosts, bytes);
        let outcome = world(&point).expect("a world").run(point.end);
        assert_eq!(outcome.delivered, u64::from(hosts));
        group.throughput(Throughput::Elements(outcome.transport.data_sent + outcome.transport.data_resent));
        group.bench_function(format!("{transport}, {hosts} hosts"), |bench| {
            bench.iter_batched_ref(
                || world(&point).expect("a world"),
                |world| world.run(point.end),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, fabric);
criterion_main!(benches);
