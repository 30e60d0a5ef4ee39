//! The primitives against their emitted text, in Icarus and Verilator.
use heddle_emit::diff::{seed, Diff, Report};
use heddle_emit::prims::{Fifo, Reg, SdpRam, SdpRamNc, Skid, TdpRam};
use rust_hdl::prelude::*;

const CYCLES: usize = 3_000;

fn complete(report: Report, outputs: usize) {
    assert_eq!(report.vectors, 3 * CYCLES + 1);
    assert_eq!(report.outputs, outputs);
}

#[test]
fn reg_holds_without_enable_and_resets_to_its_initial_value() {
    let uut = Reg::<Bits<24>>::new(bits(0xABCDE));
    let run = Diff::new("reg_24", seed(1)).clocked(
        CYCLES,
        uut,
        |u| &mut u.clk,
        |u, s, _| {
            u.rst.next = s.chance(1, 20);
            u.en.next = s.bit();
            u.d.next = s.bits();
        },
    );
    complete(run.unwrap(), 1);
}

#[test]
fn sdp_ram_reads_the_old_word_on_collision() {
    let uut = SdpRam::<Bits<36>, 5>::default();
    let run = Diff::new("sdp", seed(2)).clocked(
        CYCLES,
        uut,
        |u| &mut u.clk,
        |u, s, _| {
            u.re.next = s.chance(3, 4);
            u.raddr.next = s.bits();
            u.we.next = s.bit();
            u.waddr.next = if s.chance(1, 4) { u.raddr.next } else { s.bits() };
            u.wdata.next = s.bits();
        },
    );
    complete(run.unwrap(), 1);
}

#[test]
fn sdp_ram_nc_agrees_while_no_word_is_read_and_written_at_once() {
    let uut = SdpRamNc::<Bits<300>, 5>::default();
    let run = Diff::new("nc", seed(3)).clocked(
        CYCLES,
        uut,
        |u| &mut u.clk,
        |u, s, _| {
            u.raddr.next = s.bits();
            u.we.next = s.bit();
            u.waddr.next = s.bits();
            u.wdata.next = s.bits();
            u.re.next = s.chance(3, 4) && !(u.we.next && u.raddr.next == u.waddr.next);
        },
    );
    complete(run.unwrap(), 1);
}

#[test]
#[should_panic(expected = "is read and written in one cycle")]
fn sdp_ram_nc_panics_on_a_collision() {
    let mut uut = SdpRamNc::<Bits<8>, 4>::default();
    uut.connect_all();
    uut.re.next = true;
    uut.we.next = true;
    simulate(&mut uut, 10);
    uut.clk.next = true.into();
    simulate(&mut uut, 10);
}

#[test]
fn tdp_ram_ports_read_first_and_share_the_words() {
    let uut = TdpRam::<Bits<18>, 5>::default();
    let run = Diff::new("tdp", seed(4)).clocked(
        CYCLES,
        uut,
        |u| &mut u.clk,
        |u, s, _| {
            u.a_en.next = s.chance(3, 4);
            u.a_we.next = s.bit();
            u.a_addr.next = s.bits();
            u.a_wdata.next = s.bits();
            u.b_we.next = s.bit();
            u.b_addr.next = s.bits();
            u.b_wdata.next = s.bits();
            let clash = u.a_addr.next == u.b_addr.next && (u.a_we.next || u.b_we.next);
            u.b_en.next = s.chance(3, 4) && !(u.a_en.next && clash);
        },
    );
    complete(run.unwrap(), 2);
}

#[test]
fn skid_and_fifo_agree_under_random_valid_ready_and_reset() {
    let run = Diff::new("skid", seed(5)).clocked(
        CYCLES,
        Skid::<Bits<64>>::default(),
        |u| &mut u.clk,
        |u, s, n| {
            u.rst.next = n < 2 || s.chance(1, 200);
            u.in_valid.next = s.chance(3, 4);
            u.in_data.next = s.bits();
            u.out_ready.next = s.chance(3, 4);
        },
    );
    complete(run.unwrap(), 3);
    let run = Diff::new("fifo", seed(6)).clocked(
        CYCLES,
        Fifo::<Bits<64>, 4, 5>::new(12),
        |u| &mut u.clk,
        |u, s, n| {
            let filling = (n / 60) % 2 == 0;
            u.rst.next = n < 2 || s.chance(1, 500);
            u.in_valid.next = s.chance(if filling { 3 } else { 1 }, 4);
            u.in_data.next = s.bits();
            u.out_ready.next = s.chance(if filling { 1 } else { 3 }, 4);
        },
    );
    complete(run.unwrap(), 5);
}
