"""The stubs of the core: what type checkers and editors see of each module of ``_ext``, made from its source.

The build writes a ``.pyi`` beside each compiled module. Types of C become Python's, and a buffer becomes an
array of NumPy. What is an object in C has its type as an annotation in the source, and so have results; a
function without one returns nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

INTEGERS = re.compile(r"(unsigned |signed )?(long long|long|int|short|char|Py_ssize_t|size_t|u?int\d+_t)")
OTHERS = {"bint": "bool", "double": "float", "dict": "dict[Any, Any]", "list": "list[Any]"}
ELEMENTS = {"double": "float64", "float": "float32"}
ABC = {"Callable", "Collection", "Generator", "Iterable", "Iterator", "Mapping", "Sequence"}
DECLARES = re.compile(r"( {4})?(def|cdef class|cdef readonly|cdef public|@)\b|( {4})?@|[A-Z]\w*: ")
CLASS = re.compile(r"cdef class (\w+)(?:\((\w+)\))?:")
FIELD = re.compile(r"cdef (readonly|public) (.+) (\w+)")
FUNCTION = re.compile(r"def (\w+)\((.*)\)(?: -> (.+))?:")
CONSTANT = re.compile(r"([A-Z]\w*): (.+?) = .*")
LITERAL = re.compile(r'-?[\d.]+|True|False|None|b?"[^"]*"|\(\)')


def pieces(text: str, mark: str) -> list[str]:
    """The parts of a text between marks outside of all brackets."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == mark and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found if part.strip()]


def python_type(written: str) -> str:
    """The type in Python of a type in C."""
    kind, bracket, _ = written.removeprefix("const ").partition("[")
    if bracket:
        return f"NDArray[np.{ELEMENTS.get(kind, kind.removesuffix('_t'))}]"
    return "int" if INTEGERS.fullmatch(kind) else OTHERS.get(kind, kind)


def parameter(text: str) -> str:
    """A parameter of a stub. Raises ValueError for an object without a type."""
    head, *default = pieces(text, "=")
    head, *annotation = pieces(head, ":")
    kind, _, name = head.removesuffix(" not None").rpartition(" ")
    shown = annotation[0] if annotation else python_type(kind)
    if name in ("self", "*"):
        return name
    if not shown:
        raise ValueError(f"{text} has no type")
    if not default:
        return f"{name}: {shown}"
    optional = " | None" if default[0] == "None" and not annotation else ""
    return f"{name}: {shown}{optional} = {default[0] if LITERAL.fullmatch(default[0]) else '...'}"


def declarations(source: str) -> Iterator[tuple[str, str]]:
    """What a source declares, each in one line, with its indent."""
    waiting, quoted = "", False
    for line in source.splitlines():
        quotes = line.count('"""')
        if quotes and not waiting:
            quoted ^= quotes == 1
        elif not quoted and (waiting or DECLARES.match(line)):
            waiting += (
                line.partition("#")[0].rstrip() if not waiting else " " + line.partition("#")[0].strip()
            )
            if waiting.count("(") == waiting.count(")"):
                text = re.sub(r"\( +", "(", re.sub(r",? +\)", ")", waiting.strip()))
                yield waiting[: len(waiting) - len(waiting.lstrip())], text
                waiting = ""


def field(match: re.Match[str]) -> str:
    """A field of a class that Python may read, or set too."""
    kind, name = python_type(match[2].strip()), match[3]
    return (
        f"    {name}: {kind}"
        if match[1] == "public"
        else f"    @property\n    def {name}(self) -> {kind}: ..."
    )


def function(name: str, given: str, result: str | None) -> str:
    """A function of a stub. Raises ValueError as `parameter`."""
    return f"def {name}({', '.join(map(parameter, pieces(given, ',')))}) -> {result or 'None'}: ..."


def body(source: str, declared: str) -> list[str]:
    """The lines of a stub, from the ``.pyx`` and the ``.pxd`` of a module. Raises ValueError as above."""
    fields: dict[str, list[str]] = {}
    for _, text in declarations(declared):
        if match := CLASS.fullmatch(text):
            listed = fields.setdefault(match[1], [])
        elif match := FIELD.fullmatch(text):
            listed.append(field(match))
    lines: list[str] = []
    mark = made = ""
    for indent, text in declarations(source):
        if match := CLASS.fullmatch(text):
            lines += [f"class {match[1]}({match[2] or ''}):", *fields.get(match[1], ["    pass"])]
            made = ""
        elif match := FIELD.fullmatch(text):
            lines.append(field(match))
        elif text.startswith("@"):
            mark = indent + text
        elif mark.endswith(".setter"):
            lines[-2:] = [lines[-1].replace("def ", "").replace("(self) ->", ":").removesuffix(": ...")]
            mark = ""
        elif match := FUNCTION.fullmatch(text):
            name = match[1].replace("__cinit__", "__init__")
            if name == "__init__":
                # Where a class has both, the one that takes anything leaves the word to the other.
                lines = [line for line in lines if line != made]
                made = indent + function(name, match[2], None)
            if name != "__dealloc__":
                lines += [*filter(None, [mark]), indent + function(name, match[2], match[3])]
            mark = ""
        elif match := CONSTANT.fullmatch(text):
            lines.append(f"{match[1]}: {match[2]}")
    return lines


def stubs(folder: Path) -> dict[Path, str]:
    """The stubs of all modules of the core in a folder, by path below it. Raises ValueError, with the module,
    for an object without a type."""
    sources = {path: path.read_text("utf-8") for path in sorted(folder.rglob("*.pyx"))}
    homes = {
        name: ".".join(("bordeaux", "_ext", *path.relative_to(folder).with_suffix("").parts))
        for path, source in sources.items()
        for name in re.findall(r"^cdef class (\w+)", source, re.MULTILINE)
    }
    made = {}
    for path, source in sources.items():
        beside = path.with_suffix(".pxd")
        try:
            lines = body(source, beside.read_text("utf-8") if beside.exists() else "")
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        used = {*re.findall(r"\w+", "\n".join(lines))}
        own = {*re.findall(r"^cdef class (\w+)", source, re.MULTILINE)}
        head = ["from typing import Any"] if "Any" in used else []
        head += ["import numpy as np", "from numpy.typing import NDArray"] if "NDArray" in used else []
        head += [f"from collections.abc import {name}" for name in sorted(used & ABC)]
        head += [f"from {homes[name]} import {name}" for name in sorted((used & {*homes}) - own)]
        if lines:
            made[path.relative_to(folder).with_suffix(".pyi")] = "\n".join([*head, *lines, ""])
    return made
