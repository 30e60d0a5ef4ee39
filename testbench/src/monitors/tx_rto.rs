//! The retransmission timer's monitor: good ACKs and packets sent in, expiries and RTOs out.
//!
//! The model gets the events in the order that the block's log shows, with the tick of that cycle; what the
//! events are comes from the inputs alone, and scans have to go round.

mod ports;

pub use ports::{Log, Ports, Sent};

use crate::lockstep::{Channel, Check, Input, Monitor, Output};
use crate::tx_rows::Sample;
use heddle_model::lfsr::Lfsr;
use heddle_model::tx::rto::{Expiry, RtoConfig, RtoRow, SentAs, MAX_INTERVAL_TICKS};
use heddle_wire::Time32;
use std::collections::VecDeque;

/// The model's side.
#[derive(Debug)]
pub struct RtoMonitor {
    config: RtoConfig,
    rows: Vec<RtoRow>,
    deaths: Vec<u32>,
    lfsr: Lfsr,
    scan: u16,
    /// Cycles without an event while the block is free to scan.
    idle: u32,
    /// How many there may be.
    patience: u32,
    samples: VecDeque<Sample>,
    sent: VecDeque<Sent>,
    t: Input<Sample>,
    s: Input<Sent>,
    e: Output<(u16, u8)>,
    o: Output<(u16, u32)>,
}

impl RtoMonitor {
    /// A monitor of the timer of `paths`; the times are what the ports say.
    pub fn new(paths: u16) -> Self {
        Self {
            config: RtoConfig::DEFAULT,
            rows: vec![RtoRow::default(); paths.into()],
            deaths: vec![0; paths.into()],
            lfsr: Lfsr::new(1),
            scan: 0,
            idle: 0,
            // The longest event has 26 doublings; a row is cleared per cycle.
            patience: u32::from(paths).max(32) + 16,
            samples: VecDeque::new(),
            sent: VecDeque::new(),
            t: Input::request("t"),
            s: Input::request("s").chosen_anew(),
            e: Output::side("e"),
            o: Output::answer("o"),
        }
    }

    /// The paths' timers, to guide the stimulus.
    pub fn rows(&self) -> &[RtoRow] {
        &self.rows
    }

    fn configure(&mut self, ports: &Ports, check: &mut Check) {
        match RtoConfig::new(ports.ack_delay, ports.rto0) {
            Ok(config) => self.config = config,
            Err(error) => check.mismatch("now", format!("the times at the ports: {error}")),
        }
    }

    fn on_ack(&mut self, log: &Log, now: Time32, check: &mut Check) {
        let Some(sample) = self.samples.pop_front().filter(|s| s.path == log.path) else {
            return check.mismatch("log", format!("{log:?} is not the next ACK"));
        };
        let row = &mut self.rows[usize::from(log.path)];
        check.cover(match sample.rtt {
            None => "no sample",
            Some(rtt) if rtt >> 21 != 0 => "impossible sample",
            Some(_) if row.srtt_ticks().is_none() => "first sample",
            Some(_) => "sample",
        });
        row.on_ack(sample.rtt, sample.newly, sample.inflight, now, &self.config);
        check.cover(match (sample.newly, sample.inflight) {
            (0, _) => "no progress",
            (_, 0) => "all received",
            _ => "progress",
        });
        if sample.newly > 0 {
            self.deaths[usize::from(log.path)] = 0;
        }
        self.o.expect((log.path, row.rto_ticks(&self.config)), check);
    }

    fn on_sent(&mut self, log: &Log, check: &mut Check) {
        let Some(sent) = self.sent.pop_front().filter(|s| s.path == log.path) else {
            return check.mismatch("log", format!("{log:?} is not the next packet sent"));
        };
        let (row, random) = (&mut self.rows[usize::from(log.path)], self.lfsr.next16());
        let sent_as = [SentAs::New, SentAs::Resend, SentAs::Awaited, SentAs::Awaited][usize::from(sent.kind)];
        check.cover(match (row.awaits_send(), row.deadline(), sent_as) {
            (true, _, SentAs::Awaited) => "the awaited packet sent",
            (true, ..) => "another packet sent while one is awaited",
            (false, None, SentAs::New) => "the first packet in flight",
            (false, None, _) => "sent with nothing in flight",
            (false, Some(_), _) => "sent",
        });
        row.on_sent(sent_as, Time32::new(sent.now), &self.config, random);
        if row.deadline().is_some_and(|at| at.distance_from(Time32::new(sent.now)) == MAX_INTERVAL_TICKS) {
            check.cover("a second");
        }
        self.s.explain("committed");
    }

    fn on_scan(&mut self, log: &Log, now: Time32, check: &mut Check) {
        if log.path != self.scan {
            check.mismatch("log", format!("scan of {}, not of {}", log.path, self.scan));
        }
        self.scan = (self.scan + 1) % self.rows.len() as u16;
        let row = &mut self.rows[usize::from(log.path)];
        if !row.is_due(now) {
            return;
        }
        if row.deadline() == Some(now) {
            check.cover("due to the tick");
        }
        let random = self.lfsr.next16();
        let kind = match row.expired(now, &self.config, random) {
            Some(Expiry::Resend) => ("resend", 0),
            Some(Expiry::Probe) => ("probe", 1),
            Some(Expiry::Dead) => ("dead", 2),
            None => return check.mismatch("log", "due, but nothing expired"),
        };
        check.cover(kind.0);
        let deaths = &mut self.deaths[usize::from(log.path)];
        *deaths += u32::from(kind.1 == 2);
        if *deaths > 32 {
            check.cover("more deaths than doublings");
        }
        self.e.expect((log.path, kind.1), check);
    }
}

impl Monitor for RtoMonitor {
    const NAME: &'static str = "tx_rto";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(seed) = ports.seed.crossing() {
            self.lfsr = Lfsr::new(*seed);
        }
        self.samples.extend(self.t.take(&ports.t, check));
        self.sent.extend(self.s.take(&ports.s, check));
        let now = Time32::new(ports.now);
        if ports.log.crossing().is_some() {
            self.configure(ports, check);
        }
        match ports.log.crossing() {
            Some(log @ Log { kind: 0, .. }) => self.on_ack(log, now, check),
            Some(log @ Log { kind: 1, .. }) => self.on_sent(log, check),
            Some(log) => self.on_scan(log, now, check),
            None => {}
        }
        let still = ports.log.crossing().is_none() && ports.e.offered().is_none();
        self.idle = if still { self.idle + 1 } else { 0 };
        if self.idle > self.patience {
            check.mismatch("log", "no scan");
        }
        self.e.compare(&ports.e, check);
        self.o.compare(&ports.o, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.t, &self.s, &self.e, &self.o]
    }

    /// The block clears its rows.
    fn reset(&mut self) {
        self.rows.fill(RtoRow::default());
        self.deaths.fill(0);
        self.lfsr = Lfsr::new(1);
        self.scan = 0;
        self.idle = 0;
        self.samples.clear();
        self.sent.clear();
        self.t.reset();
        self.s.reset();
        self.e.reset();
        self.o.reset();
    }
}
