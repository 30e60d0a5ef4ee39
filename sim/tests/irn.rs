//! IRN in a small world: everything is delivered, little is sent in vain, and what that costs is known.

mod pipe;

use heddle_sim::endpoint::{Endpoint, News, Post, Verb};
use heddle_sim::time::{Ps, Rate};
use heddle_sim::transports::dcqcn::DcqcnSettings;
use heddle_sim::transports::irn::{Irn, IrnSettings};
use heddle_sim::transports::Port;
use pipe::messages::MESSAGES;
use pipe::{Pipe, Weather};

const RATE: u64 = 100_000_000_000;

fn hosts(count: u32, planes: u8, settings: &IrnSettings) -> Vec<Irn> {
    let port = Port { planes, rate: Rate::new(RATE).unwrap(), rtt: Ps::from_us(6) };
    (0..count).map(|host| Irn::new(host, &port, settings, 11).unwrap()).collect()
}

fn write(id: u32, peer: u32, bytes: u32) -> Post {
    Post { id, peer, connection: 0, verb: Verb::Write, bytes }
}

#[test]
fn every_message_is_delivered_and_completed_once_at_any_loss() {
    let mut checked = 0;
    for (case, loss) in [0.0, 0.01, 0.1, 0.3].into_iter().enumerate() {
        for (qps, ports, planes, published) in [(1, 64, 4, false), (4, 16, 2, true), (2, 1, 2, false)] {
            let seed = case as u64 * 10 + u64::from(qps);
            let chunk_bytes = (qps == 4).then_some(8_192);
            let dcqcn = (qps == 2).then(DcqcnSettings::default);
            let settings = IrnSettings {
                qps,
                ports,
                published,
                chunk_bytes,
                dcqcn,
                retries: 255,
                ..IrnSettings::default()
            };
            let weather = Weather { loss: [loss; 2], skew: Ps::from_us(10), ..Weather::fair(seed) };
            let mut pipe = Pipe::new(hosts(3, planes, &settings), planes, weather);
            let about = format!("loss {loss}, {qps} QPs");
            checked += pipe.random_messages(seed, Ps::from_us(1_000_000), &about);
        }
    }
    assert_eq!(checked, 4 * 3 * MESSAGES * 2);
}

/// Share of the line that is message bytes of one long transfer, what was sent in vain of all that was sent
/// again, and timer expiries per thousand packets.
fn transfer(settings: &IrnSettings, weather: Weather, packets: u64) -> [f64; 3] {
    let mut pipe = Pipe::new(hosts(2, 1, settings), 1, weather);
    let bytes = packets * 4_096;
    pipe.post(0, &write(0, 1, bytes as u32));
    pipe.run(Ps::from_us(10_000_000));
    let told = || pipe.told.iter().find(|told| told.2 == News::Delivered(0));
    let delivered = told().unwrap_or_else(|| panic!("not delivered: {:?}", pipe.hosts[0].counters()));
    let (ours, theirs) = (pipe.hosts[0].counters(), pipe.hosts[1].counters());
    let header = if settings.published { 98.0 } else { 102.0 };
    let line = packets as f64 * (4_096.0 + header) * 8e12 / RATE as f64;
    let vain = theirs.duplicates as f64 / ours.data_sent as f64;
    [line / delivered.0 .0 as f64, vain, ours.expiries as f64 * 1e3 / packets as f64]
}

/// Selective repeat on a path that keeps its order sends a packet 1 / (1 - p) times: goodput is 1 - p of what
/// it is without loss, if no window and no timer holds it up.
#[test]
fn on_one_path_goodput_is_what_is_not_lost() {
    let settings = IrnSettings { ports: 1, ..IrnSettings::default() };
    let clean = transfer(&settings, Weather::fair(1), 50_000)[0];
    for (p, packets) in [(0.001, 100_000), (0.01, 100_000), (0.1, 100_000), (0.3, 50_000)] {
        let weather = Weather { loss: [p, 0.0], ..Weather::fair(2) };
        let [goodput, vain, expiries] = transfer(&settings, weather, packets);
        println!(
            "p {p}: {goodput:.4} of line rate, {:.4} of 1 - p; in vain {vain:.5}",
            goodput / clean / (1.0 - p)
        );
        assert!(goodput > 0.96 * clean * (1.0 - p), "p {p}: {goodput}");
        // The end of the message has no later packets to show that it is lost.
        assert!(expiries < 0.1, "p {p}: {expiries} expiries in 1000 packets");
        assert_eq!(vain, 0.0, "evidence on one path never errs");
    }
}

/// As published: the window spans PSNs and a lost resend waits for the timer, 320 us.
#[test]
fn as_published_a_lost_resend_waits_for_the_timer() {
    let settings = IrnSettings { ports: 1, published: true, ..IrnSettings::default() };
    for (p, least, most) in [(0.0, 0.99, 1.0), (0.01, 0.5, 0.9), (0.1, 0.03, 0.25)] {
        let weather = Weather { loss: [p, 0.0], ..Weather::fair(3) };
        let [goodput, vain, expiries] = transfer(&settings, weather, 50_000);
        println!(
            "published, p {p}: {goodput:.4} of line rate, in vain {vain:.5}, expiries {expiries:.3} per 1000"
        );
        assert!((least..=most).contains(&goodput), "p {p}: {goodput}");
    }
}

/// What counts is message bytes for what went over the line: goodput over 1 + what was sent in vain. Each
/// distance is compared, weather by weather, with the best one there; the default, a window, has the best
/// worst comparison, or as good as. The window is 36 packets, 12 us; ways differ by up to 10 us each.
#[test]
fn the_reordering_distance_is_the_best_of_those_measured() {
    let distances = [1, 4, 9, 18, 36, 72, 144];
    let mut worst = [1.0f64; 7];
    for skew in [0, 1, 3, 9] {
        for p in [0.0, 0.01, 0.1] {
            let values = distances.map(|reorder| {
                let settings = IrnSettings { reorder: Some(reorder), ..IrnSettings::default() };
                let weather = Weather { loss: [p; 2], skew: Ps::from_us(skew), ..Weather::fair(4) };
                let [goodput, vain, _] = transfer(&settings, weather, 20_000);
                goodput / (1.0 + vain)
            });
            println!("ways differ by {skew} us, loss {p}: {values:.3?}");
            let best = values.into_iter().fold(0.0, f64::max);
            for (worst, value) in worst.iter_mut().zip(values) {
                *worst = worst.min(value / best);
            }
        }
    }
    println!("worst of its values to the best ones, by distance: {worst:.3?}");
    let best = worst.into_iter().fold(0.0, f64::max);
    assert!(worst[4] > 0.99 * best, "{worst:?}");
}

#[test]
fn carrier_lost_is_not_sprayed_over_and_a_plane_dead_elsewhere_costs_its_share() {
    for carrier in [true, false] {
        let mut pipe = Pipe::new(hosts(2, 4, &IrnSettings::default()), 4, Weather::fair(5));
        pipe.post(0, &write(0, 1, 100_000_000));
        pipe.run(Ps::from_us(200));
        pipe.weather.dead = 0b10;
        if carrier {
            (0..2).for_each(|host| pipe.set_plane(host, 1, false));
        }
        let before = pipe.lost;
        pipe.run(Ps::from_us(100_000));
        let at = pipe.told.iter().find(|told| told.2 == News::Delivered(0)).expect("delivered").0;
        println!("carrier {carrier}: {} us, lost {}", at.0 / 1_000_000, pipe.lost - before);
        assert_eq!(pipe.told.len(), 2);
        match carrier {
            // What was on its way: nothing is sent there any more.
            true => assert!(pipe.lost - before < 5),
            false => assert!(pipe.lost - before > 1_000),
        }
    }
}
