"""Joining a game: names, maps, known and unknown, and being sent away."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from bordeaux import Map, Position
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client import session, table
from tests.daide.client import scripted
from tests.daide.client.scripted import NAMED, STANDARD, START, Script, Talk, game, play, steps


def test_the_standard_map_is_known_by_what_it_is_whatever_its_name() -> None:
    whole = translate.mdf_of(STANDARD)
    turned = d.MDF(whole.powers, whole.centres[::-1], whole.others[::-1], whole.adjacencies[::-1])
    named = ("introduce", "?NME", "YES ({})", "MAP ('europe_1901')", "?MDF", turned)
    script = steps(*named, "?YES (MAP ('europe_1901'))", "HLO (TUR) (5) ((LVL 0))", START, "orders")
    result = play(script, name="Mirko", version="3b")
    assert result.said()[0] == "NME ('Mirko') ('3b')"
    assert result.bot.table.map is STANDARD
    assert result.bot.table.power == "TURKEY"


def test_a_map_never_seen_before_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty provinces and three powers, with a table of tokens of their own."""
    gulfs = Map.load("gulfs")
    start, whole = Position.start(gulfs), translate.mdf_of(gulfs)
    vocabulary = d.Vocabulary.for_map(gulfs)
    power = whole.powers[0]
    monkeypatch.setattr(scripted, "VOCABULARY", vocabulary)
    monkeypatch.setattr(table, "known_maps", tuple)

    async def script(talk: Talk) -> None:
        await talk.introduce(bytes([1, 0, *len(vocabulary.rm()).to_bytes(2)]) + vocabulary.rm())
        talk.say(f"YES ({await talk.until('NME')})", "MAP ('gulfs')")
        await talk.until("MDF")
        talk.say(whole)
        await talk.until("YES (MAP")
        talk.say(f"HLO ({power}) (5) ((LVL 0))")
        talk.turn(start)
        message = d.read(await talk.until("SUB"), vocabulary=vocabulary)
        assert isinstance(message, d.SUB)
        talk.say(*(d.THX(order, "MBV") for order in message.orders), "OFF")
        await talk.gone()

    result = play(script)
    assert result.error is None and result.ending is not None
    map = result.bot.table.map
    assert map is not None and map is not gulfs and len(map.centres) == len(gulfs.centres)
    message = d.read(result.said("SUB")[0], vocabulary=vocabulary)
    assert isinstance(message, d.SUB) and len(message.orders) == len(start.units_of(start.map.power(power)))


def odd(map: str) -> Script:
    """A server of a map of its own."""
    return steps("introduce", "?NME", "YES ({})", "MAP ('odd')", "?MDF", map, end="wait")


def test_a_map_that_contradicts_itself_is_rejected() -> None:
    result = play(odd("MDF (FRA) (((FRA PAR)) ()) ((PAR (AMY BUR)))"))
    assert "has a map that cannot be played" in str(result.error)
    assert result.said()[-1] == "REJ (MAP ('odd'))"


def test_a_full_game_is_refused_in_one_line() -> None:
    async def script(talk: Talk) -> None:
        await talk.introduce()
        talk.say(f"REJ ({await talk.until('NME')})")
        assert await talk.gone() == scripted.FM

    assert "takes no more players" in str(play(script).error)


def test_a_game_may_take_as_long_as_it_likes_to_begin() -> None:
    # A loaded server: more than what means silence in a game.
    slow = ("introduce", "?NME", 0.8, *NAMED[2:], 0.8, "HLO (FRA) (77) ((LVL 0))")
    result = play(steps(*slow, START, "all"), patience=0.6)
    assert result.ending is not None and result.ending.kind == "solo"


def test_options_are_known_to_the_table() -> None:
    options = "(LVL 20) (MTL 30) (RTL 10) (BTL 5) (DSD) (AOA) (PDA) (NPR) (NPB) (PTL 3)"
    told = play(game((START, 30), "orders", options=options), talk=0.1).bot.table
    assert told.passcode == 77 and told.level == 20
    assert {"DSD", "AOA", "PDA", "NPR", "NPB"} <= set(told.options)
    assert [told.limit(START.phase._replace(kind=kind)) for kind in "MRA"] == [30, 10, 5]


def test_a_power_is_taken_over_saved_and_loaded() -> None:
    """With --power and --passcode there is no NME; SVE and LOD are answered with what is known."""
    claimed = ("introduce", "?IAM (ITA) (99)", "YES ({})", "?MAP", "MAP ('standard')")
    asked = ("?MDF", translate.mdf_of(STANDARD), "?HLO", "HLO (ITA) (99) ((LVL 0))", "?SCO", "?NOW", "?TME")
    saved = ("SVE ('game1')", "?YES (SVE ('game1'))", "LOD ('game1')", "?IAM (ITA) (99)", "YES ({})", "OFF")
    script = steps(*claimed, *asked, START, "REJ (TME)", "orders", *saved, end="wait")
    result = play(script, claim=("ITA", 99))
    assert result.ending is not None and not result.said("NME")
    assert "(ITA AMY ROM)" in result.said("SUB")[0]


def test_a_game_to_load_that_we_never_saved_is_rejected_and_left() -> None:
    """The server would not tell us anything any more."""
    script = steps("introduce", "?NME", "YES ({})", "LOD ('other')", "?REJ (LOD ('other'))", end="wait")
    assert "saved game 'other', in which we have no power" in str(play(script).error)


@pytest.mark.parametrize("answer", ["PRN ({})", "HUH ({} ERR)", "HUH (ERR {})", "REJ (YES (MAP ('x')))"])
def test_a_refusal_of_any_kind_ends_it(answer: str) -> None:
    script = steps("introduce", "?NME", answer, end="wait")
    assert "does not understand us" in str(play(script).error)


@pytest.mark.parametrize("map", ["MDF (AUS)", "MDF ((())", "MDF (AUS) () (ENG)"])
def test_a_map_that_cannot_be_read_ends_it(map: str) -> None:
    assert "has a map that cannot be read" in str(play(odd(map)).error)


def test_what_comes_after_the_end_does_not_lengthen_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "LINGER", 0.3)

    async def script(talk: Talk) -> None:
        await talk.seat()
        talk.turn(START)
        talk.say("SLO (FRA)")
        with contextlib.suppress(OSError):
            while not talk.writer.is_closing():
                talk.say(translate.now_of(START))
                await talk.writer.drain()
                await asyncio.sleep(0.02)

    result = play(script)
    assert result.ending is not None and result.ending.kind == "solo"
