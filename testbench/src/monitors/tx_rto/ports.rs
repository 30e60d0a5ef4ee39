//! The retransmission timer's links.

use crate::lockstep::Link;
use crate::tx_rows::Sample;
use crate::views::TxRtoView;

/// A packet sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// Path index.
    pub path: u16,
    /// What it is sent for: 0 new, 1 resend, 2 resend of an expiry, 3 PROBE.
    pub kind: u8,
    /// Its timestamp.
    pub now: u32,
}

/// An event that is committed.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// 0 good ACK, 1 packet sent, 2 scan.
    pub kind: u8,
    /// Path index.
    pub path: u16,
}

/// The links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Ticks.
    pub now: u32,
    /// T in ticks.
    pub ack_delay: u16,
    /// First interval in ticks.
    pub rto0: u32,
    /// Room for good ACKs.
    pub room: bool,
    /// The random register is loaded.
    pub seed: Link<u32>,
    /// Good ACK.
    pub t: Link<Sample>,
    /// Packet sent.
    pub s: Link<Sent>,
    /// Expiry: path and kind.
    pub e: Link<(u16, u8)>,
    /// RTO of a path, ticks.
    pub o: Link<(u16, u32)>,
    /// Event.
    pub log: Link<Log>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl TxRtoView) -> Self {
        let sent = || Sent { path: view.s_path().u16(), kind: view.s_kind().u8(), now: view.s_now().u32() };
        let expiry = || (view.e_path().u16(), view.e_kind().u8());
        let log = || Log { kind: view.log_kind().u8(), path: view.log_path().u16() };
        Self {
            now: view.now().u32(),
            ack_delay: view.ack_delay().u16(),
            rto0: view.rto0().u32(),
            room: view.t_room().bit(),
            seed: Link::pulse(view.seed_we().bit(), || view.seed().u32()),
            t: Link::pulse(view.t_valid().bit(), || Sample::unpack(view.t_sample().words())),
            s: Link::new(view.s_valid().bit(), view.s_ready().bit(), sent),
            e: Link::new(view.e_valid().bit(), view.e_ready().bit(), expiry),
            o: Link::pulse(view.o_valid().bit(), || (view.o_path().u16(), view.o_rto().u32())),
            log: Link::pulse(view.log_valid().bit(), log),
        }
    }
}
