//! The golden model's core as a host's transport: frames as they are, without bytes; memory that counts.

mod constants;
mod line;
mod memory;
mod setup;
mod watch;

pub use constants::Constants;
pub(crate) use line::frame_of;
pub use setup::{HeddleConfig, HeddleConfigError, Pair};
pub use watch::{Connection, Found, Sending};

use crate::endpoint::{Endpoint, News, Post, Verb};
use crate::outcome::Transport;
use crate::packet::{Host, Packet, ETHERNET_OVERHEAD};
use crate::time::Ps;
use heddle_model::core::Core;
use heddle_model::tx::msg::WorkRequest;
use heddle_wire::{Body, DropReason, Opcode, Status};
use line::Frames;
use memory::{address, Landed};
use std::collections::{HashMap, VecDeque};
use watch::Watched;

/// What a Heddle packet carries: the transport packet, its payload by length.
pub type HeddleBody = heddle_wire::Packet<u16>;

/// A host.
#[derive(Debug)]
pub struct Heddle {
    core: Core,
    /// By peer and number of the connection between the two.
    connections: HashMap<(Host, u16), u16>,
    /// Connections set up.
    taken: u16,
    /// Messages that the core has no place for yet, by connection.
    backlog: Vec<VecDeque<WorkRequest>>,
    line: Frames,
    memory: Landed,
    news: VecDeque<News>,
    watched: Option<Box<Watched>>,
}

impl Heddle {
    /// Sends the messages of a connection that the core has a place for now.
    fn submit(&mut self, conn: u16) {
        let backlog = &mut self.backlog[usize::from(conn)];
        while let Some(request) = backlog.front().filter(|request| self.core.accepts(request)) {
            self.core.submit(*request);
            backlog.pop_front();
        }
    }

    /// Tells what the core has completed.
    fn complete(&mut self) {
        while let Some(done) = self.core.completion() {
            let id = done.wr_id as u32;
            self.news.push_back(match done.status {
                Status::Success => News::Completed(id),
                _ => News::Failed(id),
            });
            self.submit(done.conn);
        }
    }
}

impl Endpoint for Heddle {
    type Body = HeddleBody;

    fn post(&mut self, _now: Ps, post: &Post) {
        let Some(&conn) = self.connections.get(&(post.peer, post.connection)) else {
            return self.news.push_back(News::Failed(post.id));
        };
        let (opcode, here, there) = match post.verb {
            Verb::Write => (Opcode::Write, 0, address(post.id)),
            Verb::Read => (Opcode::ReadReq, address(post.id), 0),
        };
        let request = WorkRequest {
            wr_id: post.id.into(),
            opcode: opcode.code(),
            conn,
            local: here,
            remote: there,
            rkey: setup::KEY,
            length: post.bytes,
            ..WorkRequest::default()
        };
        self.backlog[usize::from(conn)].push_back(request);
        self.submit(conn);
    }

    fn receive(&mut self, now: Ps, packet: &Packet<HeddleBody>) -> u32 {
        if let Body::Data { header, .. } = &packet.body.body {
            self.memory.expect(header.length);
        }
        let frame = frame_of(packet);
        let bytes = (packet.bytes - ETHERNET_OVERHEAD) as usize;
        self.core.receive_frame(now.ticks(), packet.plane, &frame, bytes, &mut self.memory);
        self.note_losses(now, Some(packet));
        if let Some(whole) = self.memory.take_whole() {
            self.news.push_back(News::Delivered(whole));
        }
        self.complete();
        self.memory.take_placed()
    }

    fn transmit(&mut self, now: Ps, ports: u16) -> Option<Packet<HeddleBody>> {
        self.core.set_ports(ports);
        let departing = self.core.transmit_into(now.ticks(), &mut self.memory, &mut self.line);
        self.note_losses(now, None);
        let departing = departing?;
        let packet = self.line.take(departing.plane)?;
        self.note_sending(&packet, departing.cause);
        Some(packet)
    }

    fn next_deadline(&mut self, now: Ps) -> Option<Ps> {
        self.core.next_deadline().map(|at| now.when(at))
    }

    fn advance(&mut self, now: Ps) {
        self.core.advance(now.ticks());
        self.note_losses(now, None);
        self.complete();
    }

    fn set_plane(&mut self, now: Ps, plane: u8, up: bool) {
        self.core.set_plane(plane, up, now.ticks());
        self.note_losses(now, None);
    }

    fn allowed_bps(&self, _now: Ps, peer: Host) -> Option<u64> {
        // 1/64 ps per byte.
        let hint = self.core.hinted(*self.connections.get(&(peer, 0))?)?;
        (512_000_000_000_000u64).checked_div(hint)
    }

    fn news(&mut self) -> Option<News> {
        self.news.pop_front()
    }

    fn counters(&self) -> Transport {
        let counters = self.core.counters();
        let duplicates = counters.drops(DropReason::Duplicate);
        Transport {
            data_sent: counters.data_sent,
            data_resent: counters.data_resent,
            expiries: counters.expiries,
            duplicates,
            refused: counters.dropped() - duplicates,
            answers: counters.acks_sent + counters.naks_sent,
        }
    }
}
