//! What the memories must hold, computed from the requests alone: every stream's requests in their order, the
//! streams one after the other. A plan has no two streams whose order would matter, but for words that several
//! streams add to.

use super::super::memory::HostMemory;
use super::super::plan::Plan;
use heddle_wire::{Opcode, WorkRequest};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of an atomic's word.
const WORD: usize = 8;

/// A host's memory from an address on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The host.
    pub host: usize,
    /// First byte.
    pub address: u64,
    /// Bytes.
    pub len: usize,
}

/// How a request shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// These bytes are in place when it is completed.
    Placed(Place),
    /// A receive has its bytes.
    Sent(Place),
    /// This sink has what a word held that others add to as well: known when it is there.
    Fetched {
        /// The sink.
        sink: Place,
        /// Host and address of the word.
        word: (usize, u64),
        /// What was added.
        operand: u64,
    },
}

/// A word that several streams add to.
#[derive(Clone, Debug, Default)]
struct Shared {
    first: u64,
    /// What adds have found, and what they added.
    found: Vec<(u64, u64)>,
}

/// The memories as they must be at the end.
#[derive(Clone, Debug)]
pub struct Expected {
    memories: Vec<HostMemory>,
    shared: BTreeMap<(usize, u64), Shared>,
}

impl Expected {
    /// The memories at the start of the plan.
    pub fn new(plan: &Plan) -> Self {
        let memories: Vec<_> = (0..plan.hosts.len()).map(|host| plan.memory(host)).collect();
        let mut users: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (host, work) in plan.hosts.iter().enumerate() {
            for request in work.requests.iter().filter(|one| is_atomic(one)) {
                let Some(peer) = plan.peer(host, request.conn) else { continue };
                let user = (host, request.conn, request.stream);
                users.entry((peer, request.remote_address)).or_default().insert(user);
            }
        }
        let shared = users.into_iter().filter(|(_, users)| users.len() > 1).map(|(word, _)| {
            let first = read_word(&memories[word.0], word.1);
            (word, Shared { first, found: Vec::new() })
        });
        let shared = shared.collect();
        Self { memories, shared }
    }

    /// Does what a request asks for; requests of a stream come in their order.
    pub fn apply(&mut self, host: usize, peer: usize, request: &WorkRequest) -> Effect {
        let len = request.length as usize;
        let local = Place { host, address: request.local_address, len };
        let remote = Place { host: peer, address: request.remote_address, len };
        match Opcode::from_code(request.opcode) {
            Some(Opcode::Send | Opcode::SendImm) => Effect::Sent(local),
            Some(Opcode::ReadReq) => {
                self.copy(remote, local);
                Effect::Placed(local)
            }
            Some(Opcode::FetchAdd | Opcode::CmpSwap) => self.atomic(local, remote, request),
            _ => {
                self.copy(local, remote);
                Effect::Placed(remote)
            }
        }
    }

    fn atomic(&mut self, local: Place, remote: Place, request: &WorkRequest) -> Effect {
        let (operand, word) = (request.operand, (remote.host, remote.address));
        let old = read_word(&self.memories[remote.host], remote.address);
        let swaps = request.opcode == Opcode::CmpSwap.code();
        let new = match swaps {
            false => old.wrapping_add(operand),
            true if old == request.compare => operand,
            true => old,
        };
        self.put(remote, &new.to_le_bytes());
        if self.shared.contains_key(&word) {
            assert!(!swaps, "a plan has no word that several streams use and that is swapped");
            return Effect::Fetched { sink: local, word, operand };
        }
        self.put(local, &old.to_le_bytes());
        Effect::Placed(local)
    }

    /// What was sent has come to this receive.
    pub fn received(&mut self, from: Place, at: u64, host: usize) -> Place {
        let sink = Place { host, address: at, len: from.len };
        self.copy(from, sink);
        sink
    }

    /// An add of a shared word has found `bytes`.
    pub fn fetched(&mut self, sink: Place, word: (usize, u64), operand: u64, bytes: [u8; WORD]) {
        self.put(sink, &bytes);
        if let Some(shared) = self.shared.get_mut(&word) {
            shared.found.push((u64::from_le_bytes(bytes), operand));
        }
    }

    /// Whether the memory holds what it must at this place.
    pub fn holds(&self, place: Place, memory: &HostMemory) -> bool {
        memory.slice(place.address, place.len) == self.memories[place.host].slice(place.address, place.len)
    }

    /// A host's memory.
    pub fn memory(&self, host: usize) -> &HostMemory {
        &self.memories[host]
    }

    /// Adds of a word by several streams happen one after the other, in some order: each must have found what the
    /// one before it left. Says which did not.
    pub fn torn(&self) -> Option<String> {
        self.shared.iter().find_map(|(&(_, address), Shared { first, found })| {
            // Operands are positive and small, so the order is that of the values.
            let mut found = found.clone();
            found.sort_unstable();
            let mut next = *first;
            found.into_iter().find_map(|(value, operand)| {
                let want = next;
                next = value.wrapping_add(operand);
                (value != want).then(|| format!("an add at {address:#x} found {value} where {want} was left"))
            })
        })
    }

    fn copy(&mut self, from: Place, to: Place) {
        let bytes = self.memories[from.host].slice(from.address, from.len).map(<[u8]>::to_vec);
        self.put(to, &bytes.expect("a plan's requests stay within its memories"));
    }

    fn put(&mut self, to: Place, bytes: &[u8]) {
        let memory = self.memories[to.host].slice_mut(to.address, bytes.len());
        memory.expect("a plan's requests stay within its memories").copy_from_slice(bytes);
    }
}

fn is_atomic(request: &WorkRequest) -> bool {
    [Opcode::FetchAdd.code(), Opcode::CmpSwap.code()].contains(&request.opcode)
}

fn read_word(memory: &HostMemory, address: u64) -> u64 {
    let bytes = memory.slice(address, WORD).and_then(|bytes| bytes.first_chunk());
    u64::from_le_bytes(*bytes.expect("a plan's requests stay within its memories"))
}
