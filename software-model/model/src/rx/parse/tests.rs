use super::*;
use heddle_wire::{Ack, Body, Data, Flags, Frame, Ip, Ipv4, Ipv6, ParseConfig, Psn, Sack, Time32, Vlan};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::net::{Ipv4Addr, Ipv6Addr};

const PORT: u16 = heddle_wire::header::DEFAULT_PORT;

fn frame(v6: bool, tagged: bool, body: Body) -> Frame {
    let v4 = Ipv4 {
        dscp: 26,
        ecn: 3,
        identification: 7,
        ttl: 64,
        src: Ipv4Addr::new(10, 1, 2, 3),
        dst: Ipv4Addr::new(10, 4, 5, 6),
    };
    let src = Ipv6Addr::from(0x2001_0db8_0000_0000_0000_0000_0000_0001_u128);
    let v6_header = Ipv6 { dscp: 26, ecn: 1, flow_label: 5, hop_limit: 9, src, dst: Ipv6Addr::LOCALHOST };
    Frame {
        dst_mac: [2, 0, 0, 0, 0, 2],
        src_mac: [2, 0, 0, 0, 0, 1],
        vlan: tagged.then_some(Vlan { pcp: 5, dei: false, vid: 0x123 }),
        ip: if v6 { Ip::V6(v6_header) } else { Ip::V4(v4) },
        src_port: 0xc000,
        dst_port: PORT,
        udp_checksum: 0,
        packet: Packet {
            flags: Flags::NONE,
            path: 3,
            dst_conn: 0x0102,
            tag: 0x0304,
            route: 5,
            psn: Psn::new(0x06_0708),
            timestamp: Time32::new(0x090a_0b0c),
            body,
        },
    }
}

fn write(payload: usize) -> Body {
    let header = Data::parse(&std::array::from_fn(|i| i as u8));
    Body::Data { opcode: Opcode::Write, header, payload: (0..payload).map(|i| i as u8).collect() }
}

fn parse(bytes: &[u8]) -> ParseOut {
    on_frame(ParseIn { bytes, bad: false, port: PORT })
}

#[test]
fn write_behind_a_tag_gives_its_twelve_words_and_the_payload_from_the_header_on() {
    let bytes = frame(true, true, write(8)).emit().unwrap();
    let out = parse(&bytes);
    let header = out.header.unwrap();
    assert_eq!((out.drop, header.v6, header.ce, header.paylen), (None, true, false, 60));
    assert_eq!(header.src, 0x2001_0db8_0000_0000_0000_0000_0000_0001);
    assert_eq!(header.words[..5], [0x1101_0003, 0x0102_0304, 0x0506_0708, 0x090a_0b0c, 0x0001_0203]);
    assert_eq!(header.words.len(), 12);
    assert_eq!(out.payload, bytes[66..]);
}

#[test]
fn ipv4_marked_frame_is_seen_as_marked_and_masked_for_the_icrc() {
    let bytes = frame(false, false, Body::Reset).emit().unwrap();
    let out = parse(&bytes);
    let header = out.header.unwrap();
    assert_eq!((header.ce, header.src, header.words.len(), header.paylen), (true, 0x0a01_0203, 4, 20));
    assert_eq!(out.masked[..12], [0x45, 0xff, 0, 48, 0, 7, 0x40, 0, 0xff, 17, 0xff, 0xff]);
    assert!(crate::icrc::on_packet(&out.masked).good);
}

// REQ-ACK-5
#[test]
fn an_ack_without_sack_words_gives_its_ten_and_has_that_length_alone() {
    let ack = Ack::parse(&std::array::from_fn(|i| i as u8));
    let short = Ack { sack: Sack::EMPTY, ..ack };
    for (ack, opcode, words, paylen) in [(ack, 0, 12, 76), (short, 1, 10, 44)] {
        let mut bytes = frame(false, false, Body::Ack(ack)).emit().unwrap();
        let header = parse(&bytes).header.unwrap();
        assert_eq!((header.words[0], header.words.len()), (0x1200_0003 | opcode << 16, words));
        assert_eq!(header.paylen, paylen);
        for (opcode, reason) in [(1 - opcode as u8, DropReason::Length), (2, DropReason::Opcode)] {
            bytes[43] = opcode;
            assert_eq!(parse(&bytes).drop, Some(reason));
        }
    }
}

#[test]
fn mac_error_comes_before_every_other_reason() {
    let out = on_frame(ParseIn { bytes: &[0], bad: true, port: PORT });
    assert_eq!((out.drop, out.header), (Some(DropReason::BadFrame), None));
}

#[test]
fn cut_at_every_byte_it_is_dropped_for_one_reason_of_rising_number() {
    let bytes = frame(false, true, write(64)).emit().unwrap();
    let reasons: Vec<_> = (1..bytes.len()).map(|end| parse(&bytes[..end]).drop.unwrap()).collect();
    let count = |reason| reasons.iter().filter(|r| **r == reason).count();
    assert!(reasons.windows(2).all(|pair| pair[0] <= pair[1]), "{reasons:?}");
    assert_eq!(count(DropReason::EthernetTruncated), 17);
    assert_eq!(count(DropReason::IpTruncated), 20);
    assert_eq!(count(DropReason::IpLength), bytes.len() - 1 - 37);
}

/// The codec takes a frame apart step by step and stops at the first fault: another way to the same reason.
#[test]
fn reasons_are_those_of_the_codec_for_frames_with_bits_changed_anywhere() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut compared, mut accepted, mut icrc) = (0, 0, 0);
    for round in 0..40_000 {
        let body = match round % 4 {
            0 => write(4 * rng.gen_range(0..40)),
            1 => {
                let ack = Ack::parse(&std::array::from_fn(|_| rng.gen()));
                Body::Ack(if rng.gen() { ack } else { Ack { sack: Sack::EMPTY, ..ack } })
            }
            2 => Body::Reset,
            _ => write(0),
        };
        let mut bytes = frame(rng.gen(), rng.gen(), body).emit().unwrap();
        for _ in 0..rng.gen_range(0..4) {
            let at = rng.gen_range(0..bytes.len().min(80));
            bytes[at] ^= 1 << rng.gen_range(0..8);
        }
        if rng.gen_ratio(1, 4) {
            bytes.truncate(rng.gen_range(1..=bytes.len()));
        }
        let out = parse(&bytes);
        let good = crate::icrc::on_packet(&out.masked).good;
        match Frame::parse(&bytes, ParseConfig { port: PORT }) {
            Ok(_) => assert!(out.drop.is_none() && good, "round {round}: {out:x?}"),
            Err(error) if error.reason == DropReason::Icrc => {
                assert!(out.drop.is_none() && !good, "round {round}: {out:x?}");
                icrc += 1;
            }
            Err(error) => assert_eq!(out.drop, Some(error.reason), "round {round}: {bytes:02x?}"),
        }
        compared += 1;
        accepted += usize::from(out.drop.is_none() && good);
    }
    assert_eq!(compared, 40_000);
    assert!(accepted > 4_000 && icrc > 4_000, "{accepted} accepted, {icrc} with a wrong ICRC");
}
