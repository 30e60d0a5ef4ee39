//! The receive verdict's monitor: order entries and verdicts in, a disposition for each frame out.

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::rows::{Order, Place};
use crate::views::RxVerdictView;
use heddle_model::rx::path::RxClass;
use heddle_model::rx::verdict::{Outcome, Verdict, Waiting};

/// What becomes of a frame's payload.
#[derive(Clone, Debug, PartialEq)]
pub struct Disposition {
    /// It leaves the hold.
    pub take: bool,
    /// It goes to the acknowledgements.
    pub ack: bool,
}

/// The block's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Order entry going in.
    pub o: Link<Order>,
    /// Verdict of the path engine.
    pub v: Link<u8>,
    /// Disposition.
    pub x: Link<Disposition>,
    /// Payload to place.
    pub w: Link<Place>,
    /// Drop reason.
    pub drop: Link<u8>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl RxVerdictView) -> Self {
        let disposition = || Disposition { take: view.x_take().bit(), ack: view.x_ack().bit() };
        Self {
            o: Link::new(view.o_valid().bit(), view.o_ready().bit(), || {
                Order::unpack(view.o_entry().words())
            }),
            v: Link::pulse(view.v_valid().bit(), || view.v_class().u8()),
            x: Link::pulse(view.x_valid().bit(), disposition),
            w: Link::new(view.w_valid().bit(), view.w_ready().bit(), || {
                Place::unpack(view.w_request().words())
            }),
            drop: Link::pulse(view.drop_valid().bit(), || view.drop_reason().u8()),
        }
    }
}

/// The model's side.
#[derive(Debug)]
pub struct VerdictMonitor {
    model: Verdict<Place>,
    owed: u32,
    o: Input<Order>,
    x: Output<Disposition>,
    w: Output<Place>,
    drop: Output<u8>,
}

impl Default for VerdictMonitor {
    fn default() -> Self {
        Self {
            model: Verdict::default(),
            owed: 0,
            o: Input::request("o"),
            x: Output::answer("x"),
            w: Output::side("w"),
            drop: Output::side("drop"),
        }
    }
}

impl VerdictMonitor {
    /// DATA entries whose verdict the path engine still owes.
    pub fn owed(&self) -> u32 {
        self.owed
    }
}

impl Monitor for VerdictMonitor {
    const NAME: &'static str = "rx_verdict";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(class) = ports.v.crossing() {
            match self.owed.checked_sub(1) {
                Some(owed) => self.owed = owed,
                None => check.mismatch("v", "a verdict on a packet that is not in the order"),
            }
            let class =
                [RxClass::Accept, RxClass::Duplicate, RxClass::OutOfWindow, RxClass::Fault][*class as usize];
            self.model.on_verdict(class);
        }
        if let Some(order) = self.o.take(&ports.o, check) {
            self.owed += u32::from(order.kind == 1);
            let waiting = match order.kind {
                0 => Waiting::Drop(order.reason),
                1 => Waiting::Data(order.reason),
                2 => Waiting::Ack,
                _ => Waiting::Probe,
            };
            self.model.on_order(waiting, order.place);
        }
        while let Some((outcome, place)) = self.model.next_outcome() {
            let (take, ack) = (matches!(outcome, Outcome::Place | Outcome::Ack), outcome == Outcome::Ack);
            self.x.expect(Disposition { take, ack }, check);
            match outcome {
                Outcome::Place => self.w.expect(place, check),
                Outcome::Drop(reason) => self.drop.expect(reason, check),
                Outcome::Ack | Outcome::Skip => {}
            }
            check.cover(match outcome {
                Outcome::Place => "place",
                Outcome::Ack => "ack",
                Outcome::Skip => "skip",
                Outcome::Drop(_) => "drop",
            });
        }
        self.x.compare(&ports.x, check);
        self.w.compare(&ports.w, check);
        self.drop.compare(&ports.drop, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.o, &self.x, &self.w, &self.drop]
    }

    fn reset(&mut self) {
        (self.model, self.owed) = (Verdict::default(), 0);
        self.o.reset();
        self.x.reset();
        self.w.reset();
        self.drop.reset();
    }
}
