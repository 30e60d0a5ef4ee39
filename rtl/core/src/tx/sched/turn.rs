//! Whose turn it is: the first event in order of priority, its path and connection, and whose rows are read for it.
//! Combinational.

use rust_hdl::prelude::*;

/// The part, for 2^`CW` connections of 2^`LW` paths; `PW` = `CW` + `LW`.
#[derive(LogicBlock)]
pub struct Turn<const CW: usize, const LW: usize, const PW: usize> {
    /// A result of the path engine waits.
    pub result_valid: Signal<In, Bit>,
    /// Its path.
    pub result_path: Signal<In, Bits<16>>,
    /// News of work wait.
    pub work_valid: Signal<In, Bit>,
    /// Their connection.
    pub work_conn: Signal<In, Bits<CW>>,
    /// One more operation may be in the path engine: without that, results and work alone have a turn.
    pub may_issue: Signal<In, Bit>,
    /// An expiry waits.
    pub expiry_valid: Signal<In, Bit>,
    /// Its path.
    pub expiry_path: Signal<In, Bits<PW>>,
    /// A question waits.
    pub question_valid: Signal<In, Bit>,
    /// Its path.
    pub question_path: Signal<In, Bits<PW>>,
    /// A path waits in the resend queue.
    pub resend_valid: Signal<In, Bit>,
    /// The path.
    pub resend_path: Signal<In, Bits<PW>>,
    /// A connection waits in the ready queue.
    pub ready_valid: Signal<In, Bit>,
    /// The connection.
    pub ready_conn: Signal<In, Bits<CW>>,
    /// The first state of the event; 0 if there is none.
    pub state: Signal<Out, Bits<5>>,
    /// Its path, if `of_path`.
    pub path: Signal<Out, Bits<PW>>,
    /// Its connection, if `of_conn`.
    pub conn: Signal<Out, Bits<CW>>,
    /// The path's row is read.
    pub of_path: Signal<Out, Bit>,
    /// The connection's row is read.
    pub of_conn: Signal<Out, Bit>,
    first: Signal<Local, Bits<5>>,
    at: Signal<Local, Bits<PW>>,
    local_bits: Constant<Bits<4>>,
}

impl<const CW: usize, const LW: usize, const PW: usize> Default for Turn<CW, LW, PW> {
    fn default() -> Self {
        Self {
            result_valid: Default::default(),
            result_path: Default::default(),
            work_valid: Default::default(),
            work_conn: Default::default(),
            may_issue: Default::default(),
            expiry_valid: Default::default(),
            expiry_path: Default::default(),
            question_valid: Default::default(),
            question_path: Default::default(),
            resend_valid: Default::default(),
            resend_path: Default::default(),
            ready_valid: Default::default(),
            ready_conn: Default::default(),
            state: Default::default(),
            path: Default::default(),
            conn: Default::default(),
            of_path: Default::default(),
            of_conn: Default::default(),
            first: Default::default(),
            at: Default::default(),
            local_bits: Constant::new((LW as u64).to_bits()),
        }
    }
}

impl<const CW: usize, const LW: usize, const PW: usize> Logic for Turn<CW, LW, PW> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_sched_turn");
        // The later line wins: events stand in rising order of priority.
        self.first.next = 0.into();
        self.at.next = self.resend_path.val();
        self.of_path.next = false;
        self.of_conn.next = false;
        if self.ready_valid.val() & self.may_issue.val() {
            self.first.next = 12.into();
            self.of_conn.next = true;
        }
        if self.resend_valid.val() & self.may_issue.val() {
            self.first.next = 10.into();
            self.of_path.next = true;
            self.of_conn.next = false;
        }
        if self.question_valid.val() & self.may_issue.val() {
            self.first.next = 8.into();
            self.at.next = self.question_path.val();
            self.of_path.next = true;
            self.of_conn.next = false;
        }
        if self.expiry_valid.val() & self.may_issue.val() {
            self.first.next = 6.into();
            self.at.next = self.expiry_path.val();
            self.of_path.next = true;
            self.of_conn.next = true;
        }
        if self.work_valid.val() {
            self.first.next = 4.into();
            self.of_path.next = false;
            self.of_conn.next = true;
        }
        if self.result_valid.val() {
            self.first.next = 1.into();
            self.at.next = bit_cast::<PW, 16>(self.result_path.val());
            self.of_path.next = true;
            self.of_conn.next = true;
        }
        self.state.next = self.first.val();
        // The connection of the path, but where one waits itself.
        self.path.next = self.at.val();
        self.conn.next = bit_cast::<CW, PW>(self.at.val() >> self.local_bits.val());
        if self.first.val() == 12 {
            self.conn.next = self.ready_conn.val();
        }
        if self.first.val() == 4 {
            self.conn.next = self.work_conn.val();
        }
    }
}
