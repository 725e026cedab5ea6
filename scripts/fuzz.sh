#!/bin/sh
# Runs every fuzz target for some seconds: fuzz.sh SECONDS. Any finding fails.
# cargo-fuzz is installed under target/tools if it is not on the PATH; `-s none` makes it work
# with a stable toolchain.
set -eu
seconds=${1:-15}
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
PATH="$root/target/tools/bin:$PATH"
export PATH
if ! command -v cargo-fuzz >/dev/null 2>&1; then
    cargo install --quiet --locked --root target/tools cargo-fuzz
fi
cargo fuzz build -s none
# One target on every core.
find fuzz/fuzz_targets -name '*.rs' -exec basename {} .rs \; | sort |
    xargs -P "$(nproc)" -I TARGET sh -eu -c '
        target=TARGET
        mkdir -p "fuzz/corpus/$target"
        seeds=""
        [ -d "fuzz/seeds/$target" ] && seeds="fuzz/seeds/$target"
        echo "fuzz $target: $1 s"
        # shellcheck disable=SC2086 # the folder of seeds may be absent
        cargo fuzz run -s none "$target" "fuzz/corpus/$target" $seeds -- \
            -max_total_time="$1" -max_len=8192 -rss_limit_mb=1024 -timeout=20 \
            -print_final_stats=0 -verbosity=0
    ' sh "$seconds"
