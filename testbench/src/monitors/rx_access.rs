//! The access check's monitor: looked-up frames in, an order entry for each, and the frame where its type
//! belongs, out.

use crate::bits::Unpacker;
use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::rows::{Located, Order, Place};
use crate::views::RxAccessView;
use heddle_model::rx::access::{Access, AccessConfig, Region};
use heddle_wire::{Common, Data, DropReason, Msn, PacketType};

/// A looked-up frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The frame.
    pub frame: Located,
    /// DropReason number, 0 for none.
    pub drop: u8,
}

/// A packet for the path engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    /// The frame.
    pub frame: Located,
    /// A PROBE; else DATA.
    pub probe: bool,
    /// The look-ups found a fault.
    pub fault: bool,
}

/// The block's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// The control plane writes a region.
    pub write: Link<(u16, Region)>,
    /// Frame going in.
    pub c: Link<Frame>,
    /// Stream whose `done` is asked for: {connection, stream}.
    pub asked: u32,
    /// `done` of the stream asked for in the cycle before.
    pub done: u32,
    /// Order entry.
    pub o: Link<Order>,
    /// DATA or PROBE.
    pub p: Link<Visit>,
    /// ACK.
    pub k: Link<Located>,
}

fn region(mut fields: Unpacker) -> Region {
    let (valid, remote_read) = (fields.flag(), fields.flag());
    let (remote_write, remote_atomic) = (fields.flag(), fields.flag());
    let (tag, domain) = (fields.take(16) as u32, fields.take(16) as u16);
    let (base, length) = (fields.take(64) as u64, fields.take(64) as u64);
    Region { valid, tag, base, length, remote_read, remote_write, remote_atomic, domain }
}

/// Only DATA has something to place, and only without a fault its length counts.
fn order(mut fields: Order) -> Order {
    match fields.kind {
        1 if fields.reason == 0 => {}
        1 => fields.place.len = 0,
        2 | 3 => fields = Order { kind: fields.kind, ..Order::default() },
        _ => fields.place = Place::default(),
    }
    fields
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl RxAccessView) -> Self {
        let taken = || Frame { frame: Located::unpack(view.c_frame().words()), drop: view.c_drop().u8() };
        let frame = || Located::unpack(view.a_frame().words());
        let visit = || {
            let probe = view.p_probe().bit();
            Visit { frame: frame(), probe, fault: view.p_fault().bit() && !probe }
        };
        let entry = || order(Order::unpack(view.o_entry().words()));
        let write = || (view.cfg_region().u16(), region(view.cfg_row().fields()));
        Self {
            write: Link::pulse(view.cfg_we().bit(), write),
            c: Link::new(view.c_valid().bit(), view.c_ready().bit(), taken),
            asked: view.q_stream().u32(),
            done: view.q_done().u32(),
            o: Link::new(view.o_valid().bit(), view.o_ready().bit(), entry),
            p: Link::new(view.p_valid().bit(), view.p_ready().bit(), visit),
            k: Link::new(view.k_valid().bit(), view.k_ready().bit(), frame),
        }
    }
}

/// The model's side.
#[derive(Debug)]
pub struct AccessMonitor {
    connections: u32,
    config: AccessConfig,
    model: Access,
    /// Taken in the cycle before: `done` of its stream comes now.
    asking: Option<(u64, Frame)>,
    /// Written in the cycle before: the frame taken then does not see it.
    written: Option<(u16, Region)>,
    c: Input<Frame>,
    o: Output<Order>,
    p: Output<Visit>,
    k: Output<Located>,
}

fn headers(words: &[u32; 12]) -> (Common, Data) {
    let bytes: [u8; 48] = std::array::from_fn(|i| words[i / 4].to_be_bytes()[i % 4]);
    let (common, data) = bytes.split_at(16);
    (Common::parse(common.try_into().expect("16 bytes")), Data::parse(data.try_into().expect("32 bytes")))
}

impl AccessMonitor {
    /// A monitor of a check for `connections`.
    pub fn new(connections: u32, config: AccessConfig) -> Self {
        Self {
            connections,
            config,
            model: Access::new(config),
            asking: None,
            written: None,
            c: Input::request("c"),
            o: Output::answer("o"),
            p: Output::side("p"),
            k: Output::side("k"),
        }
    }

    fn ask(&mut self, input: Frame, asked: u32, check: &mut Check) {
        let (common, data) = headers(&input.frame.words);
        let conn = u32::from(common.dst_conn) % self.connections;
        let stream = conn * self.config.streams + u32::from(data.stream) % self.config.streams;
        if asked != stream {
            check.mismatch("q", format!("stream: rtl {asked:#x}, model {stream:#x}"));
        }
        self.asking = Some((check.cycle(), input));
    }

    fn data(&mut self, since: u64, input: &Frame, done: u32, check: &mut Check) {
        let (common, data) = headers(&input.frame.words);
        let done = |_| Msn::new(done);
        let looked_up = self.model.check(&common, &data, input.frame.len, input.frame.domain, done);
        let fault = looked_up.err().map_or(0, |reason| reason as u8);
        check.cover(DropReason::from_code(fault).map_or("no fault", |reason| reason.name()));
        let place = Place {
            address: data.address,
            // What a refused packet would have placed is nobody's business.
            len: looked_up.unwrap_or(0),
            conn: common.dst_conn,
            path: common.path,
            stream: data.stream,
            msn: data.msn.get(),
            message_len: data.length,
        };
        self.o.expect_since(since, Order { kind: 1, reason: fault, place }, check);
        let visit = Visit { frame: input.frame.clone(), probe: false, fault: fault != 0 };
        self.p.expect_since(since, visit, check);
    }

    fn take(&mut self, input: Frame, asked: u32, check: &mut Check) {
        let kind = PacketType::from_code((input.frame.words[0] >> 24 & 15) as u8);
        let entry = |kind, reason| Order { kind, reason, place: Place::default() };
        match kind {
            _ if input.drop != 0 => self.o.expect(entry(0, input.drop), check),
            Some(PacketType::Data) => self.ask(input, asked, check),
            Some(PacketType::Ack) => {
                self.o.expect(entry(2, 0), check);
                self.k.expect(input.frame, check);
            }
            Some(PacketType::Probe) => {
                self.o.expect(entry(3, 0), check);
                self.p.expect(Visit { frame: input.frame, probe: true, fault: false }, check);
            }
            _ => self.o.expect(entry(0, DropReason::Unsupported as u8), check),
        }
    }
}

impl Monitor for AccessMonitor {
    const NAME: &'static str = "rx_access";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some((since, input)) = self.asking.take() {
            self.data(since, &input, ports.done, check);
        }
        if let Some((index, region)) = self.written.take() {
            self.model.set(index.into(), region);
        }
        if let Some(input) = self.c.take(&ports.c, check) {
            self.take(input, ports.asked, check);
        }
        self.written = ports.write.crossing().copied();
        self.o.compare(&ports.o, check);
        self.p.compare(&ports.p, check);
        self.k.compare(&ports.k, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.c, &self.o, &self.p, &self.k]
    }

    /// The block clears its regions.
    fn reset(&mut self) {
        self.model = Access::new(self.config);
        (self.asking, self.written) = (None, None);
        self.c.reset();
        self.o.reset();
        self.p.reset();
        self.k.reset();
    }
}
