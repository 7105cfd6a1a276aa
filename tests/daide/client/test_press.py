"""Press on the wire, at the levels that games are played at."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bordeaux.daide import Bot, Negotiator
from bordeaux.daide import language as d
from tests.daide.client.positions import BUILDS, FALL
from tests.daide.client.scripted import START, Position, Result, Script, Talk, play

TRY = "TRY (PRP PCE ALY VSS DRW SLO NOT NAR YES REJ BWX CCL FCT)"


def talk_of(options: str, *press: str, replies: int, position: Position = START) -> Script:
    """A game of one phase in which ENG says something; so many replies are waited for."""

    async def script(talk: Talk) -> None:
        await talk.seat("FRA", options)
        talk.turn(position)
        await talk.all_orders()
        begun = len(talk.log)
        for each in press:
            talk.say(f"FRM (ENG) (FRA) ({each})")
        for _ in range(replies):
            await talk.until("SND")
        # Anything else would come before the answer to this.
        talk.say("SVE ('x')")
        await talk.until("YES (SVE")
        heard.extend(
            each.text for each in talk.log[begun:] if each.who == "C" and each.text.startswith("SND")
        )
        talk.end()
        await talk.gone()

    heard.clear()
    return script


heard: list[str] = []


def replies(options: str, *press: str, count: int, kind: type[Bot] = Bot, **rest: object) -> list[str]:
    result = play(talk_of(options, *press, replies=count), kind=kind, **rest)
    assert result.error is None
    return list(heard)


def proposals(result: Result) -> list[str]:
    return [text for text in result.said("SND") if ") (PRP" in text]


def test_without_press_nothing_is_said() -> None:
    result = play(talk_of("(LVL 0)", replies=0))
    assert not result.said("SND")


def test_peace_is_offered_to_neighbours_and_accepted() -> None:
    result = play(talk_of("(LVL 10)", "PRP (PCE (ENG FRA))", "PRP (PCE (ENG FRA RUS))", replies=2))
    assert proposals(result) == [
        f"SND (SPR 1901) ({power}) (PRP (PCE (FRA {power})))" for power in ("ENG", "GER", "ITA")
    ]
    assert heard == [
        "SND (SPR 1901) (ENG) (YES (PRP (PCE (ENG FRA))))",
        "SND (SPR 1901) (ENG) (YES (PRP (PCE (ENG FRA RUS))))",
    ]


def test_a_proposal_to_several_is_answered_to_all_of_them() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat("FRA", "(LVL 10)")
        talk.turn(START)
        await talk.all_orders()
        talk.say("FRM (ENG) (FRA RUS) (PRP (ALY (ENG FRA RUS) VSS (GER)))")
        assert await talk.until("SND") == "SND (SPR 1901) (ENG RUS) (YES (PRP (ALY (ENG FRA RUS) VSS (GER))))"
        talk.say("FRM (RUS) (ENG FRA) (YES (PRP (ALY (ENG FRA RUS) VSS (GER))))", "SVE ('x')")
        await talk.until("YES (SVE")
        talk.end()
        await talk.gone()

    result = play(script)
    assert result.error is None
    assert result.bot.negotiator.friends == {"ENGLAND", "RUSSIA"}
    assert result.bot.negotiator.foes == {"GERMANY"}


class Breaker(Bot):
    """One that ends a peace in every phase, and offers a draw."""

    def propose(self) -> Iterable[d.SND]:
        yield d.SND(None, ("ENG",), d.FCT(d.NOT(d.PCE(("FRA", "ENG")))))
        yield d.SND(None, ("ENG", "GER"), d.PRP(d.DRW()))


def test_albert_answers_huh_and_an_empty_list_and_is_spoken_to_within_what_it_says_itself() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat("FRA", "(LVL 10)")
        talk.turn(START)
        talk.say("FRM (ENG) (FRA) (PRP (PCE (ENG FRA)))")
        await talk.until("SND (SPR 1901) (ENG) (FCT (NOT (PCE (FRA ENG))))")
        talk.say("FRM (ENG) (FRA) (HUH (FCT (ERR NOT (PCE (FRA ENG)))))", "FRM (ENG) (FRA) (TRY ())")
        await talk.all_orders()
        talk.turn(FALL)
        await talk.all_orders()
        talk.say("FRM (ENG) (FRA) (PRP (PCE (ENG FRA)))")
        await talk.until("SND (FAL 1901) (ENG) (REJ (PRP (PCE (ENG FRA))))")
        talk.end()
        await talk.gone()

    result = play(script, kind=Breaker)
    assert result.error is None and result.ending is not None
    assert len(result.said("SND (SPR 1901) (ENG) (FCT")) == 1
    assert not result.said("SND (FAL 1901) (ENG) (FCT"), "said once, and not again"
    assert not result.said("SND (FAL 1901) (ENG GER)"), "a proposal that one of them cannot understand"


@pytest.mark.parametrize(
    ("press", "reply"),
    [
        ("PRP (SLO (FRA))", "YES (PRP (SLO (FRA)))"),
        ("PRP (SLO (ENG))", "REJ (PRP (SLO (ENG)))"),
        ("PRP (DRW)", "REJ (PRP (DRW))"),
        ("PRP (ALY (ENG GER) VSS (FRA))", "REJ (PRP (ALY (ENG GER) VSS (FRA)))"),
        ("PRP (PCE (ENG GER))", "REJ (PRP (PCE (ENG GER)))"),
        ("PRP (NAR (PCE (ENG FRA)))", "YES (PRP (NAR (PCE (ENG FRA))))"),
        ("PRP (NOT (SLO (ENG)))", "YES (PRP (NOT (SLO (ENG))))"),
    ],
)
def test_proposals_of_level_10_are_weighed(press: str, reply: str) -> None:
    assert replies("(LVL 10)", press, count=1) == [f"SND (SPR 1901) (ENG) ({reply})"]


@pytest.mark.parametrize(
    "press", ["YES (PRP (DRW))", "REJ (PRP (DRW))", "BWX (PRP (DRW))", "CCL (PRP (DRW))", "FCT (DRW)", TRY]
)
def test_what_asks_for_no_answer_gets_none(press: str) -> None:
    assert replies("(LVL 10)", press, count=0) == []


def test_press_above_what_we_speak_is_answered_huh_and_try() -> None:
    answers = replies("(LVL 20)", "PRP (XDO ((ENG FLT LON) MTO NTH))", count=2)
    assert answers == [
        "SND (SPR 1901) (ENG) (HUH (PRP (ERR XDO ((ENG FLT LON) MTO NTH))))",
        f"SND (SPR 1901) (ENG) ({TRY})",
    ]


@pytest.mark.parametrize(
    ("press", "at"),
    [
        ("INS (DRW)", "ERR INS (DRW)"),
        ("'Hello'", "ERR 'Hello'"),
        ("FRM (RUS) (ENG) (PRP (DRW))", "ERR FRM (RUS) (ENG) (PRP (DRW))"),
        ("PRP (AND (DRW) (SLO (FRA)))", "PRP (ERR AND (DRW) (SLO (FRA)))"),
        ("WHY (PRP (DRW))", "ERR WHY (PRP (DRW))"),
    ],
)
def test_the_error_stands_before_what_is_not_understood(press: str, at: str) -> None:
    first, second = replies("(LVL 8000)", press, count=2)
    assert first == f"SND (SPR 1901) (ENG) (HUH ({at}))"
    assert second == f"SND (SPR 1901) (ENG) ({TRY})"


def test_press_that_is_no_press_is_answered_to_its_sender_alone() -> None:
    first, second = replies("(LVL 10)", "PRP (PCE (ENG))", count=2)
    assert first == "SND (SPR 1901) (ENG) (HUH (PRP (PCE (ENG ERR))))"
    assert second == f"SND (SPR 1901) (ENG) ({TRY})"


def test_huh_is_never_answered_with_huh() -> None:
    assert replies("(LVL 10)", "HUH (PRP (ERR XDO ((ENG FLT LON) HLD)))", "HUH (ERR)", count=0) == []


def test_a_bot_without_press_lists_nothing() -> None:
    first, second = replies("(LVL 10)", "PRP (DRW)", count=2, level=0)
    assert first == "SND (SPR 1901) (ENG) (HUH (ERR PRP (DRW)))"
    assert second == "SND (SPR 1901) (ENG) (TRY ())"


def test_at_level_130_every_kind_of_press_has_an_answer() -> None:
    answers = replies(
        "(LVL 130)",
        "PRP (XDO ((FRA AMY PAR) HLD))",
        "QRY (PCE (ENG FRA))",
        "WHT (FRA AMY PAR)",
        "HOW (GER)",
        "EXP (SPR 1901) (PRP (DRW))",
        "SUG (PCE (ENG FRA))",
        "INS (DMZ (ENG FRA) (ECH))",
        "IFF (DRW) THN (PRP (DRW))",
        "WHY (PRP (DRW))",
        "THK (DRW)",
        "POB (WHY (THK (DRW)))",
        "PRP (FOR (SPR 1901) (DRW))",
        "FRM (RUS) (ENG) (PRP (DRW))",
        count=10,
        level=130,
    )
    assert [answer.removeprefix("SND (SPR 1901) (ENG) ") for answer in answers] == [
        "(REJ (PRP (XDO ((FRA AMY PAR) HLD))))",
        "(IDK (QRY (PCE (ENG FRA))))",
        "(IDK (WHT (FRA AMY PAR)))",
        "(IDK (HOW (GER)))",
        "(IDK (EXP (SPR 1901) (PRP (DRW))))",
        "(YES (SUG (PCE (ENG FRA))))",
        "(REJ (INS (DMZ (ENG FRA) (ECH))))",
        "(REJ (IFF (DRW) THN (PRP (DRW))))",
        "(BWX (WHY (PRP (DRW))))",
        "(REJ (PRP (FOR (SPR 1901) (DRW))))",
    ]
    for answer in answers:
        d.check(answer, side="client", level=130)


def test_press_is_not_sent_where_the_options_forbid_it() -> None:
    result = play(talk_of("(LVL 10) (NPB)", "PRP (PCE (ENG FRA))", replies=0, position=BUILDS))
    assert result.error is None and not result.said("SND")


def test_a_negotiator_of_ones_own_speaks_for_the_bot() -> None:
    class Chatterbox(Negotiator):
        understood = ("PRP", "PCE")

        def propose(self) -> Iterable[d.SND]:
            return [d.SND(None, ("TUR",), d.Text("hello"))]

        def answer(self, message: d.FRM) -> Iterable[d.SND]:
            return [d.SND(None, (message.sender,), d.BWX(message.press))]

    class Mine(Bot):
        negotiator_class = Chatterbox

    result = play(talk_of("(LVL 8000)", "PRP (PCE (ENG FRA))", "FCT (DRW)", replies=3), kind=Mine)
    assert result.said("SND") == [
        "SND (SPR 1901) (TUR) ('hello')",
        "SND (SPR 1901) (ENG) (BWX (PRP (PCE (ENG FRA))))",
        "SND (SPR 1901) (ENG) (HUH (ERR FCT (DRW)))",
        "SND (SPR 1901) (ENG) (TRY (PRP PCE))",
    ]


def test_a_failing_negotiator_costs_no_orders() -> None:
    class Broken(Bot):
        def propose(self) -> Iterable[d.SND]:
            raise RuntimeError("speechless")

        def answer(self, message: d.FRM) -> Iterable[d.SND]:
            raise RuntimeError("speechless")

    result = play(talk_of("(LVL 10)", "PRP (DRW)", replies=0), kind=Broken)
    assert result.error is None and result.said("SUB") and not result.said("SND")
