//! Simple dual-port memories: one write port, one read port, one clock.
//!
//! Read latency 1 cycle; one read and one write per cycle. Contents start at zero in simulation and
//! are not initialised in hardware.
use rust_hdl::prelude::*;

/// Simple dual-port memory of 2^`A` words, read-first: a read of the word written in the same cycle
/// returns the old word. Costs a bypass next to an ECP5 block RAM; see [`SdpRamNc`].
#[derive(LogicBlock, Clone, Debug)]
pub struct SdpRam<T: Synth, const A: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Read `raddr` at the edge; when low, `rdata` holds.
    pub re: Signal<In, Bit>,
    /// Read address.
    pub raddr: Signal<In, Bits<A>>,
    /// Word read, one cycle after `re`.
    pub rdata: Signal<Out, T>,
    /// Write `wdata` to `waddr` at the edge.
    pub we: Signal<In, Bit>,
    /// Write address.
    pub waddr: Signal<In, Bits<A>>,
    /// Word to write.
    pub wdata: Signal<In, T>,
    _mem: Vec<T>,
}

impl<T: Synth, const A: usize> Default for SdpRam<T, A> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            re: Default::default(),
            raddr: Default::default(),
            rdata: Default::default(),
            we: Default::default(),
            waddr: Default::default(),
            wdata: Default::default(),
            _mem: vec![T::default(); 1 << A],
        }
    }
}

impl<T: Synth, const A: usize> Logic for SdpRam<T, A> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            if self.re.val() {
                self.rdata.next = self._mem[self.raddr.val().index()];
            }
            if self.we.val() {
                let word = self.waddr.val().index();
                self._mem[word] = self.wdata.val();
            }
        }
    }

    fn connect(&mut self) {
        self.rdata.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(sdp_text("sdp_ram", T::BITS, A, "", ""))
    }
}

/// As [`SdpRam`], for users who never read, with `re`, the word they write in the same cycle: a plain
/// block RAM. Such a collision panics in rust-hdl simulation and stops a Verilog simulation.
#[derive(LogicBlock, Clone, Debug)]
pub struct SdpRamNc<T: Synth, const A: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Read `raddr` at the edge; when low, `rdata` holds.
    pub re: Signal<In, Bit>,
    /// Read address; with `re`, never the word being written.
    pub raddr: Signal<In, Bits<A>>,
    /// Word read, one cycle after `re`.
    pub rdata: Signal<Out, T>,
    /// Write `wdata` to `waddr` at the edge.
    pub we: Signal<In, Bit>,
    /// Write address.
    pub waddr: Signal<In, Bits<A>>,
    /// Word to write.
    pub wdata: Signal<In, T>,
    _mem: Vec<T>,
}

impl<T: Synth, const A: usize> Default for SdpRamNc<T, A> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            re: Default::default(),
            raddr: Default::default(),
            rdata: Default::default(),
            we: Default::default(),
            waddr: Default::default(),
            wdata: Default::default(),
            _mem: vec![T::default(); 1 << A],
        }
    }
}

impl<T: Synth, const A: usize> Logic for SdpRamNc<T, A> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            let (raddr, waddr) = (self.raddr.val().index(), self.waddr.val().index());
            let collide = self.re.val() && self.we.val() && raddr == waddr;
            assert!(!collide, "word {raddr} is read and written in one cycle");
            if self.re.val() {
                self.rdata.next = self._mem[raddr];
            }
            if self.we.val() {
                self._mem[waddr] = self.wdata.val();
            }
        }
    }

    fn connect(&mut self) {
        self.rdata.connect();
    }

    fn hdl(&self) -> Verilog {
        let check = "`ifndef SYNTHESIS\n\
             always @(posedge clk)\n  \
               if (re && we && raddr == waddr) begin\n    \
                 $display(\"%m: word %0d is read and written in one cycle\", raddr);\n    \
                 $stop;\n  \
               end\n\
             `endif\n";
        Verilog::Custom(sdp_text("sdp_ram_nc", T::BITS, A, "(* no_rw_check *) ", check))
    }
}

fn sdp_text(kind: &str, width: usize, address: usize, attribute: &str, check: &str) -> String {
    let depth = 1usize << address;
    let top = width - 1;
    let last = depth - 1;
    format!(
        "// module {kind}_{depth}x{width}\n\
         {attribute}reg [{top}:0] mem [0:{last}];\n\
         `ifndef SYNTHESIS\n\
         integer word;\n\
         initial begin\n  \
           for (word = 0; word < {depth}; word = word + 1) mem[word] = {width}'d0;\n  \
           rdata = {width}'d0;\n\
         end\n\
         `endif\n\
         always @(posedge clk) begin\n  \
           if (re) rdata <= mem[raddr];\n  \
           if (we) mem[waddr] <= wdata;\n\
         end\n\
         {check}"
    )
}
