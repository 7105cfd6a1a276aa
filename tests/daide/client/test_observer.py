"""Watching games on our own server, and servers that have no observers."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.daide import Ending, translate
from bordeaux.daide.client.link import LinkError
from bordeaux.daide.client.observer import Observer
from bordeaux.players.base import Turn
from tests.daide.client.house import house
from tests.daide.client.scripted import START, Talk, play
from tests.patience import PATIENCE


class Watching(Observer):
    """Notes what it is told."""

    def __init__(self, address: str, **rest: Any) -> None:
        self.documents: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self.turns: list[str] = []
        self.joined = threading.Event()
        rest.pop("time", None)
        super().__init__(address, save=self.documents.append, **rest)

    def turned(self, latest: Turn | None) -> None:
        self.turns.append(f"{'-' if latest is None else latest.before.phase} {self.table.phase}")
        self.joined.set()

    def heard(self, message: Any) -> None:
        super().heard(message)
        if str(message) == "YES (OBS)":
            self.joined.set()

    def tell(self, line: str) -> None:
        self.lines.append(line)


def watched(observer: Watching, meanwhile: Callable[[], None]) -> Ending:
    """Let an observer watch in a thread while something is done here."""
    endings: list[Any] = []

    def watch() -> None:
        try:
            endings.append(observer.run())
        except BordeauxError as error:
            endings.append(error)

    thread = threading.Thread(target=watch)
    thread.start()
    assert observer.joined.wait(PATIENCE)
    meanwhile()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert isinstance(endings[0], Ending), endings
    return endings[0]


def same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Compare saved games, whatever the order of the orders."""
    assert [phase["name"] for phase in ours["phases"]] == [phase["name"] for phase in theirs["phases"]]
    for phase, other in zip(ours["phases"], theirs["phases"], strict=True):
        assert phase["state"] == other["state"], phase["name"]
        given = {power: sorted(orders) for power, orders in other["orders"].items() if orders}
        assert {power: sorted(orders) for power, orders in phase["orders"].items()} == given
        # DAIDE says of a support that was attacked and not used that it was cut.
        words = {unit: ["void"] if said == ["cut"] else said for unit, said in other["results"].items()}
        results = {unit: ["void"] if said == ["cut"] else said for unit, said in phase["results"].items()}
        assert results == words, phase["name"]


def test_a_whole_game_is_seen_and_saved_as_the_server_saves_it() -> None:
    with house() as served:
        observer = Watching(served.address)
        ending = watched(observer, lambda: served.seat(7))
    assert ending.kind == "draw" and len(ending.powers) == 7
    assert set(ending.names) == set(START.map.powers)
    assert observer.turns[:3] == ["- S1901M", "S1901M F1901M", "F1901M S1902M"]
    assert not observer.lines
    same(observer.documents[-1], served.saves[-1])
    assert observer.documents[-1]["seen"]["ending"]["ending"] == "draw"
    # One for every phase, and one for the end.
    assert len(observer.documents) == len(observer.turns) + 1


def test_who_comes_late_has_the_whole_game_too() -> None:
    with house(linger=1.0) as served:
        served.seat(6, "random")
        early = Watching(served.address)

        def late() -> None:
            served.seat(1, "random")
            served.until(lambda game: game.position.phase.year >= 1903)
            latecomer = Watching(served.address)

            def reaches_back() -> bool:
                saved = latecomer.documents
                return bool(saved) and saved[-1]["phases"][0]["name"] == "S1901M"

            def stop() -> None:
                served.until(lambda game: game.position.phase.year >= 1905 and reaches_back())
                served.stop()

            watched(latecomer, stop)
            assert latecomer.turns[0].startswith("- ")
            documents.append(latecomer.documents[-1])

        documents: list[dict[str, Any]] = []
        ending = watched(early, late)
    assert ending.kind == "off"
    documents.append(early.documents[-1])
    for document in documents:
        assert document["phases"][0]["name"] == "S1901M"
        assert len(document["phases"]) > 8
        same(document, served.saves[-1])


def test_a_broken_link_is_taken_up_again_and_the_gap_is_filled() -> None:
    with house(linger=1.0) as served:
        observer = Watching(served.address)

        def broken() -> None:
            served.seat(6)
            served.cut()
            served.until(lambda game: game.open_chairs == 1)
            served.seat(1)

        ending = watched(observer, broken)
    assert ending.kind == "draw"
    assert any("trying again" in line for line in observer.lines)
    same(observer.documents[-1], served.saves[-1])


def test_a_server_that_takes_no_observers() -> None:
    async def script(talk: Talk) -> None:
        await talk.introduce()
        talk.say(f"REJ ({await talk.until('OBS')})")
        await talk.gone()

    result = play(script, kind=Watching)
    assert isinstance(result.error, LinkError)
    assert "takes no observers: it refuses OBS, as the server of the package diplomacy does" in str(
        result.error
    )


def test_a_server_that_does_not_know_observers() -> None:
    async def script(talk: Talk) -> None:
        await talk.introduce()
        talk.say(f"HUH (ERR {await talk.until('OBS')})")
        await talk.gone()

    error = str(play(script, kind=Watching).error)
    assert "does not understand" in error and "HUH (ERR OBS)" in error


def test_a_silent_server_and_one_that_is_not_there() -> None:
    async def script(talk: Talk) -> None:
        await talk.introduce()
        await talk.gone()

    assert "is silent since 0.2 s" in str(play(script, kind=Watching, waiting=0.2).error)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(LinkError, match="cannot connect"):
        Observer(f"127.0.0.1:{port}").run()


def test_a_server_that_is_lost_for_good() -> None:
    async def script(talk: Talk) -> None:
        await seated(talk)
        talk.turn()

    result = play(script, kind=Watching, comeback=0.3)
    assert "gave up after" in str(result.error)


async def seated(talk: Talk, options: str = "(LVL 0)") -> None:
    """All that comes before the first phase of an observer."""
    await talk.introduce()
    talk.say(f"YES ({await talk.until('OBS')})", "MAP ('standard')")
    await talk.until("MDF")
    talk.say(translate.mdf_of(START.map))
    await talk.until("YES (MAP ('standard'))")
    talk.say(f"HLO (UNO) (0) ({options})")


def test_what_comes_before_the_map_is_no_reason_to_complain() -> None:
    async def script(talk: Talk) -> None:
        await talk.introduce()
        talk.say(f"YES ({await talk.until('OBS')})", "MAP ('standard')")
        # The game runs already, and goes on.
        talk.say("CCD (FRA)", "ORD (SPR 1901) ((FRA AMY PAR) HLD) (SUC)", translate.now_of(START))
        await talk.until("MDF")
        talk.say(translate.mdf_of(START.map))
        await talk.until("YES (MAP ('standard'))")
        talk.say("HLO (UNO) (0) ((LVL 0))")
        talk.turn()
        talk.end()
        await talk.gone()

    result = play(script, kind=Watching)
    assert result.error is None and result.ending is not None and result.ending.powers == ("RUSSIA",)
    assert isinstance(result.bot, Watching)
    assert result.bot.lines == [] and result.bot.turns == ["- S1901M"]


def test_an_observer_says_nothing_that_it_may_not() -> None:
    async def script(talk: Talk) -> None:
        await seated(talk, "(LVL 8000)")
        talk.turn(START, 60)
        talk.say("CCD (FRA)", "NOT (CCD (FRA))", "ADM ('Host') ('hello')")
        # Some servers may show press; what cannot be read is none of our business either.
        talk.say(
            "FRM (FRA) (GER) (PRP (PCE (FRA GER)))", "FRM (FRA) (GER) (PRP (BUR))", "FRM (FRA) (GER) ('a')"
        )
        await asyncio.sleep(0.05)
        talk.end()
        await talk.gone()

    result = play(script, kind=Watching)
    assert result.error is None
    assert result.said() == ["OBS", "MDF", "YES (MAP ('standard'))"]
    assert isinstance(result.bot, Watching)
    assert [letter["press"] for letter in result.bot.chronicle.press] == ["PRP (PCE (FRA GER))", "'a'"]
