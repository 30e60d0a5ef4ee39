//! The worked examples of the block documents, worked out there by hand, on the model.

use heddle_model::map::RingMap;
use heddle_model::rx::path::{RxOp, RxPathIn, RxPathOut, RxPathRow};
use heddle_model::tx::path::{TxOp, TxPathIn, TxPathOut, TxPathRow};
use heddle_model::{Flags, Psn, Time32};
use std::collections::BTreeMap;
use std::path::Path;

/// `key=value` words; values are hexadecimal numbers or `{set of PSNs}`.
struct Fields<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Fields<'a> {
    fn new(words: impl Iterator<Item = &'a str>) -> Self {
        Self(
            words
                .map(|word| word.split_once('=').unwrap_or_else(|| panic!("{word} is no key=value")))
                .collect(),
        )
    }

    fn take(&mut self, key: &str) -> Option<u32> {
        let value = self.0.remove(key)?;
        Some(u32::from_str_radix(value, 16).unwrap_or_else(|_| panic!("{key}={value} is no number")))
    }

    fn number(&mut self, key: &str) -> u32 {
        self.take(key).unwrap_or(0)
    }

    fn set(&mut self, key: &str) -> Option<RingMap> {
        let value = self.0.remove(key)?;
        let inner = value.strip_prefix('{').and_then(|v| v.strip_suffix('}')).expect("{a,b}");
        let psns = inner
            .split(',')
            .filter(|psn| !psn.is_empty())
            .map(|psn| u32::from_str_radix(psn, 16).expect("a PSN"));
        Some(psns.fold(RingMap::EMPTY, |map, psn| map | RingMap::of(Psn::new(psn))))
    }

    fn finish(self, line: &str) {
        assert!(self.0.is_empty(), "{line}: unknown {:?}", self.0);
    }
}

/// The lines of all blocks ```` ```golden NAME ```` of a block document; each block is a list of (line,
/// input, results).
fn examples(document: &str, name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/blocks").join(document);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let opening = format!("```golden {name}\n");
    let blocks = text.split(&opening).skip(1).map(|rest| rest.split("```").next().expect("a part"));
    blocks.map(|block| block.lines().map(str::to_owned).collect()).collect()
}

fn compare<T: PartialEq + std::fmt::Debug>(line: &str, key: &str, got: T, want: Option<T>) -> usize {
    want.map_or(0, |want| {
        assert_eq!(got, want, "{key} in: {line}");
        1
    })
}

fn split(line: &str) -> (&str, Fields<'_>, Fields<'_>) {
    let (left, right) = line.split_once(" -> ").unwrap_or_else(|| panic!("{line}: no ->"));
    let mut words = left.split_whitespace();
    (words.next().expect("an operation"), Fields::new(words), Fields::new(right.split_whitespace()))
}

fn rx_line(row: &mut RxPathRow, line: &str) -> usize {
    let (op, mut given, mut want) = split(line);
    let op = match op {
        "DATA" => RxOp::Data,
        "PROBE" => RxOp::Probe,
        "LOOK" => RxOp::Look,
        "INIT" => RxOp::Init,
        _ => panic!("{line}: no operation"),
    };
    let out: RxPathOut = row.apply(&RxPathIn {
        op,
        path: 0,
        psn: Psn::new(given.number("psn")),
        ce: given.number("ce") != 0,
        fault: given.number("fault") != 0,
        flags: Flags::from_bits(given.number("flags") as u8),
        ts: Time32::new(given.number("ts")),
        route: given.number("route") as u8,
        now: Time32::new(given.number("now")),
    });
    given.finish(line);
    let class = out.class.map_or(u32::MAX, |class| class as u32);
    let values = [
        ("class", class),
        ("flags", out.flags.bits().into()),
        ("cum", out.cum.get()),
        ("high", out.high.get()),
        ("open", out.open.into()),
        ("close", out.close.into()),
        ("ce", out.ce.into()),
        ("dup", out.dup.into()),
        ("arrivals", out.arrivals.into()),
        ("ts", out.ts.get()),
        ("route", out.route.into()),
        ("at", out.at.get()),
    ];
    let numbers: usize = values.iter().map(|(key, got)| compare(line, key, *got, want.take(key))).sum();
    let compared = numbers + compare(line, "before", out.before, want.set("before"));
    want.finish(line);
    compared
}

fn tx_line(row: &mut TxPathRow, line: &str) -> usize {
    let (op, mut given, mut want) = split(line);
    let op = match op {
        "ACK" => TxOp::Ack,
        "RESEND" => TxOp::Resend,
        "EXPIRE" => TxOp::Expire,
        "VOLUNTARY" => TxOp::Voluntary,
        "VOLUNTARY_TIMEOUT" => TxOp::VoluntaryTimeout,
        "DEAD" => TxOp::Dead,
        "SENT" => TxOp::Sent,
        "INIT" => TxOp::Init,
        _ => panic!("{line}: no operation"),
    };
    let out: TxPathOut = row.apply(&TxPathIn {
        op,
        path: 0,
        cum: Psn::new(given.number("cum")),
        high: Psn::new(given.number("high")),
        route: given.number("route") as u8,
        ts: Time32::new(given.number("ts")),
        now: Time32::new(given.number("now")),
        reorder: given.number("reorder") as u8,
        sack: given.set("sack").unwrap_or(RingMap::EMPTY),
    });
    given.finish(line);
    let values = [
        ("ok", out.ok.into()),
        ("bad", out.bad as u32),
        ("base", out.base.get()),
        ("next", out.next.get()),
        ("route", out.route.into()),
        ("psn", out.psn.map_or(u32::MAX, Psn::get)),
        ("newly", out.newly.into()),
        ("inflight", out.inflight.into()),
        ("waiting", out.waiting.into()),
        ("lost", out.lost.into()),
    ];
    let compared = values.iter().map(|(key, got)| compare(line, key, *got, want.take(key))).sum();
    want.finish(line);
    compared
}

/// Lines of each example, and results given in all of them.
fn size(examples: &[Vec<String>]) -> (Vec<usize>, usize) {
    let results = |line: &String| line.split_whitespace().skip_while(|word| *word != "->").count() - 1;
    (examples.iter().map(Vec::len).collect(), examples.iter().flatten().map(results).sum())
}

// REQ-RX-1, REQ-RX-2, REQ-RX-3, REQ-RX-4, REQ-RX-5.
#[test]
fn the_worked_examples_of_the_receive_path_hold() {
    let examples = examples("rx-path.md", "rx-path");
    let mut compared = 0;
    for lines in &examples {
        let mut row = RxPathRow::default();
        compared += lines.iter().map(|line| rx_line(&mut row, line)).sum::<usize>();
    }
    assert_eq!(size(&examples), (vec![9, 11, 7], compared));
}

// REQ-TX-1 to REQ-TX-11.
#[test]
fn the_worked_examples_of_the_transmit_path_hold() {
    let examples = examples("tx-path.md", "tx-path");
    let mut compared = 0;
    for lines in &examples {
        let mut row = TxPathRow::default();
        compared += lines.iter().map(|line| tx_line(&mut row, line)).sum::<usize>();
    }
    assert_eq!(size(&examples), (vec![16, 11, 31, 11, 17, 22], compared));
}
