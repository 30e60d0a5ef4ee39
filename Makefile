# Every target sets the machine up by itself (tools/setup.sh) and then runs with the pinned Python tools first on PATH.
SHELL := /bin/bash
export PATH := $(CURDIR)/target/venv/bin:$(PATH)

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

HISTORIES ?= 20000
.PHONY: histories
histories: setup ## random histories of the paths, 20,000 of each of three kinds
	COUNT=$(HISTORIES) cargo test --release -p heddle-model --test histories -- --nocapture

MUTANT_DESIGNS ?= prim_fifo,prim_skid,icrc,parse,rx_hold,rx_conn,rx_access,rx_path,rx_verdict,tx_path
MUTANT_COUNT ?= 20
.PHONY: mutants
mutants: setup ## faults put into the Verilog, one at a time: do the tests notice?
	cargo run -p heddle-testbench --bin mutants -- --modules $(MUTANT_DESIGNS) --count $(MUTANT_COUNT)

N ?= 20
SEED ?= 1
.PHONY: fuzz-emit
fuzz-emit: setup ## random kernels through the emitter, against two simulators
	cargo run -p heddle-emit --example fuzz -- --seed $(SEED) --kernels $(N)

# make report REPORT="--blocks rx_path --seeds 1" narrows it.
REPORT ?= --config gbe --speed 6,8 --seeds 3
.PHONY: report
report: setup ## resources and speed of the blocks on an ECP5-85
	cargo run --quiet -- board report $(REPORT) --cache target/report --json target/report.json
