"""Points of a sweep on a Dask cluster: what `ww lab sweep --dask ADDRESS` starts.

python3 -m wirewright.cluster ADDRESS takes one JSON object on its standard input: lab (path of the lab's file), quick,
seed, and points, each with place, set and folder. Every point that is done has its files in its folder, and is a line
{"place": N} on standard output; one that cannot be run is {"place": N, "error": "..."}.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Optional, Sequence

from . import _native

#: What a lab's folder may have.
MAX_BYTES = 256 << 20
RESULTS = "results.json"


def pack(folder: Path, within: str) -> bytes:
    """The files of a folder as a zip archive, below this name in it."""
    buffer, size = io.BytesIO(), 0
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                size += file.stat().st_size
                if size > MAX_BYTES:
                    raise ValueError(f"{folder} has more than {MAX_BYTES >> 20} MiB: too much for each worker")
                archive.write(file, str(Path(within) / file.relative_to(folder)))
    return buffer.getvalue()


def unpack(archive: bytes, folder: Path) -> None:
    """Its files; the results come last, and whole."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        for name in sorted(files.namelist(), key=lambda name: name == RESULTS):
            if name == RESULTS:
                whole = folder / f".{RESULTS}.{os.getpid()}"
                whole.write_bytes(files.read(name))
                whole.replace(folder / name)
            else:
                files.extract(name, folder)


def point(lab: str, archive: bytes, quick: bool, settings: Sequence[str], seed: Optional[int]) -> bytes:
    """Runs a packed lab with these settings on one thread; what it has written, packed."""
    with tempfile.TemporaryDirectory(prefix="wirewright-") as name:
        folder = Path(name)
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            files.extractall(folder / "lab")
        _native.labs.run(str(folder / "lab" / lab), str(folder / "out"), quick, list(settings), seed, 1)
        return pack(folder / "out", ".")


def versions(client: Any) -> None:
    """Raises ValueError if a worker has no package, or that of another version."""
    for worker, version in client.run(version_here).items():
        if version != _native.__version__:
            raise ValueError(f"worker {worker} has wirewright {version}, here it is {_native.__version__}")


def version_here() -> str:
    return _native.__version__


def run(address: str, order: dict[str, Any], say: Any) -> None:
    """Has all points run, and says which are done as they are."""
    from distributed import Client, as_completed

    file = Path(order["lab"])
    folder = file.parent
    # The name of the folder is the lab's.
    packed = pack(folder, folder.name)
    lab = f"{folder.name}/{file.name}"
    with Client(address, timeout=30) as client:
        versions(client)
        shared = client.scatter(packed, broadcast=True, hash=False)
        points = {}
        for one in order["points"]:
            # A worker that dies takes its point to another one, once.
            future = client.submit(
                point, lab, shared, order["quick"], one["set"], order["seed"], pure=False, retries=1
            )
            points[future] = one
        for future in as_completed(points):
            one = points[future]
            failed = future.exception()
            if failed is not None:
                say({"place": one["place"], "error": str(failed)})
                continue
            target = Path(one["folder"])
            target.mkdir(parents=True, exist_ok=True)
            unpack(future.result(), target)
            # What is written need not stay in the cluster.
            future.release()
            say({"place": one["place"]})


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python3 -m wirewright.cluster ADDRESS < ORDER", file=sys.stderr)
        return 2
    try:
        import distributed  # noqa: F401
    except ImportError:
        print(f"{sys.executable} has no package distributed: pip install 'wirewright[dask]'", file=sys.stderr)
        return 1
    try:
        run(sys.argv[1], json.load(sys.stdin), lambda line: print(json.dumps(line), flush=True))
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # The caller shows it to somebody who has not called Python.
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
