//! What the machine is told about memory: an event reads a few lines of many rows.
//!
//! Nothing here changes what is computed.

/// The rows of a thousand hosts are spread over 100 MB: with pages of 4 KiB most reads of them look their page up as well. This allocator
/// asks for pages of 2 MiB, where the system gives them on request.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Has the lines of the cache that hold `item` fetched, without waiting for them. Does nothing on machines other than x86-64.
#[inline(always)]
pub(crate) fn fetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        let start: *const i8 = std::ptr::from_ref(item).cast();
        for line in 0..size_of::<T>().div_ceil(64) {
            // SAFETY: a hint that reads nothing, so any address will do.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(64 * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
