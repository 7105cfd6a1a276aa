"""Lost links and silent servers: coming back with IAM, and giving up."""

from __future__ import annotations

from collections.abc import Sequence
from time import sleep

import pytest

from bordeaux import Position
from bordeaux.daide import Bot, Limit
from tests.daide.client.house import FALL
from tests.daide.client.scripted import START, Result, Script, Step, game, play, steps

QUESTIONS = ["HLO", "SCO", "NOW", "TME"]


vanish = game(START, "all", end="leave")
"""Begin a game and a phase, hear the orders, and go without a word."""


def back(*then: Step, options: str = "(LVL 0)") -> Script:
    """Give the power back, answer what is asked, and go on."""
    claimed = ("introduce", "?IAM (FRA) (77)", "YES ({})", *(f"?{question}" for question in QUESTIONS))
    return steps(*claimed, f"HLO (FRA) (77) ({options})", *then)


def end(result: Result) -> str:
    return result.ending.kind if result.ending is not None else str(result.error)


def test_a_vanished_server_that_comes_back_gets_the_orders_again() -> None:
    result = play(vanish, back(START, "REJ (TME)", "all", FALL, "all"))
    assert end(result) == "solo"
    assert [text[:14] for text in result.said("SUB")] == ["SUB (SPR 1901)"] * 2 + ["SUB (FAL 1901)"]
    first, again, _ = result.said("SUB")
    assert first == again
    assert len(result.said("NME")) == 1


def test_a_link_lost_while_thinking_changes_nothing_in_the_thinking() -> None:
    early = game((START, 3), "?NOT (GOF)", options="(LVL 0) (MTL 3)", end="leave")
    later = back((START, 2), "?NOT (GOF)", "YES (NOT (GOF))", "all")

    class Slow(Bot):
        def orders(self, position: Position, power: str, limit: Limit) -> Sequence[str]:
            # It thinks on while the link is lost.
            sleep(0.8)
            return self.engine.search(position, power, nodes=300).orders

    result = play(early, later, kind=Slow)
    assert end(result) == "solo" and result.said("SUB")


def test_a_server_that_never_comes_back_ends_it_with_one_line() -> None:
    heard: list[str] = []

    class Talkative(Bot):
        def tell(self, line: str) -> None:
            heard.append(line)

    result = play(vanish, kind=Talkative, comeback=0.5)
    assert "gave up after" in end(result) and "\n" not in end(result)
    assert "trying again in 0.2 s" in heard[0]


def test_a_wrong_passcode_is_tried_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bordeaux.daide.client.session.BACKOFF", (0.0,))

    refuse = steps("introduce", "?", "REJ ({})", end="wait")
    result = play(*[refuse] * 6, claim=("FRA", 1), comeback=60.0)
    assert "does not give us FRA" in end(result)
    assert len(result.said("IAM (FRA) (1)")) == 4


def test_a_silent_server_is_asked_for_the_time_and_then_given_up() -> None:
    silent = game(START, "all", "?TME", "REJ (TME)", "?TME", end="wait")
    result = play(silent, patience=1.0, comeback=0.2)
    assert "is silent since 1 s" in end(result) or "gave up" in end(result)
    # Until its orders are in, the server is as silent as the search is long, and may be asked for that.
    said = result.said()
    assert said[said.index("GOF") :].count("TME") == 2


def test_a_server_that_says_yes_and_closes_is_not_tried_for_ever() -> None:
    """Only a connection that brings something new begins the pauses anew."""
    result = play(*[steps("introduce", "?NME", "YES ({})", end="leave")] * 40, comeback=2.0)
    assert "gave up after" in str(result.error)
    assert sum(text.startswith("NME") for text in result.said()) <= 6, "the pauses grow"
