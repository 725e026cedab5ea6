#!/usr/bin/env python3
"""Writes the STF tests of mdp. Which messages pass is stated outright.

Needs scapy 2.8.0, which builds the frames; the output never changes.
"""

import sys
from pathlib import Path

from scapy.all import IP, TCP, UDP, Ether, Raw

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "scripts"), str(HERE)]

from feed import entry, message
from stf_writer import Stf

FEEDS = """
add feeds hdr.ipv4.dstAddr:0xe0001f01 hdr.udp.dstPort:14310 set_channel(channel:1, port:2)
add feeds hdr.ipv4.dstAddr:0xe0002001 hdr.udp.dstPort:15310 set_channel(channel:1, port:2)
add feeds hdr.ipv4.dstAddr:0xe0001f09 hdr.udp.dstPort:14318 set_channel(channel:9, port:3)
"""


def passes(stf, frame, out=2, port=0):
    stf.packet(port, frame)
    stf.expect(out, frame)


def book(count):
    return [entry(700009, 1000 + level, level + 1) for level in range(count)]


def entries():
    stf = Stf(
        "mdp: a list of k entries gives k extracted headers, for k = 0 to 30, and the",
        "same bytes on the way out; 31 entries overflow the stack.",
        "spec: P4_16 §13.8 Data extraction; §13.9 Header stacks (next, StackOutOfBounds)",
    )
    stf.command(FEEDS)
    for count in range(31):
        passes(stf, message("A", 1, 100 + count, book(count), tail=b"" if count % 2 else b"tail"))
    stf.note("One too many, though the packet has them all.")
    stf.packet(0, message("A", 1, 200, book(31)))
    stf.note("A message without book.")
    passes(stf, message("A", 1, 201))
    stf.command("wait")
    stf.command("\n".join(f"check_counter messages_by_entries({count}) packets == 1" for count in range(31)))
    stf.note("1 + 2 + ... + 30 entries.")
    stf.command(
        """
register_read entries_total 1 465
check_counter verdicts(0) packets == 32
check_counter verdicts(2) packets == 1
"""
    )
    stf.write(HERE / "mdp.entries.stf")


def duplicates():
    stf = Stf(
        "mdp: the first copy of a message passes, whichever feed it comes by. The",
        "sequence number decides, nothing else in the message. Window: 1,024 numbers.",
        "spec: v1model register",
    )
    stf.command(FEEDS)
    stf.note("Number 0 on a fresh register is not a duplicate; its repetition is.")
    passes(stf, message("A", 1, 0, book(1)))
    stf.packet(0, message("A", 1, 0, book(1)))
    stf.note("B before A; then A with other content but the same number.")
    passes(stf, message("B", 1, 1, book(2)), port=1)
    stf.packet(0, message("A", 1, 1, book(3)))
    stf.note("Out of order is no reason to refuse: 5, then 3, then 4; but not 3 again.")
    for sequence in (5, 3, 4):
        passes(stf, message("A", 1, sequence, book(1)))
    stf.packet(1, message("B", 1, 3, book(1)))
    stf.note("Another channel has its own numbers.")
    passes(stf, message("A", 9, 5, book(1)), out=3)
    stf.note("1027 = 3 + 1024 takes the slot of 3; then 3 is too old, and 1027 is a repetition.")
    passes(stf, message("A", 1, 1027, book(1)))
    stf.packet(0, message("A", 1, 3, book(1)))
    stf.packet(0, message("A", 1, 1027, book(1)))
    stf.note(
        "Serial-number arithmetic on channel 9, slot 1023. After 0xffffffff comes 1023, 1024\n"
        "ahead; then 0xffffffff is in the past. The furthest past that shares the slot is\n"
        "2^31 - 1024 behind: 0x800007ff, for 1023 - 0x800007ff = 0x7ffffc00."
    )
    passes(stf, message("A", 9, 0xFFFFFFFF), out=3)
    passes(stf, message("A", 9, 1023), out=3)
    stf.packet(0, message("A", 9, 0xFFFFFFFF))
    stf.packet(0, message("A", 9, 0x800007FF))
    stf.note("1023 - 0x800003ff = 0x80000000: the top bit is set, so this one is ahead.")
    passes(stf, message("A", 9, 0x800003FF), out=3)
    stf.command("wait\ncheck_counter verdicts(0) packets == 10\ncheck_counter verdicts(1) packets == 7")
    stf.note("The control plane starts a new session: 0 passes again.")
    stf.command("register_reset last_seen")
    passes(stf, message("A", 1, 0, book(1)))
    stf.write(HERE / "mdp.duplicates.stf")


def malformed():
    stf = Stf(
        "mdp: what the parser cannot finish is dropped and leaves no trace: the same",
        "number passes afterwards. What is not of a known feed is dropped too.",
        "spec: P4_16 §13.8.1 Fixed-width extraction (PacketTooShort); v1model parser_error",
    )
    stf.command(FEEDS)
    whole = bytes(message("A", 1, 7, book(2)))
    stf.note("One byte short of the last entry, of the book, of mdp, of UDP, of IPv4.")
    for length in (len(whole) - 1, 14 + 20 + 8 + 22 + 13, 14 + 20 + 8 + 21, 14 + 20 + 7, 14 + 19):
        stf.packet(0, Raw(whole[:length]))
    stf.note("numEntries promises more than there is.")
    stf.packet(0, message("A", 1, 7, book(2), claimed=3))
    stf.packet(0, message("A", 1, 7, book(2), claimed=0xFFFF))
    stf.note("Promises less: the rest is payload and stays.")
    passes(stf, message("A", 1, 8, book(2), claimed=1))
    stf.note("Number 7 has not been seen.")
    passes(stf, Raw(whole))
    stf.note("Group without entry; the port of the other feed; a port that is no feed; TCP.")
    stranger = message("A", 1, 9, book(1))
    stranger[IP].dst = "224.0.31.77"
    crossed = message("A", 1, 9, book(1))
    crossed[UDP].dport = 15310
    for frame in (stranger, crossed):
        del frame[IP].chksum
        stf.packet(0, frame)
    below = message("A", 1, 9, book(1))
    below[UDP].dport = 14309
    stf.packet(0, below)
    stf.packet(0, Ether(dst="01:00:5e:00:1f:01", src="02:00:00:00:00:01") / IP(src="198.51.100.1", dst="224.0.31.1") / TCP(dport=14310))
    passes(stf, message("A", 1, 9, book(1)))
    stf.command(
        """
wait
check_counter verdicts(0) packets == 3
check_counter verdicts(1) packets == 0
check_counter verdicts(2) packets == 7
check_counter verdicts(3) packets == 4
register_read entries_total 1 4
"""
    )
    stf.write(HERE / "mdp.malformed.stf")


def instruments():
    stf = Stf(
        "mdp: the first entry's instrument chooses the host and leaves its price in a",
        "register; later entries do not; a duplicate changes nothing.",
        "spec: P4_16 §13.9 Header stacks (index); v1model register",
    )
    stf.command(FEEDS)
    stf.command(
        """
add instruments securityID:700001 to_trader(cell:1, port:4)
add instruments securityID:0xffffffff to_trader(cell:1023, port:5)
"""
    )
    first, other, last = entry(700001, 0x0123456789ABCDEF), entry(700002, 5), entry(0xFFFFFFFF, (1 << 64) - 1)
    passes(stf, message("A", 1, 1, [first, last]), out=4)
    passes(stf, message("A", 1, 2, [other, first]), out=2)
    passes(stf, message("A", 9, 3, [last]), out=5)
    stf.note("No entries at all: the channel's port.")
    passes(stf, message("A", 1, 4, []))
    stf.note("A duplicate with a new price.")
    stf.packet(0, message("A", 1, 1, [entry(700001, 99)]))
    stf.command(
        """
wait
register_read last_price 1 0x0123456789abcdef
register_read last_price 1023 0xffffffffffffffff
register_read last_price 0 0
register_read entries_total 1 4
register_read entries_total 9 1
"""
    )
    stf.write(HERE / "mdp.instruments.stf")


for test in (entries, duplicates, malformed, instruments):
    test()
