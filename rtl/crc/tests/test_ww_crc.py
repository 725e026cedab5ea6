"""ww_crc against the check values of the CRC catalogue, zlib, binascii and a bitwise CRC."""

import binascii
import json
import os
import random
import zlib

import cocotb
import pytest
from cocotb.triggers import ClockCycles, Timer

from testing import parameters, simulate, start

# name: (parameters, CRC of the ASCII digits 1 to 9 in the catalogue)
CRCS = {
    "CRC-16/ARC": ({"WIDTH": 16, "POLY": 0x8005, "INIT": 0, "XOR_OUT": 0}, 0xBB3D),
    "CRC-16/XMODEM": (
        {"WIDTH": 16, "POLY": 0x1021, "INIT": 0, "XOR_OUT": 0, "REFLECT_IN": 0, "REFLECT_OUT": 0},
        0x31C3,
    ),
    "CRC-16/IBM-3740": (
        {"WIDTH": 16, "POLY": 0x1021, "INIT": 0xFFFF, "XOR_OUT": 0, "REFLECT_IN": 0, "REFLECT_OUT": 0},
        0x29B1,
    ),
    "CRC-32/ISO-HDLC": ({}, 0xCBF43926),
    "CRC-32/ISCSI": ({"POLY": 0x1EDC6F41}, 0xE3069283),
    "CRC-5/USB": ({"WIDTH": 5, "POLY": 0x05, "INIT": 0x1F, "XOR_OUT": 0x1F}, 0x19),
    "CRC-64/ECMA-182": (
        {"WIDTH": 64, "POLY": 0x42F0E1EBA9EA3693, "INIT": 0, "XOR_OUT": 0, "REFLECT_IN": 0, "REFLECT_OUT": 0},
        0x6C40DF5F0B497347,
    ),
}
DEFAULTS = {
    "WIDTH": 32,
    "POLY": 0x04C11DB7,
    "INIT": 0xFFFFFFFF,
    "REFLECT_IN": 1,
    "REFLECT_OUT": 1,
    "XOR_OUT": 0xFFFFFFFF,
    "STAGES": 0,
}


# Parameters of 64 bits: a literal on the command line must have that size.
WIDE = ("POLY", "INIT", "XOR_OUT")


def config(name: str) -> int:
    return json.loads(os.environ["CRC"]).get(name, DEFAULTS.get(name))


def run(crc: dict, check: int | None = None):
    """Simulates the module for a CRC; `check` is what the digits 1 to 9 must give."""
    simulate(
        "ww_crc",
        {name: value for name, value in crc.items() if name not in WIDE},
        environment={"CRC": json.dumps(crc)} | ({} if check is None else {"CHECK_VALUE": str(check)}),
        verilator_options=[f"-G{name}=64'h{crc[name]:x}" for name in WIDE if name in crc],
    )


def bitwise(data: bytes) -> int:
    """Bit by bit, as the Rocksoft model says it."""
    width, mask = config("WIDTH"), (1 << config("WIDTH")) - 1
    remainder = config("INIT")
    for byte in data:
        for i in range(8):
            bit = byte >> (i if config("REFLECT_IN") else 7 - i) & 1
            top = remainder >> (width - 1) & 1
            remainder = remainder << 1 & mask
            if top ^ bit:
                remainder ^= config("POLY")
    if config("REFLECT_OUT"):
        remainder = int(f"{remainder:0{width}b}"[::-1], 2)
    return remainder ^ config("XOR_OUT")


async def crc_of(dut, data: bytes) -> int:
    dut.data.value = int.from_bytes(data, "little")
    if config("STAGES"):
        await ClockCycles(dut.clk, config("STAGES"))
    await Timer(1, "ns")
    return int(dut.crc.value)


@cocotb.test(timeout_time=100, timeout_unit="us")
async def agrees(dut):
    size = parameters()["DATA_BYTES"]
    await start(dut, reset=None)
    await Timer(1, "ns")
    check = os.environ.get("CHECK_VALUE")
    if check:
        assert await crc_of(dut, b"123456789") == int(check)
    for _ in range(200):
        data = random.randbytes(size)
        crc = await crc_of(dut, data)
        assert crc == bitwise(data)
        if config("POLY") == 0x04C11DB7:
            assert crc == zlib.crc32(data)
        if config("POLY") == 0x1021:
            assert crc == binascii.crc_hqx(data, config("INIT"))


@cocotb.test(timeout_time=100, timeout_unit="us")
async def one_key_a_clock(dut):
    """The stages are a pipeline: each key's CRC comes STAGES clocks later."""
    size, stages = parameters()["DATA_BYTES"], config("STAGES")
    await start(dut, reset=None)
    keys = [random.randbytes(size) for _ in range(50)]
    for clock in range(len(keys) + stages):
        if clock < len(keys):
            dut.data.value = int.from_bytes(keys[clock], "little")
        await Timer(1, "ns")
        if clock >= stages:
            assert int(dut.crc.value) == bitwise(keys[clock - stages])
        await ClockCycles(dut.clk, 1)


@pytest.mark.parametrize("name", CRCS)
def test_catalogue(name):
    crc, check = CRCS[name]
    run({**crc, "DATA_BYTES": 9}, check)


@pytest.mark.quick("13-1")
@pytest.mark.parametrize(("size", "stages"), [(1, 0), (13, 1), (37, 2)])
def test_sizes_and_stages(size, stages):
    run({"DATA_BYTES": size, "STAGES": stages})


@pytest.mark.parametrize("parameter", [{"WIDTH": 65}, {"DATA_BYTES": 0}, {"STAGES": 3}])
def test_illegal_parameters_do_not_build(parameter):
    with pytest.raises(RuntimeError, match="ww_crc: .* must be"):
        simulate("ww_crc", parameter)
