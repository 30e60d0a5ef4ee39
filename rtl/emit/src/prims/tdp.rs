//! True dual-port memory: two ports that read or write, one clock.
//!
//! Latency 1 cycle; one access per port and cycle.
use rust_hdl::prelude::*;

/// True dual-port memory of 2^`A` words, read-first on each port. The two ports must not touch one
/// word in one cycle when one of them writes it: that panics in rust-hdl simulation and stops a
/// Verilog simulation. A port that is not enabled touches nothing and holds its output.
#[derive(LogicBlock, Clone, Debug)]
pub struct TdpRam<T: Synth, const A: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Port a: access at the edge.
    pub a_en: Signal<In, Bit>,
    /// Port a: the access writes (and reads the old word).
    pub a_we: Signal<In, Bit>,
    /// Port a: address.
    pub a_addr: Signal<In, Bits<A>>,
    /// Port a: word to write.
    pub a_wdata: Signal<In, T>,
    /// Port a: word read, one cycle after `a_en`.
    pub a_rdata: Signal<Out, T>,
    /// Port b: access at the edge.
    pub b_en: Signal<In, Bit>,
    /// Port b: the access writes (and reads the old word).
    pub b_we: Signal<In, Bit>,
    /// Port b: address.
    pub b_addr: Signal<In, Bits<A>>,
    /// Port b: word to write.
    pub b_wdata: Signal<In, T>,
    /// Port b: word read, one cycle after `b_en`.
    pub b_rdata: Signal<Out, T>,
    _mem: Vec<T>,
}

impl<T: Synth, const A: usize> Default for TdpRam<T, A> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            a_en: Default::default(),
            a_we: Default::default(),
            a_addr: Default::default(),
            a_wdata: Default::default(),
            a_rdata: Default::default(),
            b_en: Default::default(),
            b_we: Default::default(),
            b_addr: Default::default(),
            b_wdata: Default::default(),
            b_rdata: Default::default(),
            _mem: vec![T::default(); 1 << A],
        }
    }
}

impl<T: Synth, const A: usize> Logic for TdpRam<T, A> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            let (a, b) = (self.a_addr.val().index(), self.b_addr.val().index());
            let (a_write, b_write) = (self.a_we.val(), self.b_we.val());
            let both = self.a_en.val() && self.b_en.val() && a == b;
            assert!(!(both && (a_write || b_write)), "both ports touch word {a} and one writes it");
            if self.a_en.val() {
                self.a_rdata.next = self._mem[a];
                if a_write {
                    self._mem[a] = self.a_wdata.val();
                }
            }
            if self.b_en.val() {
                self.b_rdata.next = self._mem[b];
                if b_write {
                    self._mem[b] = self.b_wdata.val();
                }
            }
        }
    }

    fn connect(&mut self) {
        self.a_rdata.connect();
        self.b_rdata.connect();
    }

    fn hdl(&self) -> Verilog {
        let (width, depth) = (T::BITS, 1usize << A);
        let top = width - 1;
        let last = depth - 1;
        let port = |p: &str| {
            format!(
                "always @(posedge clk)\n  \
                   if ({p}_en) begin\n    \
                     {p}_rdata <= mem[{p}_addr];\n    \
                     if ({p}_we) mem[{p}_addr] <= {p}_wdata;\n  \
                   end\n"
            )
        };
        Verilog::Custom(format!(
            "// module tdp_ram_{depth}x{width}\n\
             (* no_rw_check *) reg [{top}:0] mem [0:{last}];\n\
             `ifndef SYNTHESIS\n\
             integer word;\n\
             initial begin\n  \
               for (word = 0; word < {depth}; word = word + 1) mem[word] = {width}'d0;\n  \
               a_rdata = {width}'d0;\n  \
               b_rdata = {width}'d0;\n\
             end\n\
             always @(posedge clk)\n  \
               if (a_en && b_en && a_addr == b_addr && (a_we || b_we)) begin\n    \
                 $display(\"%m: both ports touch word %0d and one writes it\", a_addr);\n    \
                 $stop;\n  \
               end\n\
             `endif\n\
             {}{}",
            port("a"),
            port("b")
        ))
    }
}
