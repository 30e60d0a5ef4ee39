//! The figures of a run as a table, for terminals and, being Markdown, for documents.

use heddle_testbench::cosim::Report;

/// What was found, row by row.
pub fn render(report: &Report) -> String {
    let rows = rows(report);
    let width = |of: fn(&(&str, String)) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let (left, right) = (width(|row| row.0.len()), width(|row| row.1.len()));
    let mut text = String::new();
    for (number, (name, value)) in rows.iter().enumerate() {
        text += &format!("| {name:<left$} | {value:<right$} |\n");
        if number == 0 {
            text += &format!("| {} | {} |\n", "-".repeat(left), "-".repeat(right));
        }
    }
    text
}

fn rows(report: &Report) -> Vec<(&'static str, String)> {
    let r = report;
    let drops: Vec<String> = r.drops.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let missed = r.losses - r.losses_found_by_evidence - r.losses_found_after_timer - r.losses_found_by_timer;
    vec![
        ("run", format!("{}, seed {}", r.config, r.seed)),
        ("moved", format!("{}, {} messages of {} bytes", r.workload, r.messages, r.file_bytes)),
        ("senders", senders(r)),
        ("verified", format!("{} bytes equal, SHA-256 {}", r.bytes_verified, equal(r.sha256_match))),
        ("time", format!("{} cycles to the last completion", r.cycles)),
        ("goodput", format!("{:.2} bits of messages per cycle", r.goodput_bits_per_cycle)),
        ("DATA packets", format!("{} sent, {} of them again", r.packets_sent, r.packets_resent)),
        (
            "losses of DATA",
            format!(
                "{}: {} found by evidence, {} by evidence after a timer, {} by timer, {missed} had arrived before",
                r.losses, r.losses_found_by_evidence, r.losses_found_after_timer, r.losses_found_by_timer
            ),
        ),
        ("resent in vain", format!("{} by evidence, {} by timer", r.spurious_resends, r.spurious_by_timer)),
        ("timer expiries", r.timer_expiries.to_string()),
        (
            "recovery",
            r.recovery_rtts.map_or("no first transmission was lost".to_owned(), |rtts| format!("{rtts:.2} round trips on average")),
        ),
        (
            "queues",
            format!(
                "{} frames marked CE, {} lost, at most {} bytes",
                r.ce_marked, r.buffer_losses, r.max_queue_bytes
            ),
        ),
        ("dead planes", format!("{} frames lost", r.plane_losses)),
        ("most outstanding", format!("{} packets", r.max_outstanding)),
        ("dropped by a core", if drops.is_empty() { "none".to_owned() } else { drops.join(", ") }),
        (
            "compared with the model",
            format!(
                "{} of {} transactions inside the cores, {} mismatches",
                r.transactions_compared, r.transactions_crossed, r.mismatches
            ),
        ),
        ("simulation", format!("{:.0} cycles per second", r.sim_cycles_per_second)),
    ]
}

/// How many, and how different they fared.
fn senders(report: &Report) -> String {
    let each = &report.sender_goodput_bits_per_cycle;
    let least = each.iter().copied().fold(f64::INFINITY, f64::min);
    let most = each.iter().copied().fold(0.0, f64::max);
    match report.senders {
        1 => "1".to_owned(),
        all => format!("{all}, {least:.2} to {most:.2} bits per cycle each"),
    }
}

fn equal(equal: bool) -> &'static str {
    if equal {
        "equal"
    } else {
        "DIFFERENT"
    }
}

/// What is wrong with a run that is not good, in one sentence.
pub fn difference(report: &Report) -> String {
    if report.mismatches > 0 {
        return format!("{} transactions differ from the golden model's", report.mismatches);
    }
    if report.transactions_compared != report.transactions_crossed {
        let left = report.transactions_crossed.abs_diff(report.transactions_compared);
        return format!("{left} transactions inside the cores were not compared");
    }
    if report.bytes_verified == report.file_bytes && !report.sha256_match {
        return "bytes that nothing was to change have changed".to_owned();
    }
    if report.bytes_verified == report.file_bytes {
        return "nothing inside the cores was compared with the golden model".to_owned();
    }
    let missing = report.file_bytes - report.bytes_verified;
    format!("{missing} of {} bytes were not in place when they were said to be", report.file_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn rows_are_of_equal_width_and_a_difference_is_named() {
        let report = Report {
            config: "gbe",
            seed: 7,
            file_bytes: 100,
            bytes_verified: 90,
            cycles: 1234,
            goodput_bits_per_cycle: 3.456,
            packets_sent: 10,
            packets_resent: 2,
            spurious_by_timer: 1,
            timer_expiries: 1,
            duplicates_received: 1,
            drops: BTreeMap::from([("duplicate", 1), ("icrc", 3)]),
            recovery_rtts: Some(1.5),
            losses: 4,
            losses_found_by_evidence: 2,
            losses_found_by_timer: 1,
            max_outstanding: 9,
            workload: "write",
            senders: 2,
            messages: 3,
            sender_goodput_bits_per_cycle: vec![1.5, 2.25],
            ce_marked: 5,
            ..Report::default()
        };
        let text = render(&report);
        let widths: Vec<usize> = text.lines().map(str::len).collect();
        assert!(widths.iter().all(|&width| width == widths[0]), "{text}");
        for part in [
            "gbe, seed 7",
            "write, 3 messages of 100 bytes",
            "2, 1.50 to 2.25 bits per cycle each",
            "5 frames marked CE, 0 lost, at most 0 bytes",
            "DIFFERENT",
            "duplicate 1, icrc 3",
            "2 found by evidence, 0 by evidence after a timer, 1 by timer, 1 had",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(difference(&report), "10 of 100 bytes were not in place when they were said to be");
        let silent = Report { transactions_crossed: 5, transactions_compared: 3, ..report.clone() };
        assert_eq!(difference(&silent), "2 transactions inside the cores were not compared");
        let differs = Report { mismatches: 3, ..report };
        assert_eq!(difference(&differs), "3 transactions differ from the golden model's");
    }
}
