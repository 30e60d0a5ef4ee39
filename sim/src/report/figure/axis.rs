//! Axes: where values stand, and where they are labelled.

use crate::report::show::in_percent;

/// How values stand on an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// In proportion, from 0.
    Linear,
    /// By their logarithm.
    Log,
    /// Names side by side; the value is the place of the name.
    Names(Vec<String>),
    /// A fraction of all, from 0 to 100 %.
    Percent,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Quantity and unit.
    pub label: String,
    /// How values stand.
    pub scale: Scale,
}

impl Axis {
    /// An axis.
    pub fn new(label: &str, scale: Scale) -> Self {
        Self { label: label.to_owned(), scale }
    }
}

/// An axis over the values that are shown.
pub struct Ruler {
    /// Where it begins and ends, in places.
    pub range: (f64, f64),
    /// Places and their labels.
    pub ticks: Vec<(f64, String)>,
    log: bool,
}

impl Ruler {
    /// For these values.
    pub fn new(scale: &Scale, values: impl Iterator<Item = f64>, headroom: f64) -> Self {
        let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        match scale {
            Scale::Linear => {
                let most = if most > 0.0 { most * headroom } else { 1.0 };
                Self { range: (0.0, most), ticks: linear_ticks(most), log: false }
            }
            Scale::Percent => {
                let ticks = [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| (part, in_percent(part)));
                Self { range: (0.0, 1.02), ticks: ticks.to_vec(), log: false }
            }
            Scale::Names(names) => {
                let ticks = names.iter().enumerate().map(|(n, name)| (n as f64, name.clone())).collect();
                Self { range: (-0.5, names.len() as f64 - 0.5), ticks, log: false }
            }
            Scale::Log => {
                let positive = values.iter().copied().filter(|value| *value > 0.0);
                let least = positive.fold(f64::INFINITY, f64::min);
                let (least, most) = if least.is_finite() { (least, most) } else { (1.0, 10.0) };
                let range = ((least * 0.8).log10(), (most * 1.25).log10());
                Self { range, ticks: log_ticks(range), log: true }
            }
        }
    }

    /// Where a value stands; what is below a logarithmic axis stands at its foot.
    pub fn place(&self, value: f64) -> f64 {
        match self.log {
            true if value > 0.0 => value.log10().max(self.range.0),
            true => self.range.0,
            false => value,
        }
    }
}

/// About six, at 1, 2 or 5 times a power of ten.
fn linear_ticks(most: f64) -> Vec<(f64, String)> {
    let rough = most / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|part| part * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(power * 10.0);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    (0..)
        .map(|n| f64::from(n) * step)
        .take_while(|v| *v <= most)
        .map(|v| (v, format!("{v:.decimals$}")))
        .collect()
}

/// 1, 2, 5 of every decade; 1 alone where there are many; about six in proportion where there is hardly one.
fn log_ticks((from, to): (f64, f64)) -> Vec<(f64, String)> {
    let within = |(place, _): &(f64, String)| (from..=to).contains(place);
    if to - from < 1.2 {
        let ticks = linear_ticks(10f64.powf(to)).into_iter();
        return ticks.map(|(value, label)| (value.log10(), label)).filter(within).collect();
    }
    let parts: &[f64] = if to - from > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let decades = from.floor() as i32..=to.ceil() as i32;
    let all = decades.flat_map(|decade| parts.iter().map(move |part| (decade, part)));
    let labelled = all.map(|(decade, part)| {
        let value = part * 10f64.powi(decade);
        let decimals = (-decade).max(0) as usize;
        (value.log10(), format!("{value:.decimals$}"))
    });
    labelled.filter(within).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ruler: &Ruler) -> Vec<&str> {
        ruler.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        let of = |scale: &Scale, values: &[f64]| Ruler::new(scale, values.iter().copied(), 1.0);
        assert_eq!(labels(&of(&Scale::Linear, &[93.0])), ["0", "20", "40", "60", "80"]);
        assert_eq!(labels(&of(&Scale::Linear, &[0.35])), ["0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(&of(&Scale::Log, &[3.0, 40.0])), ["5", "10", "20", "50"]);
        assert_eq!(labels(&of(&Scale::Log, &[2.9, 4.2])), ["3", "4", "5"]);
        assert_eq!(labels(&of(&Scale::Log, &[0.02, 900.0])), ["0.1", "1", "10", "100", "1000"]);
        let names = Scale::Names(vec!["0".into(), "10".into()]);
        let ruler = of(&names, &[]);
        assert_eq!((labels(&ruler), ruler.range), (vec!["0", "10"], (-0.5, 1.5)));
        for empty in [of(&Scale::Linear, &[]), of(&Scale::Log, &[0.0]), of(&Scale::Log, &[f64::NAN])] {
            assert!(empty.range.0 < empty.range.1 && !empty.ticks.is_empty());
        }
        assert_eq!(of(&Scale::Log, &[1.0, 10.0]).place(0.0), 0.8f64.log10());
    }
}
