//! Results kept by the hash of everything they depend on, so an unchanged block is not synthesised again.

use crate::tool::ToolError;
use serde::de::DeserializeOwned;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// A folder of results, or none.
pub struct Cache {
    dir: Option<PathBuf>,
}

impl Cache {
    /// Keeps results in `dir`; without one nothing is kept.
    pub fn new(dir: Option<PathBuf>) -> Result<Self, ToolError> {
        if let Some(dir) = &dir {
            std::fs::create_dir_all(dir).map_err(|source| ToolError::io(dir, source))?;
        }
        Ok(Self { dir })
    }

    /// The result kept under `key`. A file that cannot be read or understood counts as none.
    pub fn get<T: DeserializeOwned>(&self, key: &[&str]) -> Option<T> {
        let text = std::fs::read_to_string(self.file(key)?).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Keeps a result under `key`.
    pub fn put<T: Serialize>(&self, key: &[&str], value: &T) -> Result<(), ToolError> {
        let (Some(file), Some(dir)) = (self.file(key), &self.dir) else { return Ok(()) };
        let write = || {
            let mut part = tempfile::NamedTempFile::new_in(dir)?;
            serde_json::to_writer(&mut part, value)?;
            part.persist(&file).map_err(|e| e.error)
        };
        write().map(drop).map_err(|source| ToolError::io(&file, source))
    }

    fn file(&self, key: &[&str]) -> Option<PathBuf> {
        let mut hash = Sha256::new();
        for part in key {
            // With its length before it, a part cannot run into the next.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let name: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Some(self.dir.as_ref()?.join(format!("{name}.json")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_is_found_under_its_own_key_only() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(dir.path().join("new"))).unwrap();
        cache.put(&["fmax", "netlist", "8"], &189.5).unwrap();
        assert_eq!(cache.get(&["fmax", "netlist", "8"]), Some(189.5));
        assert_eq!(cache.get::<f64>(&["fmax", "netlist", "6"]), None);
        assert_eq!(cache.get::<f64>(&["fmax", "netlist8", ""]), None, "parts run into each other");
    }

    #[test]
    fn damaged_result_counts_as_none() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(dir.path().to_owned())).unwrap();
        cache.put(&["k"], &1.0).unwrap();
        let file = std::fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
        std::fs::write(file, "1.").unwrap();
        assert_eq!(cache.get::<f64>(&["k"]), None);
    }

    #[test]
    fn without_a_folder_nothing_is_kept() {
        let cache = Cache::new(None).unwrap();
        cache.put(&["k"], &1.0).unwrap();
        assert_eq!(cache.get::<f64>(&["k"]), None);
    }
}
