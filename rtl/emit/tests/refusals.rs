//! What cannot be emitted exactly is refused, with block, signal and reason.
use heddle_emit::{EmitError, Emitter, Reason};
use rust_hdl::prelude::*;

const FOO: u64 = 3;

/// Emits a block with these fields besides its ports, and this kernel, and gives the refusal.
macro_rules! refuse {
    ({ $($field:ident: $ty:ty),* }, $($update:tt)*) => {{
        #[derive(LogicBlock, Default)]
        struct Refused {
            clk: Signal<In, Clock>,
            a: Signal<In, Bits<24>>,
            w: Signal<In, Bits<256>>,
            i: Signal<In, Bits<8>>,
            k: Signal<In, Bit>,
            s: Signal<In, Signed<16>>,
            o: Signal<Out, Bits<24>>,
            q: Signal<Out, Bit>,
            $($field: $ty,)*
        }
        impl Logic for Refused {
            $($update)*
        }
        let mut uut = Refused::default();
        uut.connect_all();
        refusal(&uut)
    }};
}

fn refusal<B: Block>(uut: &B) -> EmitError {
    Emitter::new().top("top", uut, &[]).expect_err("the kernel must be refused")
}

fn reason(error: EmitError) -> Reason {
    error.reason
}

#[test]
fn a_latch_is_refused_and_named() {
    let error = refuse!(
        { extra: Signal<Out, Bits<24>> },
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            if self.k.val() {
                self.extra.next = self.a.val();
            }
        }
    );
    assert_eq!(error.path, "top");
    assert_eq!(error.signal.as_deref(), Some("extra"));
    assert_eq!(error.reason, Reason::Latch("extra".into()));
    let field = refuse!(
        { d: DFF<Bits<24>> },
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            self.d.clock.next = self.clk.val();
            if self.k.val() {
                self.d.d.next = self.a.val();
            }
        }
    );
    assert_eq!(field.reason, Reason::Latch("d.d".into()));
}

#[test]
fn an_error_names_the_statement_and_the_instance() {
    #[derive(LogicBlock, Default)]
    struct Inner {
        a: Signal<In, Bits<8>>,
        o: Signal<Out, Bit>,
    }
    impl Logic for Inner {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() < 256;
        }
    }
    #[derive(LogicBlock, Default)]
    struct Outer {
        a: Signal<In, Bits<8>>,
        o: Signal<Out, Bit>,
        inner: [Inner; 2],
    }
    impl Logic for Outer {
        #[hdl_gen]
        fn update(&mut self) {
            self.inner[0].a.next = self.a.val();
            self.inner[1].a.next = self.a.val();
            self.o.next = self.inner[0].o.val() & self.inner[1].o.val();
        }
    }
    let mut uut = Outer::default();
    uut.connect_all();
    let error = refusal(&uut);
    assert_eq!(error.to_string(), "top.inner.0: `o`: 256 does not fit 8 bits in `o.next = a < 256`");
}

#[test]
fn arithmetic_on_an_index_is_refused() {
    let error = refuse!(
        {},
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            self.q.next = self.w.val().get_bit(self.i.val().index() + 1);
        }
    );
    assert_eq!(reason(error), Reason::IndexArithmetic);
    let error = refuse!(
        {},
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            self.o.next = self.w.val().get_bits::<24>(self.i.val().index() + 1);
        }
    );
    assert_eq!(reason(error), Reason::IndexArithmetic);
}

#[test]
fn names_that_are_no_signals_are_refused() {
    let error = refuse!(
        {},
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            self.o.next = self.a.val() + FOO;
        }
    );
    assert_eq!(reason(error), Reason::UnknownName("FOO".into()));
    let error = refuse!(
        {},
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            for i in 0..4 {
                self.q.next = self.i.val().get_bit(i);
            }
        }
    );
    assert_eq!(reason(error), Reason::LoopIndexIsSignal("i".into()));
}

#[test]
fn a_signal_is_not_read_before_it_is_assigned() {
    let error = refuse!(
        { early: Signal<Local, Bits<24>> },
        #[hdl_gen]
        fn update(&mut self) {
            self.q.next = self.k.val();
            if self.k.val() {
                self.early.next = self.a.val();
            }
            self.o.next = self.early.val();
            self.early.next = self.a.val() + 1;
        }
    );
    assert_eq!(reason(error), Reason::ReadBeforeAssigned("early".into()));
    let error = refuse!(
        { l: Signal<Local, Bits<24>> },
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.l.val();
            self.q.next = self.k.val();
            self.l.next = self.a.val() + 1;
        }
    );
    // rust-hdl's own check finds the plain case.
    assert_eq!(reason(error), Reason::Checks("combinational loop through: uut.l".into()));
}

#[test]
fn the_input_of_a_child_is_not_read() {
    let error = refuse!(
        { d: DFF<Bits<24>> },
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            dff_setup!(self, clk, d);
            self.o.next = self.d.d.val();
        }
    );
    assert_eq!(reason(error), Reason::ChildInputRead("d.d".into()));
}

#[test]
fn widths_that_the_tree_has_lost_are_refused() {
    let error = refuse!(
        {},
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            self.o.next = unsigned_cast(signed_bit_cast::<24, 16>(self.s.val()));
        }
    );
    assert!(matches!(reason(error), Reason::NoWidth(_)));
    let error = refuse!(
        {},
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            self.q.next = unsigned_cast(signed_bit_cast::<24, 16>(self.s.val())).any();
        }
    );
    assert!(matches!(reason(error), Reason::NoWidth(_)));
}

#[test]
fn literals_and_constant_indices_must_fit() {
    let error = refuse!(
        {},
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            self.q.next = self.i.val() == 256;
        }
    );
    assert_eq!(reason(error), Reason::Literal { value: "256".into(), width: 8 });
    let error = refuse!(
        {},
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            self.q.next = self.a.val().get_bit(24);
        }
    );
    assert_eq!(reason(error), Reason::IndexRange { index: "24".into(), width: 24 });
    let error = refuse!(
        {},
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            self.o.next = self.a.val().replace_bit(30, true);
        }
    );
    assert_eq!(reason(error), Reason::IndexRange { index: "30".into(), width: 24 });
    let error = refuse!(
        {},
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            for n in 0..2 {
                self.q.next = self.a.val().get_bit(n - 1);
            }
        }
    );
    assert_eq!(reason(error), Reason::Integer("0 - 1".into()));
}

#[test]
fn a_register_needs_a_plain_clock() {
    #[derive(LogicBlock, Default)]
    struct Gated {
        clk: Signal<In, Clock>,
        other: Signal<In, Clock>,
        k: Signal<In, Bit>,
        o: Signal<Out, Bit>,
        d: DFF<Bit>,
    }
    impl Logic for Gated {
        #[hdl_gen]
        fn update(&mut self) {
            self.d.clock.next = self.clk.val();
            if self.k.val() {
                self.d.clock.next = self.other.val();
            }
            self.d.d.next = self.k.val();
            self.o.next = self.d.q.val();
        }
    }
    let mut uut = Gated::default();
    uut.connect_all();
    assert_eq!(reason(refusal(&uut)), Reason::Clock { register: "d".into() });
}

#[test]
fn constants_computed_in_steps_are_refused() {
    let error = refuse!(
        { l: Signal<Local, Bits<24>> },
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.q.next = self.k.val();
            self.l.next = 1.into();
            self.l.next = self.l.val() + 1;
            self.o.next = self.l.val();
        }
    );
    assert_eq!(reason(error), Reason::ConstantSteps("l".into()));
}

#[test]
fn bidirectional_ports_are_refused() {
    #[derive(LogicBlock, Default)]
    struct Pad {
        pad: Signal<InOut, Bit>,
        o: Signal<Out, Bit>,
    }
    impl Logic for Pad {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.pad.val();
        }
    }
    let mut uut = Pad::default();
    uut.connect_all();
    assert_eq!(reason(refusal(&uut)), Reason::Bidirectional);
}

#[test]
fn unconnected_signals_and_bad_renames_are_refused() {
    #[derive(LogicBlock, Default)]
    struct Open {
        a: Signal<In, Bit>,
        o: Signal<Out, Bit>,
        d: DFF<Bit>,
    }
    impl Logic for Open {
        #[hdl_gen]
        fn update(&mut self) {
            self.d.d.next = self.a.val();
            self.o.next = self.d.q.val();
        }
    }
    let mut uut = Open::default();
    uut.connect_all();
    match reason(refusal(&uut)) {
        Reason::Checks(what) => {
            assert!(what.starts_with("not connected") && what.ends_with("clock"), "{what}")
        }
        other => panic!("{other}"),
    }

    let mut uut = heddle_emit::prims::Skid::<Bits<8>>::default();
    uut.connect_all();
    let error = Emitter::new().top("skid", &uut, &[("nothing", "x")]).unwrap_err();
    assert_eq!(error.reason, Reason::UnknownName("nothing".into()));
    let error = Emitter::new().top("skid", &uut, &[("rst", "clk")]).unwrap_err();
    assert_eq!(error.reason, Reason::PortName("clk".into()));
}

#[test]
fn a_block_with_its_own_text_has_no_children() {
    #[derive(LogicBlock, Default)]
    struct Parent {
        a: Signal<In, Bit>,
        child: heddle_emit::prims::Skid<Bit>,
    }
    impl Logic for Parent {
        fn update(&mut self) {}
        fn connect(&mut self) {
            self.child.clk.connect();
            self.child.rst.connect();
            self.child.in_valid.connect();
            self.child.in_data.connect();
            self.child.out_ready.connect();
        }
        fn hdl(&self) -> Verilog {
            Verilog::Custom("// nothing".into())
        }
    }
    let mut uut = Parent::default();
    uut.connect_all();
    assert_eq!(reason(refusal(&uut)), Reason::ChildrenOfCustom);
}
