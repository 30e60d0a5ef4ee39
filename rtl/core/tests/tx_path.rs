//! The transmit path engine as text: the same as in rust-hdl's simulation, of the widths and depths
//! intended, and clean for the tools, for few and for many paths.

use heddle_emit::diff::{lint, seed, Diff, Simulator, Stimuli};
use heddle_emit::{Emitter, Netlist};
use heddle_rtl::tx::path::TxPath;
use rust_hdl::prelude::*;
use std::process::Command;

type Engine = TxPath<2, 4>;

/// Operations that mostly make sense: what the engine said of a path last tells what an ACK may say.
#[derive(Default)]
struct Sender {
    rows: [(u64, u64); 4],
    now: u64,
    taken: bool,
    results: usize,
}

impl Sender {
    fn drive(&mut self, u: &mut Engine, stimuli: &mut Stimuli, cycle: usize) {
        u.rst.next = cycle < 2 || (700..702).contains(&cycle);
        self.now += stimuli.below(3);
        if u.out_valid.val() {
            let row = (u.out_base.val().index() as u64, u.out_next.val().index() as u64);
            self.rows[u.out_path.val().index()] = row;
            self.results += 1;
        }
        u.sk_valid.next = stimuli.chance(3, 4);
        // `in_ready` does not depend on `in_valid`: an operation lies there for a cycle, then is
        // offered until it is taken.
        if !self.taken {
            u.in_valid.next = true;
            self.taken = u.in_ready.val();
            return;
        }
        self.taken = false;
        u.in_valid.next = false;
        // Paths mostly in turn: one path alone is taken every 20 cycles only.
        let turn = (u.in_path.val().index() as u64 + 1) % 4;
        let path = if stimuli.chance(7, 8) { turn } else { stimuli.below(4) };
        let (base, next) = self.rows[path as usize];
        let span = next.wrapping_sub(base) & 0xFF_FFFF;
        let cum = base + stimuli.below(span.min(3) + 1);
        let high =
            if stimuli.bit() { cum + 0xFF_FFFF } else { next + 0xFF_FFFF - stimuli.below(span.min(2) + 1) };
        // Mostly new packets, so that there is something to acknowledge and to lose.
        let op = [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6][stimuli.below(16) as usize];
        let init = (2..40).contains(&cycle) || (702..740).contains(&cycle);
        u.in_op.next = if init { 7 } else { op }.into();
        u.in_path.next = path.into();
        u.in_cum.next = if init { stimuli.bits() } else { (cum & 0xFF_FFFF).into() };
        u.in_high.next = (high & 0xFF_FFFF).into();
        u.in_route.next = stimuli.below(3).into();
        u.in_ts.next = self.now.wrapping_sub(stimuli.below(100)).into();
        u.in_now.next = self.now.into();
        u.in_reorder.next = stimuli.below(3).into();
    }
}

#[test]
fn text_and_simulation_agree_over_a_reset_and_every_operation() {
    const CYCLES: usize = 1_500;
    let mut sender = Sender { now: 0xFFFF_F000, ..Sender::default() };
    let report = Diff::new("tx_path", seed(1))
        .simulators(&[Simulator::Verilator])
        .clocked(
            CYCLES,
            Engine::default(),
            |u| &mut u.clk,
            |u, s, cycle| {
                let word = if s.chance(1, 2) { 0u64.into() } else { s.bits::<64>() & s.bits::<64>() };
                if !u.sk_valid.val() || u.sk_ready.val() {
                    u.sk_word.next = word;
                }
                sender.drive(u, s, cycle);
            },
        )
        .unwrap();
    assert_eq!((report.vectors, report.outputs), (3 * CYCLES + 1, 16));
    assert!(sender.results > 120, "{} results", sender.results);
}

fn netlist<const PW: usize, const MA: usize>() -> Netlist {
    let mut uut = TxPath::<PW, MA>::default();
    uut.connect_all();
    Emitter::new().top("tx_path", &uut, &[]).unwrap()
}

fn text<'a>(netlist: &'a Netlist, module: &str) -> &'a str {
    &netlist.modules().iter().find(|m| m.name == module).unwrap_or_else(|| panic!("no module {module}")).text
}

#[test]
fn rows_and_maps_have_the_widths_and_depths_of_the_paths() {
    // 206 bits per row; 256 slots of three planes as four words of 3 x 64.
    for (netlist, paths) in [(netlist::<2, 4>(), 4), (netlist::<6, 8>(), 64), (netlist::<14, 16>(), 16384)] {
        let has = |module: &str, what: &str| {
            assert!(text(&netlist, module).contains(what), "{paths} paths: {module} lacks `{what}`");
        };
        has(&format!("sdp_ram_nc_{paths}x206"), &format!("reg [205:0] mem [0:{}];", paths - 1));
        has(&format!("sdp_ram_nc_{}x192", 4 * paths), &format!("reg [191:0] mem [0:{}];", 4 * paths - 1));
        has("tx_path_sack_words", "reg [63:0] words [0:15];");
    }
}

#[test]
fn ports_have_the_widths_of_the_interface() {
    let netlist = netlist::<14, 16>();
    let top = text(&netlist, "tx_path");
    let ports = [
        ("input ", "in_op", 3),
        ("input ", "in_path", 14),
        ("input ", "in_cum", 24),
        ("input ", "in_high", 24),
        ("input ", "in_route", 8),
        ("input ", "in_ts", 32),
        ("input ", "in_now", 32),
        ("input ", "in_reorder", 8),
        ("input ", "sk_word", 64),
        ("output", "out_op", 3),
        ("output", "out_path", 14),
        ("output", "out_bad", 2),
        ("output", "out_base", 24),
        ("output", "out_next", 24),
        ("output", "out_route", 8),
        ("output", "out_psn", 24),
        ("output", "out_newly", 9),
        ("output", "out_inflight", 9),
        ("output", "out_waiting", 9),
        ("output", "out_now", 32),
    ];
    for (direction, name, width) in ports {
        let found = top.lines().any(|line| {
            let words: Vec<_> = line.trim().trim_end_matches(',').split_whitespace().collect();
            words == [direction.trim(), "wire", &format!("[{}:0]", width - 1), name]
        });
        assert!(found, "no {direction} {name} of {width} bits in\n{top}");
    }
}

#[test]
fn verilator_icarus_and_yosys_have_nothing_to_say() {
    for (paths, netlist) in [(4, netlist::<2, 4>()), (64, netlist::<6, 8>()), (16384, netlist::<14, 16>())] {
        let scratch = tempfile::tempdir().unwrap();
        lint(scratch.path(), "tx_path", &netlist).unwrap_or_else(|e| panic!("{paths} paths: {e}"));
        let file = scratch.path().join("all.v");
        std::fs::write(&file, netlist.text()).unwrap();
        let script = format!(
            "read_verilog -DSYNTHESIS {}; hierarchy -check -top tx_path; proc; check -assert",
            file.display()
        );
        let yosys = Command::new("yosys").args(["-q", "-p", &script]).output().expect("yosys runs");
        let said = String::from_utf8_lossy(&yosys.stdout) + String::from_utf8_lossy(&yosys.stderr);
        assert!(yosys.status.success() && !said.contains("Warning"), "{paths} paths: {said}");
    }
}
