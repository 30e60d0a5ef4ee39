//! What an emission gives: modules, children first.
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One Verilog module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Module name, also the file stem.
    pub name: String,
    /// Verilog-2005 text.
    pub text: String,
}

/// The modules of one design, children before parents; the top is last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Netlist {
    modules: Vec<Module>,
}

impl Netlist {
    pub(crate) fn new(modules: Vec<Module>) -> Self {
        Self { modules }
    }

    /// All modules, children first.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// All modules in one text.
    pub fn text(&self) -> String {
        self.modules.iter().map(|module| module.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Writes `NAME.v` for each module into `dir`, which is created if missing, and returns the paths.
    ///
    /// # Errors
    /// When the folder or a file cannot be written.
    pub fn write_dir(&self, dir: &Path) -> io::Result<Vec<PathBuf>> {
        fs::create_dir_all(dir)?;
        let mut paths = Vec::with_capacity(self.modules.len());
        for module in &self.modules {
            let path = dir.join(format!("{}.v", module.name));
            fs::write(&path, &module.text)?;
            paths.push(path);
        }
        Ok(paths)
    }
}
