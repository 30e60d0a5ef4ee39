//! Verilator's runtime library, compiled once and not for every test.
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

const OBJECTS: [&str; 3] = ["verilated.o", "verilated_threads.o", "verilated_timing.o"];

/// A folder with the runtime's object files for this version of Verilator.
pub(super) struct Runtime(PathBuf);

impl Runtime {
    pub fn find() -> Self {
        let version = Command::new("verilator").arg("--version").output().map(|output| output.stdout);
        let version = String::from_utf8_lossy(&version.unwrap_or_default()).into_owned();
        let tag: String = version.chars().filter(char::is_ascii_alphanumeric).collect();
        Self(std::env::temp_dir().join(format!("heddle-verilator-runtime-{tag}")))
    }

    /// Puts the objects, if there are all of them, where the build expects its own.
    pub fn copy_to(&self, build: &Path) -> io::Result<()> {
        if OBJECTS.iter().all(|object| self.0.join(object).is_file()) {
            std::fs::create_dir_all(build)?;
            for object in OBJECTS {
                std::fs::copy(self.0.join(object), build.join(object))?;
            }
        }
        Ok(())
    }

    /// Keeps the objects of a finished build.
    pub fn keep_from(&self, build: &Path) -> io::Result<()> {
        std::fs::create_dir_all(&self.0)?;
        for object in OBJECTS {
            let kept = self.0.join(object);
            let built = build.join(object);
            if !kept.is_file() && built.is_file() {
                // Renamed into place, since another test may be doing the same.
                let part =
                    self.0.join(format!("{object}.{}.{:?}", std::process::id(), std::thread::current().id()));
                std::fs::copy(built, &part)?;
                std::fs::rename(&part, &kept)?;
            }
        }
        Ok(())
    }
}
