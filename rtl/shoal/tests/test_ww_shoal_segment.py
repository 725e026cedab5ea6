"""ww_shoal_segment: packets are cut into cells as 2.11 has it, and the cells leave in any order.

spec: 004-pieo-shoal 2.11
"""

import random
from collections import defaultdict

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamFrame

from testing import is_quick, parameters, pauses, simulate, source, start

WORDS, PAYLOAD, HOST = 7, 56, 2


def cells_of(packet: bytes) -> list[tuple[bytes, int, int]]:
    """Payload, start and end of each cell of a packet."""
    whole, rest = divmod(len(packet), PAYLOAD)
    last = packet[whole * PAYLOAD :] + bytes(PAYLOAD - 1 - rest) + bytes([rest])
    payloads = [packet[n * PAYLOAD : (n + 1) * PAYLOAD] for n in range(whole)] + [last]
    return [(payload, int(n == 0), int(n == whole)) for n, payload in enumerate(payloads)]


class Control:
    """Takes cells that were added, a slot of 12 clocks for each, out of order within a few of a destination."""

    def __init__(self, dut, spread: int):
        self.dut, self.spread = dut, spread
        self.waiting: dict[int, list[int]] = defaultdict(list)
        self.added: dict[int, int] = defaultdict(int)
        self.cells: dict[tuple[int, int], tuple[bytes, int, int]] = {}
        self.refused = 0

    async def listen(self) -> None:
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            if int(dut.add_valid.value):
                destination = int(dut.add_dst.value)
                assert int(dut.add_cells.value) == 1
                self.waiting[destination].append(self.added[destination])
                self.added[destination] += 1
                assert len(self.waiting[destination]) <= parameters()["CELLS"]
            self.refused += int(dut.event_refused.value)

    async def fetch(self) -> None:
        dut = self.dut
        while True:
            some = [destination for destination, numbers in self.waiting.items() if numbers]
            if not some:
                await RisingEdge(dut.clk)
                continue
            destination = random.choice(some)
            numbers = self.waiting[destination]
            number = numbers.pop(random.randrange(min(self.spread, len(numbers))))
            dut.fetch_valid.value, dut.fetch_dst.value, dut.fetch_seq.value = 1, destination, number
            await RisingEdge(dut.clk)
            dut.fetch_valid.value, dut.fetch_seq.value = 0, random.getrandbits(20)
            payload, marks = b"", (0, 0)
            for n in range(random.choice([WORDS, 11])):
                await RisingEdge(dut.clk)
                assert int(dut.payload_valid.value) == (n < WORDS)
                now = (int(dut.payload_sop.value), int(dut.payload_eop.value))
                if n == 0:
                    marks = now
                if n < WORDS:
                    payload += int(dut.payload_data.value).to_bytes(8, "little")
            self.cells[destination, number] = (payload, *marks)


@cocotb.test()
async def packets_become_cells(dut):
    for name in ("fetch_valid", "fetch_dst", "fetch_seq"):
        getattr(dut, name).value = 0
    dut.host.value = HOST
    await start(dut)
    control = Control(dut, 5)
    cocotb.start_soon(control.listen())
    cocotb.start_soon(control.fetch())
    given = source(dut)
    given.set_pause_generator(pauses(0.2))
    hosts = parameters()["HOSTS"]
    expected = defaultdict(list)
    refused = 0
    sizes = [*range(1, 130), *(56 * n + d for n in (5, 20, 26) for d in (-1, 0, 1))]
    for size in random.sample(sizes, len(sizes)) if not is_quick() else random.sample(sizes, 60) + [56, 55, 57, 112, 1456]:
        # For itself, and for no host.
        destination = random.randrange(8)
        packet = random.randbytes(size)
        await given.send(AxiStreamFrame(packet, tdest=destination))
        if destination == HOST or destination >= hosts:
            refused += 1
        else:
            expected[destination] += cells_of(packet)
    await given.wait()
    total = sum(map(len, expected.values()))
    for _ in range(14 * total):
        if len(control.cells) == total:
            break
        await RisingEdge(dut.clk)
    await ClockCycles(dut.clk, 50)
    wanted = {(destination, n): cell for destination, cells in expected.items() for n, cell in enumerate(cells)}
    assert control.cells == wanted
    assert control.refused == refused > 0


def test_ww_shoal_segment():
    simulate("ww_shoal_segment", {"HOSTS": 6, "CELLS": 8})
