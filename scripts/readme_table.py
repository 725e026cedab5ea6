"""Tables of a README that a script writes, between two comments that name it."""

from pathlib import Path


def put(readme: Path, script: str, name: str, table: str) -> None:
    """Replaces the table `name` of a script in a README. Ends the program if there is no place for it."""
    begin, end = f"<!-- scripts/{script}: {name} -->", f"<!-- end of scripts/{script}: {name} -->"
    before, found, rest = readme.read_text().partition(begin)
    _, ended, behind = rest.partition(end)
    if not found or not ended:
        raise SystemExit(f"{readme} has no lines '{begin}' and '{end}' for the table")
    readme.write_text(f"{before}{begin}\n{table}\n{end}{behind}")
