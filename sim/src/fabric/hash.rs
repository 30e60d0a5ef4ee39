//! ECMP: which of the equal-cost links a flow takes at a switch.
//!
//! The five-tuple as it stands in the headers goes through CRC-32, the hash of switch chips. CRC is linear:
//! switches that differ only in its initial value would all make the same choice up to a constant, and flows
//! that met once would meet on every tier (polarisation). So each switch mixes the CRC with its own seed in a
//! step that is not linear.

use crate::packet::Host;
use crate::seed;
use crc::{Crc, Table, CRC_32_ISO_HDLC};
use rand::RngCore;

/// UDP. Source: IANA protocol numbers.
const PROTOCOL: u8 = 17;

/// UDP destination port of RoCEv2. Source: IANA.
pub const ROCE_PORT: u16 = 4_791;

const CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);

/// IPv4 address of a host, 10.x.y.z: network byte order.
pub const fn address(host: Host) -> [u8; 4] {
    let [_, x, y, z] = host.to_be_bytes();
    [10, x, y, z]
}

/// What all switches have in common of a flow: the CRC of its five-tuple.
pub fn flow(src: Host, dst: Host, src_port: u16, dst_port: u16) -> u32 {
    let mut tuple = [0; 13];
    tuple[..4].copy_from_slice(&address(src));
    tuple[4..8].copy_from_slice(&address(dst));
    tuple[8] = PROTOCOL;
    tuple[9..11].copy_from_slice(&src_port.to_be_bytes());
    tuple[11..].copy_from_slice(&dst_port.to_be_bytes());
    CRC.checksum(&tuple)
}

/// The hash of a [`flow`] at a switch with this seed. The mixing steps are the finalizer of MurmurHash3
/// (Appleby, public domain).
pub const fn at_switch(seed: u32, flow: u32) -> u32 {
    let mut h = flow ^ seed;
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

/// The hash of a flow at a switch with this seed: [`flow`] and [`at_switch`].
pub fn ecmp(seed: u32, src: Host, dst: Host, src_port: u16, dst_port: u16) -> u32 {
    at_switch(seed, flow(src, dst, src_port, dst_port))
}

/// Which of `count` (1 or more) candidates a hash takes.
pub const fn choose(hash: u32, count: usize) -> usize {
    ((hash as u64 * count as u64) >> 32) as usize
}

/// The seed of a switch in a run, after so many rehashes.
pub fn switch_seed(seed: u64, switch: u32, rehashes: u32) -> u32 {
    seed::stream(seed, "ecmp", u64::from(rehashes) << 32 | u64::from(switch)).next_u32()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flow_is_the_crc_of_the_packed_five_tuple() {
        // 10.0.0.1 to 10.0.1.2, UDP, 49152 to 4791, by Python:
        // zlib.crc32(bytes.fromhex("0a0000010a00010211c00012b7")).
        assert_eq!(flow(1, 0x102, 0xc000, ROCE_PORT), 0xa244_6d73);
        assert_eq!(address(0x01_02_03), [10, 1, 2, 3]);
    }

    /// Sum over bins of (count - expected)^2 / expected.
    fn chi_square(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
    }

    /// Chi-square has mean `freedom` and variance twice that; five of its deviations on either side.
    fn is_plausible(chi: f64, freedom: usize) -> bool {
        (chi - freedom as f64).abs() < 5.0 * (2.0 * freedom as f64).sqrt()
    }

    #[test]
    fn flows_spread_as_the_binomial_says_neither_worse_nor_better() {
        // Structured inputs, as they are: neighbouring hosts, ports counted up. 64 flows at each of many
        // switches.
        for bins in [2, 3, 4, 7, 8, 16, 32] {
            let (mut chi, trials) = (0.0, 1_000);
            for switch in 0..trials {
                let seed = switch_seed(1, switch, 0);
                let mut counts = vec![0; bins];
                for f in 0..64 {
                    let (src, dst, port) = (f % 8, 100 + f / 8 % 4, 0xc000 + (f / 32) as u16);
                    counts[choose(ecmp(seed, src, dst, port, ROCE_PORT), bins)] += 1;
                }
                chi += chi_square(&counts);
            }
            let freedom = (bins - 1) * trials as usize;
            assert!(is_plausible(chi, freedom), "{bins} bins: chi-square {chi}, freedom {freedom}");
        }
    }

    #[test]
    fn many_flows_of_one_pair_of_hosts_load_every_link_alike() {
        for bins in [4, 5, 8, 16] {
            let mut counts = vec![0; bins];
            for port in 0..50_000 {
                counts[choose(ecmp(9, 3, 77, port, ROCE_PORT), bins)] += 1;
            }
            let mean = 50_000.0 / bins as f64;
            let deviation = (mean * (1.0 - 1.0 / bins as f64)).sqrt();
            for count in counts {
                assert!((f64::from(count) - mean).abs() < 5.0 * deviation, "{count} of {mean} at {bins}");
            }
        }
    }

    #[test]
    fn what_two_switches_choose_is_independent() {
        // Of the flows that chose one link at the first switch, all links of the second get their share: no
        // polarisation.
        for (first, second) in (0..50).map(|s| (switch_seed(7, s, 0), switch_seed(7, s + 50, 0))) {
            let mut counts = [0; 64];
            for f in 0..20_000 {
                let flow = flow(f % 128, f / 128, 0xc000, ROCE_PORT);
                counts[choose(at_switch(first, flow), 8) * 8 + choose(at_switch(second, flow), 8)] += 1;
            }
            let chi = chi_square(&counts);
            assert!(is_plausible(chi, 63), "seeds {first:#x} {second:#x}: chi-square {chi}");
        }
    }

    #[test]
    fn a_rehash_moves_flows_and_the_same_seed_does_not() {
        let choices = |rehashes| -> Vec<_> {
            let seed = switch_seed(3, 4, rehashes);
            (0..4_000).map(|f| choose(ecmp(seed, f, f + 1, 0xc000, ROCE_PORT), 4)).collect()
        };
        let moved = choices(0).iter().zip(choices(1)).filter(|(a, b)| *a != b).count();
        // 3 in 4, +- 5 deviations of the binomial.
        assert!((2_863..=3_137).contains(&moved), "{moved} moved");
        assert_eq!(choices(0), choices(0));
    }
}
