"""Nothing in the core is declared and never used: gcc sees that in one file, this in all together."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = (".pyx", ".pxd", ".h")
USERS = ("bordeaux", "openings", "metamap", "tests", "benchmarks", "tools", "training")
TEXT = re.compile(r'""".*?"""|#(?!define|if).*?$', re.DOTALL | re.MULTILINE)
FUNCTION = re.compile(r"^[ \t]*(cdef|cpdef|def)\s(?!class)[^\n(=]*?\b(\w+)\s*\(", re.MULTILINE)
CLASS = re.compile(r"^[ \t]*cdef\s+class\s+(\w+)", re.MULTILINE)
IMPORT = re.compile(r"^\s*from bordeaux\._ext[\w.]* import (\([^)]*\)|.*)", re.MULTILINE)
ATTRIBUTE = re.compile(r"\.(\w+)")
CONSTANT = re.compile(r"^[ \t]+([A-Z][A-Z0-9_]+)(?:\s*=[^=].*)?$", re.MULTILINE)


def used(module: str) -> set[str]:
    """The names that Python code takes from the core, or as attributes of anything."""
    imported = " ".join(IMPORT.findall(module))
    return {*re.findall(r"\w+", imported), *ATTRIBUTE.findall(TEXT.sub("", module))}


def unused(core: str, known: set[str]) -> list[str]:
    """Functions, classes and constants that the text of a core declares and does not mention again. Python
    may know those that it can see."""
    code = TEXT.sub("", core)
    functions, classes = FUNCTION.findall(code), CLASS.findall(code)
    declared = Counter([name for _, name in functions] + classes + CONSTANT.findall(code))
    mentioned = Counter(re.findall(r"\w+", code))
    known = known & {*classes, *(name for kind, name in functions if kind != "cdef")}
    return sorted(
        name
        for name, times in declared.items()
        if mentioned[name] <= times and name not in known and not name.startswith("__")
    )


def test_nothing_in_the_core_is_unused() -> None:
    core = [path for path in sorted((ROOT / "_ext").rglob("*")) if path.suffix in SUFFIXES]
    text = "\n".join(path.read_text("utf-8") for path in core)
    users = (path.read_text("utf-8") for folder in USERS for path in (ROOT / folder).rglob("*.py"))
    assert len(FUNCTION.findall(text)) > 200 and len(CLASS.findall(text)) > 20
    assert unused(text, set().union(*map(used, users))) == []


def test_what_is_unused_is_found() -> None:
    core = "cdef enum:\n    MOST = 4\n    LEAST = 1\ncdef int lone(int a) noexcept nogil\n"
    core += "cdef int lone(int a) noexcept nogil:\n    return MOST  # LEAST\ndef shown():\n    pass\n"
    core += "def spoken():\n    pass\ncdef class Kept:\n    pass\ncdef class Lost:\n    pass\n"
    user = "from bordeaux._ext.a import Kept\nfrom os import lone\nlone = LEAST = Lost = 'spoken'\nx.shown()"
    assert unused(core, used(user)) == ["LEAST", "Lost", "lone", "spoken"]
