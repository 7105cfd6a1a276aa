"""No file outgrows a reader, and no two classes share a name."""

import ast
from collections import Counter

from tests.architecture.house import ROOT, sources

LONGEST = 800
# These classes are the words of two languages, written with the language before them: `d.Unit` of DAIDE,
# `p.Propose` of press.
WORDS = {ROOT / "bordeaux" / room / "language" / "messages.py" for room in ("daide", "press")}


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    files = sources(".py", ".pyi", ".pyx", ".pxd")
    lengths = {str(path.relative_to(ROOT)): path.read_text("utf-8").count("\n") for path in files}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}


def test_no_two_classes_share_a_name() -> None:
    """Public classes in Python; those of the core are behind functions and classes of the package."""
    modules = set(sources(".py"))
    assert modules > WORDS
    names = Counter(
        node.name
        for path in modules - WORDS
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, times in names.items() if times > 1] == []
