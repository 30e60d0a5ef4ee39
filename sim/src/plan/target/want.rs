//! A bound, and what was found.

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A bound of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Want {
    sign: &'static str,
    bound: f64,
}

/// Signs, the longer ones first.
const SIGNS: [&str; 4] = [">=", "<=", ">", "<"];

impl Want {
    /// Whether a value is within it.
    pub fn is_met(self, value: f64) -> bool {
        match self.sign {
            ">=" => value >= self.bound,
            "<=" => value <= self.bound,
            ">" => value > self.bound,
            _ => value < self.bound,
        }
    }

    /// Whether `value` is further out than `other`; what is no number is worst of all.
    pub fn is_worse(self, value: f64, other: f64) -> bool {
        match self.sign.starts_with('>') {
            _ if value.is_nan() => !other.is_nan(),
            true => value < other,
            false => value > other,
        }
    }
}

impl fmt::Display for Want {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.sign, self.bound)
    }
}

impl<'de> Deserialize<'de> for Want {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let sign = SIGNS.into_iter().find(|sign| text.starts_with(sign));
        let bound = sign.and_then(|sign| text[sign.len()..].trim().parse::<f64>().ok());
        match (sign, bound.filter(|bound| bound.is_finite())) {
            (Some(sign), Some(bound)) => Ok(Self { sign, bound }),
            _ => Err(de::Error::custom(format!(
                "{text:?} is not understood: needed is a bound like \">= 0.97\""
            ))),
        }
    }
}

/// A target and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The target.
    pub name: String,
    /// What was expected.
    pub want: String,
    /// What was found, the worst of all points that it speaks of; none if it is no number.
    pub value: Option<f64>,
    /// Whether it came true.
    pub met: bool,
    /// The point of the value.
    pub at: String,
}
