//! Receive ACK triggers: at once, after A arrivals, or T after the first that waits. Section 4 of
//! docs/protocol.md.
//!
//! One event every 3 cycles, in this order when several wait: the request taken by the builder, another
//! stream's news, a complete message, a deadline (there are no more of them than arrivals), an arrival. A
//! request is offered 5 cycles after its event is committed (`log`), 8 after an arrival into an idle block.
//! For 2^`PW` cycles after `rst` the rows are cleared and events wait; those in the cycle after `rst` are
//! lost.
//! Assumes: no more than 16 arrivals and 8 messages wait; `again` comes only after the request before it was
//! taken, once.
//! Model `rx::ack`. Doc `docs/blocks/rx-ack.md`.

use crate::generated::wire::flag;
use heddle_emit::prims::{Fifo, SdpRamNc};
use rust_hdl::prelude::*;

mod rows;

use self::rows::{AckRow, Arrival, Deadline};

/// `log_kind`: the builder took the request.
pub const KIND_TAKEN: u64 = 0;
/// `log_kind`: another stream of the connection has news.
pub const KIND_AGAIN: u64 = 1;
/// `log_kind`: a message is complete.
pub const KIND_MESSAGE: u64 = 2;
/// `log_kind`: an arrival.
pub const KIND_ARRIVAL: u64 = 3;
/// `log_kind`: a deadline is due.
pub const KIND_DEADLINE: u64 = 4;

// The kernel's literals are these numbers.
const _: () = assert!(flag::ACK_REQ == 0);

/// The block: 2^`PW` paths (`PC` = `PW` + 1), 2^`DA` deadlines (`DC` = `DA` + 1).
#[derive(LogicBlock)]
pub struct RxAck<const PW: usize, const PC: usize, const DA: usize, const DC: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: nothing is to be acknowledged.
    pub rst: Signal<In, Bit>,
    /// Ticks of 8 ns.
    pub now: Signal<In, Bits<32>>,
    /// T: ticks from the first arrival that waits to its ACK.
    pub cfg_delay: Signal<In, Bits<16>>,
    /// Pulse: a result of the receive path engine.
    pub a_valid: Signal<In, Bit>,
    /// 0 DATA, 1 PROBE, 2 LOOK, 3 INIT.
    pub a_op: Signal<In, Bits<2>>,
    /// Path index.
    pub a_path: Signal<In, Bits<PW>>,
    /// DATA: 0 accept, 1 duplicate, 2 out of window, 3 fault.
    pub a_class: Signal<In, Bits<2>>,
    /// The packet's flags.
    pub a_flags: Signal<In, Bits<8>>,
    /// A gap opened.
    pub a_open: Signal<In, Bit>,
    /// A gap closed.
    pub a_close: Signal<In, Bit>,
    /// Pulse: a message is complete.
    pub m_valid: Signal<In, Bit>,
    /// Path that completed it.
    pub m_path: Signal<In, Bits<PW>>,
    /// Pulse: the ACK taken last left news of another stream.
    pub again_valid: Signal<In, Bit>,
    /// Its path.
    pub again_path: Signal<In, Bits<PW>>,
    /// An ACK is requested.
    pub r_valid: Signal<Out, Bit>,
    /// The request is taken.
    pub r_ready: Signal<In, Bit>,
    /// Path to acknowledge.
    pub r_path: Signal<Out, Bits<PW>>,
    /// Pulse, for verification: an event is committed, at this cycle's `now`.
    pub log_valid: Signal<Out, Bit>,
    /// Which: `KIND_*`.
    pub log_kind: Signal<Out, Bits<3>>,
    rows: SdpRamNc<AckRow, PW>,
    arrivals: Fifo<Arrival, 4, 5>,
    messages: Fifo<Bits<PW>, 3, 4>,
    deadlines: Fifo<Deadline, DA, DC>,
    requests: Fifo<Bits<PW>, PW, PC>,
    clear: DFF<Bits<PC>>,
    step: DFF<Bits<2>>,
    taken: DFF<Bit>,
    taken_path: DFF<Bits<PW>>,
    again: DFF<Bit>,
    again_for: DFF<Bits<PW>>,
    due: DFF<Bit>,
    path: DFF<Bits<PW>>,
    kind: DFF<Bits<3>>,
    at_once: DFF<Bit>,
    generation: DFF<Bits<8>>,
    at: DFF<Bits<32>>,
    row: DFF<AckRow>,
    clearing: Signal<Local, Bit>,
    idle: Signal<Local, Bit>,
    arrival: Signal<Local, Arrival>,
    urgent: Signal<Local, Bit>,
    head: Signal<Local, Arrival>,
    oldest: Signal<Local, Deadline>,
    remaining: Signal<Local, Bits<32>>,
    commit: Signal<Local, Bit>,
    select: Signal<Local, Bits<3>>,
    select_path: Signal<Local, Bits<PW>>,
    offer: Signal<Local, Bit>,
    count: Signal<Local, Bits<5>>,
    demand: Signal<Local, Bit>,
    queue: Signal<Local, Bit>,
    new_row: Signal<Local, AckRow>,
    new_deadline: Signal<Local, Deadline>,
    rows_end: Constant<Bits<PC>>,
    arrivals_per_ack: Constant<Bits<5>>,
}

impl<const PW: usize, const PC: usize, const DA: usize, const DC: usize> RxAck<PW, PC, DA, DC> {
    /// An ACK after `arrivals` packets (A).
    ///
    /// # Panics When `arrivals` is not 1 to 31, when 2^`DA` deadlines could bring a generation round (`DA`
    /// above 7), or `PC` is not `PW` + 1, or `DC` not `DA` + 1.
    pub fn new(arrivals: u8) -> Self {
        assert!((1..=31).contains(&arrivals), "an ACK after {arrivals} arrivals: 1 to 31 are possible");
        assert!(DA <= 7, "2^{DA} deadlines: generations of 8 bits tell 255 apart");
        assert_eq!((PC, DC), (PW + 1, DA + 1), "derived widths");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            cfg_delay: Default::default(),
            a_valid: Default::default(),
            a_op: Default::default(),
            a_path: Default::default(),
            a_class: Default::default(),
            a_flags: Default::default(),
            a_open: Default::default(),
            a_close: Default::default(),
            m_valid: Default::default(),
            m_path: Default::default(),
            again_valid: Default::default(),
            again_path: Default::default(),
            r_valid: Default::default(),
            r_ready: Default::default(),
            r_path: Default::default(),
            log_valid: Default::default(),
            log_kind: Default::default(),
            rows: Default::default(),
            arrivals: Default::default(),
            messages: Default::default(),
            deadlines: Default::default(),
            requests: Default::default(),
            clear: Default::default(),
            step: Default::default(),
            taken: Default::default(),
            taken_path: Default::default(),
            again: Default::default(),
            again_for: Default::default(),
            due: Default::default(),
            path: Default::default(),
            kind: Default::default(),
            at_once: Default::default(),
            generation: Default::default(),
            at: Default::default(),
            row: Default::default(),
            clearing: Default::default(),
            idle: Default::default(),
            arrival: Default::default(),
            urgent: Default::default(),
            head: Default::default(),
            oldest: Default::default(),
            remaining: Default::default(),
            commit: Default::default(),
            select: Default::default(),
            select_path: Default::default(),
            offer: Default::default(),
            count: Default::default(),
            demand: Default::default(),
            queue: Default::default(),
            new_row: Default::default(),
            new_deadline: Default::default(),
            rows_end: Constant::new((1u64 << PW).to_bits()),
            arrivals_per_ack: Constant::new(u64::from(arrivals).to_bits()),
        }
    }
}

impl<const PW: usize, const PC: usize, const DA: usize, const DC: usize> Logic for RxAck<PW, PC, DA, DC> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, clear, step, taken, taken_path, again, again_for, due);
        dff_setup!(self, clk, path, kind, at_once, generation, at, row);
        self.rows.clk.next = self.clk.val();
        self.arrivals.clk.next = self.clk.val();
        self.arrivals.rst.next = self.rst.val();
        self.messages.clk.next = self.clk.val();
        self.messages.rst.next = self.rst.val();
        self.deadlines.clk.next = self.clk.val();
        self.deadlines.rst.next = self.rst.val();
        self.requests.clk.next = self.clk.val();
        self.requests.rst.next = self.rst.val();

        // REQ-ACK-1: gap opens, gap closes, duplicate, out of window, ACK_REQ, PROBE. A fault is the NAK's
        // matter.
        self.urgent.next = (self.a_op.val() == 1)
            | (self.a_class.val() != 0)
            | self.a_open.val()
            | self.a_close.val()
            | self.a_flags.val().get_bit(0);
        self.arrival.next.path = bit_cast::<16, PW>(self.a_path.val());
        self.arrival.next.at_once = self.urgent.val();
        self.arrivals.in_valid.next = self.a_valid.val()
            & ((self.a_op.val() == 1) | ((self.a_op.val() == 0) & (self.a_class.val() != 3)));
        self.arrivals.in_data.next = self.arrival.val();
        self.messages.in_valid.next = self.m_valid.val();
        self.messages.in_data.next = self.m_path.val();

        // Requests: at most one per path, so they always fit. The next is offered when the one taken is off
        // the books.
        self.offer.next = self.requests.out_valid.val() & !self.taken.q.val();
        self.r_valid.next = self.offer.val();
        self.r_path.next = self.requests.out_data.val();
        self.requests.out_ready.next = self.r_ready.val() & !self.taken.q.val();

        // Step 0: commit an event and read its path's row. A request taken goes first: what arrives behind
        // its LOOK is not in it.
        self.clearing.next = self.clear.q.val() != self.rows_end.val();
        self.idle.next = (self.step.q.val() == 0) & !self.clearing.val();
        self.head.next = self.arrivals.out_data.val();
        self.oldest.next = self.deadlines.out_data.val();
        self.remaining.next = self.oldest.val().at - self.now.val();
        self.due.d.next =
            self.deadlines.out_valid.val() & (!self.remaining.val().any() | self.remaining.val().get_bit(31));
        self.commit.next = false;
        self.select.next = 0.into();
        self.select_path.next = self.taken_path.q.val();
        self.messages.out_ready.next = false;
        self.arrivals.out_ready.next = false;
        self.deadlines.out_ready.next = false;
        if self.idle.val() {
            if self.taken.q.val() {
                self.commit.next = true;
                self.taken.d.next = false;
            } else if self.again.q.val() {
                self.commit.next = true;
                self.select.next = 1.into();
                self.select_path.next = self.again_for.q.val();
                self.again.d.next = false;
            } else if self.messages.out_valid.val() {
                self.commit.next = true;
                self.select.next = 2.into();
                self.select_path.next = self.messages.out_data.val();
                self.messages.out_ready.next = true;
            } else if self.due.q.val() {
                self.commit.next = true;
                self.select.next = 4.into();
                self.select_path.next = bit_cast::<PW, 16>(self.oldest.val().path);
                self.deadlines.out_ready.next = true;
            } else if self.arrivals.out_valid.val() {
                self.commit.next = true;
                self.select.next = 3.into();
                self.select_path.next = bit_cast::<PW, 16>(self.head.val().path);
                self.arrivals.out_ready.next = true;
            }
        }
        self.log_valid.next = self.commit.val();
        self.log_kind.next = self.select.val();
        self.rows.re.next = self.commit.val();
        self.rows.raddr.next = self.select_path.val();
        if self.commit.val() {
            self.path.d.next = self.select_path.val();
            self.kind.d.next = self.select.val();
            self.at_once.d.next = self.head.val().at_once | (self.select.val() != 3);
            self.generation.d.next = self.oldest.val().generation;
            self.at.d.next = self.now.val() + bit_cast::<32, 16>(self.cfg_delay.val());
            self.step.d.next = 1.into();
        }
        if self.offer.val() & self.r_ready.val() {
            self.taken.d.next = true;
            self.taken_path.d.next = self.requests.out_data.val();
        }
        if self.again_valid.val() {
            self.again.d.next = true;
            self.again_for.d.next = self.again_path.val();
        }

        // Step 1: the row leaves the memory. Step 2: what the event means for it.
        if self.step.q.val() == 1 {
            self.row.d.next = self.rows.rdata.val();
            self.step.d.next = 2.into();
        }
        self.count.next = self.row.q.val().count + 1;
        self.new_row.next = self.row.q.val();
        self.demand.next = false;
        self.queue.next = false;
        if self.kind.q.val() == 0 {
            self.new_row.next.pending = false;
            self.new_row.next.count = 0.into();
            self.new_row.next.armed = false;
            self.new_row.next.generation =
                self.row.q.val().generation + bit_cast::<8, 1>(self.row.q.val().armed.into());
        } else if self.kind.q.val() == 4 {
            // An overtaken deadline asks for nothing.
            self.demand.next =
                self.row.q.val().armed & (self.row.q.val().generation == self.generation.q.val());
        } else if self.at_once.q.val() {
            self.demand.next = true;
        } else if !self.row.q.val().pending {
            // REQ-ACK-2: after A arrivals, or T after the first of them; at once when no deadline can be
            // queued.
            self.new_row.next.count = self.count.val();
            if self.count.val() >= self.arrivals_per_ack.val() {
                self.demand.next = true;
            } else if !self.row.q.val().armed {
                self.demand.next = !self.deadlines.in_ready.val();
                self.queue.next = self.deadlines.in_ready.val();
                self.new_row.next.armed = self.deadlines.in_ready.val();
            }
        }
        // REQ-ACK-3: one ACK is pending per path; later triggers merge into it.
        if self.demand.val() {
            self.new_row.next.pending = true;
        }
        self.requests.in_valid.next =
            (self.step.q.val() == 2) & self.demand.val() & !self.row.q.val().pending;
        self.requests.in_data.next = self.path.q.val();
        self.new_deadline.next.path = bit_cast::<16, PW>(self.path.q.val());
        self.new_deadline.next.at = self.at.q.val();
        self.new_deadline.next.generation = self.row.q.val().generation;
        self.deadlines.in_valid.next = (self.step.q.val() == 2) & self.queue.val();
        self.deadlines.in_data.next = self.new_deadline.val();
        self.rows.we.next = self.step.q.val() == 2;
        self.rows.waddr.next = self.path.q.val();
        if self.step.q.val() == 2 {
            self.step.d.next = 0.into();
        }
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.rows.we.next = true;
            self.rows.waddr.next = bit_cast::<PW, PC>(self.clear.q.val());
            self.new_row.next.pending = false;
            self.new_row.next.count = 0.into();
            self.new_row.next.armed = false;
            self.new_row.next.generation = 0.into();
        }
        self.rows.wdata.next = self.new_row.val();
        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.step.d.next = 0.into();
            self.taken.d.next = false;
            self.again.d.next = false;
            self.due.d.next = false;
        }
    }
}
