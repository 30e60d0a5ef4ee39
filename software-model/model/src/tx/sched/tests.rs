use super::super::path::{TxPathIn, TxPathRow};
use super::*;
use heddle_wire::serial::{Psn, Time32};

/// A scheduler with the path engine behind it.
struct Bench {
    sched: Sched,
    rows: Vec<TxPathRow>,
    sent: u32,
    /// Packets that connections have behind each that is sent.
    left: u16,
}

impl Bench {
    fn new(connections: u32, cwnd: u32) -> Self {
        let config = SchedConfig { connections, paths: 4, cwnd };
        let rows = vec![TxPathRow::default(); (connections * 4) as usize];
        let mut bench = Self { sched: Sched::new(config), rows, sent: 0, left: u16::MAX };
        for path in 0..(connections * 4) as u16 {
            bench.run(TxPathIn { op: TxOp::Init, path, cum: Psn::new(100), ..TxPathIn::default() });
        }
        bench
    }

    fn run(&mut self, input: TxPathIn) -> Option<Job> {
        let result = self.rows[usize::from(input.path)].apply(&input);
        self.sched.on_result(&result)
    }

    fn issue(&mut self, issue: Issue) -> Option<Job> {
        self.run(TxPathIn { op: issue.op, path: issue.path, now: Time32::new(50), ..TxPathIn::default() })
    }

    fn new_packet(&mut self) -> Option<Issue> {
        let issue = self.sched.next_new()?;
        let conn = issue.path / 4;
        let (msn, index) = (heddle_wire::serial::Msn::new(0), self.sent);
        self.sent += 1;
        let (more, left) = (self.left > 0, self.left);
        self.sched.served(Slice { conn, stream: 0, msn, index, tail: false, more, left, answer: None });
        Some(issue)
    }

    /// Sends new packets until no path is usable.
    fn fill(&mut self) -> Vec<Job> {
        let mut jobs = vec![];
        while let Some(issue) = self.new_packet() {
            let job = self.issue(issue).expect("a new packet");
            assert!(matches!(job.kind, JobKind::New(slice) if slice.index + 1 == self.sent));
            jobs.push(job);
        }
        jobs
    }

    /// One more packet of a connection all of whose windows are full; so many are then left.
    fn one_more(&mut self, conn: u16, left: u16) {
        self.ack(4 * conn, 101, 100, &[]);
        self.left = left;
        let issue = self.new_packet().expect("room on its first path");
        self.issue(issue).expect("a new packet");
        self.left = u16::MAX;
    }

    fn ack(&mut self, path: u16, cum: u32, high: u32, sacked: &[u32]) {
        let mut sack = crate::map::RingMap::default();
        sacked.iter().for_each(|&psn| sack.set(Psn::new(psn)));
        let (cum, high, now) = (Psn::new(cum), Psn::new(high), Time32::new(60));
        self.run(TxPathIn {
            op: TxOp::Ack,
            path,
            cum,
            high,
            now,
            ts: Time32::new(40),
            sack,
            ..TxPathIn::default()
        });
    }
}

#[test]
fn new_packets_are_sprayed_evenly_until_every_window_is_full() {
    let mut bench = Bench::new(2, 3);
    bench.sched.on_work(1);
    let issues = bench.fill();
    let paths: Vec<_> = issues.iter().map(|i| i.path).collect();
    assert_eq!(paths, [4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7]);
    let ack_reqs: Vec<_> = issues.iter().map(|i| i.ack_req).collect();
    assert_eq!(ack_reqs, [[false; 8].as_slice(), &[true; 4]].concat());
}

/// ADR-0018: a small window is filled, and no larger one is preferred to it.
#[test]
fn paths_whose_windows_differ_are_used_alike_as_far_as_their_windows_go() {
    let mut bench = Bench::new(1, 6);
    bench.sched.set_path_cwnd(2, 2);
    bench.sched.on_work(0);
    let jobs = bench.fill();
    let paths: Vec<_> = jobs.iter().map(|job| job.path).collect();
    assert_eq!(paths, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 3, 0, 1, 3, 0, 1, 3, 0, 1, 3]);
    let last: Vec<_> = jobs.iter().filter(|job| job.ack_req).map(|job| job.path).collect();
    assert_eq!(last, [2, 0, 1, 3], "the packet that takes the last of its path's window");
}

#[test]
fn an_ack_wakes_the_connection_on_the_path_that_it_freed() {
    let mut bench = Bench::new(1, 2);
    bench.sched.on_work(0);
    assert_eq!(bench.fill().len(), 8);
    assert_eq!(bench.new_packet(), None);
    bench.ack(2, 101, 100, &[]);
    assert_eq!(bench.fill().iter().map(|i| i.path).collect::<Vec<_>>(), [2]);
}

#[test]
fn a_window_of_256_is_never_passed_whatever_cwnd_says() {
    let mut bench = Bench::new(1, 256);
    bench.sched.on_work(0);
    assert_eq!(bench.fill().len(), 4 * 256);
    // 100 is lost, everything behind it received: one in flight, but the window stays full.
    let rest: Vec<u32> = (101..356).collect();
    bench.ack(0, 100, 355, &rest);
    assert!(bench.fill().is_empty());
}

// REQ-TX-14
#[test]
fn resends_come_lowest_first_and_the_last_waiting_asks_for_an_ack() {
    let mut bench = Bench::new(1, 8);
    bench.sched.on_work(0);
    bench.fill();
    bench.ack(3, 100, 102, &[102]);
    assert!(bench.sched.has_resends());
    for (psn, ack_req) in [(100, false), (101, true)] {
        let issue = bench.sched.next_resend().unwrap();
        assert_eq!((issue.op, issue.path), (TxOp::Resend, 3));
        let job = bench.issue(issue).unwrap();
        assert_eq!((job.kind, job.psn, job.ack_req), (JobKind::Resend, Psn::new(psn), ack_req));
    }
    assert!(!bench.sched.has_resends() && bench.sched.next_resend().is_none());
}

#[test]
fn a_path_whose_operation_is_in_the_engine_is_left_alone() {
    let mut bench = Bench::new(1, 8);
    bench.sched.on_work(0);
    let issue = bench.new_packet().unwrap();
    assert!(!bench.sched.takes_expiry(issue.path));
    assert_ne!(bench.new_packet().unwrap().path, issue.path);
    bench.issue(issue);
    assert!(bench.sched.takes_expiry(issue.path));
}

/// The ACK of everything comes between the timer's expiry and what it asks for: no progress can come any more.
#[test]
fn an_expiry_that_finds_nothing_in_flight_leaves_the_path_usable() {
    for expiry in [Expiry::Resend, Expiry::Dead, Expiry::Probe] {
        let mut bench = Bench::new(1, 8);
        match bench.sched.on_expiry(2, expiry, Time32::new(55)) {
            Expired::Issue(issue) => assert_eq!(bench.issue(issue), None, "{expiry:?}"),
            Expired::Job(probe) => assert_eq!(probe.path, 2),
        }
        bench.sched.on_work(0);
        assert!(bench.fill().iter().any(|job| job.path == 2), "{expiry:?}");
    }
}

// REQ-TX-16
#[test]
fn an_expiry_asks_where_plenty_is_queued_and_resends_where_little_is() {
    // Two packets in flight on each of four paths: four times as many are 32.
    for (left, plenty) in [(u16::MAX, true), (32, true), (31, false), (1, false), (0, false)] {
        let mut bench = Bench::new(2, 2);
        // The other connection's work says nothing.
        bench.sched.on_work(0);
        bench.sched.on_work(1);
        bench.fill();
        bench.one_more(1, left);
        let now = Time32::new(55);
        assert_eq!(bench.sched.expiry_asks(6, Expiry::Resend), plenty, "{left} left");
        match bench.sched.on_expiry(6, Expiry::Resend, now) {
            // As loud as the resend would be: maybe no ACK comes through.
            Expired::Job(job) => {
                assert!(plenty);
                let kind = JobKind::Probe { stream: 0, repeat: true };
                assert_eq!(job, Job { kind, path: 6, psn: Psn::new(0), route: 0, now, ack_req: false });
                assert!(bench.sched.takes_expiry(6), "nothing is in the engine");
            }
            Expired::Issue(issue) => {
                assert!(!plenty);
                assert_eq!(issue, Issue { op: TxOp::Expire, path: 6 });
                let job = bench.issue(issue).expect("a packet");
                assert_eq!((job.kind, job.ack_req), (JobKind::Expire, true));
            }
        }
        // A dead route is left in any case, and nothing new goes there before progress.
        assert!(!bench.sched.expiry_asks(6, Expiry::Dead) && bench.sched.expiry_asks(6, Expiry::Probe));
        bench.ack(5, 101, 100, &[]);
        bench.sched.on_work(1);
        let paths: Vec<_> = bench.fill().iter().map(|job| job.path).collect();
        assert_eq!(paths, [5]);
    }
}

#[test]
fn an_expired_path_gets_no_new_data_until_progress() {
    let mut bench = Bench::new(1, 8);
    bench.sched.on_work(0);
    for left in [3, 2, 1, 0] {
        bench.left = left;
        let issue = bench.new_packet().unwrap();
        bench.issue(issue);
    }
    let now = Time32::new(55);
    for path in [0, 1] {
        let Expired::Issue(issue) = bench.sched.on_expiry(path, Expiry::Resend, now) else {
            panic!("no operation")
        };
        let job = bench.issue(issue).unwrap();
        assert_eq!((job.kind, job.psn, job.ack_req), (JobKind::Expire, Psn::new(100), true));
    }
    let Expired::Job(probe) = bench.sched.on_expiry(2, Expiry::Probe, now) else { panic!("no PROBE") };
    assert_eq!((probe.kind, probe.path, probe.now), (JobKind::Probe { stream: 0, repeat: false }, 2, now));
    bench.left = u16::MAX;
    bench.sched.on_work(0);
    assert!(bench.fill().iter().all(|i| i.path == 3));
    bench.ack(1, 101, 100, &[]);
    assert!(bench.fill().iter().any(|i| i.path == 1));
}

#[test]
fn who_asks_on_a_path_that_was_never_set_up_makes_it_no_path_for_new_data() {
    let mut sched = Sched::new(SchedConfig { connections: 1, paths: 4, cwnd: 8 });
    let asked = sched.on_expiry(1, Expiry::Probe, Time32::new(55));
    assert!(matches!(asked, Expired::Job(Job { kind: JobKind::Probe { repeat: true, .. }, path: 1, .. })));
    sched.on_work(0);
    assert!(sched.has_ready() && sched.next_new().is_none());
}

/// Windows that differ, as congestion control makes them: each path carries as much, up to its own cwnd.
#[test]
fn the_path_with_the_least_in_flight_is_chosen_up_to_its_own_cwnd() {
    let mut bench = Bench::new(1, 8);
    for (path, cwnd) in [(0, 2), (1, 5), (2, 3), (3, 4)] {
        bench.sched.set_path_cwnd(path, cwnd);
    }
    bench.sched.on_work(0);
    let jobs = bench.fill();
    let paths: Vec<_> = jobs.iter().map(|job| job.path).collect();
    assert_eq!(paths, [0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3, 1, 3, 1]);
    let last: Vec<_> = jobs.iter().enumerate().filter(|(_, job)| job.ack_req).map(|(at, _)| at).collect();
    assert_eq!(last, [4, 9, 12, 13], "the packet that takes the last of a cwnd asks for an ACK");
}

/// Without paths to send on or with a closed window a connection leaves the queue, and comes back when it is woken.
#[test]
fn who_leaves_the_queues_is_brought_back_by_a_wake() {
    let mut bench = Bench::new(2, 8);
    bench.sched.on_work(1);
    bench.fill();
    bench.ack(4, 100, 102, &[102]);
    assert_eq!((bench.sched.first_resend(), bench.sched.in_flight(1)), (Some(4), 31));
    assert!(bench.sched.may_resend(1) && !bench.sched.rests(1) && bench.sched.rests(0));
    bench.sched.leave_resends();
    bench.sched.wake(0);
    assert!(!bench.sched.has_resends());
    bench.sched.wake(1);
    bench.sched.wake(1);
    assert_eq!(bench.sched.first_resend(), Some(4));
    bench.sched.leave_resends();
    assert!(!bench.sched.has_resends(), "it is queued once");
    while bench.sched.has_ready() {
        bench.sched.leave_ready();
    }
    assert!(bench.sched.has_work(1) && bench.sched.may_send(1), "path 4 has room for one");
    bench.sched.wake(1);
    assert_eq!(bench.sched.first_ready(), Some(1));
    // What an expired path carries does not count.
    bench.sched.on_expiry(5, Expiry::Dead, Time32::new(70));
    assert_eq!(bench.sched.in_flight(1), 31 - 8);
}

// REQ-ROUTE-9
#[test]
fn planes_are_used_alike_however_many_paths_travel_on_each() {
    let mut bench = Bench::new(2, 6);
    for (path, plane) in [(4, 0), (5, 1), (6, 1), (7, 1)] {
        bench.sched.set_plane(path, plane);
    }
    bench.sched.on_work(1);
    let paths: Vec<_> = bench.fill().iter().map(|job| job.path).collect();
    // After every second packet the planes have the same; a tie goes to the path with fewer, then to the next in turn. Path 4 is full.
    assert_eq!(paths[..12], [4, 5, 6, 4, 7, 4, 5, 4, 6, 4, 7, 4]);
    assert!(paths[12..].iter().all(|&path| path != 4) && paths.len() == 24);
}

// REQ-ROUTE-9
#[test]
fn a_path_that_moves_takes_its_packets_along_and_a_lost_one_still_burdens_its_plane() {
    let mut bench = Bench::new(1, 4);
    (0..4).for_each(|path| bench.sched.set_plane(path, path as u8 / 2));
    bench.sched.on_work(0);
    let sent: Vec<_> =
        (0..4).map(|_| bench.new_packet().and_then(|issue| bench.issue(issue)).unwrap().path).collect();
    assert_eq!(sent, [0, 2, 3, 1]);
    // Three paths on plane 1: 3 packets there, one on plane 0.
    bench.sched.set_plane(1, 1);
    let next = |bench: &mut Bench| bench.new_packet().and_then(|issue| bench.issue(issue)).unwrap().path;
    assert_eq!([next(&mut bench), next(&mut bench)], [0, 0]);
    // Path 0 expires: it takes nothing new, but what it has in flight is still on plane 0.
    bench.sched.set_plane(1, 0);
    bench.sched.on_expiry(0, Expiry::Probe, Time32::new(70));
    assert_eq!([next(&mut bench), next(&mut bench)], [2, 3]);
}

// REQ-ROUTE-9
#[test]
fn a_suspect_plane_is_used_when_no_other_is_usable_and_alike_when_all_are_suspect() {
    let mut bench = Bench::new(1, 2);
    (0..4).for_each(|path| bench.sched.set_plane(path, path as u8));
    bench.sched.set_suspect(0, 0b0110);
    bench.sched.on_work(0);
    let paths: Vec<_> = bench.fill().iter().map(|job| job.path).collect();
    assert_eq!(paths, [0, 3, 0, 3, 1, 2, 1, 2]);
    bench.sched.set_suspect(0, 0b1111);
    (0..4).for_each(|path| bench.ack(path, 102, 101, &[]));
    let paths: Vec<_> = bench.fill().iter().map(|job| job.path).collect();
    assert_eq!(paths, [3, 0, 1, 2, 3, 0, 1, 2]);
}

// REQ-ROUTE-10
#[test]
fn a_port_that_takes_no_frame_holds_up_what_leaves_by_it_and_nothing_else() {
    let mut bench = Bench::new(1, 4);
    (0..4).for_each(|path| bench.sched.set_plane(path, path as u8 % 2));
    bench.sched.on_work(0);
    bench.sched.set_ports(0b10);
    let paths: Vec<_> = bench.fill().iter().map(|job| job.path).collect();
    assert_eq!(paths, [1, 3, 1, 3, 1, 3, 1, 3]);
    bench.sched.set_ports(0b00);
    assert!(!bench.sched.has_ready());
    bench.sched.set_ports(0b01);
    let paths: Vec<_> = bench.fill().iter().map(|job| job.path).collect();
    assert_eq!(paths, [0, 2, 0, 2, 0, 2, 0, 2]);
}

// REQ-ROUTE-10
#[test]
fn who_waits_for_a_port_keeps_its_turn() {
    let mut bench = Bench::new(3, 4);
    (0..8).for_each(|path| bench.sched.set_plane(path, 1));
    (0..3).for_each(|conn| bench.sched.on_work(conn));
    bench.sched.set_ports(0b01);
    assert_eq!([bench.sched.next_new(), bench.sched.next_new()], [None, None]);
    let first = bench.new_packet().map(|issue| issue.path / 4);
    bench.sched.set_ports(0b11);
    let next = [0; 3].map(|_| bench.new_packet().map(|issue| issue.path / 4));
    assert_eq!((first, next), (Some(2), [Some(0), Some(1), Some(2)]));
}

// REQ-ROUTE-10
#[test]
fn a_resend_whose_port_takes_no_frame_waits_while_others_go() {
    let mut bench = Bench::new(1, 4);
    (0..4).for_each(|path| bench.sched.set_plane(path, path as u8));
    bench.sched.on_work(0);
    bench.fill();
    (0..3).for_each(|path| bench.ack(path, 100, 101, &[101]));
    bench.sched.set_ports(0b1010);
    let resends = |bench: &mut Bench, count| -> Vec<_> {
        (0..count).map(|_| bench.sched.next_resend().map(|issue| issue.path)).collect()
    };
    assert_eq!(resends(&mut bench, 3), [None, Some(1), None]);
    assert!(!bench.sched.has_resends());
    bench.sched.set_ports(0b1111);
    assert_eq!(resends(&mut bench, 3), [Some(0), Some(2), None]);
}

// REQ-ROUTE-10
#[test]
fn a_connection_that_ends_while_it_waits_for_a_port_is_forgotten_there() {
    let mut bench = Bench::new(1, 4);
    bench.sched.on_work(0);
    bench.fill();
    bench.ack(0, 100, 101, &[101]);
    bench.sched.set_ports(0);
    assert_eq!((bench.sched.next_resend(), bench.sched.next_new()), (None, None));
    bench.sched.reset(0);
    bench.sched.set_ports(1);
    assert!(!bench.sched.has_resends() && !bench.sched.has_ready());
}
