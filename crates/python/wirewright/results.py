"""Results of labs: figures by name, tables as data frames, questions in SQL."""

from __future__ import annotations

import html
import json
import os
from pathlib import Path
from typing import Any, Optional, Union

#: Tables that a lab may write, one file a run.
TABLES = ("flows", "queues", "packets")


class Results:
    """What a lab has measured.

    results["traffic.web.goodput_bps"] is a figure (its mean over the runs), results.json all of it.
    """

    def __init__(self, tree: dict[str, Any], folder: Optional[str] = None, keep: object = None):
        self.json = tree
        self.folder = None if folder is None else Path(folder)
        self._keep = keep

    def __getitem__(self, path: str) -> Any:
        """The figure of this dotted path: a number, or a part of the tree. Names may have dots themselves."""
        value = _find(self.json["results"], path.split("."))
        return value["value"] if _is_figure(value) else value

    def interval(self, path: str) -> Optional[tuple[float, float]]:
        """The confidence interval of a figure over the seeds of the lab; None with one seed."""
        value = _find(self.json["results"], path.split("."))
        found = value.get("interval") if _is_figure(value) else None
        return None if found is None else (found[0], found[1])

    def paths(self) -> list[str]:
        """The paths of all figures."""
        found: list[str] = []

        def walk(tree: Any, path: list[str]) -> None:
            if isinstance(tree, dict) and not _is_figure(tree):
                for name, inner in tree.items():
                    walk(inner, [*path, name])
            else:
                found.append(".".join(path))

        walk(self.json["results"], [])
        return found

    @property
    def expectations(self) -> list[dict[str, Any]]:
        """What was expected, beside what was measured, with a verdict each."""
        return self.json["expectations"]

    @property
    def met(self) -> bool:
        """Whether no expectation was missed."""
        return all(line["verdict"] != "missed" for line in self.expectations)

    def files(self, table: str) -> list[Path]:
        """The Parquet files of a table: one for each variant and seed."""
        if table not in TABLES:
            raise KeyError(f"there is no table {table!r}, but {', '.join(TABLES)}")
        if self.folder is None:
            return []
        return sorted(self.folder.rglob(f"{table}.parquet"))

    def sql(self, query: str) -> Any:
        """Asks DuckDB; flows, queues and packets are tables of all runs, and have a column `run`: the folder of the run.

        Returns a relation: .df() is a pandas data frame, .fetchall() a list.
        """
        import duckdb

        connection = duckdb.connect()
        for table in TABLES:
            files = self.files(table)
            if files:
                names = ", ".join(_quoted(str(file)) for file in files)
                prefix = _quoted(str(self.folder) + os.sep)
                suffix = _quoted(f"{table}.parquet")
                connection.execute(
                    f"create view {table} as select * exclude filename, "
                    f"trim(replace(replace(filename, {prefix}, ''), {suffix}, ''), '/') as run "
                    f"from read_parquet([{names}], filename = true)"
                )
        return connection.sql(query)

    def table(self, name: str) -> Any:
        """A table as a pandas data frame."""
        if not self.files(name):
            raise KeyError(f"the lab has written no table {name!r}: see [measure] in its file")
        return self.sql(f"select * from {name}").df()

    @property
    def flows(self) -> Any:
        """Each flow, as a pandas data frame."""
        return self.table("flows")

    @property
    def queues(self) -> Any:
        """Samples of links and queues, as a pandas data frame."""
        return self.table("queues")

    @property
    def packets(self) -> Any:
        """Each packet that has arrived, as a pandas data frame."""
        return self.table("packets")

    def __repr__(self) -> str:
        missed = sum(line["verdict"] == "missed" for line in self.expectations)
        verdict = "all expectations met" if missed == 0 else f"{missed} expectations missed"
        return f"<Results of lab {self.json['lab']!r}: {len(self.paths())} figures, {verdict}>"

    def _repr_html_(self) -> str:
        columns = ("name", "measured", "published", "tolerance", "verdict")
        head = "".join(f"<th>{column}</th>" for column in columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(line.get(column)))}</td>" for column in columns) + "</tr>"
            for line in self.expectations
        )
        title = html.escape(str(self.json["title"]))
        return f"<p>{title}</p><table><tr>{head}</tr>{rows}</table>"


def _is_figure(tree: Any) -> bool:
    """Figures have a value, which is a number or nothing; a part of the tree that is called so is a table."""
    return isinstance(tree, dict) and "value" in tree and not isinstance(tree["value"], dict)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _find(tree: Any, names: list[str]) -> Any:
    """The part of a tree that dotted names lead to; the longest name that fits wins."""
    if not names:
        return tree
    for count in range(len(names), 0, -1):
        name = ".".join(names[:count])
        if isinstance(tree, dict) and name in tree:
            try:
                return _find(tree[name], names[count:])
            except KeyError:
                continue
    known = ", ".join(tree) if isinstance(tree, dict) else "nothing"
    raise KeyError(f"there is no {'.'.join(names)!r} here, but {known}")


def load(folder: Union[str, "os.PathLike[str]"]) -> Results:
    """Results that `ww lab run --out FOLDER` has written."""
    path = Path(folder)
    return Results(json.loads((path / "results.json").read_text(encoding="utf-8")), str(path))
