//! The report as a table, for terminals and, being Markdown, for documents.

use super::Report;
use std::fmt::Write;

const HEAD: [&str; 10] =
    ["block", "config", "LUT4", "CCU2C", "LUTRAM", "FF", "DP16KD", "MULT18", "speed", "MHz"];

/// Rows of equal column widths, names to the left and numbers to the right.
pub fn render(report: &Report) -> String {
    let mut lines = vec![HEAD.map(str::to_owned)];
    lines.extend(report.blocks.iter().map(|row| {
        [
            row.name.clone(),
            row.config.clone(),
            row.lut.to_string(),
            row.carry.to_string(),
            row.lutram.to_string(),
            row.ff.to_string(),
            row.bram.to_string(),
            row.dsp.to_string(),
            row.speed.to_string(),
            format!("{:.1}", row.fmax_mhz),
        ]
    }));
    let width: Vec<usize> =
        (0..HEAD.len()).map(|column| lines.iter().map(|l| l[column].len()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            let width = width[column];
            let _ = if column < 2 {
                write!(text, "| {cell:<width$} ")
            } else {
                write!(text, "| {cell:>width$} ")
            };
        }
        text.push_str("|\n");
        if number == 0 {
            for (column, width) in width.iter().enumerate() {
                let dashes = "-".repeat(*width);
                let _ = if column < 2 {
                    write!(text, "| {dashes} ")
                } else {
                    write!(text, "| {}: ", &dashes[1..])
                };
            }
            text.push_str("|\n");
        }
    }
    let _ = write!(text, "\n{}; {}; {}\n", report.device, report.synthesis, report.place_and_route);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Row;

    #[test]
    fn columns_line_up_and_every_figure_is_there() {
        let row = Row {
            name: "rx_path".to_owned(),
            config: "gbe".to_owned(),
            lut: 883,
            carry: 64,
            lutram: 0,
            ff: 1032,
            bram: 5,
            dsp: 0,
            fmax_mhz: 189.79,
            speed: 8,
            fmax_mhz_by_seed: vec![189.79],
        };
        let report = Report {
            device: "part".to_owned(),
            synthesis: "yosys".to_owned(),
            place_and_route: "nextpnr".to_owned(),
            blocks: vec![row],
        };
        let want = "\
| block   | config | LUT4 | CCU2C | LUTRAM |   FF | DP16KD | MULT18 | speed |   MHz |
| ------- | ------ | ---: | ----: | -----: | ---: | -----: | -----: | ----: | ----: |
| rx_path | gbe    |  883 |    64 |      0 | 1032 |      5 |      0 |     8 | 189.8 |

part; yosys; nextpnr
";
        assert_eq!(render(&report), want);
    }
}
