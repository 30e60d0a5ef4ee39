//! What the files that Verilator generates say about a model: its ports and its probes.

use crate::Error;

/// A port of the top module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name in the Verilog.
    pub name: String,
    /// Width in bits, at least 1.
    pub width: usize,
    /// Driven by the testbench.
    pub input: bool,
}

/// An internal signal made readable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbePort {
    /// Instance path below the top module and signal, joined by `_`.
    pub name: String,
    /// Instance names below the top module, joined by dots.
    pub instance: String,
    /// Name of the signal alone.
    pub signal: String,
    /// Width in bits, at least 1.
    pub width: usize,
    /// C++ expression of its address, relative to the symbol table `s`.
    pub address: String,
}

/// Reads the ports from `V<top>.h`: lines such as `VL_INW(&s_tdata,511,0,16);`.
pub fn ports(design: &str, header: &str) -> Result<Vec<Port>, Error> {
    header.lines().map(str::trim).filter(|l| l.starts_with("VL_IN") || l.starts_with("VL_OUT")).try_fold(
        Vec::new(),
        |mut ports, line| {
            ports.push(port(line).ok_or_else(|| not_understood(design, line))?);
            Ok(ports)
        },
    )
}

fn port(line: &str) -> Option<Port> {
    let input = if line.starts_with("VL_INOUT") { return None } else { line.starts_with("VL_IN") };
    let fields: Vec<&str> = between(line, '(', ')')?.split(',').map(str::trim).collect();
    let (high, low): (usize, usize) = (fields.get(1)?.parse().ok()?, fields.get(2)?.parse().ok()?);
    let name = fields[0].strip_prefix('&')?.to_string();
    Some(Port { name, width: (high + 1).checked_sub(low)?, input })
}

/// Reads the probes from `V<top>__Syms.cpp`: one `varInsert` per signal that the configuration made public,
/// in whichever class Verilator's inlining has put it.
pub fn probes(design: &str, symbols: &str) -> Result<Vec<ProbePort>, Error> {
    let mut probes = Vec::new();
    for line in symbols.lines().map(str::trim).filter(|l| l.contains(".varInsert(")) {
        probes.push(probe(design, line).ok_or_else(|| not_understood(design, line))?);
    }
    Ok(probes)
}

fn probe(design: &str, line: &str) -> Option<ProbePort> {
    let (scope, rest) = line.strip_prefix("__Vscope_")?.split_once(".varInsert(")?;
    let fields: Vec<&str> = rest.strip_suffix(");")?.split(',').map(str::trim).collect();
    // A single bit has no range, a vector one, an array more: the last is not supported.
    let (name, address, high, low): (_, _, usize, usize) = match fields[..] {
        [_, name, address, _, _, _, "0"] => (name, address, 0, 0),
        [_, name, address, _, _, _, "1", high, low] => (name, address, high.parse().ok()?, low.parse().ok()?),
        _ => return None,
    };
    let signal = between(name, '"', '"')?;
    let instance = scope.strip_prefix(design)?.trim_start_matches('_').replace("__", ".");
    let path = instance.replace('.', "_");
    let name = if path.is_empty() { signal.to_string() } else { format!("{path}_{signal}") };
    let address = format!("&(s->{}", address.strip_prefix("&(")?);
    let (signal, width) = (signal.to_string(), (high + 1).checked_sub(low)?);
    Some(ProbePort { name, instance, signal, width, address })
}

fn between(text: &str, open: char, close: char) -> Option<&str> {
    let start = text.find(open)? + 1;
    Some(&text[start..start + text[start..].find(close)?])
}

fn not_understood(design: &str, line: &str) -> Error {
    Error::Header { design: design.into(), line: line.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_output_and_a_clock_are_read_with_their_widths() {
        let header = "    VL_IN8(&clk,0,0);\n  int other;\n    VL_OUTW(&m_tdata,511,0,16);\n";
        let found = ports("t", header).unwrap();
        let port = |name: &str, width, input| Port { name: name.into(), width, input };
        assert_eq!(found, [port("clk", 1, true), port("m_tdata", 512, false)]);
    }

    #[test]
    fn a_probe_is_named_by_its_instance_and_addressed_by_its_class() {
        let line = concat!(
            r#"  __Vscope_core__rx__path.varInsert(__Vfinal,"cum", &(TOP__core__rx.cum), false, "#,
            "VLVT_UINT32,VLVD_NODIR|VLVF_PUB_RD,1 ,23,0);"
        );
        let found = probes("core", line).unwrap();
        assert_eq!(found[0].name, "rx_path_cum");
        assert_eq!(found[0].instance, "rx.path");
        assert_eq!(found[0].address, "&(s->TOP__core__rx.cum)");
        assert_eq!(found[0].width, 24);
    }

    #[test]
    fn a_single_bit_is_a_probe_and_an_array_is_refused() {
        let line = |tail: &str| {
            let head = r#"__Vscope_t__a.varInsert(__Vfinal,"x", &(TOP.t__DOT__a__DOT__x), false, VLVT_UINT8,VLVD_IN|"#;
            format!("{head}VLVF_PUB_RD,{tail});")
        };
        assert_eq!(probes("t", &line("0")).unwrap()[0].width, 1);
        assert!(matches!(probes("t", &line("2 ,3,0 ,7,0")), Err(Error::Header { .. })));
    }

    #[test]
    fn an_inout_port_is_refused_and_not_guessed() {
        assert!(matches!(ports("t", "VL_INOUT8(&pad,0,0);"), Err(Error::Header { .. })));
    }
}
