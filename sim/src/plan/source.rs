//! Where a plan comes from.

use super::builtin::{builtin, builtins};
use super::error::{Origin, PlanError};
use std::path::{Path, PathBuf};

/// The text of a plan, and how messages call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the plan: of the file without its ending, or of the built-in plan.
    pub name: String,
    /// How messages call it.
    pub shown: String,
    /// The TOML.
    pub text: String,
    /// Where the files are that it names.
    pub folder: PathBuf,
}

impl Source {
    /// What a command line calls a plan: a file that ends with `.toml`, or the name of a built-in one.
    ///
    /// # Errors
    /// When there is no such plan, or its file cannot be read.
    pub fn open(name: &str) -> Result<Self, PlanError> {
        Self::open_beside(name, Path::new(""))
    }

    /// The same for a file named by a plan in `folder`.
    pub(super) fn open_beside(name: &str, folder: &Path) -> Result<Self, PlanError> {
        let refuse = |message: String| PlanError {
            origin: Origin { source: name.to_owned(), line: 0 },
            key: String::new(),
            message,
        };
        let path = folder.join(name);
        if path.extension().is_some_and(|ending| ending == "toml") {
            let text = std::fs::read_to_string(&path)
                .map_err(|e| refuse(format!("cannot be read: {e}; name a plan that is there")))?;
            let stem = path.file_stem().map_or_else(|| "plan".into(), |stem| stem.to_string_lossy());
            let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
            return Ok(Self { name: stem.into_owned(), shown: path.display().to_string(), text, folder });
        }
        let known = builtin(name).ok_or_else(|| {
            let names: Vec<_> = builtins().iter().map(|plan| plan.name).collect();
            refuse(format!(
                "is neither a file that ends with .toml nor a built-in plan: those are {}",
                names.join(", ")
            ))
        })?;
        Ok(Self {
            name: known.name.to_owned(),
            shown: format!("built-in plan {}", known.name),
            text: known.text.to_owned(),
            folder: PathBuf::new(),
        })
    }

    /// A plan of text.
    pub fn of_text(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), shown: name.to_owned(), text: text.to_owned(), folder: PathBuf::new() }
    }
}
