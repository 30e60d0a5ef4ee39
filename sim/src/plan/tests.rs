//! Plans that are read, and plans that are refused.

use super::*;
use crate::heddle::Constants;
use crate::outcome::Outcome;
use crate::time::{Ps, Rate};

fn load(text: &str) -> Result<Plan, PlanError> {
    Plan::load(&Source::of_text("plan.toml", text), &[])
}

fn load_with(text: &str, sets: &[&str]) -> Result<Plan, PlanError> {
    let sets: Vec<_> = sets.iter().map(|set| (*set).to_owned()).collect();
    Plan::load(&Source::of_text("plan.toml", text), &sets)
}

fn names(plan: &Plan) -> Vec<&str> {
    plan.points.iter().map(Point::name).collect()
}

const BASE: &str = "traffic.bytes = \"1MiB\"\n";

#[test]
fn every_built_in_plan_is_good_and_says_what_it_shows() {
    for plan in builtins() {
        let loaded = Plan::load(&Source::open(plan.name).unwrap(), &[]).unwrap_or_else(|e| panic!("{e}"));
        assert!(
            loaded.about.ends_with('.') && !loaded.points.is_empty() && !loaded.targets.is_empty(),
            "{plan:?}"
        );
    }
    let all = Plan::load(&Source::open("headline").unwrap(), &[]).unwrap();
    let parts = ["loss_sweep", "planes", "plane_failure", "incast", "spraying", "unmarked"];
    let parts = parts.map(|part| Plan::load(&Source::open(part).unwrap(), &[]).unwrap().points.len());
    assert_eq!(all.points.len(), parts.iter().sum::<usize>());
}

#[test]
fn what_a_plan_says_is_what_is_run() {
    let text = r#"
        seed = 7
        end = "50ms"
        [topology]
        kind = "leaf-spine"
        hosts = 60
        hosts_per_leaf = 16
        oversubscription = "2:1"
        planes = 2
        rate = "100G"
        fabric_rate = "400G"
        [switch]
        ecn = "red"
        ecn_from = "100KiB"
        ecn_to = "400KiB"
        ecn_probability = 0.2
        pfc = true
        routing = "spray"
        [loss]
        rate = 0.001
        burst = 8
        on = "every-hop"
        [[fault]]
        at = "1ms"
        until = "2ms"
        plane = 1
        link = ["leaf3", "spine1"]
        [[fault]]
        at = "1ms"
        switch = "spine0"
        silent = true
        [transport]
        kind = "roce"
        qps = 4
        [traffic]
        kind = "incast"
        senders = 59
        bytes = "64KiB"
    "#;
    let plan = load(text).unwrap();
    let [point] = plan.points.as_slice() else { panic!("one point") };
    assert_eq!((point.seed, point.end, point.variant()), (7, Ps::from_us(50_000), "roce"));
    assert_eq!(point.fabric.shape, Shape::LeafSpine { hosts_per_leaf: 16, spines: 2 });
    assert_eq!(point.fabric.fabric_rate, Rate::new(400_000_000_000).unwrap());
    let probability = Probability::from_billionths(200_000_000).unwrap();
    assert_eq!(point.switch.ecn, Ecn::Red { from: 102_400, to: 409_600, probability });
    assert_eq!(point.switch.pfc, Some(Pfc { xoff: None, xon: None, headroom: None }));
    assert_eq!((point.loss.rate.billionths(), point.loss.burst), (1_000_000, 8));
    let link = Fault {
        at: Ps::from_us(1_000),
        until: Some(Ps::from_us(2_000)),
        plane: 1,
        place: Where::Link(3, 5),
        silent: false,
    };
    let spine = Fault { until: None, plane: 0, place: Where::Switch(4), silent: true, ..link };
    assert_eq!(point.faults, [link, spine]);
    assert_eq!(point.transport, Transport::Roce { payload: 4096, qps: 4, dcqcn: true, timeout: None });
    assert_eq!(point.traffic.workload, Workload::Incast { senders: 59, bytes: 65_536, messages: 1 });
    // What is kept with the results says it all again.
    let again: Settings = serde_json::from_value(serde_json::to_value(point.settings()).unwrap()).unwrap();
    assert_eq!(&again, point.settings());
}

#[test]
fn constants_of_the_protocol_are_its_own_where_nothing_else_is_said() {
    let constants = |text: &str| match load(&format!("{BASE}{text}")).unwrap().points[0].transport {
        Transport::Heddle { constants, .. } => constants,
        ref other => panic!("{other:?}"),
    };
    let own = constants("");
    assert_eq!((own.initial_window, own.target_permille, own.ack_every), (16, 980, 4));
    assert_eq!((own.window_quarters, own.stretch_quarters), (5, 11));
    assert_eq!((own.ack_delay_ticks, own.ack_deadlines, own.rto0_ticks), (250, 64, None));
    let text = r#"
        [transport]
        initial_window = 1
        target = 0.95
        window_rtts = 2.0
        stretch_rtts = 0.25
        ack_every = 8
        ack_delay = "4us"
        ack_deadlines = 255
        rto0 = "20ms"
    "#;
    let wanted = Constants {
        initial_window: 1,
        target_permille: 950,
        window_quarters: 8,
        stretch_quarters: 1,
        ack_every: 8,
        ack_delay_ticks: 500,
        ack_deadlines: 255,
        rto0_ticks: Some(2_500_000),
    };
    assert_eq!(constants(text), wanted);
}

#[test]
fn a_sweep_is_the_product_of_its_axes_the_last_turning_fastest() {
    let text = format!(
        "{BASE}topology.hosts = 4\n\
         [variant.plain]\n\
         [variant.pfc]\ntransport.kind = \"roce\"\nswitch.pfc = true\n\
         [[sweep]]\nname = \"a\"\nvariant = [\"plain\", \"pfc\"]\nloss.rate = [0, 0.01]\ntopology.hosts = 8\n\
         [[sweep]]\nname = \"b\"\ntopology.planes = [1, 4]\n"
    );
    let plan = load(&text).unwrap();
    let wanted = [
        "a/plain/rate=0",
        "a/plain/rate=0.01",
        "a/pfc/rate=0",
        "a/pfc/rate=0.01",
        "b/planes=1",
        "b/planes=4",
    ];
    assert_eq!(names(&plan), wanted);
    let hosts: Vec<_> = plan.points.iter().map(|point| point.fabric.hosts).collect();
    assert_eq!(hosts, [8, 8, 8, 8, 4, 4]);
    let pfc: Vec<_> = plan.points.iter().map(|point| point.switch.pfc.is_some()).collect();
    assert_eq!(pfc, [false, false, true, true, false, false]);
    assert_eq!((plan.points[2].variant(), plan.points[5].variant()), ("pfc", "heddle"));
}

#[test]
fn the_command_line_wins_over_the_file_its_variants_and_its_axes() {
    let text = format!(
        "{BASE}[variant.a]\nswitch.buffer = \"2MiB\"\n[[sweep]]\nvariant = [\"a\"]\nloss.rate = [0, 0.01]\n"
    );
    let plan = load_with(&text, &["switch.buffer=3MiB", "loss.rate=[0.5,0.25]", "seed=9"]).unwrap();
    assert_eq!(names(&plan), ["plan.toml/a/rate=0.5", "plan.toml/a/rate=0.25"]);
    assert!(plan.points.iter().all(|point| point.switch.buffer == 3 << 20 && point.seed == 9));
    let plan = load_with(&text, &["loss.rate=0.125"]).unwrap();
    assert_eq!(names(&plan), ["plan.toml/a/rate=0.125"]);
    // Values that the plan has choose among its points, whichever sweep has them.
    let two = format!("{text}[[sweep]]\nname = \"b\"\nvariant = [\"a\"]\nloss.rate = [0.125]\n");
    let names_of = |sets: &[&str]| names(&load_with(&two, sets).unwrap()).join(" ");
    assert_eq!(names_of(&["loss.rate=0.125"]), "b/a/rate=0.125");
    assert_eq!(names_of(&["loss.rate=[0.01,0.125]"]), "plan.toml/a/rate=0.01 b/a/rate=0.125");
    assert_eq!(names_of(&["loss.rate=0.5"]), "plan.toml/a/rate=0.5 b/a/rate=0.5");
    let refused = |set: &str| load_with(&text, &[set]).unwrap_err().to_string();
    assert!(refused("topology.hots=3").starts_with("--set topology.hots=3: topology.hots: unknown field"));
    assert!(refused("seed=[1,2]").contains("no") && refused("seed").contains("key=value"));
    assert!(refused("topology.rate=-3G").contains("\"-3G\" is not understood"));
}

#[test]
fn a_bad_plan_is_refused_in_one_sentence_with_file_line_key_what_was_seen_and_what_is_possible() {
    let cases = [
        ("topology.hots = 3", "plan.toml, line 2: topology.hots: unknown field `hots`, expected one of `kind`, `hosts`"),
        ("[loss]\nrate = -0.1", "plan.toml, line 3: loss.rate: -0.1 is not understood: possible are 0 to 1"),
        ("[topology]\nrate = \"-1G\"", "plan.toml, line 3: topology.rate: \"-1G\" is not understood: needed is a rate"),
        ("[topology]\nrate = 100", "plan.toml, line 3: topology.rate: invalid type: integer `100`, expected a rate like"),
        ("[topology]\n\nhosts = 1", "plan.toml, line 4: topology.hosts: 1 is outside of what is possible, 2 to 65536"),
        ("topology.hosts = -1", "plan.toml, line 2: topology.hosts: invalid value: integer `-1`, expected u32"),
        ("topology.kind = \"ring\"", "plan.toml, line 2: topology.kind: unknown variant `ring`, expected one of `single`"),
        (
            "topology.kind = \"leaf-spine\"",
            "plan.toml, line 2: topology.hosts_per_leaf: is missing: topology.kind = \"leaf-spine\" needs it",
        ),
        (
            "topology = { kind = \"leaf-spine\", hosts_per_leaf = 16, oversubscription = \"3:1\" }",
            "plan.toml, line 2: topology.oversubscription: 3:1 over 16 hosts at a switch asks for 5.333",
        ),
        ("topology.spines = 4", "plan.toml, line 2: topology.spines: is without effect with topology.kind = \"single\""),
        ("[[fault]]\nat = \"1ms\"\nhost = 16", "plan.toml, line 4: fault[0].host: 16 is outside of what is possible, 0 to 15"),
        ("[[fault]]\nat = \"1ms\"\nplane = 1", "plan.toml, line 4: fault[0].plane: 1 is outside of what is possible, 0 to 0"),
        (
            "[[fault]]\nat = \"1ms\"\nswitch = \"spine0\"",
            "plan.toml, line 4: fault[0].switch: \"spine0\" is not there: switches of a plane are switch0 to switch0",
        ),
        ("[[fault]]\nat = \"2s\"", "plan.toml, line 3: fault[0].at: 2s is outside of what is possible, 0ps to 1s"),
        ("[[fault]]\nhost = 1", "plan.toml, line 2: fault[0]: missing field `at`"),
        ("traffic.kind = \"incast\"\ntraffic.senders = 16", "plan.toml, line 3: traffic.senders: 16 is outside of what is"),
        ("traffic.hosts = 17", "plan.toml, line 2: traffic.hosts: 17 is outside of what is possible, 2 to 16"),
        ("transport.paths = 5", "plan.toml, line 2: transport.paths: 5 is not possible: 1, 2, 4, 8, 16, 32 and 64 are"),
        ("transport.qps = 5", "plan.toml, line 2: transport.qps: is without effect with transport.kind = \"heddle\""),
        ("transport.initial_window = 257", "plan.toml, line 2: transport.initial_window: 257 is outside"),
        ("transport.target = 1.5", "plan.toml, line 2: transport.target: 1.5 is not understood"),
        ("transport.target = 0.4", "plan.toml, line 2: transport.target: 0.4 is outside of what is possible, 0.5 to 1"),
        ("transport.target = 0.9805", "plan.toml, line 2: transport.target: 0.9805 is no whole number of thousandths"),
        ("transport.window_rtts = 0.75", "plan.toml, line 2: transport.window_rtts: 0.75 is outside"),
        ("transport.stretch_rtts = 1.3", "plan.toml, line 2: transport.stretch_rtts: 1.3 is no whole number of quarters"),
        ("transport.ack_every = 32", "plan.toml, line 2: transport.ack_every: 32 is outside of what is possible, 1 to 31"),
        ("transport.ack_delay = \"100ns\"", "plan.toml, line 2: transport.ack_delay: 100ns is not possible: steps of 8ns"),
        ("transport.ack_delay = \"1ms\"", "plan.toml, line 2: transport.ack_delay: 1ms is not possible: steps of 8ns"),
        ("transport.ack_deadlines = 0", "plan.toml, line 2: transport.ack_deadlines: 0 is outside"),
        ("transport.rto0 = \"2s\"", "plan.toml, line 2: transport.rto0: 2s is not possible: steps of 8ns are, from 8ns to 1s"),
        (
            "transport = { window = 4, target = 0.9 }",
            "plan.toml, line 2: transport.target: is without effect with transport.window, which stands for",
        ),
        (
            "transport = { kind = \"irn\", ack_every = 4 }",
            "plan.toml, line 2: transport.ack_every: is without effect with another transport.kind than \"heddle\"",
        ),
        ("seed = nan", "plan.toml, line 2: seed: NaN is no value of a plan"),
        ("seed = 1979-05-27", "plan.toml, line 2: seed: 1979-05-27 is no value of a plan"),
        ("seed = ", "plan.toml, line 2: is no TOML"),
        ("parts = [\"nothing\"]", "plan.toml, line 2: parts[0]: nothing is neither a file"),
        ("[[sweep]]\nloss.rate = []", "plan.toml, line 3: loss.rate: is an axis of no values"),
        ("[[sweep]]\nloss.rate = [0, 2]", "plan.toml, line 3: loss.rate: 2 is not understood"),
        ("[[sweep]]\nvariant = [\"x\"]", "plan.toml, line 3: variant: \"x\" is no variant of the plan"),
        ("[sweep]\nloss.rate = [0]", "plan.toml, line 2: sweep: is one table: needed is a list"),
        ("[[target]]\nname = \"n\"\nwant = \"1\"\nmeasure = \"goodput\"", "plan.toml, line 4: target.want: \"1\" is not"),
        (
            "[[target]]\nname = \"n\"\nwant = \"> 1\"\nmeasure = \"goodput\"\nof.loss.rate = 0.5",
            "plan.toml, line 6: of: no point of the plan is such: loss.rate = 0.5",
        ),
    ];
    for (text, wanted) in cases {
        let seen = load(&format!("{BASE}{text}\n")).unwrap_err().to_string();
        assert!(seen.starts_with(wanted), "\n{text}\n  said   {seen}\n  wanted {wanted}");
        assert!(!seen.contains('\n'), "{seen}");
    }
}

#[test]
fn a_plan_that_holds_itself_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("circle.toml");
    std::fs::write(&path, "parts = [\"circle.toml\"]\n").unwrap();
    let source = Source::open(path.to_str().unwrap()).unwrap();
    assert!(Plan::load(&source, &[]).unwrap_err().to_string().contains("must not hold themselves"));
}

#[test]
fn links_of_a_fat_tree_are_there_only_where_they_are() {
    let link = |a: &str, b: &str| {
        let text = format!(
            "{BASE}topology = {{ kind = \"fat-tree\", hosts = 16 }}\n[[fault]]\nat = \"1us\"\nlink = [\"{a}\", \"{b}\"]\n"
        );
        load(&text).map(|plan| plan.points[0].faults[0].place)
    };
    assert_eq!(link("edge3", "aggregation3"), Ok(Where::Link(3, 11)));
    assert_eq!(link("core0", "aggregation2"), Ok(Where::Link(16, 10)));
    for (a, b) in
        [("edge0", "aggregation2"), ("edge0", "edge1"), ("edge0", "core0"), ("core2", "aggregation0")]
    {
        assert!(link(a, b).unwrap_err().to_string().contains("no cable between"), "{a} {b}");
    }
}

#[test]
fn a_trace_is_read_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = "traffic = { kind = \"trace\", file = \"m.csv\" }\n";
    let load = |csv: &str| {
        std::fs::write(folder.path().join("m.csv"), csv).unwrap();
        let source = Source { folder: folder.path().to_owned(), ..Source::of_text("plan.toml", text) };
        Plan::load(&source, &[])
            .map(|plan| plan.points[0].traffic.workload.clone())
            .map_err(|e| e.to_string())
    };
    let head = "at,verb,host,peer,bytes\n";
    let one = TraceMessage {
        at: Ps::from_us(2),
        host: 0,
        peer: 15,
        verb: crate::endpoint::Verb::Read,
        bytes: 1 << 20,
    };
    assert_eq!(load(&format!("{head}# first\n2us, read, 0, 15, 1MiB\n")), Ok(Workload::Trace(vec![one])));
    for (line, wanted) in [
        ("2us,read,0,16,1MiB", "line 2: peer: 16 is outside"),
        ("2us,read,3,3,1MiB", "line 2: peer: host 3 sends to itself"),
        ("2us,send,3,4,1MiB", "line 2: verb: \"send\" is not possible"),
        ("2,read,3,4,1MiB", "line 2: at: \"2\" is not understood"),
        ("2us,read,3,4,0", "line 2: bytes: 0 is outside"),
        ("2us,read,3", "m.csv"),
        ("", "has no messages"),
    ] {
        let seen = load(&format!("{head}{line}\n")).unwrap_err();
        assert!(
            seen.starts_with("plan.toml, line 1: traffic.file: ") && seen.contains(wanted),
            "{line}: {seen}"
        );
    }
}

/// Outcomes in which a point has so many bits per second.
fn outcomes(plan: &Plan, goodput: impl Fn(&Point) -> u64) -> Vec<(Point, Outcome)> {
    let of = |point: &Point| Outcome { goodput_bps: goodput(point), ..Outcome::default() };
    plan.points.iter().map(|point| (point.clone(), of(point))).collect()
}

#[test]
fn a_target_is_judged_on_the_worst_of_all_that_it_speaks_of() {
    let text = format!(
        "{BASE}[variant.a]\n[variant.b]\n[variant.c]\n[[sweep]]\nvariant = [\"a\", \"b\", \"c\"]\nloss.rate = [0, 0.01]\n\
         topology.planes = [1, 4]\n\
         [[target]]\nname = \"kept\"\nmeasure = \"goodput\"\nof = {{ variant = \"a\", loss.rate = 0.01 }}\nper.loss.rate = 0\n\
         want = \">= 0.9\"\n\
         [[target]]\nname = \"above\"\nmeasure = \"goodput\"\nof.variant = \"a\"\nper.variant = [\"b\", \"c\"]\nwant = \"> 1\"\n\
         [[target]]\nname = \"linear\"\nmeasure = \"goodput\"\nof = {{ variant = \"a\", topology.planes = 4 }}\n\
         per.topology.planes = 1\nscaled_by = \"topology.planes\"\nwant = \">= 0.98\"\n"
    );
    let plan = load(&text).unwrap();
    let goodput = |point: &Point| {
        let lossy = point.loss.rate.billionths() > 0;
        let planes = u64::from(point.fabric.planes);
        match (point.variant(), lossy, planes) {
            ("a", true, 4) => 360,
            ("a", true, _) => 95,
            ("a", false, _) => 100 * planes,
            ("b", _, _) => 50 * planes,
            (_, _, 4) => 300,
            _ => 10,
        }
    };
    let done = outcomes(&plan, goodput);
    let judged: Vec<_> = plan.targets.iter().map(|target| target.judge(&done)).collect();
    let at = [
        "plan.toml/a/rate=0.01/planes=4",
        "plan.toml/a/rate=0.01/planes=4",
        "plan.toml/a/rate=0.01/planes=4",
    ];
    let values = [0.9, 1.2, 360.0 / 380.0];
    for (n, judged) in judged.iter().enumerate() {
        assert_eq!((judged.value, judged.at.as_str()), (Some(values[n]), at[n]), "{}", judged.name);
    }
    assert_eq!(judged.iter().map(|judged| judged.met).collect::<Vec<_>>(), [true, true, false]);
}

#[test]
fn a_value_that_is_no_number_meets_no_target() {
    let text = format!(
        "{BASE}topology.planes = 4\nfault = [{{ at = \"1ms\", until = \"2ms\" }}]\n\
         [[target]]\nname = \"t\"\nmeasure = \"through-fault\"\nwant = \">= 0\"\n"
    );
    let plan = load(&text).unwrap();
    let judged = plan.targets[0].judge(&outcomes(&plan, |_| 0));
    assert_eq!((judged.value, judged.met), (None, false));
    // 4 planes of 10 per step, 3 while one is away, 200 us for that to settle, and a step of the recovery at
    // 9.
    let series = |n: usize| -> Vec<u64> {
        (0..40).map(|step| if n == 1 && (10..21).contains(&step) { 0 } else { 10 }).collect()
    };
    let outcome = Outcome {
        duration_ps: 4_000_000_000,
        interval_ps: 100_000_000,
        plane_bytes: (0..4).map(series).collect(),
        ..Outcome::default()
    };
    let done = [(plan.points[0].clone(), outcome)];
    let judged = plan.targets[0].judge(&done);
    assert_eq!((judged.value, judged.met), (Some(1.0), true));
}
