//! What crosses the scheduler's ports, in and out of packed vectors.

use crate::bits::{Packer, Unpacker};
use heddle_model::tx::msg::Slice;
use heddle_model::tx::path::{TxOp, TxPathOut};
use heddle_model::tx::sched::{Job, JobKind};
use heddle_wire::{Msn, Psn, Time32};

/// A result into its vector.
pub fn pack_result(r: &TxPathOut) -> [u32; 5] {
    let packer = Packer::default().put(3, r.op as u8).put(16, r.path).put(1, r.ok).put(24, r.base.get());
    let packer = packer.put(24, r.next.get()).put(8, r.route).put(24, r.psn.map_or(0, |psn| psn.get()));
    packer.put(9, r.newly).put(9, r.inflight).put(9, r.waiting).put(32, r.now.get()).finish()
}

/// A job from its vector, as [`ported`].
pub fn job(words: &[u32]) -> Job {
    let mut fields = Unpacker::new(words);
    let (kind, path) = (fields.take(2), fields.take(16) as u16);
    let (psn, route, now) = (fields.take(24) as u32, fields.take(8) as u8, fields.take(32) as u32);
    let (ack_req, stream, msn) = (fields.flag(), fields.take(8) as u8, fields.take(24) as u32);
    let (index, repeat) = (fields.take(22) as u32, fields.flag());
    let kind = match kind {
        0 => JobKind::New(Slice { conn: 0, stream, msn: Msn::new(msn), index, ..Slice::default() }),
        1 => JobKind::Resend,
        2 => JobKind::Expire,
        _ => JobKind::Probe { stream, repeat },
    };
    Job { kind, path, psn: Psn::new(psn), route, now: Time32::new(now), ack_req }
}

/// A result from its vector.
pub fn unpack_result(words: &[u32]) -> TxPathOut {
    let mut fields = Unpacker::new(words);
    let op = self::op(fields.take(3) as u8);
    let (path, ok) = (fields.take(16) as u16, fields.flag());
    let (base, next) = (Psn::new(fields.take(24) as u32), Psn::new(fields.take(24) as u32));
    let (route, psn) = (fields.take(8) as u8, Psn::new(fields.take(24) as u32));
    let sends = ok && matches!(op, TxOp::Resend | TxOp::Expire | TxOp::Sent);
    let (newly, inflight) = (fields.take(9) as u16, fields.take(9) as u16);
    let waiting = fields.take(9) as u16;
    TxPathOut {
        op,
        path,
        ok,
        bad: Default::default(),
        base,
        next,
        route,
        psn: sends.then_some(psn),
        newly,
        inflight,
        waiting,
        lost: waiting > 0,
        now: Time32::new(fields.take(32) as u32),
    }
}

/// A slice of `conn` from its vector, and the packets left behind it.
pub fn unpack_slice(conn: u16, words: &[u32], left: u16) -> Slice {
    let mut fields = Unpacker::new(words);
    let (stream, msn, index) = (fields.take(8) as u8, fields.take(24) as u32, fields.take(22) as u32);
    let (tail, more) = (fields.flag(), fields.flag());
    Slice { conn, stream, msn: Msn::new(msn), index, tail, more, left, answer: None }
}

/// A job as the port shows it: the slice's connection is in the path, and whether it is the tail, or has more behind
/// it, is no part of it.
pub fn ported(mut job: Job) -> Job {
    if let JobKind::New(slice) = &mut job.kind {
        (slice.conn, slice.tail, slice.more, slice.left) = (0, false, false, 0);
    }
    job
}

/// The operation of this number.
pub fn op(code: u8) -> TxOp {
    let all = [TxOp::Ack, TxOp::Resend, TxOp::Expire, TxOp::Voluntary, TxOp::VoluntaryTimeout, TxOp::Dead];
    all.into_iter().chain([TxOp::Sent, TxOp::Init]).find(|op| *op as u8 == code).unwrap_or(TxOp::Ack)
}

/// Two words as one.
pub fn pack64(words: [u32; 2]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << 32
}
