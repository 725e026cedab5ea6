#!/usr/bin/env python3
"""Writes in.N.pcap and, from a model of the program, expected.N.pcap.

The model remembers every message it ever passed, where the program has a
window of 1,024; the traffic goes back further than that on purpose, and the
model's rule for it is stated in its own terms. It shares only entries.txt
with the program. Needs scapy 2.8.0; the output never changes.
"""

import random
import sys
from collections import Counter
from pathlib import Path

from scapy.all import ARP, IP, TCP, UDP, Ether, Raw

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "scripts"), str(HERE)]

import feed
import pcap_file
import runtime_entries

WINDOW = 1024


def traffic():
    """(port, frame) in order of arrival: feed A on port 0, feed B on port 1."""
    rng = random.Random(20)
    frames = []

    def send(name, *args, **kwargs):
        frames.append((0 if name == "A" else 1, feed.message(name, *args, **kwargs)))

    # Each list length once, A first and B behind it; B is late by a few messages.
    late = []
    for count in range(31):
        book = [feed.entry(rng.choice([700001, 700002, 700003, 700004]), rng.randrange(1 << 63), level + 1) for level in range(count)]
        sequence = 1000 + count
        send("A", 1, sequence, book)
        late.append((sequence, book))
        if len(late) > rng.randrange(4):
            early, book = late.pop(0)
            send("B", 1, early, book)
    for sequence, book in late:
        send("B", 1, sequence, book)

    # Losses on either feed, and heartbeats; the other channel uses the same numbers.
    for sequence in range(1000, 1030):
        book = [feed.entry(700001 + sequence % 3, sequence << 20)] if sequence % 5 else None
        lost = rng.choice(["A", "B", None])
        order = rng.choice([("A", "B"), ("B", "A")])
        for name in order:
            if name != lost:
                send(name, 9, sequence, book)

    # The numbers wrap, and 0 is a number like any other.
    for sequence in (0xFFFFFFFE, 0xFFFFFFFF, 0, 1, 0, 0xFFFFFFFF):
        send("A", 12, sequence, [feed.entry(700003, sequence)])
    send("B", 12, 2, [feed.entry(700003, 2)])
    return frames + window_and_malformed()


def window_and_malformed():
    """The window's edges on channel 1, and packets that are not messages of ours."""
    frames = []
    one = [feed.entry(700004, 1)]
    for sequence in (5000, 5000 + WINDOW, 5000, 5001, 5000 + 2 * WINDOW, 5000 + WINDOW, 5001, 5000 + WINDOW + 2, 5002):
        frames.append((0, feed.message("A", 1, sequence, one)))
    # Malformed: the list is shorter than claimed, longer than the stack, cut off.
    two = [feed.entry(700001, 2), feed.entry(700001, 3)]
    many = [feed.entry(700004, level) for level in range(31)]
    whole = bytes(feed.message("A", 1, 9001, two))
    frames += [
        (0, feed.message("A", 1, 9000, two, claimed=3)),
        (0, feed.message("A", 1, 9000, two, claimed=65535)),
        (0, feed.message("A", 1, 9000, many)),
        (0, feed.message("A", 1, 9000, two)),
        (0, Raw(whole[:-1])),
        (0, Raw(whole[: 14 + 20 + 8 + 22 + 13])),
        (0, Raw(whole[: 14 + 20 + 8 + 21])),
        (0, Raw(whole[: 14 + 20 + 7])),
        (1, Raw(whole)),
        # Bytes behind the list travel with the message.
        (0, feed.message("A", 1, 9002, two, claimed=1, tail=b"trailer")),
        (0, feed.message("A", 1, 9003, [], tail=b"only a tail")),
    ]
    # Not ours: group without entry, wrong port for the group, other protocols.
    stranger = feed.message("A", 1, 9004, two)
    stranger[IP].dst = "224.0.31.2"
    crossed = feed.message("A", 1, 9004, two)
    crossed[UDP].dport = 15310
    fragment = feed.message("A", 1, 9004, two)
    fragment[IP].frag = 1
    ours = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / IP(src="198.51.100.1", dst="224.0.31.1")
    for frame in (stranger, crossed, fragment):
        del frame[IP].chksum
        frames.append((0, frame))
    frames += [
        (0, ours / UDP(sport=1, dport=14309) / Raw(bytes(100))),
        (0, ours / TCP(sport=1, dport=14310) / Raw(bytes(100))),
        (0, Ether(src="02:00:00:00:00:01", dst="ff:ff:ff:ff:ff:ff") / ARP(hwsrc="02:00:00:00:00:01", psrc="198.51.100.1", pdst="198.51.100.2")),
        (0, feed.message("A", 1, 9004, two)),
    ]
    return frames


class Model:
    """What mdp.p4 means."""

    def __init__(self, entries):
        self.entries = entries
        self.passed = {}
        self.verdicts = Counter()
        self.entries_total = Counter()
        self.prices = {}

    def process(self, port, frame):
        """Returns [(port, frame)]: what leaves, and where."""
        verdict, out = self.judge(frame)
        self.verdicts[verdict] += 1
        return [(out, frame)] if verdict == "FORWARDED" else []

    def judge(self, frame):
        if frame[12:14] != b"\x08\x00":
            return "NOT_SUBSCRIBED", None
        if len(frame) < 34:
            return "MALFORMED", None
        header = IP(frame[14:34])
        if header.ihl != 5 or header.frag or header.proto != 17:
            return "NOT_SUBSCRIBED", None
        datagram = frame[34:]
        if len(datagram) < 8:
            return "MALFORMED", None
        dport = int.from_bytes(datagram[2:4], "big")
        if not (14310 <= dport <= 14399 or 15310 <= dport <= 15399):
            return "NOT_SUBSCRIBED", None
        if len(datagram) < 30:
            return "MALFORMED", None
        mdp = feed.Mdp(datagram[8:30])
        book = []
        if mdp.templateID == 32:
            if len(datagram) < 44:
                return "MALFORMED", None
            count = feed.RefreshBook(datagram[30:44]).numEntries
            if count > 30 or len(datagram) < 44 + 32 * count:
                return "MALFORMED", None
            book = [feed.RefreshBookEntry(datagram[44 + 32 * i : 76 + 32 * i]) for i in range(count)]
        entry = self.entries.find("ingress.feeds", ("exact", 32, int.from_bytes(frame[30:34], "big")), ("exact", 16, dport))
        if entry is None:
            return "NOT_SUBSCRIBED", None
        channel, out = entry.numbers
        if self.duplicate(channel, mdp.msgSeqNum):
            return "DUPLICATE", None
        self.entries_total[channel] += len(book)
        if book:
            trader = self.entries.find("ingress.instruments", ("exact", 32, book[0].securityID))
            if trader:
                cell, out = trader.numbers
                self.prices[cell] = book[0].mdEntryPx
        return "FORWARDED", out

    def duplicate(self, channel, sequence):
        """A message is refused when it passed before, or when one that is a
        whole number of windows younger did: then nobody knows any more."""
        passed = self.passed.setdefault(channel, set())
        for other in passed:
            ahead = (other - sequence) % 2**32
            if ahead < 2**31 and ahead % WINDOW == 0:
                return True
        passed.add(sequence)
        return False


def main():
    model = Model(runtime_entries.read(HERE / "entries.txt"))
    sent, received = {port: [] for port in (0, 1)}, {port: [] for port in (2, 3, 4)}
    for number, (port, frame) in enumerate(traffic()):
        micros, data = 1_000_000 + 20 * number, bytes(frame)
        sent[port].append((micros, data))
        for out, result in model.process(port, data):
            received[out].append((micros, result))
    for port, packets in sent.items():
        pcap_file.write(HERE / f"in.{port}.pcap", packets)
        print(f"port {port}: {len(packets)} in")
    for port, packets in received.items():
        pcap_file.write(HERE / f"expected.{port}.pcap", packets)
        print(f"port {port}: {len(packets)} out")
    print(dict(model.verdicts), dict(model.entries_total), model.prices)


if __name__ == "__main__":
    main()
