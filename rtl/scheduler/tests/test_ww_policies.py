"""The policies alone, request by request, against their formulas (docs/scheduling.md, "Numbers") in integers without
width: rounding, debts, and sums that stay at their largest value.

spec: 004-pieo-shoal 2.3
"""

import random

import cocotb
from cocotb.triggers import RisingEdge
from testing import parameters, simulate, start

LARGEST = 2**64 - 1
PRE_ENQUEUE, POST_DEQUEUE, CLOCK = 0, 1, 2
# From a request to its answer, and to the next request, in clocks: README.
CLOCKS = {
    "ww_policy_token_bucket": {PRE_ENQUEUE: 5, POST_DEQUEUE: 5},
    "ww_policy_wf2q": {PRE_ENQUEUE: 4, POST_DEQUEUE: 5, CLOCK: 2},
}


def service(bytes, pace):
    return min(bytes * pace >> 8, LARGEST)


class TokenBucket:
    def __init__(self):
        self.limit, self.tokens, self.last = None, None, 0

    def configure(self, pace, burst):
        self.limit = (pace, burst)

    def pre_enqueue(self, bytes, now):
        if self.limit is None:
            return now, now
        pace, burst = self.limit
        had = burst if self.tokens is None else min(self.tokens + (now - self.last << 8), burst)
        self.tokens = had - service(bytes, pace)
        self.last = now
        # Rounded up.
        send = min(now + -(min(self.tokens, 0) // 256), LARGEST)
        return send, send

    def post_dequeue(self, bytes, stamped):
        if None not in (self.limit, self.tokens):
            self.tokens -= service(bytes, self.limit[0]) - service(stamped, self.limit[0])


async def begin(dut):
    dut.req_valid.value = 0
    dut.cfg_valid.value = 0
    await start(dut)


async def configure(dut, **fields):
    for name, value in fields.items():
        getattr(dut, f"cfg_{name}").value = value
    dut.cfg_valid.value = 1
    while True:
        await RisingEdge(dut.clk)
        if dut.cfg_ready.value:
            break
    dut.cfg_valid.value = 0


async def request(dut, module, kind, **fields):
    """A request; rank, eligible time and clock of the answer."""
    for name, value in dict(kind=kind, **fields).items():
        getattr(dut, f"req_{name}").value = value
    dut.req_valid.value = 1
    while True:
        await RisingEdge(dut.clk)
        if dut.req_ready.value:
            break
    dut.req_valid.value = 0
    clocks = 0
    while True:
        await RisingEdge(dut.clk)
        clocks += 1
        if dut.ans_valid.value:
            break
    assert clocks == CLOCKS[module][kind]
    return tuple(int(getattr(dut, f"ans_{name}").value) for name in ("rank", "eligible", "clock"))


def some_bytes():
    return random.choice((1, 64, 1500, random.randrange(2**14), random.randrange(2**32), 2**32 - 1))


def some_pace():
    return random.choice((0, 1, 200 << 16, random.randrange(2**30), random.randrange(2**50), 2**50))


@cocotb.test()
async def token_bucket(dut):
    """A child pays its debt before it is asked again, as in a scheduler."""
    await begin(dut)
    children = parameters()["CHILDREN"]
    for _ in range(30):
        await begin(dut)
        models, due = [TokenBucket() for _ in range(children)], [0] * children
        now = random.choice((0, 1000, 2**40))
        for _ in range(150):
            child = random.randrange(children)
            # As long as there is time left: 2^64 ps are all there are.
            now = min(max(now, due[child]) + random.choice((0, 1, 300_000, random.randrange(2**30))), LARGEST)
            if due[child] > 2**62:
                continue
            if random.random() < 0.2 or models[child].limit is None and random.random() < 0.5:
                pace, burst = some_pace(), random.choice((0, 1, random.randrange(2**40), random.randrange(2**64), LARGEST))
                await configure(dut, child=child, pace=pace, burst=burst)
                models[child].configure(pace, burst)
            stamped, bytes = some_bytes(), some_bytes()
            wanted = models[child].pre_enqueue(stamped, now)
            answer = await request(dut, "ww_policy_token_bucket", PRE_ENQUEUE, node=0, child=child, bytes=stamped, now=now)
            assert answer[:2] == wanted
            await request(dut, "ww_policy_token_bucket", POST_DEQUEUE, node=0, child=child, bytes=bytes, stamped=stamped, now=now)
            models[child].post_dequeue(bytes, stamped)
            due[child] = wanted[0]


@cocotb.test()
async def wf2q(dut):
    children, nodes = parameters()["CHILDREN"], parameters()["NODES"]
    for _ in range(30):
        await begin(dut)
        finish, virtual = [0] * children, [0] * nodes
        paces, served = [0] * children, [0] * nodes
        for _ in range(200):
            child = random.randrange(children)
            node = child * nodes // children
            where = dict(node=node, child=child)
            match random.randrange(6):
                case 0:
                    paces[child] = some_pace()
                    await configure(dut, is_node=0, index=child, pace=paces[child])
                case 1:
                    served[node] = some_pace()
                    await configure(dut, is_node=1, index=node, pace=served[node])
                case 2:
                    any, least = random.randrange(2), random.choice((0, virtual[node] + 1, random.randrange(2**60)))
                    least = min(least, LARGEST)
                    virtual[node] = max(virtual[node], least) if any else virtual[node]
                    answer = await request(dut, "ww_policy_wf2q", CLOCK, **where, any=any, least=least)
                    assert answer[2] == virtual[node]
                case 3:
                    bytes, stamped = some_bytes(), some_bytes()
                    corrected = min(finish[child] + service(bytes, paces[child]), LARGEST)
                    finish[child] = max(corrected - service(stamped, paces[child]), 0)
                    virtual[node] = min(virtual[node] + service(bytes, served[node]), LARGEST)
                    await request(dut, "ww_policy_wf2q", POST_DEQUEUE, **where, bytes=bytes, stamped=stamped)
                case _:
                    bytes, fresh = some_bytes(), random.randrange(2)
                    begins = max(finish[child], virtual[node]) if fresh else finish[child]
                    finish[child] = min(begins + service(bytes, paces[child]), LARGEST)
                    answer = await request(dut, "ww_policy_wf2q", PRE_ENQUEUE, **where, bytes=bytes, fresh=fresh)
                    assert answer[:2] == (finish[child], begins)


def test_token_bucket():
    simulate("ww_policy_token_bucket", {"NODES": 1, "CHILDREN": 5}, testcase="token_bucket")


def test_wf2q():
    simulate("ww_policy_wf2q", {"NODES": 3, "CHILDREN": 12}, testcase="wf2q")
