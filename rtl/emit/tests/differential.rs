//! rust-hdl against the emitted text, in Icarus and Verilator.
mod blocks;

use blocks::arithmetic::Arithmetic;
use blocks::arrays::Arrays;
use blocks::hierarchy::{Depths, Pipe};
use blocks::registers::Registers;
use blocks::types::{Inner, Row, State, Types};
use heddle_emit::diff::{seed, Diff, Stimuli};

#[test]
fn arithmetic_is_exact_where_widths_are_implicit() {
    let run = Diff::new("arithmetic", seed(11)).combinational(4_000, Arithmetic::default(), |u, s, n| {
        u.a.next = s.bits();
        u.b.next = s.bits();
        u.c.next = match n % 3 {
            0 => u.a.next & u.b.next,
            1 => u.a.next + u.b.next,
            _ => s.bits(),
        };
        u.w.next = s.bits();
        u.v.next = s.bits();
        u.x.next = s.bits();
        u.i.next = s.bits();
        u.j.next = s.bits();
        u.k.next = s.bit();
    });
    let report = run.unwrap();
    assert_eq!((report.vectors, report.outputs), (4_001, 30));
}

fn state(s: &mut Stimuli) -> State {
    [State::Idle, State::Run, State::Wait, State::Done, State::Failed][s.below(5) as usize]
}

#[test]
fn structs_enums_and_signed_numbers_are_exact() {
    let run = Diff::new("types", seed(12)).clocked(
        2_000,
        Types::default(),
        |u| &mut u.clk,
        |u, s, _| {
            u.a.next = s.bits();
            u.k.next = s.bit();
            u.s.next = s.signed();
            u.t.next = s.signed();
            let inner = Inner { state: state(s), flag: s.bit() };
            u.row.next = Row { kind: state(s), len: s.bits(), inner, seq: s.bits() };
            u.e.next = state(s);
        },
    );
    let report = run.unwrap();
    assert_eq!((report.vectors, report.outputs), (6_001, 19));
}

#[test]
fn arrays_wide_vectors_and_const_masks_are_exact() {
    fn run<const W: usize>(name: &str, cycles: usize, seed: u64) {
        let mut masks = Stimuli::new(seed);
        let uut = Arrays::<W, 4>::new(array_init::array_init(|_| masks.bits()));
        let run = Diff::new(name, seed).clocked(
            cycles,
            uut,
            |u| &mut u.clk,
            |u, s, _| {
                u.d.next = s.bits();
                u.shift.next = s.bit();
            },
        );
        assert_eq!(run.unwrap().vectors, 3 * cycles + 1);
    }
    run::<64>("arrays_64", 1_000, seed(13));
    run::<1024>("arrays_1024", 100, seed(14));
}

#[test]
fn registers_are_exact_whether_moved_divided_or_with_a_net() {
    let run = Diff::new("registers", seed(15)).clocked(
        3_000,
        Registers::default(),
        |u| &mut u.clk,
        |u, s, n| {
            u.rst.next = n < 2 || s.chance(1, 30);
            u.go.next = s.bit();
            u.sel.next = s.bits();
            u.a.next = s.bits();
        },
    );
    let report = run.unwrap();
    assert_eq!((report.vectors, report.outputs), (9_001, 10));
}

#[test]
fn interfaces_link_and_join_with_renamed_ports() {
    let renames = [("s$tdata", "s_axis_tdata"), ("s$tvalid", "s_axis_tvalid"), ("m$tdata", "m_axis_tdata")];
    let diff = Diff::new("pipe", seed(16)).renames(&renames);
    let run = diff.clocked(
        2_000,
        Pipe::default(),
        |u| &mut u.clk,
        |u, s, n| {
            u.rst.next = n < 3 || s.chance(1, 100);
            u.s.tdata.next = s.bits();
            u.s.tlast.next = s.bit();
            u.s.tvalid.next = s.bit();
            u.m.tready.next = s.chance(2, 3);
        },
    );
    let report = run.unwrap();
    let names: Vec<_> = report.netlist.modules().iter().map(|module| module.name.as_str()).collect();
    assert_eq!(names, ["stream_stage", "pipe"]);
}

#[test]
fn registers_at_every_depth_see_one_clock_edge() {
    let run = Diff::new("depths", seed(17)).clocked(
        2_000,
        Depths::default(),
        |u| &mut u.clk,
        |u, s, _| {
            u.x.next = s.bits();
        },
    );
    let report = run.unwrap();
    let names: Vec<_> = report.netlist.modules().iter().map(|module| module.name.as_str()).collect();
    assert_eq!(names, ["leaf_8", "nested", "INV4", "inverter", "BUF4", "depths"]);
}
