//! Traffic of nobody's transport: packets that load the fabric, answered by nobody.

use super::topology::Topology;
use crate::packet::{Class, Host, Packet};
use crate::seed;
use crate::time::{Ps, Rate};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// When packets come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As far from each other as can be, from a moment drawn on.
    Constant,
    /// At times that know nothing of each other: a Poisson process.
    Poisson,
}

/// One source: a port of a host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stream {
    /// Host.
    pub src: Host,
    /// Plane of its port.
    pub plane: u8,
    /// Where all its packets go; a host drawn for each of them if nothing is said.
    pub dst: Option<Host>,
    /// Bits per second on the wire, in the mean.
    pub rate: Rate,
    /// Bytes of a packet on the wire.
    pub bytes: u32,
    /// When they come.
    pub pace: Pace,
}

/// All sources.
#[derive(Clone, Debug, Default)]
pub struct Background {
    hosts: u32,
    streams: Vec<(Stream, ChaCha8Rng)>,
}

impl Background {
    /// Of a fabric with 2 hosts or more.
    pub fn new(topology: &Topology, streams: &[Stream], seed: u64) -> Self {
        let with_rng = |(stream, number)| (stream, seed::stream(seed, "background", number));
        Self { hosts: topology.hosts, streams: streams.iter().copied().zip(0..).map(with_rng).collect() }
    }

    /// Sources.
    pub fn len(&self) -> u32 {
        self.streams.len() as u32
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.streams.is_empty()
    }

    /// When a source's first packet comes.
    pub fn first(&mut self, number: u32) -> Ps {
        let (stream, rng) = &mut self.streams[number as usize];
        match stream.pace {
            Pace::Constant => Ps(rng.gen_range(0..=stream.gap().0)),
            Pace::Poisson => stream.drawn(rng),
        }
    }

    /// A source's packet, and how long after it the next comes.
    pub fn next(&mut self, number: u32) -> (Packet<()>, Ps) {
        let (stream, rng) = &mut self.streams[number as usize];
        let &mut Stream { src, plane, bytes, .. } = stream;
        // A host that is not itself.
        let other = |rng: &mut ChaCha8Rng| (src + rng.gen_range(1..self.hosts)) % self.hosts;
        let dst = stream.dst.unwrap_or_else(|| other(rng));
        let src_port = 0xc000 | rng.gen_range(0..0x4000);
        let packet =
            Packet { src, dst, plane, src_port, class: Class::Data, ect: false, ce: false, bytes, body: () };
        let gap = match stream.pace {
            Pace::Constant => stream.gap(),
            Pace::Poisson => stream.drawn(rng),
        };
        (packet, gap)
    }
}

impl Stream {
    fn gap(&self) -> Ps {
        self.rate.time_of(self.bytes.into())
    }

    /// Exponential, with this mean.
    fn drawn(&self, rng: &mut ChaCha8Rng) -> Ps {
        Ps((-(1.0 - rng.gen::<f64>()).ln() * self.gap().0 as f64) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fabric::topology::{Cable, Single};

    fn background(dst: Option<Host>, pace: Pace) -> Background {
        let rate = Rate::new(100_000_000_000).unwrap();
        let topology = Single { hosts: 5, planes: 1, edge: Cable { rate, delay: Ps(1) } }.build().unwrap();
        let rate = Rate::new(10_000_000_000).unwrap();
        Background::new(&topology, &[Stream { src: 2, plane: 0, dst, rate, bytes: 1_000, pace }], 9)
    }

    /// 10 Gb/s: a packet of 1,000 bytes every 800 ns.
    const MEAN: f64 = 800_000.0;

    #[test]
    fn gaps_are_all_alike_or_exponential_with_the_mean_of_the_rate() {
        let gaps = |pace| -> Vec<_> {
            let mut background = background(None, pace);
            (0..50_000).map(|_| background.next(0).1 .0 as f64).collect()
        };
        assert!(gaps(Pace::Constant).iter().all(|gap| *gap == MEAN));
        let gaps = gaps(Pace::Poisson);
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        // The deviation of an exponential is its mean.
        assert!((mean - MEAN).abs() < 5.0 * MEAN / (gaps.len() as f64).sqrt(), "{mean}");
        let longer = gaps.iter().filter(|gap| **gap > MEAN).count() as f64 / gaps.len() as f64;
        assert!((longer - (-1f64).exp()).abs() < 0.011, "{longer}");
        assert!(background(None, Pace::Constant).first(0) <= Ps(800_000));
    }

    #[test]
    fn packets_go_to_every_other_host_or_to_the_one_that_is_named() {
        let counts = |dst| {
            let mut background = background(dst, Pace::Poisson);
            let mut counts = [0u32; 5];
            (0..8_000).for_each(|_| counts[background.next(0).0.dst as usize] += 1);
            counts
        };
        // 2,000 each; deviation sqrt(8,000 * 3) / 4 = 39.
        let [a, b, itself, c, d] = counts(None);
        assert_eq!(itself, 0);
        assert!([a, b, c, d].iter().all(|count| count.abs_diff(2_000) < 5 * 39));
        assert_eq!(counts(Some(4)), [0, 0, 0, 0, 8_000]);
    }
}
