//! Two whole cores back to back: work requests in at one, bytes in the other's memory, completions out; the golden model's block beside
//! every block of both.

mod core_world;
#[path = "core_world/pair.rs"]
mod pair;

use heddle_testbench::duts::{CoreGbe, CoreTiny};
use heddle_wire::registers::Counter;
use pair::{Pair, Seen, Wire};

const SEED: u32 = 1;
/// Blocks of a core that have a model.
const BLOCKS: usize = 21;

fn gbe(bytes: usize, lose_every: u64) -> Seen {
    Pair::<CoreGbe>::new(SEED, bytes, Wire { lose_every }).run()
}

#[test]
fn a_few_bytes_arrive_and_complete() {
    for bytes in [0, 1, 100, 1023, 1024, 1025] {
        let seen = gbe(bytes, 0);
        let packets = bytes.div_ceil(1024).max(1) as u32;
        assert_eq!(seen.counted(Counter::DataSent, 0), packets, "{bytes} bytes");
        assert_eq!(seen.counted(Counter::BytesWritten, 1), bytes as u32);
        assert_eq!(
            (seen.counted(Counter::MessagesSent, 0), seen.counted(Counter::MessagesReceived, 1)),
            (1, 1)
        );
        assert!(seen.compared > 30, "{} compared", seen.compared);
    }
}

#[test]
fn the_smallest_configuration_moves_bytes_too() {
    let seen = Pair::<CoreTiny>::new(SEED, 5_000, Wire { lose_every: 0 }).run();
    assert_eq!(seen.counted(Counter::DataAccepted, 1), 5_000_u32.div_ceil(256));
}

#[test]
fn a_quarter_of_a_mebibyte_arrives_without_any_packet_twice() {
    let seen = gbe(1 << 18, 0);
    assert_eq!((seen.counted(Counter::DataSent, 0), seen.counted(Counter::DataResent, 0)), (256, 0));
    assert_eq!(
        (seen.counted(Counter::DataAccepted, 1), seen.counted(Counter::FramesReceived, 1)),
        (256, 256)
    );
    assert!(seen.acks[0] == 0 && seen.acks[1] > 60, "{:?} ACKs with and without SACK words", seen.acks);
    let idle: Vec<_> = seen.crossed.iter().filter(|(_, crossed)| **crossed == 0).collect();
    assert!(seen.crossed.len() == BLOCKS && idle.is_empty(), "watched: {:?}, idle: {idle:?}", seen.crossed);
}

#[test]
fn losses_of_frames_of_either_kind_are_repaired() {
    for (lose_every, bytes) in [(100, 1 << 18), (7, 100_000), (3, 30_000)] {
        let seen = gbe(bytes, lose_every);
        let again = seen.counted(Counter::DataResent, 0) + seen.counted(Counter::ExpiryResent, 0);
        assert!(again > 0, "every {lose_every}th frame is lost and nothing is sent again");
        assert_eq!(seen.counted(Counter::DataAccepted, 1), bytes.div_ceil(1024) as u32);
        // A gap is told of, and that it is closed.
        assert!(seen.acks.iter().all(|&acks| acks > 3), "{:?} ACKs with and without SACK words", seen.acks);
    }
}
