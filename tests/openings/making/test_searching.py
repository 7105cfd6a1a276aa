"""The searches of a build, in processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.openings import position_key
from bordeaux.openings.making.build import Answer, SearchSettings, Task, answers, searched

pytestmark = pytest.mark.usefixtures("importable")
HELD = ("F BRE H", "A MAR H", "A PAR H")
SETTINGS = SearchSettings(None, 60, 0, "default")


def tasks(count: int) -> list[Task]:
    """The start position and those after one army has moved."""
    start = Position.start()
    moves = ["A PAR - BUR", "A PAR - PIC", "A PAR - GAS", "A MAR - SPA", "A MAR - PIE", "A MAR - GAS"]
    positions = [start, *(start.next({"FRANCE": [move]}) for move in moves)][:count]
    return [Task(position_key(position), position, {"FRANCE": [HELD]}) for position in positions]


def deadly(task: Task, settings: SearchSettings) -> Answer:
    """A search that is killed from outside at first, as by a machine that runs short of memory."""
    mark = Path(settings.evaluation) / task.key
    if not mark.exists():
        mark.touch()
        os._exit(9)
    return task.key, {}


@pytest.mark.slow
def test_processes_find_what_one_finds() -> None:
    given = tasks(2)
    alone = {task.key: searched(task, SETTINGS)[1] for task in given}
    # What was played is valued as well; it has no part in the answer.
    shares = {frozenset(orders): share for orders, _, share in alone[given[0].key]["FRANCE"]}
    assert shares[frozenset(HELD)] == 0 and sum(shares.values()) == pytest.approx(1, abs=0.001)
    with answers(given, SETTINGS, 2) as found:
        assert dict(found) == alone


@pytest.mark.slow
def test_what_a_dead_process_had_is_searched_again(tmp_path: Path) -> None:
    given = tasks(2)
    with answers(given, SETTINGS._replace(evaluation=str(tmp_path)), 2, deadly) as found:
        assert sorted(key for key, _ in found) == sorted(task.key for task in given)
