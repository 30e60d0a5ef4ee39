//! The map memory: four words of three planes per path, read and written back four cycles later.

use super::row::Planes;
use heddle_emit::prims::SdpRamNc;
use rust_hdl::prelude::*;

/// Map memory of 2^`PW` paths, 2^`MA` words of 64 slots. A word read in cycle r is in `planes` in r + 1,
/// and takes `written` in r + 3. Assumes that no path is read again before it is written: see
/// [`Slots`](super::slots::Slots).
#[derive(LogicBlock, Default)]
pub struct Maps<const PW: usize, const MA: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: what was read is not written back.
    pub rst: Signal<In, Bit>,
    /// Read.
    pub read: Signal<In, Bit>,
    /// Path.
    pub path: Signal<In, Bits<PW>>,
    /// Word of it: slots `64 * word` to `64 * word + 63`.
    pub word: Signal<In, Bits<2>>,
    /// Planes read.
    pub planes: Signal<Out, Planes>,
    /// Planes to write.
    pub written: Signal<In, Planes>,
    /// Number of the word read six cycles ago.
    pub word_done: Signal<Out, Bits<2>>,
    memory: SdpRamNc<Planes, MA>,
    write_1: DFF<Bit>,
    write_2: DFF<Bit>,
    write_3: DFF<Bit>,
    address_1: DFF<Bits<MA>>,
    address_2: DFF<Bits<MA>>,
    address_3: DFF<Bits<MA>>,
    word_4: DFF<Bits<2>>,
    word_5: DFF<Bits<2>>,
    word_6: DFF<Bits<2>>,
    address: Signal<Local, Bits<MA>>,
}

impl<const PW: usize, const MA: usize> Logic for Maps<PW, MA> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_maps");
        dff_setup!(self, clk, write_1, write_2, write_3, address_1, address_2, address_3);
        dff_setup!(self, clk, word_4, word_5, word_6);
        self.memory.clk.next = self.clk.val();
        self.address.next = (bit_cast::<MA, PW>(self.path.val()) << 2) | bit_cast::<MA, 2>(self.word.val());
        self.memory.re.next = self.read.val();
        self.memory.raddr.next = self.address.val();
        self.planes.next = self.memory.rdata.val();
        self.write_1.d.next = self.read.val();
        self.write_2.d.next = self.write_1.q.val();
        self.write_3.d.next = self.write_2.q.val();
        self.address_1.d.next = self.address.val();
        self.address_2.d.next = self.address_1.q.val();
        self.address_3.d.next = self.address_2.q.val();
        self.memory.we.next = self.write_3.q.val();
        self.memory.waddr.next = self.address_3.q.val();
        self.memory.wdata.next = self.written.val();
        self.word_4.d.next = bit_cast::<2, MA>(self.address_3.q.val());
        self.word_5.d.next = self.word_4.q.val();
        self.word_6.d.next = self.word_5.q.val();
        self.word_done.next = self.word_6.q.val();
        if self.rst.val() {
            self.write_1.d.next = false;
            self.write_2.d.next = false;
            self.write_3.d.next = false;
        }
    }
}
