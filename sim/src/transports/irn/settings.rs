//! What a plan may say of IRN.

use crate::time::Ps;
use crate::transports::dcqcn::{Dcqcn, DcqcnSettings};
use crate::transports::pairs::{check, within, Port, SettingsError};
use crate::transports::parts::Cut;
use crate::transports::wire;

/// Settings of IRN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrnSettings {
    /// Path MTU: 256, 512, 1024, 2048 or 4096.
    pub mtu: u32,
    /// Queue pairs per connection, 1 to 256.
    pub qps: u16,
    /// Messages are cut into chunks of so many bytes, and these spread over the queue pairs.
    pub chunk_bytes: Option<u32>,
    /// Source ports that a queue pair's packets are sprayed over, in turn, with all planes; 1: no spraying,
    /// one port on one plane, as IRN was published. With few ports their hashes load some links more than
    /// others: in a full permutation over 8 spines 16 ports bring 0.54 of the line, 64 0.83, 256 and more
    /// 0.92.
    pub ports: u16,
    /// Packets in flight per queue pair: the cap of IRN's flow control (BDP-FC). Without it: twice the
    /// bandwidth-delay product, of all planes where packets are sprayed; once, as published. Twice, because
    /// queues and longer ways make the round trip longer than that of the empty network.
    pub window: Option<u32>,
    /// A packet counts as lost when one has come that was sent so many packets later, 1 or more. Without it:
    /// 1 for one path; `window` where packets are sprayed, the best of 1/36 to 4 windows over loss of 0 to 10
    /// % and ways that differ by up to three quarters of a window (`tests/irn.rs` measures it).
    pub reorder: Option<u32>,
    /// As published, section 3: a NACK names one packet, a lost resend waits for the timer, and the window
    /// spans PSNs. Else what later designs have, all better for the baseline: an ACK carries 64 bits of the
    /// bitmap and the number of the transmission that it answers, so a lost resend is found by later packets
    /// too, and the window counts what is in flight, and after an expiry it begins with one packet and grows
    /// with what is acknowledged.
    pub published: bool,
    /// Timer with few packets in flight. Without it: 100 us as published, for a round trip of 24 us; else the
    /// same multiple of the port's round trip, if that is less.
    pub timeout_low: Option<Ps>,
    /// Timer otherwise: the time that all queues of a path take. Source: IRN section 4.1, 320 us. Both are
    /// doubled at each expiry in a row, up to 256 times.
    pub timeout_high: Ps,
    /// So many packets are few. Source: IRN section 4.1, fewer than 3.
    pub few: u32,
    /// Expiries in a row without progress after which the queue pair fails.
    pub retries: u8,
    /// READs outstanding per queue pair.
    pub reads: u16,
    /// Congestion control.
    pub dcqcn: Option<DcqcnSettings>,
}

impl Default for IrnSettings {
    fn default() -> Self {
        Self {
            mtu: 4096,
            qps: 1,
            chunk_bytes: None,
            ports: 1024,
            window: None,
            reorder: None,
            published: false,
            timeout_low: None,
            timeout_high: Ps::from_us(320),
            few: 3,
            retries: 50,
            reads: 16,
            dcqcn: None,
        }
    }
}

/// The settings, checked, for a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Config {
    pub(super) planes: u8,
    pub(super) mtu: u32,
    pub(super) qps: u16,
    pub(super) cut: Cut,
    pub(super) ports: u16,
    pub(super) window: u32,
    /// PSNs from the first that is missing on that may be sent: the bitmap. A power of two, 64 or more.
    pub(super) span: u32,
    /// PSNs of it that are used.
    pub(super) reach: u32,
    pub(super) reorder: u64,
    pub(super) published: bool,
    pub(super) timeouts: [Ps; 2],
    pub(super) few: u32,
    pub(super) retries: u8,
    pub(super) reads: usize,
    pub(super) dcqcn: Option<Dcqcn>,
    pub(super) line_bps: u64,
    pub(super) seed: u64,
}

impl Config {
    pub(super) fn new(port: &Port, settings: &IrnSettings, seed: u64) -> Result<Self, SettingsError> {
        check(port, settings.mtu)?;
        let ports = within("ports", settings.ports, 1, 1 << 14)?;
        let sprayed = if ports > 1 { u32::from(port.planes) } else { 1 };
        let bdp = port.bdp_packets(settings.mtu + wire::BASE + wire::RETH) * sprayed;
        let bdps = if settings.published { 1 } else { 2 };
        let window = within("window", settings.window.unwrap_or(bdps * bdp), 1, 1 << 16)?;
        let reorder = settings.reorder.unwrap_or(if ports > 1 { window } else { 1 });
        let scaled = Ps(if settings.published { u64::MAX } else { port.rtt.0.saturating_mul(100) / 24 });
        let timeout_low = settings.timeout_low.unwrap_or(Ps::from_us(100).min(scaled.max(Ps::from_us(1))));
        let timeout = |name, at: Ps| within(name, at.0, 1_000_000, 1 << 53).map(Ps);
        let dcqcn = settings.dcqcn.as_ref().map(|dcqcn| Dcqcn::new(dcqcn, port.rate)).transpose()?;
        let span = (4 * window).next_power_of_two().clamp(64, 1 << 18);
        Ok(Self {
            planes: port.planes,
            mtu: settings.mtu,
            qps: within("qps", settings.qps, 1, 256)?,
            cut: Cut::new(settings.chunk_bytes, settings.mtu)?,
            ports,
            window,
            span,
            reach: if settings.published { window } else { span },
            reorder: within("reorder", reorder, 1, 1 << 16)?.into(),
            published: settings.published,
            timeouts: [
                timeout("timeout_low in ps", timeout_low)?,
                timeout("timeout_high in ps", settings.timeout_high)?,
            ],
            few: settings.few,
            retries: within("retries", settings.retries, 0, 255)?,
            reads: within("reads", settings.reads, 1, 1 << 10)?.into(),
            dcqcn,
            line_bps: port.rate.bits_per_second(),
            seed,
        })
    }

    pub(super) fn sprays(&self) -> bool {
        self.ports > 1
    }
}
