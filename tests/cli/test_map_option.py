"""--map NAME|FILE: positions on other boards than the standard one."""

import json
from typing import Any

import pytest

from bordeaux import Map, Position

from .conftest import Run, Save

OWN = 'name = "own"\nbase = "gulfs"\n[powers.SUDAR]\n[powers.ESTRIA]\n'


@pytest.mark.parametrize("name", ["gulfs", "capitals", "pure"])
def test_start_is_that_of_the_map(run: Run, save: Save, name: str) -> None:
    powers = set(Map.load(name).powers)
    orders = json.loads(
        run("orders", "start", "--map", name, "--power", "all", "--nodes", "50", "--json").stdout
    )
    assert set(orders["powers"]) == powers
    assert set(json.loads(run("evaluate", "start", "--map", name, "--json").stdout)) == powers
    legal = json.loads(run("legal", "start", "--map", name, "--json").stdout)
    assert set(legal) == {unit.location for unit in Position.start(Map.load(name)).units}
    path = save("orders.json", {power: answer["orders"] for power, answer in orders["powers"].items()})
    result = run("adjudicate", "start", "--map", name, "--orders", path, "--json")
    assert result.exit_code == 0
    # The position that comes out names its map, and so needs no option to be read again.
    assert run("legal", save("next.json", json.loads(result.stdout)["state"])).exit_code == 0


def test_a_map_file_of_ones_own(run: Run, save: Save) -> None:
    path = save("own.toml", OWN)
    result = run("adjudicate", "start", "--map", path, "--orders", save("orders.json", {}), "--json")
    state: dict[str, Any] = json.loads(result.stdout)["state"]
    assert (state["map"], list(state["units"])) == ("own", ["SUDAR", "ESTRIA"])
    for name, content in (("state.json", state), ("state.txt", str(Position.start(Map.load(path))))):
        position = save(name, content)
        assert run("legal", position, "--map", path).exit_code == 0
        failed = run("legal", position)
        assert failed.exit_code == 2
        assert "unknown map 'own'" in failed.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("powers = 3", "own.toml, line 1: table 'powers'"),
        (OWN + '[provinces.DES]\narmy = ""', "own.toml, line 6: "),
        ("MDF (AUS)", "own.toml: MDF: expected"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_bad_map_is_one_line(run: Run, save: Save, content: str | bytes, says: str) -> None:
    for command in (("legal", "start"), ("evaluate", "start"), ("orders", "start", "--power", "all")):
        result = run(*command, "--map", save("own.toml", content))
        assert result.exit_code == 2
        assert result.stderr.startswith("bordeaux: ")
        assert result.stderr.count("\n") == 1
        assert says in result.stderr or "gulfs.toml" in result.stderr


def test_an_unknown_map_gets_a_suggestion(run: Run) -> None:
    result = run("legal", "start", "--map", "gulf")
    assert result.exit_code == 2
    assert "did you mean 'gulfs'" in result.stderr
