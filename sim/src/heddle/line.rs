//! Frames that stay what they are.

use super::setup::{ANSWER_DSCP, DATA_DSCP, HOPS};
use super::HeddleBody;
use crate::packet::{Class, Host, Packet, ETHERNET_OVERHEAD};
use heddle_model::core::Line;
use heddle_model::memory::Memory;
use heddle_wire::{Body, EmitError, Frame, Ip, Ipv4, ParseConfig};
use std::net::Ipv4Addr;

/// Explicit congestion notification codepoints. Source: RFC 3168 section 5.
const ECT0: u8 = 2;
const CE: u8 = 3;
/// Longest payload that a frame has: a slice of 4 KiB.
const LONGEST: usize = 1 << 12;
static ZEROS: [u8; LONGEST] = [0; LONGEST];

/// Address of a host: 10.0.0.0 plus its number.
pub(super) fn address(host: Host) -> Ipv4Addr {
    Ipv4Addr::from(0x0A00_0000 + host)
}

/// The last frame.
#[derive(Debug)]
pub(super) struct Frames {
    host: Host,
    last: Option<Packet<HeddleBody>>,
}

impl Frames {
    /// Of a host.
    pub(super) fn new(host: Host) -> Self {
        Self { host, last: None }
    }

    /// The frame, which leaves on this plane.
    pub(super) fn take(&mut self, plane: u8) -> Option<Packet<HeddleBody>> {
        if let Some(packet) = &mut self.last {
            packet.plane = plane;
        }
        self.last.take()
    }
}

impl Line for Frames {
    fn load<'p>(
        &mut self,
        _memory: &mut impl Memory,
        _local: u64,
        len: u16,
        _buffer: &'p mut Vec<u8>,
    ) -> Option<&'p [u8]> {
        ZEROS.get(..usize::from(len).next_multiple_of(4))
    }

    fn put(&mut self, frame: &Frame<&[u8]>) -> Result<usize, EmitError> {
        let (to, ecn) = match frame.ip {
            Ip::V4(Ipv4 { dst, ecn, .. }) => (u32::from(dst).wrapping_sub(0x0A00_0000), ecn),
            // The set-up knows no IPv6.
            Ip::V6(_) => return Err(EmitError::Field { name: "version of IP", seen: 6, needed: 4 }),
        };
        let answer = matches!(frame.packet.body, Body::Ack(_) | Body::Nak(_));
        let bytes = frame.bytes();
        self.last = Some(Packet {
            src: self.host,
            dst: to,
            plane: 0,
            src_port: frame.src_port,
            class: if answer { Class::Control } else { Class::Data },
            ect: ecn == ECT0,
            ce: false,
            bytes: bytes as u32 + ETHERNET_OVERHEAD,
            body: frame.packet.with_payload(|payload| payload.len() as u16),
        });
        Ok(bytes)
    }
}

/// The frame that a packet was, its payload zeros.
pub(crate) fn frame_of(packet: &Packet<HeddleBody>) -> Frame<&'static [u8]> {
    let ecn = match (packet.ect, packet.ce) {
        (_, true) => CE,
        (true, false) => ECT0,
        (false, false) => 0,
    };
    let dscp = match packet.body.body {
        Body::Data { .. } | Body::Probe(_) => DATA_DSCP,
        Body::Ack(_) | Body::Nak(_) | Body::Reset => ANSWER_DSCP,
    };
    let (src, dst) = (address(packet.src), address(packet.dst));
    let ip = Ipv4 { dscp, ecn, identification: 0, ttl: HOPS, src, dst };
    Frame {
        dst_mac: [0; 6],
        src_mac: [0; 6],
        vlan: None,
        ip: Ip::V4(ip),
        src_port: packet.src_port,
        dst_port: ParseConfig::default().port,
        udp_checksum: 0,
        packet: packet.body.with_payload(|len| &ZEROS[..usize::from(*len).min(LONGEST)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoint::{Endpoint, Post, Verb};
    use crate::heddle::{Constants, Heddle, HeddleConfig, Pair};
    use crate::time::{Ps, Rate};

    /// The frame that goes on, and its bytes.
    struct Both(Frames, Vec<u8>);

    impl Line for Both {
        fn load<'p>(
            &mut self,
            memory: &mut impl Memory,
            local: u64,
            len: u16,
            buffer: &'p mut Vec<u8>,
        ) -> Option<&'p [u8]> {
            self.0.load(memory, local, len, buffer)
        }

        fn put(&mut self, frame: &Frame<&[u8]>) -> Result<usize, EmitError> {
            self.1.put(frame)?;
            self.0.put(frame)
        }
    }

    #[test]
    fn a_packet_has_the_bytes_that_left_the_core() {
        let config = HeddleConfig {
            planes: 2,
            rate: Rate::new(100_000_000_000).unwrap(),
            drain: None,
            paths: 4,
            slice_log2: 12,
            rtt0: Ps::from_us(10),
            small_packets: 8,
            slow: None,
            fixed_window: Some(8),
            constants: Constants::default(),
        };
        let pairs = [Pair { a: 0, b: 1, connections: 1 }];
        let mut hosts = Heddle::fabric(2, &pairs, &config, 3).unwrap();
        for (id, verb, bytes) in [(0, Verb::Write, 70_001), (1, Verb::Read, 50_000)] {
            hosts[0].post(Ps::ZERO, &Post { id, peer: 1, connection: 0, verb, bytes });
        }
        let mut lines = [0, 1].map(|host| Both(Frames::new(host), Vec::new()));
        let mut compared = 0;
        for now in (0..400).map(Ps::from_us) {
            for n in 0..2 {
                let (host, line) = (&mut hosts[n], &mut lines[n]);
                host.advance(now);
                let departing = host.core.transmit_into(now.ticks(), &mut host.memory, line);
                let Some(departing) = departing else { continue };
                let packet = line.0.take(departing.plane).unwrap();
                assert_eq!(frame_of(&packet).emit().unwrap(), line.1);
                compared += 1;
                // Some get lost, so that timers ask too.
                if compared % 7 > 0 {
                    hosts[1 - n].receive(now, &packet);
                }
            }
        }
        assert!(compared > 60, "{compared} frames");
    }
}
