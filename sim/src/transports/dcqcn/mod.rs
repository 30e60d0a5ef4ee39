//! DCQCN: a switch marks, the receiver sends CNPs, the sender's NIC cuts the queue pair's rate and raises it
//! again.
//!
//! Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3
//! (algorithm) and section 5 (constants, chosen there for 40 Gb/s). What is a rate or a number of bytes is
//! scaled with the link: [`DcqcnSettings`]. The marking that the paper pairs with it is Kmin 5 KB, Kmax 200
//! KB, Pmax 1 % at 40 Gb/s; that belongs to the fabric.

mod limiter;
mod notification;
mod reaction;

pub use limiter::Limiter;
pub use notification::Notification;
pub use reaction::Reaction;

use crate::time::{Ps, Rate};
use thiserror::Error;

/// The constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DcqcnSettings {
    /// g is 1 / 2^this. Source: the paper, 1/256.
    pub g_log2: u8,
    /// Alpha decays after so long without a CNP, us. Source: the paper, 55.
    pub alpha_timer_us: u32,
    /// The rate rises each time that this has passed since the last CNP, us. Source: the paper, 55 (mlx5
    /// firmware: 300).
    pub increase_timer_us: u32,
    /// The rate rises each time that so many bytes are sent, in KB at 40 Gb/s. Source: the paper, 10 MB.
    pub byte_counter_kb: u32,
    /// Rises of fast recovery, F. Source: the paper, 5.
    pub fast_recovery: u8,
    /// Additive increase in millionths of the link rate. Source: the paper, 40 Mb/s at 40 Gb/s: 1000.
    pub additive_ppm: u32,
    /// Hyper increase in millionths of the link rate: ten times the additive one, as the defaults of mlx5 are
    /// (`rpg_ai_rate` 5, `rpg_hai_rate` 50).
    pub hyper_ppm: u32,
    /// Lowest rate in millionths of the link rate. Source: simulations of Li et al., SIGCOMM 2019, 100 Mb/s
    /// at 100 Gb/s: 1000. The paper has none; one keeps a thousand senders from standing still.
    pub least_ppm: u32,
    /// Least time between two CNPs of a queue pair, and between two cuts, us. Source: the paper, 50.
    pub cnp_interval_us: u32,
}

impl Default for DcqcnSettings {
    fn default() -> Self {
        Self {
            g_log2: 8,
            alpha_timer_us: 55,
            increase_timer_us: 55,
            byte_counter_kb: 10_000,
            fast_recovery: 5,
            additive_ppm: 1_000,
            hyper_ppm: 10_000,
            least_ppm: 1_000,
            cnp_interval_us: 50,
        }
    }
}

/// A constant that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("dcqcn: {name} = {got}: {least} to {most} is possible")]
pub struct DcqcnError {
    /// Which.
    pub name: &'static str,
    /// The value given.
    pub got: u64,
    /// The least that is possible.
    pub least: u64,
    /// The most.
    pub most: u64,
}

/// The constants for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dcqcn {
    pub(super) line: Rate,
    pub(super) least_bps: u64,
    pub(super) g_log2: u8,
    pub(super) alpha_timer: Ps,
    pub(super) increase_timer: Ps,
    pub(super) byte_counter: u64,
    pub(super) fast_recovery: u32,
    pub(super) additive_bps: u64,
    pub(super) hyper_bps: u64,
    pub(super) cnp_interval: Ps,
}

impl Dcqcn {
    /// The constants as `line` needs them.
    ///
    /// # Errors
    /// When one is outside of what is possible.
    pub fn new(settings: &DcqcnSettings, line: Rate) -> Result<Self, DcqcnError> {
        let within = |name, got: u32, least: u64, most: u64| match u64::from(got) {
            got if (least..=most).contains(&got) => Ok(got),
            got => Err(DcqcnError { name, got, least, most }),
        };
        let bps = line.bits_per_second();
        let share = |name, ppm: u32| Ok((within(name, ppm, 1, 1_000_000)? * (bps / 1_000)) / 1_000);
        let us = |name, us: u32| within(name, us, 1, 1_000_000).map(Ps::from_us);
        let counter = within("byte_counter_kb", settings.byte_counter_kb, 1, 1 << 30)?;
        Ok(Self {
            line,
            least_bps: share("least_ppm", settings.least_ppm)?.max(Rate::MIN),
            g_log2: within("g_log2", settings.g_log2.into(), 1, 16)? as u8,
            alpha_timer: us("alpha_timer_us", settings.alpha_timer_us)?,
            increase_timer: us("increase_timer_us", settings.increase_timer_us)?,
            byte_counter: ((u128::from(counter) * u128::from(bps)) / 40_000_000).max(1) as u64,
            fast_recovery: within("fast_recovery", settings.fast_recovery.into(), 1, 255)? as u32,
            additive_bps: share("additive_ppm", settings.additive_ppm)?,
            hyper_bps: share("hyper_ppm", settings.hyper_ppm)?,
            cnp_interval: us("cnp_interval_us", settings.cnp_interval_us)?,
        })
    }
}
