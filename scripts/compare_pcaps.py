#!/usr/bin/env python3
"""Compare captures packet by packet; times are ignored.

    compare_pcaps.py out.0.pcap expected.0.pcap [out.1.pcap expected.1.pcap ...]

Exit status: 0 all pairs equal, 1 a difference (the first one of each pair is
printed), 2 wrong usage. Standard library only.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import pcap_file


def first_difference(got, want):
    """The first difference between two lists of packets as a sentence, or None."""
    for number, (left, right) in enumerate(zip(got, want)):
        if left == right:
            continue
        if len(left) != len(right):
            return f"packet {number}: {len(left)} bytes, expected {len(right)}"
        offset = next(i for i in range(len(left)) if left[i] != right[i])
        return (
            f"packet {number}, byte {offset}: {left[offset]:02x}, expected {right[offset]:02x}\n"
            f"  got      {left.hex()}\n  expected {right.hex()}"
        )
    if len(got) != len(want):
        return f"{len(got)} packets, expected {len(want)}"
    return None


def main(arguments):
    if not arguments or len(arguments) % 2:
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for got_path, want_path in zip(arguments[::2], arguments[1::2]):
        try:
            got = [data for _, data in pcap_file.read(got_path)]
            want = [data for _, data in pcap_file.read(want_path)]
        except (OSError, ValueError) as error:
            print(error, file=sys.stderr)
            status = 1
            continue
        difference = first_difference(got, want)
        if difference:
            print(f"{got_path} against {want_path}: {difference}")
            status = 1
        else:
            print(f"{got_path}: {len(got)} packets as expected")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
