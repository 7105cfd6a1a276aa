"""Messages as JSON: there and back again, and nothing else is taken for one."""

from __future__ import annotations

import json
from random import Random

import pytest

from bordeaux import Map, Position
from bordeaux.board.errors import FormatError
from bordeaux.board.notation import parse_order
from bordeaux.press.language import messages as p
from bordeaux.press.language.json_form import message_from_json, to_json
from bordeaux.press.language.letter import is_sound_message
from bordeaux.press.language.levels import FREE_TEXT

from .messages import WRONG, Talk

MAP = Map.standard()
PEACE = p.Peace(("FRANCE", "ITALY"))
CONVOY = parse_order("A LON - NWY VIA", MAP)._replace(route=("NTH",))


def test_a_message_comes_back_as_it_was() -> None:
    talk = Talk(Position.start(), Random(1))
    drawn = [talk.message(FREE_TEXT) for _ in range(500)]
    for message in (p.Propose(p.Promise("ENGLAND", CONVOY)), *drawn):
        assert message_from_json(json.loads(json.dumps(to_json(message))), MAP) == message


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_no_message_is_seen(number: int) -> None:
    assert not is_sound_message(WRONG[number], MAP)


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
