#!/usr/bin/env python3
"""Runs `ww` on programs that are deep, wide, doubled or huge, and demands an answer within limits.

    hostile.py [--ww PATH] [--seconds 60] [--seed 1] [--only TEXT] [--size N] [--list]

Each case is a family of `hostile_programs.py` and a size: first a small one, which every command must accept (so that a
family says what it means to), then the largest one of each family, then sizes at random.
`ww check`, `ww run` with interp and jit on one packet, and `ww build` must each end within 10 seconds of processor time and 2
GB of resident memory, with a status of 0 to 3, without a panic. What does not is printed with the program, which stays in
target/hostile. Cases begin until SECONDS are over. Exit status 1 if something was found. Standard library only.
"""

import argparse
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

from hostile_programs import FAMILIES

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "hostile"
# Seconds of processor time, bytes of resident memory, and of address space: far more, for stacks are reserved.
MOST_SECONDS = 10
MOST_MEMORY = 2 << 30
MOST_ADDRESSES = 16 << 30
# A size at which every legal program runs everywhere.
SMALL = 3


def capture(path):
    """One packet of 64 bytes."""
    packet = bytes([1, 2, 0, 3]) + bytes(60)
    path.write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1) + struct.pack("<IIII", 0, 0, 64, 64) + packet)


def commands(ww, source):
    """The commands for a program, by name."""
    named = {
        "check": [ww, "check", source],
        "interp": [ww, "run", source, "--engine", "interp", "--port", f"0={WORK / 'in.pcap'}:"],
        "jit": [ww, "run", source, "--engine", "jit", "--port", f"0={WORK / 'in.pcap'}:"],
        "rtl": [ww, "build", source, "--target", "rtl", "--out", WORK / "out"],
    }
    return {name: [str(word) for word in words] for name, words in named.items()}


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def judge(command, must_pass):
    """What is wrong with a command, if anything, and the processor time and memory that it took."""
    errors = WORK / "stderr.txt"
    with open(errors, "wb") as stderr:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr, preexec_fn=limits)
        # Waits for what never computes, too.
        deadline = time.monotonic() + 12 * MOST_SECONDS
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                child.send_signal(signal.SIGKILL)
                pid, status, usage = os.wait4(child.pid, 0)
                break
            time.sleep(0.005)
        child.returncode = os.waitstatus_to_exitcode(status)
    seconds, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
    text = errors.read_bytes()[:4096].decode(errors="replace")
    if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or seconds > MOST_SECONDS:
        return f"not done after {seconds:.1f} s of processor time", seconds, memory
    if memory > MOST_MEMORY:
        return f"{memory / 2**30:.1f} GiB of memory", seconds, memory
    if child.returncode not in range(1 if must_pass else 4) or "panicked" in text:
        return f"status {child.returncode}: {text[:300].strip()}", seconds, memory
    return None, seconds, memory


def cases(seed, only, size):
    """Families and sizes without end: the largest sizes first."""
    names = [name for name in FAMILIES if only in name]
    if not names:
        raise SystemExit(f"hostile: no family has '{only}' in its name; --list shows them")
    chance = random.Random(seed)
    chance.shuffle(names)
    if size:
        yield from ((name, size) for name in names)
        return
    yield from ((name, SMALL) for name in names)
    yield from ((name, FAMILIES[name].most) for name in names)
    while True:
        name = chance.choice(names)
        most = FAMILIES[name].most
        yield name, min(most, round(most ** chance.uniform(0.2, 1.0)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ww", default=str(ROOT / "target" / "debug" / "ww"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="families with this text in their names")
    parser.add_argument("--size", type=int, help="this size alone")
    parser.add_argument("--list", action="store_true", help="the families and their largest sizes")
    options = parser.parse_args()
    if options.list:
        for name, family in FAMILIES.items():
            print(f"{name:<20} {family.most}")
        return
    WORK.mkdir(parents=True, exist_ok=True)
    capture(WORK / "in.pcap")
    end = time.monotonic() + options.seconds
    ran = found = 0
    slowest, largest = (0.0, ""), (0, "")
    for name, size in cases(options.seed, options.only, options.size):
        if time.monotonic() > end:
            break
        source = WORK / f"{name.replace(' ', '_').replace(',', '')}.{size}.p4"
        source.write_text(FAMILIES[name].program(size))
        wrong = False
        for what, command in commands(options.ww, source).items():
            problem, seconds, memory = judge(command, size == SMALL and FAMILIES[name].legal)
            case = f"{name}, size {size}: {what}"
            slowest, largest = max(slowest, (seconds, case)), max(largest, (memory, case))
            ran += 1
            if problem:
                found += 1
                wrong = True
                print(f"hostile: {case}: {problem}\n  {' '.join(command)}", flush=True)
        shutil.rmtree(WORK / "out", ignore_errors=True)
        if not wrong:
            source.unlink()
    print(
        f"hostile: {ran} commands, seed {options.seed}, {found} beyond the limits; slowest {slowest[0]:.2f} s ({slowest[1]}), "
        f"largest {largest[0] / 2**20:.0f} MiB ({largest[1]})"
    )
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
