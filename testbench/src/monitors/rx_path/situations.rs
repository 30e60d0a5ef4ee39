//! The situations that the rules of section 4 are about, as the model sees them.

use crate::lockstep::Check;
use heddle_model::rx::path::{RxClass, RxOp, RxPathIn, RxPathOut};
use heddle_model::Psn;

/// Counts the situations of one operation.
pub fn cover(op: &RxPathIn, before: Option<&RxPathOut>, after: &RxPathOut, check: &mut Check) {
    check.cover(match op.op {
        RxOp::Data => "DATA",
        RxOp::Probe => "PROBE",
        RxOp::Look => "LOOK",
        RxOp::Init => "INIT",
    });
    let (Some(class), Some(before)) = (after.class, before) else { return };
    check.cover(match (class, op.fault) {
        (RxClass::Accept, _) => "accept",
        (RxClass::Duplicate, false) => "duplicate",
        (RxClass::Duplicate, true) => "duplicate with a fault",
        (RxClass::OutOfWindow, false) => "out of window",
        (RxClass::OutOfWindow, true) => "out of window with a fault",
        (RxClass::Fault, _) => "fault",
    });
    cover_distance(op.psn.distance_from(before.cum), check);
    cover_advance(before.cum, after, check);
}

fn cover_distance(distance: u32, check: &mut Check) {
    const HALF: u32 = 1 << 23;
    let seen = [
        (0, "distance 0"),
        (1, "distance 1"),
        (254, "distance 254"),
        (255, "distance 255"),
        (256, "distance 256"),
        (257, "distance 257"),
        (258, "distance 258"),
        (HALF - 1, "distance 2^23 - 1"),
        (HALF, "distance 2^23"),
        (HALF + 1, "distance 2^23 + 1"),
        (Psn::MASK, "distance -1"),
    ];
    seen.iter().filter(|(d, _)| *d == distance).for_each(|(_, name)| check.cover(name));
}

fn cover_advance(from: Psn, after: &RxPathOut, check: &mut Check) {
    match after.cum.distance_from(from) {
        0 => {}
        1 => check.cover("cum moves by 1"),
        256 => check.cover("cum moves over the whole window"),
        192..=255 => check.cover("cum moves by 192 to 255"),
        64..=191 => check.cover("cum moves by 64 to 191"),
        _ => check.cover("cum moves by 2 to 63"),
    }
    if after.cum.get() < from.get() {
        check.cover("cum wraps at 2^24");
    }
    if after.cum.get() >> 8 != from.get() >> 8 {
        check.cover("cum enters another lap");
    }
    if after.open {
        check.cover("a gap opens");
    }
    if after.close {
        check.cover("a gap closes");
    }
}
