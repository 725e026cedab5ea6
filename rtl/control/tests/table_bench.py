"""A lookup in every clock while the driver's row writes change the table: shared by the tables' tests.

The oracle is a plain Python model of the match kind. It has a version for each operation of the
driver. A lookup must give the answer of one of the versions that were in force between its own
clock and the clock of its result: the old one or the new one, and with no operation under way exactly
one. A lookup that begins after an operation's last row write must give the new answer.
"""

import random
from collections import deque
from collections.abc import Callable, Hashable

from cocotb.triggers import RisingEdge

from driver.binding import DriverError, Rows, Table
from testing import start

# (hit, data)
Answer = tuple[int, int]
MISS: Answer = (0, 0)


class Model:
    """Entries in the order of insertion, and the entry that wins for a key."""

    def __init__(self, wins: Callable[[dict, int], Answer]):
        self.entries: dict[Hashable, int] = {}
        self._wins = wins

    def copy(self) -> "Model":
        """The model as it is now."""
        model = Model(self._wins)
        model.entries = dict(self.entries)
        return model

    def answer(self, key: int) -> Answer:
        """What a lookup of the key gives."""
        return self._wins(self.entries, key)


class Bench:
    """Drives lookups and rows of one table and checks each result.

    `match` makes the keyword arguments of the driver's functions from a model's entry; `place_of`
    says for a result_index and a width of data which (memory, row) it means.
    """

    def __init__(self, dut, latency: int, wins: Callable[[dict, int], Answer], info: dict):
        self.dut = dut
        self.latency = latency
        self.rows = Rows()
        self.info = info
        self.table = Table(self.rows.write, **info)
        self.model = Model(wins)
        self.random_key: Callable[[], int] = lambda: random.getrandbits(info["key_bits"])
        self.lookup_rate = 1.0
        self.clock = 0
        # The versions of the model that may still be seen: (first clock, last clock or None, model).
        self._versions: deque[list] = deque([[0, None, self.model.copy()]])
        self._pending: deque[tuple[int, int]] = deque()
        self._last_write = -1
        self.image: dict[tuple[int, int], int] = {}
        self.hits = 0
        self.misses = 0
        # Given (result_index, key) while no row changes: is this where the entry is?
        self.check_index: Callable[[int, int], bool] = lambda index, key: True
        # Given all entries' names: is there an arrangement of them in the hardware?
        self.fits: Callable[[list], bool] = lambda names: len(names) <= info["entries"]

    async def begin(self) -> None:
        """Resets the table."""
        for name in ["lookup_valid", "lookup_key", "row_valid", "row_write", "row_memory"]:
            getattr(self.dut, name).value = 0
        self.dut.row_index.value = 0
        self.dut.row_wdata.value = 0
        await start(self.dut)

    async def tick(self) -> None:
        """One clock with a lookup, or, with 1 - lookup_rate, without one."""
        valid = random.random() < self.lookup_rate
        key = self.random_key()
        self.dut.lookup_valid.value = valid
        self.dut.lookup_key.value = key
        if valid:
            self._pending.append((self.clock, key))
        await RisingEdge(self.dut.clk)
        if self._pending and self._pending[0][0] == self.clock - self.latency:
            self._check(*self._pending.popleft())
        self.clock += 1

    def _check(self, begun: int, key: int) -> None:
        while self._versions[0][1] is not None and self._versions[0][1] < begun:
            self._versions.popleft()
        allowed = {model.answer(key) for first, _, model in self._versions if first <= self.clock}
        hit = int(self.dut.result_hit.value)
        answer = (hit, int(self.dut.result_data.value)) if hit else MISS
        assert answer in allowed, (
            f"clock {self.clock}: lookup of {key:#x} in clock {begun} gave {answer}, not {allowed}"
        )
        index = int(self.dut.result_index.value)
        if hit:
            self.hits += 1
            if self._last_write < begun:
                assert self.check_index(index, key), f"key {key:#x}: wrong index {index}"
        else:
            self.misses += 1
            assert index == 0

    async def row(self, write: bool, memory: int, index: int, row: int = 0) -> int:
        """One access at the row port; returns the row read."""
        dut = self.dut
        dut.row_valid.value = 1
        dut.row_write.value = write
        dut.row_memory.value = memory
        dut.row_index.value = index
        dut.row_wdata.value = row
        for _ in range(2000):
            await self.tick()
            if int(dut.row_done.value):
                break
        else:
            raise AssertionError("row_done did not come")
        if write:
            self.image[memory, index] = row
            self._last_write = self.clock - 1
        return int(dut.row_rdata.value)

    async def idle(self, clocks: int) -> None:
        """Lookups alone."""
        self.dut.row_valid.value = 0
        for _ in range(clocks):
            await self.tick()

    async def operate(self, operation: Callable[[Table], object], change: Callable[[dict], None]) -> str:
        """Runs an operation of the driver against the hardware, and `change` on the model.

        Returns "" or the driver's error, and then the model stays as it is.
        """
        try:
            operation(self.table)
        except DriverError as error:
            assert not self.rows.take(), "an operation that failed has written rows"
            return error.args[0]
        change(self.model.entries)
        writes = self.rows.take()
        if not writes:
            return ""
        # The new version may be seen from the first write on, the old one until the last.
        old = self._versions[-1]
        self._versions.append([self.clock, None, self.model.copy()])
        for memory, index, row in writes:
            if random.random() < 0.5:
                await self.idle(random.randint(1, 4))
            await self.row(True, memory, index, row)
        old[1] = self._last_write
        return ""

    async def change(
        self, number_bits: int = 0, keep: float = 0.5, make: Callable[[], dict] | None = None
    ) -> None:
        """One random operation of the driver, and the result that the model expects of it.

        `make` gives the arguments that name an entry, `keep` is about how full the table will be.
        """
        entries, size = self.model.entries, self.info["entries"]
        if random.random() < 0.6 and entries:
            match = dict(random.choice(list(entries)))
        else:
            match = make() if make else {"key": self.random_key()}
        name = tuple(sorted(match.items()))
        data = random.getrandbits(self.info["data_bits"])
        there = name in entries
        wish = random.random()
        if wish < 0.3:

            def modify(model):
                model[name] = model[name] >> data_bits << data_bits | data

            data_bits = self.info["data_bits"]
            error = await self.operate(lambda table: table.modify(**match, data=data), modify)
            assert error == ("" if there else "not found")
        elif wish < 0.35 or (there and len(entries) > keep * size):
            error = await self.operate(lambda table: table.delete(**match), lambda model: model.pop(name))
            assert error == ("" if there else "not found")
        else:
            numbers = []

            def insert(model):
                number = numbers[0] << self.info["data_bits"] if number_bits else 0
                model[name] = number | data

            error = await self.operate(
                lambda table: numbers.append(table.insert(**match, data=data)), insert
            )
            full = not numbers and not self.fits([*entries, name])
            assert error == ("exists" if there else "full" if full else "")
            if number_bits and numbers:
                others = [value >> self.info["data_bits"] for key, value in entries.items() if key != name]
                assert numbers[0] < size and numbers[0] not in others
        assert len(self.table) == len(entries)

    async def check_rows(self, rows: list[tuple[int, int]]) -> None:
        """Reads rows back and compares them with what was written."""
        for memory, index in rows:
            read = await self.row(False, memory, index)
            assert read == self.image.get((memory, index), 0), f"memory {memory}, row {index}"
