//! Register with synchronous reset and enable. Latency 1 cycle.
use rust_hdl::prelude::*;

/// The emitter writes a child with this text into its parent.
pub(crate) const REG_TEXT: &str = "\
initial q = init;
always @(posedge clk)
  if (rst) q <= init;
  else if (en) q <= d;
";

/// `q` becomes the initial value when `rst`, else `d` when `en`, at the rising edge of `clk`.
/// `q` starts at the initial value.
#[derive(LogicBlock, Clone, Debug)]
pub struct Reg<T: Synth> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high; wins over `en`.
    pub rst: Signal<In, Bit>,
    /// Take `d` at the edge.
    pub en: Signal<In, Bit>,
    /// Next value.
    pub d: Signal<In, T>,
    /// Present value.
    pub q: Signal<Out, T>,
    init: Constant<T>,
}

impl<T: Synth> Reg<T> {
    /// A register that starts at, and is reset to, `init`.
    pub fn new(init: T) -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            en: Default::default(),
            d: Default::default(),
            q: Signal::new_with_default(init),
            init: Constant::new(init),
        }
    }
}

impl<T: Synth> Default for Reg<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Synth> Logic for Reg<T> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            if self.rst.val() {
                self.q.next = self.init.val();
            } else if self.en.val() {
                self.q.next = self.d.val();
            }
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(REG_TEXT.into())
    }
}
