"""No file outgrows a reader, no two classes share a name, and names of values say what they are."""

import ast
import builtins
from collections.abc import Iterable

import pytest

from tests.architecture.house import ROOT, sources

LONGEST = 800
# Modules whose names may be names of other things as well. These classes are the words of two languages, and
# are written with the language before them: `d.Unit` of DAIDE, `p.Propose` of press.
WORDS = {
    "bordeaux/daide/language/messages.py",
    "bordeaux/daide/language/values.py",
    "bordeaux/press/language/messages.py",
}

# Names that tell nothing of a value. Functions may have them: "told" is what such a one does.
SAYS_NOTHING = {"here", "each", "told", "found"}
# Names of builtin functions that values may have: words of the game, of click, of files and of records.
OWN_WORDS = {"map", "help", "id", "type", "input", "all"}
SHADOWED = {name for name in dir(builtins) if name[0].islower()} - OWN_WORDS
BARE = SAYS_NOTHING | SHADOWED


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > LONGEST} == {}


def classes_of(text: str) -> set[str]:
    """The public classes that a module defines at its top."""
    return {
        node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name[0] != "_"
    }


def shared(files: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Of files with their texts: the classes that several of them define, and these files."""
    owners: dict[str, list[str]] = {}
    for path, text in files:
        for name in classes_of(text):
            owners.setdefault(name, []).append(path)
    return {name: paths for name, paths in sorted(owners.items()) if len(paths) > 1}


def test_no_two_classes_share_a_name() -> None:
    """Classes in Python; those of the core are behind functions and classes of the package."""
    texts = {
        str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sources() if path.suffix == ".py"
    }
    assert set(texts) >= WORDS
    assert shared((path, text) for path, text in texts.items() if path not in WORDS) == {}


def test_a_shared_name_is_found_and_private_or_inner_classes_are_let_be() -> None:
    first = ("a.py", "class Line: ...\nclass _Reader: ...\nclass Plan:\n    class Inner: ...")
    second = ("b.py", "class Line: ...\nclass _Reader: ...\nclass Inner: ...")
    assert shared([first, second]) == {"Line": ["a.py", "b.py"]}


def values_of(text: str) -> set[str]:
    """The names of values that a module binds: variables, parameters, attributes, errors that it handles."""
    bound: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                bound.add(name)
            case ast.arg(arg=name):
                bound.add(name)
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                bound.add(name)
    return bound


def test_names_of_values_say_what_they_are() -> None:
    folders = (
        "_ext",
        "bordeaux",
        "openings",
        "metamap",
        "training",
        "tools",
        "benchmarks",
        "examples",
        "tests",
    )
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(paths) > 1_000
    bare = {str(path.relative_to(ROOT)): values_of(path.read_text("utf-8")) & BARE for path in paths}
    assert {path: names for path, names in bare.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "each = 1",
        "for each in range(3): ...",
        "[each for each in ()]",
        "def f(each): ...",
        "lambda *each: 0",
        "x.each = 1",
        "class A:\n    each: int",
        "(a, *each) = f()",
        "with f() as each: ...",
        "if (each := f()): ...",
        "try: ...\nexcept ValueError as each: ...",
        "match f():\n    case (1, *each): ...",
    ],
)
def test_a_value_is_found_however_it_is_bound(text: str) -> None:
    assert "each" in values_of(text)
    assert values_of("import each\ndef each(): ...\neach()\nx.each") == set()
