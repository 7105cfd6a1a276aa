"""Messages as JSON: there and back again, and nothing else is taken for one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bordeaux import Map
from bordeaux.board.errors import FormatError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p
from bordeaux.press.language.json_form import message_from_json, to_json
from bordeaux.press.language.letter import is_sound_message

MAP = Map.standard()
PEACE = p.Peace(("FRANCE", "ITALY"))
CONVOY = parse_order("A LON - NWY VIA", MAP)._replace(route=("NTH",))
HOLD = parse_order("F SPA/SC H", MAP)
FALL = Phase.parse("F1901M")
MESSAGES: list[p.Message] = [
    p.Propose(PEACE),
    p.Insist(p.Alliance(("FRANCE", "ITALY"), ("TURKEY",))),
    p.Propose(p.All((p.Promise("ENGLAND", CONVOY), p.Promise("FRANCE", HOLD, "ITALY")))),
    p.Suggest(p.Some((p.Solo("ITALY"), p.Draw(), p.NoDeal(PEACE)))),
    p.Propose(p.During(FALL, None, p.Demilitarised(("FRANCE", "ITALY"), ("PIE", "LYO")))),
    p.Propose(p.During(FALL, Phase.parse("S1903M"), p.Choice(1, 2, (PEACE, p.Draw(("FRANCE",)))))),
    p.Think(p.Division((p.Share("FRANCE", ("BRE", "PAR")), p.Share("", ("TUN",))))),
    p.State(p.Not(p.Ask(PEACE))),
    p.State(p.Stationing((p.Station("FRANCE", "F", "SPA/SC"), p.Station("ITALY", p.ANY_UNIT, "TYR")))),
    p.Propose(p.Favour("FRANCE", "ITALY")),
    p.Propose(p.Command("FRANCE", (p.Station("ITALY", "A", "VEN"),))),
    p.Propose(p.Pass("FRANCE", ("ITALY",), p.Ask(PEACE))),
    p.Propose(p.Forward(("FRANCE",), "ITALY", "TURKEY")),
    p.Propose(p.Copy("FRANCE", ("ITALY",), "TURKEY")),
    p.Decline(p.AskUnit(p.Station("ITALY", "A", "VEN"))),
    p.Sorry(p.Explain(FALL, p.AskAttack("TYR"))),
    p.Cancel(p.Accept(p.Propose(PEACE))),
    p.If(PEACE, p.Refuse(p.Propose(PEACE)), p.Words('quote "me"')),
    p.If(PEACE, p.Unsure(p.Ask(PEACE))),
    p.OnBoard(p.Why(p.Report("ITALY", ("TURKEY",), p.Propose(PEACE)))),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_comes_back_as_it_was(message: p.Message) -> None:
    assert message_from_json(json.loads(json.dumps(to_json(message))), MAP) == message


@pytest.mark.parametrize(
    "value",
    [
        None,
        "peace?",
        PEACE,
        p.Propose("peace"),  # type: ignore[arg-type]
        p.Propose(p.Peace(["FRANCE", "ITALY"])),  # type: ignore[arg-type]
        p.Propose(p.Peace(("FRANCE", 5))),  # type: ignore[arg-type]
        p.Accept(PEACE),  # type: ignore[arg-type]
        p.Propose(p.Promise("FRANCE", "A PAR H")),  # type: ignore[arg-type]
        p.Propose(p.Promise("FRANCE", Order("H", "A", "PAR"))),  # type: ignore[arg-type]
        p.Propose(p.Promise("FRANCE", Order(OrderKind.HOLD, "A", None))),  # type: ignore[arg-type]
        p.Propose(p.During("F1901M", None, PEACE)),  # type: ignore[arg-type]
        p.Propose(p.Division((("FRANCE", ("PAR",)),))),  # type: ignore[arg-type]
        p.Sorry(p.Words("")),  # type: ignore[arg-type]
        p.OnBoard(p.Words("")),  # type: ignore[arg-type]
        p.Propose(p.Peace(("FRANCE", "SPAIN"))),
    ],
)
def test_what_is_no_message_is_seen(value: Any) -> None:
    assert not is_sound_message(value, MAP)


@pytest.mark.slow
def test_a_message_may_be_too_deep() -> None:
    with pytest.raises(FormatError, match="too deep"):
        message_from_json(nested(100_000), MAP)


def nested(levels: int) -> object:
    data: object = to_json(p.Propose(PEACE))
    for _ in range(levels):
        data = {"Why": {"message": data}}
    return data


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        "Propose",
        {"Propose": {}},
        {"Propose": {"term": None}},
        {"Propose": {"term": {"Peace": {"powers": "FRANCE"}}}},
        {"Propose": {"term": {"Peace": {"powers": ["FRANCE"], "until": 1905}}}},
        {"Propose": {"term": {"Truce": {"powers": ["FRANCE", "ITALY"]}}}},
        {"Peace": {"powers": ["FRANCE", "ITALY"]}},
        {"Propose": {"term": {"Promise": {"power": "FRANCE", "order": "A NOWHERE H", "helped": ""}}}},
        {"Propose": {"term": {"Promise": {"power": "FRANCE", "order": {"order": 5}, "helped": ""}}}},
        {"Propose": {"term": {"During": {"first": "1905", "last": None, "term": {"Draw": {"powers": []}}}}}},
    ],
)
def test_rubbish_is_refused_in_one_line(data: object) -> None:
    with pytest.raises(FormatError) as refused:
        message_from_json(data, MAP)
    assert "\n" not in str(refused.value)
