//! From a file to work requests.

use super::super::scenario::{Draw, Scenario};
use super::super::setup::{sender, RECEIVER};
use super::layout::{complement, Layout};
use heddle_wire::{Opcode, WorkRequest};
use rand::RngCore;

/// Least bytes of a message, the last one apart.
pub const MIN_MESSAGE_BYTES: u64 = 64 << 10;
/// Most bytes of a message.
pub const MAX_MESSAGE_BYTES: u64 = 1 << 20;

/// The first sender's random file of `--workload write`.
pub fn random_file(scenario: &Scenario, bytes: usize) -> Vec<u8> {
    random_file_of(scenario, 0, bytes)
}

fn random_file_of(scenario: &Scenario, k: usize, bytes: usize) -> Vec<u8> {
    let mut file = vec![0; bytes];
    scenario.rng_of(Draw::File, k).fill_bytes(&mut file);
    file
}

/// Bytes of every message but the last: a 4 x streams-th of the file in whole 4 KiB, within the limits above.
/// So a file of some size keeps every stream busy with several messages.
pub fn message_bytes(file_bytes: u64, streams: u32) -> u64 {
    let share = file_bytes.div_ceil(4 * u64::from(streams)).next_multiple_of(4096);
    share.clamp(MIN_MESSAGE_BYTES, MAX_MESSAGE_BYTES)
}

/// Every sender writes this file.
pub fn write_file(layout: &mut Layout<'_>, file: &[u8]) {
    (0..layout.scenario().senders() as usize).for_each(|k| write(layout, k, file));
}

/// Every sender writes a file of its own.
pub fn write_random_files(layout: &mut Layout<'_>, bytes: usize) {
    for k in 0..layout.scenario().senders() as usize {
        let file = random_file_of(layout.scenario(), k, bytes);
        write(layout, k, &file);
    }
}

/// The WRITEs that move a file, message n on stream n mod streams; an empty file is one empty message.
fn write(layout: &mut Layout<'_>, k: usize, file: &[u8]) {
    let (bytes, streams) = (file.len() as u64, layout.scenario().config().streams());
    let message = message_bytes(bytes, streams);
    let count = bytes.div_ceil(message).max(1);
    let local = layout.place(sender(k), file);
    let remote = layout.place(RECEIVER, &complement(file));
    let (conn, rkey) = (layout.connection(sender(k), RECEIVER), layout.rkey(RECEIVER));
    for n in 0..count {
        layout.request(
            sender(k),
            WorkRequest {
                opcode: Opcode::Write.code(),
                conn,
                stream: (n % u64::from(streams)) as u8,
                local_address: local + n * message,
                remote_address: remote + n * message,
                length: (bytes - n * message).min(message) as u32,
                rkey,
                ..WorkRequest::default()
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_64_kib_to_1_mib_and_keep_every_stream_busy() {
        // By hand: 1 MiB over 16 shares is 64 KiB; 10 MiB is 640 KiB; a GiB has the largest messages.
        for (file, streams, want) in
            [(0, 4, 65536), (1, 4, 65536), (1 << 20, 4, 65536), (10 << 20, 4, 655_360), (1 << 30, 4, 1 << 20)]
        {
            assert_eq!(message_bytes(file, streams), want, "{file} bytes");
        }
        assert_eq!(message_bytes((10 << 20) + 1, 4), 655_360 + 4096);
    }
}
