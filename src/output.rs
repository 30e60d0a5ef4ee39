//! Writing results so that a failure leaves nothing half-written behind.

use crate::failure::Failure;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// File that marks a folder as one of ours, so that a second run may replace it.
const MARK: &str = ".heddle-output";

/// Prints to standard output; a reader that has seen enough is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Run(format!("cannot print the result: {e}")))
        }
        _ => Ok(()),
    }
}

/// Writes `text` to `path`: all of it or, on failure, nothing.
pub fn file(path: &Path, text: &str) -> Result<(), Failure> {
    let write = || {
        // A device or a pipe is written to; it must not be replaced by a file.
        if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
            return fs::write(path, text);
        }
        let mut part = NamedTempFile::new_in(parent(path))?;
        part.write_all(text.as_bytes())?;
        part.as_file().sync_all()?;
        part.persist(path).map(drop).map_err(|e| e.error)
    };
    write().map_err(|e| cannot_write(path, &e))
}

/// Makes folder `dir` of `files` (name and text): all of them or, on failure, nothing.
///
/// An empty folder and an earlier output are replaced, anything else is left alone and refused.
pub fn folder(dir: &Path, files: &[(String, String)]) -> Result<(), Failure> {
    if dir.exists() && !may_replace(dir) {
        return Err(Failure::Usage(format!(
            "{} exists and is no earlier output of this command: name a new or an empty folder",
            dir.display()
        )));
    }
    let write = || {
        fs::create_dir_all(parent(dir))?;
        // Beside its target, so that it is on the same file system and one rename puts it in place.
        let part = Builder::new().prefix(".heddle-part-").tempdir_in(parent(dir))?;
        let fresh = part.path().join("new");
        fs::create_dir(&fresh)?;
        for (name, text) in files.iter().map(|(n, t)| (n.as_str(), t.as_str())).chain([(MARK, "")]) {
            let mut file = fs::File::create(fresh.join(name))?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
        }
        let old = part.path().join("old");
        let had_old = dir.exists();
        if had_old {
            fs::rename(dir, &old)?;
        }
        fs::rename(&fresh, dir).or_else(|e| {
            if had_old {
                fs::rename(&old, dir)?;
            }
            Err(e)
        })
    };
    write().map_err(|e| cannot_write(dir, &e))
}

fn may_replace(dir: &Path) -> bool {
    dir.join(MARK).is_file() || fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
}

fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    Failure::Run(format!(
        "cannot write {path}, nothing was left there: {error}; free the place or name another"
    ))
}
