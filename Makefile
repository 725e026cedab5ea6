# What people and CI call: names for the phases and groups of scripts/ci.py, which says what they run. Every target
# installs what it needs (scripts/setup.sh), so a fresh Debian 12 with a Rust toolchain is enough.

CARGO ?= cargo
export CARGO
# Seconds for each fuzz target in `make test`; `make fuzz FUZZ_SECONDS=3600` for a night.
FUZZ_SECONDS ?= 15
export FUZZ_SECONDS
# Generated programs for `make differential`, beyond those of `make test`.
SEEDS ?= 2000..20000
export SEEDS
# Where cargo builds; it obeys this variable of the environment too.
TARGET = $(or $(CARGO_TARGET_DIR),target)
# Models of generated hardware stay in the tree, so that a fresh clone builds its own.
export WW_CACHE ?= $(CURDIR)/target/models

# Phases and groups; `scripts/ci.py --list` shows all of them. `test` is what CI runs; `test-all` adds what takes long,
# and can be run in parts: long-hardware, long-software, long-labs, test-rtl, formal, clock-rtl, mutants-...
PHASES = test test-all lint checks clippy build cargo-test unit-test programs published frozen hostile doc fuzz real-time \
	lint-rtl lint-emitted test-rtl-quick formal-quick test-rtl formal clock-rtl long-hardware long-software long-labs differential \
	mutants mutants-engine-1 mutants-engine-2 mutants-rtl mutants-sched mutants-tpp mutants-phy mutants-loaders mutants-silent mutants-fabric mutants-tcp tcp-linux setup

.PHONY: demo bench python clean $(PHASES)

$(PHASES):
	@command -v python3 >/dev/null || sh scripts/setup.sh
	@python3 scripts/ci.py $@

# Builds `ww` as the tests do, so that `make test` after it compiles none of its dependencies again. `--workspace` is for
# that: with one package alone, cargo chooses other features for what packages share.
demo: setup
	$(CARGO) build --workspace --bin ww
	@sh scripts/demo.sh $(TARGET)/debug/ww

bench: setup
	$(CARGO) build --release --workspace
	sh bench/check_large.sh $(TARGET)/release/ww
	sh bench/run.sh

# The Python package, in target/venv.
python: setup
	sh scripts/test_python.sh --install

clean:
	$(CARGO) clean
	rm -rf fuzz/target
