//! Receive path: decides accept, duplicate, out of window or fault for each DATA packet of 2^`PW` paths,
//! records the arrival, and gives the snapshot of which an ACK is made. Section 4 of docs/protocol.md.
//!
//! 64 lanes x 4 steps. Latency from the cycle of the input transfer: verdict (`v_*`) 4 cycles, snapshot words
//! (`z_*`) 4..=7 cycles, result (`out_*`) 12 cycles. One operation every 4 cycles over distinct paths;
//! `in_ready` is low for 3 cycles after a transfer, and while an operation of `in_path` is in flight, for 11
//! cycles after its transfer (it depends on `in_path` in the same cycle). Outputs never stall.
//!
//! State per path, in block RAM: the window row (cum 24, high 24, dup 16), the arrival row (arrivals 16, ce
//! 16, and the echo: ts 32, route 8, at 32), and a ring map of 256 lap bits (why: see its part, `map`).
//! Registers are named after the first cycle of an operation in which they are valid, as in `psn1`; those
//! that hold for four cycles are loaded when an operation is in the cycle before.
//!
//! Assumes that a path's first operation is INIT. `rst` drops the operations in flight and leaves their paths
//! undefined until INIT; memories are not cleared. The snapshot of an INIT is empty.
//! Model `rx::path`. Doc docs/blocks/rx-path.md.

mod advance;
pub(super) mod first_zero;
mod issue;
mod map;
pub(super) mod rows;
pub(super) mod verdict;

use self::advance::Advance;
use self::issue::Issue;
use self::map::PathMap;
use self::rows::{ArrivalRow, ArrivalUpdate, WindowRow, WindowUpdate};
use self::verdict::Verdict;
use heddle_emit::prims::SdpRamNc;
use rust_hdl::prelude::*;

/// The engine; `MW` is `PW` + 2, the width of a map word's address.
#[derive(LogicBlock, Default)]
pub struct RxPath<const PW: usize, const MW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// An operation is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken at the edge if it is offered.
    pub in_ready: Signal<Out, Bit>,
    /// 0 DATA, 1 PROBE: its echo is taken, 2 LOOK: nothing changes, 3 INIT: cum = psn, high = psn - 1, else
    /// 0.
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
    /// One of the four words of a snapshot, in four consecutive cycles.
    pub z_valid: Signal<Out, Bit>,
    /// Word of the ring, beginning with that of the PSN.
    pub z_index: Signal<Out, Bits<2>>,
    /// State before the operation: slot `p mod 256` is 1 when, and only when, `p` in (cum, cum + 256) is
    /// received.
    pub z_word: Signal<Out, Bits<64>>,
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
    issue: Issue<PW>,
    map: PathMap<PW, MW>,
    advance: Advance,
    verdict: Verdict,
    window: WindowUpdate,
    arrival: ArrivalUpdate,
    windows: SdpRamNc<WindowRow, PW>,
    arrivals: SdpRamNc<ArrivalRow, PW>,
    window2: DFF<WindowRow>,
    v_valid4: DFF<Bit>,
    op5: DFF<Bits<2>>,
    ce5: DFF<Bit>,
    flags5: DFF<Bits<8>>,
    ts5: DFF<Bits<32>>,
    route5: DFF<Bits<8>>,
    now5: DFF<Bits<32>>,
    init5: DFF<Bit>,
    counted5: DFF<Bit>,
    echoed5: DFF<Bit>,
    class5: DFF<Bits<2>>,
    advance5: DFF<Bit>,
    open5: DFF<Bit>,
    window5: DFF<WindowRow>,
    arrival7: DFF<ArrivalRow>,
    arrival9: DFF<ArrivalRow>,
    op9: DFF<Bits<2>>,
    flags9: DFF<Bits<8>>,
    class9: DFF<Bits<2>>,
    advance9: DFF<Bit>,
    open9: DFF<Bit>,
    window9: DFF<WindowRow>,
    cum11: DFF<Bits<24>>,
    close11: DFF<Bit>,
    data: Signal<Local, Bit>,
    init: Signal<Local, Bit>,
    cum2: Signal<Local, Bits<24>>,
    counted: Signal<Local, Bit>,
    cum9: Signal<Local, Bits<24>>,
    lap: Signal<Local, Bits<16>>,
    next_slot: Signal<Local, Bits<8>>,
    written: Signal<Local, WindowRow>,
}

impl<const PW: usize, const MW: usize> Logic for RxPath<PW, MW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clk, window2, v_valid4, op5, ce5, flags5, ts5, route5, now5, init5, counted5, echoed5,
            class5, advance5, open5, window5, arrival7, arrival9, op9, flags9, class9, advance9, open9,
            window9, cum11, close11
        );
        self.issue.clk.next = self.clk.val();
        self.map.clk.next = self.clk.val();
        self.advance.clk.next = self.clk.val();
        self.verdict.clk.next = self.clk.val();
        self.windows.clk.next = self.clk.val();
        self.arrivals.clk.next = self.clk.val();

        // Cycle 0: an operation is taken, the window row and the first map word are addressed.
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
        self.windows.re.next = self.in_valid.val() & !self.issue.row_written.val();
        self.windows.raddr.next = self.in_path.val();
        self.map.offer.next = self.in_valid.val();
        self.map.in_path.next = self.in_path.val();
        self.map.in_word.next = self.in_psn.val().get_bits::<2>(6);
        self.map.moving.next = self.issue.moving.val();

        // Cycle 1: the row is out of its RAM.
        self.map.path.next = self.issue.path.val();
        self.map.psn.next = bit_cast::<9, 24>(self.issue.psn.val());
        self.data.next = self.issue.op.val() == 0;
        self.init.next = self.issue.op.val() == 3;
        self.map.init.next = self.init.val();
        self.map.in_cycle1.next = self.issue.cycle1.val();
        if self.issue.cycle1.val() {
            self.window2.d.next = self.windows.rdata.val();
        }

        // Cycles 2 and 3: the verdict.
        self.cum2.next = self.window2.q.val().cum;
        self.map.cum.next = self.cum2.val().get_bits::<9>(0);
        self.map.in_cycle3.next = self.issue.cycle3.val();
        self.verdict.psn.next = self.issue.psn.val();
        self.verdict.cum.next = self.cum2.val();
        self.verdict.high.next = bit_cast::<10, 24>(self.window2.q.val().high);
        self.verdict.received.next = self.map.received.val();
        self.verdict.data.next = self.data.val();
        self.verdict.fault.next = self.issue.fault.val();
        self.v_valid4.d.next = self.issue.cycle3.val() & self.data.val() & !self.rst.val();

        // Cycle 4: verdict and first word are out; the window row but for cum's advance.
        self.v_valid.next = self.v_valid4.q.val();
        self.v_class.next = self.verdict.decision.val();
        self.z_valid.next = self.issue.words4.val();
        self.z_index.next = self.map.index.val();
        self.z_word.next = self.map.word.val();
        self.map.accept.next = self.issue.cycle4.val() & self.verdict.accept.val();
        self.map.valid.next = self.issue.words4.val();
        self.advance.place.next = bit_cast::<6, 24>(self.issue.psn.val());
        self.advance.index.next = self.map.index.val();
        self.advance.word.next = self.map.word.val();
        self.counted.next = self.verdict.accept.val() | self.verdict.duplicate.val();
        self.window.row.next = self.window2.q.val();
        self.window.init.next = self.init.val();
        self.window.duplicate.next = self.verdict.duplicate.val();
        self.window.highest.next = self.verdict.highest.val();
        self.window.psn.next = self.issue.psn.val();
        if self.issue.cycle4.val() {
            self.op5.d.next = self.issue.op.val();
            self.ce5.d.next = self.issue.ce.val();
            self.flags5.d.next = self.issue.flags.val();
            self.ts5.d.next = self.issue.ts.val();
            self.route5.d.next = self.issue.route.val();
            self.now5.d.next = self.issue.now.val();
            self.init5.d.next = self.init.val();
            self.counted5.d.next = self.counted.val();
            self.echoed5.d.next = self.counted.val() | (self.issue.op.val() == 1);
            self.class5.d.next = self.verdict.decision.val();
            self.advance5.d.next = self.verdict.advance.val();
            self.open5.d.next = self.verdict.open.val();
            self.window5.d.next = self.window.row_after.val();
        }

        // Cycles 5..=8: the arrival row.
        self.advance.in_cycle6.next = self.issue.cycle6.val();
        self.arrivals.re.next = self.issue.cycle5.val();
        self.arrivals.raddr.next = self.issue.path5.val();
        self.arrival7.d.next = self.arrivals.rdata.val();
        self.arrival.row.next = self.arrival7.q.val();
        self.arrival.init.next = self.init5.q.val();
        self.arrival.counted.next = self.counted5.q.val();
        self.arrival.echoed.next = self.echoed5.q.val();
        self.arrival.ce.next = self.ce5.q.val();
        self.arrival.ts.next = self.ts5.q.val();
        self.arrival.route.next = self.route5.q.val();
        self.arrival.now.next = self.now5.q.val();
        if self.issue.cycle8.val() {
            self.op9.d.next = self.op5.q.val();
            self.flags9.d.next = self.flags5.q.val();
            self.class9.d.next = self.class5.q.val();
            self.advance9.d.next = self.advance5.q.val();
            self.open9.d.next = self.open5.q.val();
            self.window9.d.next = self.window5.q.val();
            self.arrival9.d.next = self.arrival.row_after.val();
        }

        // Cycle 10: REQ-RX-2: cum advances to the first zero in ring order, in one step.
        self.cum9.next = self.window9.q.val().cum;
        self.lap.next = self.cum9.val().get_bits::<16>(8) + self.advance.wrap.val();
        self.next_slot.next = self.cum9.val().get_bits::<8>(0) + 1;
        if self.issue.cycle10.val() {
            self.cum11.d.next = self.cum9.val();
            if self.advance9.q.val() {
                self.cum11.d.next =
                    (bit_cast::<24, 16>(self.lap.val()) << 8) | bit_cast::<24, 8>(self.advance.slot.val());
            }
            // REQ-RX-3: a gap closes when cum moves by more than one.
            self.close11.d.next = self.advance9.q.val() & (self.advance.slot.val() != self.next_slot.val());
        }

        // Cycle 11: the rows are written, so that the path's next operation may start in cycle 12.
        self.written.next = self.window9.q.val();
        self.written.next.cum = self.cum11.q.val();
        self.windows.we.next = self.issue.cycle11.val();
        self.windows.waddr.next = self.issue.path9.val();
        self.windows.wdata.next = self.written.val();
        self.arrivals.we.next = self.issue.cycle11.val();
        self.arrivals.waddr.next = self.issue.path9.val();
        self.arrivals.wdata.next = self.arrival9.q.val();

        // Cycle 12.
        self.out_valid.next = self.issue.cycle12.val();
        self.out_op.next = self.op9.q.val();
        self.out_path.next = self.issue.path9.val();
        self.out_class.next = self.class9.q.val();
        self.out_flags.next = self.flags9.q.val();
        self.out_cum.next = self.cum11.q.val();
        self.out_high.next = self.window9.q.val().high;
        self.out_open.next = self.open9.q.val();
        self.out_close.next = self.close11.q.val();
        self.out_ce.next = self.arrival9.q.val().ce;
        self.out_dup.next = self.window9.q.val().dup;
        self.out_arrivals.next = self.arrival9.q.val().arrivals;
        self.out_ts.next = self.arrival9.q.val().ts;
        self.out_route.next = self.arrival9.q.val().route;
        self.out_at.next = self.arrival9.q.val().at;
    }
}
