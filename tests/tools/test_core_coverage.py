"""The share of the core's lines that have run, out of what gcov says."""

import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import core_coverage


def module(*files: tuple[str, dict[int, int]]) -> dict[str, Any]:
    return {
        "files": [
            {"file": name, "lines": [{"line_number": at, "count": times} for at, times in lines.items()]}
            for name, lines in files
        ]
    }


def test_a_line_has_run_where_any_module_ran_it() -> None:
    runs = core_coverage.lines_run(
        [
            module(("bordeaux/_ext/net/a.pyx", {1: 5, 2: 0}), ("build/x/_ext/net/b.pxd", {7: 0, 8: 0})),
            module(("bordeaux/_ext/net/b.pxd", {7: 3, 8: 0}), ("/usr/include/c.h", {1: 9}), ("a.c", {1: 0})),
        ]
    )
    assert runs == {"net/a.pyx": {1: True, 2: False}, "net/b.pxd": {7: True, 8: False}}
    assert core_coverage.share(runs["net/a.pyx"]) == core_coverage.share(core_coverage.together(runs)) == 0.5


def test_nothing_to_read_is_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(core_coverage.main, [str(tmp_path)])
    assert done.exit_code == 2 and done.stdout == ""
    assert done.stderr.startswith("bordeaux: nothing in ") and done.stderr.count("\n") == 1
