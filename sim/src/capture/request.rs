//! Which connection is meant, and every way in which there is none.

use crate::heddle::Connection;
use crate::packet::Host;
use crate::run::RunError;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Connections that a refusal lists.
const LISTED: usize = 8;

/// A host and one of its connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The host that sees the packets.
    pub host: Host,
    /// Its number of the connection.
    pub conn: u16,
}

/// A run whose packets cannot be followed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CaptureError {
    /// Not what was meant.
    #[error(
        "{got:?} is not understood: needed is NODE:CONN, a host and its number of a connection, like 0:0"
    )]
    Text {
        /// What was said.
        got: String,
    },
    /// A transport that has nothing to show.
    #[error("{request}: packets of transport.kind = {kind:?} cannot be traced, only those of \"heddle\"")]
    Transport {
        /// What was asked for.
        request: Request,
        /// What is spoken.
        kind: String,
    },
    /// No host.
    #[error("{request}: there is no host {}, those are 0 to {last}", request.host)]
    Host {
        /// What was asked for.
        request: Request,
        /// The last host.
        last: Host,
    },
    /// No connection.
    #[error("{request}: host {} has no connection {}, {known}", request.host, request.conn)]
    Connection {
        /// What was asked for.
        request: Request,
        /// Those that it has, in words.
        known: String,
    },
    /// The point cannot be run.
    #[error("point {0}: {1}")]
    Run(String, RunError),
}

impl CaptureError {
    pub(super) fn connection(request: Request, known: &[Connection]) -> Self {
        let mut listed: Vec<_> = known.iter().take(LISTED).map(Connection::to_string).collect();
        if let Some(last) = known.get(LISTED..).and_then(<[_]>::last) {
            listed.push(format!("and so on to {last}"));
        }
        let known = match listed.is_empty() {
            true => "nor any other: no message of the plan begins or ends there".to_owned(),
            false => format!("those are {}", listed.join(", ")),
        };
        Self::Connection { request, known }
    }
}

impl fmt::Display for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { conn, peer, number } = self;
        match number {
            0 => write!(f, "{conn} with host {peer}"),
            more => write!(f, "{conn} with host {peer} (its number {more})"),
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.conn)
    }
}

impl FromStr for Request {
    type Err = CaptureError;

    fn from_str(text: &str) -> Result<Self, CaptureError> {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let parts = text.split_once(':').filter(|(host, conn)| digits(host) && digits(conn));
        let parsed = parts.and_then(|(host, conn)| Some((host.parse().ok()?, conn.parse().ok()?)));
        let (host, conn) = parsed.ok_or_else(|| CaptureError::Text { got: text.to_owned() })?;
        Ok(Self { host, conn })
    }
}
