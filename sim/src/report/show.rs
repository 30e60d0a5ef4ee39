//! Numbers as people read them: three digits and a unit.

/// Three digits that count, never an exponent.
pub fn digits(value: f64) -> String {
    match value.abs() {
        v if !v.is_finite() => "-".to_owned(),
        0.0 => "0".to_owned(),
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 1.0 => format!("{value:.2}"),
        v if v >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.7}"),
    }
}

/// Picoseconds.
pub fn time(ps: u64) -> String {
    let ps = ps as f64;
    match ps {
        v if v >= 1e12 => format!("{} s", digits(v / 1e12)),
        v if v >= 1e9 => format!("{} ms", digits(v / 1e9)),
        v if v >= 1e6 => format!("{} us", digits(v / 1e6)),
        v => format!("{} ns", digits(v / 1e3)),
    }
}

/// Bits per second.
pub fn rate(bps: u64) -> String {
    let bps = bps as f64;
    match bps {
        v if v >= 1e12 => format!("{} Tbit/s", digits(v / 1e12)),
        v if v >= 1e9 => format!("{} Gbit/s", digits(v / 1e9)),
        v => format!("{} Mbit/s", digits(v / 1e6)),
    }
}

/// Bytes.
pub fn bytes(bytes: u64) -> String {
    let value = bytes as f64;
    match bytes {
        v if v >= 1 << 20 => format!("{} MiB", digits(value / f64::from(1 << 20))),
        v if v >= 1 << 10 => format!("{} KiB", digits(value / f64::from(1 << 10))),
        _ => format!("{bytes} B"),
    }
}

/// A part of a whole, in percent; a dash where there is no whole.
pub fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{} %", digits(100.0 * part as f64 / whole as f64)),
    }
}

/// The value of a target.
pub fn value(value: Option<f64>) -> String {
    value.map_or_else(|| "none".to_owned(), digits)
}

/// A fraction as an axis of percent has it: 0.001 is 0.1.
pub fn in_percent(fraction: f64) -> String {
    // Nine digits are all that a probability has.
    let text = format!("{:.7}", fraction * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A name that every file system takes: lower case, digits, and dashes for all else.
pub fn file_name(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect()
}

/// Text inside HTML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_the_unit_that_fits() {
        assert_eq!(
            (time(1_234_567_890), time(999_000), time(0)),
            ("1.23 ms".into(), "999 ns".into(), "0 ns".into())
        );
        assert_eq!(
            (rate(93_140_000_000), rate(6_400_000_000_000)),
            ("93.1 Gbit/s".into(), "6.40 Tbit/s".into())
        );
        assert_eq!((bytes(1_023), bytes(412 << 10)), ("1023 B".into(), "412 KiB".into()));
        assert_eq!((percent(1, 1_000), percent(1, 0)), ("0.1000 %".into(), "-".into()));
        let percents = [0.0, 0.001, 0.01, 0.1, 0.000_000_001, 1.0].map(in_percent);
        assert_eq!(percents, ["0", "0.1", "1", "10", "0.0000001", "100"]);
        assert_eq!(file_name("Initial window/2"), "initial-window-2");
        assert_eq!(escape("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
    }
}
