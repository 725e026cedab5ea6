"""ww_message_sum and ww_ipv4_sum against scapy: one message or header behind another, a beat a clock, the sum a clock behind the last beat.

spec: 002-monitoring-limago 2.15, S28, S29, S31; check 26
"""

import os
import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer
from scapy.layers.inet import IP, IPOption
from scapy.utils import checksum as scapy_checksum

from testing import is_quick, parameters, simulate, start


def only_for(module: str) -> bool:
    return os.environ["MODULE"] == module


def folded(data: bytes) -> int:
    """scapy inverts; and a sum of zeros it gives as such."""
    return 0xFFFF ^ scapy_checksum(data)


def messages(size: int) -> list[bytes]:
    lengths = [*range(1, 2 * size + 3), 1492, 20 + 12, 8960]
    # The pseudo header and the largest IP packet's payload: 1,025 beats of 64 bytes.
    lengths += [12 + 65535] if not is_quick() else [12 + 9000]
    random.shuffle(lengths)
    made = [random.choice([random.randbytes(n), bytes(n), b"\xff" * n]) for n in lengths]
    for n in (12, 40, 41, 1500):
        data = random.randbytes(10) + b"\0\0" + random.randbytes(n)
        made.append(data[:10] + scapy_checksum(data).to_bytes(2, "big") + data[12:])
    return made


@cocotb.test()
async def sums_messages(dut):
    if not only_for("ww_message_sum"):
        return
    size = parameters()["WIDTH"] // 8
    dut.beat_valid.value, dut.enable.value = 0, 1
    await start(dut)
    good = 0
    due: int | None = None
    for pausing in (False, True):
        for data in messages(size):
            for at in range(0, len(data), size):
                part = data[at : at + size]
                is_last = at + size >= len(data)
                taken = False
                while not taken:
                    go, offers = (random.random() < 0.7 if pausing else True for _ in range(2))
                    # Bytes behind the end are noise, and what is kept counts with the last beat only.
                    keep = (1 << len(part)) - 1 if is_last else random.getrandbits(size)
                    dut.beat_data.value = int.from_bytes(part + random.randbytes(size - len(part)), "little")
                    dut.beat_keep.value, dut.beat_last.value = keep, int(is_last)
                    dut.enable.value, dut.beat_valid.value = int(go), int(offers)
                    await Timer(1, "ns")
                    assert int(dut.sum_valid.value) == (due is not None)
                    if due is not None:
                        assert int(dut.sum.value) == due
                        assert int(dut.sum_good.value) == (due == 0xFFFF)
                        good += due == 0xFFFF
                    taken = go and offers
                    if go:
                        due = folded(data) if taken and is_last else None
                    await RisingEdge(dut.clk)
    assert good >= 8


@cocotb.test()
async def sums_headers(dut):
    if not only_for("ww_ipv4_sum"):
        return
    dut.enable.value, dut.header_valid.value = 1, 0
    await start(dut)
    due: tuple[bytes, int] | None = None
    for turn in range(800):
        options = [IPOption(b"\x1e" + bytes([4 * words]) + random.randbytes(4 * words - 2)) for words in [turn % 11] if words]
        header = bytes(IP(src="10.1.2.3", dst="192.168.0.8", id=random.getrandbits(16), ttl=random.getrandbits(8), options=options))
        if turn % 3 == 0:
            header = header[:1] + random.randbytes(len(header) - 1)
        elif turn % 50 == 1:
            header = bytes([0x40 | random.randrange(5)]) + header[1:20]
        go = random.random() < 0.8
        dut.enable.value, dut.header_valid.value = int(go), 1
        dut.header.value = int.from_bytes(header + random.randbytes(60 - len(header)), "little")
        await Timer(1, "ns")
        assert int(dut.sum_valid.value) == (due is not None)
        if due is not None:
            was, ihl = due
            assert int(dut.sum.value) == folded(was)
            assert int(dut.sum_good.value) == (folded(was) == 0xFFFF)
            assert int(dut.sum_short.value) == (ihl < 5)
        if go:
            due = (header, header[0] & 15)
        await RisingEdge(dut.clk)


@pytest.mark.parametrize(("width", "architecture"), [(512, 5), (512, 6), (512, 0), (512, 1), (512, 2), (512, 3), (512, 4), (1024, 5), (1024, 6), (64, 5)])
@pytest.mark.quick("512-5", "1024-6")
def test_ww_message_sum(width, architecture):
    simulate("ww_message_sum", {"WIDTH": width, "ARCHITECTURE": architecture}, environment={"MODULE": "ww_message_sum"})


def test_ww_ipv4_sum():
    simulate("ww_ipv4_sum", {}, environment={"MODULE": "ww_ipv4_sum"})
