import json

import pytest

from bordeaux import Map

from .conftest import Run

POWERS = Map.standard().powers


def test_json_has_every_search_and_power(run: Run) -> None:
    result = run("graph", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    answer = json.loads(result.stdout)
    assert list(answer) == ["breadth-first", "greedy", "a-star"]
    for numbers in answer.values():
        assert list(numbers) == [*POWERS, "total"]
        assert numbers["total"] == sum(numbers[power] for power in POWERS)
    assert answer["breadth-first"]["GERMANY"] == 33


def test_people_see_the_papers_goal_and_todays(run: Run) -> None:
    text = run("graph").stdout
    assert "on the way to 16 centres" in text
    assert "on the way to 18 centres" in text
    assert "238" in text
    only = run("graph", "--goal", "18").stdout
    assert "16 centres" not in only
    assert only in text


def test_nodes_taken_are_fewer_than_nodes_queued(run: Run) -> None:
    queued = json.loads(run("graph", "--json").stdout)
    taken = json.loads(run("graph", "--count", "taken", "--json").stdout)
    assert all(taken[name][power] < queued[name][power] for name in queued for power in POWERS)


def test_a_goal_that_a_power_cannot_reach(run: Run) -> None:
    result = run("graph", "--goal", "30", "--json")
    assert result.exit_code == 1
    queued = json.loads(result.stdout)["greedy"]
    assert queued["ENGLAND"] is None
    assert queued["total"] is None
    assert queued["FRANCE"] > 30
    shown = run("graph", "--goal", "30")
    assert shown.exit_code == 1
    assert "only 27 centres" in shown.stdout


def test_another_map(run: Run) -> None:
    gulfs = Map.load("gulfs")
    answer = json.loads(run("graph", "--map", "gulfs", "--json").stdout)
    assert list(answer["greedy"]) == [*gulfs.powers, "total"]
    assert f"to {gulfs.majority} centres" in run("graph", "--map", "gulfs").stdout


@pytest.mark.parametrize("goal", ["0", "35", "many"])
def test_goals_that_are_none(run: Run, goal: str) -> None:
    result = run("graph", "--goal", goal)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1


def test_help_speaks_of_nothing_that_the_command_lacks(run: Run) -> None:
    shown = run("graph", "--help").stdout
    assert "--map" in shown
    assert "POSITION" not in shown
