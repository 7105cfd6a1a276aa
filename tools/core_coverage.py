"""The share of the core's lines that were executed, for each of its files and for all together.

    python tools/core_coverage.py FOLDER

FOLDER is where a core was built with ``BORDEAUX_COVERAGE=1``. Each process that uses it adds its executed
lines there when it ends. Lines are those of the .pyx, .pxd and .h files that have code. Needs gcov. Exit code
2, with one line on standard error, if there is nothing to read.
"""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from bordeaux.cli.program import Script

SUFFIXES = (".pyx", ".pxd", ".h")


def read(folder: Path) -> Iterator[dict[str, Any]]:
    """The output of gcov for each module that was executed. Raises OSError or CalledProcessError."""
    for data in sorted(folder.rglob("*.gcda")):
        result = subprocess.run(
            ["gcov", "--json-format", "--stdout", data],
            capture_output=True,
            check=True,
        )
        yield from map(json.loads, result.stdout.splitlines())


def lines_run(modules: Iterable[dict[str, Any]]) -> dict[str, dict[int, bool]]:
    """Whether each line of each file of the core was executed, in any module that contains it."""
    runs: dict[str, dict[int, bool]] = defaultdict(dict)
    for module in modules:
        for file in module["files"]:
            path = Path(file["file"])
            if path.suffix in SUFFIXES and path.parent.parent.name == "_ext":
                for line in file["lines"]:
                    runs_of_file = runs[f"{path.parent.name}/{path.name}"]
                    runs_of_file[line["line_number"]] = (
                        runs_of_file.get(line["line_number"], False) or line["count"] > 0
                    )
    return runs


@click.command(cls=Script)
@click.argument("folder", type=Path)
def main(folder: Path) -> None:
    """Print the share of the core's lines that have run. FOLDER is where the core was built with
    BORDEAUX_COVERAGE=1."""
    try:
        runs = lines_run(read(folder))
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode().strip() or "it says nothing"
        raise click.ClickException(f"gcov failed: {reason.splitlines()[-1]}") from None
    if not runs:
        raise click.ClickException(f"nothing in {folder} has run: build with BORDEAUX_COVERAGE=1")
    for name, lines in [*sorted(runs.items()), ("together", together(runs))]:
        print(f"{name:<28} {sum(lines.values()):>5} of {len(lines):>5} lines  {share(lines):6.1%}")


def together(runs: dict[str, dict[int, bool]]) -> dict[int, bool]:
    """The lines of all files, numbered in sequence."""
    return dict(enumerate(run for lines in runs.values() for run in lines.values()))


def share(lines: dict[int, bool]) -> float:
    """The share of lines that were executed."""
    return sum(lines.values()) / len(lines)


if __name__ == "__main__":
    main()
