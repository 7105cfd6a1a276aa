"""What orders make of terms: every kind, kept, broken, and still owed."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.press.diplomat.deeds import TermOutcome, follow
from bordeaux.press.diplomat.turn import ObservedTurn
from bordeaux.press.language import messages as p
from tests.search.paper.boards import board

MAP = Map.standard()
#: Paris and Picardy stand open; Munich is Germany's, and Burgundy beside it France's.
AUTUMN = board(
    "F1902M",
    {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "BER", "KIE"], "ENGLAND": ["LON", "LVP", "BEL"]},
    {
        "FRANCE": ["A BUR", "F MAO", "A GAS"],
        "GERMANY": ["A RUH", "F KIE", "A SIL"],
        "ENGLAND": ["F NTH", "A BEL", "F ENG"],
    },
)
NOW, NEXT = Phase.parse("F1902M"), Phase.parse("S1903M")
PEACE = p.Peace(("FRANCE", "GERMANY"))
CHANNEL = p.Demilitarised(("ENGLAND", "FRANCE"), ("ENG", "PIC"))


def order(text: str, position: Position = AUTUMN) -> Order:
    return parse_order(text, MAP, position)


def promise(power: str, text: str) -> p.Promise:
    return p.Promise(power, order(text))


def given(**texts: list[str]) -> dict[str, list[Order]]:
    return {power: [order(text) for text in listed] for power, listed in texts.items()}


def broken(term: p.Term, power: str, **texts: list[str]) -> list[str]:
    outcome = after(term, **texts)
    return [str(order) for order in outcome.of(power)] if outcome.kept is False else []


def after(term: p.Term, **texts: list[str]) -> TermOutcome:
    return follow(term, ObservedTurn(AUTUMN, given(**texts)))


MUNICH = promise("FRANCE", "A BUR - MUN")
PICARDY = promise("FRANCE", "A BUR - PIC")
GASCONY = promise("FRANCE", "A GAS H")
LATER = p.During(NEXT, None, MUNICH)


@pytest.mark.parametrize(
    ("term", "orders", "expected"),
    [
        (PEACE, ["A BUR - MUN"], ["A BUR - MUN"]),
        (PEACE, ["A BUR - RUH"], ["A BUR - RUH"]),
        (PEACE, ["A BUR S A BEL - RUH"], ["A BUR S A BEL - RUH"]),
        (PEACE, ["A BUR S A RUH - MUN"], []),
        (PEACE, ["A BUR - PIC"], []),
        (p.Alliance(("FRANCE", "GERMANY"), ("ENGLAND",)), ["A BUR - MUN"], ["A BUR - MUN"]),
        (p.Alliance(("FRANCE", "GERMANY"), ("ENGLAND",)), ["A BUR - BEL"], []),
        (CHANNEL, ["F MAO - ENG"], ["F MAO - ENG"]),
        (CHANNEL, ["A BUR - PIC"], ["A BUR - PIC"]),
        (CHANNEL, ["A BUR S A BEL - PIC"], ["A BUR S A BEL - PIC"]),
        (CHANNEL, ["F MAO S F ENG"], ["F MAO S F ENG"]),
        (CHANNEL, ["F MAO - IRI"], []),
        (MUNICH, ["A BUR - MUN"], []),
        (MUNICH, ["A BUR - PAR"], ["A BUR - PAR"]),
        (MUNICH, [], ["A BUR H"]),
        (promise("FRANCE", "A PAR - PIC"), [], []),
        (p.Not(MUNICH), ["A BUR - MUN"], ["A BUR - MUN"]),
        (p.Not(MUNICH), [], []),
        (p.Not(PEACE), ["A BUR - MUN"], []),
        (p.Not(PEACE), [], []),
        (p.NoDeal(PEACE), ["A BUR - MUN"], []),
        (p.All((PEACE, GASCONY)), ["A BUR - MUN", "A GAS - SPA"], ["A BUR - MUN", "A GAS - SPA"]),
        (p.Some((PICARDY, GASCONY)), ["A BUR - PIC", "A GAS - SPA"], []),
        (p.Some((PICARDY, GASCONY)), ["A BUR - PAR", "A GAS - SPA"], ["A BUR - PAR", "A GAS - SPA"]),
        (p.Choice(0, 1, (PICARDY, GASCONY)), ["A BUR - PIC"], ["A BUR - PIC", "A GAS H"]),
        (p.Choice(1, 1, (PICARDY, GASCONY)), ["A BUR - PAR"], []),
        (p.Choice(2, 2, (PICARDY, GASCONY)), ["A BUR - PAR"], ["A BUR - PAR"]),
        (p.During(NOW, None, MUNICH), ["A BUR - PAR"], ["A BUR - PAR"]),
        (p.During(NEXT, None, MUNICH), ["A BUR - PAR"], []),
        (p.During(NOW, NEXT, p.Not(MUNICH)), ["A BUR - MUN"], ["A BUR - MUN"]),
        (p.During(Phase.parse("S1901M"), NEXT, PEACE), ["A BUR - MUN"], ["A BUR - MUN"]),
        (p.Division((p.Share("GERMANY", ("MUN", "BEL")),)), ["A BUR - MUN"], []),
        (
            p.Division((p.Share("GERMANY", ("MUN", "BEL")), p.Share("FRANCE", ("PAR",)))),
            ["A BUR - BEL", "A GAS - PAR"],
            ["A BUR - BEL"],
        ),
        (p.Division((p.Share("", ("BEL",)), p.Share("FRANCE", ("PAR",)))), ["A BUR - BEL"], ["A BUR - BEL"]),
        (p.Draw(), ["A BUR - MUN"], []),
        (p.Solo("GERMANY"), ["A BUR - MUN"], []),
        (p.Favour("FRANCE", "GERMANY"), ["A BUR - MUN"], []),
        (p.Command("GERMANY", (p.Station("FRANCE", "A", "BUR"),)), ["A BUR - MUN"], []),
        (p.Stationing((p.Station("FRANCE", "A", "PAR"),)), ["A BUR - MUN"], []),
        (p.Forward(("ENGLAND",), "FRANCE", "GERMANY"), ["A BUR - MUN"], []),
        (p.Copy("FRANCE", ("ENGLAND",), "GERMANY"), ["A BUR - MUN"], []),
    ],
)
def test_orders_of_france_that_break_a_term(term: p.Term, orders: list[str], expected: list[str]) -> None:
    assert broken(term, "FRANCE", FRANCE=orders) == expected
    assert broken(term, "RUSSIA", FRANCE=orders) == []


def test_who_stands_in_a_zone_leaves_it() -> None:
    assert broken(CHANNEL, "ENGLAND", ENGLAND=["F ENG C A BEL - BRE"]) == ["F ENG C A BEL - BRE"]
    assert broken(CHANNEL, "ENGLAND") == ["F ENG H"]
    assert broken(CHANNEL, "ENGLAND", ENGLAND=["F ENG - LON"]) == []


@pytest.mark.parametrize(
    ("term", "orders", "kept", "rest"),
    [
        (PEACE, [], None, PEACE),
        (PEACE, ["A BUR - MUN"], False, PEACE),
        (MUNICH, ["A BUR - MUN"], True, None),
        (p.All((PEACE, MUNICH)), ["A BUR - PAR"], False, PEACE),
        (p.All((PEACE, CHANNEL, GASCONY)), ["A GAS H"], None, p.All((PEACE, CHANNEL))),
        (p.Some((LATER, PICARDY)), ["A BUR - PIC"], True, None),
        (p.Choice(2, 2, (LATER, PICARDY)), ["A BUR - PIC"], None, p.Choice(1, 1, (LATER,))),
        (p.During(NOW, NEXT, MUNICH), ["A BUR - MUN"], None, p.During(NOW, NEXT, MUNICH)),
        (p.Not(p.During(NOW, NEXT, MUNICH)), ["A BUR - PAR"], True, None),
        (p.During(Phase.parse("S1901M"), NOW, p.Not(MUNICH)), [], True, None),
        (p.During(Phase.parse("S1901M"), NOW, PEACE), [], True, None),
        (p.During(Phase.parse("S1901M"), Phase.parse("F1901M"), PEACE), ["A BUR - MUN"], None, None),
    ],
)
def test_what_is_left_of_a_term_after_a_turn(
    term: p.Term, orders: list[str], kept: bool | None, rest: p.Term | None
) -> None:
    outcome = after(term, FRANCE=orders, ENGLAND=["F ENG - LON"])
    assert outcome.kept is kept
    assert outcome.rest == rest
