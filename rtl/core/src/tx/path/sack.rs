//! SACK words that wait for their ACK, and the words of the ACKs on their way through the pipeline: four
//! slots of four words in distributed RAM, with one read port for the check and one, in ring order, for
//! the maps.

use rust_hdl::prelude::*;

/// Sixteen words of 64 bits, one write port, two combinational read ports (distributed RAM).
#[derive(LogicBlock, Clone, Debug, Default)]
pub struct SackRam {
    /// Clock of the write port.
    pub clk: Signal<In, Clock>,
    /// Write.
    pub write: Signal<In, Bit>,
    /// Where.
    pub write_address: Signal<In, Bits<4>>,
    /// What.
    pub write_data: Signal<In, Bits<64>>,
    /// First read port.
    pub check_address: Signal<In, Bits<4>>,
    /// Its word, in the same cycle.
    pub check_data: Signal<Out, Bits<64>>,
    /// Second read port.
    pub use_address: Signal<In, Bits<4>>,
    /// Its word, in the same cycle.
    pub use_data: Signal<Out, Bits<64>>,
    _words: [Bits<64>; 16],
}

impl Logic for SackRam {
    fn update(&mut self) {
        if self.clk.pos_edge() && self.write.val() {
            self._words[self.write_address.val().index()] = self.write_data.val();
        }
        self.check_data.next = self._words[self.check_address.val().index()];
        self.use_data.next = self._words[self.use_address.val().index()];
    }

    fn connect(&mut self) {
        self.check_data.connect();
        self.use_data.connect();
    }

    fn hdl(&self) -> Verilog {
        // A core of its own, as its outputs have to be nets: not every tool takes an `always @*` over
        // the array for a memory.
        Verilog::Wrapper(Wrapper { code: CODE.into(), cores: CORE.into() })
    }
}

const CODE: &str = "\
// module tx_path_sack_ram
tx_path_sack_words cells (
  .clk(clk), .write(write), .write_address(write_address), .write_data(write_data),
  .check_address(check_address), .check_data(check_data),
  .use_address(use_address), .use_data(use_data)
);
";

const CORE: &str = "\
module tx_path_sack_words (
  input  wire        clk,
  input  wire        write,
  input  wire [3:0]  write_address,
  input  wire [63:0] write_data,
  input  wire [3:0]  check_address,
  output wire [63:0] check_data,
  input  wire [3:0]  use_address,
  output wire [63:0] use_data
);
  reg [63:0] words [0:15];
  integer i;
  initial for (i = 0; i < 16; i = i + 1) words[i] = 64'd0;
  always @(posedge clk) if (write) words[write_address] <= write_data;
  assign check_data = words[check_address];
  assign use_data = words[use_address];
endmodule
";

/// Slots for the SACK words of ACKs. Takes a word per cycle while a slot is free. A slot is the ACK's
/// from its first word until `free`, 11 cycles after its operation is taken, so ACKs can follow each
/// other every 4 cycles.
#[derive(LogicBlock, Default)]
pub struct SackStore {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: forgets all words.
    pub rst: Signal<In, Bit>,
    /// A word is there.
    pub word_valid: Signal<In, Bit>,
    /// It is taken.
    pub word_ready: Signal<Out, Bit>,
    /// The word.
    pub word: Signal<In, Bits<64>>,
    /// All four words of an ACK that is not taken yet are here.
    pub complete: Signal<Out, Bit>,
    /// Its slot.
    pub slot: Signal<Out, Bits<2>>,
    /// Its operation is taken.
    pub take: Signal<In, Bit>,
    /// The oldest slot taken is read for the last time in the next cycle.
    pub free: Signal<In, Bit>,
    /// Slot to check.
    pub check_slot: Signal<In, Bits<2>>,
    /// Word of it.
    pub check_word: Signal<In, Bits<2>>,
    /// That word, in the same cycle.
    pub check_data: Signal<Out, Bits<64>>,
    /// Slot to use.
    pub use_slot: Signal<In, Bits<2>>,
    /// Word of it.
    pub use_word: Signal<In, Bits<2>>,
    /// That word, in the same cycle.
    pub use_data: Signal<Out, Bits<64>>,
    ram: SackRam,
    /// Words stored, modulo 32.
    stored: DFF<Bits<5>>,
    /// Slots taken, modulo 8.
    taken: DFF<Bits<3>>,
    /// Slots released, modulo 8.
    released: DFF<Bits<3>>,
    store: Signal<Local, Bit>,
    held: Signal<Local, Bits<5>>,
}

impl Logic for SackStore {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_sack_store");
        dff_setup!(self, clk, stored, taken, released);
        self.ram.clk.next = self.clk.val();
        self.held.next = self.stored.q.val() - (bit_cast::<5, 3>(self.released.q.val()) << 2);
        self.word_ready.next = self.held.val() != 16;
        self.store.next = self.word_valid.val() & (self.held.val() != 16);
        self.ram.write.next = self.store.val();
        self.ram.write_address.next = self.stored.q.val().get_bits::<4>(0);
        self.ram.write_data.next = self.word.val();
        self.ram.check_address.next =
            (bit_cast::<4, 2>(self.check_slot.val()) << 2) | bit_cast::<4, 2>(self.check_word.val());
        self.ram.use_address.next =
            (bit_cast::<4, 2>(self.use_slot.val()) << 2) | bit_cast::<4, 2>(self.use_word.val());
        self.check_data.next = self.ram.check_data.val();
        self.use_data.next = self.ram.use_data.val();
        if self.store.val() {
            self.stored.d.next = self.stored.q.val() + 1;
        }
        self.complete.next = self.stored.q.val().get_bits::<3>(2) != self.taken.q.val();
        self.slot.next = bit_cast::<2, 3>(self.taken.q.val());
        if self.take.val() {
            self.taken.d.next = self.taken.q.val() + 1;
        }
        if self.free.val() {
            self.released.d.next = self.released.q.val() + 1;
        }
        if self.rst.val() {
            self.stored.d.next = 0.into();
            self.taken.d.next = 0.into();
            self.released.d.next = 0.into();
        }
    }
}
