"""The C driver of ww_table_lpm, compiled and called from Python."""

import ctypes
import hashlib
import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent
DRIVER = TESTS.parent.parent / "driver"
BUILD = TESTS.parent.parent.parent / "target" / "rtl-sim" / "ww_table_lpm-driver"
DRIVER_SOURCES = sorted(DRIVER.glob("ww_lpm*.c"))

NODES = 3
LEVEL_SHIFT = 22
MARGIN = 25
LPM_KIND = 4
LEVELS_MAX = 21


class Level(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint32)
        for name in ("depth", "stride", "rows", "nodes", "child_bits", "width")
    ]


class Geometry(ctypes.Structure):
    _fields_ = [
        *(
            (name, ctypes.c_uint32)
            for name in (
                *("key_bits", "data_bits", "entries", "root_bits", "levels"),
                *("list_rows", "index_bits", "list_bits", "row_bits", "latency"),
            )
        ),
        ("memory_bits", ctypes.c_uint64),
        ("level", Level * LEVELS_MAX),
    ]

    def parameters(self) -> dict[str, int]:
        """Parameters of ww_table_lpm."""
        levels = self.level[: self.levels]
        return {
            "KEY_WIDTH": self.key_bits,
            "DATA_WIDTH": self.data_bits,
            "ENTRIES": self.entries,
            "ROOT_BITS": self.root_bits,
            "LEVELS": self.levels,
            "STRIDES": sum(level.stride << 4 * i for i, level in enumerate(levels)),
            "ROWS": sum(level.rows << 32 * i for i, level in enumerate(levels)),
            "LIST_ROWS": self.list_rows,
            "ROW_WIDTH": self.row_bits,
        }


class Info(ctypes.Structure):
    """ww_table_info"""

    _fields_ = [
        ("name", ctypes.c_char_p),
        *(
            (name, ctypes.c_uint32)
            for name in (
                *("window", "kind", "entries", "key_bits", "data_bits", "action_bits"),
                *("number_bits", "ways", "buckets", "stash", "reserved"),
            )
        ),
        ("seed", ctypes.c_uint64),
        ("range_bits", ctypes.c_void_p),
        ("range_low", ctypes.c_void_p),
    ]


def compile_c(name: str, sources: list[Path], options: list[str]) -> Path:
    """Compiles C sources unless that was done before, and returns the result's path."""
    texts = [path.read_bytes() for path in [*sources, *DRIVER.glob("*.h"), *TESTS.glob("*.h")]]
    digest = hashlib.sha256(b"\0".join([*texts, repr(options).encode()])).hexdigest()[:12]
    target = BUILD / f"{name}-{digest}"
    if not target.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(f".{os.getpid()}")
        flags = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
        command = [os.environ.get("CC", "cc"), *flags, *options, "-o", partial, *sources]
        subprocess.run(list(map(str, command)), check=True)
        partial.rename(target)
    return target


_ROW_SINK = ctypes.CFUNCTYPE(
    None, ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint8), ctypes.c_uint32
)


def _library() -> ctypes.CDLL:
    sources = [*DRIVER_SOURCES, TESTS / "rows.c"]
    library = ctypes.CDLL(str(compile_c("driver.so", sources, ["-O1", "-shared", "-fPIC"])))
    library.ww_lpm_memory.restype = ctypes.c_size_t
    return library


def geometry(key_bits: int, data_bits: int, entries: int) -> Geometry:
    """What ww_lpm_geometry says."""
    shape = Geometry()
    error = _library().ww_lpm_geometry(key_bits, data_bits, entries, MARGIN, ctypes.byref(shape))
    assert error == 0, error
    return shape


class Table:
    """A table of the driver. Its updates collect row writes: (memory, index, row)."""

    def __init__(self, key_bits: int, data_bits: int, entries: int) -> None:
        self.library = _library()
        self.key_bytes = (key_bits + 7) // 8
        self.data_bytes = (data_bits + 7) // 8
        self.key_bits = key_bits
        self.info = Info(
            name=b"lpm", kind=LPM_KIND, entries=entries, key_bits=key_bits, data_bits=data_bits
        )
        size = self.library.ww_lpm_memory(ctypes.byref(self.info))
        self.memory = (ctypes.c_uint64 * (size // 8 + 1))()
        assert self.library.ww_lpm_open(self.memory, ctypes.byref(self.info), None) == 0
        self.rows: list[tuple[int, int, int]] = []
        self.sink = _ROW_SINK(self._row_write)
        self.library.on_row_write(self.sink)

    def _row_write(self, memory: int, index: int, row, bits: int) -> None:
        content = int.from_bytes(bytes(row[: (bits + 7) // 8]), "little")
        self.rows.append((memory, index, content))

    def _key(self, prefix: tuple[int, int]) -> tuple[bytes, int]:
        value, length = prefix
        return (value << (self.key_bits - length)).to_bytes(self.key_bytes, "little"), length

    def insert(self, prefix: tuple[int, int], data: int) -> int:
        """Adds a prefix (value of its bits, length) and returns the number of the entry."""
        number = ctypes.c_uint32()
        error = self.library.ww_lpm_insert(
            self.memory,
            *self._key(prefix),
            data.to_bytes(self.data_bytes, "little"),
            ctypes.byref(number),
        )
        assert error == 0, error
        return number.value

    def modify(self, prefix: tuple[int, int], data: int) -> None:
        error = self.library.ww_lpm_modify(
            self.memory, *self._key(prefix), data.to_bytes(self.data_bytes, "little")
        )
        assert error == 0, error

    def delete(self, prefix: tuple[int, int]) -> None:
        error = self.library.ww_lpm_delete(self.memory, *self._key(prefix))
        assert error == 0, error

    def clear(self) -> None:
        assert self.library.ww_lpm_clear(self.memory) == 0


def main() -> None:
    """Prints an instance of ww_table_lpm for KEY_WIDTH DATA_WIDTH ENTRIES."""
    shape = geometry(*map(int, sys.argv[1:4]))
    widths = {"STRIDES": 4 * shape.levels, "ROWS": 32 * shape.levels}
    print("ww_table_lpm #(")
    print(
        ",\n".join(
            f"    .{name}({widths[name]}'h{value:x})" if name in widths else f"    .{name}({value})"
            for name, value in shape.parameters().items()
        )
    )
    print(f") table (...);  // LATENCY {shape.latency}, {shape.memory_bits} bits of RAM")


if __name__ == "__main__":
    main()
