"""Running labs from Python."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Mapping, Optional, Union

from . import _native
from .results import Results

Path = Union[str, "os.PathLike[str]"]


def word(value: object) -> str:
    """A value as a lab's file writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(word(item) for item in value) + "]"
    return json.dumps(value) if isinstance(value, str) else str(value)


def settings(values: Mapping[str, object]) -> list[str]:
    """Keys and values as `ww lab run --set` takes them."""
    return [f"{key}={word(value)}" for key, value in values.items()]


def check(lab: Path) -> None:
    """Raises ValueError with all mistakes of a lab's files, each with its line, if there are any."""
    report = _native.labs.check(os.fspath(lab))
    if report is not None:
        raise ValueError(report)


def run(
    lab: Path,
    *,
    out: Optional[Path] = None,
    quick: bool = False,
    set: Optional[Mapping[str, object]] = None,
    seed: Optional[int] = None,
    workers: Optional[int] = None,
) -> Results:
    """Runs a lab in virtual time.

    lab: a folder with a lab.toml, or such a file. out: a folder for results.json and tables; without it they are in a
    temporary one that lives as long as the results. quick: the lab's own short durations. set: keys of the lab with other
    values, such as {"traffic.web.load": 0.5}. Results are the bytes that `ww lab run` writes, whatever `workers` is.
    """
    keep = None
    if out is None:
        keep = tempfile.TemporaryDirectory(prefix="wirewright-")
        out = keep.name
    folder = os.fspath(out)
    text = _native.labs.run(os.fspath(lab), folder, quick, settings(set or {}), seed, workers)
    return Results(json.loads(text), folder, keep)
