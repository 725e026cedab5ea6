"""The rules `shoal` of docs/fabric-rules.md, word by word, for all hosts of a fabric in plain order on one channel.

Everything is done where the page does it: a pair that becomes active changes all its subflows in that slot, epochs are numbers that
do not wrap, and ceil is a division. The hardware does none of that.

Of the page about failures ("Bad headers") the rules of a fabric in which nobody dies: who sent a cell keeps it until the answer, and sends
it again, before the queue, if the answer says that it was dropped, or is dropped itself. Beyond that, what ww_shoal_control says: a cell that does
not come is as one with a bad header; one in a bad frame is dropped, but its answer counts; so is one for which there is no room, in its queue or
among the numbers of its source; a report above the longest queue and the one cell before it is that.
"""

from collections import deque
from dataclasses import dataclass, field

SEQS = 1 << 20
UNUSED, WAITS, QUEUED, SENT = "unused", "waits", "queued", "sent"
GOOD, BAD_FRAME, NOTHING = "good", "bad frame", "nothing"


def ceil_div(value: int, by: int) -> int:
    return -(-value // by)


@dataclass
class Host:
    number: int
    cells: dict[int, int] = field(default_factory=dict)
    seq: dict[int, int] = field(default_factory=dict)
    since: dict[int, int] = field(default_factory=dict)
    queue: dict[int, deque] = field(default_factory=dict)
    departed: dict[int, int] = field(default_factory=dict)
    state: dict[tuple[int, int], str] = field(default_factory=dict)
    first_epoch: dict[tuple[int, int], int] = field(default_factory=dict)
    sent: dict[tuple[int, int], int | None] = field(default_factory=dict)
    received: dict[int, tuple[int, int] | None] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    # By peer and epoch: what was sent and has to be answered. By peer: what has to be sent again.
    kept: dict[tuple[int, int], "Cell | None"] = field(default_factory=dict)
    again: dict[int, deque] = field(default_factory=dict)
    # By source: all numbers that have arrived, and the first that has not. Cells from afar may have any numbers: modulo 2^20.
    arrived: dict[int, set[int]] = field(default_factory=dict)
    expected: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    src: int
    dst: int
    seq: int


@dataclass
class Done:
    """What a host did in a slot."""

    to: int
    sent: Cell | None = None
    again: bool = False
    queued: tuple[int, int] | None = None
    report: int = 0
    told_lost: bool = False
    received: Cell | None = None
    lost_from: int | None = None
    told_lost_by: int | None = None
    overflow: bool = False
    duplicate: bool = False


class Fabric:
    def __init__(self, hosts: int, delay: int, gate: int, cells: int, window: int):
        self.most, self.window = cells, window
        self.n, self.k, self.gate, self.p = hosts, delay, gate, hosts - 1
        self.ages = (hosts - 1).bit_length()
        self.slot = 0
        self.hosts = []
        for i in range(hosts):
            host = Host(i)
            for f in self.others(i):
                host.cells[f], host.seq[f] = 0, 0
                host.queue[f], host.departed[f] = deque(), 0
                host.received[f] = None
                host.again[f] = deque()
                host.arrived[f], host.expected[f] = set(), 0
                for m in self.others(i):
                    host.state[m, f] = UNUSED
            self.hosts.append(host)
        # By slot: for each host (to, cell, report, last cell was lost).
        self.underway: dict[int, list] = {}
        self.undelivered: dict[int, dict[int, int]] = {dst: {} for dst in range(hosts)}
        self.longest = 0

    def others(self, i: int) -> list[int]:
        return [j for j in range(self.n) if j != i]

    def off(self, i: int, j: int) -> int:
        return (j - i - 1) % self.n

    def peer(self, i: int, slot: int) -> int:
        return (i + slot % self.p + 1) % self.n

    def run_slot(self, adds: list[tuple[int, int, int]], faults: dict[int, str] | None = None) -> list[Done]:
        """Slot by slot: cells (src, dst, how many) that start in it, and what happens to the cells that arrive at its end, by host."""
        t = self.slot
        grown: dict[int, set[int]] = {host.number: set() for host in self.hosts}
        for src, dst, cells in adds:
            host = self.hosts[src]
            # What makes a ring empty or not is the state before the slot.
            if host.cells[dst] == 0:
                grown[src].add(dst)
            host.cells[dst] += cells
            self.undelivered[dst][src] = self.undelivered[dst].get(src, 0) + cells
        for host in self.hosts:
            for f in grown[host.number]:
                self.new_pair(host, f, t)
        done = [self.link(host, t) for host in self.hosts]
        for host, what in zip(self.hosts, done, strict=True):
            what.report = self.report(host, what.to)
            what.told_lost = what.to in host.lost
        self.underway[t] = [(what.to, what.sent, what.report, what.told_lost) for what in done]
        r = t - self.k + 1
        if r >= 0:
            for u, (v, cell, report, told_lost) in enumerate(self.underway.pop(r)):
                self.arrival(self.hosts[v], u, t, r, cell, report, told_lost, (faults or {}).get(v, GOOD), done[v])
                if done[v].received is not None:
                    self.undelivered[v][cell.src] -= 1
        self.check_bound(faults)
        self.slot += 1
        return done

    def new_pair(self, host: Host, f: int, t: int) -> None:
        """A."""
        host.since[f] = t
        for m in self.others(host.number):
            e0 = ceil_div(t - self.off(host.number, m), self.p)
            if host.state[m, f] == UNUSED:
                host.state[m, f], host.first_epoch[m, f] = WAITS, e0
            elif host.state[m, f] == WAITS:
                host.first_epoch[m, f] = max(host.first_epoch[m, f], e0)

    def link(self, host: Host, t: int) -> Done:
        """B."""
        m, e = self.peer(host.number, t), t // self.p
        queue, again = host.queue[m], host.again[m]
        length = len(queue) + len(again)
        what = Done(to=m)
        is_full = len(queue) == self.most and again
        if not is_full and not any(cell.src == host.number for cell in queue):
            waiting = [
                (host.first_epoch[m, f], f) for f in self.others(host.number) if host.state[m, f] == WAITS and host.cells[f] > 0
            ]
            if waiting:
                first_epoch, f = min(waiting)
                age = (t - host.since[f]) // self.gate if self.gate else self.ages
                if first_epoch <= e + length and (age >= self.ages or length <= 2**age):
                    queue.append(Cell(host.number, f, host.seq[f]))
                    host.seq[f] += 1
                    host.cells[f] -= 1
                    host.state[m, f] = QUEUED
                    what.queued = (m, f)
        host.sent[m, e] = None
        host.kept[m, e] = None
        if again:
            cell = again.popleft()
            what.sent, what.again = cell, True
            host.kept[m, e] = cell
            if cell.src == host.number and cell.dst != m:
                host.sent[m, e] = cell.dst
        elif queue:
            cell = queue.popleft()
            host.kept[m, e] = cell
            host.departed[m] += 1
            what.sent = cell
            if cell.src == host.number:
                if cell.dst == m:
                    host.state[m, m], host.first_epoch[m, m] = WAITS, e + 1
                else:
                    host.state[m, cell.dst] = SENT
                    host.sent[m, e] = cell.dst
        # "waiting subflows of such pairs with E <= e become unused": it changes nothing, so it is not done.
        return what

    def report(self, host: Host, m: int) -> int:
        """C."""
        if host.received[m] is None:
            return 0
        f, number = host.received[m]
        place = number - host.departed[f]
        return 0 if place < 0 else place + 1 + len(host.again[f])

    def arrival(self, host: Host, u: int, t: int, r: int, cell, report: int, told_lost: bool, fault: str, what: Done) -> None:
        """D."""
        v = host.number
        report = min(report, self.most + 1)
        if fault != NOTHING and told_lost:
            what.told_lost_by = u
        host.lost.discard(u)
        host.received[u] = None
        if fault != GOOD or not self.keep(host, u, cell, what):
            host.lost.add(u)
            what.lost_from = u
        answered = r - self.k - ((r - self.k - self.off(v, u)) % self.p)
        if answered >= 0:
            epoch = (answered - self.off(v, u)) // self.p
            f = host.sent.pop((u, epoch), None)
            copy = host.kept.pop((u, epoch))
            if fault == NOTHING or told_lost:
                if copy is not None:
                    host.again[u].append(copy)
                    assert len(host.again[u]) == 1
            elif f is not None:
                cur = ceil_div(t + 1 - self.off(v, u), self.p)
                first_epoch = cur
                if report > 0:
                    first = r + 1
                    while self.peer(u, first) != f:
                        first += 1
                    departure = first + (report - 1) * self.p
                    first_epoch = max(cur, ceil_div(departure - self.k + 1 - self.off(v, u), self.p))
                assert host.state[u, f] == SENT
                host.state[u, f], host.first_epoch[u, f] = WAITS, first_epoch

    def keep(self, host: Host, u: int, cell, what: Done) -> bool:
        """D.2, of a cell that came whole: whether it is not dropped."""
        if cell is None:
            return True
        if cell.dst == host.number:
            return self.at_destination(host, cell, what)
        if len(host.queue[cell.dst]) == self.most:
            what.overflow = True
            return False
        number = host.departed[cell.dst] + len(host.queue[cell.dst])
        host.queue[cell.dst].append(cell)
        host.received[u] = (cell.dst, number)
        return True

    def at_destination(self, host: Host, cell, what: Done) -> bool:
        # The number that is meant: the nearest to the first that is missing.
        expected = host.expected[cell.src]
        ahead = (cell.seq - expected + SEQS // 2) % SEQS - SEQS // 2
        number = expected + ahead
        if ahead < 0 or number in host.arrived[cell.src]:
            what.duplicate = True
            return True
        if ahead >= self.window:
            what.overflow = True
            return False
        host.arrived[cell.src].add(number)
        while host.expected[cell.src] in host.arrived[cell.src]:
            host.expected[cell.src] += 1
        what.received = cell
        return True

    def check_bound(self, faults) -> None:
        """No queue for k has more than 1 + (hosts with cells for k) cells; nothing is said of that where cells are lost."""
        for host in self.hosts:
            for k, queue in host.queue.items():
                self.longest = max(self.longest, len(queue))
                incast = sum(cells > 0 for cells in self.undelivered[k].values())
                assert faults is not None or len(queue) <= 1 + incast, f"slot {self.slot}: host {host.number}, queue {k}"

    def is_idle(self) -> bool:
        """No cell is anywhere, and everything is answered."""
        return (
            not any(any(host.cells.values()) or any(host.queue.values()) or any(host.again.values()) for host in self.hosts)
            and not any(any(host.kept.values()) for host in self.hosts)
            and not any(cell for slot in self.underway.values() for _, cell, _, _ in slot)
            and not any(state == SENT for host in self.hosts for state in host.state.values())
        )


def crc11(value: int) -> int:
    """x^11 + x^9 + x^8 + x^2 + x + 1 of 53 bits, as a division of polynomials: with all ones at first, as if they were added to the first
    eleven bits, and eleven zeros behind."""
    rest = (value ^ 0x7FF << 42) << 11
    for place in range(63, 10, -1):
        if rest >> place & 1:
            rest ^= 0b1011_0000_0111 << (place - 11)
    return rest


def header(src: int, dst: int, seq: int, report: int, marks: int, lost: bool) -> int:
    """The word, see ww_shoal_header."""
    fields = src | dst << 10 | (seq & 0xFFFFF) << 20 | report << 40 | marks << 50 | lost << 52
    return crc11(fields) << 53 | fields
