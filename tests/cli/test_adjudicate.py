import json
from typing import Any

import pytest

from bordeaux import Position, legal_orders

from ..review.games import saved
from .conftest import Run, Save, complaint

GALICIA = {"AUSTRIA": ["A VIE - GAL"], "RUSSIA": ["A WAR - GAL"]}


def test_results_and_the_next_state(run: Run, save: Save) -> None:
    answer = run.told("adjudicate", "start", "--orders", save("orders.json", GALICIA))
    assert answer["results"]["A VIE"] == answer["results"]["A WAR"] == ["bounce"]
    assert answer["results"]["A PAR"] == []
    assert answer["state"]["name"] == "F1901M"
    assert Position.from_json(answer["state"]) == Position.start().next(GALICIA)
    assert set(answer["reasons"]) == set(answer["results"])


@pytest.mark.parametrize(
    ("orders", "unit", "results", "armies", "why"),
    [
        ({"FRANCE": ["A PAR - MOS"]}, "A PAR", ["void"], ["A MAR", "A PAR"], "A PAR cannot go to MOS"),
        ({"TURKEY": ["A PAR - BUR"]}, "A PAR", [], ["A MAR", "A PAR"], "belongs to FRANCE"),
        ({"FRANCE": ["A RUH H"]}, "A RUH", ["void"], ["A MAR", "A PAR"], "no unit in RUH"),
        # The first order for a unit counts.
        ({"FRANCE": ["A PAR - BUR", "A PAR - PIC"]}, "A PAR", [], ["A BUR", "A MAR"], "has an order already"),
    ],
)
def test_an_illegal_order_is_void_and_the_answer_no(
    run: Run, save: Save, orders: dict[str, Any], unit: str, results: list[str], armies: list[str], why: str
) -> None:
    result = run("adjudicate", "start", "--orders", save("orders.json", orders), "--json")
    assert result.exit_code == 1
    assert result.stderr.startswith("bordeaux: illegal order of ")
    assert why in result.stderr
    answer = json.loads(result.stdout)
    assert answer["results"][unit] == results
    assert answer["state"]["units"]["FRANCE"] == ["F BRE", *armies]


def test_the_readable_form_gives_reasons_and_what_follows(run: Run, save: Save) -> None:
    orders = {**GALICIA, "TURKEY": ["A PAR H"]}
    text = run("adjudicate", "start", "--orders", save("orders.json", orders)).stdout
    lines = {line.split()[-1]: line for line in text.splitlines() if "GAL" in line}
    assert all("bounce" in line for line in lines.values())
    assert "belongs to FRANCE" in text
    assert "Then: F1901M" in text
    assert "3: BRE MAR PAR" in text


def test_retreats_are_adjudicated(run: Run, save: Save, start: dict[str, Any]) -> None:
    start["name"] = "F1901R"
    start["units"]["GERMANY"] = ["A BER", "F KIE", "*A MUN"]
    start["units"]["FRANCE"] = ["F BRE", "A MUN", "A PAR"]
    start["retreats"]["GERMANY"] = {"A MUN": ["BOH", "RUH"]}
    path = save("retreat.json", start)
    done = run.told("adjudicate", path, "--orders", save("r.json", {"GER": ["A MUN R RUH"]}))
    assert done["results"] == {"A MUN": []}
    assert "A RUH" in done["state"]["units"]["GERMANY"]
    not_open = run.told("adjudicate", path, "--orders", save("r.json", {"GER": ["A MUN R BUR"]}), code=1)
    assert not_open["results"] == {"A MUN": ["void", "disband"]}


SHEET = (
    "Spring 1901\nFRANCE: A PAR - BUR\n  A MAR S A PAR - BUR\nGERMANY\nThe army at Munich move to Burgundy.\n"
)


def test_orders_as_plain_text(run: Run, save: Save) -> None:
    """One power after another, as wherever JSON is read."""
    as_json = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    expected = run("adjudicate", "start", "--orders", save("orders.json", as_json), "--json").stdout
    for args in (("--orders", save("orders.txt", SHEET)), ("--orders", "-")):
        result = run("adjudicate", "start", *args, "--json", input=SHEET)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == expected
    numbered = "FRANCE\n1. A PAR - BUR\n2. A MAR S A PAR - BUR\nGERMANY\n1) A MUN - BUR\n"
    assert run("adjudicate", "start", "--orders", "-", "--json", input=numbered).stdout == expected
    wrong = complaint(run("adjudicate", "start", "--orders", save("orders.txt", SHEET + "A PARR H")))
    assert "line 6: GERMANY: order 'A PARR H': unknown province 'PARR'" in wrong


def test_an_answer_of_orders_is_adjudicated(run: Run) -> None:
    answer = run("orders", "start", "--power", "FRANCE", "--nodes", "100", "--json").stdout
    orders = json.loads(answer)["powers"]["FRANCE"]["orders"]
    again = run.told("adjudicate", "start", "--orders", "-", input=answer)
    assert again["state"] == Position.start().next({"FRANCE": orders}).to_json()


def test_rules_by_name(run: Run, save: Save, start: dict[str, Any]) -> None:
    start["units"] = {"FRANCE": ["A MAR"], "ENGLAND": ["A LON", "F NTH"], "TURKEY": ["A CLY", "A EDI"]}
    start["units"]["RUSSIA"] = ["A LVP", "A WAL", "A YOR"]
    path = save("p.json", start)

    def ask(
        *rules: str, orders: str = "A MAR - SPA VIA\nA LON - NWY\nF NTH C A LON - NWY"
    ) -> tuple[int, Any]:
        result = run("adjudicate", path, "--orders", "-", *rules, "--json", input=orders)
        return result.exit_code, json.loads(result.stdout)

    code, answer = ask()
    assert (code, answer["results"]["A MAR"], answer["results"]["A LON"]) == (1, ["void"], [])
    code, answer = ask("--rules", "land-route")
    assert (code, answer["results"]["A MAR"], answer["results"]["A LON"]) == (0, [], [])
    code, answer = ask("--rules", "daide", orders="A LON - NWY\nF NTH C A LON - NWY")
    assert (code, answer["results"]["A LON"]) == (0, [])
    orders = "A YOR - EDI\nA LVP S A YOR - EDI"
    start["units"]["AUSTRIA"] = ["F NWG"]
    path = save("p.json", start)
    assert ask(orders=orders)[1]["state"]["name"] == "F1901M"
    kept = ask("--rules", "keep-dislodged", orders="A CLY H\n" + orders)[1]["state"]
    assert (kept["name"], kept["retreats"]["TURKEY"]) == ("S1901R", {"A EDI": []})


def test_all_legal_orders_by_location(run: Run) -> None:
    result = run("legal", "start", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == legal_orders(Position.start())


def test_the_readable_form(run: Run) -> None:
    text = run("legal", "start", "--power", "FRANCE").stdout
    assert text.startswith("S1901M, FRANCE: ")
    assert "A PAR - BUR" in text
    assert "A VIE" not in text


def test_a_phase_of_a_saved_game(run: Run, save: Save) -> None:
    path = save("game.json", saved(Position.start(), {"FRANCE": ["A PAR - BUR"]}))
    assert "BUR" in run.told("legal", path)
    assert "PAR" in run.told("legal", path, "--phase", "s1901m")
