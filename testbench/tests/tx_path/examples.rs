//! The worked examples of docs/blocks/tx-path.md, made by hand from the rules, on the engine.

use super::offer;
use heddle_model::map::RingMap;
use heddle_model::tx::path::{TxOp, TxPathIn, TxPathOut};
use heddle_testbench::duts::TxPath;
use heddle_testbench::monitors::tx_path::result;
use heddle_testbench::Dut;
use heddle_wire::{Psn, Time32};

const DOC: &str = include_str!("../../../docs/blocks/tx-path.md");
/// Any path: the examples speak of one.
const PATH: u16 = 41;

fn hex(text: &str) -> u32 {
    u32::from_str_radix(text, 16).unwrap_or_else(|_| panic!("`{text}` is no hexadecimal number"))
}

fn operation(text: &str) -> TxPathIn {
    let mut words = text.split_whitespace();
    let op = match words.next() {
        Some("ACK") => TxOp::Ack,
        Some("RESEND") => TxOp::Resend,
        Some("EXPIRE") => TxOp::Expire,
        Some("VOLUNTARY") => TxOp::Voluntary,
        Some("VOLUNTARY_TIMEOUT") => TxOp::VoluntaryTimeout,
        Some("DEAD") => TxOp::Dead,
        Some("SENT") => TxOp::Sent,
        Some("INIT") => TxOp::Init,
        other => panic!("operation {other:?}"),
    };
    let mut input = TxPathIn { op, path: PATH, ..TxPathIn::default() };
    for word in words {
        let (name, value) = word.split_once('=').expect("name=value");
        match name {
            "cum" => input.cum = Psn::new(hex(value)),
            "high" => input.high = Psn::new(hex(value)),
            "route" => input.route = hex(value) as u8,
            "ts" => input.ts = Time32::new(hex(value)),
            "now" => input.now = Time32::new(hex(value)),
            "reorder" => input.reorder = hex(value) as u8,
            "sack" => {
                let members = value.trim_matches(['{', '}']).split(',').filter(|psn| !psn.is_empty());
                input.sack = RingMap::default();
                members.for_each(|psn| input.sack.set(Psn::new(hex(psn))));
            }
            _ => panic!("argument {word}"),
        }
    }
    input
}

fn field(out: &TxPathOut, name: &str) -> u32 {
    match name {
        "ok" => out.ok.into(),
        "bad" => out.bad as u32,
        "base" => out.base.get(),
        "next" => out.next.get(),
        "route" => out.route.into(),
        "psn" => out.psn.expect("a psn").get(),
        "newly" => out.newly.into(),
        "inflight" => out.inflight.into(),
        "waiting" => out.waiting.into(),
        "lost" => out.lost.into(),
        _ => panic!("result {name}"),
    }
}

fn perform(dut: &mut TxPath, op: &TxPathIn) -> TxPathOut {
    let mut words = op.sack.words().to_vec();
    words.truncate(if op.op == TxOp::Ack { 4 } else { 0 });
    for word in words {
        dut.set_sk_valid(true);
        dut.set_sk_word(word);
        dut.eval();
        assert!(dut.sk_ready());
        dut.tick();
    }
    dut.set_sk_valid(false);
    offer(dut, op);
    for _ in 0..40 {
        dut.eval();
        let done = dut.out_valid().then(|| result(&*dut));
        let taken = dut.in_ready();
        dut.tick();
        if let Some(out) = done {
            return out;
        }
        dut.set_in_valid(dut.in_valid() && !taken);
    }
    panic!("no result of {op:?}");
}

#[test]
fn worked_examples_hold() {
    let blocks: Vec<&str> = DOC.split("```golden tx-path\n").skip(1).collect();
    let (mut lines, mut compared) = (0, 0);
    for block in &blocks {
        let mut dut = TxPath::new();
        dut.reset(2);
        for line in block.split("```").next().expect("an end").lines() {
            let (input, wanted) = line.split_once(" -> ").unwrap_or_else(|| panic!("no result in `{line}`"));
            let out = perform(&mut dut, &operation(input));
            for want in wanted.split_whitespace() {
                let (name, value) = want.split_once('=').expect("name=value");
                assert_eq!(field(&out, name), hex(value), "{name} of `{line}`: {out:x?}");
                compared += 1;
            }
            lines += 1;
        }
    }
    assert_eq!((blocks.len(), lines), (6, DOC.lines().filter(|line| line.contains("now=")).count()));
    assert!(compared > 2 * lines, "{compared} values in {lines} lines");
}
