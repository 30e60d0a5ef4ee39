//! A wrapper that gives a block of any port count five pins: a shift register fills its inputs, another one
//! empties its outputs.
//!
//! Every input of the block comes from a register and every output ends in one, so the clock that place and
//! route finds is that of the block between registers, and nothing of it can be optimised away.

use std::fmt::Write;

/// Direction of a port, seen from the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into the block.
    Input,
    /// Out of the block.
    Output,
}

/// A port of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its direction.
    pub direction: Direction,
    /// Its width in bits.
    pub bits: usize,
}

/// Why a block cannot be wrapped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrapError {
    /// Blocks have one clock, `clk`, and one reset, `rst`.
    #[error("no one-bit input {name}, which every block has")]
    NoControl {
        /// `clk` or `rst`.
        name: &'static str,
    },
    /// Without both there is nothing to measure between registers.
    #[error("{inputs} input bits and {outputs} output bits beside clk and rst, need at least one of each")]
    Empty {
        /// Input bits seen.
        inputs: usize,
        /// Output bits seen.
        outputs: usize,
    },
}

/// Name of the wrapper's module.
pub fn wrapper_name(top: &str) -> String {
    format!("{top}_pins")
}

/// Verilog of the wrapper around module `top`.
pub fn wrapper(top: &str, ports: &[Port]) -> Result<String, WrapError> {
    for name in ["clk", "rst"] {
        let is_control = |p: &Port| p.name == name && p.bits == 1 && p.direction == Direction::Input;
        if !ports.iter().any(is_control) {
            return Err(WrapError::NoControl { name });
        }
    }
    let of = |direction| {
        ports.iter().filter(move |p| p.direction == direction && p.name != "clk" && p.name != "rst")
    };
    let inputs: usize = of(Direction::Input).map(|p| p.bits).sum();
    let outputs: usize = of(Direction::Output).map(|p| p.bits).sum();
    if inputs == 0 || outputs == 0 {
        return Err(WrapError::Empty { inputs, outputs });
    }

    let mut connections = String::from("    .clk(clk),\n    .rst(reset)");
    for (direction, vector) in [(Direction::Input, "held"), (Direction::Output, "result")] {
        let mut low = 0;
        for port in of(direction) {
            let _ = write!(connections, ",\n    .{}({vector}[{low} +: {}])", port.name, port.bits);
            low += port.bits;
        }
    }
    Ok(format!(
        "module {name} (input clk, input rst, input si, input load, output so);
  reg reset, load_inputs;
  reg [{inputs}:0] filling; // one bit more than is used, so that a single input needs no other form
  reg [{inputs}-1:0] held;
  wire [{outputs}-1:0] result;
  reg [{outputs}-1:0] captured;
  reg [{outputs}:0] emptying;
  assign so = emptying[{outputs}];
  always @(posedge clk) begin
    reset <= rst;
    load_inputs <= load;
    filling <= {{filling[{inputs}-1:0], si}};
    if (load_inputs) held <= filling[{inputs}-1:0];
    captured <= result;
    emptying <= load_inputs ? {{captured, 1'b0}} : {{emptying[{outputs}-1:0], 1'b0}};
  end
  {top} block (
{connections}
  );
endmodule
",
        name = wrapper_name(top),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Input, Output};

    fn port(name: &str, direction: Direction, bits: usize) -> Port {
        Port { name: name.to_owned(), direction, bits }
    }

    #[test]
    fn every_port_bit_is_connected_to_a_register_of_its_own() {
        let ports = [
            port("clk", Input, 1),
            port("rst", Input, 1),
            port("a", Input, 8),
            port("y", Output, 3),
            port("b", Input, 1),
            port("z", Output, 64),
        ];
        let text = wrapper("block_of_test", &ports).unwrap();
        for want in [
            "module block_of_test_pins (",
            ".a(held[0 +: 8])",
            ".b(held[8 +: 1])",
            ".y(result[0 +: 3])",
            ".z(result[3 +: 64])",
            "reg [9-1:0] held;",
            "wire [67-1:0] result;",
        ] {
            assert!(text.contains(want), "no `{want}` in\n{text}");
        }
    }

    #[test]
    fn block_without_clock_or_reset_is_rejected() {
        let ports =
            [port("clk", Input, 1), port("rst", Output, 1), port("a", Input, 1), port("y", Output, 1)];
        assert_eq!(wrapper("t", &ports), Err(WrapError::NoControl { name: "rst" }));
        assert_eq!(wrapper("t", &ports[1..]), Err(WrapError::NoControl { name: "clk" }));
    }

    #[test]
    fn block_without_outputs_is_rejected() {
        let ports = [port("clk", Input, 1), port("rst", Input, 1), port("a", Input, 5)];
        assert_eq!(wrapper("t", &ports), Err(WrapError::Empty { inputs: 5, outputs: 0 }));
    }
}
