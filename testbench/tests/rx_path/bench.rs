//! The bench around either engine: their ports differ in the snapshot alone.

/// Paths of the engines under test.
pub const PATHS: usize = 64;

/// `PathBench` for the design `$dut`; `$sample` reads its links.
macro_rules! path_bench {
    ($dut:ident, $wide:literal, $sample:expr) => {
        /// Traffic into one engine.
        struct PathBench {
            noise: rand_chacha::ChaCha8Rng,
            traffic: Traffic,
            source: Driver<RxPathIn>,
            transactions: u64,
        }

        fn drive(dut: &mut $dut, op: &RxPathIn) {
            dut.set_in_valid(true);
            dut.set_in_op(op.op as u8);
            dut.set_in_path(op.path as u8);
            dut.set_in_psn(op.psn.get());
            dut.set_in_ce(op.ce);
            dut.set_in_fault(op.fault);
            dut.set_in_flags(op.flags.bits());
            dut.set_in_ts(op.ts.get());
            dut.set_in_route(op.route);
            dut.set_in_now(op.now.get());
        }

        impl Bench for PathBench {
            type Dut = $dut;
            type Monitor = PathMonitor<$wide>;
            const RESETS: bool = true;

            fn new(setup: &Setup) -> Self {
                Self {
                    noise: setup.rng("noise"),
                    traffic: Traffic::new(setup.rng("traffic")),
                    source: Driver::new(setup.idle("in")),
                    transactions: setup.transactions,
                }
            }

            fn monitor(_: &Setup) -> Self::Monitor {
                PathMonitor::new(bench::PATHS)
            }

            fn drive(&mut self, dut: &mut $dut, monitor: &Self::Monitor) {
                let left = self.source.sent() < self.transactions;
                let traffic = &mut self.traffic;
                match self.source.offer(|| left.then(|| traffic.draw(monitor))) {
                    Some(op) => drive(dut, op),
                    None => {
                        dut.set_in_valid(false);
                        dut.noise("in_", &mut self.noise);
                    }
                }
            }

            fn ports(dut: &$dut) -> Ports {
                $sample(dut)
            }

            fn settle(&mut self, ports: &Ports) {
                self.source.settle(&ports.input);
            }

            fn done(&self) -> bool {
                self.source.sent() == self.transactions
            }

            fn reset(&mut self) {
                self.source.reset();
            }
        }

        /// Sends `op`, as often as `times`, and gives the last result's (ce, dup, arrivals) and how many
        /// came.
        fn repeat(dut: &mut $dut, op: &RxPathIn, times: u32) -> ((u16, u16, u16), u32) {
            let (mut sent, mut came, mut last) = (0, 0, (0, 0, 0));
            while came < times {
                drive(dut, op);
                dut.set_in_valid(sent < times);
                dut.eval();
                sent += u32::from(dut.in_valid() && dut.in_ready());
                if dut.out_valid() {
                    (came, last) = (came + 1, (dut.out_ce(), dut.out_dup(), dut.out_arrivals()));
                }
                dut.tick();
            }
            (last, came)
        }

        #[test]
        fn counters_wrap_at_2_16() {
            let mut dut = <$dut>::power_on(5);
            dut.reset(2);
            let init = RxPathIn { op: RxOp::Init, path: 9, psn: Psn::new(7), ..RxPathIn::default() };
            assert_eq!(repeat(&mut dut, &init, 1), ((0, 0, 0), 1));
            let plain = RxPathIn { op: RxOp::Data, psn: Psn::new(6), ..init };
            let marked = RxPathIn { ce: true, ..plain };
            assert_eq!(repeat(&mut dut, &plain, 3), ((0, 3, 3), 3));
            assert_eq!(repeat(&mut dut, &marked, 65_535), ((65_535, 2, 2), 65_535));
            assert_eq!(repeat(&mut dut, &marked, 2), ((1, 4, 4), 2));
        }
    };
}

/// What both engines' tests have to have met, and how often at least.
pub const SITUATIONS: &[(&str, u64)] = &[
    ("DATA", 51_000),
    ("PROBE", 1_000),
    ("LOOK", 1_000),
    ("INIT", 1_000),
    ("accept", 48_000),
    ("duplicate", 1_000),
    ("duplicate with a fault", 200),
    ("out of window", 1_000),
    ("out of window with a fault", 80),
    ("fault", 500),
    ("distance 0", 3_000),
    ("distance 1", 700),
    ("distance 254", 400),
    ("distance 255", 500),
    ("distance 256", 400),
    ("distance 257", 100),
    ("distance 258", 100),
    ("distance 2^23 - 1", 80),
    ("distance 2^23", 90),
    ("distance 2^23 + 1", 60),
    ("distance -1", 600),
    ("a gap opens", 2_000),
    ("a gap closes", 400),
    ("cum moves by 1", 2_000),
    ("cum moves by 2 to 63", 200),
    ("cum moves by 64 to 191", 80),
    ("cum moves by 192 to 255", 10),
    ("cum moves over the whole window", 60),
    ("cum enters another lap", 100),
    ("cum wraps at 2^24", 90),
    ("every path was used", 10),
    ("taken at the interval", 5_000),
    ("taken when the path was free again", 41_000),
];
