//! The connection look-up's monitor: frames in, each with its row or the first reason against it out.

use crate::bits::Unpacker;
use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::rows::{Held, Located};
use crate::views::RxConnView;
use heddle_model::rx::conn::{RxConnRow, RxConnTable};
use heddle_wire::{Common, DropReason};

/// A frame that was looked up; what a dropped one has for a domain means nothing, and is 0 here.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The frame.
    pub frame: Located,
    /// DropReason number, 0 for none.
    pub drop: u8,
}

/// The block's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// The control plane writes a connection's row.
    pub write: Link<(u16, RxConnRow)>,
    /// Frame going in.
    pub f: Link<Held>,
    /// Frame looked up.
    pub c: Link<Found>,
}

fn row(mut fields: Unpacker) -> RxConnRow {
    let (valid, v6, tag) = (fields.flag(), fields.flag(), fields.take(16) as u16);
    RxConnRow { valid, v6, tag, domain: fields.take(16) as u16, peer: fields.take(128) }
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl RxConnView) -> Self {
        let found = || {
            let (mut frame, drop) = (Located::unpack(view.c_frame().words()), view.c_drop().u8());
            if drop != 0 {
                frame.domain = 0;
            }
            Found { frame, drop }
        };
        let held = || Held::unpack(view.f_frame().words());
        Self {
            write: Link::pulse(view.cfg_we().bit(), || (view.cfg_conn().u16(), row(view.cfg_row().fields()))),
            f: Link::new(view.f_valid().bit(), view.f_ready().bit(), held),
            c: Link::new(view.c_valid().bit(), view.c_ready().bit(), found),
        }
    }
}

/// The model's side.
#[derive(Debug)]
pub struct ConnMonitor {
    connections: u32,
    paths: u32,
    model: RxConnTable,
    f: Input<Held>,
    c: Output<Found>,
}

fn common(words: &[u32; 12]) -> Common {
    let bytes: [u8; 16] = std::array::from_fn(|i| words[i / 4].to_be_bytes()[i % 4]);
    Common::parse(&bytes)
}

impl ConnMonitor {
    /// A monitor of a table of `connections` with `paths` each.
    pub fn new(connections: u32, paths: u32) -> Self {
        let model = RxConnTable::new(connections, paths);
        Self { connections, paths, model, f: Input::request("f"), c: Output::answer("c") }
    }
}

impl Monitor for ConnMonitor {
    const NAME: &'static str = "rx_conn";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(held) = self.f.take(&ports.f, check) {
            let (drop, domain) = match self.model.look_up(&common(&held.words), held.v6, held.src) {
                Ok(found) => (0, Some(found.domain)),
                Err(reason) => (reason as u8, None),
            };
            check.cover(DropReason::from_code(drop).map_or("found", |reason| reason.name()));
            let domain = domain.unwrap_or(0);
            let frame = Located { words: held.words, ce: held.ce, len: held.len, domain };
            self.c.expect(Found { frame, drop }, check);
        }
        if let Some((conn, row)) = ports.write.crossing() {
            self.model.set(*conn, *row);
        }
        self.c.compare(&ports.c, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.f, &self.c]
    }

    /// The block clears its rows.
    fn reset(&mut self) {
        self.model = RxConnTable::new(self.connections, self.paths);
        self.f.reset();
        self.c.reset();
    }
}
