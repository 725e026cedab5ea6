"""ww_pcs_encode and ww_pcs_decode: every kind of word and block in any order, against the standard's tables."""

import random

import cocotb
from cocotb.triggers import RisingEdge

import clause49 as r
from testing import simulate, start


def some_control() -> tuple[int, int]:
    return 1, random.choice([r.IDLE] * 20 + list(r.CODES))


def some_half(kinds: str) -> list[tuple[int, int]]:
    data = [(0, random.randrange(256)) for _ in range(4)]
    match random.choice(kinds):
        case "C":
            return [some_control() for _ in range(4)]
        case "O":
            return [(1, random.choice(list(r.ORDERED)))] + data[1:]
        case "S":
            return [(1, r.START)] + data[1:]
        case _:
            return data


def some_word() -> list[tuple[int, int]]:
    """Words of all kinds, some that the standard does not have."""
    match random.randrange(10):
        case 0 | 1:
            return r.IDLES
        case 2:
            return some_half("CCO") + some_half("CCO")
        case 3:
            return some_half("S") + some_half("D")
        case 4:
            return some_half("CO") + some_half("S")
        case 5 | 6:
            k = random.randrange(8)
            data = [(0, random.randrange(256)) for _ in range(k)]
            return data + [(1, r.TERMINATE)] + [some_control() for _ in range(7 - k)]
        case 7:
            return [(random.randrange(2), random.choice([0x07, 0xFB, 0xFD, 0x9C, 0xFE, 0x31])) for _ in range(8)]
        case _:
            return some_half("D") + some_half("D")


def some_block() -> list[int]:
    """Blocks of all kinds, some with codes or headers that the standard does not have."""
    if random.random() < 0.8:
        word = some_word()
        if r.classify(word) != "E":
            return r.block_of(word)
    block = r.bits(random.getrandbits(66), 66)
    if random.random() < 0.7:
        block[:10] = [1, 0] + r.bits(random.choice([*r.HALVES.values(), *r.TERMINATES]), 8)
    if random.random() < 0.5:
        # Codes that are valid here and there.
        for i in range(8):
            if random.random() < 0.9:
                block[10 + 7 * i : 17 + 7 * i] = r.bits(random.choice(list(r.CHARACTERS)), 7)
    return block


@cocotb.test()
async def encodes(dut):
    dut.enable.value = 0
    await start(dut)
    assert r.bits(int(dut.block.value), 66) == r.block_of(r.LOCAL_FAULT)
    # The standard's idle word is eight times {1, 0x07}: a block of type 1e and zeros.
    words = [r.IDLES] + [some_word() for _ in range(20_000)]
    blocks = r.encode(words)
    assert r.number(blocks[0]) == 0x1E << 2 | 0b01
    for word, block in zip(words, blocks):
        dut.xgmii_data.value, dut.xgmii_control.value = r.signals(word)
        while True:
            moves = random.random() < 0.8
            dut.enable.value = int(moves)
            await RisingEdge(dut.clk)
            if moves:
                break
        dut.enable.value = 0
        await RisingEdge(dut.clk)
        assert r.bits(int(dut.block.value), 66) == block, word
        errors = block == r.encode([[(1, r.TERMINATE)] * 8])[0]
        assert int(dut.bad.value) == int(errors)


@cocotb.test()
async def decodes(dut):
    dut.enable.value = 0
    dut.link.value = 1
    await start(dut)
    blocks = [some_block() for _ in range(20_000)]
    words = r.decode(blocks)
    # The first enabled clock decodes what is there at reset, local fault.
    for number, block in enumerate(blocks):
        dut.block.value = r.number(block)
        dut.enable.value = 0
        while random.random() < 0.2:
            await RisingEdge(dut.clk)
        dut.enable.value = 1
        await RisingEdge(dut.clk)
        dut.enable.value = 0
        await RisingEdge(dut.clk)
        word = r.lanes(int(dut.xgmii_data.value), int(dut.xgmii_control.value))
        assert word == ([r.LOCAL_FAULT] + words)[number], f"{number}: {block}"
        assert int(dut.bad.value) == int(word == r.ERRORS)
    dut.link.value = 0
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    word = r.lanes(int(dut.xgmii_data.value), int(dut.xgmii_control.value))
    assert word == r.LOCAL_FAULT


def test_pcs_encode():
    simulate("ww_pcs_encode", testcase="encodes")


def test_pcs_decode():
    simulate("ww_pcs_decode", testcase="decodes")
