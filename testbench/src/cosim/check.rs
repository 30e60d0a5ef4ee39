//! Completions against the work requests, and the memories against what the requests make of them.

mod expect;
mod failure;

pub use failure::Failure;

use super::memory::HostMemory;
use super::plan::Plan;
use expect::{Effect, Expected, Place};
use heddle_wire::queues::CompletionFlag;
use heddle_wire::{Completion, Opcode, Receive, Status, WorkRequest};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, VecDeque};

/// What the end of a run found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Bytes that the requests move.
    pub bytes_asked: u64,
    /// Of these, found in place both when their message was completed and at the end.
    pub bytes: u64,
    /// The SHA-256 of all memories is that of the memories as they must be.
    pub sha256_match: bool,
    /// What is wrong, when anything is.
    pub wrong: Option<String>,
    /// Completions of posted receives.
    pub receives: u64,
}

/// A stream of a host: host, connection, stream.
type StreamId = (usize, u16, u8);

/// A request that is owed a completion, at its own host and, as a message, where it consumes a receive.
#[derive(Clone, Copy, Debug)]
struct Owed {
    request: WorkRequest,
    msn: u32,
    effect: Effect,
}

/// Keeps the account of a run's work requests and receives.
#[derive(Debug)]
pub struct Check {
    expected: Expected,
    /// What is owed per stream, in order: to its own host, and to the peer's receives.
    requests: BTreeMap<StreamId, VecDeque<Owed>>,
    arrivals: BTreeMap<StreamId, VecDeque<Owed>>,
    /// Receives not consumed, by host and number.
    receives: BTreeMap<(usize, u64), Receive>,
    asked: usize,
    bytes_asked: u64,
    completed: usize,
    completed_bytes: u64,
    received: u64,
    /// Work requests and receives that ended with an error, and the first of them that says why.
    failed: [usize; 2],
    failure: Option<Failure>,
    /// What was in place when it was completed.
    in_place: Vec<Place>,
}

impl Check {
    /// For the work of a plan.
    pub fn new(plan: &Plan) -> Self {
        let mut expected = Expected::new(plan);
        let (mut requests, mut arrivals) = (BTreeMap::new(), BTreeMap::new());
        let mut receives = BTreeMap::new();
        for (host, work) in plan.hosts.iter().enumerate() {
            for request in &work.requests {
                let ends = plan.peer(host, request.conn).map(|peer| (peer, plan.connection(peer, host)));
                let (peer, Some(peers)) = ends.expect("a plan's connections are set up") else { continue };
                let owed: &mut VecDeque<_> =
                    requests.entry((host, request.conn, request.stream)).or_default();
                let effect = expected.apply(host, peer, request);
                let one = Owed { request: *request, msn: owed.len() as u32 % MSNS, effect };
                owed.push_back(one);
                if takes_receive(request.opcode) {
                    let arriving: &mut VecDeque<_> =
                        arrivals.entry((peer, peers, request.stream)).or_default();
                    arriving.push_back(one);
                }
            }
            receives.extend(work.receives.iter().map(|receive| ((host, receive.wr_id), *receive)));
        }
        Self {
            expected,
            requests,
            arrivals,
            receives,
            asked: plan.requests(),
            bytes_asked: plan.bytes(),
            completed: 0,
            completed_bytes: 0,
            received: 0,
            failed: [0; 2],
            failure: None,
            in_place: Vec::new(),
        }
    }

    /// Work requests completed.
    pub fn completed(&self) -> usize {
        self.completed
    }

    /// Their bytes.
    pub fn completed_bytes(&self) -> u64 {
        self.completed_bytes
    }

    /// Whether every work request is completed, and every receive that one of them consumes.
    pub fn is_complete(&self) -> bool {
        self.completed == self.asked && self.arrivals.values().all(VecDeque::is_empty)
    }

    /// Which are not, for a diagnosis.
    pub fn missing_text(&self) -> String {
        let text = |owed: &BTreeMap<StreamId, VecDeque<Owed>>, what: &str| -> Vec<String> {
            let open = owed.iter().filter(|(_, owed)| !owed.is_empty());
            let first = owed.keys().next().map(|(host, conn, _)| (*host, *conn));
            open.map(|((host, conn, stream), owed)| {
                let whose = match first {
                    // The usual run has one sender with one connection.
                    Some(first) if first == (*host, *conn) => String::new(),
                    _ => format!(" of connection {conn} of endpoint {host}"),
                };
                format!("stream {stream}{whose} lacks {}{what}", owed.len())
            })
            .collect()
        };
        let all = [text(&self.requests, ""), text(&self.arrivals, " receives")].concat();
        if all.is_empty() {
            "none is missing".to_owned()
        } else {
            all.join(", ")
        }
    }

    /// A completion at a host: it must be the next of its stream, a success, of the right size, and its bytes must
    /// be in their memory now.
    pub fn on_completion<'m>(
        &mut self,
        host: usize,
        completion: &Completion,
        memory: impl Fn(usize) -> &'m HostMemory,
    ) -> Result<(), String> {
        let Completion { wr_id, stream, conn, .. } = *completion;
        let is_receive = completion.flags >> CompletionFlag::Receive as u8 & 1 == 1;
        if completion.status != Status::Success.code() {
            return self.on_error(host, completion, is_receive);
        }
        let owed = if is_receive { &mut self.arrivals } else { &mut self.requests };
        let next = owed.get_mut(&(host, conn, stream)).and_then(VecDeque::pop_front);
        let what = if is_receive { "receive " } else { "" };
        let owed =
            next.ok_or(format!("{what}wr_id {wr_id} is completed, but stream {stream} is owed nothing"))?;
        let request = &owed.request;
        if (completion.byte_count, completion.opcode) != (request.length, request.opcode) {
            return Err(format!(
                "{what}wr_id {wr_id} moved {} bytes with opcode {}, asked for were {} with {}",
                completion.byte_count, completion.opcode, request.length, request.opcode
            ));
        }
        if completion.msn != owed.msn {
            let (got, want) = (completion.msn, owed.msn);
            return Err(format!("{what}wr_id {wr_id} is message {got} of stream {stream}, {want} is next"));
        }
        let place = if is_receive {
            self.on_receive(host, completion, &owed)?
        } else {
            self.on_request(completion, &owed, &memory)?
        };
        let Some(place) = place else { return Ok(()) };
        let holds = self.expected.holds(place, memory(place.host));
        match owed.effect {
            // A WRITE with immediate: its bytes count with its work request.
            Effect::Placed(_) if is_receive && holds => {}
            Effect::Placed(_) if is_receive => {
                return Err(format!(
                    "receive wr_id {wr_id} is completed before the message's bytes are in place"
                ));
            }
            _ if holds => self.in_place.push(place),
            _ => {}
        }
        Ok(())
    }

    /// A work request has ended well: where its bytes must be.
    fn on_request<'m>(
        &mut self,
        completion: &Completion,
        owed: &Owed,
        memory: &impl Fn(usize) -> &'m HostMemory,
    ) -> Result<Option<Place>, String> {
        let (wr_id, request) = (completion.wr_id, &owed.request);
        if wr_id != request.wr_id {
            let (stream, next) = (completion.stream, request.wr_id);
            return Err(format!("stream {stream} completed wr_id {wr_id} where {next} is next"));
        }
        if completion.flags != 0 {
            return Err(format!("wr_id {wr_id} is completed with flags {}", completion.flags));
        }
        self.completed += 1;
        self.completed_bytes += u64::from(request.length);
        Ok(match owed.effect {
            // The receive's completion says where they are.
            Effect::Sent(_) => None,
            Effect::Placed(place) => Some(place),
            Effect::Fetched { sink, word, operand } => {
                let bytes = memory(sink.host).slice(sink.address, sink.len);
                let bytes = bytes.and_then(|bytes| bytes.first_chunk()).ok_or("a sink that is not there")?;
                self.expected.fetched(sink, word, operand, *bytes);
                Some(sink)
            }
        })
    }

    /// A receive is consumed: where the message's bytes must be.
    fn on_receive(
        &mut self,
        host: usize,
        completion: &Completion,
        owed: &Owed,
    ) -> Result<Option<Place>, String> {
        let (wr_id, request) = (completion.wr_id, &owed.request);
        let receive = self.receives.remove(&(host, wr_id));
        let receive =
            receive.ok_or(format!("receive wr_id {wr_id} is completed, it was consumed or never posted"))?;
        if receive.conn != completion.conn {
            let (got, want) = (completion.conn, receive.conn);
            return Err(format!("receive wr_id {wr_id} of connection {want} is completed on {got}"));
        }
        let with_imm = completion.flags >> CompletionFlag::Imm as u8 & 1 == 1;
        let want = carries_imm(request.opcode).then_some(request.imm);
        let got = with_imm.then_some(completion.imm);
        if got != want {
            return Err(format!("receive wr_id {wr_id} came with imm {got:?}, sent was {want:?}"));
        }
        self.received += 1;
        Ok(match owed.effect {
            Effect::Sent(from) => Some(self.expected.received(from, receive.local_address, host)),
            Effect::Placed(place) => Some(place),
            Effect::Fetched { .. } => None,
        })
    }

    /// The end: compares all of every memory, byte by byte and by SHA-256. The bytes of a message that was
    /// completed before all of it was in memory do not count.
    pub fn finish<'m>(&self, memory: impl Fn(usize) -> &'m HostMemory, hosts: usize) -> Verified {
        let equal = |place: &Place| {
            let bytes = |memory: &'m HostMemory| memory.slice(place.address, place.len).unwrap_or_default();
            let want = self.expected.memory(place.host).slice(place.address, place.len).unwrap_or_default();
            want.iter().zip(bytes(memory(place.host))).filter(|(want, got)| want == got).count() as u64
        };
        let (mut found, mut wanted) = (Sha256::new(), Sha256::new());
        for host in 0..hosts {
            found.update(memory(host).data());
            wanted.update(self.expected.memory(host).data());
        }
        let different = (0..hosts).find_map(|host| {
            let pairs = self.expected.memory(host).data().iter().zip(memory(host).data());
            let (at, (want, got)) = pairs.enumerate().find(|(_, (want, got))| want != got)?;
            Some(format!("byte {at} of endpoint {host} is {got:#04x}, it must be {want:#04x}"))
        });
        Verified {
            bytes_asked: self.bytes_asked,
            bytes: self.in_place.iter().map(equal).sum(),
            sha256_match: found.finalize() == wanted.finalize(),
            wrong: self.expected.torn().or(different),
            receives: self.received,
        }
    }
}

/// Message numbers have 24 bits.
const MSNS: u32 = 1 << 24;

fn takes_receive(opcode: u8) -> bool {
    [Opcode::Send, Opcode::SendImm, Opcode::WriteImm].iter().any(|one| one.code() == opcode)
}

fn carries_imm(opcode: u8) -> bool {
    [Opcode::SendImm, Opcode::WriteImm].iter().any(|one| one.code() == opcode)
}
#[cfg(test)]
mod tests;
