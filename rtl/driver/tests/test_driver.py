"""Builds the driver's C tests with the address and undefined-behaviour sanitizers, where the compiler has
them, and runs them."""

import functools
import os
import random
import subprocess
from pathlib import Path

import pytest

DRIVER = Path(__file__).resolve().parent.parent
BUILD = DRIVER.parent.parent / "target" / "driver"
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
COMPILER = os.environ.get("CC", "cc")


@functools.cache
def sanitizers() -> list[str]:
    """The sanitizer options, if a program built with them runs here."""
    BUILD.mkdir(parents=True, exist_ok=True)
    program = BUILD / f"sanitized-{os.getpid()}"
    command = [COMPILER, *SANITIZERS, "-x", "c", "-", "-o", program]
    built = subprocess.run(command, input="int main(void) { return 0; }", text=True, capture_output=True)
    if built.returncode != 0 or subprocess.run([program], capture_output=True).returncode != 0:
        return []
    program.unlink()
    return SANITIZERS


def run(test: str, *arguments: str) -> None:
    """Builds and runs tests/TEST.c."""
    flags = sanitizers()
    print("sanitizers:", flags or "not available with this compiler")
    program = BUILD / f"{test}-{os.getpid()}"
    sources = [DRIVER / "tests" / f"{test}.c", DRIVER / "tests" / "hardware.c", *sorted(DRIVER.glob("*.c"))]
    subprocess.run([COMPILER, *FLAGS, *flags, "-o", program, *sources], check=True)
    try:
        done = subprocess.run([program, *arguments], capture_output=True, text=True)
        print(done.stdout, done.stderr)
        assert done.returncode == 0, done.stderr
    finally:
        program.unlink()


@pytest.mark.parametrize("round", [0, 1])
def test_every_row_write_gives_the_old_or_the_new_answer(round):
    run("test_updates", str(random.getrandbits(40)))


def test_tables_of_their_size_fill():
    run("test_fill", "3")
