"""ww_deparse against byte strings: every size, any header and skip, and the promised clocks."""

import itertools
import random
from dataclasses import dataclass

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiStreamFrame

from testing import Packet, parameters, pauses, receive, simulate, sink, source, start

CLOCK_NS = 10
NO_LIMIT = 0xFFFF


def latency() -> int:
    """Clocks from the token and the first beat to the first beat out, as promised."""
    return 6 if parameters().get("REGISTERED") else 3


@dataclass(frozen=True)
class Job:
    """A packet and its token."""

    data: bytes
    header: bytes
    skip: int
    drop: bool
    limit: int
    user: int

    def output(self) -> bytes:
        if self.drop:
            return b""
        out = self.header + self.data[self.skip :]
        return out if self.limit == NO_LIMIT else out[: self.limit]

    def clocks(self) -> int:
        """The bound that the module promises."""
        beat = parameters()["WIDTH"] // 8
        beats_in, beats_out = -(-len(self.data) // beat), -(-len(self.output()) // beat)
        is_cut = len(self.header) < self.limit < len(self.header) + len(self.data) - self.skip
        growth = len(self.header) - self.skip
        if is_cut and growth > 0 and not self.drop:
            beats_in += (growth - 1) // beat
        return max(beats_in, beats_out)


def job(size: int, header: int | None = None, skip: int | None = None, plain: bool = False) -> Job:
    """A packet of `size` bytes with a token that is random where it is not given."""
    longest = parameters()["HEADER_BYTES"]
    if skip is None:
        skip = random.choice([0, random.randint(0, size), random.randint(0, min(size, 80)), size])
    if header is None:
        header = random.choice([0, random.randint(0, longest), min(longest, skip), longest])
    limit = NO_LIMIT
    if not plain and random.random() < 0.2:
        limit = random.choice([0, random.randint(0, size), random.randint(0, size + header), header])
    return Job(
        data=random.randbytes(size),
        header=random.randbytes(header),
        skip=skip,
        drop=not plain and random.random() < 0.1,
        limit=limit,
        user=random.getrandbits(65),
    )


async def send_tokens(dut, jobs: list[Job], gap: float):
    for item in jobs:
        while random.random() < gap:
            dut.token_valid.value = 0
            await RisingEdge(dut.clk)
        longest = parameters()["HEADER_BYTES"]
        # What is beyond the header must not be seen.
        padded = item.header + random.randbytes(longest - len(item.header))
        dut.token_valid.value = 1
        dut.token_header.value = int.from_bytes(padded, "little")
        dut.token_header_length.value = len(item.header)
        dut.token_skip.value = item.skip
        dut.token_drop.value = int(item.drop)
        dut.token_limit.value = item.limit
        dut.token_user.value = item.user
        while True:
            await ReadOnly()
            taken = bool(dut.token_ready.value)
            await RisingEdge(dut.clk)
            if taken:
                break
    dut.token_valid.value = 0


class Watch:
    """Notes the clocks of the first token, of the last beat of each packet in, and of each beat out."""

    def __init__(self, dut):
        self.first_token = None
        self.last_in: list[int] = []
        self.last_out: list[int] = []
        self.out: list[int] = []
        cocotb.start_soon(self._run(dut))

    async def _run(self, dut):
        while True:
            await ReadOnly()
            now = int(get_sim_time("ns")) // CLOCK_NS
            if self.first_token is None and dut.token_valid.value and dut.token_ready.value:
                self.first_token = now
            if dut.s_axis_tvalid.value and dut.s_axis_tready.value and dut.s_axis_tlast.value:
                self.last_in.append(now)
            if dut.m_axis_tvalid.value and dut.m_axis_tready.value:
                self.out.append(now)
                if dut.m_axis_tlast.value:
                    self.last_out.append(now)
            await RisingEdge(dut.clk)


async def run(dut, jobs: list[Job], gap: float = 0, stop: float = 0) -> Watch:
    """Sends everything and checks every packet that comes out."""
    dut.token_valid.value = 0
    await start(dut)
    sender, receiver = source(dut), sink(dut)
    if gap:
        sender.set_pause_generator(pauses(gap))
    if stop:
        receiver.set_pause_generator(pauses(stop))
    watch = Watch(dut)
    for item in jobs:
        sender.send_nowait(AxiStreamFrame(item.data))
    # All on the bus at once, so that a run without gaps has none at its start either.
    await RisingEdge(dut.clk)
    cocotb.start_soon(send_tokens(dut, jobs, gap))
    for item in jobs:
        if item.output():
            assert await receive(receiver) == Packet(item.output(), item.user), item
    while len(watch.last_in) < len(jobs):
        await RisingEdge(dut.clk)
    for _ in range(8):
        await RisingEdge(dut.clk)
    assert receiver.empty() and receiver.idle()
    return watch


async def run_at_full_rate(dut, jobs: list[Job]):
    """Each packet must be in and out within the clocks promised for it and those before it."""
    watch = await run(dut, jobs)
    due = watch.first_token
    outputs = iter(watch.last_out)
    for item, last_in in zip(jobs, watch.last_in, strict=True):
        due += item.clocks()
        assert last_in <= due - 1, item
        if item.output():
            assert next(outputs) <= due - 1 + latency(), item
    assert next(outputs, None) is None


@cocotb.test(timeout_time=300, timeout_unit="us")
async def random_gaps_and_back_pressure(dut):
    jobs = [job(size) for size in random.sample(range(1, 201), 200)]
    await run(dut, jobs, gap=0.3, stop=0.3)


@cocotb.test(timeout_time=300, timeout_unit="us")
async def back_pressure_only(dut):
    await run(dut, [job(random.randint(1, 300)) for _ in range(100)], stop=0.5)


@cocotb.test(timeout_time=300, timeout_unit="us")
async def full_rate_for_any_mix(dut):
    await run_at_full_rate(dut, [job(size) for size in random.choices(range(1, 201), k=400)])


@cocotb.test(timeout_time=300, timeout_unit="us")
async def full_rate_around_the_beat(dut):
    """Packets of few beats, with a difference of lengths around zero and around a beat."""
    beat, longest = parameters()["WIDTH"] // 8, parameters()["HEADER_BYTES"]
    sizes = sorted({1, 2, beat - 1, beat, beat + 1, 2 * beat - 1, 2 * beat, 2 * beat + 1, 3 * beat + 1})
    growths = sorted({d + n * beat for d in (-1, 0, 1) for n in (-2, -1, 0, 1, 2)})
    jobs = []
    for size, growth in itertools.product(sizes, growths):
        skip = random.randint(max(0, -growth), size) if -growth <= size else size
        header = min(max(skip + growth, 0), longest)
        jobs.append(job(size, header, skip, plain=True))
    random.shuffle(jobs)
    await run_at_full_rate(dut, jobs)


@cocotb.test(timeout_time=300, timeout_unit="us")
async def full_rate_for_equal_lengths(dut):
    """What routers do: the header is replaced by one as long. One beat out in every clock."""
    sizes = [*range(64, 130), 1518] + ([9018] if parameters()["WIDTH"] >= 512 else [])
    length = min(34, parameters()["HEADER_BYTES"])
    jobs = [job(size, length, length, plain=True) for size in sizes]
    watch = await run(dut, jobs)
    assert watch.out == list(range(watch.first_token + latency(), watch.first_token + latency() + len(watch.out)))


@cocotb.test(timeout_time=300, timeout_unit="us")
@cocotb.parametrize(header=[0, 14, None], skip=[0, 14])
async def first_beat_after_the_latency(dut, header, skip):
    """For a header of no more beats than it replaces, or a longer one; None: the longest."""
    header = parameters()["HEADER_BYTES"] if header is None else header
    beat = parameters()["WIDTH"] // 8
    watch = await run(dut, [job(300, header, skip, plain=True)])
    # What is skipped must come in first.
    first = watch.first_token + latency() + max(0, (skip - header) // beat)
    assert watch.out == list(range(first, first + len(watch.out)))


@cocotb.test(timeout_time=300, timeout_unit="us")
async def skip_beyond_the_packet_harms_no_other(dut):
    """A token that breaks the rules: the lengths are as documented, and the neighbours are right."""
    beat = parameters()["WIDTH"] // 8
    dut.token_valid.value = 0
    await start(dut)
    sender, receiver = source(dut), sink(dut)
    bad = [Job(random.randbytes(5), random.randbytes(header), 5 + over, False, NO_LIMIT, 1)
           for header in (0, 3, min(40, parameters()["HEADER_BYTES"])) for over in (1, 10, 3 * beat, 60000)]
    jobs = [item for one in bad for item in (one, job(100, 10, 20, plain=True))]
    for item in jobs:
        sender.send_nowait(AxiStreamFrame(item.data))
    cocotb.start_soon(send_tokens(dut, jobs, 0))
    for item in jobs:
        length = len(item.header) + len(item.data) - item.skip
        if length > 0:
            got = (await receive(receiver)).data
            assert len(got) == length
            assert got[: len(item.header)] == item.header[:length]
            if item.skip <= len(item.data):
                assert got == item.output()


@pytest.mark.parametrize(
    ("width", "header_bytes", "registered"),
    [(64, 61, 0), (128, 64, 0), (256, 100, 0), (512, 192, 0), (512, 14, 0), (64, 61, 1), (128, 64, 1), (512, 192, 1)],
)
def test_deparse(width, header_bytes, registered):
    simulate("ww_deparse", {"WIDTH": width, "HEADER_BYTES": header_bytes, "REGISTERED": registered})


@pytest.mark.parametrize("parameter", [{"WIDTH": 96}, {"HEADER_BYTES": 0}])
def test_illegal_parameters_do_not_build(parameter):
    with pytest.raises(RuntimeError, match="ww_deparse: .* must be"):
        simulate("ww_deparse", parameter)
