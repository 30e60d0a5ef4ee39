//! Ports, memory and registers of the timer.

use super::super::rows::{AckSample, RtoRow};
use heddle_emit::prims::{Fifo, SdpRamNc};
use rust_hdl::prelude::*;

/// Longest interval between two expiries, ticks: 1 s. Source: docs/protocol.md section 5.
const MAX_INTERVAL_TICKS: u64 = 125_000_000;
/// First repeat of an expiry without a round-trip sample, ticks: 100 us. Source: section 6.
const REPEAT_TICKS: u64 = 12_500;
/// Random addition to a repeat, ticks: up to 25 us. Source: section 6.
const REPEAT_JITTER_TICKS: u64 = 3_125;
/// Doublings beyond the longest interval whatever the first.
const MAX_BACKOFF: u64 = 26;
/// The feedback of the random register: x^32 + x^30 + x^26 + x^25 + 1, Galois form, period 2^32 - 1. Source:
/// Xilinx XAPP052.
const TAPS: u64 = 0xA300_0000;

/// The block: 2^`PW` paths, `PC` = `PW` + 1.
#[derive(LogicBlock)]
pub struct TxRto<const PW: usize, const PC: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: no path has a sample or a running timer; the random register is 1.
    pub rst: Signal<In, Bit>,
    /// Time, ticks of 8 ns.
    pub now: Signal<In, Bits<32>>,
    /// T of the peer's receiver, ticks, at least 1. Changed only while nothing is in flight.
    pub ack_delay: Signal<In, Bits<16>>,
    /// First interval of a path without a sample, ticks, 1 to 125,000,000. Changed only while nothing is in
    /// flight.
    pub rto0: Signal<In, Bits<27>>,
    /// Pulse: loads the random register.
    pub seed_we: Signal<In, Bit>,
    /// Its new contents; 0 loads all ones.
    pub seed: Signal<In, Bits<32>>,
    /// Pulse: a good ACK.
    pub t_valid: Signal<In, Bit>,
    /// What it tells.
    pub t_sample: Signal<In, AckSample>,
    /// At least 8 more `t` find room. Registered.
    pub t_room: Signal<Out, Bit>,
    /// A packet sent is told.
    pub s_valid: Signal<In, Bit>,
    /// It is taken.
    pub s_ready: Signal<Out, Bit>,
    /// Its path.
    pub s_path: Signal<In, Bits<PW>>,
    /// What it is sent for: 0 new, 1 resend by evidence, 2 resend that an expiry asked for, 3 PROBE.
    pub s_kind: Signal<In, Bits<2>>,
    /// Its timestamp.
    pub s_now: Signal<In, Bits<32>>,
    /// An expiry is offered.
    pub e_valid: Signal<Out, Bit>,
    /// It is taken.
    pub e_ready: Signal<In, Bit>,
    /// Its path.
    pub e_path: Signal<Out, Bits<PW>>,
    /// 0 resend, 1 probe, 2 dead.
    pub e_kind: Signal<Out, Bits<2>>,
    /// Pulse, after each good ACK: the RTO of a path.
    pub o_valid: Signal<Out, Bit>,
    /// The path.
    pub o_path: Signal<Out, Bits<PW>>,
    /// Ticks, without backoff.
    pub o_rto: Signal<Out, Bits<27>>,
    /// Pulse: an event is committed, in the order of the random draws; its time is `now` of this cycle (of a
    /// packet sent: its timestamp).
    pub log_valid: Signal<Out, Bit>,
    /// 0 good ACK, 1 packet sent, 2 scan.
    pub log_kind: Signal<Out, Bits<2>>,
    /// Its path.
    pub log_path: Signal<Out, Bits<PW>>,
    pub(super) rows: SdpRamNc<RtoRow, PW>,
    pub(super) samples: Fifo<AckSample, 4, 5>,
    pub(super) clear: DFF<Bits<PC>>,
    pub(super) state: DFF<Bits<4>>,
    pub(super) kind: DFF<Bits<2>>,
    pub(super) path: DFF<Bits<PW>>,
    pub(super) scan: DFF<Bits<PW>>,
    pub(super) at: DFF<Bits<32>>,
    pub(super) sent_kind: DFF<Bits<2>>,
    pub(super) ack: DFF<AckSample>,
    pub(super) row: DFF<RtoRow>,
    pub(super) value: DFF<Bits<28>>,
    pub(super) jitter: DFF<Bits<28>>,
    pub(super) left: DFF<Bits<5>>,
    pub(super) lfsr: DFF<Bits<32>>,
    pub(super) random: DFF<Bits<16>>,
    pub(super) expiry: DFF<Bit>,
    pub(super) expiry_path: DFF<Bits<PW>>,
    pub(super) expiry_kind: DFF<Bits<2>>,
    pub(super) told: DFF<Bit>,
    pub(super) room: DFF<Bit>,
    pub(super) clearing: Signal<Local, Bit>,
    pub(super) head: Signal<Local, AckSample>,
    pub(super) draw: Signal<Local, Bit>,
    pub(super) stepped: Signal<Local, Bits<32>>,
    pub(super) sample_x8: Signal<Local, Bits<24>>,
    pub(super) error_x8: Signal<Local, Bits<24>>,
    pub(super) half: Signal<Local, Bits<24>>,
    pub(super) wide_delay: Signal<Local, Bits<24>>,
    pub(super) spread: Signal<Local, Bits<24>>,
    pub(super) doubled: Signal<Local, Bits<28>>,
    pub(super) sum: Signal<Local, Bits<28>>,
    pub(super) product: Signal<Local, Bits<32>>,
    pub(super) gap: Signal<Local, Bits<32>>,
    pub(super) due: Signal<Local, Bit>,
    pub(super) dead: Signal<Local, Bit>,
    pub(super) write: Signal<Local, RtoRow>,
    pub(super) rows_end: Constant<Bits<PC>>,
    pub(super) max_interval: Constant<Bits<28>>,
    pub(super) repeat: [Constant<Bits<28>>; 3],
    pub(super) jitter_factor: Constant<Bits<16>>,
    pub(super) max_backoff: Constant<Bits<5>>,
    pub(super) taps: Constant<Bits<32>>,
    pub(super) ones: Constant<Bits<32>>,
}

impl<const PW: usize, const PC: usize> Default for TxRto<PW, PC> {
    fn default() -> Self {
        assert_eq!(PC, PW + 1, "derived width");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            ack_delay: Default::default(),
            rto0: Default::default(),
            seed_we: Default::default(),
            seed: Default::default(),
            t_valid: Default::default(),
            t_sample: Default::default(),
            t_room: Default::default(),
            s_valid: Default::default(),
            s_ready: Default::default(),
            s_path: Default::default(),
            s_kind: Default::default(),
            s_now: Default::default(),
            e_valid: Default::default(),
            e_ready: Default::default(),
            e_path: Default::default(),
            e_kind: Default::default(),
            o_valid: Default::default(),
            o_path: Default::default(),
            o_rto: Default::default(),
            log_valid: Default::default(),
            log_kind: Default::default(),
            log_path: Default::default(),
            rows: Default::default(),
            samples: Fifo::new(7),
            clear: Default::default(),
            state: Default::default(),
            kind: Default::default(),
            path: Default::default(),
            scan: Default::default(),
            at: Default::default(),
            sent_kind: Default::default(),
            ack: Default::default(),
            row: Default::default(),
            value: Default::default(),
            jitter: Default::default(),
            left: Default::default(),
            lfsr: Default::default(),
            random: Default::default(),
            expiry: Default::default(),
            expiry_path: Default::default(),
            expiry_kind: Default::default(),
            told: Default::default(),
            room: Default::default(),
            clearing: Default::default(),
            head: Default::default(),
            draw: Default::default(),
            stepped: Default::default(),
            sample_x8: Default::default(),
            error_x8: Default::default(),
            half: Default::default(),
            wide_delay: Default::default(),
            spread: Default::default(),
            doubled: Default::default(),
            sum: Default::default(),
            product: Default::default(),
            gap: Default::default(),
            due: Default::default(),
            dead: Default::default(),
            write: Default::default(),
            rows_end: Constant::new((1u64 << PW).to_bits()),
            max_interval: Constant::new(MAX_INTERVAL_TICKS.to_bits()),
            repeat: std::array::from_fn(|k| Constant::new((REPEAT_TICKS << k).to_bits())),
            jitter_factor: Constant::new(REPEAT_JITTER_TICKS.to_bits()),
            max_backoff: Constant::new(MAX_BACKOFF.to_bits()),
            taps: Constant::new(TAPS.to_bits()),
            ones: Constant::new(u64::from(u32::MAX).to_bits()),
        }
    }
}
