//! What Heddle is compared with, on whole fabrics: each is good where it is at home, and fails where it must.

use heddle_sim::outcome::Outcome;
use heddle_sim::plan::Point;
use heddle_sim::run::run;

const RED: &str = "ecn = 'red'\necn_from = '100KiB'\necn_to = '400KiB'\necn_probability = 0.2";
const PFC: &str = "pfc = true\nshared = true\nbuffer = '16MiB'";
const LEAF_SPINE: &str = "kind = 'leaf-spine'\nhosts = 32\nhosts_per_leaf = 8";

/// Runs a point; everything must be delivered, and every packet be accounted for.
fn outcome(topology: &str, traffic: &str, loss: f64, switch: &str, transport: &str) -> Outcome {
    let text = format!(
        "[traffic]\n{traffic}\n[loss]\nrate = {loss}\n[switch]\n{RED}\n{switch}\n[transport]\n{transport}\n\
         [topology]\n{topology}\n"
    );
    let outcome = run(&Point::parse(&text).expect(&text)).expect(&text);
    let us = outcome.duration_ps / 1_000_000;
    println!("{transport}, {switch}, loss {loss}: {us} us, {:?}", outcome.transport);
    assert!(outcome.packets.is_conserved(), "{text}{:?}", outcome.packets);
    assert_eq!((outcome.delivered, outcome.failed), (outcome.messages, 0), "{text}");
    outcome
}

/// Part of what hosts could have sent: 100 Gb/s each.
fn share(outcome: &Outcome, hosts: u64) -> f64 {
    outcome.goodput_bps as f64 / (hosts * 100_000_000_000) as f64
}

/// 4,096 of 4,178 bytes are the message's: 0.980. A ring has one step after the other, with its round trip.
#[test]
fn roce_without_loss_is_near_line_rate_with_pfc_and_without() {
    let traffic = "kind = 'permutation'\nbytes = '8MiB'";
    for switch in [PFC, "priority = false", "priority = true"] {
        let one_switch = outcome("kind = 'single'\nhosts = 32", traffic, 0.0, switch, "kind = 'roce'");
        assert!((0.965..0.981).contains(&share(&one_switch, 32)), "{switch}: {}", share(&one_switch, 32));
        assert_eq!(one_switch.transport.data_resent, 0);
    }
    let traffic = "kind = 'ring-all-reduce'\nbytes = '8MiB'";
    let ring = outcome(LEAF_SPINE, traffic, 0.0, PFC, "kind = 'roce'");
    assert!(share(&ring, 32) > 0.88, "{}", share(&ring, 32));
    assert_eq!(ring.transport.data_resent, 0);
}

#[test]
fn an_incast_without_pfc_drops_and_goes_back_and_with_pfc_it_pauses() {
    let topology = "kind = 'single'\nhosts = 33";
    let traffic = "kind = 'incast'\nsenders = 32\nbytes = '512KiB'";
    let lossless = "pfc = true\nbuffer = '512KiB'\npfc_xoff = '40KiB'";
    let plain = "kind = 'roce'\ndcqcn = false";
    let dropped = outcome(topology, traffic, 0.0, "buffer = '512KiB'", plain);
    let paused = outcome(topology, traffic, 0.0, lossless, plain);
    assert!(dropped.packets.drops["buffer"] > 0);
    assert!(dropped.transport.data_resent > dropped.packets.drops["buffer"]);
    assert_eq!((paused.packets.drops["buffer"], paused.transport.data_resent), (0, 0));
    assert!(paused.pauses > 0 && paused.duration_ps < dropped.duration_ps);
    // DCQCN's CNPs keep the queue from standing where the pauses begin.
    let marked = outcome(topology, traffic, 0.0, lossless, "kind = 'roce'");
    assert!(marked.ce_marked > 0 && marked.pauses < paused.pauses, "{} {}", marked.pauses, paused.pauses);
}

/// 300 senders with 512 KiB of buffer: most of what they send at once is dropped, and nobody gives up.
#[test]
fn a_large_incast_ends_for_everybody() {
    let topology = "kind = 'single'\nhosts = 301";
    let traffic = "kind = 'incast'\nsenders = 300\nbytes = '64KiB'";
    for transport in ["kind = 'roce'", "kind = 'irn'"] {
        let dropped = outcome(topology, traffic, 0.0, "buffer = '512KiB'", transport);
        assert!(dropped.packets.drops["buffer"] > 1_000, "{transport}");
    }
    let paused = outcome(topology, traffic, 0.0, PFC, "kind = 'roce'");
    assert_eq!((paused.packets.drops["buffer"], paused.transport.expiries), (0, 0));
    assert!(paused.goodput_bps > 95_000_000_000, "{}", paused.goodput_bps);
}

#[test]
fn reads_are_answered_through_drops_too() {
    let topology = "kind = 'single'\nhosts = 17";
    let traffic = "kind = 'reads'\nfan_in = 16\nbytes = '512KiB'";
    for transport in ["kind = 'roce'", "kind = 'irn'"] {
        let outcome = outcome(topology, traffic, 0.01, "buffer = '256KiB'", transport);
        assert_eq!(outcome.delivered_bytes, 16 << 19);
        assert!(outcome.packets.drops["buffer"] > 0 && outcome.transport.data_resent > 0);
    }
}

#[test]
fn loss_of_a_hundredth_costs_go_back_n_much_and_selective_repeat_little() {
    let traffic = "kind = 'permutation'\nbytes = '32MiB'";
    let goodput = |transport, loss| {
        outcome("kind = 'single'\nhosts = 16", traffic, loss, "", transport).goodput_bps as f64
    };
    let [roce, irn] = ["kind = 'roce'", "kind = 'irn'"]
        .map(|transport| [0.01, 0.1].map(|loss| goodput(transport, loss) / goodput(transport, 0.0)));
    println!("of its own goodput without loss at 1 and 10 %: RoCE {roce:.3?}, IRN {irn:.3?}");
    assert!(roce[0] < 0.75 && roce[1] < 0.1, "{roce:?}");
    assert!(irn[0] > 0.93 && irn[1] > 0.75, "{irn:?}");
}

/// Several flows share a link between switches, and the slowest sets the pace; sprayed, the load is even.
#[test]
fn a_queue_pair_has_one_way_and_spraying_has_all() {
    let traffic = "kind = 'permutation'\nbytes = '8MiB'";
    let share_of = |transport| share(&outcome(LEAF_SPINE, traffic, 0.0, "buffer = '4MiB'", transport), 32);
    let (one, sprayed) = (share_of("kind = 'roce'\ndcqcn = false"), share_of("kind = 'irn'\ndcqcn = false"));
    assert!(one < 0.55, "{one}");
    assert!(sprayed > 0.9, "{sprayed}");
}

#[test]
fn a_plane_that_fails_takes_only_time_where_carrier_shows_it() {
    let topology = "kind = 'single'\nhosts = 4\nplanes = 4\n\
                    [[fault]]\nat = '500us'\nuntil = '1500us'\nplane = 1";
    let traffic = "kind = 'permutation'\nbytes = '64MiB'";
    for transport in ["kind = 'roce'\nqps = 4", "kind = 'irn'"] {
        let outcome = outcome(topology, traffic, 0.0, "", transport);
        assert!(outcome.packets.drops["link"] > 0, "{transport}");
        // On three planes all the time it would take 1.84 ms and what is sent again.
        assert!(outcome.duration_ps < 3_500_000_000, "{transport}: {}", outcome.duration_ps);
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for transport in ["kind = 'roce'\nqps = 4", "kind = 'irn'"] {
        let run = || outcome(LEAF_SPINE, "kind = 'all-to-all'\nbytes = '64KiB'", 0.02, PFC, transport);
        assert_eq!(run(), run(), "{transport}");
    }
}
