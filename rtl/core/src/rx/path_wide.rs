//! Receive path of wide parts: as [`super::path`], with 256 lanes instead of 64 lanes x 4 steps.
//!
//! Latency from the cycle of the input transfer: verdict (`v_*`) 4 cycles, result and snapshot (`out_*`,
//! `z_sack`) 6 cycles. One operation per cycle over distinct paths; `in_ready` is low while an operation of
//! `in_path` is in flight, for 6 cycles after its transfer (it depends on `in_path` in the same cycle).
//! Outputs never stall.
//!
//! State per path, in block RAM: the same rows and ring map of lap bits as the narrow engine. Registers are
//! named after the cycle of an operation in which they are valid, as in `psn1`.
//!
//! Assumes that a path's first operation is INIT. `rst` drops the operations in flight and leaves their paths
//! undefined until INIT; memories are not cleared. The snapshot of an INIT is empty.
//! Model `rx::path`. Doc docs/blocks/rx-path.md.

mod issue;
mod map;
mod search;

use self::issue::WideIssue;
use self::map::WideMap;
use self::search::WideSearch;
use crate::rx::path::rows::{ArrivalRow, ArrivalUpdate, WindowRow, WindowUpdate};
use crate::rx::path::verdict::Verdict;
use heddle_emit::prims::SdpRamNc;
use rust_hdl::prelude::*;

/// The engine for 2^`PW` paths.
#[derive(LogicBlock, Default)]
pub struct RxPathWide<const PW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// An operation is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken at the edge if it is offered.
    pub in_ready: Signal<Out, Bit>,
    /// 0 DATA, 1 PROBE (the echo is taken, nothing is counted), 2 LOOK (nothing changes), 3 INIT (cum = psn,
    /// high = psn - 1, all else 0).
    pub in_op: Signal<In, Bits<2>>,
    /// Path index.
    pub in_path: Signal<In, Bits<PW>>,
    /// DATA: the packet's PSN; INIT: the first PSN; else ignored.
    pub in_psn: Signal<In, Bits<24>>,
    /// DATA: the packet was CE-marked.
    pub in_ce: Signal<In, Bit>,
    /// DATA: the look-ups found a fault: class 3 instead of 0, nothing changes.
    pub in_fault: Signal<In, Bit>,
    /// The packet's flags, passed through.
    pub in_flags: Signal<In, Bits<8>>,
    /// DATA, PROBE: the packet's timestamp.
    pub in_ts: Signal<In, Bits<32>>,
    /// DATA, PROBE: the packet's route.
    pub in_route: Signal<In, Bits<8>>,
    /// DATA, PROBE: arrival time, ticks of 8 ns.
    pub in_now: Signal<In, Bits<32>>,
    /// Pulse: early verdict, DATA only.
    pub v_valid: Signal<Out, Bit>,
    /// 0 accept, 1 duplicate, 2 out of window, 3 fault.
    pub v_class: Signal<Out, Bits<2>>,
    /// Pulse: an operation is done; `out_*` is the path's state after it.
    pub out_valid: Signal<Out, Bit>,
    /// The operation, as `in_op`.
    pub out_op: Signal<Out, Bits<2>>,
    /// Path index.
    pub out_path: Signal<Out, Bits<PW>>,
    /// As `v_class`; 0 unless DATA.
    pub out_class: Signal<Out, Bits<2>>,
    /// The packet's flags.
    pub out_flags: Signal<Out, Bits<8>>,
    /// Lowest PSN not received.
    pub out_cum: Signal<Out, Bits<24>>,
    /// Highest PSN received, cum - 1 if none is beyond cum.
    pub out_high: Signal<Out, Bits<24>>,
    /// A gap opened: accepted beyond high + 1.
    pub out_open: Signal<Out, Bit>,
    /// A gap closed: cum moved by more than one.
    pub out_close: Signal<Out, Bit>,
    /// CE-marked arrivals, wraps at 2^16.
    pub out_ce: Signal<Out, Bits<16>>,
    /// Duplicates, wraps at 2^16.
    pub out_dup: Signal<Out, Bits<16>>,
    /// Accepted packets and duplicates, wraps at 2^16.
    pub out_arrivals: Signal<Out, Bits<16>>,
    /// Echo: timestamp of the newest arrival, DATA or PROBE.
    pub out_ts: Signal<Out, Bits<32>>,
    /// Echo: its route.
    pub out_route: Signal<Out, Bits<8>>,
    /// Echo: its arrival time.
    pub out_at: Signal<Out, Bits<32>>,
    /// With `out_valid`, the state before the operation: bit `p mod 256` is 1 when, and only when, `p` in
    /// (cum, cum + 256) is received.
    pub z_sack: Signal<Out, Bits<256>>,
    /// Pulse: a word of the snapshot of the LOOK that was done last, 1 to 4 cycles after its `out_valid`.
    pub z_valid: Signal<Out, Bit>,
    /// Which of the four.
    pub z_index: Signal<Out, Bits<2>>,
    /// Its bits. A LOOK whose words are not out yet must not be followed by another.
    pub z_word: Signal<Out, Bits<64>>,
    snapshot: DFF<Bits<256>>,
    word: DFF<Bits<3>>,
    issue: WideIssue<PW>,
    map: WideMap,
    search: WideSearch,
    verdict: Verdict,
    window: WindowUpdate,
    arrival: ArrivalUpdate,
    maps: SdpRamNc<Bits<256>, PW>,
    windows: SdpRamNc<WindowRow, PW>,
    arrivals: SdpRamNc<ArrivalRow, PW>,
    window2: DFF<WindowRow>,
    window3: DFF<WindowRow>,
    window4: DFF<WindowRow>,
    window5: DFF<WindowRow>,
    window6: DFF<WindowRow>,
    v_valid4: DFF<Bit>,
    class5: DFF<Bits<2>>,
    class6: DFF<Bits<2>>,
    open5: DFF<Bit>,
    open6: DFF<Bit>,
    counted5: DFF<Bit>,
    echoed5: DFF<Bit>,
    advance5: DFF<Bit>,
    lap5: DFF<Bits<16>>,
    arrival5: DFF<ArrivalRow>,
    arrival6: DFF<ArrivalRow>,
    close6: DFF<Bit>,
    data3: Signal<Local, Bit>,
    init2: Signal<Local, Bit>,
    init4: Signal<Local, Bit>,
    cum2: Signal<Local, Bits<24>>,
    counted: Signal<Local, Bit>,
    moved: Signal<Local, WindowRow>,
}

impl<const PW: usize> Logic for RxPathWide<PW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clk, window2, window3, window4, window5, window6, v_valid4, class5, class6, open5, open6,
            counted5, echoed5, advance5, lap5, arrival5, arrival6, close6, snapshot, word
        );
        self.issue.clk.next = self.clk.val();
        self.map.clk.next = self.clk.val();
        self.search.clk.next = self.clk.val();
        self.verdict.clk.next = self.clk.val();
        self.maps.clk.next = self.clk.val();
        self.windows.clk.next = self.clk.val();
        self.arrivals.clk.next = self.clk.val();

        // Cycle 0: an operation is taken, its rows are addressed.
        self.issue.rst.next = self.rst.val();
        self.issue.in_valid.next = self.in_valid.val();
        self.in_ready.next = self.issue.in_ready.val();
        self.issue.in_op.next = self.in_op.val();
        self.issue.in_path.next = self.in_path.val();
        self.issue.in_psn.next = self.in_psn.val();
        self.issue.in_ce.next = self.in_ce.val();
        self.issue.in_fault.next = self.in_fault.val();
        self.issue.in_flags.next = self.in_flags.val();
        self.issue.in_ts.next = self.in_ts.val();
        self.issue.in_route.next = self.in_route.val();
        self.issue.in_now.next = self.in_now.val();
        self.maps.re.next = self.in_valid.val() & !self.issue.row_written.val();
        self.maps.raddr.next = self.in_path.val();
        self.windows.re.next = self.in_valid.val() & !self.issue.row_written.val();
        self.windows.raddr.next = self.in_path.val();

        // Cycle 1: row and map are out of their RAMs.
        self.map.raw.next = self.maps.rdata.val();
        self.search.psn.next = bit_cast::<9, 24>(self.issue.psn1.val());
        self.window2.d.next = self.windows.rdata.val();

        // Cycle 2: distances and search begin.
        self.window3.d.next = self.window2.q.val();
        self.cum2.next = self.window2.q.val().cum;
        self.init2.next = self.issue.op2.val() == 3;
        self.map.base.next = bit_cast::<9, 24>(self.cum2.val());
        if self.init2.val() {
            self.map.base.next = bit_cast::<9, 24>(self.issue.psn2.val());
        }
        self.search.raw2.next = self.map.raw2.val();
        self.verdict.psn.next = self.issue.psn2.val();
        self.verdict.cum.next = self.cum2.val();
        self.verdict.high.next = bit_cast::<10, 24>(self.window2.q.val().high);

        // Cycle 3: the verdict; the arrival row is read.
        self.window4.d.next = self.window3.q.val();
        self.data3.next = self.issue.op3.val() == 0;
        self.verdict.received.next = self.search.received.val();
        self.verdict.data.next = self.data3.val();
        self.verdict.fault.next = self.issue.fault3.val();
        self.v_valid4.d.next = self.issue.valid3.val() & self.data3.val() & !self.rst.val();
        self.arrivals.re.next = self.issue.valid3.val();
        self.arrivals.raddr.next = self.issue.path3.val();

        // Cycle 4: the verdict is out; the window row but for cum's advance.
        self.v_valid.next = self.v_valid4.q.val();
        self.v_class.next = self.verdict.decision.val();
        self.init4.next = self.issue.op4.val() == 3;
        self.map.slot.next = bit_cast::<8, 24>(self.issue.psn4.val());
        self.map.accept.next = self.verdict.accept.val();
        self.map.init.next = self.init4.val();
        self.search.raw4.next = self.map.raw4.val();
        self.window.row.next = self.window4.q.val();
        self.window.init.next = self.init4.val();
        self.window.duplicate.next = self.verdict.duplicate.val();
        self.window.highest.next = self.verdict.highest.val();
        self.window.psn.next = self.issue.psn4.val();
        self.window5.d.next = self.window.row_after.val();
        self.lap5.d.next = bit_cast::<16, 24>(self.window4.q.val().cum >> 8) + self.search.wrap.val();
        self.counted.next = self.verdict.accept.val() | self.verdict.duplicate.val();
        self.counted5.d.next = self.counted.val();
        self.echoed5.d.next = self.counted.val() | (self.issue.op4.val() == 1);
        self.class5.d.next = self.verdict.decision.val();
        self.advance5.d.next = self.verdict.advance.val();
        self.open5.d.next = self.verdict.open.val();
        self.arrival5.d.next = self.arrivals.rdata.val();

        // Cycle 5. REQ-RX-2: cum advances to the first zero in ring order, in one step.
        self.moved.next = self.window5.q.val();
        if self.advance5.q.val() {
            self.moved.next.cum =
                (bit_cast::<24, 16>(self.lap5.q.val()) << 8) | bit_cast::<24, 8>(self.search.found.val());
        }
        self.window6.d.next = self.moved.val();
        self.class6.d.next = self.class5.q.val();
        self.open6.d.next = self.open5.q.val();
        // REQ-RX-3: a gap closes when cum moves by more than one.
        self.close6.d.next = self.advance5.q.val() & self.search.far.val();
        self.arrival.row.next = self.arrival5.q.val();
        self.arrival.init.next = self.issue.op5.val() == 3;
        self.arrival.counted.next = self.counted5.q.val();
        self.arrival.echoed.next = self.echoed5.q.val();
        self.arrival.ce.next = self.issue.ce5.val();
        self.arrival.ts.next = self.issue.ts5.val();
        self.arrival.route.next = self.issue.route5.val();
        self.arrival.now.next = self.issue.now5.val();
        self.arrival6.d.next = self.arrival.row_after.val();

        // Cycle 6: out, and written back.
        self.maps.we.next = self.issue.valid6.val();
        self.maps.waddr.next = self.issue.path6.val();
        self.maps.wdata.next = self.map.written.val();
        self.windows.we.next = self.issue.valid6.val();
        self.windows.waddr.next = self.issue.path6.val();
        self.windows.wdata.next = self.window6.q.val();
        self.arrivals.we.next = self.issue.valid6.val();
        self.arrivals.waddr.next = self.issue.path6.val();
        self.arrivals.wdata.next = self.arrival6.q.val();
        self.out_valid.next = self.issue.valid6.val();
        self.out_op.next = self.issue.op6.val();
        self.out_path.next = self.issue.path6.val();
        self.out_class.next = self.class6.q.val();
        self.out_flags.next = self.issue.flags6.val();
        self.out_cum.next = self.window6.q.val().cum;
        self.out_high.next = self.window6.q.val().high;
        self.out_open.next = self.open6.q.val();
        self.out_close.next = self.close6.q.val();
        self.out_ce.next = self.arrival6.q.val().ce;
        self.out_dup.next = self.window6.q.val().dup;
        self.out_arrivals.next = self.arrival6.q.val().arrivals;
        self.out_ts.next = self.arrival6.q.val().ts;
        self.out_route.next = self.arrival6.q.val().route;
        self.out_at.next = self.arrival6.q.val().at;
        self.z_sack.next = self.map.sack.val();

        // Cycles 7 to 10: the snapshot of a LOOK, word by word, as the engine of 64 lanes gives it.
        self.z_valid.next = !self.word.q.val().get_bit(2);
        self.z_index.next = bit_cast::<2, 3>(self.word.q.val());
        self.z_word.next = bit_cast::<64, 256>(self.snapshot.q.val());
        if !self.word.q.val().get_bit(2) {
            self.word.d.next = self.word.q.val() + 1;
            self.snapshot.d.next = self.snapshot.q.val() >> 64;
        }
        if self.issue.valid6.val() & (self.issue.op6.val() == 2) {
            self.word.d.next = 0.into();
            self.snapshot.d.next = self.map.sack.val();
        }
        if self.rst.val() {
            self.word.d.next = 4.into();
        }
    }
}
