#!/usr/bin/env python3
"""Prints what a result depends on as JSON: processor, memory, kernel, load. machine.py CORE"""

import json
import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path


def cpu(name):
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def version(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def caches():
    found = {}
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = ((folder / name).read_text(encoding="utf-8").strip() for name in ("level", "type", "size"))
        if kind != "Instruction":
            found[f"L{level}"] = size
    return found


print(
    json.dumps(
        {
            "date": date.today().isoformat(),
            "cpu": cpu("model name"),
            "family_model_stepping": [cpu("cpu family"), cpu("model"), cpu("stepping")],
            "mhz": cpu("cpu MHz"),
            "cores": os.cpu_count(),
            "measured_on_core": int(sys.argv[1]) if len(sys.argv) > 1 else None,
            "hypervisor": cpu("flags").find("hypervisor") >= 0,
            "caches": caches(),
            "kernel": platform.release(),
            "load_average": os.getloadavg()[0],
            "rustc": version("rustc", "--version"),
            "cc": version("cc", "--version"),
            "dpdk": version("pkg-config", "--modversion", "libdpdk"),
            "commit": version("git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"),
        },
        indent=1,
    )
)
