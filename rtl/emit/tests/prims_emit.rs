//! The primitives are emitted and accepted by Icarus.
use heddle_emit::prims::{Fifo, Reg, SdpRam, SdpRamNc, Skid, TdpRam};
use heddle_emit::{Emitter, Netlist};
use rust_hdl::prelude::*;
use std::path::PathBuf;
use std::process::Command;

fn accepted(name: &str, netlist: &Netlist) {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let files = netlist.write_dir(&dir).unwrap();
    let out = Command::new("iverilog").args(["-g2005", "-Wall", "-t", "null"]).args(&files).output().unwrap();
    let log = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{name}: {log}");
}

#[test]
fn every_primitive_is_emitted_and_accepted() {
    fn emit<B: Block>(name: &str, mut uut: B) {
        uut.connect_all();
        accepted(name, &Emitter::new().top(name, &uut, &[]).unwrap());
    }
    emit("t_reg", Reg::<Bits<24>>::default());
    emit("t_sdp", SdpRam::<Bits<36>, 9>::default());
    emit("t_nc", SdpRamNc::<Bits<36>, 9>::default());
    emit("t_tdp", TdpRam::<Bits<18>, 10>::default());
    emit("t_skid", Skid::<Bits<64>>::default());
    emit("t_fifo", Fifo::<Bits<64>, 4, 5>::new(12));
}
