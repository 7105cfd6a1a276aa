"""Press in DAIDE's words and back: whatever the grammar says comes back to the letter."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, get_args

import pytest

from bordeaux import Map, Order, Phase
from bordeaux.board.errors import FormatError
from bordeaux.board.notation import parse_order
from bordeaux.daide import language as d
from bordeaux.daide.press import add_messages, in_english, message_of, press_of
from bordeaux.daide.repeats import MINUTE, MOST, Repeats
from bordeaux.formats.daide import map_from_mdf, map_to_mdf
from bordeaux.press.language import messages as p
from bordeaux.press.language.levels import level_of
from tests.daide.language.sentences import OnMap, Sentences

MAP = Map.standard()
LEVELS = d.LEVELS[1:]


def heard(level: int, map: Map, seed: str, times: int = 60) -> Iterator[d.Press]:
    vocabulary = d.Vocabulary.for_map(map)
    sentences = OnMap(level, Random(seed), map)
    for _ in range(times):
        yield d.read_part("press", sentences.say("press"), level=level, vocabulary=vocabulary)


@pytest.mark.parametrize("level", LEVELS)
def test_press_of_every_level_comes_back_to_the_letter(level: int) -> None:
    kinds = set()
    for press in heard(level, MAP, f"press {level}"):
        message = message_of(press, MAP)
        assert press_of(message, MAP) == press
        assert message_of(press_of(message, MAP), MAP) == message
        assert hash(message) is not None
        kinds.add(type(message))
    assert len(kinds) >= 5


@pytest.mark.parametrize("name", ["pure", "capitals", "gulfs", "foreign"])
def test_press_comes_back_on_any_map(name: str) -> None:
    # The foreign one is the standard map as a server with other names tells it: powers go by their tokens.
    map = map_from_mdf(map_to_mdf(MAP), name) if name == "foreign" else Map.load(name)
    for level in (20, 130):
        for press in heard(level, map, name):
            assert press_of(message_of(press, map), map) == press


def test_every_kind_of_term_and_message_is_said() -> None:
    seen: set[type] = set()

    def look(said: object) -> None:
        if type(said).__module__ == p.__name__:
            seen.add(type(said))
            for field in type(said).__match_args__:  # type: ignore[attr-defined]
                look(getattr(said, field))
        elif isinstance(said, tuple) and not isinstance(said, Order):
            for inner in said:
                look(inner)

    named = {*get_args(p.Term), *get_args(p.Message), p.Share, p.Station}
    for press in heard(d.HIGHEST, MAP, "every kind", 1500):
        look(message_of(press, MAP))
        if named <= seen:
            return
    raise AssertionError(named - seen)


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_of_a_message_is_that_of_its_words(level: int) -> None:
    for press in heard(level, MAP, f"level {level}", 60):
        least = level_of(message_of(press, MAP))
        assert least <= level
        sent = d.tokens(d.SND(None, ("FRA",), press))
        d.read(sent, level=least)
        with pytest.raises(d.LanguageError, match="above the level"):
            d.read(sent, level=d.LEVELS[d.LEVELS.index(least) - 1])


def test_whatever_else_the_grammar_says_is_refused_in_one_line() -> None:
    refused = 0
    for seed in range(1000):
        press = d.read_part("press", Sentences(d.HIGHEST, Random(seed)).say("press"))
        try:
            assert press_of(message_of(press, MAP), MAP) == press
        except FormatError as error:
            assert "\n" not in str(error) and len(str(error)) < 500
            refused += 1
    assert 0 < refused < 1000


def promise(power: str, text: str, *route: str, **more: Any) -> p.Message:
    """A proposal of an order."""
    return p.Propose(p.Promise(power, parse_order(text, MAP)._replace(route=route), **more))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PRP (PCE (ENG FRA))", p.Propose(p.Peace(("ENGLAND", "FRANCE")))),
        ("PRP (DMZ (ENG FRA) (ECH))", p.Propose(p.Demilitarised(("ENGLAND", "FRANCE"), ("ENG",)))),
        ("HOW (ENG)", p.AskAttack("ENGLAND")),
        ("HOW (ECH)", p.AskAttack("ENG")),
        ("FCT (NOT (QRY (DRW)))", p.State(p.Not(p.Ask(p.Draw())))),
        (
            "PRP (XDO ((RUS FLT SEV) SUP (TUR AMY BUL) MTO RUM))",
            promise("RUSSIA", "F SEV S A BUL - RUM", helped="TURKEY"),
        ),
        ("PRP (XDO ((ENG AMY LON) CTO NWY VIA (NTH)))", promise("ENGLAND", "A LON - NWY VIA")),
        (
            "PRP (XDO ((ENG AMY YOR) CTO NWY VIA (NTH NWG)))",
            promise("ENGLAND", "A YOR - NWY VIA", "NTH", "NWG"),
        ),
        ("PRP (XDO ((FRA AMY PAR) DSB))", promise("FRANCE", "A PAR D")),
        ("PRP (XDO ((FRA AMY PAR) REM))", promise("FRANCE", "A PAR D", removal=True)),
        (
            "PRP (FOR ((SPR 1901) (WIN 1902)) (SCD (TUR BUL) (UNO GRE)))",
            p.Propose(
                p.During(
                    Phase.parse("S1901M"),
                    Phase.parse("W1902A"),
                    p.Division((p.Share("TURKEY", ("BUL",)), p.Share("", ("GRE",)))),
                )
            ),
        ),
        (
            "SUG (OCC (FRA UNT SPA) (FRA FLT (SPA SCS)))",
            p.Suggest(
                p.Stationing((p.Station("FRANCE", p.ANY_UNIT, "SPA"), p.Station("FRANCE", "F", "SPA/SC")))
            ),
        ),
        ("'Hi there'", p.Words("Hi there")),
    ],
)
def test_what_press_says(text: str, message: p.Message) -> None:
    press = d.read_part("press", text)
    assert message_of(press, MAP) == message
    assert d.text(press_of(message, MAP)) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("HUH (ERR PRP)", "says nothing"),
        ("TRY (PRP)", "says nothing"),
        ("YES (TRY (PRP))", "says nothing"),
        ("PRP (XDO ((ENG AMY NTH) HLD))", "no place 'NTH' for units of kind A"),
        ("PRP (XDO ((FRA FLT BRE) MTO SPA))", "no place 'SPA' for units of kind F"),
        ("WHT (FRA FLT PAR)", "no place 'PAR'"),
        ("EXP (SPR -3) (PRP (DRW))", "unknown turn"),
    ],
)
def test_what_is_no_message(text: str, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        message_of(d.read_part("press", text), MAP)


def test_names_of_another_map_are_refused() -> None:
    with pytest.raises(FormatError, match="unknown province 'NTH'"):
        message_of(d.PRP(d.DMZ(("ENG",), ("NTH",))), Map.load("pure"))
    with pytest.raises(FormatError, match="unknown power 'XXX'"):
        message_of(d.PRP(d.SLO("XXX")), MAP)
    with pytest.raises(FormatError, match="does not say where to"):
        message_of(d.PRP(d.XDO(d.VIA(d.Unit("ENG", "AMY", d.Place("LON"))))), MAP)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (p.Propose(p.Peace(("FRANCE",))), "DAIDE cannot say 'PRP"),
        (p.Propose(p.Peace(("FRANCE", "NARNIA"))), "no 'NARNIA' on the map"),
        (p.Words(""), "DAIDE cannot say"),
        (p.Words("half \ud800"), "half a character"),
        (p.Peace(("FRANCE", "ENGLAND")), "DAIDE cannot say"),
        (p.Propose(p.Choice(1, 9000, (p.Draw(),))), "DAIDE"),
        (p.Propose(p.During(Phase.COMPLETED, None, p.Draw())), "no turn"),
        (promise("FRANCE", "A PAR S A BUR"), "needs the power whose unit is helped"),
        (promise("FRANCE", "A PAR - MUN VIA"), "no seas lead there"),
        ("what?", "nothing that powers say"),
    ],
)
def test_what_cannot_be_said(message: p.Message, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        press_of(message, MAP)


@pytest.mark.parametrize(
    ("press", "said"),
    [
        ("PRP (PCE (ENG FRA))", "France proposes peace between England and France."),
        (
            "PRP (XDO ((FRA AMY PAR) MTO BUR))",
            "France proposes that France's army in Paris moves to Burgundy.",
        ),
        ("'hello'", "France says: “hello”."),
        ("HUH (PRP (ERR DRW))", "France does not understand the proposal of a draw."),
        ("HUH (PRP ERR ZZZ)", "France does not understand PRP ZZZ."),
        ("TRY ()", "France can talk about nothing."),
        ("TRY (PRP PCE DRW YES)", "France can talk about peace and draws."),
    ],
)
def test_press_is_told_in_english(press: str, said: str) -> None:
    for sender in ("FRA", "FRANCE"):
        assert in_english(sender, d.read_part("press", press), MAP) == said


def test_what_is_not_on_the_map_is_told_in_the_words_of_daide() -> None:
    gulfs = Map.load("gulfs")
    press = d.read_part("press", "PRP (PCE (ENG FRA))")
    assert in_english("EST", press, gulfs) == "Estria says: PRP (PCE (ENG FRA))"


def test_messages_stand_with_their_phases() -> None:
    game = {"phases": [{"name": "S1901M"}, {"name": "F1901M"}]}
    letter = {"turn": "FAL 1901", "from": "ENG", "to": ["FRA", "GER"], "press": "", "english": "A draw."}
    add_messages(game, [letter, {**letter, "turn": "WIN 1901"}, {**letter, "turn": ""}], MAP)
    assert game["phases"][0] == {"name": "S1901M"}
    first = {"sender": "ENGLAND", "phase": "F1901M", "message": "A draw."}
    assert game["phases"][1]["messages"] == [
        {**first, "recipient": "FRANCE", "time_sent": 1},
        {**first, "recipient": "GERMANY", "time_sent": 2},
    ]


# Events without end: the first are told, the rest is counted.


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_first_of_a_minute_are_told_and_the_others_counted() -> None:
    told: list[str] = []
    clock = Clock()
    repeats = Repeats(told.append, clock)
    for number in range(3000):
        repeats.line("storms", f"storm {number}")
    repeats.line("calms", "one calm")
    assert told == [*(f"storm {number}" for number in range(MOST)), "one calm"], "each kind for itself"
    repeats.look()
    assert len(told) == MOST + 1
    clock.now = MINUTE
    repeats.look()
    assert told.pop() == f"not told in the last minute: {3000 - MOST:,} storms"
    repeats.line("storms", "again")
    assert told.pop() == "again"


def test_the_last_numbers_are_told_at_the_end_and_nothing_of_nothing() -> None:
    told: list[str] = []
    repeats = Repeats(told.append, Clock())
    repeats.look(last=True)
    assert told == []
    for _ in range(MOST + 2):
        repeats.line("storms", "storm")
    del told[:]
    repeats.look(last=True)
    repeats.look(last=True)
    assert told == ["not told in the last minute: 2 storms"]
