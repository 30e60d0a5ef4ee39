//! What is committed is what the tables say now, and the program that renders it says when it is not.

use crate::robustness::seed;
use crate::tools::root;
use heddle_wire::field::{Layout, Order, Value};
use heddle_wire::header::{ACK, COMMON, DATA, NAK, PROBE};
use heddle_wire::queues::{COMPLETION, RECEIVE, WORK_REQUEST};
use heddle_wire::setup::{KEY, PATH, REGION, ROUTE, RX_CONNECTION, TX_CONNECTION};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::process::{Command, Output};

#[test]
fn committed_renderings_are_current() {
    let mut checked = 0;
    for rendering in heddle_wire::render::all() {
        let committed = std::fs::read_to_string(root().join(rendering.path)).unwrap_or_default();
        assert!(
            committed == rendering.text,
            "{} is stale: run cargo run -p heddle-wire --bin wire-gen, and commit",
            rendering.path
        );
        checked += 1;
    }
    assert_eq!(checked, 7);
}

fn wire_gen(arguments: &[&str], root: &Path) -> (Output, usize) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-gen"));
    let output = command.args(arguments).arg(root).output().unwrap();
    let lines = output.stdout.iter().filter(|byte| **byte == b'\n').count();
    (output, lines)
}

#[test]
fn the_renderer_writes_what_is_missing_and_checks_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let (output, stale) = wire_gen(&["--check"], folder.path());
    assert_eq!((output.status.code(), stale), (Some(1), 7));
    let (output, written) = wire_gen(&[], folder.path());
    assert_eq!((output.status.code(), written), (Some(0), 7));
    let (output, stale) = wire_gen(&["--check"], folder.path());
    assert_eq!((output.status.code(), stale), (Some(0), 0));
    std::fs::write(folder.path().join("docs/registers.md"), "edited by hand").unwrap();
    let (output, stale) = wire_gen(&["--check"], folder.path());
    assert_eq!((output.status.code(), stale), (Some(1), 1));
    let (output, _) = wire_gen(&["--nonsense"], folder.path());
    assert_eq!(output.status.code(), Some(2));
}

/// The constants of one module of the rendered RTL file: name and value.
fn constants(text: &str, module: &str) -> Vec<(String, usize)> {
    let start = text.find(&format!("pub mod {module} {{\n")).unwrap_or_else(|| panic!("no {module}"));
    let block = text[start..].split("\n}\n").next().unwrap();
    let constant = |line: &str| {
        let (name, value) = line.trim().strip_prefix("pub const ")?.split_once(": usize = ")?;
        Some((name.to_string(), value.trim_end_matches(';').parse().unwrap()))
    };
    block.lines().filter_map(constant).collect()
}

/// Bits `lsb` to `lsb + bits - 1` of a vector given from its least significant byte on.
fn slice(vector: &[u8], lsb: usize, bits: usize) -> Vec<bool> {
    (lsb..lsb + bits).map(|bit| vector[bit / 8] >> (bit % 8) & 1 == 1).collect()
}

/// A vector of random bits is cut by the rendered constants, and the same bytes are read by the table.
#[test]
fn rtl_positions_cut_the_fields_that_the_tables_read() {
    let text = heddle_wire::render::rtl::render();
    let mut rng = ChaCha8Rng::seed_from_u64(seed(71));
    let header = |first_word: usize| (48, 4 * first_word);
    let whole = |layout: &Layout| (layout.bytes(), 0);
    let layouts = [
        (&COMMON, header(0)),
        (&DATA, header(4)),
        (&ACK, header(4)),
        (&NAK, header(4)),
        (&PROBE, header(4)),
        (&WORK_REQUEST, whole(&WORK_REQUEST)),
        (&RECEIVE, whole(&RECEIVE)),
        (&COMPLETION, whole(&COMPLETION)),
        (&RX_CONNECTION, whole(&RX_CONNECTION)),
        (&TX_CONNECTION, whole(&TX_CONNECTION)),
        (&PATH, whole(&PATH)),
        (&ROUTE, whole(&ROUTE)),
        (&REGION, whole(&REGION)),
        (&KEY, whole(&KEY)),
    ];
    let (mut compared, mut left_out) = (0, 0);
    for (layout, (vector_bytes, start)) in layouts {
        let constants = constants(&text, &layout.name.to_lowercase());
        let value = |name: String| constants.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
        let mut bytes = vec![0; vector_bytes];
        rng.fill_bytes(&mut bytes);
        let mut vector = bytes.clone();
        if layout.order == Order::Big {
            vector.reverse(); // the first byte on the wire is the top one of the vector
        }
        for (index, field) in layout.fields.iter().enumerate() {
            let Some(lsb) = value(format!("{}_LSB", field.name.to_uppercase())) else {
                left_out += 1;
                continue;
            };
            let bits = value(format!("{}_BITS", field.name.to_uppercase())).unwrap();
            assert_eq!(bits, usize::from(field.bits));
            let at = 8 * start + layout.offset_of_index(index);
            let mut want = Vec::new();
            for bit in (0..bits).rev() {
                want.push(match layout.order {
                    Order::Big => u8::load(&bytes, at + bit, 1) == 1,
                    Order::Little => slice(&bytes, at + bits - 1 - bit, 1)[0],
                });
            }
            assert_eq!(slice(&vector, lsb, bits), want, "{} {}", layout.name, field.name);
            compared += 1;
        }
    }
    assert_eq!((compared, left_out), (105, 1), "only sack lies partly outside of the vector");
}
