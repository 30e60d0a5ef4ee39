//! What one monitor finds, cycle by cycle.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};

/// A difference between RTL and model, or a rule of the handshake broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Clock cycle since power-on.
    pub cycle: u64,
    /// The channel's name.
    pub channel: String,
    /// What differs, with both values.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} @cycle {}: {}", self.channel, self.cycle, self.what)
    }
}

/// Collects mismatches, progress and coverage.
#[derive(Clone, Debug, Default)]
pub struct Check {
    cycle: u64,
    first: Option<Mismatch>,
    mismatches: u64,
    progress: u64,
    cover: BTreeMap<&'static str, u64>,
}

impl Check {
    /// The cycle being looked at.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    pub(crate) fn at(&mut self, cycle: u64) {
        self.cycle = cycle;
    }

    /// Records a mismatch on `channel`.
    pub fn mismatch(&mut self, channel: &str, what: impl Into<String>) {
        self.mismatches += 1;
        if self.first.is_none() {
            let (cycle, channel, what) = (self.cycle, channel.to_string(), what.into());
            self.first = Some(Mismatch { cycle, channel, what });
        }
    }

    /// Counts that a situation occurred; tests assert that those they are about did.
    pub fn cover(&mut self, situation: &'static str) {
        *self.cover.entry(situation).or_default() += 1;
    }

    /// The first mismatch.
    pub fn first(&self) -> Option<&Mismatch> {
        self.first.as_ref()
    }

    /// How many mismatches there were.
    pub fn mismatches(&self) -> u64 {
        self.mismatches
    }

    /// Every situation that occurred, and how often.
    pub fn covered(&self) -> &BTreeMap<&'static str, u64> {
        &self.cover
    }

    pub(crate) fn moved(&mut self) {
        self.progress += 1;
    }

    pub(crate) fn progress(&self) -> u64 {
        self.progress
    }
}

/// The fields in which two values differ, by the lines of their debug text: `cum: rtl 0x5, model 0x6`.
pub(crate) fn difference<T: Debug>(rtl: &T, model: &T) -> String {
    let (seen, want) = (format!("{rtl:#x?}"), format!("{model:#x?}"));
    let (seen, want): (Vec<&str>, Vec<&str>) = (seen.lines().collect(), want.lines().collect());
    let fields: Vec<String> =
        seen.iter().zip(&want).filter(|(a, b)| a != b).map(|(a, b)| field(a, b)).collect();
    if seen.len() != want.len() || fields.is_empty() || fields.len() > 12 {
        return format!("rtl {rtl:x?}, model {model:x?}");
    }
    fields.join("; ")
}

fn field(rtl: &str, model: &str) -> String {
    let (rtl, model) = (rtl.trim().trim_end_matches(','), model.trim().trim_end_matches(','));
    match (rtl.split_once(": "), model.split_once(": ")) {
        (Some((name, rtl)), Some((same, model))) if name == same => {
            format!("{name}: rtl {rtl}, model {model}")
        }
        _ => format!("rtl {rtl}, model {model}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Row {
        _cum: u32,
        _ce: bool,
    }

    #[test]
    fn a_difference_names_the_field_and_both_values() {
        let row = |cum, ce| Row { _cum: cum, _ce: ce };
        assert_eq!(difference(&row(5, true), &row(6, true)), "_cum: rtl 0x5, model 0x6");
        let both = difference(&row(5, true), &row(6, false));
        assert_eq!(both, "_cum: rtl 0x5, model 0x6; _ce: rtl true, model false");
        assert_eq!(difference(&3, &4), "rtl 0x3, model 0x4");
    }

    #[test]
    fn the_first_mismatch_is_kept_and_all_are_counted() {
        let mut check = Check::default();
        check.at(9);
        check.mismatch("out", "a");
        check.at(12);
        check.mismatch("out", "b");
        assert_eq!(check.first().unwrap().to_string(), "out @cycle 9: a");
        assert_eq!(check.mismatches(), 2);
    }
}
