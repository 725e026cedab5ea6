#!/usr/bin/env python3
"""Writes the captures of both roles, the expected ones from a model.

The acceptor's and the coordinator's model follow the textbook: promises and
votes are Python dictionaries. They share only the entries files with the
program. While it runs, the acceptor's model asserts what must never happen:
a promise that goes down, a vote above the promise. Needs scapy 2.8.0; the
output never changes.
"""

import random
import sys
from collections import Counter
from pathlib import Path

from scapy.all import ARP, IP, TCP, UDP, Ether, Raw

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "scripts"), str(HERE)]

import messages as m
import pcap_file
import runtime_entries

N_INSTANCES = 1024


class Forwarder:
    """What every role does with a frame in the end."""

    def __init__(self, entries):
        self.entries = entries
        self.verdicts = Counter()

    def dmac(self, frame):
        entry = self.entries.find("ingress.dmac", ("exact", 48, int.from_bytes(frame[:6], "big")))
        if entry is None:
            return []
        if entry.action == "broadcast":
            return [(port, frame) for port in self.entries.members(entry.numbers[0])]
        return [(entry.numbers[0], frame)]

    def address(self, frame, paxos, rest):
        """The frame with a new message in it, sent to where such messages go."""
        packet = Ether(frame[:42])
        packet[UDP].chksum = 0
        target = self.entries.find("ingress.destination", ("exact", 8, paxos.msgtype))
        if target:
            mac, address, port = target.numbers
            packet.dst = ":".join(f"{byte:02x}" for byte in mac.to_bytes(6, "big"))
            packet[IP].dst = ".".join(str(byte) for byte in address.to_bytes(4, "big"))
            packet[UDP].dport = port
        del packet[IP].chksum
        return bytes(packet)[:42] + bytes(paxos) + rest

    def process(self, frame):
        """Returns [(port, frame)]: what leaves, and where."""
        if frame[12:14] == b"\x08\x00":
            if len(frame) < 34:
                self.verdicts["MALFORMED"] += 1
                return []
            header = IP(frame[14:34])
            if header.ihl == 5 and header.frag == 0 and header.proto == 17:
                paxos_port = frame[36:38] == m.PAXOS_PORT.to_bytes(2, "big")
                if len(frame) < 42 or (paxos_port and len(frame) < 89):
                    self.verdicts["MALFORMED"] += 1
                    return []
                if paxos_port:
                    return self.paxos(frame, m.Paxos(frame[42:89]), frame[89:])
        return self.dmac(frame)


class Acceptor(Forwarder):
    """Promises and votes."""

    def __init__(self, entries):
        super().__init__(entries)
        self.name = entries.registers[("ingress.datapath_id", 0)]
        self.promised, self.voted = {}, {}

    def paxos(self, frame, paxos, rest):
        if paxos.msgtype not in (m.PHASE_1A, m.PHASE_2A):
            return self.dmac(frame)
        if paxos.inst >= N_INSTANCES:
            self.verdicts["OUT_OF_RANGE"] += 1
            return []
        before = self.promised.get(paxos.inst, 0)
        if paxos.rnd < before:
            self.verdicts["ROUND_TOO_LOW"] += 1
            return []
        self.promised[paxos.inst] = paxos.rnd
        if paxos.msgtype == m.PHASE_1A:
            paxos.msgtype = m.PHASE_1B
            paxos.vrnd, paxos.value = self.voted.get(paxos.inst, (0, bytes(32)))
            self.verdicts["PROMISED"] += 1
        else:
            paxos.msgtype = m.PHASE_2B
            self.voted[paxos.inst] = (paxos.rnd, paxos.value)
            self.verdicts["ACCEPTED"] += 1
        paxos.swid = self.name
        assert before <= self.promised[paxos.inst]
        assert self.voted.get(paxos.inst, (0,))[0] <= self.promised[paxos.inst]
        new = self.address(frame, paxos, rest)
        return self.dmac(new)


class Coordinator(Forwarder):
    """Numbers the requests."""

    def __init__(self, entries):
        super().__init__(entries)
        self.instance = 0

    def paxos(self, frame, paxos, rest):
        if paxos.msgtype != m.REQUEST:
            return self.dmac(frame)
        self.instance += 1
        paxos.msgtype, paxos.inst, paxos.rnd = m.PHASE_2A, self.instance, 0
        self.verdicts["SEQUENCED"] += 1
        new = self.address(frame, paxos, rest)
        group = self.entries.find("ingress.sequence", ("exact", 8, m.REQUEST)).numbers[0]
        return [(port, new) for port in self.entries.members(group)]


def others():
    """Frames that are no Paxos messages, or broken ones."""
    to_learner = Ether(src=m.COORDINATOR[0], dst="02:00:00:00:00:21") / IP(src="10.0.0.1", dst="10.0.0.21")
    whole = bytes(m.message(m.PHASE_2A, inst=1, rnd=255, value="cut off"))
    return [
        to_learner / UDP(sport=5000, dport=5001) / Raw(b"not Paxos"),
        to_learner / TCP(sport=5000, dport=m.PAXOS_PORT),
        Ether(src=m.COORDINATOR[0], dst="02:00:00:00:00:21") / ARP(hwsrc=m.COORDINATOR[0], psrc="10.0.0.1", pdst="10.0.0.21"),
        Ether(src=m.COORDINATOR[0], dst="02:00:00:00:00:99") / IP(src="10.0.0.1", dst="10.0.0.99") / UDP(dport=9),
        Raw(whole[:-1]),
        Raw(whole[:42]),
        Raw(whole[:41]),
        Raw(whole[:33]),
        to_learner / UDP(sport=5000, dport=5001),
    ]


def acceptor_traffic():
    """Frames from the coordinator and from one that took over for a while."""
    rng = random.Random(23)
    frames = []
    # The plain case: 2A of round 0 on fresh registers, one after another.
    for inst in range(1, 9):
        frames.append(m.message(m.PHASE_2A, inst=inst, rnd=0, value=f"value {inst}"))
    # Anything in any order, with repetitions and losses, on few instances.
    for _ in range(80):
        inst = rng.choice([1, 2, 3, 4, 512, 1022, 1023])
        rnd = rng.choice([0, 1, 1, 2, 3, 100, 255]) if inst < 3 else rng.choice([0, 1, 2, 2, 3])
        kind = rng.choice([m.PHASE_1A, m.PHASE_2A, m.PHASE_2A])
        frame = m.message(kind, inst=inst, rnd=rnd, vrnd=rng.randrange(256), value=f"{inst}/{rnd}/{rng.randrange(100)}")
        frames += [frame] * rng.choice([1, 1, 1, 2])
    # No place for these; 1024 and 2^32 would be instance 0 with too few bits.
    for inst in (0, 1024, 1025, 0x10000, 0x80000000, 0xFFFFFFFF):
        for kind in (m.PHASE_1A, m.PHASE_2A):
            frames.append(m.message(kind, inst=inst, rnd=7, value="where?"))
    # Types that an acceptor only forwards, known or not; and bytes behind the message.
    for kind in (m.REQUEST, m.PHASE_1B, m.PHASE_2B, 5, 255):
        frames.append(m.message(kind, target=("02:00:00:00:00:22", "10.0.0.22"), inst=1, rnd=0, value="passing by"))
    frames.append(m.message(m.PHASE_2A, inst=40, rnd=1, value="with a tail", tail=b"and a tail"))
    return frames + others()


def coordinator_traffic():
    """Requests of several proposers, and traffic between acceptors and hosts."""
    frames = []
    for number in range(30):
        source = (f"02:00:00:00:00:{0x10 + number % 3:02x}", f"10.0.0.{10 + number % 3}")
        # What a proposer leaves in the fields that the coordinator sets does not matter.
        fields = {"rnd": 9, "inst": 77, "vrnd": 3, "swid": 5} if number % 4 == 0 else {}
        frames.append((0, m.message(m.REQUEST, source=source, target=m.TO_COORDINATOR, value=f"command {number}", **fields)))
        if number % 5 == 0:
            frames.append((1, m.message(m.PHASE_1B, source=("02:00:00:00:00:11", "10.0.0.11"), target=m.PROPOSER, inst=number, swid=0x11)))
        if number % 7 == 0:
            frames.append((0, m.message(m.PHASE_1A, source=m.PROPOSER, target=("02:00:00:00:00:12", "10.0.0.12"), inst=number, rnd=1)))
    frames.append((0, m.message(m.REQUEST, source=m.PROPOSER, target=m.TO_COORDINATOR, value="last", tail=b"tail")))
    return frames + [(0, frame) for frame in others()]


def record(folder, model, traffic, ports):
    """Runs the traffic through the model and writes both sides."""
    sent, received = {port: [] for port in ports}, {port: [] for port in ports}
    for number, (port, frame) in enumerate(traffic):
        micros, data = 1_000_000 + 10 * number, bytes(frame)
        sent[port].append((micros, data))
        for out, result in model.process(data):
            received[out].append((micros, result))
    for port in ports:
        if sent[port]:
            pcap_file.write(folder / f"in.{port}.pcap", sent[port])
        pcap_file.write(folder / f"expected.{port}.pcap", received[port])
        print(f"{folder.name}, port {port}: {len(sent[port])} in, {len(received[port])} out")
    print(dict(model.verdicts))


def main():
    acceptor = Acceptor(runtime_entries.read(HERE / "entries.txt"))
    record(HERE, acceptor, [(0, frame) for frame in acceptor_traffic()], (0, 1, 2))
    coordinator = Coordinator(runtime_entries.read(HERE / "coordinator" / "entries.txt"))
    record(HERE / "coordinator", coordinator, coordinator_traffic(), (0, 1, 2, 3))


if __name__ == "__main__":
    main()
