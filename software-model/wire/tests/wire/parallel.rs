//! The precedence as hardware computes it: all conditions side by side on whatever bytes are there, then the lowest number.

use crate::robustness::seed;
use crate::support::one_of_each;
use heddle_wire::{DropReason as R, Frame, ParseConfig};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Bytes behind the frame read as zeros, as a shift register's would.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn at(&self, index: usize) -> usize {
        self.0.get(index).copied().unwrap_or(0).into()
    }
    fn pair(&self, index: usize) -> usize {
        self.at(index) << 8 | self.at(index + 1)
    }
}

/// Ones' complement sum of the ten half words of an IPv4 header.
fn sum(bytes: &Bytes, ip: usize) -> usize {
    let sum: usize = (0..10).map(|i| bytes.pair(ip + 2 * i)).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    (folded & 0xffff) + (folded >> 16)
}

/// CRC-32 bit by bit, with the masks spelled out.
fn icrc(bytes: &Bytes, ip: usize, udp: usize, end: usize, v6: bool) -> u32 {
    let mut crc = u32::MAX;
    for index in ip..end {
        let byte = match (v6, index - ip) {
            (false, 1 | 8 | 10 | 11) | (true, 1 | 2 | 3 | 7) => 0xff,
            (true, 0) => bytes.at(index) | 0x0f,
            _ if index == udp + 6 || index == udp + 7 => 0xff,
            _ => bytes.at(index),
        };
        crc ^= byte as u32;
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

/// Every condition, in no particular order, and the lowest number of those that hold.
fn reason(frame: &[u8]) -> Option<R> {
    let (bytes, length) = (Bytes(frame), frame.len());
    let tagged = bytes.pair(12) == 0x8100;
    let ip = if tagged { 18 } else { 14 };
    let ether_type = bytes.pair(ip - 2);
    let v6 = ether_type == 0x86dd;
    let udp = ip + if v6 { 40 } else { 20 };
    let transport = udp + 8;
    let ip_length = if v6 { 40 + bytes.pair(ip + 4) } else { bytes.pair(ip + 2) };
    let protocol = bytes.at(ip + if v6 { 6 } else { 9 });
    let (kind, opcode) = (bytes.at(transport) & 15, bytes.at(transport + 1));
    let size = length.wrapping_sub(transport);
    let right_size = match (kind, opcode) {
        (1, 5) => size == 52,
        (1, 7 | 8) => size == 68,
        (1, 9) => size == 60,
        (1, _) => size >= 52 && size % 4 == 0,
        (2, 1) => size == 44,
        (2, _) => size == 76,
        (3, _) => size == 36,
        (4, _) => size == 24,
        _ => size == 20,
    };
    let crc = icrc(&bytes, ip, udp, length.saturating_sub(4), v6).to_le_bytes();
    let conditions = [
        (!right_size, R::Length),
        (frame.get(length.saturating_sub(4)..) != Some(&crc[..]), R::Icrc),
        (bytes.at(transport) >> 4 != 1, R::Version),
        (!(1..=5).contains(&kind), R::PacketType),
        (
            match kind {
                1 => !(1..=9).contains(&opcode),
                2 => opcode > 1,
                _ => opcode != 0,
            },
            R::Opcode,
        ),
        (length < transport + 20, R::TransportTruncated),
        (bytes.pair(udp + 4) != length.wrapping_sub(udp), R::UdpLength),
        (bytes.pair(udp + 2) != 54791, R::UdpPort),
        (length < transport, R::UdpTruncated),
        (length < ip || length < 14, R::EthernetTruncated),
        (ether_type != 0x0800 && !v6, R::EtherType),
        (length < udp, R::IpTruncated),
        (bytes.at(ip) >> 4 != if v6 { 6 } else { 4 }, R::IpVersion),
        (!v6 && bytes.at(ip) & 15 != 5, R::IpOptions),
        (!v6 && sum(&bytes, ip) != 0xffff, R::IpChecksum),
        (!v6 && bytes.pair(ip + 6) != 0x4000, R::IpFragment),
        (protocol != 17, R::IpProtocol),
        (length < ip + ip_length || ip_length < 20, R::IpLength),
        (length > ip + ip_length, R::IpTrailing),
    ];
    conditions.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).min()
}

/// A runner whose cases follow from the seed alone.
fn runner(seed: u64, cases: u32) -> TestRunner {
    let mut rng = [0; 32];
    rng[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &rng))
}

#[test]
fn conditions_side_by_side_give_the_reason_of_the_step_by_step_parser() {
    let seed = seed(61);
    let frames: Vec<_> =
        one_of_each(&mut ChaCha8Rng::seed_from_u64(seed)).iter().map(|frame| frame.emit().unwrap()).collect();
    let change = prop_oneof![
        // Single bits of the headers by which the parser decides, and of any byte.
        4 => (12usize..66, 0u32..8),
        1 => (0usize..2000, 0u32..8),
    ];
    let changes = prop::collection::vec(change, 0..3);
    let cut = prop_oneof![8 => Just(0i64), 2 => -130..=0i64, 1 => 0..=16i64];
    let strategy = (0..frames.len(), changes, cut, any::<bool>());
    let counts: RefCell<BTreeMap<Option<R>, usize>> = RefCell::default();
    let run = runner(seed, 20_000).run(&strategy, |(index, changes, cut, mend)| {
        let mut bytes = frames[index].clone();
        bytes.resize(usize::try_from((bytes.len() as i64 + cut).max(0)).unwrap_or_default(), 0);
        let length = bytes.len();
        if mend {
            mend_lengths(&mut bytes);
        }
        for (at, bit) in changes.into_iter().filter(|(at, _)| *at < length) {
            bytes[at] ^= 1 << bit;
        }
        if mend {
            mend_checksum(&mut bytes);
        }
        let want = reason(&bytes);
        let got = Frame::parse(&bytes, ParseConfig::default()).err().map(|error| error.reason);
        *counts.borrow_mut().entry(want).or_default() += 1;
        prop_assert_eq!(got, want);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    let counts = counts.into_inner();
    assert_eq!(counts.values().sum::<usize>(), 20_000);
    let often = counts.values().all(|count| *count >= 10);
    assert!(counts.len() == 20 && often, "an accept and all 19 reasons: {counts:?}");
}

/// Start of the IP header, and whether it is IPv6; `None` where it is not whole.
fn ip_header(bytes: &[u8]) -> Option<(usize, bool)> {
    let ip = if bytes.get(12..14) == Some(&[0x81, 0]) { 18 } else { 14 };
    let v6 = bytes.get(ip - 2..ip) == Some(&[0x86, 0xdd]);
    (bytes.len() >= ip + if v6 { 40 } else { 20 }).then_some((ip, v6))
}

/// Makes IP and UDP lengths those of the frame again, so that the reasons behind them are reached.
fn mend_lengths(bytes: &mut [u8]) {
    let Some((ip, v6)) = ip_header(bytes) else { return };
    let udp = ip + if v6 { 40 } else { 20 };
    let (field, length) = if v6 { (ip + 4, bytes.len() - udp) } else { (ip + 2, bytes.len() - ip) };
    bytes[field..field + 2].copy_from_slice(&(length as u16).to_be_bytes());
    let length = (bytes.len() - udp) as u16;
    if let Some(field) = bytes.get_mut(udp + 4..udp + 6) {
        field.copy_from_slice(&length.to_be_bytes());
    }
}

/// Makes the IPv4 header checksum right again, for the same purpose.
fn mend_checksum(bytes: &mut [u8]) {
    if let Some((ip, false)) = ip_header(bytes) {
        let header: [u8; 20] = bytes[ip..ip + 20].try_into().unwrap();
        bytes[ip + 10..ip + 12].copy_from_slice(&heddle_wire::net::ipv4_checksum(&header).to_be_bytes());
    }
}

/// Any bytes at all: the same answer, and no panic. Behind an IPv4 or IPv6 EtherType, so that not every case ends there.
#[test]
fn arbitrary_bytes_give_an_accept_or_one_reason() {
    let seed = seed(62);
    let ether_type = prop_oneof![Just([8u8, 0]), Just([0x86, 0xdd]), any::<[u8; 2]>()];
    let strategy = (prop::collection::vec(any::<u8>(), 0..200), ether_type);
    let cases = RefCell::new(0);
    let run = runner(seed, 5000).run(&strategy, |(mut bytes, ether_type)| {
        if bytes.len() >= 14 {
            bytes[12..14].copy_from_slice(&ether_type);
        }
        let got = Frame::parse(&bytes, ParseConfig::default()).err().map(|error| error.reason);
        *cases.borrow_mut() += 1;
        prop_assert_eq!(got, reason(&bytes));
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(cases.into_inner(), 5000);
}
