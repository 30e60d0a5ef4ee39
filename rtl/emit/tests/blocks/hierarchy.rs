//! Interfaces linked through the hierarchy, registers at different depths, foreign Verilog, names.
use heddle_emit::{comment, ModuleName};
use rust_hdl::prelude::*;

#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "StreamSink"]
pub struct StreamSource {
    pub tdata: Signal<Out, Bits<16>>,
    pub tlast: Signal<Out, Bit>,
    pub tvalid: Signal<Out, Bit>,
    pub tready: Signal<In, Bit>,
}

#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "StreamSource"]
pub struct StreamSink {
    pub tdata: Signal<In, Bits<16>>,
    pub tlast: Signal<In, Bit>,
    pub tvalid: Signal<In, Bit>,
    pub tready: Signal<Out, Bit>,
}

/// One register stage.
#[derive(LogicBlock, Default)]
pub struct Stage {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s: StreamSink,
    pub m: StreamSource,
    data: DFF<Bits<16>>,
    last: DFF<Bit>,
    full: DFF<Bit>,
    take: Signal<Local, Bit>,
}

impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module stream_stage");
        comment!("One register stage; ready is combinational.");
        dff_setup!(self, clk, data, last, full);
        self.take.next = !self.full.q.val() | self.m.tready.val();
        self.s.tready.next = self.take.val();
        if self.take.val() {
            self.data.d.next = self.s.tdata.val() + 1;
            self.last.d.next = self.s.tlast.val();
            self.full.d.next = self.s.tvalid.val();
        }
        if self.rst.val() {
            self.full.d.next = false;
        }
        self.m.tdata.next = self.data.q.val();
        self.m.tlast.next = self.last.q.val();
        self.m.tvalid.next = self.full.q.val();
    }
}

#[derive(LogicBlock, Default)]
pub struct Pipe {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s: StreamSink,
    pub m: StreamSource,
    stage: [Stage; 3],
}

impl Logic for Pipe {
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..3 {
            self.stage[k].clk.next = self.clk.val();
            self.stage[k].rst.next = self.rst.val();
        }
        StreamSink::link(&mut self.s, &mut self.stage[0].s);
        StreamSource::join(&mut self.stage[0].m, &mut self.stage[1].s);
        StreamSource::join(&mut self.stage[1].m, &mut self.stage[2].s);
        StreamSource::link(&mut self.m, &mut self.stage[2].m);
    }
}

/// A register and an increment; generic, so it names itself.
#[derive(LogicBlock)]
pub struct Leaf<const W: usize> {
    pub clk: Signal<In, Clock>,
    pub x: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
    kept: DFF<Bits<W>>,
    module_name: ModuleName,
}

impl<const W: usize> Default for Leaf<W> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            x: Default::default(),
            y: Default::default(),
            kept: Default::default(),
            module_name: ModuleName::new(format!("leaf_{W}")),
        }
    }
}

impl<const W: usize> Logic for Leaf<W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, kept);
        self.kept.d.next = self.x.val();
        self.y.next = self.kept.q.val() + 1;
    }
}

#[derive(LogicBlock, Default)]
pub struct Nested {
    pub clk: Signal<In, Clock>,
    pub x: Signal<In, Bits<8>>,
    pub y: Signal<Out, Bits<8>>,
    leaf: Leaf<8>,
    after: DFF<Bits<8>>,
}

impl Logic for Nested {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, after);
        self.leaf.clk.next = self.clk.val();
        self.leaf.x.next = self.x.val();
        self.after.d.next = self.leaf.y.val();
        self.y.next = self.after.q.val();
    }
}

/// Registers one, two and three levels down feed each other in both directions.
#[derive(LogicBlock, Default)]
pub struct Depths {
    pub clk: Signal<In, Clock>,
    pub x: Signal<In, Bits<8>>,
    pub y: Signal<Out, Bits<8>>,
    pub z: Signal<Out, Bits<4>>,
    before: DFF<Bits<8>>,
    nested: Nested,
    leaf: Leaf<8>,
    inverter: Inverter,
    buffer: [Buffer; 2],
}

impl Logic for Depths {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, before);
        self.nested.clk.next = self.clk.val();
        self.leaf.clk.next = self.clk.val();
        self.before.d.next = self.x.val() ^ self.leaf.y.val();
        self.nested.x.next = self.before.q.val();
        self.leaf.x.next = self.nested.y.val();
        self.y.next = self.leaf.y.val();
        self.inverter.x.next = self.leaf.y.val().get_bits::<4>(2);
        self.buffer[0].I.next = self.inverter.y.val();
        self.buffer[1].I.next = self.buffer[0].O.val();
        self.z.next = self.buffer[1].O.val();
    }
}

/// A wrapped foreign core.
#[derive(LogicBlock, Default)]
pub struct Inverter {
    pub x: Signal<In, Bits<4>>,
    pub y: Signal<Out, Bits<4>>,
}

impl Logic for Inverter {
    fn update(&mut self) {
        self.y.next = !self.x.val();
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Wrapper(Wrapper {
            code: "INV4 core (.I(x), .O(y));".into(),
            cores: "module INV4 (input wire [3:0] I, output wire [3:0] O);\n  assign O = ~I;\nendmodule\n"
                .into(),
        })
    }
}

/// A black box.
#[derive(LogicBlock, Default)]
#[allow(non_snake_case)] // the foreign module's port names
pub struct Buffer {
    pub I: Signal<In, Bits<4>>,
    pub O: Signal<Out, Bits<4>>,
}

impl Logic for Buffer {
    fn update(&mut self) {
        self.O.next = self.I.val();
    }

    fn connect(&mut self) {
        self.O.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Blackbox(BlackBox {
            name: "BUF4".into(),
            code: "module BUF4 (input wire [3:0] I, output wire [3:0] O);\n  assign O = I;\nendmodule\n"
                .into(),
        })
    }
}
