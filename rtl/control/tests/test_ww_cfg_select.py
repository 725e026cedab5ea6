"""ww_cfg_select: two masters with random gaps on one bus; every access arrives once, unchanged, in its
master's order, and is answered with its own data."""

import random

import cocotb
from cocotb.triggers import RisingEdge, with_timeout

from testing import simulate, start

FIELDS = ["write", "object", "address", "wdata"]
WIDTHS = [1, 12, 12, 32]


def answer(access):
    """What the object reads as: a function of all fields, so that answers cannot be mixed up."""
    return hash(tuple(access)) & 0xFFFFFFFF


async def master(dut, name, gap, count, sent):
    signal = {field: getattr(dut, f"{name}_{field}") for field in ["valid", "ready", "rdata", *FIELDS]}
    for _ in range(count):
        signal["valid"].value = 0
        for _ in range(random.choice(gap)):
            await RisingEdge(dut.clk)
        access = [random.getrandbits(width) for width in WIDTHS]
        signal["valid"].value = 1
        for field, value in zip(FIELDS, access, strict=True):
            signal[field].value = value
        while True:
            await RisingEdge(dut.clk)
            if int(signal["ready"].value):
                break
        assert int(signal["rdata"].value) == answer(access)
        sent.append(access)
    signal["valid"].value = 0


async def bus(dut, arrived):
    """Answers after some clocks; an access that has begun must not change."""
    dut.cfg_ready.value = 0
    wait = None
    while True:
        await RisingEdge(dut.clk)
        answered = int(dut.cfg_ready.value)
        dut.cfg_ready.value = 0
        if not int(dut.cfg_valid.value):
            assert wait is None, "an access was given up"
            continue
        access = [int(getattr(dut, f"cfg_{field}").value) for field in FIELDS]
        if answered:
            arrived.append(access)
            wait = None
            continue
        if wait is None:
            wait, begun = random.choice([0, 0, 1, 3]), access
        assert access == begun, "an access changed before it was answered"
        if wait == 0:
            dut.cfg_ready.value = 1
            dut.cfg_rdata.value = answer(access)
        else:
            wait -= 1


@cocotb.test()
async def both_masters_are_served(dut):
    for name in ["a", "b"]:
        for field in ["valid", *FIELDS]:
            getattr(dut, f"{name}_{field}").value = 0
    dut.cfg_rdata.value = 0
    arrived, from_a, from_b = [], [], []
    cocotb.start_soon(bus(dut, arrived))
    await start(dut)
    tasks = [
        cocotb.start_soon(master(dut, "a", [0, 2, 9], 300, from_a)),
        cocotb.start_soon(master(dut, "b", [0, 0, 5], 300, from_b)),
    ]
    for task in tasks:
        await with_timeout(task, 200, "us")
    assert [access for access in arrived if access in from_a] == from_a
    assert [access for access in arrived if access in from_b] == from_b
    assert len(arrived) == 600


def test_select():
    simulate("ww_cfg_select")
