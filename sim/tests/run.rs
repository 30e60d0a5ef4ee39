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
