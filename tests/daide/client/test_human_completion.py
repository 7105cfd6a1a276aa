"""What a person is offered while typing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bordeaux import Map, Position
from bordeaux.daide import language as d
from bordeaux.daide.client.human import candidates, pieces
from bordeaux.daide.client.human_input import OrderSheet
from bordeaux.rules import legal_orders
from tests.daide.client.positions import BUILDS
from tests.daide.client.scripted import START, VOCABULARY

COMMANDS = {"orders": "what you have ordered", "press": "send press", "clear": "strike out", "draw": "a draw"}


def person(position: Position | None = START, power: str = "FRANCE", level: int = 30) -> Any:
    """As much of a Human as completion looks at."""
    table = SimpleNamespace(map=START.map, power=power, level=level)
    sheet = None if position is None else OrderSheet(position, power)
    return SimpleNamespace(table=table, sheet=sheet, vocabulary=VOCABULARY)


def offered(typed: str, who: Any = None) -> list[str]:
    """The whole line after each candidate."""
    following = candidates(typed, who or person(), COMMANDS)
    return [typed[: len(typed) - candidate.replaces] + candidate.text for candidate in following]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("", ["F BRE", "A MAR", "A PAR"]),
        ("A", ["A MAR", "A PAR"]),
        ("a p", ["A PAR"]),
        ("pa", ["A PAR"]),
        ("Pari", ["A PAR"]),
        ("A PAR - ", ["A PAR - BRE", "A PAR - BUR", "A PAR - GAS", "A PAR - PIC"]),
        ("par - b", ["A PAR - BRE", "A PAR - BUR"]),
        ("A  par -  b", ["A PAR - BRE", "A PAR - BUR"]),
        ("A PAR S A MA", ["A PAR S A MAR"]),
        ("A PAR S A MAR", ["A PAR S A MAR - BUR", "A PAR S A MAR - GAS"]),
        ("A PAR - BUR", []),
        ("A PAR - X", []),
        ("xyz", []),
        ("A PAR H; A MAR - S", ["A PAR H; A MAR - SPA"]),
        ("F BRE - ", ["F BRE - ENG", "F BRE - GAS", "F BRE - MAO", "F BRE - PIC"]),
    ],
)
def test_orders_are_completed_piece_by_piece(typed: str, first: list[str]) -> None:
    assert sorted(offered(typed)) == sorted(first)


def test_after_a_unit_comes_all_that_it_can_do() -> None:
    meanings = {candidate.shown: candidate.meaning for candidate in candidates("A PAR ", person(), COMMANDS)}
    assert meanings["- BUR"] == "to Burgundy" and meanings["H"] == "hold"
    assert meanings["S A MAR"] == "support Marseilles"
    assert "D" not in meanings


def test_every_legal_order_can_be_reached_by_choosing() -> None:
    who = person()
    for orders in legal_orders(START, "FRANCE").values():
        for order in orders:
            line = ""
            while line != order:
                following = offered(f"{line} ".lstrip(), who)
                (line,) = [beginning for beginning in following if f"{order} ".startswith(f"{beginning} ")]
            assert line == order


def test_units_without_an_order_come_first() -> None:
    who = person()
    who.sheet.give("F BRE - MAO")
    assert offered("", who) == ["A MAR", "A PAR", "F BRE"]


def test_commands_and_their_arguments() -> None:
    assert offered("or") == ["orders "]
    assert offered("ORD") == ["orders "]
    assert offered("clear p") == ["clear A PAR"]
    assert offered("draw G") == ["draw GER "]
    assert offered("press ") == [f"press {tag} " for tag in ("AUS", "ENG", "GER", "ITA", "RUS", "TUR")]
    assert offered("press GER I") == ["press GER ITA "]


def test_press_is_completed_by_the_grammar_of_the_level() -> None:
    assert offered("press GER PR") == ["press GER PRP"]
    assert set(offered("press GER PRP (X")) == {"press GER PRP (XDO"}
    assert offered("press GER PRP (X", person(level=10)) == []
    assert "press GER PRP (PCE (FRA" in offered("press GER PRP (PCE (F")


def test_builds_are_offered_with_their_homes() -> None:
    assert set(offered("", person(BUILDS))) >= {"A MAR", "F MAR", "A BRE", "F BRE"}
    assert offered("A MAR ", person(BUILDS)) == ["A MAR B"]
    assert offered("wai", person(BUILDS)) == ["WAIVE"]


def test_where_there_is_nothing_to_order_there_are_commands_only() -> None:
    who = person(None)
    assert offered("", who) == [] and offered("A", who) == []
    assert offered("cl", who) == ["clear "] and offered("clear ", who) == []
    empty = SimpleNamespace(
        table=SimpleNamespace(map=None, power=None, level=0), sheet=None, vocabulary=d.Vocabulary.standard()
    )
    assert offered("press ", empty) == []


@pytest.mark.parametrize(
    ("order", "parts"),
    [
        ("A PAR - BUR", ["A PAR", "- BUR"]),
        ("A LON - NWY VIA", ["A LON", "- NWY VIA"]),
        ("F MAO - SPA/SC", ["F MAO", "- SPA/SC"]),
        ("A MAR S A PAR - BUR", ["A MAR", "S A PAR", "- BUR"]),
        ("A MAR S A PAR", ["A MAR", "S A PAR"]),
        ("F NTH C A LON - NWY", ["F NTH", "C A LON", "- NWY"]),
        ("A PAR R GAS", ["A PAR", "R GAS"]),
        ("F STP/NC B", ["F STP/NC", "B"]),
        ("A PAR D", ["A PAR", "D"]),
        ("WAIVE", ["WAIVE"]),
    ],
)
def test_pieces(order: str, parts: list[str]) -> None:
    assert pieces(order) == parts


def test_another_map() -> None:
    gulfs = Map.load("gulfs")
    start = Position.start(gulfs)
    power = gulfs.powers[0]
    who = person(start, power)
    who.table.map = gulfs
    units = {str(unit) for unit in start.units_of(power)}
    assert set(offered("", who)) == units
