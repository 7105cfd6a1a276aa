import json

import pytest

from bordeaux import Position, evaluate
from bordeaux.evaluation import prospect

from .conftest import Run


@pytest.mark.parametrize("name", ["default", "paper"])
def test_values_are_the_sums_of_their_terms(run: Run, name: str) -> None:
    result = run("evaluate", "start", "--evaluation", name, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    values = json.loads(result.stdout)
    assert tuple(values) == Position.start().map.powers
    for power, value in values.items():
        assert set(value) == {"value", "terms"}
        assert value["value"] == pytest.approx(sum(value["terms"].values()), abs=0.01)
        assert value["value"] == evaluate(Position.start(), name)[power].value


def test_the_readable_form_has_a_row_for_each_power_and_a_column_for_each_term(run: Run) -> None:
    lines = run("evaluate", "start").stdout.splitlines()
    terms = evaluate(Position.start())["FRANCE"].terms
    assert lines[2].split() == ["power", "value", *terms]
    rows = [line.split() for line in lines[4:] if line.strip()]
    assert {row[0] for row in rows} == set(Position.start().map.powers)
    assert all(len(row) == 2 + len(terms) for row in rows)
    values = [float(row[1]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert "-0.00" not in "\n".join(lines)


def test_what_may_be_expected_of_the_end_stands_beside_them(run: Run) -> None:
    values = json.loads(run("evaluate", "start", "--shares", "--json").stdout)
    known = prospect(Position.start())
    for power, value in values.items():
        assert value["expected"] == known[power]._asdict()
        assert set(value["expected"]) == {"share", "solo", "terms"}
    lines = run("evaluate", "start", "--shares").stdout.splitlines()
    [title] = [number for number, line in enumerate(lines) if line == "S1901M, expected of the end"]
    assert lines[title + 2].split() == ["power", "share", "solo", *known["FRANCE"].terms]
    rows = [line.split() for line in lines[title + 4 : title + 11]]
    assert {row[0] for row in rows} == set(known)
    shares = [float(row[1][:-1]) for row in rows]
    assert shares == sorted(shares, reverse=True) and sum(shares) == pytest.approx(100, abs=0.5)
    assert "-0.00" not in "\n".join(lines)
    for row in rows:
        assert sum(map(float, row[3:])) == pytest.approx(sum(known[row[0]].terms.values()), abs=0.07)
    other = json.loads(run("evaluate", "start", "--map", "gulfs", "--shares", "--json").stdout)
    assert sum(value["expected"]["share"] for value in other.values()) == pytest.approx(1)
