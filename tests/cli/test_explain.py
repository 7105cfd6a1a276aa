"""What `orders` tells of an answer: the others' expected orders, and with --explain the reasons."""

from __future__ import annotations

import json
import re

import pytest

from bordeaux import Position, evaluate, legal_orders
from bordeaux.arena import bench
from bordeaux.evaluation import prospect

from .conftest import Run, Save

POWERS = Position.start().map.powers


def test_the_expected_orders_of_the_others_are_told(run: Run) -> None:
    answer = run.told("orders", "start", "--power", "FRANCE", "--nodes", "3000")
    expected = answer["powers"]["FRANCE"]["expected"]
    assert set(expected) == set(POWERS) - {"FRANCE"}
    for lines in expected.values():
        assert 1 <= len(lines) <= 3
        assert all(set(line) == {"orders", "probability"} for line in lines)
        shares = [line["probability"] for line in lines]
        assert shares == sorted(shares, reverse=True)


def test_the_readable_form_shows_them_but_for_powers_that_have_a_table_of_their_own(run: Run) -> None:
    some = run("orders", "start", "--power", "FRA", "--power", "ENG", "--nodes", "3000").stdout
    assert "FRANCE expects of the others" in some
    assert re.search(r"^ power +share +orders$", some, re.MULTILINE) and "probability" not in some
    expected = some.partition("expects of the others")[2].partition("\n\n")[2]
    rows = [line.split()[0] for line in expected.splitlines() if line.split() and line.split()[0] in POWERS]
    assert rows[:5] == [power for power in POWERS if power not in ("FRANCE", "ENGLAND")]
    every = run("orders", "start", "--power", "all", "--nodes", "3000").stdout
    assert "expects of the others" not in every
    assert all(f"{power}, S1901M: " in every for power in POWERS)


def test_explain_says_what_each_order_is_for(run: Run) -> None:
    args = ("orders", "start", "--power", "TURKEY", "--nodes", "3000")
    plain = run.told(*args)["powers"]["TURKEY"]
    answer = run.told(*args, "--explain")["powers"]["TURKEY"]
    assert [key for key in answer if key not in plain] == ["effects", "goals"]
    assert answer["orders"] == plain["orders"] and answer["goals"] == {}
    assert all(list(effect) == ["orders", "lost", "doubt"] for effect in answer["effects"])
    explained = [order for effect in answer["effects"] for order in effect["orders"]]
    assert sorted(explained) == sorted(answer["orders"])
    text = run(*args, "--explain").stdout.partition("what the orders are for")[2]
    for effect in answer["effects"]:
        assert all(order in text for order in effect["orders"])
        assert f"{100 * effect['lost'] + 0.0:.1f}%" in text
    assert "-0.00" not in text and not any(line.endswith(" ") for line in text.splitlines())


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
    assert owing
    for power in owing:
        assert re.search(rf"{power}, as people would play it\s+probability +orders[\s─]+\d", output)


def test_without_people_nothing_is_said_of_them(run: Run) -> None:
    asked = ("orders", "start", "--power", "ITALY", "--nodes", "300", "--without", "people")
    (answer,) = run.told(*asked)["powers"].values()
    assert not {"people", "foreseen"} & set(answer)
    # Who asks for them gets them all the same.
    (answer,) = run.told(*asked, "--people")["powers"].values()
    assert answer["people"] and "foreseen" not in answer


@pytest.mark.parametrize("name", ["default", "paper"])
def test_values_are_the_sums_of_their_terms(run: Run, name: str) -> None:
    values = run.told("evaluate", "start", "--evaluation", name)
    assert tuple(values) == Position.start().map.powers
    for power, value in values.items():
        assert set(value) == {"value", "terms"}
        assert value["value"] == pytest.approx(sum(value["terms"].values()), abs=0.01)
        assert value["value"] == evaluate(Position.start(), name)[power].value


def test_the_readable_form_has_a_row_for_each_term_and_a_column_for_each_power(run: Run) -> None:
    lines = run("evaluate", "start").stdout.splitlines()
    values = evaluate(Position.start())
    rows = [line.split() for line in lines[4:] if line.strip()]
    assert [row[0] for row in rows] == ["value", *values["FRANCE"].terms]
    assert sorted(lines[2].split()) == sorted(Position.start().map.tags.values())
    best = [float(value) for value in rows[0][1:]]
    assert best == sorted(best, reverse=True) and best[0] == round(max(of.value for of in values.values()), 2)
    assert "-0.00" not in "\n".join(lines)


def test_what_may_be_expected_of_the_end_stands_beside_them(run: Run) -> None:
    values = run.told("evaluate", "start", "--shares")
    known = prospect(Position.start())
    for power, value in values.items():
        assert value["expected"] == known[power]._asdict()
        assert set(value["expected"]) == {"share", "solo", "terms"}
    lines = run("evaluate", "start", "--shares").stdout.splitlines()
    [title] = [number for number, line in enumerate(lines) if line == "S1901M, expected of the end"]
    rows = [line.split() for line in lines[title + 4 :] if line.strip()]
    assert [row[0] for row in rows] == ["share", "solo", *known["FRANCE"].terms]
    shares = [float(share[:-1]) for share in rows[0][1:]]
    assert shares == sorted(shares, reverse=True) and sum(shares) == pytest.approx(100, abs=0.5)
    assert "-0.00" not in "\n".join(lines)
    other = run.told("evaluate", "start", "--map", "gulfs", "--shares")
    assert sum(value["expected"]["share"] for value in other.values()) == pytest.approx(1)
