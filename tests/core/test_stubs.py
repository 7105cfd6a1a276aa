"""The stubs that the build makes say what the compiled modules have: names, arguments, what can be set."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import bordeaux._ext

SOURCES = Path(__file__).resolve().parents[2] / "_ext"
CORE = Path(bordeaux._ext.__path__[0])


def stem_of(path: Path, folder: Path) -> str:
    """The name of a module below that of the core: ``rules.packed``."""
    return ".".join(path.relative_to(folder).with_suffix("").parts)


STUBS = [stem_of(path, CORE) for path in sorted(CORE.rglob("*.pyi"))]
MODULES = {
    stem: importlib.import_module(f"bordeaux._ext.{stem}")
    for stem in sorted(stem_of(path, SOURCES) for path in SOURCES.rglob("*.pyx"))
}
#: What every class has of Python's or of Cython's.
COMMON = {"__new__", "__doc__", "__reduce__", "__setstate__", "__pyx_vtable__", "__init__"}
#: One method for each comparison is made of `__eq__`.
COMPARED = {"__lt__", "__le__", "__ne__", "__gt__", "__ge__"}

Argument = tuple[str, bool]


def public(module: ModuleType) -> set[str]:
    """Names that a module shows and makes itself."""
    own = {
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", module.__name__) == module.__name__ and not inspect.ismodule(value)
    }
    return {name for name in own if not name.startswith("_")}


def declared(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    """What a stub or a class in it declares, by name."""
    named: dict[str, ast.stmt] = {}
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            named[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            named[node.target.id] = node
    return named


def arguments(node: ast.FunctionDef) -> list[Argument]:
    """Names of the arguments that may be given by place, and whether each may be left out."""
    names = [argument.arg for argument in node.args.args]
    required = len(names) - len(node.args.defaults)
    return [(name, place >= required) for place, name in enumerate(names)]


def compiled(function: Any) -> list[Argument]:
    """The same of a compiled function."""
    return [
        (name, argument.default is not argument.empty)
        for name, argument in inspect.signature(function).parameters.items()
    ]


def test_every_public_module_has_a_stub() -> None:
    assert {stem for stem, module in MODULES.items() if public(module)} == set(STUBS)


@pytest.mark.parametrize("stem", STUBS)
def test_a_stub_says_what_its_module_has(stem: str) -> None:
    module = MODULES[stem]
    path = CORE.joinpath(*stem.split(".")).with_suffix(".pyi")
    stubs = declared(ast.parse(path.read_text(encoding="utf-8")).body)
    assert set(stubs) == public(module)
    for name, node in stubs.items():
        if isinstance(node, ast.FunctionDef):
            assert arguments(node) == compiled(getattr(module, name)), name
        elif isinstance(node, ast.ClassDef):
            check_class(node, getattr(module, name))


def check_class(node: ast.ClassDef, real: type) -> None:
    """Hold the bases and members of a class against the compiled one."""
    bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
    assert bases == {base.__name__ for base in real.__bases__ if base is not object}
    members, own = declared(node.body), set(vars(real)) - COMMON
    if "__eq__" in own:
        own -= COMPARED
    assert set(members) - {"__init__"} == own, node.name
    for name in own:
        shown, member = vars(real)[name], members[name]
        method = isinstance(member, ast.FunctionDef) and "property" not in map(
            ast.unparse, member.decorator_list
        )
        assert callable(shown) == method, name
        if isinstance(member, ast.FunctionDef) and method and not name.startswith("__"):
            assert arguments(member) == compiled(shown), name
