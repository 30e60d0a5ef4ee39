//! Registers by AXI4-Lite, and the set-up tables behind them.

use super::axi::Backing;
use super::pins::CorePins;
use super::Host;
use heddle_wire::registers::register;
use heddle_wire::setup::SetupTable;
use thiserror::Error;

/// Cycles within which a register access, or a set-up command, is answered.
const PATIENCE: u64 = 100_000;

/// The core does not do what the control plane wants.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// SLVERR.
    #[error("the core refuses to write {value:#x} to the register {name}")]
    Write {
        /// Register.
        name: &'static str,
        /// Value.
        value: u32,
    },
    /// No such table or row.
    #[error("the core has no row {index} in its table {table:?}")]
    Row {
        /// Table.
        table: SetupTable,
        /// Row.
        index: u32,
    },
    /// No answer.
    #[error("no answer from the register {name} within {PATIENCE} cycles")]
    Silence {
        /// Register.
        name: &'static str,
    },
}

/// What a control plane does.
pub trait Registers {
    /// Reads the register number `index` of the array `name`.
    fn read_at(&mut self, name: &'static str, index: u32) -> Result<u32, Refused>;
    /// Writes it.
    fn write_at(&mut self, name: &'static str, index: u32, value: u32) -> Result<(), Refused>;

    /// Reads a register.
    fn read(&mut self, name: &'static str) -> Result<u32, Refused> {
        self.read_at(name, 0)
    }

    /// Writes a register.
    fn write(&mut self, name: &'static str, value: u32) -> Result<(), Refused> {
        self.write_at(name, 0, value)
    }

    /// Waits until the tables can be set up, as after a reset.
    fn wait_idle(&mut self) -> Result<(), Refused> {
        for _ in 0..PATIENCE {
            if self.read("setup_status")? & 1 == 0 {
                return Ok(());
            }
        }
        Err(Refused::Silence { name: "setup_status" })
    }

    /// Writes a row, its bytes as `heddle_wire::setup` emits them.
    fn set_up(&mut self, table: SetupTable, index: u32, row: &[u8]) -> Result<(), Refused> {
        for (n, word) in (0..).zip(row.chunks_exact(4)) {
            let word = word.try_into().map_or(0, u32::from_be_bytes);
            self.write_at("setup_data", n, word)?;
        }
        self.write("setup_command", u32::from(table.code()) << 24 | index)?;
        self.wait_idle()?;
        match self.read("setup_status")? {
            0 => Ok(()),
            _ => Err(Refused::Row { table, index }),
        }
    }
}

/// Byte address.
fn address(name: &'static str, index: u32) -> u16 {
    let register = register(name).unwrap_or_else(|| panic!("there is a register {name}"));
    assert!(index < register.count, "{name} has {} registers", register.count);
    (register.address + 4 * index) as u16
}

/// A host with a clock: bare, or with somebody who watches every cycle.
pub trait Clocked {
    /// The core.
    type Core: CorePins;
    /// Its memory.
    type Memory: Backing;
    /// The host.
    fn host(&mut self) -> &mut Host<Self::Core, Self::Memory>;
    /// One cycle.
    fn clock(&mut self);
}

impl<D: CorePins, M: Backing> Clocked for Host<D, M> {
    type Core = D;
    type Memory = M;

    fn host(&mut self) -> &mut Self {
        self
    }

    fn clock(&mut self) {
        self.cycle(|_| ());
    }
}

impl<T: Clocked> Registers for T {
    fn read_at(&mut self, name: &'static str, index: u32) -> Result<u32, Refused> {
        let inputs = self.host().inputs_mut();
        (inputs.lite_ar_valid, inputs.lite_ar_addr, inputs.lite_r_ready) = (true, address(name, index), true);
        for _ in 0..PATIENCE {
            self.clock();
            let host = self.host();
            if host.outputs().lite_ar_ready {
                host.inputs_mut().lite_ar_valid = false;
            }
            if host.outputs().lite_r_valid {
                host.inputs_mut().lite_r_ready = false;
                return Ok(host.outputs().lite_r_data);
            }
        }
        Err(Refused::Silence { name })
    }

    fn write_at(&mut self, name: &'static str, index: u32, value: u32) -> Result<(), Refused> {
        let inputs = self.host().inputs_mut();
        (inputs.lite_aw_valid, inputs.lite_aw_addr, inputs.lite_b_ready) = (true, address(name, index), true);
        (inputs.lite_w_data, inputs.lite_w_strb) = (value, 0xF);
        for _ in 0..PATIENCE {
            self.clock();
            let host = self.host();
            if host.outputs().lite_aw_ready {
                host.inputs_mut().lite_aw_valid = false;
            }
            if host.outputs().lite_b_valid {
                host.inputs_mut().lite_b_ready = false;
                return match host.outputs().lite_b_resp {
                    0 => Ok(()),
                    _ => Err(Refused::Write { name, value }),
                };
            }
        }
        Err(Refused::Silence { name })
    }
}
