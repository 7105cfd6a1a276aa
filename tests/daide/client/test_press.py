"""Press on the wire, at the levels that games are played at: what the engine's diplomat makes of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bordeaux import Position
from bordeaux.board.notation import parse_order
from bordeaux.daide import Bot
from bordeaux.daide import language as d
from bordeaux.daide.client import envoy
from bordeaux.press.diplomat.cabinet.headquarters import Briefing
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter, Talker
from bordeaux.search.agreements import Agreement
from tests.daide.client.house import STANDARD, board
from tests.daide.client.scripted import START, Result, Script, game, play
from tests.patience import PATIENCE

TRY = "TRY (PRP PCE ALY VSS DRW SLO NOT NAR YES REJ BWX CCL FCT)"
#: Asks for an answer, which comes after those to all that was said before.
LAST, REFUSED = "PRP (SLO (ITA))", "SND (SPR 1901) (ENG) (REJ (PRP (SLO (ITA))))"
AUTUMN = START.next({})
PACT = ("?SND (SPR 1901) (GER) (PRP (PCE (FRA GER)))", "FRM (GER) (FRA) (YES (PRP (PCE (FRA GER))))")
"""A proposal of ours that Germany accepts."""
#: Talks end when it has been calm, however long the first words take on a busy machine.
QUICK = {"time": None, "nodes": 100, "talk": PATIENCE}


@pytest.fixture(autouse=True)
def short_calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A twentieth of a second without a letter ends the talks."""
    monkeypatch.setattr(envoy, "MOST_CALM", envoy.LEAST_CALM)


def phase(
    options: str, *press: str, end: str = "", position: Position = START, sender: str = "ENG"
) -> Script:
    """A game of one phase in which a power says something once there are orders; it ends when the bot has
    said what begins with `end`."""
    said = [f"FRM ({sender}) (FRA) ({words})" for words in press]
    return game(position, "all", *said, *([f"?{end}"] if end else []), options=options)


def held(script: Script, **rest: object) -> Result:
    """A game that went well."""
    result = play(script, **{**QUICK, **rest})  # type: ignore[arg-type]
    assert result.error is None and result.said("SUB")
    return result


def answers(level: int, *press: str) -> list[str]:
    """What France answers to England in Spring 1901, at a level."""
    result = held(phase(f"(LVL {level})", *press, LAST, end=REFUSED), level=level)
    return [
        text.removeprefix("SND (SPR 1901) (ENG) ")[1:-1]
        for text in result.said("SND (SPR 1901) (ENG)")
        if text != REFUSED
    ]


def diplomat_of(result: Result) -> Diplomat:
    """Who talked for the bot."""
    talker = result.bot.envoy.talker
    assert isinstance(talker, Diplomat)
    return talker


@pytest.mark.parametrize(("options", "level"), [("(LVL 0)", 130), ("(LVL 10)", 0)])
def test_without_press_nothing_is_said(options: str, level: int) -> None:
    result = held(phase(options), level=level)
    assert not result.said("SND") and not result.said("DRW")
    assert result.bot.envoy.talker is None


def test_a_peace_binds_orders_once_the_other_has_agreed() -> None:
    deeds = ("ORD (SPR 1901) ((FRA AMY PAR) HLD) (SUC)", "ORD (SPR 1901) ((GER AMY MUN) MTO BUR) (SUC)")
    given: list[tuple[Agreement, ...]] = []

    class Watched(Bot):
        def briefing(self, position: Position) -> Briefing:
            briefing = super().briefing(position)
            given.append(briefing.agreements)
            return briefing

    result = held(game(START, *PACT, "all", *deeds, AUTUMN, "all", options="(LVL 10)"), kind=Watched)
    made = diplomat_of(result)
    assert made.ledger.at_peace("FRANCE", "GERMANY") and not made.ledger.at_peace("FRANCE", "ITALY")
    # The answer comes amid the talks or, on a busy machine, after them, and orders are thought about again.
    treaties = [
        [agreement.parties for agreement in agreements if agreement.kind == "peace"] for agreements in given
    ]
    assert treaties[-1] == [("FRANCE", "GERMANY")]
    assert all(treaty in ([], [("FRANCE", "GERMANY")]) for treaty in treaties)
    assert treaties == sorted(treaties), "an agreement stays"
    assert made._previous == {
        "FRANCE": [parse_order("A PAR H", STANDARD)],
        "GERMANY": [parse_order("A MUN - BUR", STANDARD)],
    }, "deeds are told to the diplomat as well"


def test_a_proposal_to_several_is_answered_to_all_of_them() -> None:
    said = "PRP (ALY (ENG FRA RUS) VSS (ITA))"

    answered = (f"FRM (ENG) (FRA RUS) ({said})", f"?SND (SPR 1901) (ENG RUS) (YES ({said}))")
    agreed = (f"FRM (RUS) (ENG FRA) (YES ({said}))", f"FRM (ENG) (FRA) ({LAST})", f"?{REFUSED}")
    ledger = diplomat_of(held(game(START, "all", *answered, *agreed, options="(LVL 10)"))).ledger
    assert ledger.at_peace("FRANCE", "ENGLAND") and ledger.at_peace("FRANCE", "RUSSIA")
    assert ledger.hostile("FRANCE", "ITALY")


@pytest.mark.parametrize(
    ("press", "reply"),
    [
        ("PRP (SLO (FRA))", "YES"),
        ("PRP (SLO (ENG))", "REJ"),
        ("PRP (ALY (ENG GER) VSS (FRA))", "REJ"),
        ("PRP (ALY (ENG FRA) VSS (ITA))", "YES"),
        ("PRP (NOT (SLO (ENG)))", "YES"),
    ],
)
def test_proposals_of_level_10_are_weighed_and_answered_in_their_own_words(press: str, reply: str) -> None:
    assert answers(10, press) == [f"{reply} ({press})"]


@pytest.mark.parametrize(
    "press", ["YES (PRP (DRW))", "REJ (PRP (DRW))", "BWX (PRP (DRW))", "CCL (PRP (DRW))", "FCT (DRW)", TRY]
)
def test_what_asks_for_no_answer_gets_none(press: str) -> None:
    assert answers(10, press) == []


def test_at_level_130_every_kind_of_press_has_an_answer() -> None:
    asked = {
        "PRP (XDO ((FRA AMY PAR) HLD))": "REJ",
        "QRY (PCE (ENG FRA))": "IDK",
        "WHT (FRA AMY PAR)": "BWX",
        "HOW (GER)": "REJ",
        "EXP (SPR 1901) (PRP (DRW))": "IDK",
        "SUG (PCE (ENG FRA))": "REJ",
        "INS (DMZ (ENG FRA) (NAO))": "YES",
        "WHY (PRP (DRW))": "BWX",
        "PRP (FOR (SPR 1901) (DRW))": "REJ",
    }
    silent = ["THK (DRW)", "POB (WHY (THK (DRW)))", "FRM (RUS) (ENG) (PRP (DRW))"]
    replies = answers(130, *asked, *silent)
    assert replies == [f"{reply} ({press})" for press, reply in asked.items()]
    for answer in replies:
        d.read(f"SND (ENG) ({answer})", side="client", level=130)


def test_what_is_above_the_level_of_the_game_is_not_said() -> None:
    """An ally gets division, demilitarised zones and deals of orders at 130, and nothing of it at 10."""

    def friendly(level: int) -> list[str]:
        script = game(START, *PACT, "all", AUTUMN, "all", options=f"(LVL {level})")
        said = held(script, level=130).said("SND")
        for message in said:
            d.read(message, side="client", level=level)
        return [message for message in said if not any(word in message for word in ("PCE", "ALY"))]

    assert friendly(10) == [] and friendly(130)


@pytest.mark.parametrize("level", [0, 10])
def test_a_draw_is_wanted_where_somebody_else_is_about_to_win(level: int) -> None:
    options = f"(LVL {level})"
    assert held(phase(options, position=lopsided("GERMANY", "FRANCE"))).said("DRW") == ["DRW"]
    assert not held(phase(options, position=lopsided("FRANCE", "GERMANY"))).said("DRW")
    assert not held(phase(options)).said("DRW")


def test_without_talks_a_draw_is_wanted_when_nothing_has_changed_for_years() -> None:
    bot = Bot("127.0.0.1:1")
    for year, wanted in ((1901, None), (1902, None), (1903, None), (1904, d.DRW())):
        frozen = Position(STANDARD, f"S{year}M", START.units, START.centres)
        assert bot.draw(frozen, "FRANCE") == wanted
    bot.close()


def test_a_draw_proposed_is_accepted_where_it_is_wanted() -> None:
    accepted, late = "SND (SPR 1908) (TUR) (YES (PRP (DRW)))", lopsided("GERMANY", "FRANCE")
    result = held(phase("(LVL 10)", "PRP (DRW)", end=accepted, position=late, sender="TUR"))
    assert accepted in result.said("SND")


def lopsided(leader: str, other: str) -> Position:
    """One has nearly won; another is at home."""
    home = ["PAR", "MAR", "BRE"]
    others = [tag for tag in STANDARD.centres if tag not in home]
    owned = {other: home, leader: others[:16], "TURKEY": others[16:18]}
    return board("S1908M", {other: "A PAR, A MAR", leader: "A BUR", "TURKEY": "A SMY"}, owned)


def test_a_talker_of_ones_own_speaks_for_the_bot() -> None:
    briefings = []

    class Stubborn(Diplomat):
        def briefing(self, position: Position) -> Briefing:
            briefings.append(super().briefing(position))
            return briefings[-1]

        def hear(self, letter: Letter) -> Iterator[Letter]:
            yield Letter(self.power, (letter.sender,), p.Decline(letter.message))

    class Mine(Bot):
        def talker(self, position: Position, power: str) -> Talker | None:
            return Stubborn(position.map, power, self.engine, level=10)

    result = held(phase("(LVL 10)", "PRP (SLO (FRA))", end="SND (SPR 1901) (ENG)"), kind=Mine)
    assert result.said("SND (SPR 1901) (ENG)") == ["SND (SPR 1901) (ENG) (BWX (PRP (SLO (FRA))))"]
    assert briefings, "the search was told what it is to keep to"
