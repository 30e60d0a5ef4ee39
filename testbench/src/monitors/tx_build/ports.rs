//! The builder's links, at any data width.

use super::rows::{Answer, Burst, Question, ReadBeat, Request, SentAs};
use crate::lockstep::Link;
use crate::monitors::tx_sched::rows::job;
use crate::views::TxBuildView;
use heddle_model::tx::sched::Job;

/// The builder's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// A job.
    pub j: Link<Job>,
    /// A question for a message.
    pub l: Link<Question>,
    /// Its answer, a pulse.
    pub answer: Link<Answer>,
    /// A burst of reads.
    pub ar: Link<Burst>,
    /// A beat of memory.
    pub r: Link<ReadBeat>,
    /// A packet.
    pub g: Link<Request>,
    /// A payload beat.
    pub y: Link<Vec<u8>>,
    /// Pulse: a read error, with its connection.
    pub e: Link<u16>,
    /// Pulse: a packet was handed over.
    pub sent: Link<SentAs>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl TxBuildView) -> Self {
        let burst = || Burst {
            address: view.m_axi_araddr().u64(),
            beats: u16::from(view.m_axi_arlen().u8()) + 1,
            id: view.m_axi_arid().u8(),
            size: view.m_axi_arsize().u8(),
            burst: view.m_axi_arburst().u8(),
        };
        let beat = || ReadBeat { bytes: view.m_axi_rdata().bytes().to_vec(), resp: view.m_axi_rresp().u8() };
        let question =
            || Question { conn: view.l_conn().u16(), stream: view.l_stream().u8(), msn: view.l_msn().u32() };
        let answer = || Answer::unpack(view.l_live().bit(), view.l_row().words());
        let request = || Request::unpack(view.g_frame().words());
        let sent = || SentAs { kind: view.sent_kind().u8(), len: view.sent_len().u16() };
        Self {
            j: Link::new(view.j_valid().bit(), view.j_ready().bit(), || job(view.j_job().words())),
            l: Link::new(view.l_valid().bit(), view.l_ready().bit(), question),
            answer: Link::pulse(view.l_answer().bit(), answer),
            ar: Link::new(view.m_axi_arvalid().bit(), view.m_axi_arready().bit(), burst),
            r: Link::new(view.m_axi_rvalid().bit(), view.m_axi_rready().bit(), beat),
            g: Link::new(view.g_valid().bit(), view.g_ready().bit(), request),
            y: Link::new(view.y_valid().bit(), view.y_ready().bit(), || view.y_data().bytes().to_vec()),
            e: Link::pulse(view.e_valid().bit(), || view.e_conn().u16()),
            sent: Link::pulse(view.sent_valid().bit(), sent),
        }
    }
}
