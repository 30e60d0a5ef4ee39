//! Parser and ICRC engine as Verilog: the text, what yosys says of it, and the same values as rust-hdl's
//! own simulation.

use heddle_emit::diff::{seed, Diff, Stimuli};
use heddle_emit::Netlist;
use heddle_rtl::icrc::{Icrc512, Icrc64};
use heddle_rtl::rx::parse::{Parse512, Parse64};
use rust_hdl::prelude::*;
use std::path::Path;

/// Beats of `width` bytes of the frames that another implementation made: bytes, last, MAC error.
fn beats(width: usize) -> Vec<(Vec<u8>, bool, bool)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testbench/vectors/rx_parse.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut all = Vec::new();
    for vector in text.split("\n\n") {
        let digits: String = vector.lines().filter_map(|line| line.strip_prefix("frame ")).collect();
        let byte = |i: usize| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).unwrap();
        let frame: Vec<u8> = (0..digits.len() / 2).map(byte).collect();
        let (count, bad) = (frame.len().div_ceil(width), vector.contains("mac bad"));
        let beats = frame.chunks(width).enumerate();
        all.extend(beats.map(|(i, bytes)| (bytes.to_vec(), i + 1 == count, bad && i + 1 == count)));
    }
    assert!(all.iter().filter(|beat| beat.1).count() == 121);
    all
}

fn word<const N: usize>(bytes: &[u8]) -> Bits<N> {
    bytes.iter().rev().fold(bits(0), |word: Bits<N>, byte| (word << 8) | bits::<N>((*byte).into()))
}

macro_rules! parse_is_simulated {
    ($name:literal, $block:ty, $width:literal, $cycles:expr) => {{
        let mut source = beats($width).into_iter();
        let drive = |uut: &mut $block, stimuli: &mut Stimuli, cycle: usize| {
            uut.rst.next = cycle < 2;
            uut.cfg_port.next = bits(54791);
            uut.s_axis_tvalid.next = false;
            uut.s_axis_tdata.next = stimuli.bits();
            uut.s_axis_tlast.next = stimuli.bit();
            if cycle >= 2 && stimuli.below(8) != 0 {
                if let Some((bytes, last, bad)) = source.next() {
                    uut.s_axis_tvalid.next = true;
                    uut.s_axis_tdata.next = word(&bytes);
                    uut.s_axis_tkeep.next =
                        (0..bytes.len()).fold(bits(0), |keep, k| keep.replace_bit(k, true));
                    uut.s_axis_tlast.next = last;
                    uut.s_axis_tuser.next = bad;
                }
            }
        };
        let test = Diff::new($name, seed(1));
        let report = test.clocked($cycles, <$block>::default(), |u| &mut u.clk, drive).unwrap();
        assert_eq!((report.vectors, report.outputs), (3 * $cycles + 1, 18));
        assert!(source.next().is_some(), "the stimulus ran dry");
    }};
}

#[test]
fn parser_is_emitted_as_it_is_simulated_at_64_bits() {
    parse_is_simulated!("parse", Parse64, 8, 1_500);
}

#[test]
fn parser_is_emitted_as_it_is_simulated_at_512_bits() {
    parse_is_simulated!("parse512", Parse512, 64, 400);
}

macro_rules! icrc_is_simulated {
    ($name:literal, $block:ty, $cycles:expr) => {{
        let drive = |uut: &mut $block, stimuli: &mut Stimuli, cycle: usize| {
            uut.rst.next = cycle < 2 || stimuli.below(50) == 0;
            uut.in_valid.next = stimuli.below(4) != 0;
            uut.in_first.next = stimuli.below(3) == 0;
            uut.in_last.next = stimuli.below(3) == 0;
            uut.in_skip.next = bits(stimuli.below(3));
            uut.in_tail.next = stimuli.bits();
            uut.in_data.next = stimuli.bits();
        };
        let test = Diff::new($name, seed(2));
        let report = test.clocked($cycles, <$block>::default(), |u| &mut u.clk, drive).unwrap();
        assert_eq!((report.vectors, report.outputs), (3 * $cycles + 1, 4));
    }};
}

#[test]
fn icrc_engine_is_emitted_as_it_is_simulated_at_both_widths() {
    icrc_is_simulated!("icrc", Icrc64, 800);
    icrc_is_simulated!("icrc512", Icrc512, 150);
}

fn netlist(name: &str) -> Netlist {
    let design = heddle_rtl::designs::designs().into_iter().find(|design| design.name == name);
    design.unwrap_or_else(|| panic!("no design is called {name}")).netlist
}

#[test]
fn each_step_is_one_module_of_readable_ports() {
    let netlist = netlist("parse");
    let text = netlist.text();
    for step in ["eth", "align", "mask", "checksum", "check", "kind", "words", "reason", "parse"] {
        let head = format!("module {step} (");
        assert_eq!(text.lines().filter(|line| *line == head).count(), 1, "{head}");
    }
    let top = &netlist.modules().last().unwrap().text;
    for port in ["s_axis_tdata", "s_axis_tkeep", "h_words", "p_tdata", "c_data"] {
        assert!(top.contains(&format!(" {port}")), "port {port}");
    }
    assert!(!text.contains('$'), "no generated names or system tasks");
    assert!(!text.contains("latch"));
}
