//! The generated accessors: widths, wide words, probes, power-on, waveforms, threads.

use heddle_testbench::duts::DemoFifo;
use heddle_testbench::{wave, Dut, PortInfo};

fn push(dut: &mut DemoFifo, data: [u32; 4], last: bool) {
    dut.set_in_valid(true);
    dut.set_in_data(&data);
    dut.set_in_last(last);
    dut.tick();
    dut.set_in_valid(false);
}

#[test]
fn a_hundred_bit_beat_crosses_with_the_step_added() {
    let mut dut = DemoFifo::new();
    dut.reset(2);
    dut.set_step(3);
    push(&mut dut, [0xffff_fffe, 2, 3, 0xf], true);
    dut.eval();
    assert!(dut.out_valid() && dut.out_last());
    assert_eq!(dut.out_data(), &[1, 3, 3, 0xf]);
    assert_eq!((dut.beats(), dut.cycle()), (1, 3));
}

#[test]
fn outputs_follow_inputs_within_the_cycle_after_eval() {
    let mut dut = DemoFifo::new();
    dut.reset(1);
    dut.set_fault(0);
    dut.eval();
    assert!(dut.in_ready() && !dut.out_valid());
    (0..4).for_each(|i| push(&mut dut, [i, 0, 0, 0], false));
    dut.eval();
    assert!(!dut.in_ready(), "four beats fill it");
}

#[test]
fn probes_read_signals_inside_an_instance() {
    let mut dut = DemoFifo::new();
    dut.reset(1);
    (0..3).for_each(|i| push(&mut dut, [i, 0, 0, 0], false));
    assert_eq!((dut.probe_store_count(), dut.probe_store_head()), (3, 0));
    dut.set_out_ready(true);
    dut.tick();
    assert_eq!((dut.probe_store_count(), dut.probe_store_head()), (2, 1));
}

#[test]
#[should_panic(expected = "step has 7 bits, got 80")]
fn a_value_too_wide_for_its_port_is_refused() {
    DemoFifo::new().set_step(0x80);
}

#[test]
#[should_panic(expected = "in_data has 100 bits")]
fn a_wide_value_too_wide_for_its_port_is_refused() {
    DemoFifo::new().set_in_data(&[0, 0, 0, 0x10]);
}

#[test]
fn power_on_state_is_random_and_repeats_with_its_seed() {
    let counts = |seed| {
        let mut dut = DemoFifo::power_on(seed);
        dut.eval();
        (dut.beats(), *dut.out_data())
    };
    let states: Vec<_> = (0..8).map(|i| counts(2 * i + 1)).collect();
    assert_eq!(states, (0..8).map(|i| counts(2 * i + 1)).collect::<Vec<_>>());
    assert!(states.iter().any(|s| *s != states[0]), "uninitialised registers vary: {states:x?}");
}

#[test]
fn noise_fills_a_links_payload_within_its_width_and_leaves_the_handshake() {
    use rand::SeedableRng;
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut dut = DemoFifo::new();
    dut.set_step(5);
    let mut seen = [0; 4];
    for _ in 0..200 {
        dut.noise("in_", &mut rng);
        assert!(!dut.in_valid() && dut.step() == 5);
        seen.iter_mut().zip(dut.in_data()).for_each(|(all, word)| *all |= word);
    }
    assert_eq!(seen, [u32::MAX, u32::MAX, u32::MAX, 0xf]);
}

#[test]
fn a_waveform_holds_the_window_and_nothing_else() {
    let path = wave::folder().unwrap().join("accessors-window.vcd");
    let mut dut = DemoFifo::new();
    dut.trace(&path, 10..20);
    dut.set_rst(true);
    (0..40).for_each(|_| dut.tick());
    let text = std::fs::read_to_string(&path).unwrap();
    let times: Vec<u64> = text.lines().filter_map(|l| l.strip_prefix('#')?.parse().ok()).collect();
    assert_eq!((times[0], times[times.len() - 1], times.len()), (100, 195, 20));
    assert!(text.contains(" store ") && text.contains("out_data"), "the whole hierarchy is written");
}

#[test]
fn many_threads_run_their_own_models_and_agree() {
    let run = || {
        let mut dut = DemoFifo::new();
        dut.reset(1);
        dut.set_in_valid(true);
        dut.set_out_ready(true);
        (0..20_000).for_each(|i: u32| {
            dut.set_in_data(&[i, 0, 0, 0]);
            dut.tick();
        });
        (*dut.out_data(), dut.beats())
    };
    let alone = run();
    let threads: Vec<_> = (0..8).map(|_| std::thread::spawn(run)).collect();
    threads.into_iter().for_each(|t| assert_eq!(t.join().unwrap(), alone));
    let moved = DemoFifo::new();
    let mut back = std::thread::spawn(move || {
        let mut dut = moved;
        dut.reset(3);
        dut
    })
    .join()
    .unwrap();
    back.tick();
    assert_eq!(back.cycle(), 4);
}

#[test]
fn the_port_table_lists_names_widths_and_directions() {
    let data = DemoFifo::PORTS.iter().find(|p| p.name == "in_data");
    assert_eq!(data, Some(&PortInfo { name: "in_data", width: 100, input: true }));
    assert_eq!(DemoFifo::PORTS.len(), 13);
}
