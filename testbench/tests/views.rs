//! A block inside another, watched through a view by the monitor that its own test uses: the links outside
//! and inside are told apart, and each wrong wiring is found on its side.

use heddle_testbench::duts::WrappedVerdict;
use heddle_testbench::lockstep::{Report, Watch, Watchers};
use heddle_testbench::monitors::rx_verdict::{Ports, VerdictMonitor};
use heddle_testbench::rows::{Order, Place};
use heddle_testbench::views::RxVerdictView;
use heddle_testbench::Dut;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 11;

fn order(rng: &mut ChaCha8Rng) -> Order {
    let place = Place {
        address: rng.gen(),
        len: rng.gen(),
        conn: rng.gen(),
        path: rng.gen(),
        stream: rng.gen(),
        msn: rng.gen_range(0..1 << 24),
        message_len: rng.gen(),
    };
    Order { kind: rng.gen_range(0..4), reason: rng.gen_range(1..64), place }
}

/// 3,000 cycles of entries and verdicts under a monitor inside (first) and one outside.
fn run(fault_inside: bool, fault_outside: bool) -> Vec<Report> {
    let (mut dut, mut watchers) = (WrappedVerdict::new(), Watchers::default());
    watchers.add(Watch::new(VerdictMonitor::default(), |dut: &WrappedVerdict| {
        Ports::sample(&dut.view_verdict())
    }));
    watchers.add(Watch::new(VerdictMonitor::default(), |dut: &WrappedVerdict| Ports::sample(dut)));
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    dut.reset(2);
    dut.set_fault_inside(fault_inside);
    dut.set_fault_outside(fault_outside);
    let (mut offer, mut owed) = (None, 0);
    for cycle in 0..3_000 {
        let draining = cycle >= 2_900;
        offer = offer.or_else(|| (!draining && rng.gen()).then(|| order(&mut rng)));
        dut.set_o_valid(offer.is_some());
        dut.set_o_entry(&offer.clone().unwrap_or_default().pack());
        dut.set_v_valid(owed > 0 && (draining || rng.gen_ratio(1, 8)));
        dut.set_v_class(rng.gen_range(0..4));
        dut.set_w_ready(draining || rng.gen());
        dut.eval();
        watchers.watch(&dut, dut.cycle());
        owed -= u32::from(dut.v_valid());
        if dut.o_valid() && dut.o_ready() {
            owed += u32::from(offer.take().is_some_and(|order| order.kind == 1));
        }
        dut.tick();
    }
    watchers.finish();
    watchers.reports()
}

#[test]
fn the_same_monitor_sees_the_same_transactions_inside_and_outside() {
    let reports = run(false, false);
    let [inside, outside] = &reports[..] else { panic!("two reports") };
    assert_eq!((inside.mismatches, outside.mismatches), (0, 0), "seed {SEED}: {reports:#?}");
    assert!(inside.crossed > 500 && inside.crossed == inside.compared, "{inside:#?}");
    assert_eq!(inside, outside);
}

#[test]
fn a_wrong_wiring_of_the_inputs_is_found_inside_alone() {
    let reports = run(true, false);
    assert_eq!(reports[1].mismatches, 0, "outside the handshake is kept: {:#?}", reports[1]);
    let first = reports[0].first.as_ref().unwrap();
    assert!(first.channel == "o" && first.what.starts_with("valid fell before ready"), "{first}");
}

#[test]
fn a_wrong_wiring_of_the_outputs_is_found_outside_alone() {
    let reports = run(false, true);
    assert_eq!(reports[0].mismatches, 0, "inside everything is taken: {:#?}", reports[0]);
    assert_eq!(reports[1].first.as_ref().unwrap().channel, "w");
}

#[test]
fn a_view_reads_the_instance_and_not_the_ports_around_it() {
    let mut dut = WrappedVerdict::new();
    dut.reset(2);
    dut.set_fault_inside(true);
    dut.set_w_ready(false);
    dut.set_o_valid(true);
    let entry = Order { kind: 1, reason: 5, place: Place { address: 7 << 60, ..Place::default() } };
    dut.set_o_entry(&entry.pack());
    dut.eval();
    let inside = dut.view_verdict();
    assert_eq!((RxVerdictView::o_valid(&dut).bit(), inside.o_valid().bit()), (true, false));
    assert_eq!(Order::unpack(inside.o_entry().words()), entry);
}
