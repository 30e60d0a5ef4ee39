//! What a plan may say of RoCE.

use crate::time::Ps;
use crate::transports::dcqcn::{Dcqcn, DcqcnSettings};
use crate::transports::pairs::{check, within, Port, SettingsError};
use crate::transports::parts::{Cut, MOST_PACKETS};
use crate::transports::wire;

/// Settings of RoCE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoceSettings {
    /// Path MTU: 256, 512, 1024, 2048 or 4096.
    pub mtu: u32,
    /// Queue pairs per connection, 1 to 256: each has one source port, so one path. Collective libraries use
    /// 1 to 16.
    pub qps: u16,
    /// Messages are cut into chunks of so many bytes, and these spread over the queue pairs; without it a
    /// message stays whole on the next one.
    pub chunk_bytes: Option<u32>,
    /// Packets in flight per queue pair, as a percentage of the bandwidth-delay product of a port, and twice
    /// `ack_every` beside, so that nobody waits for an ACK that nothing has asked for; without it the PSNs
    /// are the limit, as deployed. A cap is better for the baseline where packets are lost: less is sent in
    /// vain. It does not hold for answers to READs.
    pub window_percent: Option<u32>,
    /// An ACK is asked for every so many packets, and at the end of a message.
    pub ack_every: u16,
    /// The retransmission timer. Of NICs it is 4.096 us x 2^n: n = 14 (67 ms) is the usual default of tools;
    /// collective libraries take 18 to 22 (1 to 17 s); NICs with an adaptive timer have been measured at some
    /// milliseconds. The default here is that of n = 8 (1.05 ms), better than any of them.
    pub timeout: Ps,
    /// Expiries in a row without progress after which the queue pair fails. NAKs are not counted, as they are
    /// in the standard: they show that the peer is alive. Deployed are 7 with a timer of 67 ms: half a
    /// second. With the shorter timer that is the default here 255 are a quarter of one; 7 would fail in an
    /// incast that only takes longer.
    pub retries: u8,
    /// READs outstanding per queue pair. 16 is what NICs have.
    pub reads: u16,
    /// ACKs and NAKs travel in the control class. Deployed NICs send them in the class of the data; this is
    /// better for the baseline.
    pub ack_priority: bool,
    /// Congestion control.
    pub dcqcn: Option<DcqcnSettings>,
}

impl Default for RoceSettings {
    fn default() -> Self {
        Self {
            mtu: 4096,
            qps: 1,
            chunk_bytes: None,
            window_percent: Some(200),
            ack_every: 8,
            timeout: Ps(4_096_000 << 8),
            retries: 255,
            reads: 16,
            ack_priority: true,
            dcqcn: Some(DcqcnSettings::default()),
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
    pub(super) window: u32,
    pub(super) ack_every: u32,
    pub(super) timeout: Ps,
    pub(super) retries: u8,
    pub(super) reads: u32,
    pub(super) ack_priority: bool,
    pub(super) dcqcn: Option<Dcqcn>,
    pub(super) line_bps: u64,
    pub(super) seed: u64,
}

impl Config {
    pub(super) fn new(port: &Port, settings: &RoceSettings, seed: u64) -> Result<Self, SettingsError> {
        check(port, settings.mtu)?;
        let bdp = port.bdp_packets(settings.mtu + wire::BASE);
        let window = match settings.window_percent {
            Some(percent) => {
                let percent = within("window_percent", percent, 1, 1_000)?;
                (bdp * percent).div_ceil(100) + 2 * u32::from(settings.ack_every)
            }
            None => MOST_PACKETS,
        };
        let dcqcn = settings.dcqcn.as_ref().map(|dcqcn| Dcqcn::new(dcqcn, port.rate)).transpose()?;
        Ok(Self {
            planes: port.planes,
            mtu: settings.mtu,
            qps: within("qps", settings.qps, 1, 256)?,
            cut: Cut::new(settings.chunk_bytes, settings.mtu)?,
            window: window.min(MOST_PACKETS),
            ack_every: within("ack_every", settings.ack_every, 1, 1 << 15)?.into(),
            timeout: Ps(within("timeout in ps", settings.timeout.0, 1_000_000, 1 << 53)?),
            retries: within("retries", settings.retries, 0, 255)?,
            reads: within("reads", settings.reads, 1, 16)?.into(),
            ack_priority: settings.ack_priority,
            dcqcn,
            line_bps: port.rate.bits_per_second(),
            seed,
        })
    }
}
