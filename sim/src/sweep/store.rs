//! Finished points on disk: one file each, written whole or not at all, trusted only if it is what was
//! written.

use super::SweepError;
use crate::outcome::Outcome;
use crate::plan::Point;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::Builder;

/// Longest name of a point in a file name; the hash tells the others apart.
const NAME_CHARS: usize = 120;

/// A folder of finished points.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    version: String,
}

/// A file.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Of what was run, and the version that ran it.
    key: String,
    /// Of the outcome.
    check: String,
    point: String,
    settings: serde_json::Value,
    outcome: Outcome,
}

impl Store {
    /// The points in `folder`, which is made if it is not there; those of another `version` are not used.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn open(folder: &Path, version: &str) -> Result<Self, SweepError> {
        fs::create_dir_all(folder).map_err(|error| SweepError::Store { path: folder.to_owned(), error })?;
        Ok(Self { folder: folder.to_owned(), version: version.to_owned() })
    }

    /// The outcome of a point that was finished. What is not there, or not whole, is `None`.
    pub fn load(&self, point: &Point) -> Option<Outcome> {
        let kept: Kept = serde_json::from_slice(&fs::read(self.path(point)).ok()?).ok()?;
        (kept.key == self.key(point) && kept.check == hash(&[&json(&kept.outcome)])).then_some(kept.outcome)
    }

    /// Keeps an outcome.
    ///
    /// # Errors
    /// When it cannot be written; then nothing is left there.
    pub fn save(&self, point: &Point, outcome: &Outcome) -> Result<(), SweepError> {
        let kept = Kept {
            key: self.key(point),
            check: hash(&[&json(outcome)]),
            point: point.name().to_owned(),
            settings: serde_json::to_value(point.settings()).unwrap_or_default(),
            outcome: outcome.clone(),
        };
        let path = self.path(point);
        let write = || -> io::Result<()> {
            // Beside its place, so that a rename puts it there whole.
            let mut file = Builder::new().prefix(".part-").tempfile_in(&self.folder)?;
            file.write_all(json(&kept).as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path).map(drop).map_err(|e| e.error)
        };
        write().map_err(|error| SweepError::Store { path: path.clone(), error })
    }

    /// Where a point is kept.
    pub fn path(&self, point: &Point) -> PathBuf {
        let letter = |c: char| if c.is_ascii_alphanumeric() || "-_=.".contains(c) { c } else { '_' };
        let name: String = point.name().chars().take(NAME_CHARS).map(letter).collect();
        self.folder.join(format!("{name}-{}.json", &self.key(point)[..16]))
    }

    /// Of all that an outcome follows from.
    fn key(&self, point: &Point) -> String {
        key(&self.version, point)
    }
}

/// The version of the program that runs, and a hash of it: results of one build are not those of another.
///
/// # Errors
/// When the program cannot be read.
pub fn program_version(version: &str) -> io::Result<String> {
    let program = fs::read(std::env::current_exe()?)?;
    Ok(format!("{version}, build {}", &hex(&Sha256::digest(program))[..12]))
}

/// Of a program and what it runs: equal where the same points give the same outcomes.
pub fn hash_of(version: &str, points: &[Point]) -> String {
    let keys: Vec<_> = points.iter().map(|point| key(version, point)).collect();
    hash(&keys.iter().map(String::as_str).collect::<Vec<_>>())
}

fn key(version: &str, point: &Point) -> String {
    // What is in other files, like a trace, is in the checked settings alone.
    hash(&[version, &json(point.settings()), &format!("{:?}", **point)])
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// SHA-256 of texts, each with its length.
fn hash(texts: &[&str]) -> String {
    let mut sha = Sha256::new();
    for text in texts {
        sha.update((text.len() as u64).to_le_bytes());
        sha.update(text.as_bytes());
    }
    hex(&sha.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
