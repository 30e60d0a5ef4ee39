//! Where a core's frames go: a buffer of bytes, or whoever wants the frame itself.
//!
//! A simulator of many cores has no use for bytes: it takes each frame as it is handed over, and asks memory for nothing.

use crate::memory::Memory;
use heddle_wire::{EmitError, Frame};

/// Takes a core's frames one at a time.
pub trait Line {
    /// The payload of the next frame: the `len` bytes of memory at `local`, zero-padded to whole words. `buffer` may hold them. `None` when
    /// memory answers with an error; the frame is not sent then.
    fn load<'p>(
        &mut self,
        memory: &mut impl Memory,
        local: u64,
        len: u16,
        buffer: &'p mut Vec<u8>,
    ) -> Option<&'p [u8]>;

    /// The next frame; its bytes without FCS.
    ///
    /// # Errors
    /// Those of [`Frame::emit`].
    fn put(&mut self, frame: &Frame<&[u8]>) -> Result<usize, EmitError>;
}

/// The last frame's bytes.
impl Line for Vec<u8> {
    fn load<'p>(
        &mut self,
        memory: &mut impl Memory,
        local: u64,
        len: u16,
        buffer: &'p mut Vec<u8>,
    ) -> Option<&'p [u8]> {
        buffer.clear();
        buffer.resize(usize::from(len).next_multiple_of(4), 0);
        let loaded = len == 0 || memory.read(local, &mut buffer[..usize::from(len)]);
        loaded.then_some(buffer)
    }

    fn put(&mut self, frame: &Frame<&[u8]>) -> Result<usize, EmitError> {
        frame.emit_into(self)?;
        Ok(self.len())
    }
}
