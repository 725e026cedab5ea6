"""Two devices of DTP with clocks of their own: faults, wraps, links that flap.

spec: 000-p4fpga-sonic-dtp 2.6, check 30
"""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge

from testing import simulate, start

# generated: dtp_states (crates/blocks/src/facts.rs)
SYNC = 3
FAULTY = 4
# end of generated
# generated: dtp (crates/dtp/src/message.rs)
INIT = 1
ACK = 2
BEACON = 3
LOG = 5
JOIN = 6
MSB = 7
# end of generated
LOW = (1 << 53) - 1


def part(signal, n: int, bits: int) -> int:
    """One of two numbers."""
    return int(signal.value) >> n * bits & ((1 << bits) - 1)


def counter(dut, n: int) -> int:
    return part(dut.counter, n, 106)


def state(dut, n: int) -> int:
    return part(dut.state, n, 3)


def delay(dut, n: int) -> int:
    value = part(dut.delay, n, 14)
    return value - (1 << 14) if value >> 13 else value


async def begin(dut, interval: int = 200, way: int = 40) -> None:
    """The second clock is 200 ppm slower; all that is sent is idle."""
    dut.interval.value = interval
    dut.most_jumps.value = 3 * (interval // 5) + 16
    for name in ("link", "busy", "flip", "set_valid", "set_value", "log_valid", "log_data"):
        getattr(dut, name).value = 0
    dut.way.value = way
    Clock(dut.clk_b, 10.002, unit="ns").start()
    await start(dut, longest=3_000_000)
    await ClockCycles(dut.clk, 80)


async def synchronise(dut) -> None:
    dut.link.value = 3
    await until(dut, lambda: state(dut, 0) == SYNC and state(dut, 1) == SYNC, 1000)


async def until(dut, condition, most: int) -> int:
    for clocks in range(most):
        if condition():
            return clocks
        await RisingEdge(dut.clk)
    raise AssertionError(f"not within {most} clocks")


async def set_counter(dut, n: int, value: int) -> None:
    """Sets a counter; the handshake is with the device's own clock."""
    clock = (dut.clk, dut.clk_b)[n]
    dut.set_value.value = value % (1 << 106)
    dut.set_valid.value = 1 << n
    await RisingEdge(clock)
    while not int(dut.set_done.value) >> n & 1:
        await RisingEdge(clock)
    dut.set_valid.value = 0
    await RisingEdge(clock)


def apart(dut) -> int:
    """By how much the first is ahead."""
    distance = (counter(dut, 0) - counter(dut, 1)) % (1 << 106)
    return distance - (1 << 106) if distance >> 105 else distance


async def stay(dut, clocks: int, most: int = 5) -> None:
    for _ in range(clocks):
        await RisingEdge(dut.clk)
        assert abs(apart(dut)) <= most


@cocotb.test()
async def keeps_together(dut):
    """Neighbours stay within the bound, neither counter ever stands still, and beacons come once an interval."""
    await begin(dut)
    await synchronise(dut)
    await ClockCycles(dut.clk_b, 300)
    before, beacons, clocks = counter(dut, 1), 0, 30_000
    for _ in range(clocks):
        await RisingEdge(dut.clk_b)
        assert before < counter(dut, 1) <= before + 9
        before = counter(dut, 1)
        assert abs(apart(dut)) <= 5
        beacons += int(dut.heard_valid.value) >> 1 & int(part(dut.heard_code, 1, 3) == BEACON)
    assert abs(beacons - clocks // 200) <= 1


@cocotb.test()
async def wraps(dut):
    """The low half wraps, then all 106 bits; who begins at 0 learns the high half from MSBs."""
    await begin(dut)
    for start_value in ((5 << 53) - 3000, (1 << 106) - 3000):
        dut.link.value = 0
        await ClockCycles(dut.clk, 80)
        await set_counter(dut, 0, start_value)
        if start_value >> 105:
            # From 0 it would be behind, the nearer way around.
            await set_counter(dut, 1, start_value)
        await synchronise(dut)
        await until(dut, lambda: abs(apart(dut)) <= 5, 600)
        assert counter(dut, 1) >> 53 == start_value >> 53
        await stay(dut, 5000)
        assert counter(dut, 1) >> 53 == ((start_value >> 53) + 1) % (1 << 53)


@cocotb.test()
async def wrong_bits(dut):
    """Each bit of a beacon's block inverted: the counter moves by no more than 8, and stays in step."""
    await begin(dut, interval=100)
    await synchronise(dut)
    await stay_after_joins(dut)
    heard = {False: 0, True: 0}
    for bit in range(66):
        # A block that carries a message of the first device, and none behind it.
        dut.flip.value = 1 << bit
        await until(dut, lambda: int(dut.sends.value) & 1, 300)
        await RisingEdge(dut.clk)
        dut.flip.value = 0
        await RisingEdge(dut.clk_b)
        before, found = counter(dut, 1), False
        for _ in range(70):
            await RisingEdge(dut.clk_b)
            moved = counter(dut, 1) - before
            assert 1 <= moved <= 9, f"bit {bit}"
            before = counter(dut, 1)
            is_beacon = part(dut.heard_code, 1, 3) == BEACON
            found |= bool(int(dut.heard_valid.value) >> 1 & 1 and is_beacon)
        heard[found] += 1
        await stay(dut, 100)
    # A beacon with a wrong bit is no beacon.
    assert heard == {False: 66, True: 0}, heard


async def stay_after_joins(dut) -> None:
    await ClockCycles(dut.clk, 300)
    await stay(dut, 10)


@cocotb.test()
async def jumps(dut):
    """A peer whose counter jumps on and on is isolated; a flap begins anew."""
    await begin(dut)
    await synchronise(dut)
    await ClockCycles(dut.clk, 500)
    budget, jumped = 3 * 40 + 16, 0
    while state(dut, 1) == SYNC:
        # What is read now is two ticks old when it is taken.
        await set_counter(dut, 0, counter(dut, 0) + 2 + 6)
        jumped += 6
        await ClockCycles(dut.clk, 400)
        assert jumped < 2 * budget, "it is still believed"
    assert state(dut, 1) == FAULTY and budget < jumped < budget + 60
    await RisingEdge(dut.clk_b)
    before = counter(dut, 1)
    await ClockCycles(dut.clk_b, 2000)
    assert counter(dut, 1) == before + 2000
    assert apart(dut) > 0
    dut.link.value = 0
    await ClockCycles(dut.clk, 100)
    assert state(dut, 0) == 0 and state(dut, 1) == 0
    await synchronise(dut)
    await ClockCycles(dut.clk, 300)
    await stay(dut, 1000)


@cocotb.test()
async def flaps(dut):
    """Each time the link comes up the delay is measured: it follows the way, and both sides together are never too large."""
    await begin(dut)
    both = {}
    for way in (40, 10, 60, 25, 40):
        dut.way.value = way
        await ClockCycles(dut.clk, 100)
        await synchronise(dut)
        both[way] = delay(dut, 0) + delay(dut, 1)
        await ClockCycles(dut.clk, 300)
        await stay(dut, 1000)
        dut.link.value = 0
        await ClockCycles(dut.clk, 10)
        assert state(dut, 0) == 0 and state(dut, 1) == 0
        # Without any link it begins at 0.
        assert counter(dut, 0) < 12 and counter(dut, 1) < 12
    for way, measured in both.items():
        # Registers and crossings are the same each time; what a crossing adds is not.
        assert abs(measured - both[10] - 2 * (way - 10)) <= 5, both


@cocotb.test()
async def a_late_peer(dut):
    """One end sees the link before the other does: its INIT is lost, and is sent again after 16,384 ticks."""
    await begin(dut)
    dut.link.value = 1
    await ClockCycles(dut.clk, 200)
    dut.link.value = 3
    # The late one is answered, and in step.
    await until(dut, lambda: state(dut, 1) == SYNC, 300)
    assert state(dut, 0) == 2
    clocks = await until(dut, lambda: state(dut, 0) == SYNC, 17_000)
    assert 16_384 - 600 < clocks < 16_384 + 300
    await ClockCycles(dut.clk, 300)
    await stay(dut, 500)


@cocotb.test()
async def full_links(dut):
    """Without idle blocks nothing is sent; with one in 192 all goes on."""
    await begin(dut)
    dut.busy.value = 3
    dut.link.value = 3
    for _ in range(500):
        await RisingEdge(dut.clk)
        assert int(dut.sends.value) == 0
    assert state(dut, 0) == 1
    for n in range(200 * 192):
        dut.busy.value = 0 if n % 192 == 0 else 3
        await RisingEdge(dut.clk)
        if n > 20 * 192:
            assert abs(apart(dut)) <= 5
    assert state(dut, 0) == SYNC and state(dut, 1) == SYNC


@cocotb.test()
async def logs(dut):
    """The host's LOG arrives as it is with its highest bit one, else as the counter when it left."""
    await begin(dut)
    await synchronise(dut)
    await ClockCycles(dut.clk, 500)
    for own in (True, False) * 10:
        data = random.getrandbits(52) | own << 52
        dut.log_data.value = data
        dut.log_valid.value = 1
        await RisingEdge(dut.clk)
        while not int(dut.log_ready.value) & 1:
            await RisingEdge(dut.clk)
        stamp = counter(dut, 0)
        dut.log_valid.value = 0
        while not int(dut.log_received.value) >> 1 & 1:
            await RisingEdge(dut.clk_b)
        assert part(dut.heard_payload, 1, 53) == (data if own else stamp & (LOW >> 1))
        await RisingEdge(dut.clk)


def test_device():
    simulate("ww_dtp_pair")
