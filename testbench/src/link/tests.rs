use super::*;
use std::net::Ipv4Addr;

fn rates(set: impl Fn(&mut Rates)) -> Rates {
    let mut rates = Rates::default();
    set(&mut rates);
    rates
}

fn half() -> Probability {
    Probability::new("half", 0.5).unwrap()
}

fn config(delays: &[u64], rates: Rates) -> LinkConfig {
    LinkConfig::new(delays.to_vec(), rates, None, 125_000_000).unwrap()
}

/// An IPv4 frame with `n` as its UDP payload.
fn frame(n: u64) -> Vec<u8> {
    let mut frame = vec![0; 12];
    frame.extend([8, 0, 0x45, 0, 0, 36, 0, 0, 0x40, 0, 64, 17, 0, 0]);
    frame.extend(Ipv4Addr::new(10, 0, 0, 1).octets());
    frame.extend(Ipv4Addr::new(10, 0, 0, 2).octets());
    frame.extend([0; 8]);
    frame.extend(n.to_be_bytes());
    frame
}

/// Sends a frame every 10 cycles, on two planes by turns; everything that was sent, and everything that came.
fn arrivals(config: LinkConfig, count: u64, kind: PacketType) -> (Vec<Sent>, Vec<Arrival>) {
    let mut link = Link::seeded(config, 7);
    let sent = (0..count).map(|n| link.send(n * 10, (n % 2) as u8, frame(n), kind).unwrap()).collect();
    let arrived: Vec<_> = std::iter::from_fn(|| link.receive(u64::MAX)).collect();
    assert_eq!((link.in_flight(), link.sent()), (0, count));
    (sent, arrived)
}

#[test]
fn without_rates_every_frame_arrives_once_in_order_after_its_planes_delay() {
    let (sent, arrived) = arrivals(config(&[100, 100], Rates::default()), 200, PacketType::Data);
    assert!(sent.iter().all(|s| s.fate == Fate::default()));
    assert_eq!(arrived.len(), 200);
    for (n, arrival) in arrived.iter().enumerate() {
        let n = n as u64;
        assert_eq!((arrival.at, arrival.number, arrival.plane), (n * 10 + 100, n, (n % 2) as u8));
        assert_eq!(sent[n as usize].arrives_at, arrival.at);
        assert_eq!(arrival.frame, frame(n));
    }
}

#[test]
fn a_frame_is_not_received_before_it_arrives_and_each_plane_has_its_delay() {
    let mut link = Link::seeded(config(&[100, 7], Rates::default()), 1);
    link.send(5, 0, frame(1), PacketType::Data);
    link.send(6, 1, frame(2), PacketType::Data);
    assert_eq!((link.receive(12), link.next_arrival()), (None, Some(13)));
    assert_eq!(link.receive(13).map(|a| a.frame), Some(frame(2)));
    assert_eq!(link.receive(104), None);
    assert_eq!(link.receive(105).map(|a| a.frame), Some(frame(1)));
    assert!(link.send(200, 2, frame(3), PacketType::Data).is_none(), "there is no plane 2");
}

#[test]
fn a_planes_speed_spaces_its_frames_and_leaves_the_other_planes_alone() {
    // 50 + 24 bytes at 1 Gbit/s are 592 ns, 74 cycles of 8 ns.
    let gigabit = LinkConfig::new(vec![100; 2], Rates::default(), Some(1_000_000_000), 125_000_000).unwrap();
    let mut link = Link::seeded(gigabit, 1);
    let at: Vec<_> = [(0, 0), (1, 0), (2, 1), (3, 0), (1000, 0)]
        .map(|(now, plane)| link.send(now, plane, frame(0), PacketType::Data).unwrap().arrives_at)
        .to_vec();
    assert_eq!(at, [174, 248, 176, 322, 1174]);
}

#[test]
fn a_speed_that_is_no_whole_number_of_cycles_does_not_drift() {
    let odd = LinkConfig::new(vec![0], Rates::default(), Some(3_333_333_333), 125_000_000).unwrap();
    let mut link = Link::seeded(odd, 1);
    let last = (0..10_000).map(|n| link.send(0, 0, frame(n), PacketType::Data).unwrap().arrives_at).last();
    let bits = 10_000 * 8 * (50 + ETHERNET_OVERHEAD);
    assert_eq!(last, Some((u128::from(bits) * 125_000_000).div_ceil(3_333_333_333) as u64));
}

#[test]
fn data_and_ack_loss_are_separate_and_what_is_not_lost_arrives() {
    let config = |set: fn(&mut Rates)| config(&[9, 9], rates(set));
    let lost = |sent: &[Sent]| sent.iter().filter(|s| s.fate.lost.is_some()).count();
    let (sent, arrived) = arrivals(config(|r| r.loss = half()), 1000, PacketType::Data);
    assert!((400..600).contains(&lost(&sent)) && arrived.len() + lost(&sent) == 1000);
    for kind in [PacketType::Ack, PacketType::Nak] {
        let (sent, _) = arrivals(config(|r| r.loss = half()), 1000, kind);
        assert_eq!(lost(&sent), 0);
        let (sent, _) = arrivals(config(|r| r.ack_loss = half()), 1000, kind);
        assert!((400..600).contains(&lost(&sent)));
    }
    let (sent, arrived) =
        arrivals(config(|r| r.loss = Probability::new("loss", 1.0).unwrap()), 1000, PacketType::Probe);
    assert_eq!((lost(&sent), arrived.len()), (1000, 0));
}

#[test]
fn reordered_frames_come_late_and_the_others_keep_their_order() {
    let (sent, arrived) = arrivals(config(&[9, 9], rates(|r| r.reorder = half())), 1000, PacketType::Data);
    let late = |n: u64| sent[n as usize].fate.late > 0;
    assert!((400..600).contains(&sent.iter().filter(|s| late(s.number)).count()));
    for plane in 0..2 {
        let on_time: Vec<_> =
            arrived.iter().filter(|a| a.plane == plane && !late(a.number)).map(|a| a.number).collect();
        assert!(on_time.is_sorted() && on_time.len() > 100);
    }
    assert!(!arrived.iter().map(|a| a.number).is_sorted());
    assert!(sent.iter().all(|s| s.fate.late <= LinkConfig::REORDER_SPAN));
}

#[test]
fn duplicates_come_twice_and_corruption_flips_one_bit_that_the_icrc_covers() {
    let (sent, arrived) = arrivals(config(&[9, 9], rates(|r| r.duplicate = half())), 1000, PacketType::Data);
    let twice = sent.iter().filter(|s| s.fate.doubled).count();
    assert!(twice > 400 && arrived.len() == 1000 + twice);
    let (sent, arrived) = arrivals(config(&[9, 9], rates(|r| r.corrupt = half())), 1000, PacketType::Data);
    let mut corrupted = 0;
    for arrival in &arrived {
        let was = frame(arrival.number);
        let flipped: Vec<usize> = (0..8 * was.len())
            .filter(|bit| (was[bit / 8] ^ arrival.frame[bit / 8]) >> (bit % 8) & 1 == 1)
            .collect();
        let fate = sent[arrival.number as usize].fate;
        assert_eq!(flipped, Vec::from_iter(fate.flipped));
        assert!(flipped.iter().all(|bit| *bit >= 8 * 42));
        corrupted += flipped.len();
    }
    assert!((400..600).contains(&corrupted), "{corrupted}");
}

#[test]
fn equal_seeds_give_equal_fates_and_one_rate_leaves_the_others_alone() {
    let config = |loss: f64| {
        let loss = Probability::new("loss", loss).unwrap();
        config(&[9, 9], Rates { loss, duplicate: half(), ..Rates::default() })
    };
    assert_eq!(arrivals(config(0.1), 500, PacketType::Data), arrivals(config(0.1), 500, PacketType::Data));
    let (with, _) = arrivals(config(0.1), 500, PacketType::Data);
    let (without, _) = arrivals(config(0.0), 500, PacketType::Data);
    assert!(with.iter().any(|s| s.fate.lost.is_some()));
    assert!(with.iter().zip(&without).all(|(a, b)| Fate { lost: None, ..a.fate } == b.fate));
}

/// An IPv4 frame of 50 bytes, with 24 more on the wire: 592 ns, 74 cycles at 1 Gbit/s.
fn slow(limits: QueueLimits, events: Vec<PlaneEvent>) -> Link {
    let gigabit = LinkConfig::new(vec![100], Rates::default(), Some(1_000_000_000), 125_000_000).unwrap();
    Link::seeded(gigabit.with_limits(limits).unwrap().with_events(events).unwrap(), 1)
}

#[test]
fn a_frame_that_joins_a_long_queue_is_marked_if_it_is_ecn_capable_and_lost_when_there_is_no_room() {
    let mut link = slow(QueueLimits { ecn_threshold: Some(148), buffer: Some(222) }, vec![]);
    let mut send = |now, ecn: u8| {
        let mut frame = frame(0);
        frame[15] = ecn;
        let Fate { lost, marked, .. } = link.send(now, 0, frame, PacketType::Data).unwrap().fate;
        (lost, marked)
    };
    // 74 and 148 bytes stand in the queue, then 222; then it is full.
    assert_eq!([send(0, 2), send(0, 2), send(0, 2)], [(None, false), (None, false), (None, true)]);
    assert_eq!([send(0, 2), send(0, 0)], [(Some(Loss::Buffer), false); 2]);
    // One byte is sent per cycle: 73 cycles later a byte of room is lacking still.
    assert_eq!(
        [send(73, 2), send(74, 0), send(148, 1)],
        [(Some(Loss::Buffer), false), (None, false), (None, true)]
    );
    assert_eq!(link.peaks().collect::<Vec<_>>(), [222]);
    let arrived: Vec<_> =
        std::iter::from_fn(|| link.receive(u64::MAX)).map(|a| (a.at, a.frame[15])).collect();
    assert_eq!(arrived, [(174, 2), (248, 2), (322, 3), (396, 0), (470, 3)]);
}

#[test]
fn a_dead_plane_loses_what_is_in_its_queue_on_the_wire_and_sent_to_it() {
    let event = |cycle, up| PlaneEvent { cycle, plane: 0, up };
    let mut link = slow(QueueLimits::default(), vec![event(200, false), event(1000, true)]);
    let mut send = |now| link.send(now, 0, frame(0), PacketType::Data).unwrap();
    let sent: Vec<_> = [0, 50, 60, 199, 200, 999].map(&mut send).map(|sent| sent.fate.lost).to_vec();
    // The first is there at 174; the second would be at 248.
    assert_eq!(sent, [[None].as_slice(), &[Some(Loss::Plane); 5]].concat());
    // What stood in the queue is gone with the plane.
    assert_eq!((send(1000).arrives_at, send(1000).arrives_at), (1174, 1248));
    assert_eq!(link.in_flight(), 3);
}

#[test]
fn what_cannot_be_is_refused_with_what_was_seen() {
    let probability = |value| Probability::new("loss", value).map_err(|e| e.to_string());
    assert_eq!(probability(1.5), Err("loss is 1.5, it must be between 0 and 1".to_owned()));
    assert!(probability(f64::NAN).is_err() && probability(-0.0).is_ok());
    let link = |delays, speed, clock| LinkConfig::new(delays, Rates::default(), speed, clock);
    let text = |e: Result<LinkConfig, LinkConfigError>| e.unwrap_err().to_string();
    assert_eq!(text(link(vec![], None, 1)), "0 planes, there must be 1 to 16");
    assert_eq!(text(link(vec![1; 17], None, 1)), "17 planes, there must be 1 to 16");
    assert_eq!(text(link(vec![1], Some(0), 1)), "a rate of 0 bits per second sends nothing");
    assert_eq!(text(link(vec![1], None, 0)), "a clock of 0 Hz");
    assert!(text(link(vec![1 << 29], None, 1)).starts_with("a delay of 536870912 cycles, at most"));
    let limited = |speed, ecn_threshold, buffer| {
        text(link(vec![1], speed, 1).unwrap().with_limits(QueueLimits { ecn_threshold, buffer }))
    };
    assert!(
        limited(None, Some(1), None).starts_with("an ECN threshold is given, but the planes have no rate")
    );
    assert!(limited(None, None, Some(1)).starts_with("a buffer is given"));
    assert_eq!(
        limited(Some(1), Some(5), Some(5)),
        "an ECN threshold of 5 bytes in a buffer of 5: nothing would be marked"
    );
}

#[test]
fn a_fate_in_words_names_all_its_parts() {
    let fate = Fate { lost: None, flipped: Some(339), late: 12, doubled: true, marked: true };
    assert_eq!(fate.to_string(), "marked CE, corrupted: bit 3 of byte 42, late by 12 cycles, duplicated");
    let lost = |why| Fate { lost: Some(why), ..fate }.to_string();
    assert_eq!(
        [Loss::Chance, Loss::Buffer, Loss::Plane].map(lost),
        ["lost", "lost: buffer full", "lost: plane dead"]
    );
    assert_eq!(Fate::default().to_string(), "");
}
