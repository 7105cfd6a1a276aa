"""Nothing in the core is declared and never used: gcc sees that in one file, this in all together."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = (".pyx", ".pxd", ".h")
USERS = ("bordeaux", "openings", "metamap", "tests", "benchmarks", "tools")
TEXT = re.compile(r'""".*?"""|#(?!define|if).*?$', re.DOTALL | re.MULTILINE)
FUNCTION = re.compile(r"^[ \t]*(?:cdef|cpdef|def)\s[^\n(=]*?\b(\w+)\s*\(", re.MULTILINE)
CONSTANT = re.compile(r"^[ \t]+([A-Z][A-Z0-9_]+)(?:\s*=[^=].*)?$", re.MULTILINE)


def unused(core: str, users: str) -> list[str]:
    """Functions and constants that the text of a core declares and neither it nor its users mention again."""
    code = TEXT.sub("", core)
    declared = Counter(FUNCTION.findall(code)) + Counter(CONSTANT.findall(code))
    mentioned = Counter(re.findall(r"\w+", code))
    known = set(re.findall(r"\w+", users))
    return sorted(
        name
        for name, times in declared.items()
        if mentioned[name] <= times and name not in known and not name.startswith("__")
    )


def test_nothing_in_the_core_is_unused() -> None:
    core = [path for path in sorted((ROOT / "_ext").rglob("*")) if path.suffix in SUFFIXES]
    users = [path for folder in USERS for path in (ROOT / folder).rglob("*.py")]
    texts = ["\n".join(path.read_text("utf-8") for path in folder_paths) for folder_paths in (core, users)]
    assert len(FUNCTION.findall(texts[0])) > 200
    assert unused(*texts) == []


def test_what_is_unused_is_found() -> None:
    core = "cdef enum:\n    MOST = 4\n    LEAST = 1\ncdef int lone(int a) noexcept nogil\n"
    core += "cdef int lone(int a) noexcept nogil:\n    return MOST  # LEAST\ndef shown():\n    pass\n"
    assert unused(core, "shown()") == ["LEAST", "lone"]
