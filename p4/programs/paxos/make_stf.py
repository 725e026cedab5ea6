#!/usr/bin/env python3
"""Writes the STF tests of paxos. Each expected message is stated outright.

Needs scapy 2.8.0, which builds the frames; the output never changes.
"""

import sys
from pathlib import Path

from scapy.all import IP, TCP, UDP, Ether, Raw

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "scripts"), str(HERE)]

import messages as m
from stf_writer import Stf

# Acceptor 0x1122334455667788; the coordinator is on port 0, learners on 1 and 2.
ACCEPTOR = """
register_write role 0 2
register_write datapath_id 0 0x1122334455667788
add acceptor hdr.paxos.msgtype:1 handle_1a()
add acceptor hdr.paxos.msgtype:3 handle_2a()
add destination hdr.paxos.msgtype:2 set_destination(mac:0x020000000001, address:0x0a000001, port:34952)
add destination hdr.paxos.msgtype:4 set_destination(mac:0x01005e031d4a, address:0xe0031d4a, port:34953)
mc_mgrp_create 1
mc_node_create 1 1 2
mc_node_associate 1 0
add dmac hdr.ethernet.dstAddr:0x020000000001 forward(port:0)
add dmac hdr.ethernet.dstAddr:0x020000000021 forward(port:1)
add dmac hdr.ethernet.dstAddr:0x01005e031d4a broadcast(group:1)
"""
SWID = 0x1122334455667788
HOST = ("02:00:00:00:00:21", "10.0.0.21")


class AcceptorTest(Stf):
    """Messages to an acceptor and what it says to them."""

    def phase1(self, inst, rnd, vrnd, value):
        """1A of `rnd`, answered by a promise that reports `vrnd` and `value`."""
        self.packet(0, m.message(m.PHASE_1A, inst=inst, rnd=rnd, vrnd=99, swid=99, value="ignored"))
        reply = {"inst": inst, "rnd": rnd, "vrnd": vrnd, "swid": SWID, "value": value}
        self.expect(0, m.message(m.PHASE_1B, target=m.COORDINATOR, chksum=0, **reply))

    def phase2(self, inst, rnd, value, vrnd=0, tail=b""):
        """2A of `rnd`, answered by a vote to both learners."""
        self.packet(0, m.message(m.PHASE_2A, inst=inst, rnd=rnd, vrnd=vrnd, swid=99, value=value, tail=tail))
        vote = {"inst": inst, "rnd": rnd, "vrnd": vrnd, "swid": SWID, "value": value, "tail": tail}
        for port in (1, 2):
            self.expect(port, m.message(m.PHASE_2B, target=m.TO_LEARNERS, dport=m.LEARNER_PORT, chksum=0, **vote))

    def refused(self, kind, inst, rnd):
        """Dropped: no expect."""
        self.packet(0, m.message(kind, inst=inst, rnd=rnd, value="refused"))


def acceptor():
    stf = AcceptorTest(
        "paxos, acceptor: it obeys a round that is not below the promised one, and",
        "reports in a promise what it voted for.",
        "spec: v1model register; P4_16 §14.2.3 Match-action unit execution (table without key)",
    )
    stf.command(ACCEPTOR)
    stf.note("Round 0 on fresh registers is accepted (equal, not below).")
    stf.phase2(1, 0, "first")
    stf.note("A repetition is voted for again, with the same words.")
    stf.phase2(1, 0, "first")
    stf.note("Promise of round 5: it reports round 0 and the value. The same 1A again: same answer.")
    stf.phase1(1, 5, 0, "first")
    stf.phase1(1, 5, 0, "first")
    stf.note("Below 5 everything is refused; 2A of round 5, the promised one, is accepted.")
    stf.refused(m.PHASE_2A, 1, 4)
    stf.refused(m.PHASE_1A, 1, 4)
    stf.phase2(1, 5, "second", vrnd=44)
    stf.note("A 2A without a 1A before it moves the promise too.")
    stf.phase2(1, 9, "third", tail=b"and bytes behind the message")
    stf.refused(m.PHASE_1A, 1, 8)
    stf.phase1(1, 255, 9, "third")
    stf.refused(m.PHASE_2A, 1, 254)
    stf.note("Instances are independent: 2 promises round 1 and has no value.")
    stf.phase1(2, 1, 0, "")
    stf.command(
        """
wait
register_read rounds 1 255
register_read vrounds 1 9
register_read rounds 2 1
register_read vrounds 2 0
register_read rounds 0 0
check_counter verdicts(1) packets == 4
check_counter verdicts(2) packets == 4
check_counter verdicts(3) packets == 4
"""
    )
    stf.write(HERE / "paxos.acceptor.stf")


def bounds():
    stf = AcceptorTest(
        "paxos, acceptor: instances 0 and 1023 have state, no other number reads or",
        "writes anything. 1024 and 2^32 - 1 would be 0 and 1023 with ten bits.",
        "spec: v1model register",
    )
    stf.command(ACCEPTOR)
    stf.phase2(0, 3, "zero")
    stf.phase2(1023, 4, "the last one")
    for inst in (1024, 0xFFFFFFFF, 0x80000000, 0x00010001):
        stf.refused(m.PHASE_1A, inst, 200)
        stf.refused(m.PHASE_2A, inst, 200)
    stf.note("Nothing happened to the neighbours.")
    stf.phase1(0, 3, 3, "zero")
    stf.phase1(1023, 4, 4, "the last one")
    stf.phase1(1, 0, 0, "")
    stf.command("wait\ncheck_counter verdicts(4) packets == 8")
    stf.write(HERE / "paxos.bounds.stf")


COORDINATOR = """
register_write role 0 1
mc_mgrp_create 7
mc_node_create 1 1
mc_node_create 2 2
mc_node_create 3 3
mc_node_associate 7 0
mc_node_associate 7 1
mc_node_associate 7 2
add sequence hdr.paxos.msgtype:0 handle_request(acceptors:7)
add destination hdr.paxos.msgtype:3 set_destination(mac:0x01005e031d49, address:0xe0031d49, port:34952)
add dmac hdr.ethernet.dstAddr:0x020000000010 forward(port:0)
"""


def coordinator():
    stf = Stf(
        "paxos, coordinator: requests 1, 2, 3 get instances 1, 2, 3 and go to all three",
        "acceptors as 2A of round 0; after the last instance requests are dropped.",
        "spec: v1model register, mcast_grp",
    )
    stf.command(COORDINATOR)

    def request(instance, text, **junk):
        stf.packet(0, m.message(m.REQUEST, source=m.PROPOSER, target=m.TO_COORDINATOR, value=text, **junk))
        if instance is None:
            return
        kept = {name: value for name, value in junk.items() if name not in ("rnd", "inst")}
        for port in (1, 2, 3):
            stf.expect(port, m.message(m.PHASE_2A, source=m.PROPOSER, inst=instance, rnd=0, value=text, chksum=0, **kept))

    stf.note("What the proposer left in rnd and inst is overwritten; the rest stays.")
    request(1, "set x 1")
    request(2, "set x 2", rnd=9, inst=77, vrnd=3, swid=5)
    stf.note("Other messages pass by their address and take no number.")
    answer = m.message(m.PHASE_1B, source=m.COORDINATOR, target=m.PROPOSER, inst=1, rnd=1)
    stf.packet(1, answer)
    stf.expect(0, answer)
    stf.note("A 2A is not a request: no entry for its group address here, dropped.")
    stf.packet(1, m.message(m.PHASE_2A, inst=1, rnd=1))
    request(3, "set x 3", tail=b"tail")
    stf.note("The acceptors have places up to 1023.")
    stf.command("wait\nregister_read instance 0 3\nregister_write instance 0 1022")
    request(1023, "the last one")
    request(None, "one too many")
    request(None, "another")
    stf.command(
        """
wait
register_read instance 0 1023
check_counter verdicts(0) packets == 4
check_counter verdicts(5) packets == 2
"""
    )
    stf.write(HERE / "paxos.coordinator.stf")


def forward():
    stf = Stf(
        "paxos: what is no message for the role is forwarded unchanged, and what is cut",
        "off is dropped. Message types without a name are values like any other.",
        "spec: P4_16 §8.3 Operations on enum types (with underlying type); v1model parser_error",
    )
    stf.command(ACCEPTOR)

    def passes(frame):
        stf.packet(0, frame)
        stf.expect(1, frame)

    stf.note("An acceptor forwards requests, 1B, 2B and types that have no name, rounds or not.")
    stf.packet(0, m.message(m.PHASE_1A, target=HOST, inst=1, rnd=200, value="x"))
    stf.expect(0, m.message(m.PHASE_1B, target=m.COORDINATOR, inst=1, rnd=200, swid=SWID, chksum=0))
    for kind in (m.REQUEST, m.PHASE_1B, m.PHASE_2B, 5, 255):
        passes(m.message(kind, target=HOST, inst=1, rnd=0, value="passing by"))
    passes(m.message(m.PHASE_2B, target=HOST, inst=5000, rnd=0, value="beyond the registers"))
    stf.note("Not Paxos: another port, TCP. An address without entry is dropped.")
    passes(Ether(src=m.COORDINATOR[0], dst=HOST[0]) / IP(src="10.0.0.1", dst=HOST[1]) / UDP(dport=m.PAXOS_PORT - 1) / Raw(bytes(60)))
    passes(Ether(src=m.COORDINATOR[0], dst=HOST[0]) / IP(src="10.0.0.1", dst=HOST[1]) / TCP(dport=m.PAXOS_PORT))
    stf.packet(0, m.message(m.PHASE_2B, target=("02:00:00:00:00:77", "10.0.0.77"), inst=1))
    stf.note("Cut off in the message, between UDP and the message, in UDP.")
    whole = bytes(m.message(m.PHASE_2A, target=HOST, inst=1, rnd=255, value="cut off"))
    for length in (len(whole) - 1, 42, 41):
        stf.packet(0, Raw(whole[:length]))
    stf.note("As a plain forwarder (role 0) the switch leaves 1A and 2A alone, too.")
    stf.command("wait\nregister_read rounds 1 200\nregister_write role 0 0")
    passes(m.message(m.PHASE_1A, target=HOST, inst=1, rnd=1, value="x"))
    passes(m.message(m.PHASE_2A, target=HOST, inst=1, rnd=255, value="x"))
    stf.command("wait\nregister_read rounds 1 200\ncheck_counter verdicts(6) packets == 3")
    stf.write(HERE / "paxos.forward.stf")


for test in (acceptor, bounds, coordinator, forward):
    test()
