//! Writing results so that a failure leaves nothing half-written behind.

use crate::failure::Failure;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempDir};

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
    let mut part = Part::begin(path, path)?;
    part.write_all(text.as_bytes()).map_err(|e| cannot_write(path, &e))?;
    part.commit()
}

/// A file in the making: it appears under its name when it is committed, else it leaves nothing behind.
pub struct Part {
    target: PathBuf,
    shown: PathBuf,
    to: To,
}

enum To {
    Temporary(NamedTempFile),
    /// A device or a pipe is written to; it must not be replaced by a file.
    Direct(fs::File),
}

impl Part {
    /// For the file `target`, which messages call `shown`.
    pub fn begin(target: &Path, shown: &Path) -> Result<Self, Failure> {
        let to = match fs::metadata(target) {
            Ok(meta) if meta.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(meta) if !meta.is_file() => fs::OpenOptions::new().write(true).open(target).map(To::Direct),
            // Beside its target, so that it is on the same file system and a rename puts it in place.
            // With the permissions that any other program's new file has.
            _ => Builder::new()
                .permissions(fs::Permissions::from_mode(0o666))
                .tempfile_in(parent(target))
                .map(To::Temporary),
        };
        let to = to.map_err(|e| cannot_write(shown, &e))?;
        Ok(Self { target: target.to_owned(), shown: shown.to_owned(), to })
    }

    /// Where it is written until then, for those who write by name.
    pub fn path(&self) -> &Path {
        match &self.to {
            To::Temporary(part) => part.path(),
            To::Direct(_) => &self.target,
        }
    }

    /// Sees to it that there is room for so many bytes: for programs that write by name and end the process
    /// where there is none. The file is empty again on return.
    pub fn reserve(&self, bytes: usize) -> Result<(), Failure> {
        let To::Temporary(part) = &self.to else { return Ok(()) };
        let mut file = part.as_file();
        let reserved =
            file.write_all(&vec![0; bytes]).and_then(|()| file.sync_all()).and_then(|()| file.set_len(0));
        reserved.map_err(|e| cannot_write(&self.shown, &e))
    }

    /// Puts the file in place.
    pub fn commit(self) -> Result<(), Failure> {
        let done = match self.to {
            To::Temporary(part) => part
                .as_file()
                .sync_all()
                .and_then(|()| part.persist(&self.target).map(drop).map_err(|e| e.error)),
            To::Direct(_) => Ok(()),
        };
        done.map_err(|e| cannot_write(&self.shown, &e))
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Temporary(part) => part.write(bytes),
            To::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Temporary(part) => part.flush(),
            To::Direct(file) => file.flush(),
        }
    }
}

/// Makes folder `dir` of `files` (name and text): all of them or, on failure, nothing.
pub fn folder(dir: &Path, files: &[(String, String)]) -> Result<(), Failure> {
    let folder = Folder::begin(dir)?;
    for (name, text) in files {
        folder.file(name, text)?;
    }
    folder.commit()
}

/// A folder in the making: it appears under its name when it is committed, else it leaves nothing behind.
pub struct Folder {
    target: PathBuf,
    part: TempDir,
}

impl Folder {
    /// For the folder `target`. An empty folder and an earlier output are replaced, anything else is left
    /// alone and refused.
    pub fn begin(target: &Path) -> Result<Self, Failure> {
        if target.exists() && !may_replace(target) {
            return Err(Failure::Usage(format!(
                "{} exists and is no earlier output of this command: name a new or an empty folder",
                target.display()
            )));
        }
        let begin = || {
            fs::create_dir_all(parent(target))?;
            // Beside its target, so that it is on the same file system and one rename puts it in place.
            let part = Builder::new().prefix(".heddle-part-").tempdir_in(parent(target))?;
            fs::create_dir(part.path().join("new"))?;
            Ok(part)
        };
        let part = begin().map_err(|e| cannot_write(target, &e))?;
        Ok(Self { target: target.to_owned(), part })
    }

    /// Where a file of this name is written until then.
    pub fn path(&self, name: &str) -> PathBuf {
        self.part.path().join("new").join(name)
    }

    /// Adds a file; a name like `verilog/core.v` makes the folder too.
    pub fn file(&self, name: &str, text: &str) -> Result<(), Failure> {
        let write = || {
            let path = self.path(name);
            fs::create_dir_all(parent(&path))?;
            let mut file = fs::File::create(path)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        write().map_err(|e| cannot_write(&self.target, &e))
    }

    /// Puts the folder in place.
    pub fn commit(self) -> Result<(), Failure> {
        self.file(MARK, "")?;
        let (fresh, old) = (self.part.path().join("new"), self.part.path().join("old"));
        let had_old = self.target.exists();
        let replace = || {
            if had_old {
                fs::rename(&self.target, &old)?;
            }
            fs::rename(&fresh, &self.target).or_else(|e| {
                if had_old {
                    fs::rename(&old, &self.target)?;
                }
                Err(e)
            })
        };
        replace().map_err(|e| cannot_write(&self.target, &e))
    }
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

/// What to say when `path` cannot be written.
pub fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    Failure::Run(format!(
        "cannot write {path}, nothing was left there: {error}; free the place or name another"
    ))
}
