//! Rows of the receive path engines and their updates; parts of both engines.

use rust_hdl::prelude::*;

/// What a verdict needs and changes. 64 bits, two ECP5 block RAMs wide.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct WindowRow {
    /// Lowest PSN not received.
    pub cum: Bits<24>,
    /// Highest PSN received, cum - 1 if none is beyond cum.
    pub high: Bits<24>,
    /// Duplicates, wraps at 2^16.
    pub dup: Bits<16>,
}

/// What an arrival leaves behind. 104 bits, three ECP5 block RAMs wide; read after the verdict.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct ArrivalRow {
    /// Accepted packets and duplicates, wraps at 2^16.
    pub arrivals: Bits<16>,
    /// CE-marked arrivals, wraps at 2^16.
    pub ce: Bits<16>,
    /// Echo: timestamp of the newest arrival, DATA or PROBE.
    pub ts: Bits<32>,
    /// Echo: route of the newest arrival.
    pub route: Bits<8>,
    /// When the newest arrival came, in ticks of 8 ns.
    pub at: Bits<32>,
}

/// The window row after an operation, but for an advance of cum; combinational.
#[derive(LogicBlock, Default)]
pub struct WindowUpdate {
    /// The row before.
    pub row: Signal<In, WindowRow>,
    /// INIT: cum = psn, high = psn - 1, dup = 0.
    pub init: Signal<In, Bit>,
    /// The packet is a duplicate.
    pub duplicate: Signal<In, Bit>,
    /// The packet is accepted beyond high.
    pub highest: Signal<In, Bit>,
    /// The packet's PSN; INIT: the first PSN.
    pub psn: Signal<In, Bits<24>>,
    /// The row after.
    pub row_after: Signal<Out, WindowRow>,
    after: Signal<Local, WindowRow>,
    before_first: Signal<Local, Bits<24>>,
}

impl Logic for WindowUpdate {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module rx_path_window_update");
        self.before_first.next = self.psn.val() - 1;
        self.after.next = self.row.val();
        self.after.next.dup = self.row.val().dup + self.duplicate.val();
        if self.highest.val() {
            self.after.next.high = self.psn.val();
        }
        if self.init.val() {
            self.after.next.cum = self.psn.val();
            self.after.next.high = self.before_first.val();
            self.after.next.dup = 0.into();
        }
        self.row_after.next = self.after.val();
    }
}

/// The arrival row after an operation, combinational.
#[derive(LogicBlock, Default)]
pub struct ArrivalUpdate {
    /// The row before.
    pub row: Signal<In, ArrivalRow>,
    /// INIT: everything becomes 0.
    pub init: Signal<In, Bit>,
    /// The packet counts as an arrival: accepted, or a duplicate.
    pub counted: Signal<In, Bit>,
    /// The packet's echo is taken: counted, or a PROBE.
    pub echoed: Signal<In, Bit>,
    /// The packet was CE-marked.
    pub ce: Signal<In, Bit>,
    /// The packet's timestamp.
    pub ts: Signal<In, Bits<32>>,
    /// The packet's route.
    pub route: Signal<In, Bits<8>>,
    /// The packet's arrival time.
    pub now: Signal<In, Bits<32>>,
    /// The row after.
    pub row_after: Signal<Out, ArrivalRow>,
    after: Signal<Local, ArrivalRow>,
    marked: Signal<Local, Bit>,
}

impl Logic for ArrivalUpdate {
    // REQ-RX-4: accepted packets and duplicates are arrivals, and nothing else changes the row but, REQ-RX-5, a
    // PROBE, which moves the echo.
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module rx_path_arrival_update");
        self.marked.next = self.counted.val() & self.ce.val();
        self.after.next = self.row.val();
        self.after.next.arrivals = self.row.val().arrivals + self.counted.val();
        self.after.next.ce = self.row.val().ce + self.marked.val();
        if self.echoed.val() {
            self.after.next.ts = self.ts.val();
            self.after.next.route = self.route.val();
            self.after.next.at = self.now.val();
        }
        if self.init.val() {
            self.after.next.arrivals = 0.into();
            self.after.next.ce = 0.into();
            self.after.next.ts = 0.into();
            self.after.next.route = 0.into();
            self.after.next.at = 0.into();
        }
        self.row_after.next = self.after.val();
    }
}
