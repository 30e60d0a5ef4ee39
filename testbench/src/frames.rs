//! Random frames for the receive side: good ones of every kind, and ones that are wrong in one place, in
//! some, or everywhere.

use heddle_wire::icrc::icrc;
use heddle_wire::net::{ipv4_checksum, Ipv4Header, Ipv6Header, UdpHeader};
use heddle_wire::{Ack, AckForm, Opcode, Packet, PacketType};
use rand::seq::SliceRandom;
use rand::{Rng, RngCore};

/// A frame as a MAC hands it over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawFrame {
    /// From the Ethernet header on, without FCS.
    pub bytes: Vec<u8>,
    /// The MAC calls it bad.
    pub bad: bool,
}

impl RawFrame {
    /// A good frame of this shape for UDP port `port`; everything else in it is random.
    pub fn good(shape: &Shape, port: u16, rng: &mut impl RngCore) -> Self {
        Draft::good(shape, port, rng).frame
    }

    /// Such a frame made wrong: mostly in one chosen place with everything below it right, so that every
    /// reason occurs; sometimes by bits anywhere, by cutting, or by replacing all of it.
    pub fn spoiled(shape: &Shape, port: u16, rng: &mut impl RngCore) -> Self {
        let mut draft = Draft::good(shape, port, rng);
        draft.spoil(rng);
        draft.frame
    }
}

/// A frame under construction, with the places of its headers.
struct Draft {
    frame: RawFrame,
    ip: usize,
    v6: bool,
}

/// Shape of a good frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Behind an 802.1Q tag.
    pub tagged: bool,
    /// IPv6.
    pub v6: bool,
    /// Packet type.
    pub packet_type: PacketType,
    /// Opcode of DATA.
    pub opcode: Opcode,
    /// Form of an ACK; where it has SACK words, they are all zeros at times.
    pub form: AckForm,
    /// Payload in bytes, a multiple of 4; only for DATA with an opcode that has a free one.
    pub payload: usize,
}

impl Shape {
    /// Any shape, with at most `most` bytes of payload.
    pub fn random(rng: &mut impl RngCore, most: usize) -> Self {
        let opcode = *Opcode::ALL.choose(rng).unwrap_or(&Opcode::Write);
        let packet_type = match rng.gen_range(0..3) {
            0 => PacketType::Data,
            _ => *PacketType::ALL.choose(rng).unwrap_or(&PacketType::Data),
        };
        let payload = match rng.gen_range(0..3) {
            0 => 4 * rng.gen_range(0..4),
            1 => 4 * rng.gen_range(0..=32),
            _ => 4 * rng.gen_range(0..=most / 4),
        };
        let form = *AckForm::ALL.choose(rng).unwrap_or(&AckForm::Sack);
        Self { tagged: rng.gen(), v6: rng.gen(), packet_type, opcode, form, payload: payload.min(most) }
    }

    /// Every tag, IP version, type, opcode and ACK form, with the smallest payload of each.
    pub fn every() -> Vec<Self> {
        let types = PacketType::ALL.iter().filter(|t| **t != PacketType::Data);
        let control = types.map(|t| (*t, Opcode::Write, AckForm::Sack));
        let short = [(PacketType::Ack, Opcode::Write, AckForm::NoSack)];
        let data = Opcode::ALL.iter().map(|o| (PacketType::Data, *o, AckForm::Sack));
        let kinds: Vec<_> = control.chain(short).chain(data).collect();
        let layouts = [(false, false), (false, true), (true, false), (true, true)];
        let shape = |tagged, v6, (packet_type, opcode, form)| {
            let payload = 0;
            Self { tagged, v6, packet_type, opcode, form, payload }
        };
        layouts.iter().flat_map(|(t, v)| kinds.iter().map(|kind| shape(*t, *v, *kind))).collect()
    }

    fn transport(&self, rng: &mut impl RngCore) -> Vec<u8> {
        let payload = match (self.packet_type, self.opcode) {
            (PacketType::Data, Opcode::ReadReq) => 0,
            (PacketType::Data, Opcode::FetchAdd | Opcode::CmpSwap) => 16,
            (PacketType::Data, Opcode::AtomicResp) => 8,
            (PacketType::Data, _) => self.payload,
            _ => 0,
        };
        let opcode = match self.packet_type {
            PacketType::Data => self.opcode.code(),
            PacketType::Ack => self.form.code(),
            _ => 0,
        };
        let mut bytes = vec![0; Packet::header_bytes(self.packet_type, opcode) + payload];
        rng.fill_bytes(&mut bytes);
        (bytes[0], bytes[1]) = (1 << 4 | self.packet_type.code(), opcode);
        if (self.packet_type, self.form) == (PacketType::Ack, AckForm::Sack) && rng.gen_ratio(1, 4) {
            let sack = bytes.len() + AckForm::NoSack.bytes() - Ack::BYTES;
            bytes[sack..].fill(0);
        }
        bytes
    }
}

impl Draft {
    fn good(shape: &Shape, port: u16, rng: &mut impl RngCore) -> Self {
        let transport = shape.transport(rng);
        let mut bytes = vec![0; 12];
        rng.fill_bytes(&mut bytes);
        if shape.tagged {
            bytes.extend([0x81, 0x00, rng.gen(), rng.gen()]);
        }
        let udp_length = (UdpHeader::BYTES + transport.len() + 4) as u16;
        let mut addresses = vec![0; if shape.v6 { 32 } else { 8 }];
        rng.fill_bytes(&mut addresses);
        if shape.v6 {
            bytes.extend([0x86, 0xdd]);
        } else {
            bytes.extend([0x08, 0x00]);
        }
        let ip = bytes.len();
        if shape.v6 {
            bytes.extend([0x60 | rng.gen_range(0..16), rng.gen(), rng.gen(), rng.gen()]);
            bytes.extend(udp_length.to_be_bytes());
            bytes.extend([17, rng.gen()]);
        } else {
            bytes.extend([0x45, rng.gen()]);
            bytes.extend((udp_length + Ipv4Header::BYTES as u16).to_be_bytes());
            bytes.extend([rng.gen(), rng.gen(), 0x40, 0x00, rng.gen(), 17, 0, 0]);
        }
        bytes.extend(addresses);
        bytes.extend(rng.gen::<[u8; 2]>());
        bytes.extend(port.to_be_bytes());
        bytes.extend(udp_length.to_be_bytes());
        bytes.extend(rng.gen::<[u8; 2]>());
        bytes.extend(transport);
        let mut draft = Self { frame: RawFrame { bytes, bad: false }, ip, v6: shape.v6 };
        draft.mend_checksum();
        let word = icrc(draft.v6, &draft.frame.bytes[ip..]);
        draft.frame.bytes.extend(word.to_le_bytes());
        draft
    }

    fn spoil(&mut self, rng: &mut impl RngCore) {
        match rng.gen_range(0..26) {
            0 => self.frame.bad = true,
            1 => self.cut(rng.gen_range(1..self.ip)),
            2 => self.ether_type(rng),
            3 => self.cut(self.ip + rng.gen_range(0..self.ip_header())),
            4 => self.frame.bytes[self.ip] ^= 0x10 << rng.gen_range(0..4),
            5 if !self.v6 => self.frame.bytes[self.ip] ^= 1 << rng.gen_range(0..4),
            6 if !self.v6 => self.frame.bytes[self.ip + rng.gen_range(1..20)] ^= 1 << rng.gen_range(0..8),
            7 if !self.v6 => self.patch(6, 1 << rng.gen_range(0..8)),
            8 => self.patch(if self.v6 { 6 } else { 9 }, 1 << rng.gen_range(0..8)),
            9 => self.patch(if self.v6 { 4 } else { 2 }, rng.gen_range(1..=255)),
            10 => self.patch(if self.v6 { 5 } else { 3 }, 1 << rng.gen_range(0..8)),
            11 => self.frame.bytes.extend((0..rng.gen_range(1..70)).map(|i| i as u8)),
            12 => self.resize(rng.gen_range(0..28), rng),
            13 => self.transport_byte(-6, 1 << rng.gen_range(0..8)),
            14 => self.transport_byte(-3, 1 << rng.gen_range(0..8)),
            15 => self.transport_byte(0, 0x10 << rng.gen_range(0..4)),
            16 => self.transport_byte(0, rng.gen_range(1..16)),
            17 => self.transport_byte(1, rng.gen_range(1..=255)),
            18 | 19 => self.resize(rng.gen_range(28..100), rng),
            20 => self.cut(rng.gen_range(1..=self.frame.bytes.len())),
            21 => {
                self.frame.bytes.truncate(rng.gen_range(1..=self.frame.bytes.len().min(200)));
                rng.fill_bytes(&mut self.frame.bytes);
            }
            22 => self.flip(rng.gen_range(2..40), rng),
            _ => self.flip(1, rng),
        }
    }

    fn ip_header(&self) -> usize {
        if self.v6 {
            Ipv6Header::BYTES
        } else {
            Ipv4Header::BYTES
        }
    }

    fn cut(&mut self, bytes: usize) {
        self.frame.bytes.truncate(bytes.max(1));
    }

    fn ether_type(&mut self, rng: &mut impl RngCore) {
        let other: [u8; 2] =
            *[[0x81, 0x00], [0x08, 0x06], [0x08, 0x01], [0x88, 0xa8]].choose(rng).unwrap_or(&[0, 0]);
        self.frame.bytes[self.ip - 2..self.ip].copy_from_slice(&other);
    }

    fn flip(&mut self, count: usize, rng: &mut impl RngCore) {
        for _ in 0..count {
            let most = self.frame.bytes.len();
            let byte = if rng.gen() { rng.gen_range(0..most) } else { rng.gen_range(0..most.min(90)) };
            self.frame.bytes[byte] ^= 1 << rng.gen_range(0..8);
        }
    }

    /// Changes bits of a byte of the IP header; the checksum stays right.
    fn patch(&mut self, at: usize, bits: u8) {
        self.frame.bytes[self.ip + at] ^= bits;
        self.mend_checksum();
    }

    fn transport_byte(&mut self, at: isize, bits: u8) {
        let start = self.ip + self.ip_header() + UdpHeader::BYTES;
        self.frame.bytes[start.wrapping_add_signed(at)] ^= bits;
    }

    /// Cuts or extends the frame to `bytes` behind its IP header, lengths and checksum with it.
    fn resize(&mut self, bytes: usize, rng: &mut impl RngCore) {
        let udp = self.ip + self.ip_header();
        let fill: u8 = rng.gen();
        self.frame.bytes.resize(udp + bytes, fill);
        let ip_length = if self.v6 { bytes } else { bytes + Ipv4Header::BYTES } as u16;
        let at = self.ip + if self.v6 { 4 } else { 2 };
        self.frame.bytes[at..at + 2].copy_from_slice(&ip_length.to_be_bytes());
        if bytes >= 6 {
            self.frame.bytes[udp + 4..udp + 6].copy_from_slice(&(bytes as u16).to_be_bytes());
        }
        self.mend_checksum();
    }

    fn mend_checksum(&mut self) {
        if !self.v6 {
            if let Some(header) = self.frame.bytes.get_mut(self.ip..self.ip + Ipv4Header::BYTES) {
                let raw: [u8; Ipv4Header::BYTES] = std::array::from_fn(|i| header[i]);
                header[10..12].copy_from_slice(&ipv4_checksum(&raw).to_be_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_wire::{DropReason, Frame, ParseConfig};
    use rand::SeedableRng;
    use std::collections::BTreeSet;

    #[test]
    fn good_frames_are_good_and_spoiled_ones_meet_every_reason_that_bytes_can_show() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let parse =
            |frame: &RawFrame| Frame::parse(&frame.bytes, ParseConfig { port: 7 }).map_err(|e| e.reason);
        let mut reasons = BTreeSet::new();
        for _ in 0..4_000 {
            let shape = Shape::random(&mut rng, 256);
            let frame = RawFrame::good(&shape, 7, &mut rng);
            assert!(parse(&frame).is_ok(), "{frame:02x?}");
            reasons.extend(parse(&RawFrame::spoiled(&shape, 7, &mut rng)).err());
        }
        let visible = DropReason::ALL.iter().filter(|r| (2..20).contains(&r.code())).copied();
        let missing: Vec<_> = visible.filter(|r| !reasons.contains(r)).collect();
        assert_eq!(missing, []);
    }
}
