"""ww_ram_tdp against a list: both ports read and write at random in every clock.

Not compared, for the README leaves them undefined: words before they are written, and a read of the address
that the other port writes. Two writes of one address in one clock do not happen.
"""

import random

import cocotb
from cocotb.triggers import RisingEdge

from testing import parameters, simulate, start


@cocotb.test()
async def both_ports_reach_all_words(dut):
    depth, width = parameters()["DEPTH"], parameters()["WIDTH"]
    model: dict[int, int] = {}
    # What each port shows; None: undefined.
    shown: dict[str, int | None] = {"a": None, "b": None}
    compared = 0

    def drive(port: str, enable: bool, write: bool, address: int, data: int) -> None:
        for name, value in (("en", enable), ("write", write), ("addr", address), ("wdata", data)):
            getattr(dut, f"{port}_{name}").value = value

    drive("a", False, False, 0, 0)
    drive("b", False, False, 0, 0)
    await start(dut, reset=None)
    for _ in range(3000):
        steps = {
            port: (random.random() < 0.8, random.random() < 0.5, random.randrange(depth), random.getrandbits(width))
            for port in "ab"
        }
        writers = [step for step in steps.values() if step[0] and step[1]]
        if len(writers) == 2 and writers[0][2] == writers[1][2]:
            steps["b"] = (False, *steps["b"][1:])
        for port, step in steps.items():
            drive(port, *step)
        await RisingEdge(dut.clk)
        # What the edges before have left; this one changes it behind us.
        for port in "ab":
            if shown[port] is not None:
                assert int(getattr(dut, f"{port}_rdata").value) == shown[port], port
                compared += 1
        written = {address: data for enable, write, address, data in steps.values() if enable and write}
        for port, (enable, write, address, _) in steps.items():
            if enable and not write:
                shown[port] = None if address in written else model.get(address)
        model |= written
    assert compared > 2000


def test_ram_tdp():
    simulate("ww_ram_tdp", {"WIDTH": 17, "DEPTH": 9})
