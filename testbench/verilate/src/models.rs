//! Every design, and the Rust text around them.

use crate::compile::{build_one, write, Built, Tool};
use crate::{accessors, views, Error, Source};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// Builds every source, two at a time, and writes into `out` the Rust types of the designs, `models.rs`,
/// and a trait for each that reads its ports, `views.rs`.
///
/// Prints the cargo directives that link the result. A design whose text, probes, flags, Verilator and
/// generator are those of the last build is not built again. Designs that show instances as other designs
/// come last: their probes follow from those designs' ports.
pub fn build(sources: &[Source], out: &Path) -> Result<(), Error> {
    let tool = Tool::find()?;
    let (cores, blocks): (Vec<Source>, Vec<Source>) = sources.iter().cloned().partition(views::looks_inside);
    let mut built = build_all(&blocks, out, &tool)?;
    let cores = cores.iter().map(|core| views::with_probes(core, &built)).collect::<Result<Vec<_>, _>>()?;
    built.extend(build_all(&cores, out, &tool)?);
    let (mut models, mut traits) = (String::new(), String::new());
    for source in blocks.iter().chain(&cores) {
        let (name, design) = (&source.name, &built[&source.name]);
        let seen = views::seen(source, &built)?;
        models += &accessors::rust(name, &design.ports, &design.probes, &seen);
        models += &seen.iter().map(views::Seen::implementation).collect::<String>();
        traits += &views::interface(name, &design.ports);
        println!("cargo:rustc-link-search=native={}", design.folder.display());
        println!("cargo:rustc-link-lib=static=heddle_{name}");
    }
    println!("cargo:rustc-link-lib=stdc++");
    write(&out.join("models.rs"), &models)?;
    write(&out.join("views.rs"), &traits)
}

fn build_all(sources: &[Source], out: &Path, tool: &Tool) -> Result<BTreeMap<String, Built>, Error> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2.min(sources.len()) {
            scope.spawn(|| {
                while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let built = build_one(source, out, tool);
                    results.lock().expect("no builder panics").push((source.name.clone(), built));
                }
            });
        }
    });
    let results = results.into_inner().expect("no builder panics");
    results.into_iter().map(|(name, built)| Ok((name, built?))).collect()
}
