//! The reaction point: the rate of one queue pair.
//!
//! Its timers have no events: what they did is made up for, in the order of time, before anything else
//! happens. Alpha has 32 fraction bits, rounded down; the mean of two rates is rounded up, so that recovery
//! ends at the target and not just below.

use super::Dcqcn;
use crate::time::{Ps, Rate};

/// Alpha = 1.
const ONE: u64 = 1 << 32;

/// The rate of a queue pair and what it follows from.
#[derive(Clone, Copy, Debug)]
pub struct Reaction {
    alpha: u64,
    /// RC of the paper, bits per second, and the same as a [`Rate`].
    current_bps: u64,
    current: Rate,
    /// RT.
    target_bps: u64,
    /// Below line rate: the limiter works.
    limited: bool,
    alpha_at: Ps,
    increase_at: Ps,
    /// The next cut not before.
    cut_from: Ps,
    bytes_left: u64,
    /// Rises by timer and by bytes since the last cut: T and BC.
    rises: [u32; 2],
}

impl Reaction {
    /// At line rate; alpha is 1.
    pub fn new(dcqcn: &Dcqcn) -> Self {
        let line = dcqcn.line.bits_per_second();
        Self {
            alpha: ONE,
            current_bps: line,
            current: dcqcn.line,
            target_bps: line,
            limited: false,
            alpha_at: Ps::NEVER,
            increase_at: Ps::NEVER,
            cut_from: Ps::ZERO,
            bytes_left: dcqcn.byte_counter,
            rises: [0; 2],
        }
    }

    /// A CNP has come.
    pub fn on_cnp(&mut self, now: Ps, dcqcn: &Dcqcn) {
        if now < self.cut_from {
            return;
        }
        self.catch_up(now, dcqcn);
        self.target_bps = self.current_bps;
        let cut = (u128::from(self.current_bps) * u128::from(self.alpha)) >> 33;
        self.set_rate((self.current_bps - cut as u64).max(dcqcn.least_bps), dcqcn);
        self.alpha = self.alpha - (self.alpha >> dcqcn.g_log2) + (ONE >> dcqcn.g_log2);
        self.alpha_at = now + dcqcn.alpha_timer;
        self.increase_at = now + dcqcn.increase_timer;
        self.cut_from = now + dcqcn.cnp_interval;
        self.bytes_left = dcqcn.byte_counter;
        self.rises = [0; 2];
    }

    /// So many bytes have been sent.
    pub fn on_sent(&mut self, now: Ps, bytes: u32, dcqcn: &Dcqcn) {
        if !self.limited {
            return;
        }
        self.catch_up(now, dcqcn);
        match self.bytes_left.checked_sub(bytes.into()) {
            Some(left) if left > 0 => self.bytes_left = left,
            _ => {
                self.bytes_left = dcqcn.byte_counter;
                self.rise(1, dcqcn);
            }
        }
    }

    /// The rate that limits it now; `None` at line rate.
    pub fn limit(&self) -> Option<Rate> {
        self.limited.then_some(self.current)
    }

    /// Its rate, bits per second.
    pub fn bits_per_second(&self) -> u64 {
        self.current_bps
    }

    /// Alpha in 1 / 2^32.
    pub fn alpha(&self) -> u64 {
        self.alpha
    }

    /// What the timers have done up to now.
    pub fn catch_up(&mut self, now: Ps, dcqcn: &Dcqcn) {
        while self.alpha_at <= now {
            let step = self.alpha >> dcqcn.g_log2;
            self.alpha -= step;
            self.alpha_at = if step == 0 { Ps::NEVER } else { self.alpha_at + dcqcn.alpha_timer };
        }
        while self.limited && self.increase_at <= now {
            self.increase_at = self.increase_at + dcqcn.increase_timer;
            self.rise(0, dcqcn);
        }
    }

    fn rise(&mut self, by: usize, dcqcn: &Dcqcn) {
        self.rises[by] = self.rises[by].saturating_add(1);
        let [timer, bytes] = self.rises;
        let step = match dcqcn.fast_recovery {
            f if timer.max(bytes) < f => 0,
            f if timer.min(bytes) > f => dcqcn.hyper_bps,
            _ => dcqcn.additive_bps,
        };
        self.target_bps = (self.target_bps + step).min(dcqcn.line.bits_per_second());
        self.set_rate((self.target_bps + self.current_bps).div_ceil(2), dcqcn);
    }

    fn set_rate(&mut self, bps: u64, dcqcn: &Dcqcn) {
        self.current_bps = bps;
        self.limited = bps < dcqcn.line.bits_per_second();
        self.current = Rate::new(bps).unwrap_or(dcqcn.line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transports::dcqcn::DcqcnSettings;

    fn dcqcn() -> Dcqcn {
        Dcqcn::new(&DcqcnSettings::default(), Rate::new(40_000_000_000).unwrap()).unwrap()
    }

    /// By hand. The first CNP: RT = 40 Gb/s, RC = 40 (1 - 1/2) = 20, alpha = (1 - 1/256) 1 + 1/256 = 1. A
    /// second one 50 us later: RT = 20, RC = 10, alpha = 1. 55 us later the timers come for the first time:
    /// alpha = 255/256, RC = (20 + 10) / 2 = 15; then 17.5, 18.75, 19.375 (four rises of fast recovery: T <
    /// 5). The fifth is additive: RT = 20.04, RC = (20.04 + 19.375) / 2 = 19.7075. Alpha is (255/256)^5. A
    /// CNP then: RC = 19.7075 (1 - alpha / 2), alpha = (255/256)^6 + 1/256.
    #[test]
    fn alpha_and_rate_are_as_calculated_by_hand() {
        let dcqcn = dcqcn();
        let mut reaction = Reaction::new(&dcqcn);
        reaction.on_cnp(Ps::from_us(100), &dcqcn);
        assert_eq!((reaction.bits_per_second(), reaction.alpha()), (20_000_000_000, ONE));
        reaction.on_cnp(Ps(Ps::from_us(150).0 - 1), &dcqcn);
        assert_eq!(reaction.bits_per_second(), 20_000_000_000, "one cut in 50 us");
        reaction.on_cnp(Ps::from_us(150), &dcqcn);
        assert_eq!((reaction.bits_per_second(), reaction.alpha()), (10_000_000_000, ONE));
        let mut rates = Vec::new();
        for n in 1..=5 {
            reaction.catch_up(Ps(Ps::from_us(150 + 55 * n).0 - 1), &dcqcn);
            let before = reaction.bits_per_second();
            reaction.catch_up(Ps::from_us(150 + 55 * n), &dcqcn);
            assert_ne!(reaction.bits_per_second(), before);
            rates.push(reaction.bits_per_second() / 100_000);
        }
        assert_eq!(rates, [150_000, 175_000, 187_500, 193_750, 197_075]);
        // Rounded down five times.
        let exact = (255f64 / 256.0).powi(5);
        assert!((reaction.alpha() as f64 - exact * ONE as f64).abs() < 5.0);
        reaction.on_cnp(Ps::from_us(430), &dcqcn);
        let rate = 19_707_500_000.0 * (1.0 - exact / 2.0);
        assert!((reaction.bits_per_second() as f64 - rate).abs() < 20.0);
        let next = exact * 255.0 / 256.0 + 1.0 / 256.0;
        assert!((reaction.alpha() as f64 - next * ONE as f64).abs() < 6.0);
    }

    #[test]
    fn bytes_raise_it_too_and_both_together_lead_to_hyper_increase_and_to_line_rate() {
        let dcqcn = dcqcn();
        let mut reaction = Reaction::new(&dcqcn);
        reaction.on_sent(Ps::ZERO, 4_096, &dcqcn);
        assert_eq!(reaction.limit(), None);
        reaction.on_cnp(Ps::ZERO, &dcqcn);
        // The target is line rate, so every rise halves what is missing.
        for n in 1..=5 {
            reaction.on_sent(Ps(n), 9_999_999, &dcqcn);
            let before = reaction.bits_per_second();
            reaction.on_sent(Ps(n), 1, &dcqcn);
            assert_eq!(reaction.bits_per_second(), (40_000_000_000 + before).div_ceil(2));
        }
        let mut reaction = Reaction::new(&dcqcn);
        // Down to 40 - 20 - 10 - 5 = 5 Gb/s, and the target at 10.
        for n in 0..3 {
            reaction.on_cnp(Ps::from_us(50 * n), &dcqcn);
        }
        assert_eq!(reaction.bits_per_second(), 5_000_000_000);
        let mut now = 100;
        for _ in 0..6 {
            now += 55;
            reaction.catch_up(Ps::from_us(now), &dcqcn);
            reaction.on_sent(Ps::from_us(now), 10_000_000, &dcqcn);
        }
        // min(T, BC) has been 6 once, after the last 10 MB: one hyper step of 400 Mb/s, three additive ones
        // before.
        assert_eq!(reaction.target_bps, 10_000_000_000 + 3 * 40_000_000 + 400_000_000);
        reaction.catch_up(Ps::from_us(100_000), &dcqcn);
        assert_eq!((reaction.limit(), reaction.bits_per_second()), (None, 40_000_000_000));
        assert!(reaction.alpha() < ONE / 4);
    }

    #[test]
    fn cuts_end_at_the_lowest_rate_and_a_long_silence_ends_alpha() {
        let dcqcn = dcqcn();
        let mut reaction = Reaction::new(&dcqcn);
        for n in 0..100 {
            reaction.on_cnp(Ps::from_us(50 * n), &dcqcn);
        }
        assert_eq!(reaction.bits_per_second(), 40_000_000);
        reaction.catch_up(Ps::from_us(10_000_000), &dcqcn);
        assert!(reaction.alpha() < 256);
    }
}
