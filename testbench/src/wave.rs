//! A waveform of a window of cycles.

use std::ffi::c_void;
use std::ops::Range;
use std::path::{Path, PathBuf};
use verilated::vcd::Vcd;

/// A VCD file, opened when its window begins and closed when it ends.
pub struct Wave {
    path: PathBuf,
    window: Range<u64>,
    file: Option<Vcd>,
}

impl Wave {
    pub(crate) fn new(path: &Path, window: Range<u64>) -> Self {
        Self { path: path.to_path_buf(), window, file: None }
    }

    /// Writes the signals as they are at `now` (nanoseconds) when `cycle` is in the window. `attach` connects the
    /// model to the file before that is opened.
    #[inline]
    pub(crate) fn dump(&mut self, cycle: u64, now: u64, attach: impl FnOnce(*mut c_void)) {
        if !self.window.contains(&cycle) {
            self.file = None;
            return;
        }
        if self.file.is_none() {
            let mut vcd = Vcd::default();
            attach(vcd.0.cast());
            if let Err(error) = vcd.open(&self.path) {
                panic!("waveform {}: {error}", self.path.display());
            }
            self.file = Some(vcd);
        }
        if let Some(vcd) = &mut self.file {
            vcd.dump(now);
        }
    }
}

/// The folder for waveforms: `target/waves` of this workspace, created when needed.
pub fn folder() -> std::io::Result<PathBuf> {
    let out = Path::new(env!("OUT_DIR"));
    // OUT_DIR is target/PROFILE/build/PACKAGE/out.
    let waves = out.ancestors().nth(4).unwrap_or(out).join("waves");
    std::fs::create_dir_all(&waves)?;
    Ok(waves)
}
