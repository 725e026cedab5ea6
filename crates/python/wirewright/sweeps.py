"""Many runs of a lab: one for each combination of values, here or on a Dask cluster."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Mapping, Optional, Sequence, Union

from . import _native
from .labs import settings, word
from .results import Results


def sweep(
    lab: Union[str, "os.PathLike[str]"],
    over: Mapping[str, Sequence[object]],
    *,
    out: Union[str, "os.PathLike[str]", None] = None,
    quick: bool = False,
    set: Optional[Mapping[str, object]] = None,
    seed: Optional[int] = None,
    scheduler: Optional[str] = None,
    workers: Optional[int] = None,
) -> list[tuple[dict[str, object], Results]]:
    """Runs a lab for each combination of values; the last key runs fastest.

    out: a folder for the points, as `ww lab sweep` writes them; what is there already is not run again. Without it they
    are in a temporary one that lives as long as the results. scheduler: the address of a Dask scheduler whose workers have
    this package ("tcp://host:8786"); without it `workers` threads run here, one a core unless said. Results are the same
    bytes wherever they were computed.
    """
    keep = None
    if out is None:
        keep = tempfile.TemporaryDirectory(prefix="wirewright-")
        out = keep.name
    folder = Path(out)
    keys = [(key, [word(value) for value in values]) for key, values in over.items()]
    points = _native.labs.sweep(
        os.fspath(lab), keys, str(folder), quick, settings(set or {}), seed, workers, scheduler, sys.executable
    )
    found = []
    for place, (name, text) in enumerate(points):
        values, rest = {}, place
        for key in reversed(list(over)):
            values[key] = over[key][rest % len(over[key])]
            rest //= len(over[key])
        ordered = {key: values[key] for key in over}
        found.append((ordered, Results(json.loads(text), str(folder / "points" / name), keep)))
    return found
