//! A packet in one line.

use super::trace::Captured;
use heddle_wire::{Ack, Body, Data, Flag, Flags, Frame, NakCode, Packet, ParseConfig, Psn};
use std::fmt::Write;

/// Runs of the SACK vector that are shown.
const RUNS: usize = 4;

/// Time, plane, direction, what it is, and what the capture says about it.
pub fn render(captured: &Captured<'_>, config: ParseConfig) -> String {
    let direction = match captured.outbound {
        Some(true) => "->",
        Some(false) => "<-",
        None => "--",
    };
    let mut line = format!("{:>12} {:<8} {direction} ", time(captured.nanoseconds), captured.interface);
    if captured.frame.len() < captured.original_len as usize {
        let _ = write!(line, "cut off: {} of {} bytes", captured.frame.len(), captured.original_len);
    } else {
        match Frame::parse(captured.frame, config) {
            Ok(frame) => line += &packet(&frame.packet),
            Err(error) => {
                let _ = write!(line, "{error}");
            }
        }
    }
    for comment in &captured.comments {
        let _ = write!(line, "  [{}]", comment.replace(char::is_control, " "));
    }
    line
}

/// Microseconds with three decimals.
fn time(nanoseconds: u128) -> String {
    format!("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000)
}

fn packet(packet: &Packet) -> String {
    let kind = packet.body.packet_type().name();
    let mut text = format!("{kind:<5} conn {} path {}", packet.dst_conn, packet.path);
    match &packet.body {
        Body::Data { opcode, header, payload } => {
            let _ = write!(text, " psn {} {opcode} {}", packet.psn.get(), data(header, payload.len()));
        }
        Body::Ack(header) => {
            let _ = write!(text, " psn {} {}", packet.psn.get(), ack(header));
        }
        Body::Nak(header) => {
            let code = NakCode::from_code(header.code);
            let name = code.map_or_else(|| format!("code {}", header.code), |code| code.to_string());
            let _ = write!(text, " psn {} {name}", packet.psn.get());
        }
        Body::Probe(header) => {
            let _ = write!(text, " stream {}", header.stream);
        }
        Body::Reset => {}
    }
    if packet.route != 0 {
        let _ = write!(text, " route {}", packet.route);
    }
    text + &flags(packet.flags)
}

fn data(header: &Data, payload: usize) -> String {
    let Data { stream, offset, length, .. } = header;
    let msn = header.msn.get();
    // The payload is padded: the last packet of a message has what its length leaves.
    let bytes = (length.saturating_sub(*offset) as usize).min(payload);
    format!("stream {stream} msn {msn} bytes {offset}+{bytes} of {length}")
}

fn ack(header: &Ack) -> String {
    let cum = Psn::new(header.cum.get());
    let (stream, done) = (header.done_stream, header.done_msn.get());
    format!("cum {} sack {} done {stream}:{done} hold {}", cum.get(), sack(header, cum), header.hold)
}

/// The PSNs received beyond cum, as runs of distances from it.
fn sack(header: &Ack, cum: Psn) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for distance in (1..256).filter(|&distance| header.sack.get(cum.plus(distance))) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == distance => *last = distance,
            _ => runs.push((distance, distance)),
        }
    }
    let shown = runs.iter().take(RUNS).map(|&(first, last)| match first == last {
        true => format!("+{first}"),
        false => format!("+{first}..{last}"),
    });
    let mut text: Vec<String> = shown.collect();
    match runs.len() {
        0 => text.push("none".to_owned()),
        more if more > RUNS => text.push(format!("and {} runs", more - RUNS)),
        _ => {}
    }
    text.join(",")
}

fn flags(flags: Flags) -> String {
    let set = Flag::ALL.iter().filter(|&&flag| flags.has(flag));
    set.map(|flag| format!(" {flag}")).collect()
}
