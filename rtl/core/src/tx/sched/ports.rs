//! Ports, memories and registers of the scheduler.

use super::super::rows::{JobRow, PathResult, PendingOp, SchedConn, SchedPath, SliceRow};
use super::ask::Ask;
use super::choose::Choose;
use super::job::JobMaker;
use super::renew::Renew;
use super::turn::Turn;
use heddle_emit::prims::{Fifo, SdpRamNc};
use rust_hdl::prelude::*;

/// The block: 2^`CW` connections (`CC` = `CW` + 1) of 2^`LW` paths; `PW` = `CW` + `LW`, `PC` = `PW` + 1.
#[derive(LogicBlock)]
pub struct TxSched<const CW: usize, const CC: usize, const LW: usize, const PW: usize, const PC: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Time, ticks of 8 ns.
    pub now: Signal<In, Bits<32>>,
    /// Packets in flight allowed per path, 1 to 256. Changed only while nothing is in flight.
    pub cwnd: Signal<In, Bits<9>>,
    /// Pulse: a result of the path engine.
    pub r_valid: Signal<In, Bit>,
    /// The result.
    pub r_result: Signal<In, PathResult>,
    /// Others may give operations to the path engine: their results have room. The scheduler's own always enter, or it
    /// would wait for itself. Registered.
    pub r_room: Signal<Out, Bit>,
    /// Pulse: a connection has something to slice.
    pub q_valid: Signal<In, Bit>,
    /// The connection.
    pub q_conn: Signal<In, Bits<CW>>,
    /// An expiry is offered; it waits while an operation of its path is in the engine.
    pub e_valid: Signal<In, Bit>,
    /// It is taken.
    pub e_ready: Signal<Out, Bit>,
    /// Its path.
    pub e_path: Signal<In, Bits<PW>>,
    /// 0 resend, or a PROBE where plenty is queued, 1 probe, 2 dead.
    pub e_kind: Signal<In, Bits<2>>,
    /// A question is offered; it waits as an expiry does.
    pub u_valid: Signal<In, Bit>,
    /// It is taken.
    pub u_ready: Signal<Out, Bit>,
    /// The path to ask on.
    pub u_path: Signal<In, Bits<PW>>,
    /// The stream to ask about.
    pub u_stream: Signal<In, Bits<8>>,
    /// Asked before.
    pub u_repeat: Signal<In, Bit>,
    /// An operation for the path engine is offered.
    pub i_valid: Signal<Out, Bit>,
    /// It is taken.
    pub i_ready: Signal<In, Bit>,
    /// RESEND 1, EXPIRE 2, DEAD 5 or SENT 6.
    pub i_op: Signal<Out, Bits<3>>,
    /// Its path.
    pub i_path: Signal<Out, Bits<PW>>,
    /// A slice is asked for.
    pub s_valid: Signal<Out, Bit>,
    /// The question is taken.
    pub s_ready: Signal<In, Bit>,
    /// Connection whose slice is asked for.
    pub s_conn: Signal<Out, Bits<CW>>,
    /// Pulse: the slice asked for.
    pub t_valid: Signal<In, Bit>,
    /// The slice.
    pub t_slice: Signal<In, SliceRow>,
    /// Packets of the connection queued behind it, saturated.
    pub t_left: Signal<In, Bits<16>>,
    /// A job is offered.
    pub j_valid: Signal<Out, Bit>,
    /// It is taken.
    pub j_ready: Signal<In, Bit>,
    /// The job.
    pub j_job: Signal<Out, JobRow>,
    /// Pulse: an event is taken: the order of the scheduler's decisions.
    pub log_valid: Signal<Out, Bit>,
    /// 0 result, 1 work, 2 expiry, 3 question, 4 resend, 5 new packet.
    pub log_kind: Signal<Out, Bits<3>>,
    pub(super) paths: SdpRamNc<SchedPath, PW>,
    pub(super) conns: SdpRamNc<SchedConn, CW>,
    pub(super) results: Fifo<PathResult, 4, 5>,
    pub(super) works: Fifo<Bits<CW>, CW, CC>,
    pub(super) resends: Fifo<Bits<PW>, PW, PC>,
    pub(super) ready: Fifo<Bits<CW>, CW, CC>,
    pub(super) pending: Fifo<PendingOp, 3, 4>,
    pub(super) clear: DFF<Bits<PC>>,
    pub(super) state: DFF<Bits<5>>,
    pub(super) flying: DFF<Bits<3>>,
    pub(super) path: DFF<Bits<PW>>,
    pub(super) conn: DFF<Bits<CW>>,
    pub(super) op: DFF<Bits<3>>,
    pub(super) row: DFF<SchedPath>,
    pub(super) conn_row: DFF<SchedConn>,
    pub(super) job: DFF<JobRow>,
    pub(super) has_job: DFF<Bit>,
    pub(super) ack_req: DFF<Bit>,
    pub(super) room: DFF<Bit>,
    pub(super) clearing: Signal<Local, Bit>,
    pub(super) head: Signal<Local, PathResult>,
    pub(super) read_row: Signal<Local, SchedPath>,
    pub(super) usable: Signal<Local, Bit>,
    pub(super) network: Signal<Local, Bits<9>>,
    pub(super) write_path: Signal<Local, SchedPath>,
    pub(super) write_conn: Signal<Local, SchedConn>,
    pub(super) pend: Signal<Local, PendingOp>,
    pub(super) renew: Renew,
    pub(super) maker: JobMaker,
    pub(super) turn: Turn<CW, LW, PW>,
    pub(super) ask: Ask<LW>,
    pub(super) choose: Choose<LW>,
    pub(super) rows_end: Constant<Bits<PC>>,
    pub(super) local_bits: Constant<Bits<4>>,
}

impl<const CW: usize, const CC: usize, const LW: usize, const PW: usize, const PC: usize> Default
    for TxSched<CW, CC, LW, PW, PC>
{
    fn default() -> Self {
        assert_eq!((CC, PW, PC), (CW + 1, CW + LW, CW + LW + 1), "derived widths");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            cwnd: Default::default(),
            r_valid: Default::default(),
            r_result: Default::default(),
            r_room: Default::default(),
            q_valid: Default::default(),
            q_conn: Default::default(),
            e_valid: Default::default(),
            e_ready: Default::default(),
            e_path: Default::default(),
            e_kind: Default::default(),
            u_valid: Default::default(),
            u_ready: Default::default(),
            u_path: Default::default(),
            u_stream: Default::default(),
            u_repeat: Default::default(),
            i_valid: Default::default(),
            i_ready: Default::default(),
            i_op: Default::default(),
            i_path: Default::default(),
            s_valid: Default::default(),
            s_ready: Default::default(),
            s_conn: Default::default(),
            t_valid: Default::default(),
            t_slice: Default::default(),
            t_left: Default::default(),
            j_valid: Default::default(),
            j_ready: Default::default(),
            j_job: Default::default(),
            log_valid: Default::default(),
            log_kind: Default::default(),
            paths: Default::default(),
            conns: Default::default(),
            // When room falls, 6 results wait, as many are in the path engine, and some of the scheduler's own may follow.
            results: Fifo::new(6),
            works: Fifo::new(1 << CW),
            resends: Fifo::new(1 << PW),
            ready: Fifo::new(1 << CW),
            pending: Fifo::new(8),
            clear: Default::default(),
            state: Default::default(),
            flying: Default::default(),
            path: Default::default(),
            conn: Default::default(),
            op: Default::default(),
            row: Default::default(),
            conn_row: Default::default(),
            job: Default::default(),
            has_job: Default::default(),
            ack_req: Default::default(),
            room: Default::default(),
            clearing: Default::default(),
            head: Default::default(),
            read_row: Default::default(),
            usable: Default::default(),
            network: Default::default(),
            write_path: Default::default(),
            write_conn: Default::default(),
            pend: Default::default(),
            renew: Default::default(),
            maker: Default::default(),
            turn: Default::default(),
            ask: Default::default(),
            choose: Default::default(),
            rows_end: Constant::new((1u64 << PW).to_bits()),
            local_bits: Constant::new((LW as u64).to_bits()),
        }
    }
}
