"""Running P4 programs as dataplanes from Python, on capture files and on interfaces."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Mapping, Optional, Union

from . import _native

Path = Union[str, "os.PathLike[str]"]


class Dataplane:
    """A dataplane that runs beside the interpreter, until its capture files end or `stop` is called.

    In a `with` statement it is stopped at the end of the block; one whose ports are all files (or memory) is waited for,
    unless the block ends with an exception.
    """

    def __init__(self, native: Any) -> None:
        self._native = native

    def stop(self) -> dict:
        """Stops it and gives the statistics. Its capture files then end in the middle: RuntimeError, and no output."""
        self._native.stop()
        return self.wait()

    def wait(self, timeout: Optional[float] = None) -> dict:
        """Waits for the end and gives the statistics. TimeoutError: not within so many seconds; RuntimeError: it failed."""
        if not self._native.wait(timeout):
            raise TimeoutError(f"the dataplane still runs after {timeout} seconds")
        return self.statistics

    def control(self, request: str, /, **fields: Any) -> dict:
        """Makes a request of docs/control.md: control("table_add", table="t", keys=["1"], action="a").

        ValueError: it is refused; ConnectionError: the dataplane has ended, or takes no requests.
        """
        return json.loads(self._native.control(json.dumps({"request": request, **fields})))

    @property
    def statistics(self) -> dict:
        """After the end all that `ww run --json` prints; before, the counters of interfaces and workers."""
        return json.loads(self._native.statistics())

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._native.running

    @property
    def output(self) -> list:
        """What the commands of `entries` printed."""
        return self._native.output

    @property
    def notes(self) -> list:
        """Sentences that the user should know, such as how an interface is reached and why."""
        return self._native.notes

    def __enter__(self) -> Dataplane:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None and self._native.finite:
            self.wait()
            return
        self._native.stop()
        try:
            self.wait()
        except RuntimeError:
            # What the block raised counts.
            if kind is None:
                raise


def run(
    program: Path,
    *,
    ports: Mapping[int, Union[str, "os.PathLike[str]"]],
    entries: Optional[Path] = None,
    engine: str = "jit",
    control: Optional[Path] = None,
    scheduler: Optional[Path] = None,
    tpp: Optional[Path] = None,
    workers: Optional[int] = None,
    cores: Optional[Iterable[int]] = None,
    include: Iterable[Path] = (),
    define: Optional[Mapping[str, object]] = None,
    check: bool = False,
) -> Dataplane:
    """Starts a program as a dataplane, as `ww run` does.

    ports: numbers with what they are attached to, as in {0: "eth0", 1: "in.pcap:out.pcap"}. entries: a file of BMv2's
    runtime commands. control: a Unix socket for `ww ctl`. scheduler, tpp: a policy file and a settings file. define: macros
    of the preprocessor. check: the reference engine sees all packets too, and the first difference is a RuntimeError.
    ValueError: all that is wrong with the arguments, the program or its entries.
    """

    def path(file: Optional[Path]) -> Optional[str]:
        return None if file is None else os.fspath(file)

    native = _native.dataplanes.run(
        os.fspath(program),
        [f"{port}={os.fspath(spec)}" for port, spec in ports.items()],
        engine,
        path(entries),
        path(control),
        path(scheduler),
        path(tpp),
        workers,
        None if cores is None else list(cores),
        [os.fspath(folder) for folder in include],
        [f"{name}={value}" for name, value in (define or {}).items()],
        check,
    )
    return Dataplane(native)
