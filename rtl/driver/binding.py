"""The driver in Python, through ctypes: for tests, and as an example of its use."""

import ctypes
import fcntl
import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from .ww_driver import KINDS, Bus, Info, Match, Read, Write, load

SOURCES = Path(__file__).resolve().parent
BUILD = SOURCES.parent.parent / "target" / "driver"

DIRECT, HASH, CAM, TERNARY, LPM = (
    KINDS[kind] for kind in ("direct", "hash", "cam", "ternary", "lpm")
)
ERRORS = {
    -1: "bus",
    -2: "full",
    -3: "exists",
    -4: "not found",
    -5: "range",
    -6: "info",
    -7: "memory",
}

class DriverError(Exception):
    """An error code of the driver; `args[0]` is its short name, a value of ERRORS."""


def library() -> ctypes.CDLL:
    """Compiles the driver with the C compiler, if that has not been done, and loads it."""
    files = sorted(SOURCES.glob("*.c"))
    content = hashlib.sha256(b"".join(f.read_bytes() for f in [*files, *sorted(SOURCES.glob("*.h"))]))
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / f"libww_driver-{content.hexdigest()[:12]}.so"
    with open(BUILD / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            partial = path.with_suffix(".partial")
            compiler = os.environ.get("CC", "cc")
            command = [compiler, "-std=c99", "-O1", "-shared", "-fPIC", "-o", partial, *files]
            subprocess.run(command, check=True)
            partial.rename(path)
    lib = load(path)
    lib.ww_hash_bucket.argtypes = [
        ctypes.c_char_p,
        ctypes.c_uint32,
        ctypes.c_uint64,
        ctypes.c_uint32,
        ctypes.c_uint32,
    ]
    lib.ww_hash_bucket.restype = ctypes.c_uint32
    return lib


def hash_geometry(entries: int) -> tuple[int, int, int]:
    """WAYS, BUCKETS and STASH of a ww_table_hash for so many entries."""
    numbers = [ctypes.c_uint32() for _ in range(3)]
    _check(library().ww_hash_geometry(ctypes.c_uint32(entries), *map(ctypes.byref, numbers)))
    ways, buckets, stash = (number.value for number in numbers)
    return ways, buckets, stash


def _check(code: int) -> None:
    if code != 0:
        raise DriverError(ERRORS[code])


class Table:
    """A table of the driver. Keys, masks and data are integers.

    `write(address, word)` and `read(address) -> word` access the control bus; the fields of
    ww_table_info are keyword arguments.
    """

    def __init__(
        self, write: Callable[[int, int], None], read: Callable[[int], int] | None = None, **info
    ):
        self._lib = library()
        self.key_bytes = (info["key_bits"] + 7) // 8
        self.data_bytes = (info["data_bits"] + 7) // 8
        for name in ["range_bits", "range_low"]:
            if name in info:
                info[name] = info[name].to_bytes(self.key_bytes, "little")
        self._info = Info(name=b"table", **info)

        def write_word(_context, address, word):
            write(address, word)
            return 0

        def read_word(_context, address, word):
            word[0] = read(address)
            return 0

        self._bus = Bus(None, Write(write_word), Read(read_word))
        handle = ctypes.c_void_p()
        info_at, bus_at = ctypes.byref(self._info), ctypes.byref(self._bus)
        _check(self._lib.ww_table_open(ctypes.byref(handle), info_at, bus_at))
        self._handle = handle

    def _match(self, key: int, mask: int, prefix_length: int, priority: int):
        self._bytes = key.to_bytes(self.key_bytes, "little"), mask.to_bytes(self.key_bytes, "little")
        self._kept = Match(*self._bytes, prefix_length, priority)
        return ctypes.byref(self._kept)

    def insert(self, key: int, data: int, mask: int = 0, prefix_length: int = 0, priority: int = 0) -> int:
        """Adds an entry and returns its number."""
        number = ctypes.c_uint32()
        match = self._match(key, mask, prefix_length, priority)
        content = data.to_bytes(self.data_bytes, "little")
        _check(self._lib.ww_table_insert(self._handle, match, content, ctypes.byref(number)))
        return number.value

    def modify(self, key: int, data: int, mask: int = 0, prefix_length: int = 0, priority: int = 0) -> None:
        """Replaces the data of an entry."""
        match = self._match(key, mask, prefix_length, priority)
        content = data.to_bytes(self.data_bytes, "little")
        _check(self._lib.ww_table_modify(self._handle, match, content))

    def delete(self, key: int, mask: int = 0, prefix_length: int = 0, priority: int = 0) -> None:
        """Removes an entry."""
        match = self._match(key, mask, prefix_length, priority)
        _check(self._lib.ww_table_delete(self._handle, match))

    def clear(self) -> None:
        """Removes all entries."""
        _check(self._lib.ww_table_clear(self._handle))

    def set_default(self, data: int) -> None:
        """Sets what a lookup without a match gives."""
        content = data.to_bytes(self.data_bytes, "little")
        _check(self._lib.ww_table_set_default(self._handle, content))

    def __len__(self) -> int:
        return self._lib.ww_table_count(self._handle)

    def __del__(self):
        if getattr(self, "_handle", None):
            self._lib.ww_table_close(self._handle)


# generated: window (crates/blocks/src/facts.rs)
WW_WINDOW_WRITE = 0x000
WW_WINDOW_STAGING = 0x400
# end of generated


class Rows:
    """Takes the words that the driver writes and keeps the row writes they amount to.

    `written` is a list of (memory, index, row).
    """

    def __init__(self):
        self.written: list[tuple[int, int, int]] = []
        self._staging = 0

    def write(self, address: int, word: int) -> None:
        """A write on the control bus, as a ww_row_window understands it."""
        offset = address & 0xFFF
        if offset >= WW_WINDOW_STAGING:
            at = 8 * (offset - WW_WINDOW_STAGING)
            self._staging = self._staging & ~(0xFFFFFFFF << at) | word << at
        elif offset == WW_WINDOW_WRITE:
            self.written.append((word >> 28, word & 0xFFFFFFF, self._staging))

    def take(self) -> list[tuple[int, int, int]]:
        """The row writes since the last call."""
        written, self.written = self.written, []
        return written
