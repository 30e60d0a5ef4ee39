//! What crosses the builder's links, taken out of and put into the RTL's packed vectors.

use crate::bits::{Packer, Unpacker};
use heddle_model::tx::msg::{MessageRow, WorkRequest};
use heddle_model::tx::sched::{Job, JobKind};
use heddle_wire::Opcode;

/// A job into its vector, `JobRow`.
pub fn pack_job(job: &Job) -> [u32; 5] {
    let none = (0, 0, 0, false);
    let (kind, (stream, msn, index, repeat)) = match job.kind {
        JobKind::New(slice) => (0u8, (slice.stream, slice.msn.get(), slice.index, false)),
        JobKind::Resend => (1, none),
        JobKind::Expire => (2, none),
        JobKind::Probe { stream, repeat } => (3, (stream, 0, 0, repeat)),
    };
    let packer = Packer::default().put(2, kind).put(16, job.path).put(24, job.psn.get()).put(8, job.route);
    let packer = packer.put(32, job.now.get()).put(1, job.ack_req).put(8, stream).put(24, msn);
    packer.put(22, index).put(1, repeat).finish()
}

/// Which message is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// Connection index.
    pub conn: u16,
    /// Stream.
    pub stream: u8,
    /// Message.
    pub msn: u32,
}

/// The answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Answer {
    /// The message is neither done nor unknown.
    pub live: bool,
    /// First byte of the source.
    pub local: u64,
    /// First byte of the destination.
    pub remote: u64,
    /// Bytes.
    pub length: u32,
    /// Key of the peer's region.
    pub rkey: u32,
}

impl Answer {
    /// The message into its vector, `MessageFields`.
    pub fn pack(&self) -> [u32; 6] {
        let packer = Packer::default().put(64, self.local).put(64, self.remote);
        packer.put(32, self.length).put(32, self.rkey).finish()
    }

    /// From the vector.
    pub fn unpack(live: bool, words: &[u32]) -> Self {
        let mut fields = Unpacker::new(words);
        let (local, remote) = (fields.take(64) as u64, fields.take(64) as u64);
        Self { live, local, remote, length: fields.take(32) as u32, rkey: fields.take(32) as u32 }
    }

    /// The message, while it is live.
    pub fn row(&self) -> Option<MessageRow> {
        let &Self { local, remote, length, rkey, .. } = self;
        let opcode = Opcode::Write.code();
        let request = WorkRequest { opcode, local, remote, length, rkey, ..WorkRequest::default() };
        self.live.then_some(MessageRow { request, ..MessageRow::default() })
    }
}

/// A packet for the framer. RTL: `FrameRequest`.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Path index.
    pub path: u16,
    /// Header words; zeros beyond `count`.
    pub words: [u32; 18],
    /// Header words that are sent.
    pub count: u8,
    /// Payload bytes.
    pub len: u16,
}

impl Request {
    /// From the vector.
    pub fn unpack(words: &[u32]) -> Self {
        let mut fields = Unpacker::new(words);
        let path = fields.take(16) as u16;
        let mut header = [0; 18];
        header.iter_mut().rev().for_each(|word| *word = fields.take(32) as u32);
        Self { path, words: header, count: fields.take(5) as u8, len: fields.take(16) as u16 }
    }
}

/// A burst of reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Burst {
    /// Byte address of lane 0 of the first beat.
    pub address: u64,
    /// 1 to 256.
    pub beats: u16,
    /// AXI: arid.
    pub id: u8,
    /// AXI: arsize.
    pub size: u8,
    /// AXI: arburst.
    pub burst: u8,
}

/// A beat that memory sends.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadBeat {
    /// All lanes.
    pub bytes: Vec<u8>,
    /// AXI: rresp.
    pub resp: u8,
}

/// What a packet counts as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentAs {
    /// `heddle_model::tx::build::Sent` as a number.
    pub kind: u8,
    /// Payload bytes.
    pub len: u16,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitors::tx_sched;
    use heddle_model::tx::msg::Slice;
    use heddle_wire::{Msn, Psn, Time32};

    #[test]
    fn jobs_come_back_from_their_vectors() {
        let slice =
            Slice { conn: 0, stream: 7, msn: Msn::new(0xff_fffe), index: 0x3f_ffff, ..Slice::default() };
        let probe = JobKind::Probe { stream: 9, repeat: true };
        for kind in [JobKind::New(slice), JobKind::Resend, JobKind::Expire, probe] {
            let (psn, now) = (Psn::new(0xab_cdef), Time32::new(0x8765_4321));
            let job = Job { kind, path: 0x1234, psn, route: 0x5a, now, ack_req: true };
            assert_eq!(tx_sched::rows::job(&pack_job(&job)), tx_sched::rows::ported(job));
        }
    }
}
