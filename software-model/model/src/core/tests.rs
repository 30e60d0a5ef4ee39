mod anew;
mod plenty;
#[path = "../../tests/shared/rows.rs"]
mod rows;

use super::*;
use crate::memory::Memory;
use crate::operations::Operations;
use crate::tx::msg::Answered;
use heddle_wire::{Opcode, Status};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rows::{rows, End};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::Ipv4Addr;

const KEY_TAG: u32 = 0x1234;
const REGION: u32 = 2;
/// The region in the middle of the memory: a guard before and behind it must stay untouched.
const BASE: u64 = 4096 + 5;

/// Memory of one host, from address 0.
struct Host(Vec<u8>);

impl Memory for Host {
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        let at = address as usize;
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
        true
    }
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> bool {
        let at = address as usize;
        bytes.copy_from_slice(&self.0[at..at + bytes.len()]);
        true
    }
}

fn config(seed: u32) -> CoreConfig {
    CoreConfig { connections: 2, regions: 4, seed, ..CoreConfig::default() }
}

#[derive(Clone, Copy)]
struct Network {
    loss: f64,
    ack_loss: f64,
    reorder: f64,
    duplicate: f64,
}

const CLEAN: Network = Network { loss: 0.0, ack_loss: 0.0, reorder: 0.0, duplicate: 0.0 };

/// (arrival tick, number, receiver, frame)
type Flight = (u64, u64, usize, Vec<u8>);

struct Bench {
    cores: [Core; 2],
    hosts: [Host; 2],
    network: Network,
    rng: ChaCha8Rng,
    wire: BinaryHeap<Reverse<Flight>>,
    tick: u64,
    sent: u64,
    seed: u64,
}

const DELAY: u64 = 250;
const FIRST: u32 = 0xFF_FF80;

impl Bench {
    fn new(network: Network, seed: u64, source: &[u8]) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut cores = [Core::new(config(rng.next_u32())), Core::new(config(rng.next_u32()))];
        let end = |n: usize| End {
            address: Ipv4Addr::new(10, 0, 0, n as u8 + 1),
            conn: 1,
            tag: 0x1111 * (n as u16 + 1),
        };
        // Timestamps wrap during the first transfer.
        let start = Time32::new(0u32.wrapping_sub(40_000));
        for (n, core) in cores.iter_mut().enumerate() {
            let (receive, transmit) = rows(&end(n), &end(1 - n), 3);
            assert!(core.set_connection(1, receive, transmit));
            for path in 4..8 {
                let route = Route { plane: path as u8 - 4, src_port: 49152 + path };
                let psn = Psn::new(FIRST + u32::from(path));
                assert!(core.set_path(path, psn, psn, route, start));
            }
            let region = Region {
                valid: true,
                tag: KEY_TAG,
                base: BASE,
                length: source.len() as u64,
                remote_write: true,
                domain: 3,
                ..Region::default()
            };
            assert!(core.set_region(REGION, region));
        }
        let room = source.len() + BASE as usize + 4096;
        let hosts = [Host([source, &[0; 8]].concat()), Host(vec![0xA5; room])];
        Self { cores, hosts, network, rng, wire: BinaryHeap::new(), tick: 0, sent: 0, seed }
    }

    fn now(&self) -> Time32 {
        Time32::new((self.tick as u32).wrapping_sub(40_000))
    }

    /// Sends one frame of core `n` into the network, if it has any.
    fn transmit(&mut self, n: usize) -> bool {
        let now = self.now();
        let Some(Outgoing { plane, bytes, .. }) = self.cores[n].transmit(now, &mut self.hosts[n]) else {
            return false;
        };
        self.sent += 1;
        // Bytes 42 and on are the transport header of an untagged IPv4 frame.
        let loss = if bytes[42] & 15 == 2 { self.network.ack_loss } else { self.network.loss };
        let lost = self.rng.gen_bool(loss);
        let late = self.rng.gen_bool(self.network.reorder);
        let twice = self.rng.gen_bool(self.network.duplicate);
        let extra = self.rng.gen_range(1..500);
        let at = self.tick + DELAY + u64::from(plane) * 10 + if late { extra } else { 0 };
        if !lost {
            if twice {
                self.wire.push(Reverse((at + extra, self.sent, 1 - n, bytes.clone())));
            }
            self.wire.push(Reverse((at, self.sent, 1 - n, bytes)));
        }
        true
    }

    /// Nine ticks: what arrives, what the cores do, a frame of each.
    fn step(&mut self) -> bool {
        let now = self.now();
        while self.wire.peek().is_some_and(|first| first.0 .0 <= self.tick) {
            let Some(Reverse((_, _, to, bytes))) = self.wire.pop() else { break };
            self.cores[to].receive(now, &bytes, &mut self.hosts[to]);
        }
        (0..2).for_each(|n| self.cores[n].advance(now));
        let busy = self.transmit(0) | self.transmit(1);
        self.tick += 9;
        busy
    }

    /// Runs until `messages` completions came, and checks them; then until nothing is in flight.
    fn run(&mut self, requests: &mut dyn Iterator<Item = WorkRequest>) -> Vec<Completion> {
        let mut completions = vec![];
        let mut next = requests.next();
        for _ in 0..20_000_000u64 {
            while let Some(request) = next {
                if !self.cores[0].accepts(&request) {
                    break;
                }
                self.cores[0].submit(request);
                next = requests.next();
            }
            let busy = self.step();
            completions.extend(std::iter::from_fn(|| self.cores[0].completion()));
            let idle = !busy && self.wire.is_empty() && next.is_none();
            if idle && self.cores[0].is_idle() {
                return completions;
            }
        }
        panic!(
            "no end after {} ticks; replay: SEED={} cargo test -p heddle-model core",
            self.tick, self.seed
        );
    }
}

fn file(len: usize, seed: u64) -> Vec<u8> {
    let mut bytes = vec![0; len];
    ChaCha8Rng::seed_from_u64(seed ^ 0xF11E).fill_bytes(&mut bytes);
    bytes
}

/// Work requests that write `source` to the region in messages of `message` bytes over all streams.
fn writes(len: usize, message: usize) -> Vec<WorkRequest> {
    let count = len.div_ceil(message).max(1);
    (0..count)
        .map(|n| WorkRequest {
            wr_id: 1000 + n as u64,
            opcode: Opcode::Write.code(),
            conn: 1,
            stream: (n % 4) as u8,
            local: (n * message) as u64,
            remote: BASE + (n * message) as u64,
            rkey: REGION << crate::rx::access::KEY_TAG_BITS | KEY_TAG,
            length: (len - n * message).min(message) as u32,
            ..WorkRequest::default()
        })
        .collect()
}

fn transfer(network: Network, seed: u64, len: usize, message: usize) -> Bench {
    let source = file(len, seed);
    let mut bench = Bench::new(network, seed, &source);
    let requests = writes(len, message);
    let completions = bench.run(&mut requests.clone().into_iter());
    assert_eq!(completions.len(), requests.len(), "seed {seed}");
    for stream in 0..4u8 {
        let of = |id: u64| requests[(id - 1000) as usize].stream == stream;
        let ids: Vec<_> = completions.iter().map(|c| c.wr_id).filter(|&id| of(id)).collect();
        assert!(ids.is_sorted(), "stream {stream} completed out of order, seed {seed}");
    }
    let bytes: u64 = completions.iter().map(|c| u64::from(c.byte_len)).sum();
    assert_eq!(bytes, len as u64);
    assert!(completions.iter().all(|c| c.status == Status::Success && c.conn == 1));
    let memory = &bench.hosts[1].0;
    assert!(memory[BASE as usize..][..len] == source[..], "memory differs, seed {seed}");
    let guards = memory[..BASE as usize].iter().chain(&memory[BASE as usize + len..]);
    assert!(guards.copied().all(|byte| byte == 0xA5), "a byte landed outside the region, seed {seed}");
    assert_eq!(bench.cores.iter().map(|core| core.error()).collect::<Vec<_>>(), [None, None]);
    bench
}

#[test]
fn files_of_every_awkward_size_arrive() {
    for len in [0, 1, 3, 4, 1023, 1024, 1025, 4095, 4096, 4097, 100_000] {
        let bench = transfer(CLEAN, len as u64, len, 4096);
        let core = bench.cores[0].counters();
        assert_eq!((core.data_resent, core.expiries), (0, 0), "{len} bytes");
        let slices: usize = writes(len, 4096).iter().map(|w| (w.length as usize).div_ceil(1024).max(1)).sum();
        assert_eq!(core.data_sent, slices as u64);
        assert_eq!(bench.cores[1].counters().accepted, slices as u64);
    }
}

#[test]
fn a_lossy_network_loses_nothing_for_good_and_every_frame_is_accounted_for() {
    for (seed, loss) in [(1, 0.01), (2, 0.05), (3, 0.1), (4, 0.3)] {
        let network = Network { loss, ack_loss: loss, ..CLEAN };
        let bench = transfer(network, seed, 400_000, 10_000);
        for core in &bench.cores {
            let c = core.counters();
            let known = c.accepted + c.acks_received + c.probes_received + c.dropped();
            assert_eq!(c.frames_received, known, "loss {loss}");
        }
        assert!(bench.cores[0].counters().data_resent > 0);
    }
}

#[test]
fn reordering_and_duplication_change_no_byte() {
    for seed in 10..14 {
        let network = Network { loss: 0.02, ack_loss: 0.02, reorder: 0.05, duplicate: 0.05 };
        let bench = transfer(network, seed, 300_000, 7_001);
        assert!(bench.cores[1].counters().drops(DropReason::Duplicate) > 0);
    }
}

/// A connection with little to send: lost tails are asked for by PROBEs on paths that have nothing in flight. None
/// of them may be the worse for it.
#[test]
fn messages_one_at_a_time_arrive_whatever_was_lost_and_leave_every_path_usable() {
    for (seed, loss) in [(20, 0.05), (21, 0.3)] {
        let source = file(120_000, seed);
        let mut bench = Bench::new(Network { loss, ack_loss: loss, ..CLEAN }, seed, &source);
        for request in writes(source.len(), 600) {
            let completions = bench.run(&mut std::iter::once(request));
            assert_eq!(completions.len(), 1, "seed {seed}");
            // Long enough for every timer that still runs.
            (0..40_000).for_each(|_| _ = bench.step());
        }
        assert!(bench.hosts[1].0[BASE as usize..][..source.len()] == source[..], "seed {seed}");
        bench.network = CLEAN;
        let next = |bench: &Bench| [4, 5, 6, 7].map(|path| bench.cores[0].rows[path].tx.next());
        let before = next(&bench);
        assert_eq!(bench.run(&mut writes(source.len(), 600).into_iter()).len(), 200);
        let after = next(&bench);
        assert!(before.iter().zip(&after).all(|(a, b)| a != b), "seed {seed}: {before:?} {after:?}");
    }
}

#[test]
fn one_long_message_uses_its_single_slot() {
    transfer(Network { loss: 0.01, ack_loss: 0.01, ..CLEAN }, 20, 1 << 20, 1 << 20);
}

/// Memory whose every read is an error.
struct Failing;

impl Memory for Failing {
    fn write(&mut self, _: u64, _: &[u8]) -> bool {
        false
    }
    fn read(&mut self, _: u64, bytes: &mut [u8]) -> bool {
        bytes.fill(0xEE);
        false
    }
}

#[test]
fn a_payload_that_memory_fails_is_reported_and_not_sent_until_its_resend_can_read_it() {
    let source = file(1000, 6);
    let mut bench = Bench::new(CLEAN, 6, &source);
    let core = &mut bench.cores[0];
    core.submit(writes(1000, 1000)[0]);
    let start = Time32::new(0);
    assert_eq!(core.transmit(start, &mut Failing), None);
    assert_eq!(core.error(), Some((1, RxMsgError::Memory)));
    assert_eq!((core.counters().errors, core.counters().data_sent), (1, 0));
    // A question about the message may come before the expiry of its packet; byte 42 tells the type.
    let frame = (0..10).find_map(|_| {
        let due = core.next_deadline().expect("the timer runs for a packet that memory kept back");
        core.advance(due);
        let mut frames = std::iter::from_fn(|| core.transmit(due, &mut bench.hosts[0]));
        frames.find(|frame| frame.bytes[42] & 15 == 1)
    });
    let frame = frame.expect("the resend").bytes;
    assert_eq!(frame[42 + 48..][..1000], source);
    assert_eq!((core.counters().errors, core.counters().data_resent), (1, 1));
}

#[test]
fn a_fresh_seed_passes_too() {
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or_else(rand::random);
    println!("SEED={seed}");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rate = |rng: &mut ChaCha8Rng| rng.gen_range(0.0..0.2);
    let network = Network {
        loss: rate(&mut rng),
        ack_loss: rate(&mut rng),
        reorder: rate(&mut rng),
        duplicate: rate(&mut rng),
    };
    let len = rng.gen_range(0..500_000);
    let message = rng.gen_range(1 + len / 3000..60_000);
    transfer(network, seed, len, message);
}

#[test]
fn any_bytes_are_one_drop_and_touch_nothing() {
    let source = file(5000, 5);
    let mut bench = Bench::new(CLEAN, 5, &source);
    bench.cores[0].submit(writes(1000, 1000)[0]);
    let now = bench.now();
    let good = bench.cores[0].transmit(now, &mut bench.hosts[0]).unwrap().bytes;
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    let mut frames = 0;
    let mut give = |bytes: &[u8], bench: &mut Bench| {
        frames += 1;
        bench.cores[1].receive(now, bytes, &mut bench.hosts[1]);
    };
    for cut in 0..good.len() {
        give(&good[..cut], &mut bench);
    }
    for _ in 0..20_000 {
        let mut bytes = good.clone();
        for _ in 0..rng.gen_range(1..4) {
            let at = rng.gen_range(0..bytes.len());
            bytes[at] = rng.gen();
        }
        if bytes != good {
            give(&bytes, &mut bench);
        }
    }
    let counters = bench.cores[1].counters();
    // A change in a field that the fabric may change (ECN, TTL) is a good frame: it is placed once and then a duplicate.
    assert_eq!(counters.frames_received, frames);
    assert_eq!(counters.accepted + counters.dropped(), frames);
    assert!(counters.accepted <= 1 && counters.drops(DropReason::Icrc) > 1000);
}

#[test]
#[should_panic(expected = "1024 connections of 64 paths: at most 65535 paths are possible")]
fn a_core_with_more_paths_than_an_index_can_name_is_refused() {
    Core::new(CoreConfig { connections: 1024, paths: 64, ..CoreConfig::default() });
}

/// What an ACK says of answers takes turns with `done`, however fast answers come.
#[test]
fn news_of_done_is_told_between_news_of_answers() {
    let mut core = Core::new(CoreConfig { operations: Operations::ALL, ..config(1) });
    assert!(core.tx_msg.set_valid(1, true));
    let told = [0, 1, 2, 3].map(|n| {
        let opcode = Opcode::FetchAdd.code();
        core.tx_msg.submit(WorkRequest { opcode, conn: 1, length: 8, ..WorkRequest::default() });
        assert!(core.tx_msg.slice(1).is_some());
        assert_eq!(core.tx_msg.answer_placed(1, 0, Msn::new(n), 8), Answered::Complete);
        assert!(core.tx_msg.done(1, 0, Msn::new(n + 1)).is_some());
        core.rx_msg.ask(1, 2);
        core.report(1).answers
    });
    assert_eq!(told, [true, false, true, false]);
}
