"""The rules `shoal` of docs/fabric-rules.md, word by word, for all hosts of a fabric in plain order on one channel.

Everything is done where the page does it: a pair that becomes active changes all its subflows in that slot, epochs are numbers that
do not wrap, and ceil is a division. The hardware does none of that.

"With bad headers": who sent a cell keeps it until the answer, and sends it again, before the queue, if the answer says that it was dropped, or is
dropped itself. "With hosts that die", if they may: who is silent is dead, and what went over it is sent again over others. Beyond that, what
ww_shoal_control says: where nobody dies, a cell that does not come is as one with a bad header; one in a bad frame is dropped, but its answer
counts; so is one for which there is no room, in its queue or among the numbers of its source; a report above the longest queue and the one cell
before it is that.
"""

from collections import deque
from dataclasses import dataclass, field

SEQS = 1 << 20
UNUSED, WAITS, QUEUED, SENT = "unused", "waits", "queued", "sent"
GOOD, BAD_FRAME, BAD_HEADER, SILENCE = "good", "bad frame", "bad header", "silence"
# Numbers of a row of the window, and rows that a host looks at in a slot; numbers that a search looks at.
ROW, ROWS, LOOKED_AT = 16, 4, 8


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
    # By source: all numbers that have arrived, and the first that has not, as far as the host has looked; sources of which it has to look at more.
    # Cells from afar may have any numbers: modulo 2^20.
    arrived: dict[int, set[int]] = field(default_factory=dict)
    expected: dict[int, int] = field(default_factory=dict)
    looks: set[int] = field(default_factory=set)
    # With hosts that die: when this one began, and which are dead; of each pair the way of each cell, what its destination misses, and what has to be
    # sent over others; what is searched for; by source, since when it was not told of its cells.
    alive: bool = True
    born: int = 0
    dead: set[int] = field(default_factory=set)
    via: dict[int, dict[int, int]] = field(default_factory=dict)
    told: dict[int, int] = field(default_factory=dict)
    reroute: dict[int, deque] = field(default_factory=dict)
    to_search: set[int] = field(default_factory=set)
    search: tuple[int, int, int] | None = None
    untold: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    src: int
    dst: int
    seq: int


@dataclass
class Done:
    """What a host did in a slot."""

    to: int
    alive: bool = True
    sent: Cell | None = None
    again: bool = False
    # Over which host, and to which; the host itself: an empty cell that tells. The number, if it is sent over another host.
    queued: tuple[int, int] | None = None
    rerouted: int | None = None
    # What an empty cell tells: the first number of the peer that is missing.
    missing: int = 0
    found: int = 0
    report: int = 0
    told_lost: bool = False
    received: Cell | None = None
    lost_from: int | None = None
    told_lost_by: int | None = None
    overflow: bool = False
    duplicate: bool = False


class Fabric:
    def __init__(self, hosts: int, delay: int, gate: int, cells: int, window: int, deaths: bool = False, again: int = 1):
        self.most, self.window, self.deaths = cells, window, deaths
        # Cells that wait to be sent again: more than one only while nothing leaves, before a repair.
        self.again = again
        self.n, self.k, self.gate, self.p = hosts, delay, gate, hosts - 1
        self.ages = (hosts - 1).bit_length()
        self.slot = 0
        # The hosts of the schedule, and the slot with which it began; nothing but empty cells leaves.
        self.members, self.base = list(range(hosts)), 0
        self.pauses = False
        self.hosts = [self.new_host(i) for i in range(hosts)]
        # By slot: for each host (to, cell, report, last cell was lost).
        self.underway: dict[int, list] = {}
        self.silent: dict[int, set[int]] = {}
        self.undelivered: dict[int, dict[int, int]] = {dst: {} for dst in range(hosts)}
        self.longest = 0

    def new_host(self, i: int) -> Host:
        host = Host(i)
        for f in self.others(i):
            host.cells[f], host.seq[f] = 0, 0
            host.queue[f], host.departed[f] = deque(), 0
            host.received[f] = None
            host.again[f] = deque()
            host.arrived[f], host.expected[f] = set(), 0
            host.via[f], host.told[f], host.reroute[f] = {}, 0, deque()
            for m in self.others(i):
                host.state[m, f] = UNUSED
        return host

    def kill(self, i: int) -> None:
        """Before a slot."""
        self.hosts[i].alive = False

    def revive(self, i: int) -> None:
        """Before a slot: the start signal of a host that has died tells it and others which numbers go on."""
        old, host = self.hosts[i], self.new_host(i)
        host.born = self.slot
        for f in self.others(i):
            host.seq[f] = host.told[f] = old.seq[f]
            host.expected[f] = self.hosts[f].seq[i]
            if not self.hosts[f].alive:
                host.dead.add(f)
            self.undelivered[f][i] = 0
        self.undelivered[i] = {}
        self.hosts[i] = host

    def announce(self, i: int) -> None:
        """In the slot before: the start signal tells the others with which number a host begins."""
        for f in self.others(i):
            host, number = self.hosts[f], self.hosts[i].seq[f]
            host.expected[i], host.arrived[i] = number, set()
            host.looks.discard(i)

    def missing(self, but: set[int]) -> dict[int, dict[int, int]]:
        """By destination and source, how many cells have not arrived; not those from and to some hosts."""
        left = {dst: {src: cells for src, cells in waiting.items() if cells and src not in but} for dst, waiting in self.undelivered.items()}
        return {dst: waiting for dst, waiting in left.items() if waiting and dst not in but}

    def others(self, i: int) -> list[int]:
        return [j for j in range(self.n) if j != i]

    def off(self, i: int, j: int) -> int:
        if i not in self.members or j not in self.members:
            return 0
        return (self.members.index(j) - self.members.index(i) - 1) % len(self.members)

    def peer(self, i: int, slot: int) -> int:
        return self.members[(self.members.index(i) + (slot - self.base) % self.p + 1) % len(self.members)]

    def epoch_at(self, i: int, j: int, slot: int) -> int:
        """The first epoch of a link at or after a slot."""
        return ceil_div(slot - self.base - self.off(i, j), self.p)

    def repair(self, members: list[int]) -> None:
        """Before a slot, the first of an epoch: a schedule of these hosts begins. What is on its way is lost, and nothing is answered any more."""
        self.members, self.base, self.p = members, self.slot, len(members) - 1
        self.underway.clear()
        for host in self.hosts:
            host.sent.clear()
            host.kept.clear()
            host.lost.clear()
            for u in self.others(host.number):
                host.received[u] = None
                for f in self.others(host.number):
                    if host.state[u, f] == WAITS:
                        host.first_epoch[u, f] = 0

    def run_slot(self, adds: list[tuple[int, int, int]], faults: dict[int, str] | None = None, back: list[int] = ()) -> list[Done]:
        """Slot by slot: cells (src, dst, how many) that start in it, what happens to the cells that arrive at its end, by host, and who comes back in
        the next one."""
        t = self.slot
        grown: dict[int, set[int]] = {host.number: set() for host in self.hosts}
        for src, dst, cells in adds:
            host = self.hosts[src]
            # What makes a ring empty or not is the state before the slot.
            if not self.is_active(host, dst):
                grown[src].add(dst)
            host.cells[dst] += cells
            self.undelivered[dst][src] = self.undelivered[dst].get(src, 0) + cells
        for host in self.hosts:
            for f in grown[host.number]:
                self.new_pair(host, f, t)
        done = []
        for host in self.hosts:
            if not host.alive:
                done.append(Done(to=host.number, alive=False))
                continue
            self.look(host)
            found = self.find(host)
            what = self.link(host, t)
            what.found = self.send_over_others(host, t, *found)
            what.report = self.report(host, what.to)
            what.told_lost = what.to in host.lost
            what.missing = host.expected[what.to] % SEQS
            done.append(what)
        told = [None if what.sent else what.missing for what in done]
        self.underway[t] = [
            (u, self.peer(u, t), done[u].sent, done[u].report, done[u].told_lost, told[u]) for u in self.members
        ]
        self.silent[t] = {host.number for host in self.hosts if not host.alive}
        for i in back:
            self.announce(i)
        r = t - self.k + 1
        silent = self.silent.pop(r, set())
        if r in self.underway:
            for u, v, cell, report, told_lost, missing in self.underway.pop(r):
                if not self.hosts[v].alive:
                    continue
                fault = SILENCE if u in silent else (faults or {}).get(v, GOOD)
                self.arrival(self.hosts[v], u, t, r, cell, report, told_lost, fault, done[v], missing)
                if done[v].received is not None:
                    self.undelivered[v][cell.src] -= 1
        self.check_bound(faults)
        self.slot += 1
        return done

    def new_pair(self, host: Host, f: int, t: int) -> None:
        """A."""
        host.since[f] = t
        for m in self.others(host.number):
            if m not in self.members:
                continue
            e0 = max(0, self.epoch_at(host.number, m, t))
            if host.state[m, f] == UNUSED:
                host.state[m, f], host.first_epoch[m, f] = WAITS, e0
            elif host.state[m, f] == WAITS:
                host.first_epoch[m, f] = max(host.first_epoch[m, f], e0)

    def is_active(self, host: Host, f: int) -> bool:
        return f not in host.dead and (host.cells[f] > 0 or len(host.reroute[f]) > 0)

    def look(self, host: Host) -> None:
        """What has come: four rows."""
        for _ in range(ROWS):
            if not host.looks:
                return
            u = min(host.looks)
            is_last = False
            while not is_last and host.expected[u] in host.arrived[u]:
                host.expected[u] += 1
                is_last = host.expected[u] % ROW == 0
            if not is_last:
                host.looks.remove(u)

    def find(self, host: Host) -> tuple[int, list[int]]:
        """Search: the pair that is looked at, and its cells that went over a dead host."""
        if host.search is None:
            if not host.to_search:
                return 0, []
            host.search = min(host.to_search), 0, 0
            host.to_search.remove(host.search[0])
        d, f, n = host.search
        numbers, goes_on = [], False
        if f != host.number and f not in host.dead:
            first = max(n, host.told[f])
            n = first + LOOKED_AT
            numbers = [seq for seq in range(first, min(n, host.seq[f])) if host.via[f].get(seq) == d]
            for seq in numbers:
                del host.via[f][seq]
            goes_on = n < host.seq[f]
        host.search = (d, f, n) if goes_on else (d, f + 1, 0) if f + 1 < self.n else None
        return f, numbers

    def send_over_others(self, host: Host, t: int, f: int, numbers: list[int]) -> int:
        """What was found counts from the next slot on."""
        if numbers:
            was_active = self.is_active(host, f)
            host.reroute[f].extend(numbers)
            if not was_active:
                self.new_pair(host, f, t + 1)
        return len(numbers)

    def die(self, host: Host, u: int) -> None:
        """D, when nothing has come from `u`."""
        host.dead.add(u)
        host.departed[u] += len(host.queue[u])
        host.queue[u].clear()
        host.again[u].clear()
        host.received[u] = None
        for known in [known for known in host.sent if known[0] == u]:
            host.sent[known] = None
        for known in [known for known in host.kept if known[0] == u]:
            host.kept[known] = None
        for f in self.others(host.number):
            host.state[u, f] = UNUSED
        host.cells[u], host.told[u] = 0, host.seq[u]
        host.reroute[u].clear()
        host.untold.pop(u, None)
        host.to_search.add(u)

    def come_back(self, host: Host, u: int, t: int) -> None:
        """D, when something has come from a host that was dead."""
        host.dead.remove(u)
        for f in self.others(host.number):
            host.state[u, f] = UNUSED
            if f != u and self.is_active(host, f):
                host.state[u, f], host.first_epoch[u, f] = WAITS, self.epoch_at(host.number, u, t + 1)
        if self.is_active(host, u):
            self.new_pair(host, u, t + 1)

    def link(self, host: Host, t: int) -> Done:
        """B."""
        m, e = self.peer(host.number, t), (t - self.base) // self.p
        queue, again = host.queue[m], host.again[m]
        length = len(queue) + len(again)
        what = Done(to=m)
        host.sent[m, e] = None
        host.kept[m, e] = None
        if m in host.dead or self.pauses:
            return what
        is_full = len(queue) == self.most and again
        if not is_full and not any(cell.src == host.number for cell in queue):
            waiting = [
                (host.first_epoch[m, f], f) for f in self.others(host.number) if host.state[m, f] == WAITS and self.is_active(host, f)
            ]
            if self.deaths and m in host.untold and t - host.untold[m] >= 8 * self.p:
                queue.append(Cell(host.number, host.number, 0))
                what.queued = (m, host.number)
            elif waiting:
                first_epoch, f = min(waiting)
                age = (t - host.since[f]) // self.gate if self.gate else self.ages
                if first_epoch <= e + length and (age >= self.ages or length <= 2**age):
                    if host.reroute[f]:
                        seq = what.rerouted = host.reroute[f].popleft()
                    else:
                        seq = host.seq[f]
                        host.seq[f] += 1
                        host.cells[f] -= 1
                    queue.append(Cell(host.number, f, seq))
                    host.via[f][seq] = m
                    host.state[m, f] = QUEUED
                    what.queued = (m, f)
        if again:
            cell = again.popleft()
            what.sent, what.again = cell, True
            host.kept[m, e] = cell
            if cell.src == host.number and cell.dst != m:
                host.sent[m, e] = cell.dst
        elif queue:
            cell = queue.popleft()
            host.departed[m] += 1
            if cell.src == cell.dst:
                host.untold.pop(m, None)
                return what
            host.kept[m, e] = cell
            what.sent = cell
            if cell.src == host.number:
                if cell.dst == m:
                    host.state[m, m], host.first_epoch[m, m] = WAITS, e + 1
                else:
                    host.state[m, cell.dst] = SENT
                    host.sent[m, e] = cell.dst
        else:
            host.untold.pop(m, None)
        # "waiting subflows of such pairs with E <= e become unused": it changes nothing, so it is not done.
        return what

    def report(self, host: Host, m: int) -> int:
        """C."""
        if host.received[m] is None:
            return 0
        f, number = host.received[m]
        place = number - host.departed[f]
        return 0 if place < 0 else place + 1 + len(host.again[f])

    def arrival(
        self, host: Host, u: int, t: int, r: int, cell, report: int, told_lost: bool, fault: str, what: Done, missing: int | None = None
    ) -> None:
        """D."""
        v = host.number
        if r < host.born:
            return
        report = min(report, self.most + self.again)
        is_heard = fault in (GOOD, BAD_FRAME)
        if self.deaths and fault == SILENCE:
            host.lost.discard(u)
            if u not in host.dead:
                self.die(host, u)
            return
        if u in host.dead:
            self.come_back(host, u, t)
        if fault == GOOD and cell is None and missing is not None:
            host.told[u] += (missing - host.told[u] + SEQS // 2) % SEQS - SEQS // 2
        if fault == GOOD and cell is not None and cell.dst == v:
            host.untold.setdefault(cell.src, t)
        if is_heard and told_lost:
            what.told_lost_by = u
        host.lost.discard(u)
        host.received[u] = None
        if fault != GOOD or not self.keep(host, u, cell, what):
            host.lost.add(u)
            what.lost_from = u
        answered = r - self.k - ((r - self.k - self.base - self.off(v, u)) % self.p)
        if answered >= self.base:
            epoch = (answered - self.base - self.off(v, u)) // self.p
            f = host.sent.pop((u, epoch), None)
            copy = host.kept.pop((u, epoch), None)
            if not is_heard or told_lost:
                if copy is not None:
                    host.again[u].append(copy)
                    assert len(host.again[u]) <= self.again
            elif f is not None:
                cur = self.epoch_at(v, u, t + 1)
                first_epoch = cur
                # A pair to a dead host has no cells any more.
                if report > 0 and f in self.members:
                    first = r + 1
                    while self.peer(u, first) != f:
                        first += 1
                    departure = first + (report - 1) * self.p
                    first_epoch = max(cur, self.epoch_at(v, u, departure - self.k + 1))
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
        host.looks.add(cell.src)
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
            and not any(cell for slot in self.underway.values() for _, _, cell, _, _, _ in slot)
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
