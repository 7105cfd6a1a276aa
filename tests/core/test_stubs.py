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


def tree(stem: str) -> ast.Module:
    return ast.parse(CORE.joinpath(*stem.split(".")).with_suffix(".pyi").read_text(encoding="utf-8"))


def stubs(stem: str) -> dict[str, ast.stmt]:
    """What a stub declares, by name."""
    stubs: dict[str, ast.stmt] = {}
    for node in tree(stem).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            stubs[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            stubs[node.target.id] = node
    return stubs


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
def test_a_stub_has_the_names_of_its_module(stem: str) -> None:
    assert set(stubs(stem)) == public(MODULES[stem])


CLASSES = [
    (stem, name) for stem in STUBS for name, node in stubs(stem).items() if isinstance(node, ast.ClassDef)
]
FUNCTIONS = [
    (stem, name) for stem in STUBS for name, node in stubs(stem).items() if isinstance(node, ast.FunctionDef)
]


def members(stem: str, name: str) -> dict[str, ast.FunctionDef]:
    node = stubs(stem)[name]
    assert isinstance(node, ast.ClassDef)
    return {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}


@pytest.mark.parametrize(("stem", "name"), CLASSES)
def test_a_stub_of_a_class_has_its_members(stem: str, name: str) -> None:
    node, real = stubs(stem)[name], getattr(MODULES[stem], name)
    assert isinstance(node, ast.ClassDef)
    written = {
        member.target.id
        for member in node.body
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name)
    }
    assert {base.id for base in node.bases if isinstance(base, ast.Name)} == {
        base.__name__ for base in real.__bases__ if base is not object
    }
    own = set(vars(real)) - COMMON
    if "__eq__" in own:
        own -= COMPARED
    assert set(members(stem, name)) - {"__init__"} | written == own
    for member in own:
        shown = vars(real)[member]
        is_method = callable(shown)
        declared = members(stem, name).get(member)
        marks = (
            {decorator.id for decorator in declared.decorator_list if isinstance(decorator, ast.Name)}
            if declared
            else set()
        )
        assert is_method == (declared is not None and "property" not in marks), member
        if declared is not None and is_method and not member.startswith("__"):
            assert arguments(declared) == compiled(shown), member


@pytest.mark.parametrize(("stem", "name"), FUNCTIONS)
def test_a_stub_of_a_function_takes_its_arguments(stem: str, name: str) -> None:
    node = stubs(stem)[name]
    assert isinstance(node, ast.FunctionDef)
    assert arguments(node) == compiled(getattr(MODULES[stem], name))
