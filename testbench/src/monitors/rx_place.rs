//! The placer's monitor: requests and payload in, AXI writes and a report per packet out; what memory was
//! told is put together and looked at byte for byte.

mod ports;

pub use ports::{Address, Ports, Write};

use crate::lockstep::{Channel, Check, Input, Monitor, Output};
use crate::placed::Placed;
use crate::rows::Place;
use heddle_model::rx::place::{bursts, Beat, BOUNDARY};
use std::collections::VecDeque;

/// Bursts in flight at most. Source: docs/core.md.
const IN_FLIGHT: u32 = 8;

/// A request under way.
#[derive(Debug)]
struct Packet {
    place: Place,
    payload: Vec<u8>,
    /// Beats that the payload is not there for yet, with "last of its burst".
    beats: VecDeque<(Beat, bool)>,
    unanswered: usize,
    ok: bool,
    /// What memory was told: (address, byte) in the order of the beats.
    landed: Vec<(u64, u8)>,
    unwritten: usize,
}

/// The model's side.
#[derive(Debug)]
pub struct PlaceMonitor {
    lanes: usize,
    packets: VecDeque<Packet>,
    /// Seen by memory and not yet joined.
    addresses: VecDeque<Address>,
    writes: VecDeque<Write>,
    beat: u64,
    in_flight: u32,
    w: Input<Place>,
    d: Input<Vec<u8>>,
    response: Input<u8>,
    address: Output<Address>,
    write: Output<Write>,
    b: Output<Placed>,
}

impl PlaceMonitor {
    /// A monitor of a placer with beats of `lanes` bytes.
    pub fn new(lanes: usize) -> Self {
        Self {
            lanes,
            packets: VecDeque::new(),
            addresses: VecDeque::new(),
            writes: VecDeque::new(),
            beat: 0,
            in_flight: 0,
            w: Input::request("w"),
            d: Input::side("d"),
            response: Input::side("response"),
            address: Output::side("address"),
            write: Output::side("write"),
            b: Output::answer("b"),
        }
    }

    fn request(&mut self, place: Place, check: &mut Check) {
        let plan = bursts(place.address, place.len, self.lanes);
        for burst in &plan {
            let (beats, size) = (burst.beats.len() as u16, self.lanes.ilog2() as u8);
            self.address.expect(Address { address: burst.address, beats, id: 0, size, burst: 1 }, check);
        }
        check.cover(match (plan.len(), place.address % self.lanes as u64) {
            (0, _) => "empty",
            (1, 0) => "one burst, aligned",
            (1, _) => "one burst, unaligned",
            _ => "several bursts",
        });
        let unanswered = plan.len();
        let beats: VecDeque<_> = plan
            .into_iter()
            .flat_map(|burst| {
                let last = burst.beats.len() - 1;
                burst.beats.into_iter().enumerate().map(move |(n, beat)| (beat, n == last))
            })
            .collect();
        let (payload, landed, unwritten) = (Vec::new(), Vec::new(), beats.len());
        let taken = usize::from(place.len).div_ceil(self.lanes);
        if beats.len() > taken {
            check.cover("a beat more than the payload");
        }
        self.packets.push_back(Packet { place, payload, beats, unanswered, ok: true, landed, unwritten });
    }

    fn payload(&mut self, beat: &[u8], check: &mut Check) {
        let packet = self.packets.iter_mut().find(|p| p.payload.len() < p.place.len.into());
        let Some(packet) = packet else {
            return check.mismatch("d", "a payload beat is taken without a request");
        };
        packet.payload.extend_from_slice(beat);
        while packet.beats.front().is_some_and(|(beat, _)| beat.bytes.end <= packet.payload.len()) {
            let (beat, last) = packet.beats.pop_front().expect("just seen");
            let (data, strobe) = (beat.data(&packet.payload, self.lanes), beat.strobe);
            self.write.expect(Write { data, strobe, last }, check);
        }
    }

    /// Memory joins addresses and beats, whichever comes first.
    fn store(&mut self, check: &mut Check) {
        while let (Some(burst), Some(write)) = (self.addresses.front(), self.writes.front()) {
            let at = burst.address.wrapping_add(self.beat * self.lanes as u64);
            if at / BOUNDARY != burst.address / BOUNDARY {
                check.mismatch("address", format!("a burst goes on over 4 KiB to {at:#x}"));
            }
            let Some(packet) = self.packets.iter_mut().find(|p| p.unwritten > 0) else {
                return check.mismatch("write", "a beat of no packet");
            };
            let lanes = (0..self.lanes).filter(|lane| write.strobe >> lane & 1 == 1);
            packet.landed.extend(lanes.map(|lane| (at.wrapping_add(lane as u64), write.data[lane])));
            packet.unwritten -= 1;
            self.beat += 1;
            if write.last != (self.beat == u64::from(burst.beats)) {
                check.mismatch("write", format!("last is {} in beat {}", write.last, self.beat));
            }
            if write.last {
                self.beat = 0;
                self.addresses.pop_front();
            }
            self.writes.pop_front();
        }
    }

    fn answer(&mut self, response: u8, check: &mut Check) {
        let Some(packet) = self.packets.iter_mut().find(|p| p.unanswered > 0) else {
            return check.mismatch("response", "a response to no burst");
        };
        packet.unanswered -= 1;
        packet.ok &= response < 2;
        self.in_flight -= 1;
    }

    /// The oldest packets that are wholly answered: each byte is where it belongs, and nothing else was
    /// written.
    fn finish(&mut self, check: &mut Check) {
        while let Some(packet) = self.packets.front().filter(|p| p.unanswered == 0) {
            let Place { address, len, .. } = packet.place;
            let want = (0..u64::from(len)).map(|n| address.wrapping_add(n));
            if !packet.landed.iter().copied().eq(want.zip(packet.payload.iter().copied())) {
                check.mismatch("memory", format!("{len} bytes at {address:#x} are not what memory was told"));
            }
            check.cover(if packet.ok { "placed" } else { "memory error" });
            self.b.expect(Placed::of(&packet.place, packet.ok), check);
            self.packets.pop_front();
        }
    }
}

impl Monitor for PlaceMonitor {
    const NAME: &'static str = "rx_place";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(place) = self.w.take(&ports.w, check) {
            self.request(place, check);
        }
        if let Some(beat) = self.d.take(&ports.d, check) {
            self.payload(&beat, check);
        }
        self.address.compare(&ports.address, check);
        self.write.compare(&ports.write, check);
        if let Some(address) = ports.address.crossing() {
            self.in_flight += 1;
            self.addresses.push_back(address.clone());
            check.cover(if self.in_flight == IN_FLIGHT {
                "eight bursts in flight"
            } else {
                "fewer in flight"
            });
            if self.in_flight > IN_FLIGHT {
                check.mismatch("address", format!("{} bursts in flight", self.in_flight));
            }
        }
        if let Some(write) = ports.write.crossing() {
            if self.addresses.is_empty() {
                check.cover("data before address");
            }
            self.writes.push_back(write.clone());
        }
        self.store(check);
        if let Some(response) = self.response.take(&ports.response, check) {
            self.answer(response, check);
        }
        self.finish(check);
        self.b.compare(&ports.b, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.w, &self.d, &self.response, &self.address, &self.write, &self.b]
    }

    fn reset(&mut self) {
        self.packets.clear();
        self.addresses.clear();
        self.writes.clear();
        (self.beat, self.in_flight) = (0, 0);
        self.w.reset();
        self.d.reset();
        self.response.reset();
        self.address.reset();
        self.write.reset();
        self.b.reset();
    }
}
