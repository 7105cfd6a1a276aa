"""``orders --people``, and what ``orders`` says where nobody would foresee its choice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bordeaux import Engine, Position, legal_orders
from bordeaux.arena import bench
from bordeaux.cli.report.explain import UNFORESEEN, print_unforeseen

from .conftest import Run, Save

PHASES = {position.phase.kind: position for position, _ in bench.positions()}


@pytest.mark.parametrize("kind", PHASES)
def test_people_are_listed_beside_the_lines_in_every_kind_of_phase(run: Run, save: Save, kind: str) -> None:
    position = PHASES[kind]
    path = save("position.json", position.to_json())
    asked = ("orders", path, "--power", "all", "--nodes", "700", "--people")
    result = run(*asked, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    answers = json.loads(result.stdout)["powers"]
    for power, answer in answers.items():
        legal = {text for listed in legal_orders(position, power).values() for text in map(str, listed)}
        chances = [line["probability"] for line in answer["people"]]
        assert len(chances) <= 10 and chances == sorted(chances, reverse=True) and sum(chances) < 1.0001
        assert bool(chances) == bool(position.orderable().get(power))
        for line in answer["people"]:
            assert line["orders"] and set(line["orders"]) <= legal | {"WAIVE"}
        if answer["orders"]:
            assert set(answer["foreseen"]) == set(answer["orders"])
            assert all(0 <= chance <= 1 for chance in answer["foreseen"].values())
    output = run(*asked).stdout
    owing = [power for power in answers if answers[power]["people"]]
    assert owing and all(f"{power}, as people would play it" in output for power in owing)


def test_people_remember_what_a_saved_game_tells(run: Run, save: Save) -> None:
    start, power = Position.start(), "TURKEY"
    given = {"AUSTRIA": ["A BUD - SER"], "TURKEY": ["A CON - BUL", "F ANK - BLA"], "RUSSIA": ["F SEV - BLA"]}
    position = start.next(given)
    phases = [
        {
            "name": str(position_saved.phase),
            "state": position_saved.to_json(),
            "orders": orders,
            "results": {},
        }
        for position_saved, orders in ((start, given), (position, {}))
    ]
    path = save("game.json", {"id": "told", "map": "standard", "rules": [], "phases": phases})
    asked = run("orders", path, "--power", power, "--nodes", "300", "--people", "--json")
    people = json.loads(asked.stdout)["powers"][power]["people"]
    with Engine() as engine:
        blank = engine.people(position, power)
        engine.observe(start, given)
        known = engine.people(position, power)
    assert [tuple(line["orders"]) for line in people] == [orders for orders, _ in known]
    assert known != blank


def test_without_people_nothing_is_said_of_them(run: Run) -> None:
    asked = ("orders", "start", "--power", "ITALY", "--nodes", "300", "--without", "people")
    (answer,) = json.loads(run(*asked, "--json").stdout)["powers"].values()
    assert not {"people", "foreseen"} & set(answer)
    # Who asks for them gets them all the same.
    (answer,) = json.loads(run(*asked, "--people", "--json").stdout)["powers"].values()
    assert answer["people"] and "foreseen" not in answer


def test_only_what_hardly_anybody_plays_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    print_unforeseen({"A PAR - BUR": 0.4, "A MAR - SPA": UNFORESEEN})
    assert capsys.readouterr().out == ""
    print_unforeseen({"A PAR H": 0.4, "A MAR H": 0.013, "F BRE H": 0.0004})
    output = " ".join(capsys.readouterr().out.split())
    assert "F BRE H (0.0%), A MAR H (1.3%)." in output and "A PAR" not in output


def test_people_and_watching_do_not_go_together(run: Run) -> None:
    result = run("orders", "start", "--power", "ITALY", "--watch", "--people")
    assert result.exit_code == 2 and "--watch and --people" in result.stderr


@pytest.mark.parametrize("content", ["", "{}", '{"name": "S1901M", "units": 3}', "nonsense"])
def test_rubbish_is_one_line(run: Run, tmp_path: Path, content: str) -> None:
    path = tmp_path / "rubbish.json"
    path.write_text(content, "utf-8")
    result = run("orders", str(path), "--power", "ITALY", "--people", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.strip().splitlines()) == 1
