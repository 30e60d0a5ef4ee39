//! In steady state an endpoint allocates nothing per packet.

#[path = "../benches/script/mod.rs"]
mod script;

use script::{record, Buffer};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: all is the system's allocator's work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        System.dealloc(pointer, layout);
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        System.realloc(pointer, layout, size)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn neither_a_sent_nor_a_received_packet_allocates_under_loss() {
    for script in record(10, 4_000, 4_000) {
        let (mut core, mut memory, mut bytes) = (script.core.clone(), Buffer::new(), Vec::new());
        bytes.reserve(4096);
        // A clone's queues have no room to spare: the first half grows them.
        let half = script.events.len() / 2;
        script.replay(&mut core, &mut memory, &mut bytes, 0..half);
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        script.replay(&mut core, &mut memory, &mut bytes, half..script.events.len());
        let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
        assert!(script.packets > 3_000, "{} packets", script.packets);
        assert_eq!(allocations, 0, "in the second half of {} packets", script.packets);
    }
}
