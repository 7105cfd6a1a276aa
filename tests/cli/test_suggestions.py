"""Orders that somebody suggests, and those of the phase before, as seeds of `orders`."""

import json
from typing import Any

import pytest

from bordeaux import BordeauxError, Engine, Position
from bordeaux.cli.orders import read_suggestions

from .conftest import Run, Save
from .test_rubbish import complaint

START = Position.start()
ORDERS = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - RUH"]}


def read(*given: str) -> list[list[str]]:
    return [[str(order) for order in orders] for orders in read_suggestions(given, START, "start")]


@pytest.mark.parametrize(
    "content", [ORDERS, {"phase": "S1901M", "powers": {p: {"orders": o} for p, o in ORDERS.items()}}]
)
def test_a_file_holds_orders_or_an_earlier_answer(save: Save, content: Any) -> None:
    assert read(save("suggested orders.json", content)) == [[*ORDERS["FRANCE"], *ORDERS["GERMANY"]]]


def test_a_file_or_a_text_may_be_plain_orders_by_power(run: Run, save: Save) -> None:
    """Wherever JSON is read, lines like ``FRANCE: A PAR - BUR`` are as well."""
    sheet = "FRANCE: A PAR - BUR\n        A MAR S A PAR - BUR\nThe army at Munich move to Ruhr."
    asked = [*ORDERS["FRANCE"], "A MUN - RUH"]
    with pytest.raises(BordeauxError, match="A MUN - RUH is illegal in S1901M: A MUN belongs to GERMANY"):
        read(sheet)
    sheet = sheet.replace("The army", "Germany:\nThe army")
    assert read(sheet, save("suggested orders.txt", sheet)) == [asked, asked]
    args = ("orders", "start", "--power", "ITALY", "--nodes", "50", "--json")
    by_text = json.loads(run(*args, "--given", "-", input=sheet).stdout)
    by_json = json.loads(run(*args, "--given", save("given.json", ORDERS)).stdout)
    assert by_text["powers"]["ITALY"]["orders"] == by_json["powers"]["ITALY"]["orders"]
    assert "--given: " in run(*args, "--given", "-", input="FRANCE: A PAR - MOS").stderr


def test_the_search_starts_from_what_is_suggested(run: Run, save: Save) -> None:
    path = save("orders.json", ORDERS)

    def nodes(*more: str) -> int:
        args = ("orders", "start", "--power", "FRANCE", "--nodes", "20000", "--json", *more)
        result = run(*args)
        assert result.exit_code == 0, result.stderr
        count: int = json.loads(result.stdout)["powers"]["FRANCE"]["nodes"]
        return count

    # A set that nobody would draw is compared too.
    assert nodes() < nodes("--suggest", "F BRE H; A MAR H; A PAR - GAS")
    assert nodes() <= nodes("--suggest", path) <= nodes("--suggest", path, "--suggest", "A PAR - PIC")


AFTER = START.next({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]})
GAME = {
    "id": "x",
    "map": "standard",
    "phases": [
        {"name": "S1901M", "state": START.to_json(), "orders": {"FRANCE": ["A PAR - BUR"]}, "results": {}},
        {"name": "F1901M", "state": AFTER.to_json(), "orders": {}, "results": {}},
    ],
}


def test_a_saved_game_tells_the_orders_of_the_phase_before(
    run: Run, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = save("game.json", GAME)
    previous = []
    whole = Engine.analyse

    def noting(self, request, stop=None):  # type: ignore[no-untyped-def]
        previous.append({power: list(map(str, orders)) for power, orders in request.previous.items()})
        return whole(self, request, stop)

    monkeypatch.setattr(Engine, "analyse", noting)
    for options in (["--power", "all"], ["--power", "FRANCE"], ["--power", "FRANCE", "--watch"]):
        assert run("orders", game, *options, "--nodes", "10").exit_code == 0
    assert previous == [{"FRANCE": ["A PAR - BUR"]}] * 3


@pytest.mark.parametrize("given", ["a\0b", "x" * 5000, "A PAR " * 2000], ids=["zero", "name", "orders"])
def test_suggestions_that_are_none(run: Run, given: str) -> None:
    line = complaint(run("orders", "start", "--power", "FRANCE", "--nodes", "10", "--suggest", given))
    assert line.startswith("--suggest: ")
