//! Each reason that bytes can show, alone, and the lowest number when several hold.

use crate::support::{random_bodies, random_body, random_frame, random_short_ack};
use heddle_wire::net::{ipv4_checksum, Ipv4Header};
use heddle_wire::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Offsets in an untagged IPv4 frame: IP header 14, UDP 34, transport 42.
const IP: usize = 14;
const UDP: usize = 34;
const TRANSPORT: usize = 42;

fn frame(packet_type: PacketType, v6: bool) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let body = random_body(&mut rng, packet_type, Opcode::Write);
    random_frame(&mut rng, false, v6, body).emit().unwrap()
}

fn reason(bytes: &[u8]) -> Option<DropReason> {
    Frame::parse(bytes, ParseConfig::default()).err().map(|error| error.reason)
}

fn fix_checksum(bytes: &mut [u8]) {
    let header: [u8; Ipv4Header::BYTES] = bytes[IP..IP + 20].try_into().unwrap();
    bytes[IP + 10..IP + 12].copy_from_slice(&ipv4_checksum(&header).to_be_bytes());
}

/// A fault of an IPv4 WRITE frame, by the reason that it alone must give. The IPv4 checksum is right
/// afterwards unless it is itself the fault.
fn break_v4(bytes: &mut Vec<u8>, fault: DropReason) {
    match fault {
        DropReason::EtherType => bytes[13] = 0x06,
        DropReason::IpVersion => bytes[IP] = 0x55,
        DropReason::IpOptions => bytes[IP] = bytes[IP] & 0xf0 | 6,
        DropReason::IpChecksum => bytes[IP + 10] ^= 1,
        DropReason::IpFragment => bytes[IP + 6] |= 0x20,
        DropReason::IpProtocol => bytes[IP + 9] = 6,
        DropReason::IpTrailing => bytes.push(0),
        DropReason::UdpPort => bytes[UDP + 2] ^= 1,
        DropReason::UdpLength => bytes[UDP + 5] ^= 4,
        DropReason::Version => bytes[TRANSPORT] ^= 0x30,
        DropReason::PacketType => bytes[TRANSPORT] = bytes[TRANSPORT] & 0xf0 | 0xf,
        DropReason::Opcode => bytes[TRANSPORT + 1] = 0x77,
        DropReason::Icrc => *bytes.last_mut().unwrap() ^= 1,
        other => panic!("no recipe for {other}"),
    }
    if fault != DropReason::IpChecksum {
        fix_checksum(bytes);
    }
}

#[test]
fn each_fault_alone_gives_its_reason_and_of_two_the_lower_number_wins() {
    use DropReason as R;
    // In the order in which they are applied: checksum last, as the others repair it.
    let faults = [
        R::EtherType,
        R::IpOptions,
        R::IpFragment,
        R::IpProtocol,
        R::IpTrailing,
        R::UdpPort,
        R::UdpLength,
        R::Version,
        R::PacketType,
        R::Opcode,
        R::Icrc,
        R::IpChecksum,
    ];
    let mut checked = 0;
    for (i, first) in faults.iter().enumerate() {
        let mut bytes = frame(PacketType::Data, false);
        break_v4(&mut bytes, *first);
        assert_eq!(reason(&bytes), Some(*first));
        for second in &faults[i + 1..] {
            let mut both = bytes.clone();
            break_v4(&mut both, *second);
            assert_eq!(reason(&both), Some(*first.min(second)), "{first} and {second}");
            checked += 1;
        }
    }
    assert_eq!(checked, 12 * 11 / 2);
}

#[test]
fn faults_of_the_lower_headers_that_need_a_frame_of_their_own() {
    let mut bytes = frame(PacketType::Data, false);
    break_v4(&mut bytes, DropReason::IpVersion);
    assert_eq!(reason(&bytes), Some(DropReason::IpVersion));

    // A second tag is an unknown EtherType behind the first.
    let plain = frame(PacketType::Data, false);
    let tag = [0x81, 0x00, 0x00, 0x05];
    let one = [&plain[..12], &tag, &plain[12..]].concat();
    assert_eq!(reason(&one), None);
    let two = [&plain[..12], &tag, &tag, &plain[12..]].concat();
    assert_eq!(reason(&two), Some(DropReason::EtherType));

    // IPv6: wrong version, extension header.
    let mut v6 = frame(PacketType::Probe, true);
    assert_eq!(reason(&v6), None);
    v6[IP] ^= 0x20;
    assert_eq!(reason(&v6), Some(DropReason::IpVersion));
    let mut v6 = frame(PacketType::Probe, true);
    v6[IP + 6] = 0;
    assert_eq!(reason(&v6), Some(DropReason::IpProtocol));

    // An IP length below the IPv4 header's own, and IP packets too short for UDP and for the transport.
    for (ip_length, want) in [
        (19, DropReason::IpLength),
        (27, DropReason::UdpTruncated),
        (28, DropReason::TransportTruncated),
        (47, DropReason::TransportTruncated),
    ] {
        let mut bytes = frame(PacketType::Data, false);
        bytes.truncate(IP + usize::max(ip_length, 20));
        bytes[IP + 2..IP + 4].copy_from_slice(&(ip_length as u16).to_be_bytes());
        if ip_length >= 28 {
            bytes[UDP + 4..UDP + 6].copy_from_slice(&(ip_length as u16 - 20).to_be_bytes());
        }
        fix_checksum(&mut bytes);
        assert_eq!(reason(&bytes), Some(want), "{ip_length}");
    }
}

/// Lengths that no packet of the type has, in a frame that is otherwise right: the ICRC would fail too, and
/// comes later.
#[test]
fn lengths_that_disagree_with_type_and_opcode_are_dropped_for_it() {
    let mut checked = 0;
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for (change, sliced_ok) in [(-4i32, false), (-1, false), (1, false), (2, false), (3, false), (4, true)] {
        for mut body in random_bodies(&mut rng) {
            let mut takes_slices = false;
            if let Body::Data { opcode, payload, .. } = &mut body {
                takes_slices = opcode.payload_rule() == heddle_wire::kinds::PayloadRule::Slice;
                if takes_slices {
                    payload.clear();
                }
            }
            let (packet_type, opcode) = (body.packet_type(), body.opcode());
            let mut bytes = random_frame(&mut rng, false, false, body).emit().unwrap();
            resize(&mut bytes, change);
            let reset_cut = packet_type == PacketType::Reset && change < 0;
            let want = match (reset_cut, takes_slices && sliced_ok) {
                (true, _) => DropReason::TransportTruncated,
                (_, true) => DropReason::Icrc,
                _ => DropReason::Length,
            };
            assert_eq!(reason(&bytes), Some(want), "{packet_type} {opcode} {change}");
            checked += 1;
        }
    }
    assert_eq!(checked, 14 * 6);
}

/// Makes an untagged IPv4 frame longer or shorter, with all lengths and the header checksum in agreement.
fn resize(bytes: &mut Vec<u8>, change: i32) {
    let length = (bytes.len() as i32 + change) as usize;
    bytes.resize(length, 0);
    bytes[IP + 2..IP + 4].copy_from_slice(&((length - IP) as u16).to_be_bytes());
    bytes[UDP + 4..UDP + 6].copy_from_slice(&((length - UDP) as u16).to_be_bytes());
    fix_checksum(bytes);
}

fn set_icrc(bytes: &mut [u8]) {
    let end = bytes.len() - 4;
    let icrc = heddle_wire::icrc::icrc(false, &bytes[IP..end]);
    bytes[end..].copy_from_slice(&icrc.to_le_bytes());
}

/// REQ-ACK-5: the length is that of the form, exactly; SACK words that are there may all be zero.
#[test]
fn an_ack_has_the_length_of_its_form_and_reads_the_same_in_either() {
    const SACK_BYTES: i32 = 32;
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let short = random_short_ack(&mut rng);
    let frame = random_frame(&mut rng, false, false, short);
    let bytes = frame.emit().unwrap();
    assert_eq!((bytes.len(), bytes[TRANSPORT + 1]), (TRANSPORT + 16 + 24 + 4, 1));
    assert_eq!(Frame::parse(&bytes, ParseConfig::default()), Ok(frame.clone()));

    // The same ACK with its zeros: legal, and written without them again.
    let mut long = bytes[..bytes.len() - 4].to_vec();
    long.extend([0; 4]);
    long[TRANSPORT + 1] = 0;
    resize(&mut long, SACK_BYTES);
    set_icrc(&mut long);
    let read = Frame::parse(&long, ParseConfig::default());
    assert_eq!(read, Ok(frame.clone()));
    assert_eq!(read.unwrap().emit().unwrap(), bytes);

    // Each opcode with the other's length.
    for (form, at, change) in [(&bytes, 0, SACK_BYTES), (&long, 1, -SACK_BYTES)] {
        let mut wrong = form.clone();
        resize(&mut wrong, change);
        set_icrc(&mut wrong);
        assert_eq!(reason(&wrong), Some(DropReason::Length), "opcode {}", 1 - at);
    }

    // One bit makes it long, and it comes back.
    for index in 0..256 {
        let mut frame = frame.clone();
        let Body::Ack(ack) = &mut frame.packet.body else { panic!("still an ACK") };
        ack.sack.set(Psn::new(index));
        let bytes = frame.emit().unwrap();
        assert_eq!((bytes.len(), bytes[TRANSPORT + 1]), (TRANSPORT + 16 + 56 + 4, 0));
        assert_eq!(Frame::parse(&bytes, ParseConfig::default()), Ok(frame));
    }
}

#[test]
fn another_configured_port_is_the_one_that_counts() {
    let bytes = frame(PacketType::Reset, false);
    let other = ParseConfig { port: 4791 };
    let error = Frame::parse(&bytes, other).unwrap_err();
    assert_eq!(error, ParseError { reason: DropReason::UdpPort, seen: 54791, needed: 4791 });
}

#[test]
fn a_zero_ipv4_checksum_may_be_spelled_in_either_way() {
    let mut bytes = frame(PacketType::Reset, false);
    // The identification can be chosen so that the checksum comes out as 0.
    bytes[IP + 4..IP + 6].fill(0);
    fix_checksum(&mut bytes);
    let sum = [bytes[IP + 10], bytes[IP + 11]];
    bytes[IP + 4..IP + 6].copy_from_slice(&sum);
    fix_checksum(&mut bytes);
    assert_eq!(bytes[IP + 10..IP + 12], [0, 0]);
    set_icrc(&mut bytes);
    assert_eq!(reason(&bytes), None);
    bytes[IP + 10..IP + 12].fill(0xff);
    assert_eq!(reason(&bytes), None);
}

#[test]
fn an_opcode_in_a_packet_that_has_none_is_dropped() {
    let mut checked = 0;
    for packet_type in &PacketType::ALL[1..] {
        let first = if *packet_type == PacketType::Ack { 2 } else { 1 };
        for opcode in first..=u8::MAX {
            let mut bytes = frame(*packet_type, false);
            bytes[TRANSPORT + 1] = opcode;
            assert_eq!(reason(&bytes), Some(DropReason::Opcode), "{packet_type} {opcode}");
            checked += 1;
        }
    }
    assert_eq!(checked, 4 * 255 - 1);
}

#[test]
fn a_frame_that_cannot_be_written_is_refused_with_the_numbers() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let mut body = random_body(&mut rng, PacketType::Data, Opcode::Write);
    let Body::Data { payload, .. } = &mut body else { panic!("asked for DATA") };
    *payload = vec![0; 65535 - 20 - 8 - 48 - 4 - 3];
    let mut frame = random_frame(&mut rng, true, false, body);
    frame.vlan = Some(Vlan { pcp: 0, dei: false, vid: 4096 });
    assert_eq!(frame.emit(), Err(EmitError::Field { name: "vid", seen: 4096, needed: 4095 }));
    frame.vlan = None;
    assert_eq!(frame.emit().map(|bytes| bytes.len()), Ok(14 + 65532));
    let Body::Data { payload, .. } = &mut frame.packet.body else { panic!("still DATA") };
    payload.extend([0; 4]);
    assert_eq!(frame.emit(), Err(EmitError::TooLong { seen: 65536, needed: 65535 }));
    let Body::Data { payload, .. } = &mut frame.packet.body else { panic!("still DATA") };
    payload.truncate(6);
    assert_eq!(frame.emit(), Err(EmitError::Payload { seen: 6, needed: 4 }));
    let Body::Data { opcode, .. } = &mut frame.packet.body else { panic!("still DATA") };
    *opcode = Opcode::AtomicResp;
    assert_eq!(frame.emit(), Err(EmitError::Payload { seen: 6, needed: 8 }));
}
