"""The row port, through which the control plane reaches the memories of a block."""

from cocotb.triggers import RisingEdge


class RowPort:
    """Drives row_* of a module; one access at a time."""

    def __init__(self, dut, clock: str = "clk"):
        self._dut = dut
        self._clock = getattr(dut, clock)
        for signal in ("valid", "write", "memory", "index", "wdata"):
            getattr(dut, f"row_{signal}").value = 0

    async def _access(self, write: int, memory: int, index: int, value: int) -> int:
        dut = self._dut
        dut.row_write.value = write
        dut.row_memory.value = memory
        dut.row_index.value = index
        dut.row_wdata.value = value
        dut.row_valid.value = 1
        while True:
            await RisingEdge(self._clock)
            if dut.row_done.value == 1:
                break
        dut.row_valid.value = 0
        return int(dut.row_rdata.value)

    async def write(self, memory: int, index: int, value: int) -> None:
        """Stores a row."""
        await self._access(1, memory, index, value)

    async def read(self, memory: int, index: int) -> int:
        """Reads a row."""
        return await self._access(0, memory, index, 0)
