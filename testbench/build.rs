//! Turns every design of the core, and the harness's own demo design, into a Rust type (`src/duts.rs`).

#[path = "build/prims.rs"]
mod prims;
#[path = "build/wrapped.rs"]
mod wrapped;

use heddle_rtl::designs::Design;
use heddle_verilate::{mutant, Error, Probe, Source, View};
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    if let Err(error) = build() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn build() -> Result<(), Error> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut sources: Vec<Source> = heddle_rtl::designs::designs().into_iter().map(source).collect();
    sources.extend(prims::sources());
    sources.push(demo());
    sources.push(source(wrapped::design()));
    println!("cargo:rerun-if-env-changed={}", mutant::VARIABLE);
    if let Ok(request) = std::env::var(mutant::VARIABLE) {
        mutant::Request::parse(&request)?.apply(&mut sources)?;
    }
    heddle_verilate::runtime_extras(&out)?;
    heddle_verilate::build(&sources, &out)
}

fn source(design: Design) -> Source {
    let modules = design.netlist.modules().iter().map(|m| (m.name.clone(), m.text.clone())).collect();
    let probes = design.probes.into_iter().map(|p| Probe { module: p.module, signal: p.signal }).collect();
    let views = design.views.into_iter().map(view).collect();
    Source { name: design.name, modules, probes, views, hot: design.hot, mutated: false }
}

/// The emitter calls the instance of the field `x` `u_x`.
fn view(view: heddle_rtl::designs::View) -> View {
    let instance: Vec<String> =
        view.field.split('.').filter(|name| !name.is_empty()).map(|name| format!("u_{name}")).collect();
    View { name: view.field.replace('.', "_"), instance: instance.join("."), of: view.of }
}

/// A FIFO written by hand whose `fault` input breaks it in known ways: what the harness is tested against.
fn demo() -> Source {
    println!("cargo:rerun-if-changed=demo");
    let modules =
        [("demo_fifo", include_str!("demo/demo_fifo.v")), ("demo_store", include_str!("demo/demo_store.v"))];
    let mut source = Source::new("demo_fifo", modules.map(|(n, t)| (n.into(), t.into())).to_vec());
    let probe = |signal: &str| Probe { module: "demo_store".into(), signal: signal.into() };
    let signals = ["count", "head", "push", "din", "ready", "pop", "dout", "valid"];
    source.probes = signals.map(probe).to_vec();
    source
}
