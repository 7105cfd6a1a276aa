"""The way of one position through the package: which files a command runs, and who calls whom."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.arena import bench
from tests.test_architecture import import_graph

FALL = next(
    position
    for position, _ in bench.positions()
    if (position.phase.season, position.phase.kind) == ("F", "M") and position.phase.year > 1903
)
COMMAND = "orders {} --power FRANCE --nodes 2500 --json"
POSITIONS = {"spring": (Position.start(), 45), "fall": (FALL, 45)}
"""Of how many files of the package the command may run functions: to be lowered when they become fewer."""

# Of each call, the modules of the calling and of the called function. What the core or a library calls counts
# as called by the Python code behind it. What a module runs while it is imported does not count.
WATCH = """
import inspect, json, sys, threading
from bordeaux.__main__ import run

calls = set()

def module(code, names):
    if code.co_flags & inspect.CO_OPTIMIZED and code.co_filename.endswith(".py"):
        name = names["__name__"]
        return name if name.startswith("bordeaux.") else None

def watch(frame, event, _):
    called = module(frame.f_code, frame.f_globals) if event == "call" else None
    caller = None
    while called and not caller and (frame := frame.f_back):
        if frame.f_code.co_name == "<module>" and frame.f_globals["__name__"] != "__main__":
            return
        caller = module(frame.f_code, frame.f_globals)
    if called:
        calls.add((caller, called))

threading.setprofile(watch)
sys.setprofile(watch)
try:
    run()
finally:
    sys.setprofile(None)
    with open(sys.argv[2] + ".calls", "w") as file:
        json.dump(sorted(calls, key=str), file)
"""


def room(module: str) -> str:
    """The part of the package, or of the search, that a module belongs to."""
    names = module.split(".")
    return ".".join(names[: 3 if names[1] == "search" else 2])


def known_to(graph: dict[str, set[str]], start: str) -> set[str]:
    """The rooms that a room imports, directly or not."""
    reached: set[str] = set()
    left = [start]
    while left:
        for name in graph.get(left.pop(), set()) - reached:
            reached.add(name)
            left.append(name)
    return reached


@pytest.fixture(scope="module", params=["fall", pytest.param("spring", marks=pytest.mark.slow)])
def walked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[int, set[tuple[str | None, str]]]:
    """The bound of a position, and the calls between modules while the command runs."""
    position, most = POSITIONS[request.param]
    path = tmp_path_factory.mktemp("walk") / "position.json"
    path.write_text(json.dumps(position.to_json()), encoding="utf-8")
    command = [sys.executable, "-P", "-c", WATCH, *COMMAND.format(path).split()]
    subprocess.run(command, check=True, capture_output=True)
    listed = json.loads(Path(f"{path}.calls").read_text("utf-8"))
    return most, {(caller, called) for caller, called in listed}


def test_a_search_runs_few_files(walked: tuple[int, set[tuple[str | None, str]]]) -> None:
    most, calls = walked
    files = sorted({called for _, called in calls})
    rooms = {room: [*names] for room, names in groupby(files, key=lambda name: name.split(".")[1])}
    assert {"__main__", "cli", "engine", "search", "board"} <= set(rooms)
    told = (f"{room} ({len(names)}): " + ", ".join(names) for room, names in rooms.items())
    assert len(files) <= most, "\n".join([f"{len(files)} files", *told])


def test_no_room_calls_one_that_imports_it(walked: tuple[int, set[tuple[str | None, str]]]) -> None:
    graph: dict[str, set[str]] = {}
    for name, imported in import_graph().items():
        if "." in name:
            graph.setdefault(room(name), set()).update(room(module) for module in imported if "." in module)
    # A budget asks its owner whether to stop.
    between = {
        (room(caller), room(called))
        for caller, called in walked[1]
        if caller and room(called) != "bordeaux.cli"
    }
    assert len(between) > 40
    assert [pair for pair in between if pair[0] != pair[1] and pair[0] in known_to(graph, pair[1])] == []
