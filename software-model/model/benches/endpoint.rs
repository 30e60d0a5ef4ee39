//! How many packets one endpoint of the model sends and receives per second, with a packet in a hundred lost.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

mod script;

use criterion::{criterion_group, criterion_main, BatchSize, Criterion, Throughput};
use script::{record, Buffer};

fn endpoint(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("endpoint");
    for (slice, slice_log2) in [("1 KiB", 10), ("4 KiB", 12)] {
        let scripts = record(slice_log2, 2_000, 5_000);
        for (name, script) in ["send", "receive"].into_iter().zip(&scripts) {
            group.throughput(Throughput::Elements(script.packets));
            group.bench_function(format!("{name}, {slice}"), |bench| {
                let (mut memory, mut bytes) = (Buffer::new(), Vec::new());
                bench.iter_batched_ref(
                    || script.core.clone(),
                    |core| script.replay(core, &mut memory, &mut bytes, 0..script.events.len()),
                    BatchSize::LargeInput,
                );
            });
        }
    }
    group.finish();
}

criterion_group!(benches, endpoint);
criterion_main!(benches);
