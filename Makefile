# Every target sets the machine up by itself (tools/setup.sh) and then runs with the pinned Python tools first on PATH.
SHELL := /bin/bash
export PATH := $(CURDIR)/target/venv/bin:$(PATH)

SEED ?= 1

.PHONY: help
help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.PHONY: setup
setup: ## install what the other targets need
	@tools/setup.sh

.PHONY: test
test: setup ## formatting, lints and every test
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo test --workspace

# make demo FILE=photo.jpg moves a file of yours; SEED=7 has other packets lost.
DEMO ?= target/demo
BYTES ?= 1MiB
.PHONY: demo
demo: setup ## a file through two Verilated cores over a lossy multiplane network
	cargo run --quiet -- cosim --config gbe --planes 4 --paths 4 --loss 0.01 --ack-loss 0.01 --seed $(SEED) \
		$(if $(FILE),--file "$(FILE)",--workload write --bytes $(BYTES)) --out $(DEMO)
	@echo "Verilog, waveform, capture and figures: $(DEMO)"
	@cd $(DEMO) && ls -d verilog wave.vcd capture.pcapng report.json

# make sim PLAN=mine.toml; an interrupted one goes on where it stopped.
PLAN ?= headline
.PHONY: sim
sim: setup ## clusters on a simulated fabric: tables and a page of figures
	cargo run --quiet --release -- sim $(PLAN) --seed $(SEED) --out target/sim --report target/sim/report

# Beside the rest: the feature makes much be built again.
.PHONY: test-mpi
test-mpi: ## points of a plan on four ranks of an MPI job
	@tools/setup.sh mpi
	cargo clippy -p heddle-sim --features mpi --all-targets -- -D warnings
	cargo test --features mpi --test sim_mpi

# The figures of docs/sensitivity.md; an interrupted run goes on where it stopped.
.PHONY: sensitivity
sensitivity: setup ## what depends on the constants of the protocol, as figures in docs/figures/sensitivity
	cargo run --quiet --release -- sim sensitivity --seed $(SEED) --out target/sim --figures docs/figures/sensitivity --csv target/sensitivity.csv

.PHONY: speed
speed: setup ## how fast two whole cores simulate, three runs
	cargo build --quiet --release
	@for run in 1 2 3; do target/release/heddle cosim --config gbe --planes 4 --paths 4 --loss 0.01 --ack-loss 0.01 \
		--seed $$run --workload write --bytes 8MiB | grep simulation || exit 1; done

# Instrumented with what stable Rust has; what the fuzzer finds worth keeping is added to the corpus, which `make test` runs again.
FUZZ := software-model/fuzz
FUZZ_SECONDS ?= 600
FUZZ_FLAGS := -C passes=sancov-module -C codegen-units=1 $(addprefix -C llvm-args=-sanitizer-coverage-,level=4 \
	inline-8bit-counters pc-table trace-compares)
.PHONY: fuzz
fuzz: setup ## an endpoint of the model against programs of bytes, ten minutes, guided by coverage
	RUSTFLAGS="$(FUZZ_FLAGS)" cargo build --release --manifest-path $(FUZZ)/Cargo.toml --target-dir target/fuzzing \
		--target $(shell rustc -vV | sed -n 's/host: //p')
	mkdir -p target/fuzzing/found
	target/fuzzing/*/release/endpoint target/fuzzing/found $(FUZZ)/corpus/endpoint -max_total_time=$(FUZZ_SECONDS) \
		-max_len=2000 -len_control=20 -artifact_prefix=target/fuzzing/
	target/fuzzing/*/release/endpoint -set_cover_merge=1 $(FUZZ)/corpus/endpoint target/fuzzing/found

HISTORIES ?= 20000
.PHONY: histories
histories: setup ## random histories, 20,000 of each of three kinds of paths and of whole cores
	COUNT=$(HISTORIES) cargo test --release -p heddle-model --test histories -- --nocapture
	COUNT=$(HISTORIES) cargo test --release -p heddle-model --test whole histories -- --nocapture

MUTANT_DESIGNS ?= prim_fifo,prim_skid,icrc,parse,rx_hold,rx_conn,rx_access,rx_path,rx_verdict,rx_msg,tx_path,tx_sched,tx_rto
MUTANT_COUNT ?= 20
.PHONY: mutants
mutants: setup ## faults put into the Verilog, one at a time: do the tests notice?
	cargo run -p heddle-testbench --bin mutants -- --modules $(MUTANT_DESIGNS) --count $(MUTANT_COUNT)

N ?= 20
.PHONY: fuzz-emit
fuzz-emit: setup ## random kernels through the emitter, against two simulators
	cargo run -p heddle-emit --example fuzz -- --seed $(SEED) --kernels $(N)

# make report REPORT="--blocks rx_path --seeds 1" narrows it.
REPORT ?= --config gbe --blocks parse,icrc,rx_path,tx_path,core --speed 6,8 --seeds 3
.PHONY: report
report: setup ## resources and speed of the blocks on an ECP5-85
	cargo run --quiet -- board report $(REPORT) --cache target/report --json target/report.json
