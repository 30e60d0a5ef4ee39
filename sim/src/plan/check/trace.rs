//! A file of messages: CSV with the columns at, verb, host, peer, bytes, and a head line that says so.

use super::{number, Refusal, LONGEST};
use crate::endpoint::Verb;
use crate::plan::point::TraceMessage;
use crate::plan::settings::TrafficSettings;
use crate::time::Ps;
use crate::units;
use serde::Deserialize;
use std::path::Path;

/// Most bytes of one message.
const MOST: u64 = 1 << 30;

/// A line of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    at: String,
    verb: String,
    host: u32,
    peer: u32,
    bytes: String,
}

/// Reads the file that `traffic.file` names, for a fabric of so many hosts.
pub fn read(given: &TrafficSettings, hosts: u32, folder: &Path) -> Result<Vec<TraceMessage>, Refusal> {
    let refuse = |message: String| Refusal::new("traffic.file", message);
    let file = given.file.as_ref().ok_or_else(|| {
        refuse("is missing: traffic.kind = \"trace\" needs it, like \"messages.csv\"".to_owned())
    })?;
    let path = folder.join(file);
    let shown = path.display();
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_path(&path)
        .map_err(|e| refuse(format!("{shown} cannot be read: {e}")))?;
    let mut messages = Vec::new();
    let head = reader.headers().map_err(|e| refuse(format!("{shown}: {e}")))?.clone();
    for record in reader.records() {
        let record = record.map_err(|e| refuse(format!("{shown}: {e}")))?;
        let line = record.position().map_or(0, csv::Position::line);
        let wrong = |e: String| refuse(format!("{shown}, line {line}: {e}"));
        let read: Line = record.deserialize(Some(&head)).map_err(|e| wrong(e.to_string()))?;
        messages.push(message(&read, hosts).map_err(wrong)?);
    }
    match messages.is_empty() {
        true => Err(refuse(format!("{shown} has no messages: 1 or more are needed"))),
        false => Ok(messages),
    }
}

fn message(line: &Line, hosts: u32) -> Result<TraceMessage, String> {
    let at = units::duration_ps(&line.at).map_err(|e| format!("at: {:?} is not understood: {e}", line.at))?;
    let verb = match line.verb.as_str() {
        "write" => Verb::Write,
        "read" => Verb::Read,
        other => return Err(format!("verb: {other:?} is not possible: write and read are")),
    };
    let bytes =
        units::bytes(&line.bytes).map_err(|e| format!("bytes: {:?} is not understood: {e}", line.bytes))?;
    let ranged = |key: &str, value: u64, least: u64, most: u64| {
        number(key, value, least, most).map_err(|refusal| format!("{key}: {}", refusal.message))
    };
    ranged("at, ps", at, 0, LONGEST.0)?;
    let bytes = ranged("bytes", bytes, 1, MOST)? as u32;
    ranged("host", line.host.into(), 0, u64::from(hosts) - 1)?;
    ranged("peer", line.peer.into(), 0, u64::from(hosts) - 1)?;
    if line.host == line.peer {
        return Err(format!("peer: host {} sends to itself: another one is needed", line.peer));
    }
    Ok(TraceMessage { at: Ps(at), host: line.host, peer: line.peer, verb, bytes })
}
