//! Structs, enums, signed numbers.
use rust_hdl::prelude::*;

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
pub enum State {
    Idle,
    Run,
    Wait,
    Done,
    Failed,
}

#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Inner {
    pub state: State,
    pub flag: Bit,
}

#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub kind: State,
    pub len: Bits<13>,
    pub inner: Inner,
    pub seq: Bits<24>,
}

#[derive(LogicBlock)]
pub struct Types {
    pub clk: Signal<In, Clock>,
    pub a: Signal<In, Bits<24>>,
    pub k: Signal<In, Bit>,
    pub s: Signal<In, Signed<16>>,
    pub t: Signal<In, Signed<16>>,
    pub row: Signal<In, Row>,
    pub e: Signal<In, State>,
    pub o_row: Signal<Out, Row>,
    pub o_row_bits: Signal<Out, Bits<44>>,
    pub o_kept: Signal<Out, Row>,
    pub o_kept_seq: Signal<Out, Bits<24>>,
    pub o_kind: Signal<Out, State>,
    pub o_inner_flag: Signal<Out, Bit>,
    pub o_waits: Signal<Out, Bit>,
    pub o_next: Signal<Out, State>,
    pub o_code: Signal<Out, Bits<8>>,
    pub o_sum: Signal<Out, Signed<16>>,
    pub o_negated: Signal<Out, Signed<16>>,
    pub o_product: Signal<Out, Signed<32>>,
    pub o_less: Signal<Out, Bit>,
    pub o_extended: Signal<Out, Signed<32>>,
    pub o_extended_sum: Signal<Out, Signed<32>>,
    pub o_truncated: Signal<Out, Signed<8>>,
    pub o_unsigned: Signal<Out, Bits<16>>,
    pub o_signed: Signal<Out, Signed<24>>,
    pub o_at_least: Signal<Out, Bit>,
    work: Signal<Local, Row>,
    inner: Signal<Local, Inner>,
    sum: Signal<Local, Signed<16>>,
    kept: DFF<Row>,
    done: Constant<State>,
}

impl Default for Types {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            a: Default::default(),
            k: Default::default(),
            s: Default::default(),
            t: Default::default(),
            row: Default::default(),
            e: Default::default(),
            o_row: Default::default(),
            o_row_bits: Default::default(),
            o_kept: Default::default(),
            o_kept_seq: Default::default(),
            o_kind: Default::default(),
            o_inner_flag: Default::default(),
            o_waits: Default::default(),
            o_next: Default::default(),
            o_code: Default::default(),
            o_sum: Default::default(),
            o_negated: Default::default(),
            o_product: Default::default(),
            o_less: Default::default(),
            o_extended: Default::default(),
            o_extended_sum: Default::default(),
            o_truncated: Default::default(),
            o_unsigned: Default::default(),
            o_signed: Default::default(),
            o_at_least: Default::default(),
            work: Default::default(),
            inner: Default::default(),
            sum: Default::default(),
            kept: Default::default(),
            done: Constant::new(State::Done),
        }
    }
}

impl Logic for Types {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, kept);
        self.inner.next = self.row.val().inner;
        self.work.next.kind = self.row.val().kind;
        self.work.next.len = self.row.val().len + 1;
        self.work.next.inner = self.inner.val();
        self.work.next.seq = self.row.val().seq - self.a.val();
        if self.k.val() {
            self.work.next.kind = State::Failed;
        }
        self.o_row.next = self.work.val();
        self.o_row_bits.next = self.row.val().into();
        self.o_kind.next = self.row.val().kind;
        self.o_inner_flag.next = self.inner.val().flag;
        self.o_waits.next = self.row.val().kind == State::Wait;

        if self.k.val() {
            self.kept.d.next = self.work.val();
        } else {
            self.kept.d.next.len = self.kept.q.val().len + 1;
        }
        self.o_kept.next = self.kept.q.val();
        self.o_kept_seq.next = self.kept.q.val().seq;

        match self.e.val() {
            State::Idle => {
                self.o_next.next = State::Run;
            }
            State::Run => {
                if self.k.val() {
                    self.o_next.next = State::Wait;
                } else {
                    self.o_next.next = State::Run;
                }
            }
            State::Wait => {
                self.o_next.next = self.done.val();
            }
            State::Done => {
                self.o_next.next = State::Idle;
            }
            State::Failed => {
                self.o_next.next = State::Failed;
            }
        }
        self.o_code.next = 0.into();
        match self.e.val() {
            State::Run => {
                self.o_code.next = 0x55.into();
            }
            State::Failed => {
                self.o_code.next = bit_cast::<8, 24>(self.a.val() - 1);
            }
            _ => {}
        }

        self.sum.next = self.s.val() - self.t.val() + self.s.val();
        self.o_sum.next = self.sum.val();
        self.o_negated.next = -self.s.val();
        self.o_product.next = self.s.val() * self.t.val();
        self.o_less.next = self.s.val() < self.t.val();
        self.o_extended.next = signed_bit_cast::<32, 16>(self.s.val());
        self.o_extended_sum.next = signed_bit_cast::<32, 16>(self.s.val()) + signed_cast(bits::<32>(5));
        self.o_truncated.next = signed_bit_cast::<8, 16>(self.s.val());
        self.o_unsigned.next = unsigned_cast(self.s.val() - self.t.val());
        self.o_signed.next = signed_cast(self.a.val());
        self.o_at_least.next = signed_cast(self.a.val()) >= signed_bit_cast::<24, 16>(self.t.val());
    }
}
