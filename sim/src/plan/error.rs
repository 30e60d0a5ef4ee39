//! Why a plan is refused.

use std::fmt;
use thiserror::Error;

/// Where something was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// File, or part of the command line.
    pub source: String,
    /// Line in the file, from 1; 0 where there are no lines.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.source),
            line => write!(f, "{}, line {line}", self.source),
        }
    }
}

/// One sentence: file and line, key, what was seen, what is possible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{origin}: {}{message}", if key.is_empty() { String::new() } else { format!("{key}: ") })]
pub struct PlanError {
    /// Where.
    pub origin: Origin,
    /// Which key; empty where it is about no key.
    pub key: String,
    /// What was seen and what is possible.
    pub message: String,
}

/// A refusal of a key's value, before it is known where that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which key.
    pub key: String,
    /// What was seen and what is possible.
    pub message: String,
}

impl Refusal {
    /// A refusal.
    pub fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { key: key.into(), message: message.into() }
    }
}
