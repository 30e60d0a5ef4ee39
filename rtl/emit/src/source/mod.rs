//! Checks of kernel source (feature `source`): what rust-hdl's syntax tree does not keep.
//!
//! A kernel runs as Rust and is translated from a tree that has lost some of it: `.index()` leaves no trace,
//! `..=` becomes `..`, a match guard disappears, a constant looks like the signal of the same name, and any
//! function whose name begins like a cast is taken for one. Such a kernel would simulate one way and be
//! emitted another, so a test of every crate with kernels runs [`check_source_dir`] over them.
mod kernel;

use std::fmt;
use std::io;
use std::path::Path;
use syn::visit::Visit;

/// A kernel line that must be written otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// File, or empty for [`check_source`].
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub rule: Rule,
}

/// What a kernel must not say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rule {
    /// The file is not Rust.
    #[error("not Rust: {0}")]
    Syntax(String),
    /// `.index()` elsewhere than as the whole argument of a bit selection.
    #[error(
        ".index() must be the whole index of get_bit, get_bits or replace_bit: the Verilog cannot show it"
    )]
    Index,
    /// `a..=b`.
    #[error("an inclusive range is translated as an exclusive one")]
    InclusiveRange,
    /// `pattern if condition`.
    #[error("a match guard is not translated")]
    Guard,
    /// A plain name that is no loop index.
    #[error("`{0}` is no loop index: a constant or parameter of this name is translated as a signal")]
    Name(String),
    /// A function that only looks like one of rust-hdl's casts or links.
    #[error("`{0}` is translated as if it were rust-hdl's function of a similar name")]
    Function(String),
}

impl fmt::Display for SourceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}: {}", self.file, self.line, self.column, self.rule)
    }
}

/// Checks the kernels (functions with `#[hdl_gen]`) of one file's text.
pub fn check_source(text: &str) -> Vec<SourceError> {
    let at = |start: proc_macro2::LineColumn, rule| SourceError {
        file: String::new(),
        line: start.line,
        column: start.column + 1,
        rule,
    };
    match syn::parse_file(text) {
        Err(error) => vec![at(error.span().start(), Rule::Syntax(error.to_string()))],
        Ok(file) => {
            let mut kernels = kernel::Kernels::default();
            kernels.visit_file(&file);
            kernels.found.into_iter().map(|(start, rule)| at(start, rule)).collect()
        }
    }
}

/// Checks every `.rs` file below `dir`, in the order of their paths.
///
/// # Errors
/// When the folder or a file cannot be read.
pub fn check_source_dir(dir: &Path) -> io::Result<Vec<SourceError>> {
    let mut paths: Vec<_> =
        std::fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut errors = vec![];
    for path in paths {
        if path.is_dir() {
            errors.extend(check_source_dir(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            for error in check_source(&std::fs::read_to_string(&path)?) {
                errors.push(SourceError { file: path.display().to_string(), ..error });
            }
        }
    }
    Ok(errors)
}
