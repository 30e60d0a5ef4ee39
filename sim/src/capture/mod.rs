//! The packets of one connection of a run, each with why it was sent again and what became of it; as a
//! capture for Wireshark and `heddle trace`.
//!
//! The run is the same as without. Only Heddle's packets can be followed.

mod explain;
mod file;
mod request;

pub use request::{CaptureError, Request};

use crate::fabric::{End, History};
use crate::heddle::{Connection, Heddle, HeddleBody, Sending};
use crate::outcome::Outcome;
use crate::packet::Host;
use crate::plan::{Point, Transport};
use crate::run::{self, Prepared};
use crate::time::Ps;
use crate::world::World;
use explain::{Copies, Names};
use heddle_model::core::Cause;
use std::collections::VecDeque;

/// A point whose run is to be followed, at time 0.
#[derive(Debug)]
pub struct Recorder {
    world: Box<World<Heddle>>,
    point: Point,
    host: Host,
    connection: Connection,
    peer_conn: u16,
}

/// A packet of the connection.
#[derive(Clone, Debug)]
pub struct Entry {
    /// When the host gave it to its port or took it; else when it was dropped on its way here, or when the
    /// run ended.
    pub at: Ps,
    /// The host sent it.
    pub is_outbound: bool,
    /// The packet and what became of it.
    pub history: History<HeddleBody>,
    /// What it was sent for.
    pub sending: Option<Sending>,
    /// Why it was sent, if it was sent before; and what became of it, if that is not that it arrived as it
    /// was.
    pub comments: Vec<String>,
}

/// What a host sent and received on one connection, and what was sent to it and did not arrive.
#[derive(Clone, Debug)]
pub struct Capture {
    /// In the order of their times.
    pub entries: Vec<Entry>,
    /// What it shows, one sentence.
    pub title: String,
    planes: u8,
}

impl Recorder {
    /// Prepares a point.
    ///
    /// # Errors
    /// When there is no such connection, when its transport is not Heddle, or when the point cannot be run.
    pub fn new(point: &Point, request: Request) -> Result<Self, CaptureError> {
        if !matches!(point.transport, Transport::Heddle { .. }) {
            let kind = point.setting("transport.kind").unwrap_or_default();
            return Err(CaptureError::Transport { request, kind });
        }
        let Request { host, conn } = request;
        if host >= point.fabric.hosts {
            return Err(CaptureError::Host { request, last: point.fabric.hosts - 1 });
        }
        let world = run::world(point).map_err(|error| CaptureError::Run(point.name().to_owned(), error))?;
        let Prepared::Heddle(mut world) = world else {
            return Err(CaptureError::Transport { request, kind: String::new() });
        };
        let known = world.endpoint_mut(host).connections();
        let connection = known.iter().find(|connection| connection.conn == conn).copied();
        let connection = connection.ok_or_else(|| CaptureError::connection(request, &known))?;
        let theirs = world.endpoint_mut(connection.peer).connections();
        let same = |other: &&Connection| (other.peer, other.number) == (host, connection.number);
        // Connections have two ends.
        let theirs = theirs.iter().find(same).copied();
        let theirs = theirs.ok_or_else(|| CaptureError::connection(request, &known))?;
        world.follow([host, connection.peer]);
        world.endpoint_mut(host).watch(&connection, theirs.conn);
        world.endpoint_mut(connection.peer).watch(&theirs, conn);
        Ok(Self { world, point: point.clone(), host, connection, peer_conn: theirs.conn })
    }

    /// Runs the point: the outcome is that of any run of it.
    pub fn run(mut self) -> (Outcome, Capture) {
        let outcome = self.world.run_to(self.point.end);
        let capture = self.capture();
        (outcome, capture)
    }

    fn capture(&mut self) -> Capture {
        let now = self.world.now();
        let mut sendings = [self.host, self.connection.peer]
            .map(|host| self.world.endpoint_mut(host).sendings().iter().copied().collect::<VecDeque<_>>());
        let names = Names { topology: self.world.fabric().topology(), point: &self.point };
        let mut copies = [Copies::default(), Copies::default()];
        let mut entries = Vec::new();
        for history in self.world.fabric().histories() {
            let (is_outbound, body) = (history.packet.src == self.host, &history.packet.body);
            let conn = if is_outbound { self.peer_conn } else { self.connection.conn };
            if body.dst_conn != conn {
                continue;
            }
            let end = usize::from(!is_outbound);
            let sending = take(&mut sendings[end], body);
            debug_assert!(sending.is_some(), "a packet that no host has sent: {body:?}");
            let why = sending.as_ref().and_then(|sending| copies[end].explain(&names, sending, history));
            let fate = names.fate(history, is_outbound);
            let at = match history.end {
                _ if is_outbound => history.sent,
                End::Delivered(at) | End::Dropped(_, at) => at,
                End::UnderWay => now,
            };
            let comments = why.into_iter().chain(fate).collect();
            entries.push(Entry { at, is_outbound, history: history.clone(), sending, comments });
        }
        entries.sort_by_key(|entry| entry.at);
        Capture { entries, title: self.title(), planes: self.point.fabric.planes }
    }

    fn title(&self) -> String {
        let (host, Connection { conn, peer, .. }) = (self.host, self.connection);
        format!("host {host}, connection {conn} with host {peer}, of {}", self.point.name())
    }
}

/// The oldest sending of this packet. Those before it never left their host.
fn take(sendings: &mut VecDeque<Sending>, body: &HeddleBody) -> Option<Sending> {
    let at = sendings.iter().position(|sending| sending.body == *body)?;
    sendings.remove(at)
}

impl Entry {
    /// The packet was sent before.
    pub fn is_resent(&self) -> bool {
        let cause = self.sending.as_ref().map(|sending| sending.cause);
        matches!(cause, Some(Cause::Resend(_) | Cause::Expire(_)))
    }

    /// It did not arrive.
    pub fn is_dropped(&self) -> bool {
        matches!(self.history.end, End::Dropped(..))
    }
}
