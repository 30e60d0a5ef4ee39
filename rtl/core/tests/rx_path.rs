//! The receive path engines: emitted text against rust-hdl's simulation, widths, and what lint tools say.

use heddle_emit::diff::{lint, seed, Diff, Stimuli};
use heddle_emit::{Emitter, Netlist};
use heddle_rtl::rx::path::RxPath;
use heddle_rtl::rx::path_wide::RxPathWide;
use rust_hdl::prelude::*;
use std::process::Command;

/// Paths of the differential tests: few, so that operations of one path meet.
const PATHS: usize = 4;

/// Draws operations near what each path last answered, and counts the answers.
#[derive(Default)]
struct Traffic {
    cum: [u64; PATHS],
    classes: [usize; 4],
    closed: usize,
    verdicts: usize,
}

impl Traffic {
    fn answered(&mut self, op: u64, path: u64, cum: u64, class: u64, close: bool) {
        self.cum[path as usize] = cum;
        if op == 0 {
            self.classes[class as usize] += 1;
        }
        self.closed += usize::from(close);
    }

    fn op(stimuli: &mut Stimuli) -> u64 {
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3][stimuli.below(15) as usize]
    }

    fn psn(&self, stimuli: &mut Stimuli, path: u64) -> u64 {
        let ahead = match stimuli.below(10) {
            0..=3 => 0,
            4..=6 => stimuli.below(6),
            7 => stimuli.below(258),
            8 => (1 << 24) - stimuli.below(4),
            _ => stimuli.below(1 << 24),
        };
        (self.cum[path as usize] + ahead) % (1 << 24)
    }

    fn assert_met_everything(&self) {
        assert!(self.classes.iter().all(|&count| count >= 10), "classes {:?}", self.classes);
        assert!(self.closed >= 5, "gaps closed: {}", self.closed);
        assert!(self.verdicts >= 50, "verdicts: {}", self.verdicts);
    }
}

macro_rules! differential {
    ($name:ident, $top:literal, $block:ty, $seed:literal, $cycles:literal, $outputs:literal) => {
        #[test]
        fn $name() {
            let mut traffic = Traffic::default();
            let run = Diff::new($top, seed($seed)).clocked(
                $cycles,
                <$block>::default(),
                |u| &mut u.clk,
                |u, s, cycle| {
                    traffic.verdicts += usize::from(u.v_valid.val());
                    if u.out_valid.val() {
                        traffic.answered(
                            u.out_op.val().to_u64(),
                            u.out_path.val().to_u64(),
                            u.out_cum.val().to_u64(),
                            u.out_class.val().to_u64(),
                            u.out_close.val(),
                        );
                    }
                    let path = s.below(PATHS as u64);
                    u.rst.next = cycle < 2 || s.chance(1, 500);
                    u.in_valid.next = s.chance(4, 5);
                    u.in_op.next = Traffic::op(s).to_bits();
                    u.in_path.next = path.to_bits();
                    u.in_psn.next = traffic.psn(s, path).to_bits();
                    u.in_ce.next = s.bit();
                    u.in_fault.next = s.chance(1, 8);
                    u.in_flags.next = s.bits();
                    u.in_ts.next = s.bits();
                    u.in_route.next = s.bits();
                    u.in_now.next = s.bits();
                },
            );
            let report = run.unwrap();
            assert_eq!((report.vectors, report.outputs), (3 * $cycles + 1, $outputs));
            traffic.assert_met_everything();
        }
    };
}

differential!(the_text_of_64_lanes_behaves_as_the_block, "rx_path", RxPath<2, 4>, 1, 3_000, 21);
differential!(the_text_of_256_lanes_behaves_as_the_block, "rx_path_wide", RxPathWide<2>, 2, 1_500, 22);

fn emit<B: Block>(top: &str, mut uut: B) -> Netlist {
    uut.connect_all();
    Emitter::new().top(top, &uut, &[]).unwrap()
}

/// Depth and width of every memory, sorted.
fn memories(netlist: &Netlist) -> Vec<(usize, usize)> {
    let text = netlist.text();
    let mut found: Vec<_> = text
        .lines()
        .filter_map(|line| line.split_once("] mem [0:"))
        .map(|(left, right)| {
            let top = left.split_once("reg [").expect("a memory is a reg").1.split(':').next();
            let top: usize = top.expect("a range").parse().expect("a width");
            let last: usize = right.trim_end_matches("];").parse().expect("a depth");
            (last + 1, top + 1)
        })
        .collect();
    found.sort_unstable();
    found
}

fn has_ports(netlist: &Netlist, path_bits: usize) {
    let module = netlist.modules().last().expect("a top module");
    let ports = module.text.split_once(");").expect("a port list").0;
    let words: Vec<Vec<&str>> = ports
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line))
        .map(|line| line.trim_end_matches(',').split_whitespace().collect())
        .collect();
    let path = format!("[{}:0]", path_bits - 1);
    for (name, range) in
        [("in_psn", "[23:0]"), ("in_path", path.as_str()), ("out_cum", "[23:0]"), ("out_high", "[23:0]")]
    {
        assert!(words.iter().any(|line| line.ends_with(&[range, name])), "{name} {range} in {ports}");
    }
}

/// Both linters and yosys' own check, with no message allowed.
fn clean(top: &str, netlist: &Netlist) {
    let dir = tempfile::Builder::new().prefix(&format!("rx-path-{top}-")).tempdir().unwrap();
    lint(dir.path(), top, netlist).unwrap();
    let file = dir.path().join("all.v");
    std::fs::write(&file, netlist.text()).unwrap();
    let script = format!("read_verilog {}; hierarchy -check -top {top}; proc; check -assert", file.display());
    let run = Command::new("yosys").args(["-q", "-p", &script]).output().expect("yosys is installed");
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.trim().is_empty(), "{said}");
}

macro_rules! shape {
    ($name:ident, $narrow:ty, $wide:ty, $path_bits:literal) => {
        #[test]
        fn $name() {
            let paths = 1 << $path_bits;
            let netlist = emit("rx_path", <$narrow>::default());
            let mut want = vec![(4 * paths, 64), (paths, 64), (paths, 104)];
            want.sort_unstable();
            assert_eq!(memories(&netlist), want);
            has_ports(&netlist, $path_bits);
            clean("rx_path", &netlist);

            let netlist = emit("rx_path_wide", <$wide>::default());
            assert_eq!(memories(&netlist), [(paths, 64), (paths, 104), (paths, 256)]);
            has_ports(&netlist, $path_bits);
            clean("rx_path_wide", &netlist);
        }
    };
}

shape!(the_text_for_4_paths_has_its_widths_and_is_clean, RxPath<2, 4>, RxPathWide<2>, 2);
shape!(the_text_for_64_paths_has_its_widths_and_is_clean, RxPath<6, 8>, RxPathWide<6>, 6);
shape!(the_text_for_16384_paths_has_its_widths_and_is_clean, RxPath<14, 16>, RxPathWide<14>, 14);
