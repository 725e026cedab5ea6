"""ww_replicator against a list of what each packet must become, with gaps and back-pressure."""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from testing import RowPort, parameters, simulate, start

PACKET, INGRESS_CLONE, EGRESS_CLONE, REPLICA, RESUBMIT = 0, 1, 2, 5, 6
WHOLE = 0xFFFF


class Lists:
    """Groups and sessions, and their rows."""

    def __init__(self, groups: int, sessions: int, replicas: int):
        self.replicas, self.groups, self.sessions = [], {}, {}
        for group in range(1, groups):
            self.groups[group] = self._place(random.randrange(4), replicas)
        for session in range(sessions):
            limit = random.choice([WHOLE, random.randrange(64, 1500)])
            self.sessions[session] = (*self._place(random.randrange(3), replicas), limit)

    def _place(self, count: int, most: int):
        first = len(self.replicas)
        count = min(count, most - first)
        self.replicas += [(random.randrange(1 << 16), random.randrange(512)) for _ in range(count)]
        return first, count

    async def store(self, rows: RowPort) -> None:
        for place, (rid, port) in enumerate(self.replicas):
            await rows.write(1, place, port << 16 | rid)
        for group, (first, count) in self.groups.items():
            await rows.write(0, group, count << 16 | first)
        for session, (first, count, limit) in self.sessions.items():
            await rows.write(2, session, first << 32 | count << 16 | limit)

    def of(self, first: int, count: int):
        return self.replicas[first : first + count]


def expected(lists: Lists, packet: dict, most: int) -> list[tuple]:
    """Tokens of a packet: (pid, kind, port, rid, limit, bits, passes, last, drop)."""
    pid, passes, tokens = packet["pid"], packet["passes"], []
    if packet["clone"] and passes < most:
        first, count, limit = lists.sessions.get(packet["session"], (0, 0, WHOLE))
        for rid, port in lists.of(first, count):
            tokens.append((pid, INGRESS_CLONE, port, rid, limit, packet["clone_bits"], passes + 1, 0, 0))
    if packet["resubmit"]:
        gone = int(passes >= most)
        tokens.append((pid, RESUBMIT, packet["port"], 0, WHOLE, packet["bits"], passes, 1, gone))
    elif packet["group"]:
        replicas = lists.of(*lists.groups.get(packet["group"], (0, 0)))
        for n, (rid, port) in enumerate(replicas):
            last = int(n + 1 == len(replicas))
            tokens.append((pid, REPLICA, port, rid, WHOLE, packet["bits"], passes, last, 0))
        if not replicas:
            tokens.append((pid, None, None, None, None, None, None, 1, 1))
    else:
        tokens.append((pid, PACKET, packet["port"], 0, WHOLE, packet["bits"], passes, 1, packet["drop"]))
    return tokens


def expected_again(lists: Lists, job: dict, most: int) -> list[tuple]:
    first, count, limit = lists.sessions.get(job["session"], (0, 0, WHOLE))
    replicas = lists.of(first, count) if job["passes"] < most else []
    tokens = []
    for n, (rid, port) in enumerate(replicas):
        last = int(job["owns"] and n + 1 == len(replicas))
        tokens.append((job["pid"], EGRESS_CLONE, port, rid, limit, job["bits"], job["passes"] + 1, last, 0))
    if not replicas and job["owns"]:
        tokens.append((job["pid"], None, None, None, None, None, None, 1, 1))
    return tokens


@cocotb.test(timeout_time=2000, timeout_unit="us")
async def every_packet_becomes_its_tokens(dut):
    most = parameters()["MAX_PASSES"]
    lists = Lists(parameters()["GROUPS"], parameters()["SESSIONS"], parameters()["REPLICAS"])
    dut.in_valid.value = dut.again_valid.value = dut.out_ready.value = 0
    rows = RowPort(dut)
    await start(dut)
    await lists.store(rows)
    for place, (rid, port) in enumerate(lists.replicas):
        assert await rows.read(1, place) == port << 16 | rid

    wide = (1 << parameters()["BITS"]) - 1
    packets, jobs = [], []
    for n in range(400):
        packets.append(
            {
                "pid": n % 256,
                "passes": random.choice([0, most - 1, most]),
                "drop": int(random.random() < 0.1),
                "port": random.randrange(512),
                # Also groups that do not exist.
                "group": random.randrange(parameters()["GROUPS"] + 2) if random.random() < 0.4 else 0,
                "resubmit": int(random.random() < 0.1),
                "clone": int(random.random() < 0.3),
                "session": random.randrange(parameters()["SESSIONS"] + 2),
                "bits": random.getrandbits(64) & wide,
                "clone_bits": random.getrandbits(64) & wide,
            }
        )
        if random.random() < 0.2:
            jobs.append(
                {
                    "pid": random.randrange(256),
                    "passes": random.choice([0, most]),
                    "owns": random.getrandbits(1),
                    "session": random.randrange(parameters()["SESSIONS"] + 2),
                    "bits": random.getrandbits(64) & wide,
                }
            )
    from_packets = [t for p in packets for t in expected(lists, p, most)]
    from_jobs = [t for j in jobs for t in expected_again(lists, j, most)]
    total = len(from_packets) + len(from_jobs)
    at_packet = at_job = 0
    gap_packet = gap_job = False
    tokens, clocks = [], 0
    # A valid that is up stays up until it is taken.
    while at_packet < len(packets) or at_job < len(jobs) or len(tokens) < total:
        clocks += 1
        assert clocks < 20_000, f"{len(tokens)} of {total} tokens"
        valid = at_packet < len(packets) and not gap_packet
        again = at_job < len(jobs) and not gap_job
        dut.in_valid.value, dut.again_valid.value = int(valid), int(again)
        if valid:
            for name, value in packets[at_packet].items():
                getattr(dut, f"in_{name}").value = value
        if again:
            for name, value in jobs[at_job].items():
                getattr(dut, f"again_{name}").value = value
        ready = random.random() < 0.7
        dut.out_ready.value = int(ready)
        await Timer(1, "ns")
        if dut.out_valid.value == 1 and ready:
            fields = ("pid", "kind", "port", "rid", "limit", "bits", "passes", "last", "drop")
            tokens.append(tuple(int(getattr(dut, f"out_{f}").value) for f in fields))
        if valid and dut.in_ready.value == 1:
            at_packet, gap_packet = at_packet + 1, random.random() < 0.2
        elif gap_packet:
            gap_packet = random.random() < 0.5
        if again and dut.again_ready.value == 1:
            at_job, gap_job = at_job + 1, random.random() < 0.8
        elif gap_job:
            gap_job = random.random() < 0.9
        await RisingEdge(dut.clk)

    # Packets keep their order, and so do clones of egress; nothing else comes.
    def fits(token, wanted):
        return all(w is None or t == w for t, w in zip(token, wanted))

    a = b = 0
    for token in tokens:
        if a < len(from_packets) and fits(token, from_packets[a]):
            a += 1
        elif b < len(from_jobs) and fits(token, from_jobs[b]):
            b += 1
        else:
            raise AssertionError(f"token {token}: expected {from_packets[a:a+1]} or {from_jobs[b:b+1]}")
    assert (a, b) == (len(from_packets), len(from_jobs))


@cocotb.test(timeout_time=50, timeout_unit="us")
async def a_packet_a_clock_to_one_port(dut):
    for signal in ("valid", "drop", "group", "resubmit", "clone", "passes"):
        getattr(dut, f"in_{signal}").value = 0
    dut.again_valid.value = 0
    RowPort(dut)
    await start(dut)
    dut.out_ready.value = dut.in_valid.value = 1
    for n in range(50):
        dut.in_pid.value, dut.in_port.value = n, n + 1
        await Timer(1, "ns")
        assert (dut.out_valid.value, dut.in_ready.value) == (1, 1)
        assert (int(dut.out_pid.value), int(dut.out_port.value)) == (n, n + 1)
        await RisingEdge(dut.clk)


def test_replicator():
    simulate("ww_replicator", {"BITS": 9, "PID_WIDTH": 8, "GROUPS": 12, "REPLICAS": 64, "SESSIONS": 6, "MAX_PASSES": 4})


@pytest.mark.parametrize("parameter", [{"GROUPS": 0}, {"REPLICAS": 65537}])
def test_illegal_parameters_do_not_build(parameter):
    with pytest.raises(RuntimeError, match="ww_replicator: .* must be"):
        simulate("ww_replicator", parameter)
