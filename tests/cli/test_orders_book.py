"""``bordeaux orders --book`` and ``bordeaux bot --no-book``."""

import json
from typing import Any

import pytest

from bordeaux import Map, Position
from bordeaux.cli.bot import TalkingBot
from bordeaux.daide.client.bot import Bot
from bordeaux.openings import Book

from .conftest import Run, Save

START = Position.start()


def answer(run: Run, *options: str) -> dict[str, Any]:
    result = run("orders", *options, "--nodes", "300", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)["powers"]


def test_every_power_plays_a_set_of_the_book(run: Run) -> None:
    root = Book.load().root
    by_power = answer(run, "start", "--power", "all", "--book")
    assert tuple(by_power) == START.map.powers
    for power, given in by_power.items():
        assert given["book"] is True and given["nodes"] == 0
        weights = {entry.orders: entry.weight for entry in root.powers[power]}
        assert weights[tuple(given["orders"])] > 0
        assert given["lines"][0]["orders"] == given["orders"]


def test_the_seed_draws_the_set(run: Run) -> None:
    asked = ("start", "--power", "AUSTRIA", "--book", "--draw", "--seed")
    sets = [tuple(answer(run, *asked, str(seed))["AUSTRIA"]["orders"]) for seed in (*range(8), 0)]
    assert len(set(sets)) > 1 and sets[0] == sets[-1]


def test_without_a_draw_the_set_that_weighs_most_is_advised(run: Run) -> None:
    for seed in (0, 1, 2):
        austria = answer(run, "start", "--power", "AUSTRIA", "--book", "--seed", str(seed))["AUSTRIA"]
        most = max(Book.load().root.powers["AUSTRIA"], key=lambda entry: entry.weight)
        assert tuple(austria["orders"]) == most.orders


@pytest.mark.parametrize("options", [(), ("--no-book",), ("--book", "--no-book")])
def test_without_the_book_orders_are_searched(run: Run, options: tuple[str, ...]) -> None:
    italy = answer(run, "start", "--power", "ITALY", *options)["ITALY"]
    assert italy["book"] is False and italy["nodes"] > 0


def test_out_of_book_and_on_another_map_orders_are_searched(run: Run, save: Save) -> None:
    late = {"name": "S1905M", "units": {"FRANCE": ["A PAR", "F NTH"]}, "centers": {"FRANCE": ["PAR", "LON"]}}
    place = save("late.json", late)
    assert answer(run, place, "--power", "FRANCE", "--book")["FRANCE"]["book"] is False
    power = Map.load("pure").powers[0]
    assert answer(run, "start", "--map", "pure", "--power", power, "--book")[power]["book"] is False


def test_words_say_that_a_set_is_from_the_book_and_explain_no_search(run: Run) -> None:
    result = run("orders", "start", "--power", "TURKEY", "--book", "--explain", "--nodes", "300")
    assert result.exit_code == 0
    assert "TURKEY, S1901M: from the book" in result.stdout
    assert "what the orders are for" not in result.stdout
    result = run("orders", "start", "--power", "TURKEY", "--book", "--watch", "--nodes", "300")
    assert result.exit_code == 0 and result.stdout.splitlines()[-1].startswith("bestorders power TURKEY")


@pytest.mark.parametrize(("options", "opened"), [((), True), (("--no-book",), False)])
def test_the_bot_plays_from_the_book_unless_told_not_to(
    run: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], opened: bool
) -> None:
    books: list[bool] = []

    class Ending:
        def __str__(self) -> str:
            return "over"

    def play(self: Bot) -> Ending:
        books.append(self.engine.search(START, "FRANCE", nodes=300).book)
        return Ending()

    monkeypatch.setattr(TalkingBot, "run", play)
    result = run("bot", "127.0.0.1:1", *options)
    assert (result.exit_code, result.stdout) == (0, "over\n"), result.stderr
    assert books == [opened]
