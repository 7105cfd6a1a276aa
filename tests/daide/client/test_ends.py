"""The end of a game: solo, draw, OFF, and servers that leave some of it out."""

from __future__ import annotations

import pytest

from tests.daide.client.positions import FALL
from tests.daide.client.scripted import FM, START, Result, Talk, play

SUMMARY = "SMR (SPR 1905) (FRA ('Bordeaux') ('1') 17) (RUS ('Bear') ('2') 17) (ENG ('x') ('y') 0 1903)"


def ending_with(*messages: str, close: bytes = b"", wait: bool = True) -> Result:
    async def script(talk: Talk) -> None:
        await talk.seat()
        talk.turn(START)
        await talk.all_orders()
        talk.say(*messages)
        talk.raw(close)
        if wait:
            await talk.gone()

    return play(script)


def test_a_solo_with_its_summary() -> None:
    ending = ending_with("SLO (RUS)", SUMMARY, "OFF").ending
    assert ending is not None
    assert (ending.kind, ending.powers, ending.power, ending.phase) == (
        "solo",
        ("RUSSIA",),
        "FRANCE",
        "S1905M",
    )
    assert ending.centres == {"FRANCE": 17, "RUSSIA": 17, "ENGLAND": 0}
    assert ending.names["RUSSIA"] == "Bear 2"
    assert str(ending) == "RUSSIA wins alone in S1905M; FRANCE has 17 centres"
    assert ending.to_json()["ending"] == "solo"


def test_a_draw_is_of_all_survivors_or_of_those_named() -> None:
    ending = ending_with("DRW", SUMMARY, "OFF").ending
    assert ending is not None and ending.kind == "draw" and len(ending.powers) == 7
    named = ending_with("DRW (FRA RUS)", SUMMARY, "OFF").ending
    assert named is not None and named.powers == ("FRANCE", "RUSSIA")


def test_a_summary_alone_tells_the_result_too() -> None:
    ending = ending_with(SUMMARY, "OFF").ending
    assert ending is not None and (ending.kind, ending.powers) == ("draw", ("FRANCE", "RUSSIA"))
    ending = ending_with(SUMMARY.replace("17", "18", 1), "OFF").ending
    assert ending is not None and (ending.kind, ending.powers) == ("solo", ("FRANCE",))


def test_off_in_the_middle_is_an_end_as_well() -> None:
    ending = ending_with("OFF").ending
    assert ending is not None and ending.kind == "off" and ending.phase == "S1901M"
    assert str(ending) == "the server ended the game in S1901M; FRANCE has 3 centres"


def test_a_closed_connection_after_the_result_is_an_end() -> None:
    ending = ending_with("SLO (RUS)", close=FM, wait=False).ending
    assert ending is not None and ending.kind == "solo"


def test_without_off_we_leave_by_ourselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bordeaux.daide.client.session.LINGER", 0.1)
    monkeypatch.setattr("bordeaux.daide.client.session.LINGER_AFTER_SUMMARY", 0.05)
    assert ending_with("DRW", SUMMARY).ending is not None
    assert ending_with("DRW").ending is not None


def test_off_ends_it_with_a_last_word() -> None:
    last: list[bytes] = []

    async def script(talk: Talk) -> None:
        await talk.seat()
        talk.turn(START)
        await talk.all_orders()
        talk.say("OFF")
        last.append(await talk.gone())

    play(script)
    assert last == [FM]


def test_nothing_is_ordered_after_the_result() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat()
        talk.turn(START)
        await talk.all_orders()
        talk.say("SLO (RUS)", SUMMARY)
        talk.turn(FALL)
        talk.say("OFF")
        await talk.gone()

    assert len(play(script).said("SUB")) == 1


def test_powers_in_disorder_and_out_are_known() -> None:
    table = ending_with("CCD (GER)", "CCD (ITA)", "NOT (CCD (GER))", "OUT (TUR)", "OFF").bot.table
    assert table.disorder == {"ITALY"}
    assert table.eliminated == {"TURKEY"}


def test_administrators_may_talk() -> None:
    assert ending_with("ADM ('Server') ('lunch break')", "TME (30)", "OFF").ending is not None
