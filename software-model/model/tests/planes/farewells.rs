//! Where refusals and RESETs leave, and that dead planes do not keep them.

use crate::frames::{frame, packet, sent, Nobody};
use crate::plan::{from_on, Plan, What};
use crate::world::{time, World, BASE_RTT, CONN, US};
use heddle_model::core::Core;
use heddle_wire::{Body, Data, Flag, Flags, NakCode, Opcode, Packet, Psn, Time32};

fn living(messages: u64) -> Plan {
    Plan { life: true, messages, ..Plan::new(2, 4) }
}

/// What core `core` sends now that is a NAK or a RESET: planes and flags.
fn parted(core: &mut Core, now: Time32) -> Vec<(u8, Flags)> {
    core.advance(now);
    let all = sent(core, now).into_iter();
    all.filter(|(_, packet)| matches!(packet.body, Body::Nak(_) | Body::Reset))
        .map(|(plane, packet)| (plane, packet.flags))
        .collect()
}

/// A packet of path 2 with a key that does not exist.
fn refused(flags: Flags) -> Packet<Vec<u8>> {
    let header = Data { length: 4, key: 77, ..Data::default() };
    let body = Body::Data { opcode: Opcode::Write, header, payload: vec![0; 4] };
    // PSNs of a path start 300 below the wrap, and one higher with each path.
    Packet { path: 2, psn: Psn::new(Psn::MASK - 298), ..packet(flags, 0, time(US), body) }
}

// REQ-CONN-10
#[test]
fn a_nak_leaves_where_acks_travel_and_on_every_plane_when_the_packet_came_again() {
    let mut world = World::new(&living(0));
    let core = &mut world.cores[1];
    let refuse = |core: &mut Core, flags: Flags| {
        core.receive_on(time(US), 2, &frame(1, refused(flags.with(Flag::Last))), &mut Nobody);
        let naks = sent(core, time(US)).into_iter().filter_map(|(plane, packet)| match packet.body {
            Body::Nak(nak) => Some((plane, nak.code, packet.path, packet.psn)),
            _ => None,
        });
        let naks: Vec<_> = naks.collect();
        assert!(naks.iter().all(|nak| nak.1 == NakCode::Access.code() && nak.2 == 2));
        naks.iter().map(|nak| nak.0).collect::<Vec<_>>()
    };
    assert_eq!(refuse(core, Flags::NONE), [0], "path 2 itself is on plane 2");
    assert_eq!(refuse(core, Flags::NONE.with(Flag::Retx)), [0, 1, 2, 3]);
    assert!(core.set_plane(0, false, time(US)));
    assert_eq!(refuse(core, Flags::NONE), [2], "where the peer was heard last");
    assert_eq!(refuse(core, Flags::NONE.with(Flag::Retx)), [2, 1, 3]);
    assert_eq!(core.counters().naks_sent, 1 + 4 + 1 + 3);
}

// REQ-CONN-10
#[test]
fn a_reset_leaves_where_acks_travel_and_its_repeats_on_every_plane_up() {
    let mut world = World::new(&living(0));
    let core = &mut world.cores[0];
    assert!(core.set_plane(3, false, time(US)));
    assert!(core.set_plane(3, true, time(2 * US)));
    // Plane 3 was suspect, and is no more.
    sent(core, time(2 * US));
    let again = Flags::NONE.with(Flag::Retx);
    assert!(core.close(CONN, time(3 * US)));
    let first = parted(core, time(3 * US));
    assert_eq!(
        first,
        [0, 1, 2, 3].map(|plane| (plane, again)),
        "a plane is on no trial yet: it may be in vain"
    );
    assert!(core.set_plane(1, false, time(4 * US)));
    assert_eq!(parted(core, time(202 * US)), []);
    assert_eq!(parted(core, time(203 * US)), [0, 2, 3].map(|plane| (plane, again)));
    assert_eq!(parted(core, time(603 * US)).len(), 3);
    // A connection that suspects nothing.
    let mut world = World::new(&living(0));
    let core = &mut world.cores[0];
    assert!(core.close(CONN, time(3 * US)));
    assert_eq!(parted(core, time(3 * US)), [(0, Flags::NONE)]);
    assert_eq!(parted(core, time(203 * US)).len(), 4);
    assert_eq!(core.counters().resets_sent, 5);
}

// REQ-CONN-9, REQ-CONN-10
#[test]
fn a_reset_is_answered_where_acks_travel_and_where_it_came_in_and_one_that_came_again_on_every_plane() {
    let mut world = World::new(&living(0));
    let core = &mut world.cores[1];
    let answer = Flags::NONE.with(Flag::Response);
    let reset = |flags| frame(1, Packet { path: 3, ..packet(flags, 0, time(0), Body::Reset) });
    let again = Flags::NONE.with(Flag::Retx);
    core.receive_on(time(US), 2, &reset(Flags::NONE), &mut Nobody);
    assert_eq!(parted(core, time(US)), [0, 2].map(|plane| (plane, answer)));
    core.receive_on(time(2 * US), 0, &reset(Flags::NONE), &mut Nobody);
    assert_eq!(parted(core, time(2 * US)), [(0, answer)]);
    core.receive_on(time(3 * US), 1, &reset(again), &mut Nobody);
    assert_eq!(parted(core, time(3 * US)), [0, 1, 2, 3].map(|plane| (plane, answer)));
    // Copies of one, before any answer leaves.
    (0..4).for_each(|plane| core.receive_on(time(4 * US), plane, &reset(again), &mut Nobody));
    core.receive_on(time(4 * US), 2, &reset(Flags::NONE), &mut Nobody);
    assert_eq!(parted(core, time(4 * US)), [0, 1, 2, 3].map(|plane| (plane, answer)));
    // What a plane brings that is down is answered where ACKs go.
    assert!(core.set_plane(1, false, time(5 * US)));
    for plane in [1, 4, 255] {
        core.receive_on(time(5 * US), plane, &reset(Flags::NONE), &mut Nobody);
        assert_eq!(parted(core, time(5 * US)), [(0, answer)]);
    }
    assert_eq!(core.counters().resets_sent, 2 + 1 + 4 + 4 + 3);
}

/// Either end closes while planes are dead: both are told within a round trip when the planes are known to be dead, and with the first
/// repeat, 200 us later, when they have just died.
// REQ-CONN-9, REQ-CONN-10
#[test]
fn dead_planes_do_not_keep_the_end_of_a_connection() {
    for what in [What::All, What::Data, What::Acks] {
        for dead in [&[0][..], &[1], &[0, 2], &[0, 1, 3]] {
            for (closing, after) in [(0, 1_000), (1, 1_000), (0, 0), (1, 0)] {
                let plan = Plan { messages: 1_000, message: 4 << 10, ..living(0) };
                let plan = plan.killed(dead, what, from_on(300));
                let mut world = World::new(&plan);
                let at = (300 + after) * US;
                world.run(at);
                assert!(world.cores[closing].close(CONN, time(at)), "still open");
                world.wake();
                let wait = if after == 0 { 200 * US } else { 0 };
                // A round trip, and what waits in ports before it.
                world.run(at + wait + 4 * BASE_RTT);
                let ended = [0, 1].map(|n| world.cores[n].ended().is_some());
                assert_eq!(
                    ended,
                    [true, true],
                    "{what:?} of {dead:?} dead, {closing} closed {after} us later"
                );
            }
        }
    }
}
