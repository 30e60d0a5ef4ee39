//! Points of plans, run.

use heddle_sim::plan::Point;
use heddle_sim::run::run;

/// Traffic of every kind that a plan can ask for ends, on every shape.
#[test]
fn every_traffic_ends_with_everything_delivered_on_every_shape() {
    let shapes = [
        "kind = 'single'\nhosts = 12",
        "kind = 'leaf-spine'\nhosts = 12\nhosts_per_leaf = 4\noversubscription = '2:1'",
        "kind = 'fat-tree'\nhosts = 16\nplanes = 2",
    ];
    let traffics = [
        ("kind = 'ring-all-reduce'\nbytes = '240KiB'\nmessages = 2\nconnections = 2", 2 * 12 * 22 * 2),
        ("kind = 'tree-all-reduce'\nbytes = '100KiB'\nmessages = 3", 3 * 22),
        ("kind = 'all-to-all'\nbytes = '30KiB'\nmessages = 2", 2 * 12 * 11),
        ("kind = 'permutation'\nbytes = '300KiB'\nconnections = 3", 3 * 12),
        ("kind = 'incast'\nsenders = 11\nbytes = '200KiB'\nspread = '5us'", 11),
        ("kind = 'reads'\nreaders = 3\nfan_in = 5\nbytes = '100KiB'", 15),
    ];
    for shape in shapes {
        for (traffic, messages) in traffics {
            let hosts = if traffic.contains("incast") { "" } else { "\nhosts = 12" };
            let text = format!("[topology]\n{shape}\n[traffic]\n{traffic}{hosts}\n[loss]\nrate = 0.01\n");
            let outcome = run(&Point::parse(&text).expect(&text)).expect(&text);
            assert_eq!((outcome.messages, outcome.delivered), (messages, messages), "{text}");
            assert!(outcome.packets.is_conserved(), "{text}{:?}", outcome.packets);
            assert!(outcome.packets.drops["chance"] > 0, "{text}");
        }
    }
}

/// An incast on every kind of switch that a plan can ask for.
#[test]
fn every_kind_of_switch_brings_an_incast_to_its_end_and_pfc_drops_nothing_of_it() {
    let (mut runs, mut paused) = (0, 0);
    let kinds = [true, false].map(|priority| {
        ["buffer = '400KiB'", "shared = true\nbuffer = '1MiB'"].map(|memory| {
            ["", "pfc = true\npfc_headroom = '80KiB'", "pfc = true"]
                .map(|pfc| ["ecmp", "spray", "adaptive"].map(|routing| (priority, memory, pfc, routing)))
        })
    });
    for &(priority, memory, pfc, routing) in kinds.as_flattened().as_flattened().as_flattened() {
        let text = format!(
            "[topology]\nkind = 'leaf-spine'\nhosts = 12\nhosts_per_leaf = 4\n\
             [traffic]\nkind = 'incast'\nsenders = 11\nbytes = '400KiB'\n[transport]\nwindow = 20\n\
             [switch]\necn = 'off'\n{memory}\n{pfc}\npriority = {priority}\nrouting = '{routing}'\n"
        );
        let outcome = run(&Point::parse(&text).expect(&text)).expect(&text);
        assert_eq!((outcome.messages, outcome.delivered), (11, 11), "{text}");
        assert!(outcome.packets.is_conserved(), "{text}{:?}", outcome.packets);
        if !pfc.is_empty() {
            assert_eq!(outcome.packets.drops["buffer"], 0, "{text}");
        }
        paused += u64::from(outcome.pauses > 0);
        runs += 1;
    }
    assert_eq!(runs, 2 * 2 * 3 * 3);
    assert!(paused >= 12, "{paused} of {runs} runs with pauses");
}

#[test]
fn pfc_that_does_not_fit_its_buffer_is_refused() {
    let refused = |switch: &str| {
        let text =
            format!("[switch]\npfc = true\n{switch}\n[topology]\ndelay = '1us'\n[traffic]\nbytes = '1KiB'\n");
        run(&Point::parse(&text).expect(&text)).expect_err(&text).to_string()
    };
    let small = refused("buffer = '20KiB'");
    assert!(small.starts_with("switch.buffer of 20480 bytes is too small for PFC: "), "{small}");
    let xon = "switch.pfc_xon is without effect in a shared buffer without switch.pfc_xoff: leave it out";
    assert_eq!(refused("shared = true\npfc_xon = '10KiB'"), xon);
}

#[test]
fn background_traffic_takes_its_part_of_every_cable() {
    let run = |load: &str| {
        let text = format!(
            "[topology]\nhosts = 8\nplanes = 2\n[traffic]\nkind = 'permutation'\nbytes = '4MiB'\n{load}"
        );
        run(&Point::parse(&text).expect(&text)).expect(&text)
    };
    let (free, loaded) = (run(""), run("[background]\nload = 0.3\n"));
    assert_eq!((free.packets.background, free.delivered, loaded.delivered), (0, 8, 8));
    // 16 ports, 0.3 of their rate.
    let rate = 16.0 * 0.3 * 100e9 / 8.0 / 1_500.0;
    let expected = loaded.duration_ps as f64 * 1e-12 * rate;
    let background = loaded.packets.background as f64;
    assert!((background - expected).abs() < 5.0 * expected.sqrt() + 1.0, "{background} of {expected}");
    assert!(loaded.packets.is_conserved());
    assert!(loaded.duration_ps > free.duration_ps * 5 / 4, "{} {}", loaded.duration_ps, free.duration_ps);
}

/// 16 connections of a host that start together and spray over eight planes use 0.888 of the ports. Where a full port held up all others it
/// was 0.815; where first paths were all on plane 0 as well, 0.361; and without the former alone, planes were used unequally.
#[test]
fn sixteen_connections_of_a_host_fill_eight_planes() {
    let text = "[topology]\nhosts = 8\nplanes = 8\n[traffic]\nkind = 'permutation'\nconnections = 16\nbytes = '1MiB'\n";
    let outcome = run(&Point::parse(text).expect(text)).expect(text);
    assert_eq!((outcome.delivered, outcome.failed), (8 * 16, 0));
    let used = outcome.goodput_bps as f64 / (8.0 * 8.0 * 100e9);
    assert!(used > 0.85, "{used:.3} of the ports");
    let planes: Vec<u64> = outcome.plane_bytes.iter().map(|steps| steps.iter().sum()).collect();
    let (least, most) = (planes.iter().min().unwrap(), planes.iter().max().unwrap());
    assert!(planes.len() == 8 && 10 * least > 9 * most, "{planes:?}");
}

#[test]
fn a_plane_that_fails_in_silence_costs_packets_and_no_message() {
    for silent in [false, true] {
        let text = format!(
            "[topology]\nhosts = 8\nplanes = 2\n[traffic]\nkind = 'permutation'\nbytes = '4MiB'\n\
             [[fault]]\nat = '50us'\nuntil = '5ms'\nplane = 1\nsilent = {silent}\n"
        );
        let outcome = run(&Point::parse(&text).expect(&text)).expect(&text);
        assert_eq!((outcome.delivered, outcome.failed), (8, 0), "{text}");
        assert!(outcome.packets.is_conserved() && outcome.packets.drops["link"] > 0, "{:?}", outcome.packets);
    }
}

#[test]
fn hosts_that_drain_slowly_are_the_bottleneck_and_lose_nothing_where_they_can_pause() {
    let run = |switch: &str| {
        let text = format!(
            "[topology]\nhosts = 8\nplanes = 2\ndrain = '50G'\n[switch]\necn = 'off'\n{switch}\n\
             [traffic]\nkind = 'permutation'\nbytes = '8MiB'\n[transport]\nwindow = 60\n"
        );
        run(&Point::parse(&text).expect(&text)).expect(&text)
    };
    for (switch, pauses) in [("", false), ("pfc = true", true)] {
        let outcome = run(switch);
        assert_eq!((outcome.delivered, outcome.failed), (8, 0));
        assert!(outcome.packets.is_conserved(), "{:?}", outcome.packets);
        // 8 MiB at 50 Gb/s are 1,342 us, and a header goes with every slice.
        assert!(outcome.duration_ps > 1_342_000_000, "{}", outcome.duration_ps);
        assert_eq!(outcome.pauses > 0, pauses, "{switch}: {} pauses", outcome.pauses);
        assert_eq!(outcome.packets.drops["host"] > 0, !pauses, "{:?}", outcome.packets);
    }
}

/// Round trips of 10 ms, as between sites: no timer is below them.
#[test]
fn between_sites_nothing_is_sent_twice_and_windows_are_what_bounds_goodput() {
    let text = "end = '1s'\n[topology]\nhosts = 2\ndelay = '2500us'\n[traffic]\nbytes = '64MiB'\n";
    let outcome = run(&Point::parse(text).expect(text)).expect(text);
    let transport = &outcome.transport;
    assert_eq!((outcome.delivered, outcome.failed), (2, 0));
    assert_eq!((transport.data_sent, transport.data_resent, transport.expiries), (32_768, 0, 0));
    // An announcement; from 256 packets in flight to 4,096 in four doublings; then 4,096 in each round trip.
    let round_trips = outcome.duration_ps / 10_000_000_000;
    assert_eq!(round_trips, 8, "{} us", outcome.duration_ps / 1_000_000);
}

/// Ports of 25 Gb/s beside those of 100: who sends to them is told so, and they are used up.
#[test]
fn hosts_of_other_rates_are_filled_and_flooded_by_nobody() {
    let text = "[topology]\nhosts = 4\nslow_hosts = 1\nslow_rate = '25G'\n\
                [traffic]\nkind = 'reads'\nhosts = 4\nreaders = 4\nfan_in = 1\nbytes = '8MiB'\n";
    let outcome = run(&Point::parse(text).expect(text)).expect(text);
    assert_eq!((outcome.delivered, outcome.failed), (4, 0));
    assert!(outcome.packets.is_conserved() && outcome.packets.drops["buffer"] == 0, "{:?}", outcome.packets);
    let us = |ps: u64| ps / 1_000_000;
    // 8 MiB take 691 us at 100 Gb/s and 2,762 at 25, headers and all.
    let (fast, slow) = (us(outcome.completion.min_ps), us(outcome.completion.max_ps));
    assert!((691..800).contains(&fast) && (2_762..3_500).contains(&slow), "{fast} us and {slow} us");
    assert!(outcome.max_queue_bytes < 60_000, "{}", outcome.max_queue_bytes);
}
