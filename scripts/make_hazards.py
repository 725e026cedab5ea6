#!/usr/bin/env python3
"""Writes tests/p4/v1model/hazards.stf: packets for hazards.p4, and what a model in Python expects.

The model follows the comments of the program: dictionaries for tables and registers, one packet
after the other. Same output each time. Standard library only.
"""

import random
from pathlib import Path

TEST = Path(__file__).resolve().parent.parent / "tests/p4/v1model/hazards.stf"
PACKETS = 160

FIRST = {key: (7 * key + 3) & 0xFF for key in range(0, 24)}
# What the second table has for each value of the first one: a port and an addend. Others are discarded.
SECOND = {x: (1 + x % 3, (x * 5) & 0xFF) for n, x in enumerate(FIRST.values()) if n % 6 != 5}
SECOND[0xF0] = (2, 1)


class Model:
    """The state that packets leave behind."""

    def __init__(self):
        self.sums, self.marks = [0] * 4, [0] * 4
        self.packets, self.bytes = [0] * 4, [0] * 4
        self.hits = dict.fromkeys(FIRST, 0)

    def process(self, frame):
        """(port, frame), or None."""
        kind, a, b, c = frame[:4]
        cell = kind % 4
        key = a if kind % 2 else b
        x = FIRST.get(key, 0xF0)
        if key in FIRST:
            self.hits[key] += 1
        self.sums[cell] = 0 if b == 0 else (self.sums[cell] + b) % 65536
        mark = self.marks[a % 4]
        self.marks[b % 4] = a
        if a % 2:
            self.packets[cell] += 1
            self.bytes[cell] += len(frame)
        if x not in SECOND:
            return None
        port, addend = SECOND[x]
        c = (c + addend) % 256
        if c == 0x77:
            return None
        tag = self.sums[cell].to_bytes(2, "big") if kind & 2 else b""
        return port, tag + bytes([kind, (a + x) % 256, mark, c]) + frame[4:]


def main():
    rng, model = random.Random(4), Model()
    lines = [
        "# Written by scripts/make_hazards.py, whose model in Python says what is expected: packets that need",
        "# each other's registers and differ in every table, branch, header and counter. Without a request",
        "# between them, they go one directly behind the other into hardware.",
        "# spec: v1model register; v1model counter; P4_16 §14.2.2 Match-action unit invocation",
    ]
    lines += [f"add first meta.key:{key} set_x(value:{value}) = entry{key}" for key, value in FIRST.items()]
    lines += [f"add second meta.x:{x} send(port:{port}, addend:{addend})" for x, (port, addend) in SECOND.items()]
    dropped = 0
    for number in range(PACKETS):
        # Runs of equal kinds, so that the same register is used in clocks behind each other.
        kind = number // 5 if number < 80 else rng.randrange(256)
        a, b = rng.randrange(28), rng.choice([0, 1, 2, 3, rng.randrange(28)])
        length = 4 if number % 3 else rng.choice([5, 8, 9, 20, 61])
        frame = bytes([kind % 256, a, b, rng.randrange(256)]) + rng.randbytes(length - 4)
        if number % 20 == 19:
            # One that egress drops.
            x = FIRST.get(a if kind % 2 else b, 0xF0)
            frame = frame[:3] + bytes([(0x77 - SECOND.get(x, (0, 0))[1]) % 256]) + frame[4:]
        lines.append(f"packet 0 {frame.hex()}")
        sent = model.process(frame)
        dropped += sent is None
        if sent:
            lines.append(f"expect {sent[0]} {sent[1].hex()}$")
    assert 10 < dropped < PACKETS / 2
    for cell in range(4):
        lines.append(f"check_counter odd({cell}) packets == {model.packets[cell]}")
        lines.append(f"check_counter odd({cell}) bytes == {model.bytes[cell]}")
    lines += [f"check_counter hits(entry{key}) packets == {count}" for key, count in model.hits.items()]
    lines += [f"register_read sums {cell} {value}" for cell, value in enumerate(model.sums)]
    lines += [f"register_read marks {cell} {value}" for cell, value in enumerate(model.marks)]
    TEST.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
