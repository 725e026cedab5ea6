#!/bin/sh
# Runs every fuzz target for some seconds: fuzz.sh SECONDS. Any finding fails.
#
# The flags are those of cargo-fuzz without a sanitizer, which a stable toolchain takes; `cargo fuzz` itself runs the
# targets too, but building it takes CI longer than fuzzing.
set -eu
seconds=${1:-15}
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root/fuzz"
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares \
-Cllvm-args=-sanitizer-coverage-stack-depth"
# For a target of its own, as cargo-fuzz does it: build scripts and macros stay without these flags.
target=$(rustc -vV | sed -n 's/^host: //p')
RUSTFLAGS="--cfg fuzzing $coverage -Ccodegen-units=1 -Cdebug-assertions -Coverflow-checks" \
    CARGO_TARGET_DIR=target "${CARGO:-cargo}" build --quiet --release --bins --target "$target"
# One target on every core.
find fuzz_targets -name '*.rs' -exec basename {} .rs \; | sort |
    xargs -P "$(nproc)" -I TARGET sh -eu -c '
        target=TARGET
        mkdir -p "corpus/$target" "artifacts/$target"
        seeds=""
        [ -d "seeds/$target" ] && seeds="seeds/$target"
        echo "fuzz $target: $1 s"
        # shellcheck disable=SC2086 # the folder of seeds may be absent
        "target/$2/release/$target" -artifact_prefix="artifacts/$target/" "corpus/$target" $seeds \
            -max_total_time="$1" -max_len=8192 -rss_limit_mb=1024 -timeout=20 \
            -print_final_stats=0 -verbosity=0
    ' sh "$seconds" "$target"
