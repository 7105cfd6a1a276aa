import json

import pytest

from bordeaux import Position, evaluate

from .conftest import Run


@pytest.mark.parametrize("name", ["default", "paper"])
def test_values_are_the_sums_of_their_terms(run: Run, name: str) -> None:
    result = run("evaluate", "start", "--evaluation", name, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    values = json.loads(result.stdout)
    assert tuple(values) == Position.start().map.powers
    for power, each in values.items():
        assert set(each) == {"value", "terms"}
        assert each["value"] == pytest.approx(sum(each["terms"].values()), abs=0.01)
        assert each["value"] == evaluate(Position.start(), name)[power].value


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
