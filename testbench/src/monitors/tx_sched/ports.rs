//! The scheduler's links.

use super::rows::{job, unpack_result, unpack_slice};
use crate::lockstep::Link;
use crate::views::TxSchedView;
use heddle_model::tx::msg::Slice;
use heddle_model::tx::path::TxPathOut;
use heddle_model::tx::sched::Job;

/// An operation for the path engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Its number.
    pub op: u8,
    /// Path index.
    pub path: u16,
}

/// An expiry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// Path index.
    pub path: u16,
    /// 0 resend, 1 probe, 2 dead.
    pub kind: u8,
}

/// A question about a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// Path to ask on.
    pub path: u16,
    /// Stream.
    pub stream: u8,
    /// Asked before.
    pub repeat: bool,
}

/// The links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Ticks.
    pub now: u32,
    /// Packets in flight allowed per path.
    pub cwnd: u16,
    /// Result of the path engine.
    pub r: Link<TxPathOut>,
    /// Connection that has work.
    pub q: Link<u16>,
    /// Expiry.
    pub e: Link<Request>,
    /// Question.
    pub u: Link<Question>,
    /// Operation.
    pub i: Link<Operation>,
    /// Connection whose slice is wanted.
    pub s: Link<u16>,
    /// The slice.
    pub t: Link<Slice>,
    /// Job.
    pub j: Link<Job>,
    /// Kind of the event that is committed.
    pub log: Link<u8>,
    /// Room for results of others' operations.
    pub room: bool,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl TxSchedView) -> Self {
        let request = || Request { path: view.e_path().u16(), kind: view.e_kind().u8() };
        let question = || Question {
            path: view.u_path().u16(),
            stream: view.u_stream().u8(),
            repeat: view.u_repeat().bit(),
        };
        let operation = || Operation { op: view.i_op().u8(), path: view.i_path().u16() };
        let slice = || unpack_slice(view.s_conn().u16(), view.t_slice().words(), view.t_left().u16());
        Self {
            now: view.now().u32(),
            cwnd: view.cwnd().u16(),
            r: Link::pulse(view.r_valid().bit(), || unpack_result(view.r_result().words())),
            q: Link::pulse(view.q_valid().bit(), || view.q_conn().u16()),
            e: Link::new(view.e_valid().bit(), view.e_ready().bit(), request),
            u: Link::new(view.u_valid().bit(), view.u_ready().bit(), question),
            i: Link::new(view.i_valid().bit(), view.i_ready().bit(), operation),
            s: Link::new(view.s_valid().bit(), view.s_ready().bit(), || view.s_conn().u16()),
            t: Link::pulse(view.t_valid().bit(), slice),
            j: Link::new(view.j_valid().bit(), view.j_ready().bit(), || job(view.j_job().words())),
            log: Link::pulse(view.log_valid().bit(), || view.log_kind().u8()),
            room: view.r_room().bit(),
        }
    }
}
