import json

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
