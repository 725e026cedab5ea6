# What people and CI call. Every target installs what it needs (scripts/setup.sh), so a fresh
# Debian 12 with a Rust toolchain is enough.

CARGO ?= cargo
# Seconds for each fuzz target in `make test`; `make fuzz FUZZ_SECONDS=3600` for a night.
FUZZ_SECONDS ?= 15
# Generated programs for `make test-all`, beyond those of `make test`.
SEEDS ?= 2000..20000
# Where cargo builds; it obeys this variable of the environment too.
TARGET = $(or $(CARGO_TARGET_DIR),target)
WW = $(TARGET)/debug/ww
# Models of generated hardware stay in the tree, so that a fresh clone builds its own.
export WW_CACHE ?= $(CURDIR)/target/models

.PHONY: demo test test-all lint bench differential fuzz mutants setup build clean \
	test-rtl test-rtl-quick formal formal-quick clock-rtl lint-rtl lint-emitted mutants-rtl mutants-sched mutants-tpp mutants-phy python

# With optimisation, for the demo measures the engines.
demo: setup
	$(CARGO) build --release -p wirewright-cli
	@sh scripts/demo.sh $(TARGET)/release/ww

test: lint build lint-rtl lint-emitted
	$(CARGO) test --workspace
	python3 scripts/test_programs.py --ww $(WW) --engine interp
	python3 scripts/test_programs.py --ww $(WW) --engine jit
	python3 scripts/published.py --ww $(WW)
	sh scripts/test_python.sh
	$(MAKE) fuzz

test-all: test mutants differential test-rtl formal clock-rtl
	python3 scripts/published.py --ww $(WW) --all
	WW_PIEO_LARGE=1 WW_PIEO_OPERATIONS=1000000 sh scripts/test_rtl.sh rtl/pieo/tests/test_random_operations.py -k many_elements
	WW_MMU_OPERATIONS=1000000 sh scripts/test_rtl.sh rtl/packet_store/tests/test_ww_mmu.py
	WW_PROGRAMS=500 $(CARGO) test -p wirewright-generate --test all hardware:: -- --nocapture
	$(CARGO) test -p wirewright-rtl --test all two_level:: -- --ignored --nocapture
	$(CARGO) test -p wirewright-rtl --test all tpp:: -- --ignored --nocapture
	$(CARGO) test -p wirewright-rtl --test all dtp:: -- --ignored --nocapture
	$(CARGO) test --release -p wirewright-phy -- --ignored
	sh scripts/labs.sh $(WW)
	sh scripts/test_python.sh --wheel
	sh scripts/regenerate_captures.sh --check
	WW_SOAK_SECONDS=60 $(CARGO) test -p wirewright-engine --test soak -- --nocapture
	$(MAKE) fuzz FUZZ_SECONDS=300
	sh scripts/test_dpdk.sh

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	python3 scripts/test_index.py --check
	python3 scripts/mutants.py --check
	python3 scripts/mutants.py --hardware --check
	python3 scripts/mutants.py --scheduler --check
	python3 scripts/mutants.py --tpp --check
	python3 scripts/mutants.py --phy --check
	python3 scripts/check_rtl_tests.py

# The RTL blocks: simulation against models, proofs, lint.
test-rtl: setup
	sh scripts/test_rtl.sh

# What of them runs in `make test`: every module in at least one simulation.
test-rtl-quick: setup
	sh scripts/test_rtl.sh --quick

formal: setup
	sh scripts/formal.sh

# The proofs that end within a minute.
formal-quick: setup
	sh scripts/formal.sh --quick

# The clock that blocks reach alone on an ECP5, as bounds; some minutes each.
clock-rtl: setup
	"$${WW_PYTHON:-target/venv/bin/python3}" scripts/clock_rtl.py --least 135 ww_deparse WIDTH=512 HEADER_BYTES=106 REGISTERED=1
	"$${WW_PYTHON:-target/venv/bin/python3}" scripts/clock_rtl.py --least 95 ww_packet_store

# Designs that the emitter makes, through Yosys and Verilator.
lint-emitted: build
	"$${WW_PYTHON:-target/venv/bin/python3}" scripts/lint_emitted.py $(WW)

lint-rtl: setup
	sh scripts/lint_rtl.sh

# With the tests: their dependencies ask for other features of common packages, and what is built
# without them is built again.
build: setup
	$(CARGO) build --workspace --all-targets

bench: setup
	$(CARGO) build --release --workspace
	sh bench/check_large.sh $(TARGET)/release/ww
	sh bench/run.sh

fuzz: setup
	sh scripts/fuzz.sh $(FUZZ_SECONDS)

# The native engine against the reference engine on generated programs.
differential: setup
	WW_SEEDS=$(SEEDS) $(CARGO) test -p wirewright-generate --test all engines::

# Plants faults in the reference engine and demands that the tests find them; and in the emitter of
# SystemVerilog, in the scheduler and in the TCPU.
mutants: build mutants-rtl mutants-sched mutants-tpp mutants-phy
	python3 scripts/mutants.py

mutants-rtl: setup
	python3 scripts/mutants.py --hardware

mutants-sched: setup
	python3 scripts/mutants.py --scheduler

mutants-tpp: setup
	python3 scripts/mutants.py --tpp

mutants-phy: setup
	python3 scripts/mutants.py --phy

# The Python package, in target/venv.
python: setup
	sh scripts/test_python.sh --install

setup:
	@sh scripts/setup.sh

clean:
	$(CARGO) clean
	rm -rf fuzz/target
