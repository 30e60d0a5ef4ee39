//! Whatever bytes arrive: an accept, or exactly one reason; never a panic; and what was accepted is given
//! back unchanged.

use crate::support::one_of_each;
use heddle_wire::*;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// The seed of a test: its own, or the one that the environment asks to replay.
pub fn seed(own: u64) -> u64 {
    let asked = std::env::var("SEED").ok().map(|s| s.parse().expect("SEED is a decimal number"));
    let seed = asked.unwrap_or(own);
    println!("replay: SEED={seed} cargo test -p heddle-wire --test wire");
    seed
}

fn parse(bytes: &[u8]) -> Result<Frame, ParseError> {
    Frame::parse(bytes, ParseConfig::default())
}

/// Parses, and checks the promise of `emit` on what is accepted.
fn parse_and_check(bytes: &[u8]) -> Result<(), DropReason> {
    let frame = match parse(bytes) {
        Ok(frame) => frame,
        Err(error) => return Err(error.reason),
    };
    let mut want = bytes.to_vec();
    let ip_start = if frame.vlan.is_some() { 18 } else { 14 };
    if !frame.ip.is_v6() && want[ip_start + 10..ip_start + 12] == [0xff, 0xff] {
        want[ip_start + 10..ip_start + 12].fill(0); // the other spelling of a zero checksum
    }
    assert_eq!(frame.emit().unwrap(), want);
    Ok(())
}

#[test]
fn every_kind_round_trips_over_every_lower_header() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(1));
    let mut compared = 0;
    for _ in 0..50 {
        for frame in one_of_each(&mut rng) {
            let bytes = frame.emit().unwrap();
            assert_eq!(parse(&bytes), Ok(frame));
            parse_and_check(&bytes).unwrap();
            compared += 1;
        }
    }
    assert_eq!(compared, 50 * 4 * 14);
}

#[test]
fn a_frame_cut_at_any_byte_or_lengthened_is_dropped_for_its_length() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(2));
    let (mut cuts, mut bytes_seen) = (0, 0);
    for frame in one_of_each(&mut rng) {
        let bytes = frame.emit().unwrap();
        let (l2, l3) = (if frame.vlan.is_some() { 18 } else { 14 }, if frame.ip.is_v6() { 40 } else { 20 });
        bytes_seen += bytes.len();
        for cut in 0..bytes.len() {
            let want = match cut {
                _ if cut < l2 => DropReason::EthernetTruncated,
                _ if cut < l2 + l3 => DropReason::IpTruncated,
                _ => DropReason::IpLength,
            };
            assert_eq!(parse(&bytes[..cut]).unwrap_err().reason, want, "cut at {cut}");
            cuts += 1;
        }
        let mut long = bytes.clone();
        for _ in 0..64 {
            long.push(rng.gen());
            assert_eq!(parse(&long).unwrap_err().reason, DropReason::IpTrailing);
        }
    }
    assert_eq!(cuts, bytes_seen);
}

/// Every single bit of every kind: masked and Ethernet bits leave the frame accepted, any other bit gives one
/// reason.
#[test]
fn a_flipped_bit_is_accepted_only_where_neither_checksum_covers_it() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(3));
    let (mut flipped, mut accepted) = (0, 0);
    for frame in one_of_each(&mut rng) {
        let bytes = frame.emit().unwrap();
        let l2 = if frame.vlan.is_some() { 18 } else { 14 };
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 0x80 >> (bit % 8);
            let free = match bit / 8 {
                byte if byte < 12 => true,
                14 | 15 if frame.vlan.is_some() => true,
                byte if byte < l2 => false,
                byte if frame.ip.is_v6() => {
                    matches!(byte - l2, 1 | 2 | 3 | 7 | 46 | 47) || (byte == l2 && bit % 8 >= 4)
                }
                byte => matches!(byte - l2, 26 | 27),
            };
            assert_eq!(parse_and_check(&changed).is_ok(), free, "bit {bit} of {frame:?}");
            flipped += 1;
            accepted += usize::from(free);
        }
    }
    assert_eq!(accepted, 14 * (2 * (96 + 16) + 2 * (96 + 52)) + 14 * 2 * 16);
    assert!(flipped > accepted);
}

#[test]
fn mutated_and_arbitrary_bytes_give_an_accept_or_one_reason() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(4));
    let mut reasons = BTreeSet::new();
    let (mut tried, mut accepted) = (0, 0);
    for round in 0..400 {
        for frame in one_of_each(&mut rng) {
            let mut bytes = frame.emit().unwrap();
            for _ in 0..rng.gen_range(0..3) {
                // The first 64 bytes hold every field that the parser decides by.
                let at = rng.gen_range(0..bytes.len().min(64));
                bytes[at] = rng.gen();
            }
            match round % 8 {
                0 => bytes.truncate(rng.gen_range(0..=bytes.len())),
                1 => bytes.extend((0..rng.gen_range(0..9)).map(|_| rng.next_u32() as u8)),
                2 => rng.fill_bytes(&mut bytes),
                _ => {}
            }
            tried += 1;
            match parse_and_check(&bytes) {
                Ok(()) => accepted += 1,
                Err(reason) => {
                    reasons.insert(reason);
                }
            }
        }
    }
    assert_eq!(tried, 400 * 56);
    assert!(accepted > 1000, "{accepted} accepted");
    assert!(reasons.len() >= 10, "{reasons:?}");
}
