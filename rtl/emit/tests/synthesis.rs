//! yosys maps the memories to ECP5 block RAM, without logic around them.
use heddle_emit::prims::{Fifo, SdpRam, SdpRamNc, TdpRam};
use heddle_emit::Emitter;
use rust_hdl::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Cells of each type after `synth_ecp5`.
fn cells<B: Block>(name: &str, mut uut: B) -> BTreeMap<String, usize> {
    uut.connect_all();
    let netlist = Emitter::new().top(name, &uut, &[]).unwrap();
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(module_path!()).join(name);
    let files = netlist.write_dir(&dir).unwrap();
    let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    let script = format!(
        "read_verilog {}; synth_ecp5 -top {name}; check -assert; tee -q -o stat.txt stat",
        files.join(" ")
    );
    let run = Command::new("yosys").current_dir(&dir).args(["-q", "-p", &script]).output().unwrap();
    assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
    let stat = std::fs::read_to_string(dir.join("stat.txt")).unwrap();
    let cell = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_string(), words.next()?.parse().ok()?))
    };
    let found: BTreeMap<_, _> =
        stat.lines().filter(|line| line.starts_with("     ")).filter_map(cell).collect();
    assert!(!found.is_empty(), "{name}: no cells in {stat}");
    found
}

#[test]
fn a_memory_without_collisions_is_one_block_ram_and_nothing_else() {
    let found = cells("nc_512x36", SdpRamNc::<Bits<36>, 9>::default());
    assert_eq!(found, BTreeMap::from([("DP16KD".to_string(), 1)]));
    let found = cells("nc_1024x290", SdpRamNc::<Bits<290>, 10>::default());
    assert_eq!(found, BTreeMap::from([("DP16KD".to_string(), 17)]));
}

#[test]
fn a_true_dual_port_memory_is_one_block_ram() {
    let found = cells("tdp_1024x18", TdpRam::<Bits<18>, 10>::default());
    assert_eq!(found.get("DP16KD"), Some(&1), "{found:?}");
    assert_eq!(found.get("TRELLIS_FF"), None, "{found:?}");
}

#[test]
fn read_first_costs_a_bypass_beside_the_block_ram() {
    let found = cells("sdp_512x36", SdpRam::<Bits<36>, 9>::default());
    assert_eq!(found.get("DP16KD"), Some(&1), "{found:?}");
    assert!(found.get("TRELLIS_FF").is_some_and(|count| *count >= 36), "{found:?}");
}

#[test]
fn a_fifo_is_block_ram_when_deep_and_lut_ram_when_shallow() {
    let deep = cells("fifo_512x36", Fifo::<Bits<36>, 9, 10>::new(500));
    assert_eq!((deep.get("DP16KD"), deep.get("TRELLIS_DPR16X4")), (Some(&1), None), "{deep:?}");
    let shallow = cells("fifo_16x36", Fifo::<Bits<36>, 4, 5>::new(12));
    assert_eq!((shallow.get("DP16KD"), shallow.get("TRELLIS_DPR16X4")), (None, Some(&9)), "{shallow:?}");
}
