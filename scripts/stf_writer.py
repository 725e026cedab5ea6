"""Writer of STF tests whose packets come from scapy.

The `make_stf.py` scripts of p4/programs state each expected packet outright,
as the headers that the program's description calls for; nothing here computes
what a program does.
"""


class Stf:
    """Collects the lines of one test and writes them in one go."""

    def __init__(self, *title):
        self.lines = [f"# {line}".rstrip() for line in title]

    def note(self, text):
        """A comment before the next group of lines."""
        self.lines += ["", *(f"# {line}" for line in text.splitlines())]

    def command(self, text):
        """Lines taken as they are: add, setdefault, mc_mgrp_create, ..."""
        self.lines += text.strip().splitlines()

    def packet(self, port, packet):
        """Inject `packet` (anything that bytes() takes) at `port`."""
        self.lines.append(f"packet {port} {bytes(packet).hex()}")

    def expect(self, port, packet):
        """Exactly these bytes, of exactly this length, leave by `port`."""
        self.lines.append(f"expect {port} {bytes(packet).hex()}$")

    def write(self, path):
        with open(path, "w", encoding="utf-8") as out:
            out.write("\n".join(self.lines) + "\n")
