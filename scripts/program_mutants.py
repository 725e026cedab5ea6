#!/usr/bin/env python3
"""Changes tokens of P4 programs at random, and demands that `ww` judges the results soundly and that engines agree.

    program_mutants.py [--ww PATH] [--count 5000] [--seconds S] [--seed 1] [--rtl N] [--only TEXT]

Each mutant is a program of tests/p4 or p4/programs of which one to three tokens are deleted, doubled, swapped or replaced
by others of the same program, by other operators or by other numbers. `ww check` must end with status 0 or 1 within the
limits of `hostile.py` and without a panic. An accepted mutant runs its `.stf` test, and then the packets of the test and
random ones without entries, on interp and jit: statuses, messages and captures must be the same. The first N accepted
mutants with `--rtl N` run their `.stf` test in hardware too (each builds a model, some 10 s): the verdict must be that of
interp, or a refusal. What does not hold is printed, and its program stays in target/program-mutants. Exit status 1 if
something was found. Standard library only.
"""

import argparse
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from hostile import MOST_SECONDS, limits

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "program-mutants"
TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|#[^\n]*|\"(?:\\.|[^\"\\])*\"|\s+|[A-Za-z_]\w*|\d\w*|&&&|\|\+\||\|-\||<<|>>|\+\+|&&|\|\||[=!<>]=|\.\.|.", re.DOTALL
)
OPERATORS = ["+", "-", "*", "&", "|", "^", "<<", ">>", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "++", "|+|", "|-|", "&&&", "~", "!", "=", "&=", "+=", "|+|="]
NUMBERS = ["0", "1", "2", "3", "7", "8", "16", "32", "255", "65535", "8w255", "4w1", "8s127", "16w0", "0xffffffff", "32w0x80000000", "64w1"]
# Random packets for each accepted mutant.
PACKETS = 12


def is_code(token):
    return not (token.isspace() or token.startswith(("//", "/*", "#", '"')))


def mutate(text, chance):
    """The text with one to three changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        text = chance.choices((change_value, change_statement, change_token), (5, 3, 2))[0](text, chance)
    return text


def change_value(text, chance):
    """Another number for a number, another operator for an operator: most results are legal."""
    tokens = TOKEN.findall(text)
    # An operator has spaces around it; the others are those of types.
    places = [n for n, token in enumerate(tokens) if token[0].isdigit() or (token in OPERATORS and tokens[n - 1].isspace() and tokens[min(n + 1, len(tokens) - 1)].isspace())]
    if places:
        at = chance.choice(places)
        tokens[at] = chance.choice(NUMBERS if tokens[at][0].isdigit() else OPERATORS)
        if tokens[at][0].isdigit() and chance.random() < 0.5:
            tokens[at] = str(chance.randrange(20))
    return "".join(tokens)


def change_statement(text, chance):
    """A line that is a statement is deleted, doubled, moved, or takes the place of another."""
    lines = text.split("\n")
    edit(lines, [n for n, line in enumerate(lines) if line.rstrip().endswith(";")], "\n", None, chance)
    return "\n".join(lines)


def change_token(text, chance):
    """Any token is deleted, doubled, swapped or replaced by a name of the program."""
    tokens = TOKEN.findall(text)
    places = [n for n, token in enumerate(tokens) if is_code(token)]
    edit(tokens, places, " ", [tokens[n] for n in places if re.match(r"[A-Za-z_]", tokens[n])], chance)
    return "".join(tokens)


def edit(parts, places, between, replacements, chance):
    """Deletes, doubles, swaps or replaces one of the parts at these places; by another of them if nothing is given."""
    if len(places) < 2:
        return
    at, other = chance.sample(places, 2)
    match chance.randrange(4):
        case 0:
            parts[at] = ""
        case 1:
            parts[at] += between + parts[at]
        case 2:
            parts[at], parts[other] = parts[other], parts[at]
        case 3:
            parts[at] = chance.choice(replacements) if replacements else parts[other]


def packets_of(stf, chance):
    """(port, bytes) of a test, then random ones like them."""
    packets = []
    for line in stf.read_text().splitlines():
        found = re.match(r"\s*packet\s+(\d+)\s+([0-9a-fA-F\s]+)", line)
        digits = re.sub(r"\s", "", found[2]) if found else ""
        if digits and len(digits) % 2 == 0 and int(found[1]) < 512:
            packets.append((int(found[1]), bytes.fromhex(digits)))
    given = packets or [(0, bytes(64))]
    for _ in range(PACKETS):
        port, data = chance.choice(given)
        data = bytearray(data)
        for _ in range(chance.randrange(1, 6)):
            if data:
                data[chance.randrange(len(data))] = chance.randrange(256)
        if chance.random() < 0.2:
            data = data[: chance.randrange(len(data) + 1)]
        packets = [*packets, (port, bytes(data))]
    return packets


def capture(path, packets):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for n, data in packets:
            file.write(struct.pack("<IIII", 0, n, len(data), len(data)) + data)


@dataclass
class Answer:
    status: int
    text: str
    files: dict = field(default_factory=dict)

    def problem(self, statuses):
        if self.status not in statuses or "panicked" in self.text:
            return f"status {self.status}: {self.text[:300].strip()}"
        return None


def run(command, names):
    """What a command answers; `names` are words that may differ between engines."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, preexec_fn=limits, timeout=12 * MOST_SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return Answer(-1, "not done in time")
    text = (done.stdout + done.stderr).decode(errors="replace")
    for name in names:
        text = text.replace(str(name), "_")
    return Answer(done.returncode, text)


def run_packets(ww, source, engine, packets, folder):
    """Runs packets by port on an engine."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    ports = []
    for port in sorted({port for port, _ in packets}):
        capture(folder / f"in.{port}.pcap", [(n, data) for n, (at, data) in enumerate(packets) if at == port])
        ports += ["--port", f"{port}={folder}/in.{port}.pcap:{folder}/out.{port}.pcap"]
    for port in range(10):
        if port not in {at for at, _ in packets}:
            ports += ["--port", f"{port}=:{folder}/out.{port}.pcap"]
    answer = run([ww, "run", source, "--engine", engine, *ports], [folder, engine])
    answer.files = {path.name: path.read_bytes() for path in sorted(folder.glob("out.*"))}
    return answer


def judge(ww, number, original, seed, rtl):
    """Makes a mutant and runs it: (whether it was accepted, whether hardware held it, what is wrong)."""
    chance = random.Random(f"{seed} {number}")
    source = WORK / f"{original.stem}.{number}.p4"
    source.write_text(mutate(original.read_text(), chance))
    include = ["-I", original.parent]
    checked = run([ww, "check", source, *include], [])
    problem = checked.problem((0, 1))
    if problem or checked.status == 1:
        if not problem:
            source.unlink()
        return False, False, problem and f"check: {problem}"
    stf = original.with_suffix(".stf")
    wrong, held = [], False
    if stf.exists():
        verdicts = {engine: run([ww, "stf", source, stf, "--engine", engine, *include], [engine]) for engine in ("interp", "jit")}
        wrong += differences("stf", verdicts, (0, 1, 3))
        if rtl:
            hardware = run([ww, "stf", source, stf, "--engine", "rtl", *include], ["rtl"])
            held = hardware.status != 3
            if hardware.status not in (0, 1, 3) or (held and hardware.status != verdicts["interp"].status):
                wrong.append(f"rtl: status {hardware.status}, interp {verdicts['interp'].status}: {hardware.text[:400].strip()}")
        packets = packets_of(stf, chance)
        folder = WORK / f"run.{number}"
        answers = {engine: run_packets(ww, source, engine, packets, folder) for engine in ("interp", "jit")}
        wrong += differences("run", answers, (0, 1))
        if not wrong:
            shutil.rmtree(folder, ignore_errors=True)
    if not wrong:
        source.unlink()
    return True, held, "; ".join(wrong)


def differences(what, answers, statuses):
    wrong = [f"{what} {engine}: {answer.problem(statuses)}" for engine, answer in answers.items() if answer.problem(statuses)]
    first, second = answers.values()
    if wrong:
        return wrong
    if (first.status, first.files) != (second.status, second.files) or (what == "stf" and first.text != second.text):
        return [f"{what}: interp and jit differ: {first.status} {first.text[:300].strip()} | {second.status} {second.text[:300].strip()}"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ww", default=str(ROOT / "target" / "debug" / "ww"))
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rtl", type=int, default=0, help="accepted mutants that go through hardware too")
    parser.add_argument("--only", default="", help="programs with this text in their paths")
    options = parser.parse_args()
    programs = sorted(
        path
        for folder in ("tests/p4", "p4/programs")
        for path in (ROOT / folder).rglob("*.p4")
        if options.only in str(path.relative_to(ROOT)) and path.with_suffix(".stf").exists()
    )
    if not programs:
        raise SystemExit(f"program_mutants: no program with a test has '{options.only}' in its path")
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    end = time.monotonic() + options.seconds
    tried = accepted = hardware = found = 0

    def one(number):
        if time.monotonic() > end:
            return None
        original = random.Random(f"{options.seed} {number} program").choice(programs)
        return number, original, judge(options.ww, number, original, options.seed, hardware < options.rtl)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(one, range(options.count)):
            if result is None:
                continue
            number, original, (legal, held, wrong) = result
            tried += 1
            accepted += legal
            hardware += held
            if wrong:
                found += 1
                print(f"program_mutants: {original.relative_to(ROOT)}, mutant {number}: {wrong}", flush=True)
    print(f"program_mutants: {tried} mutants, seed {options.seed}, {accepted} accepted, {hardware} in hardware, {found} found")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
