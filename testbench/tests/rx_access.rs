//! `rx_access` against `heddle_model::rx::access`, in lockstep.

use heddle_model::operations::Operations;
use heddle_model::rx::access::{AccessConfig, Region};
use heddle_testbench::bits::Packer;
use heddle_testbench::duts::RxAccess;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Setup};
use heddle_testbench::monitors::rx_access::{AccessMonitor, Frame, Ports};
use heddle_testbench::rows::Located;
use heddle_testbench::Dut;
use heddle_wire::{Msn, PacketType};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

const CONFIG: AccessConfig =
    AccessConfig { regions: 64, streams: 4, slots: 16, slice_log2: 10, operations: Operations::WRITE_ONLY };

/// `done` of each stream as the test's stand-in for `rx_msg` has it.
fn done_of(stream: u8) -> Msn {
    Msn::new(u32::from(stream).wrapping_mul(0x1_2345).wrapping_sub(7))
}

struct AccessBench {
    rng: ChaCha8Rng,
    frames: Driver<Frame>,
    o_ready: Pace,
    p_ready: Pace,
    k_ready: Pace,
    transactions: u64,
    regions: Vec<Region>,
    cycle: u64,
    asked: u8,
}

impl AccessBench {
    fn frame(rng: &mut ChaCha8Rng, regions: &[Region]) -> Frame {
        let odd = |rng: &mut ChaCha8Rng| rng.gen_ratio(1, 12);
        let index = rng.gen_range(0..64usize);
        let region = regions[index];
        let kind = if odd(rng) { PacketType::ALL[rng.gen_range(0..5)] } else { PacketType::Data };
        let opcode = if odd(rng) { rng.gen_range(1..10) } else { 1u32 };
        let length: u32 = match rng.gen_range(0..8) {
            0 => 0,
            1 => rng.gen(),
            _ => rng.gen_range(1..9000),
        };
        let slices = (length.max(1) - 1) / 1024 + 1;
        let offset = if odd(rng) { rng.gen() } else { rng.gen_range(0..slices) * 1024 };
        let left = length.wrapping_sub(offset);
        let last = (left <= 1024) != odd(rng);
        let payload = left.min(1024).next_multiple_of(4);
        let payload = if odd(rng) { payload ^ 4 } else { payload };
        let conn: u32 = rng.gen_range(0..16);
        let stream: u32 = if odd(rng) { rng.gen_range(0..256) } else { rng.gen_range(0..4) };
        let done = done_of((conn * 4 + stream % 4) as u8).get();
        let ahead = if odd(rng) { rng.gen_range(15..18) } else { rng.gen_range(0..16) };
        let back = if odd(rng) { 1 } else { 0 };
        let msn = done.wrapping_add(ahead).wrapping_sub(back) & 0xff_ffff;
        let slack = region.length.saturating_sub(u64::from(length));
        let edge = [0, 1, slack, slack.wrapping_add(1), u64::MAX][rng.gen_range(0..5)];
        let shift = if odd(rng) { edge } else { 0 };
        let address = region.base.wrapping_add(u64::from(offset)).wrapping_add(shift);
        let key = (index as u32) << 16 | u32::from(region.tag as u16);
        let key = if odd(rng) { key ^ 1 << rng.gen_range(0..32) } else { key };
        let mut words: [u32; 12] = std::array::from_fn(|_| rng.gen());
        words[0] = 1 << 28
            | u32::from(kind.code()) << 24
            | opcode << 16
            | u32::from(last) << 9
            | rng.gen_range(0..4);
        words[1] = conn << 16 | words[1] & 0xffff;
        words[4] = stream << 24 | msn;
        (words[5], words[6], words[7], words[8]) = (offset, length, (address >> 32) as u32, address as u32);
        words[9] = key;
        let domain = if odd(rng) { rng.gen() } else { region.domain };
        let drop = if odd(rng) { rng.gen_range(24..29) } else { 0 };
        Frame { frame: Located { words, ce: rng.gen(), len: payload as u16, domain }, drop }
    }

    fn region(rng: &mut ChaCha8Rng) -> Region {
        let length = [0, rng.gen_range(1..20_000), rng.gen()][rng.gen_range(0..3)];
        let base = [0, rng.gen::<u64>(), u64::MAX - length][rng.gen_range(0..3)].min(u64::MAX - length);
        Region {
            valid: rng.gen_ratio(7, 8),
            tag: rng.gen::<u16>().into(),
            base,
            length,
            remote_write: rng.gen_ratio(7, 8),
            domain: rng.gen(),
            ..Region::default()
        }
    }
}

impl Bench for AccessBench {
    type Dut = RxAccess;
    type Monitor = AccessMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng("frames"),
            frames: Driver::new(setup.idle("c")),
            o_ready: setup.back("o"),
            p_ready: setup.back("p"),
            k_ready: setup.back("k"),
            transactions: setup.transactions,
            regions: vec![Region::default(); 64],
            cycle: 0,
            asked: 0,
        }
    }

    fn monitor(_: &Setup) -> AccessMonitor {
        AccessMonitor::new(16, CONFIG)
    }

    fn drive(&mut self, dut: &mut RxAccess, _: &AccessMonitor) {
        self.cycle += 1;
        let (rng, regions, left) = (&mut self.rng, &self.regions, self.frames.sent() < self.transactions);
        let frame = self.frames.offer(|| left.then(|| Self::frame(rng, regions)));
        dut.set_c_valid(frame.is_some());
        match frame {
            Some(frame) => {
                dut.set_c_frame(&frame.frame.pack());
                dut.set_c_drop(frame.drop);
            }
            None => dut.noise("c_", &mut self.rng),
        }
        // The regions are cleared for 64 cycles after reset; set-up comes later than that.
        dut.noise("cfg_", &mut self.rng);
        let write = self.cycle > 70 && self.rng.gen_ratio(1, 3);
        dut.set_cfg_we(write);
        if write {
            let (index, r) = (self.rng.gen_range(0..64u8), Self::region(&mut self.rng));
            dut.set_cfg_region(index);
            let packer =
                Packer::default().put(1, r.valid).put(1, self.rng.gen::<bool>()).put(1, r.remote_write);
            let packer = packer.put(1, self.rng.gen::<bool>()).put(16, r.tag).put(16, r.domain);
            dut.set_cfg_row(&packer.put(64, r.base).put(64, r.length).finish());
            self.regions[usize::from(index)] = r;
        }
        // The answer comes in the cycle after the question.
        dut.set_q_done(done_of(self.asked).get());
        dut.set_o_ready(self.o_ready.go());
        dut.set_p_ready(self.p_ready.go());
        dut.set_k_ready(self.k_ready.go());
    }

    fn ports(dut: &RxAccess) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.frames.settle(&ports.c);
        self.asked = ports.asked as u8;
    }

    fn done(&self) -> bool {
        self.frames.sent() == self.transactions
    }

    fn reset(&mut self) {
        self.frames.reset();
        self.regions = vec![Region::default(); 64];
        self.cycle = 0;
    }
}

#[test]
fn every_packet_carries_its_first_fault_and_goes_where_its_type_belongs() {
    let report = matrix::<AccessBench>(500);
    assert_eq!(report.crossed, report.compared + report.explained());
    let faults = ["operation", "stream", "msn_window", "slice", "key", "rights", "bounds"];
    report.demand(&faults.map(|fault| (fault, 100)));
    report.demand(&[("no fault", 1000)]);
    assert_eq!(*report.latency["o"].start(), 6);
}
