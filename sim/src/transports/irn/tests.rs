//! Sender and receiver back to back, over the end of the PSN ring, on a way that keeps no order.

use super::body::{Ack, Data, End};
use super::receiver::{Receiver, Taken};
use super::sender::{Sender, Work};
use super::settings::{Config, IrnSettings};
use crate::time::{Ps, Rate};
use crate::transports::Port;
use heddle_wire::Psn;
use rand::Rng;

fn config(published: bool) -> Config {
    let port = Port { planes: 1, rate: Rate::new(100_000_000_000).unwrap(), rtt: Ps::from_us(5) };
    let settings =
        IrnSettings { mtu: 256, published, window: Some(40), retries: 255, ..IrnSettings::default() };
    Config::new(&port, &settings, 1).unwrap()
}

#[test]
fn works_end_in_order_and_once_over_the_end_of_the_ring_whatever_is_lost_and_in_whatever_order() {
    for seed in 0..80 {
        let config = config(seed % 2 == 1);
        let mut rng = crate::seed::stream(seed, "selective repeat", 0);
        let first = Psn::new(Psn::MASK - rng.gen_range(0..500));
        let (mut sender, mut receiver) = (Sender::new(first), Receiver::new(first));
        let works: Vec<Work> =
            (0..150).map(|id| Work { bytes: rng.gen_range(1..4_000), end: End::Write(id, 1) }).collect();
        works.iter().for_each(|work| sender.post(*work, &config));
        let mut there: Vec<(Psn, u64, Data)> = Vec::new();
        let mut back: Vec<(Psn, u64, Ack)> = Vec::new();
        let (mut done, mut ended, mut bytes, mut idle, mut resent) = (Vec::new(), Vec::new(), 0, 0, 0);
        let lossy = f64::from(seed as u32 % 4) * 0.1;
        while done.len() < works.len() {
            idle += 1;
            if sender.can_send(&config) && rng.gen_bool(0.6) {
                let request = sender.send(&config).unwrap();
                resent += u32::from(request.again);
                if !rng.gen_bool(lossy) {
                    there.push((request.psn, request.number, request.data));
                }
                idle = 0;
            }
            if !there.is_empty() && rng.gen_bool(0.5) {
                let (psn, number, data) = there.swap_remove(rng.gen_range(0..there.len().min(20)));
                match receiver.on_data(psn, number, data.end, &config, |end| ended.push(end)) {
                    Taken::Accepted => bytes += data.bytes,
                    Taken::Duplicate => {}
                    Taken::Refused => panic!("seed {seed}: {psn} is beyond the bitmap"),
                }
            }
            back.extend(receiver.take_answer().filter(|_| !rng.gen_bool(lossy)));
            if !back.is_empty() && rng.gen_bool(0.5) {
                let (psn, number, ack) = back.swap_remove(rng.gen_range(0..back.len().min(20)));
                sender.on_ack(psn, number, &ack, &config, |end| done.push(end));
            }
            if idle > 100 && there.is_empty() && back.is_empty() {
                assert!(sender.is_waiting(), "seed {seed}: nothing to wait for, {} done", done.len());
                assert!(sender.on_expiry(&config));
                idle = 0;
            }
        }
        let ends: Vec<End> = works.iter().map(|work| work.end).collect();
        assert_eq!((done, ended), (ends.clone(), ends), "seed {seed}");
        assert_eq!(bytes, works.iter().map(|work| work.bytes).sum::<u32>(), "seed {seed}");
        assert!(bytes.div_ceil(256) > 500, "it went over the end of the ring");
        assert!(!sender.is_waiting() && !sender.can_send(&config) && (lossy == 0.0 || resent > 0));
    }
}

/// Reordering distance 3. Transmissions 1 to 6, of which 2 is lost: with 4 come nothing is lost yet, with 5
/// (3 later) it is. Its resend is transmission 8: lost when 11 has come, which IRN as published does not see.
#[test]
fn a_packet_is_lost_when_one_sent_so_much_later_has_come() {
    let port = Port { planes: 1, rate: Rate::new(100_000_000_000).unwrap(), rtt: Ps::from_us(5) };
    for published in [false, true] {
        let settings =
            IrnSettings { reorder: Some(3), window: Some(40), published, ..IrnSettings::default() };
        let config = Config::new(&port, &settings, 1).unwrap();
        let first = Psn::new(640);
        let mut sender = Sender::new(first);
        sender.post(Work { bytes: 4_096 * 20, end: End::Write(0, 1) }, &config);
        let mut come = 0u64;
        let send = |sender: &mut Sender| sender.send(&config).map(|r| (r.psn.get() - 640, r.number, r.again));
        let mut ack = |sender: &mut Sender, at: u32, number: u64| {
            come |= 1 << at;
            let ack = Ack { cum: first.plus(come.trailing_ones()), word: come };
            sender.on_ack(first.plus(at), number, &ack, &config, |_| ());
        };
        (0..6).for_each(|at| assert_eq!(send(&mut sender), Some((at, u64::from(at) + 1, false))));
        [0, 2, 3].into_iter().for_each(|at| ack(&mut sender, at, u64::from(at) + 1));
        assert_eq!(send(&mut sender), Some((6, 7, false)), "4 is 2 later");
        ack(&mut sender, 4, 5);
        assert_eq!(send(&mut sender), Some((1, 8, true)), "5 is 3 later");
        (7..10).for_each(|at| assert_eq!(send(&mut sender), Some((at, u64::from(at) + 2, false))));
        [7, 8].into_iter().for_each(|at| ack(&mut sender, at, u64::from(at) + 2));
        // 6 and 7, at 5 and 6, are 3 and more before 10; the resend, 8, is 2 before.
        assert_eq!(send(&mut sender), Some((5, 12, true)));
        assert_eq!(send(&mut sender), Some((6, 13, true)));
        assert_eq!(send(&mut sender), Some((10, 14, false)));
        ack(&mut sender, 9, 11);
        let next = send(&mut sender);
        assert_eq!(next, Some(if published { (11, 15, false) } else { (1, 15, true) }));
    }
}
