use super::*;
use heddle_wire::Flags;

mod operations;

const KEY: u32 = (3 << KEY_TAG_BITS) | 0xBCDE;

fn access(base: u64, length: u64) -> Access {
    let mut access = Access::new(AccessConfig {
        regions: 8,
        streams: 4,
        slots: 16,
        slice_log2: 10,
        operations: Operations::WRITE_ONLY,
    });
    assert!(access.set(
        3,
        Region { valid: true, tag: 0xBCDE, base, length, remote_write: true, domain: 5, ..Region::default() }
    ));
    assert!(!access.set(8, Region::default()));
    access
}

fn packet(address: u64, offset: u32, length: u32) -> (Common, Data, u16) {
    let left = length.saturating_sub(offset);
    let last = if left <= 1024 { Flags::NONE.with(Flag::Last) } else { Flags::NONE };
    let common = Common { opcode: Opcode::Write.code(), flags: last, ..Common::default() };
    let data = Data { address, offset, length, key: KEY, ..Data::default() };
    (common, data, left.min(1024).next_multiple_of(4) as u16)
}

fn check(access: &Access, (common, data, payload): &(Common, Data, u16)) -> Result<u16, DropReason> {
    access.check(common, data, *payload, 5, |_| Msn::new(0))
}

#[test]
fn every_slice_of_a_message_has_its_true_length() {
    let access = access(0x1000, 4097);
    for (offset, len) in [(0, 1024), (1024, 1024), (3072, 1024), (4096, 1)] {
        assert_eq!(check(&access, &packet(0x1000 + u64::from(offset), offset, 4097)), Ok(len));
    }
}

#[test]
fn an_empty_message_is_one_packet_and_needs_no_key() {
    let (common, data, payload) = packet(0xDEAD, 0, 0);
    let data = Data { key: 0, ..data };
    assert_eq!(check(&access(0, 0), &(common, data, payload)), Ok(0));
}

#[test]
fn slices_that_no_sender_makes_are_faults() {
    let access = access(0x1000, 8192);
    let (common, data, payload) = packet(0x1000, 1024, 4096);
    let bad = [
        (common, Data { offset: 1028, ..data }, payload),
        (common, Data { offset: 4096, ..data }, 0),
        (common, Data { length: 1024, ..data }, payload),
        (common, data, payload - 4),
        (common, data, payload + 4),
        (Common { flags: Flags::NONE.with(Flag::Last), ..common }, data, payload),
        (Common { flags: Flags::NONE, ..common }, Data { offset: 3072, ..data }, payload),
        (common, Data { offset: 1024, length: 0, ..data }, 0),
    ];
    for (n, packet) in bad.iter().enumerate() {
        assert_eq!(check(&access, packet), Err(DropReason::Slice), "case {n}");
    }
}

#[test]
fn bounds_hold_at_both_ends_and_at_the_top_of_the_address_space() {
    let inside = access(0x1000, 100);
    assert_eq!(check(&inside, &packet(0x1000, 0, 100)), Ok(100));
    for (address, length) in [(0xFFF, 100), (0x1001, 100), (0x1000, 101), (u64::MAX - 10, 100), (0, 100)] {
        let got = check(&inside, &packet(address, 0, length));
        assert_eq!(got, Err(DropReason::Bounds), "{address:#x} + {length}");
    }
    let top = access(u64::MAX - 99, 100);
    assert_eq!(check(&top, &packet(u64::MAX - 99, 0, 100)), Ok(100));
    assert_eq!(check(&top, &packet(u64::MAX - 98, 0, 100)), Err(DropReason::Bounds));
    let low = access(0, 50);
    assert_eq!(check(&low, &packet(u64::MAX - 9, 0, 60)), Err(DropReason::Bounds));
}

#[test]
fn key_domain_and_right_are_checked() {
    let mut access = access(0x1000, 100);
    let (common, data, payload) = packet(0x1000, 0, 100);
    for key in [KEY ^ 1, KEY ^ (1 << KEY_TAG_BITS), 0xFFFF << KEY_TAG_BITS] {
        let got = check(&access, &(common, Data { key, ..data }, payload));
        assert_eq!(got, Err(DropReason::Key), "{key:#x}");
    }
    let other = access.check(&common, &data, payload, 6, |_| Msn::new(0));
    assert_eq!(other, Err(DropReason::Key));
    access.set(
        3,
        Region { valid: true, tag: 0xBCDE, base: 0x1000, length: 100, domain: 5, ..Region::default() },
    );
    assert_eq!(check(&access, &(common, data, payload)), Err(DropReason::Rights));
}

#[test]
fn messages_outside_the_slots_unknown_streams_and_other_opcodes_are_faults() {
    let access = access(0x1000, 100);
    let (common, data, payload) = packet(0x1000, 0, 100);
    let at = |msn: u32, done: u32| {
        let data = Data { msn: Msn::new(msn), stream: 2, ..data };
        access.check(&common, &data, payload, 5, |stream| {
            assert_eq!(stream, 2);
            Msn::new(done)
        })
    };
    assert_eq!(at(15, 0), Ok(100));
    assert_eq!(at(16, 0), Err(DropReason::MsnWindow));
    assert_eq!(at(6, 7), Err(DropReason::MsnWindow));
    assert_eq!(at(3, 0xFF_FFF8), Ok(100));
    let stream = Data { stream: 4, ..data };
    assert_eq!(check(&access, &(common, stream, payload)), Err(DropReason::Stream));
    let send = Common { opcode: Opcode::Send.code(), ..common };
    assert_eq!(check(&access, &(send, data, payload)), Err(DropReason::Operation));
}
