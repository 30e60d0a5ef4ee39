//! The differential harness notices what it is there for.
use heddle_emit::diff::{Diff, DiffError, Simulator};
use rust_hdl::prelude::*;

/// Adds one in rust-hdl, and whatever `text` says in Verilog.
#[derive(LogicBlock, Default)]
struct Increment {
    x: Signal<In, Bits<8>>,
    y: Signal<Out, Bits<8>>,
    _text: &'static str,
}

impl Logic for Increment {
    fn update(&mut self) {
        self.y.next = self.x.val() + 1;
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(self._text.into())
    }
}

fn run(text: &'static str, simulators: &[Simulator]) -> Result<usize, DiffError> {
    let uut = Increment { _text: text, ..Default::default() };
    let diff = Diff::new("increment", 61).simulators(simulators);
    diff.combinational(300, uut, |u, s, _| u.x.next = s.bits()).map(|report| report.vectors)
}

#[test]
fn equal_behaviour_passes_and_every_vector_is_counted() {
    assert_eq!(run("always @(*) y = x + 8'd1;", &[Simulator::Icarus]).unwrap(), 301);
}

#[test]
fn one_wrong_value_in_256_is_found_and_can_be_replayed() {
    let error = run("always @(*) y = (x == 8'hff) ? 8'd1 : x + 8'd1;", &[Simulator::Icarus]).unwrap_err();
    let DiffError::Mismatch(mismatch) = error else { panic!("{error}") };
    assert_eq!(
        (mismatch.port.as_str(), mismatch.rust.as_str(), mismatch.verilog.as_str()),
        ("y", "00", "01")
    );
    assert!(mismatch.vector > 0 && mismatch.differences > 0);
    let replay =
        "HEDDLE_SEED=61 cargo test -p heddle-emit one_wrong_value_in_256_is_found_and_can_be_replayed";
    assert_eq!(mismatch.replay, replay);
    assert!(mismatch.dir.join("wave.vcd").is_file());
    std::fs::remove_dir_all(&mismatch.dir).unwrap();
}

#[test]
fn an_unknown_value_is_a_difference() {
    let error = run("always @(*) y = (x == 8'd3) ? 8'hxx : x + 8'd1;", &[Simulator::Icarus]).unwrap_err();
    let DiffError::Mismatch(mismatch) = error else { panic!("{error}") };
    assert_eq!((mismatch.rust.as_str(), mismatch.verilog.as_str()), ("04", "xx"));
    std::fs::remove_dir_all(&mismatch.dir).unwrap();
}

#[test]
fn a_lint_message_is_an_error() {
    let error = run("always @(*) y = x + 9'd1;", &[Simulator::Verilator]).unwrap_err();
    let DiffError::Tool { tool: "verilator", log, dir } = error else { panic!("{error}") };
    assert!(log.contains("WIDTH"), "{log}");
    std::fs::remove_dir_all(dir).unwrap();
}
