"""Phases: which orders go out when, and what is made of the server's answers."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from bordeaux import Order, Position
from bordeaux.daide import Bot, Limit, stopped
from bordeaux.daide import language as d
from tests.daide.client.house import BUILDS, FALL, LOST, NOWHERE, OTHERS_RETREAT, REMOVALS, RETREAT
from tests.daide.client.scripted import FM, START, Result, Said, Talk, game, play

HOLDS = ["F BRE H", "A MAR H", "A PAR H"]
MOVES = ["F BRE - MAO", "A MAR - SPA", "A PAR - BUR"]


class Steps(Bot):
    """Finds holds at once, and moves when `better` is set; then it thinks on until it is stopped."""

    def begin(self) -> None:
        self.better = threading.Event()
        self.limits: list[Limit] = []
        self.was_stopped: list[bool] = []

    def orders(self, position: Position, power: str, limit: Limit) -> Iterator[Sequence[Order | str]]:
        self.limits.append(limit)
        try:
            yield HOLDS
            while not self.better.wait(0.001) and not stopped():
                pass
            yield MOVES
            while not stopped():
                time.sleep(0.001)
        finally:
            self.was_stopped.append(stopped())


@pytest.fixture(autouse=True)
def prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not answer the last orders is not waited for long."""
    monkeypatch.setattr("bordeaux.daide.client.session.ANSWER", 0.5)


lines: list[str] = []


class Once(Bot):
    """Has moves at once, and nothing better; what it tells is in `lines`."""

    given: Sequence[str] = MOVES

    def begin(self) -> None:
        lines.clear()

    def tell(self, line: str) -> None:
        lines.append(line)

    def orders(self, position: Position, power: str, limit: Limit) -> Sequence[Order | str]:
        return self.given if position.phase.kind == "M" else []


def one_phase(position: Position, **rest: Any) -> Result:
    """A game of one phase; the bot's orders are taken as they are."""
    return play(game(position, "all"), **rest)


def last_orders(result: Result) -> tuple[d.Order, ...]:
    message = d.read(result.said("SUB")[-1])
    assert isinstance(message, d.SUB)
    return message.orders


def test_with_a_deadline_orders_go_out_early_and_better_ones_later() -> None:
    bots: list[Steps] = []

    class Remembered(Steps):
        def begin(self) -> None:
            super().begin()
            bots.append(self)

    async def script(talk: Talk) -> None:
        await talk.seat("FRA", "(LVL 0) (MTL 2)")
        talk.turn(START, 2)
        deadline = asyncio.get_running_loop().call_later(2, talk.log.append, Said("S", 0.0, "too late"))
        await talk.until("NOT (GOF)")
        talk.say("YES (NOT (GOF))")
        await talk.orders()
        bots[0].better.set()
        await talk.orders()
        await talk.until("GOF")
        deadline.cancel()
        talk.end()
        await talk.gone()

    result = play(script, kind=Remembered, time=30.0)
    assert [text[:9] for text in result.said()][-4:] == ["NOT (GOF)", "SUB (SPR ", "SUB (SPR ", "GOF"]
    early, late = result.said("SUB")
    assert "HLD" in early and "MTO" not in early
    assert "(FRA AMY MAR) MTO SPA" in late
    assert not result.said("too late", "S"), "the deadline was missed"
    # The search itself was given less time than the phase, and was ended.
    assert bots[0].limits[0].time is not None and bots[0].limits[0].time <= 2 - 2 / 3 + 0.1
    assert bots[0].was_stopped == [True]


def test_early_orders_wait_until_the_server_agrees_to_wait() -> None:
    deadline = game((START, 1), "?NOT (GOF)", "REJ (NOT (GOF))", "orders", "?GOF", options="(LVL 0) (MTL 1)")
    result = play(deadline, kind=Steps)
    assert len(result.said("SUB")) == 1, "orders that the server would play at once went out too early"


@pytest.mark.parametrize(
    "position", [RETREAT, NOWHERE, BUILDS, REMOVALS], ids=lambda position: str(position.phase)
)
def test_every_kind_of_phase_is_answered_with_all_that_is_owed(position: Position) -> None:
    orders = last_orders(one_phase(position))
    if position is NOWHERE:
        assert [str(order) for order in orders] == ["(FRA AMY MAR) DSB"]
    elif position is RETREAT:
        assert len(orders) == 1 and isinstance(orders[0], d.RTO | d.DSB)
    elif position is BUILDS:
        assert len(orders) == 2 and all(isinstance(order, d.BLD | d.WVE) for order in orders)
    else:
        assert len(orders) == 2 and all(isinstance(order, d.REM) for order in orders)


def test_who_owes_nothing_says_only_go() -> None:
    result = one_phase(OTHERS_RETREAT)
    assert not result.said("SUB") and len(result.said("GOF")) == 1


def test_who_is_out_of_the_game_keeps_quiet_and_stays() -> None:
    result = play(game(LOST, "TME (0)"))
    assert not result.said("SUB") and not result.said("GOF")
    assert result.ending is not None and result.ending.kind == "solo"


def test_orders_that_fail_are_holds() -> None:
    class Broken(Once):
        def orders(self, position: Position, power: str, limit: Limit) -> Sequence[Order | str]:
            raise RuntimeError("out of ideas")

    result = one_phase(START, kind=Broken)
    assert all(isinstance(order, d.HLD) for order in last_orders(result))
    assert lines == ["S1901M: RuntimeError: out of ideas"]


def test_orders_that_cannot_be_read_are_left_out() -> None:
    class Mumbling(Once):
        given = ("A PAR - BUR", "A MAR - Atlantis", "whatever")

    orders = {str(order) for order in last_orders(one_phase(START, kind=Mumbling))}
    assert orders == {"(FRA AMY PAR) MTO BUR", "(FRA AMY MAR) HLD", "(FRA FLT BRE) HLD"}
    assert len(lines) == 2 and "Atlantis" in lines[0]


def test_a_set_that_the_server_cannot_read_is_sent_order_by_order() -> None:
    result = play(game(START, "?SUB", "HUH (ERR {})", "orders", "orders", "orders", "?GOF"), kind=Once)
    assert [text.count("(FRA") for text in result.said("SUB")] == [3, 1, 1, 1]


def test_orders_that_came_too_late_make_us_ask_where_we_are() -> None:
    result = play(game(START, "?SUB", "REJ ({})", "?NOW", FALL, "orders"))
    assert [text[:14] for text in result.said("SUB")] == ["SUB (SPR 1901)", "SUB (FAL 1901)"]


def test_the_time_and_the_nodes_are_those_of_the_bot_without_a_deadline() -> None:
    limits: list[Limit] = []

    class Asked(Bot):
        def orders(self, position: Position, power: str, limit: Limit) -> Sequence[Order | str]:
            limits.append(limit)
            return HOLDS

    one_phase(START, kind=Asked, time=7.0, nodes=300)
    one_phase(START, kind=Asked, time=None, nodes=300)
    assert limits == [Limit(7.0, 300), Limit(None, 300)]


SUMMARY = "SMR (SPR 1905) (FRA ('Bordeaux') ('1') 17) (RUS ('Bear') ('2') 17) (ENG ('x') ('y') 0 1903)"


def ending_with(*messages: str) -> Result:
    return play(game(START, "all", *messages, end="wait"))


def test_a_solo_with_its_summary() -> None:
    ending = ending_with("SLO (RUS)", SUMMARY, "OFF").ending
    assert ending is not None and ending.names["RUSSIA"] == "Bear 2"
    centres = {"FRANCE": 17, "RUSSIA": 17, "ENGLAND": 0}
    assert ending[:5] == ("solo", ("RUSSIA",), "FRANCE", "S1905M", centres)
    assert str(ending) == "RUSSIA wins alone in S1905M; FRANCE has 17 centres"
    assert (ending.to_json()["ending"], ending.to_json()["powers"]) == ("solo", ["RUSSIA"])


def test_a_draw_is_of_all_survivors_or_of_those_named() -> None:
    ending = ending_with("DRW", SUMMARY, "OFF").ending
    assert ending is not None and ending.kind == "draw" and len(ending.powers) == 7
    named = ending_with("DRW (FRA RUS)", SUMMARY, "OFF").ending
    assert named is not None and named.powers == ("FRANCE", "RUSSIA")


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


def test_powers_in_disorder_and_out_are_known() -> None:
    table = ending_with("CCD (GER)", "CCD (ITA)", "NOT (CCD (GER))", "OUT (TUR)", "OFF").bot.table
    assert table.disorder == {"ITALY"}
    assert table.eliminated == {"TURKEY"}
