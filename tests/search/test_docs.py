"""The tables of docs/search.md and docs/paper-search.md name code and tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

from bordeaux.search.config import SearchConfig

ROOT = Path(__file__).parents[2]
TEXT = "".join((ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("search", "paper-search"))
ROWS = [line for line in TEXT.splitlines() if line.startswith("| ") and "`" in line]
TESTS = sorted(set(re.findall(r"`((?:\w+/)*test_\w+(?:::\w+|\.py))`", "\n".join(ROWS))))
FILES = sorted(
    {
        name
        for row in ROWS
        for name in re.findall(r"`([\w/]+(?:\.\w+|/))`", row)
        if not Path(name).name.startswith("test_")
    }
)
SECTIONS = ("3.2", "3.3", "3.4", "4.3.1", "4.3.2", "4.3.3", "4.3.4", "4.3.5", "4.3.6", "4.3.7")


def test_tests_and_files_are_there() -> None:
    for named in TESTS:
        file, _, name = named.removesuffix(".py").partition("::")
        source = (ROOT / "tests" / f"{file}.py").read_text("utf-8")
        assert not name or f"def test_{name}(" in source, named
    assert [name for name in FILES if not any((ROOT / at / name).exists() for at in ("", "bordeaux"))] == []


def test_every_section_has_a_row_and_every_row_something_that_shows_it() -> None:
    numbered = [row for row in ROWS if re.match(r"\| \d", row)]
    assert {section for section in SECTIONS if any(f"| {section} |" in row for row in numbered)} == {
        *SECTIONS
    }
    for row in ROWS:
        assert row.split("|")[-2].strip()
    assert len(TESTS) > 50
    assert len(FILES) > 20


def test_every_module_of_the_search_has_a_row() -> None:
    part = TEXT.split("## Modules\n")[1].split("\n## ")[0]
    here = ROOT / "bordeaux" / "search"
    modules = [f"search/{path.name}" for path in here.glob("*.py") if path.stem != "__init__"]
    assert sorted(re.findall(r"`(search/\w+(?:\.py|/))`", part)) == sorted([*modules, "search/paper/"])


def test_every_setting_is_told_as_it_is() -> None:
    for name, value, span, search, what in SearchConfig().describe():
        shown = f"`{value}`" if value and isinstance(value, str) else value if value is not None else ""
        assert f"| `{name}` | {shown} | {span} | {search} | {what} |" in TEXT
