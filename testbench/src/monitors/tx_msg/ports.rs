//! The links of the transmit messages, and how they are read.

use crate::lockstep::Link;
use crate::tx_rows::{Cut, Done, Message};
use crate::views::TxMsgView;

/// A connection set up or taken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetUp {
    /// Connection index.
    pub conn: u16,
    /// It takes requests.
    pub valid: bool,
}

/// News for the probe timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct News {
    /// Connection index.
    pub conn: u16,
    /// Some message is wholly cut and not done.
    pub waiting: bool,
    /// `done` advanced.
    pub progress: bool,
}

/// A question with its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Path index.
    pub path: u16,
    /// Stream.
    pub stream: u8,
    /// Asked before.
    pub repeat: bool,
}

/// A message that the builder asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookUp {
    /// Connection index.
    pub conn: u16,
    /// Stream.
    pub stream: u8,
    /// Message.
    pub msn: u32,
}

/// The block's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Set-up.
    pub cfg: Link<SetUp>,
    /// Work request.
    pub w: Link<[u8; 64]>,
    /// A connection has something to slice.
    pub q: Link<u16>,
    /// A slice of this connection is asked for.
    pub s: Link<u16>,
    /// The slice.
    pub t: Link<Cut>,
    /// Report of complete messages.
    pub n: Link<Done>,
    /// A report that is not believed.
    pub drop: Link<u8>,
    /// Completion.
    pub cpl: Link<[u8; 32]>,
    /// News for the probe timer.
    pub p: Link<News>,
    /// Question of the probe timer: path, repeat.
    pub v: Link<(u16, bool)>,
    /// Its answer.
    pub u: Link<Question>,
    /// Look-up.
    pub l: Link<LookUp>,
    /// The message, none when it is not live.
    pub row: Link<Option<Message>>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl TxMsgView) -> Self {
        let set_up = || SetUp { conn: view.cfg_conn().u16(), valid: view.cfg_valid().bit() };
        let news = || News {
            conn: view.p_conn().u16(),
            waiting: view.p_waiting().bit(),
            progress: view.p_progress().bit(),
        };
        let question = || Question {
            path: view.u_path().u16(),
            stream: view.u_stream().u8(),
            repeat: view.u_repeat().bit(),
        };
        let look_up =
            || LookUp { conn: view.l_conn().u16(), stream: view.l_stream().u8(), msn: view.l_msn().u32() };
        let row = || view.l_live().bit().then(|| Message::unpack(view.l_row().words()));
        Self {
            cfg: Link::pulse(view.cfg_we().bit(), set_up),
            w: Link::new(view.w_valid().bit(), view.w_ready().bit(), || record(view.w_request().bytes())),
            q: Link::pulse(view.q_valid().bit(), || view.q_conn().u16()),
            s: Link::new(view.s_valid().bit(), view.s_ready().bit(), || view.s_conn().u16()),
            t: Link::pulse(view.t_valid().bit(), || Cut::unpack(view.t_slice().u64(), view.t_left().u16())),
            n: Link::new(view.n_valid().bit(), view.n_ready().bit(), || Done::unpack(view.n_done().u64())),
            drop: Link::pulse(view.drop_valid().bit(), || view.drop_reason().u8()),
            cpl: Link::new(view.cpl_valid().bit(), view.cpl_ready().bit(), || {
                record(view.cpl_record().bytes())
            }),
            p: Link::new(view.p_valid().bit(), view.p_ready().bit(), news),
            v: Link::new(view.v_valid().bit(), view.v_ready().bit(), || {
                (view.v_path().u16(), view.v_repeat().bit())
            }),
            u: Link::new(view.u_valid().bit(), view.u_ready().bit(), question),
            l: Link::new(view.l_valid().bit(), view.l_ready().bit(), look_up),
            row: Link::pulse(view.l_answer().bit(), row),
        }
    }
}

/// The bytes of a signal of as many.
fn record<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|at| bytes[at])
}
