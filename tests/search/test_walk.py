"""The walk of one position through the modules of the search: nobody calls whoever imports him."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import bordeaux
from bordeaux import Engine, Position
from bordeaux.arena import bench
from tests.architecture.house import ROOT, import_graph, module_name, sources

FALL = next(
    position
    for position, _ in bench.positions()
    if (position.phase.season, position.phase.kind) == ("F", "M") and position.phase.year > 1903
)
ROOMS = 17
"""Modules of the search that a default search enters in one process, with its packages as one each."""


def calls(run: Callable[[], object]) -> set[tuple[str, str]]:
    """The calls between modules of the package while something runs, as pairs of caller and called module;
    calls through the core count as those of the Python code behind it."""
    places = {Path(bordeaux.__file__).parent.parent / "bordeaux": ROOT / "bordeaux"}
    names = {path: module_name(path)[0] for path in sources() if path.suffix == ".py"}
    seen: set[tuple[str, str]] = set()

    def module(frame: FrameType) -> str | None:
        path = Path(frame.f_code.co_filename)
        for installed, checkout in places.items():
            if path.is_relative_to(installed):
                path = checkout / path.relative_to(installed)
        return names.get(path)

    def profile(frame: FrameType, event: str, _: Any) -> None:
        called = module(frame) if event == "call" else None
        caller = frame.f_back
        while called and caller is not None and module(caller) is None:
            caller = caller.f_back
        if called and caller is not None:
            seen.add((module(caller) or "", called))

    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
    return {(one, other) for one, other in seen if one != other}


def known_to(graph: dict[str, set[str]], module: str) -> set[str]:
    """The modules that a module imports, directly or not."""
    reached: set[str] = set()
    left = [module]
    while left:
        for name in graph.get(left.pop(), set()) - reached:
            reached.add(name)
            left.append(name)
    return reached


@pytest.fixture(scope="module", params=["spring", "fall"])
def walked(request: pytest.FixtureRequest) -> set[tuple[str, str]]:
    position = Position.start() if request.param == "spring" else FALL
    with Engine() as engine:
        # Nets and tables are read by the first search.
        engine.search(position, "FRANCE", nodes=2_500)
        return calls(lambda: engine.search(position, "FRANCE", nodes=2_500))


def test_no_module_calls_one_that_imports_it(walked: set[tuple[str, str]]) -> None:
    files = []
    for path in sources():
        name, is_package = module_name(path)
        files.append((name, path.read_text("utf-8"), is_package, path.suffix in {".pyx", ".pxd"}))
    graph = import_graph(files)
    upward = {(caller, called) for caller, called in walked if caller in known_to(graph, called)}
    assert len(walked) > 40 and upward == set()


def test_the_walk_is_short(walked: set[tuple[str, str]]) -> None:
    inside = {name for pair in walked for name in pair if name.startswith("bordeaux.search.")}
    rooms = {".".join(name.split(".")[:3]) for name in inside}
    assert len(rooms) <= ROOMS
