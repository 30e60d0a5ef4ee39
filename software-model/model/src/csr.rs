//! Registers: what a read gives, what a write does. The map is `heddle_wire::registers`.
//!
//! Mirrors the RTL block `csr`; docs/blocks/csr.md has ports and latency. Time stands still here: a set-up command is done at once, so
//! `setup_status.busy` is for the RTL alone.

use heddle_wire::registers::{register, Access, Interrupt, Register, ADDRESS_BITS, REGISTERS};
use heddle_wire::setup::SetupTable;
use std::collections::BTreeMap;

/// Ticks in a second: the longest interval of a timer.
const SECOND_TICKS: u32 = 125_000_000;

/// Sizes of the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsrConfig {
    /// Connections.
    pub connections: u32,
    /// Paths of all connections.
    pub paths: u32,
    /// Memory regions.
    pub regions: u32,
    /// `config_sizes` and `config_clock`.
    pub sizes: [u32; 2],
}

/// What a write makes the core do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing but the register's new value.
    None,
    /// `control.enable` has gone to 1: the random register is loaded.
    Enabled {
        /// With this.
        seed: u32,
    },
    /// A row is written, `setup_data` word by word.
    Row {
        /// Into this table.
        table: SetupTable,
        /// At this index.
        index: u32,
        /// Its words.
        words: [u32; 8],
    },
}

/// SLVERR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{value:#x} with byte strobes {strobe:#b} is nothing that the register at {address:#x} takes")]
pub struct Refused {
    /// Byte address.
    pub address: u32,
    /// Value.
    pub value: u32,
    /// Byte strobes.
    pub strobe: u8,
}

/// The block.
#[derive(Clone, Debug)]
pub struct Csr {
    config: CsrConfig,
    values: BTreeMap<u32, u32>,
    planes: u16,
    refused: bool,
}

impl Csr {
    /// After a reset, with these planes up.
    pub fn new(config: CsrConfig, planes: u16) -> Self {
        let mut values = BTreeMap::new();
        for register in REGISTERS {
            values.extend((0..register.count).map(|n| (register.address + 4 * n, register.reset)));
        }
        let mut csr = Self { config, values, planes, refused: false };
        csr.set("config_sizes", config.sizes[0]);
        csr.set("config_clock", config.sizes[1]);
        csr
    }

    /// A read of a byte address. Counters are not kept here: none.
    pub fn read(&self, address: u32) -> Option<u32> {
        let address = word(address);
        Some(match Self::at(address) {
            None => 0,
            Some(register) => match register.name {
                "drops" | "traffic" => return None,
                "plane_status" => self.planes.into(),
                "setup_status" => u32::from(self.refused) << 1,
                _ if register.access == Access::WriteOnly => 0,
                _ => self.values[&address],
            },
        })
    }

    /// A write; `Err` when it is refused with SLVERR.
    pub fn write(&mut self, address: u32, value: u32, strobe: u8) -> Result<Effect, Refused> {
        let address = word(address);
        let legal = match Self::at(address).map(|register| register.name) {
            Some("rto0") => (1..=SECOND_TICKS).contains(&value),
            Some("ack_delay") => (1..=0xFFFF).contains(&value),
            Some("cwnd") => (256..=65_536).contains(&value),
            _ => true,
        };
        if strobe != 0xF || !legal {
            return Err(Refused { address, value, strobe });
        }
        let Some(register) = Self::at(address) else { return Ok(Effect::None) };
        let kept = value & mask(register);
        match (register.name, register.access) {
            ("setup_command", _) => Ok(self.command(value)),
            ("control", _) => {
                let before = self.values.insert(address, kept & 1).unwrap_or_default();
                let on = kept & 1 == 1 && before == 0;
                Ok(if on { Effect::Enabled { seed: self.get("seed") } } else { Effect::None })
            }
            (_, Access::WriteOneToClear) => {
                let before = self.values[&address];
                self.values.insert(address, before & !value);
                Ok(Effect::None)
            }
            (_, Access::ReadWrite) => {
                self.values.insert(address, kept);
                Ok(Effect::None)
            }
            _ => Ok(Effect::None),
        }
    }

    fn command(&mut self, value: u32) -> Effect {
        let (index, table) = (value & 0xFF_FFFF, SetupTable::from_code((value >> 24) as u8));
        let rows = match table {
            Some(SetupTable::RxConnection | SetupTable::TxConnection) => self.config.connections,
            Some(SetupTable::RxPath | SetupTable::TxPath | SetupTable::Route) => self.config.paths,
            Some(SetupTable::Region) => self.config.regions,
            None => 0,
        };
        self.refused = index >= rows;
        match table.filter(|_| !self.refused) {
            Some(table) => {
                let base = register("setup_data").map_or(0, |data| data.address);
                let words = std::array::from_fn(|n| self.values[&(base + 4 * n as u32)]);
                Effect::Row { table, index, words }
            }
            None => {
                self.raise(Interrupt::SetupError);
                Effect::None
            }
        }
    }

    /// Carrier of the planes.
    pub fn on_planes(&mut self, up: u16) {
        if up != self.planes {
            self.raise(Interrupt::PlaneChange);
        }
        self.planes = up;
    }

    /// A connection has ended with this completion status.
    pub fn on_error(&mut self, conn: u16, status: u8) {
        self.set("connection_error", 1 << 31 | u32::from(status) << 16 | u32::from(conn));
        self.raise(Interrupt::ConnectionError);
    }

    /// A work request of a wrong length was thrown away.
    pub fn on_bad_request(&mut self) {
        self.raise(Interrupt::SetupError);
    }

    /// Level of the interrupt line.
    pub fn irq(&self) -> bool {
        self.get("irq_status") & self.get("irq_enable") != 0
    }

    fn raise(&mut self, interrupt: Interrupt) {
        let value = self.get("irq_status") | 1 << interrupt.code();
        self.set("irq_status", value);
    }

    /// The value of a register.
    pub fn get(&self, name: &str) -> u32 {
        register(name).map_or(0, |register| self.values[&register.address])
    }

    fn set(&mut self, name: &str, value: u32) {
        if let Some(register) = register(name) {
            self.values.insert(register.address, value);
        }
    }

    fn at(address: u32) -> Option<&'static Register> {
        REGISTERS.iter().find(|register| (register.address..register.end()).contains(&address))
    }
}

fn word(address: u32) -> u32 {
    address & ((1 << ADDRESS_BITS) - 1) & !3
}

/// Bits that a write changes.
fn mask(register: &Register) -> u32 {
    (0..register.fields.len()).filter(|&n| register.fields[n].name != "reserved").fold(0, |all, n| {
        let bits = u32::from(register.fields[n].bits);
        all | (u32::MAX >> (32 - bits)) << register.lsb(n)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csr() -> Csr {
        Csr::new(CsrConfig { connections: 16, paths: 64, regions: 64, sizes: [1, 2] }, 3)
    }

    #[test]
    fn a_command_without_such_a_row_is_refused_and_interrupts_until_it_is_cleared() {
        let mut csr = csr();
        csr.write(0x02C, 0xF, 0xF).unwrap();
        assert_eq!(csr.write(0x140, 4 << 24 | 64, 0xF), Ok(Effect::None));
        assert_eq!((csr.read(0x144), csr.read(0x028), csr.irq()), (Some(2), Some(2), true));
        csr.write(0x028, 2, 0xF).unwrap();
        assert!(!csr.irq());
        csr.write(0x104, 0xABCD, 0xF).unwrap();
        let Ok(Effect::Row { table, index, words }) = csr.write(0x140, 4 << 24 | 63, 0xF) else {
            panic!("a row that is there")
        };
        assert_eq!((table, index, words[1], csr.read(0x144)), (SetupTable::TxPath, 63, 0xABCD, Some(0)));
    }

    #[test]
    fn values_out_of_range_and_parts_of_words_are_refused_and_change_nothing() {
        let mut csr = csr();
        for (address, value) in [(0x098, 255), (0x098, 65_537), (0x080, 0), (0x088, 0x1_0000)] {
            let before = csr.read(address);
            assert_eq!(csr.write(address, value, 0xF), Err(Refused { address, value, strobe: 0xF }));
            assert_eq!(csr.read(address), before);
        }
        assert!(csr.write(0x050, 1, 0x7).is_err());
        assert_eq!(csr.write(0x098, 256, 0xF), Ok(Effect::None));
    }

    #[test]
    fn reserved_bits_and_gaps_of_the_map_read_as_zero() {
        let mut csr = csr();
        csr.write(0x044, u32::MAX, 0xF).unwrap();
        csr.write(0x0A0, u32::MAX, 0xF).unwrap();
        assert_eq!((csr.read(0x044), csr.read(0x0A0)), (Some(0x00FF_3F3F), Some(0)));
    }
}
