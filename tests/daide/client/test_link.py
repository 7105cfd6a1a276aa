"""The connection itself: how it begins, and every way in which a server can spoil it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from time import sleep

import pytest

from bordeaux import BordeauxError, Position
from bordeaux.daide import Bot, Limit, translate, wire
from bordeaux.daide import language as d
from tests.daide.client.house import BUILDS, FALL, REMOVALS, RETREAT
from tests.daide.client.scripted import FM, STANDARD, START, Result, Script, Step, Talk, game, play, steps
from tests.daide.recorded import mutated
from tests.daide.server.fuzzing import framed


@pytest.mark.parametrize("text", ["", ":5000", "host:port", "host:0", "host:70000", "host:-1"])
def test_another_address_is_refused(text: str) -> None:
    with pytest.raises(BordeauxError, match="write HOST:PORT"):
        Bot(text)


@pytest.mark.parametrize("name", ["", "Zoë", "x" * 65, "a\nb"])
def test_a_name_that_cannot_be_sent_is_refused(name: str) -> None:
    with pytest.raises(BordeauxError, match="printable"):
        Bot("127.0.0.1:1", name=name)


def test_nobody_is_there() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(BordeauxError, match=f"cannot connect to a server at 127.0.0.1:{port}"):
        Bot(f"127.0.0.1:{port}").run()


def after(data: bytes) -> Script:
    """A server that takes IM, answers with some bytes and waits."""

    async def script(talk: Talk) -> None:
        await talk.introduce(data)
        last.append(await talk.gone())

    last.clear()
    return script


last: list[bytes] = []


def test_a_server_that_says_nothing_or_leaves() -> None:
    async def mute(talk: Talk) -> None:
        await talk.frame()

    assert "is silent: no RM within 0.1 s" in str(play(after(b""), patience=0.1).error)
    assert "closed the connection without a word" in str(play(mute).error)
    assert "closed the connection" in str(play(after(FM)).error)


def test_an_error_of_the_server_is_told_in_words() -> None:
    result = play(after(wire.em(wire.FOREIGN)))
    assert f"gave up with error 4: {wire.ERRORS[wire.FOREIGN]}" in str(result.error)
    assert last == [b""]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (wire.dm(b"\x48\x11"), 0x0B),
        (wire.rm(b"\x41\x00AUS\x00"), 0x09),
        (wire.rm() + wire.rm(), 0x0C),
    ],
)
def test_a_server_that_breaks_the_protocol_hears_of_it(data: bytes, code: int) -> None:
    result = play(after(data))
    assert result.error is not None
    assert last == [wire.em(code)]


def test_a_server_that_sends_rubbish_in_between_is_told_so_and_played_with() -> None:
    result = play(game("NOW (SPR 1901) (FRA FLT)", "MAP ) (", "HUH (ERR ERR)", "TME", START, "orders"))
    assert result.said("HUH") == ["HUH (NOW (SPR 1901) (FRA FLT ERR))", "HUH (TME ERR)"]
    assert result.said("PRN") == ["PRN (MAP) ()"]
    assert result.ending is not None


OPENING = ("YES (NME ('a') ('b'))", "MAP ('standard')", "HLO (FRA) (77) ((LVL 130) (MTL 600) (PTL 5))")
MESSAGES = (
    "THX ((FRA AMY PAR) MTO BUR) (FAR)",
    "MIS (FRA AMY PAR) (FRA AMY MAR MRT (SPA GAS))",
    "MIS (-2)",
    "MIS",
    "ORD (SPR 1901) ((FRA AMY PAR) CTO LON VIA (ECH)) (SUC)",
    "ORD (SPR 1901) ((ENG AMY LVP) SUP (FRA AMY PAR) MTO BUR) (CUT RET)",
    "ORD (WIN 1901) (FRA WVE) (SUC)",
    "TME (30)",
    "NOT (TME (30))",
    "CCD (ENG)",
    "NOT (CCD (ENG))",
    "OUT (ENG)",
    "ADM ('x') ('y')",
    "SVE ('game')",
    "LOD ('game')",
    "YES (NOT (GOF))",
    "REJ (NOT (GOF))",
    "YES (GOF)",
    "REJ (SUB ((FRA AMY PAR) HLD))",
    "HUH (ERR SUB ((FRA AMY PAR) HLD))",
    "FRM (ENG) (FRA) (PRP (PCE (ENG FRA)))",
    "FRM (ENG) (FRA GER) (PRP (ALY (ENG FRA) VSS (GER)))",
    "FRM (ENG) (FRA) (YES (PRP (PCE (FRA ENG))))",
    "FRM (ENG) (FRA) (PRP (XDO ((FRA AMY PAR) MTO BUR)))",
    "FRM (ENG) (FRA) (TRY (PRP PCE))",
    "FRM (ENG) (FRA) (FCT (NOT (PCE (ENG FRA))))",
    "SMR (FAL 1901) (FRA ('a') ('b') 3) (RUS ('a') ('b') 0 1901)",
    "DRW (FRA RUS)",
    "SLO (RUS)",
)
BOARDS = tuple(
    message
    for position in (START, FALL, RETREAT, BUILDS, REMOVALS)
    for message in (translate.sco_of(position), translate.now_of(position))
)
ENDS = {"SMR", "DRW", "SLO", "OFF"}


@pytest.mark.parametrize("seed", range(6))
def test_mutated_messages_do_no_harm(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bordeaux.daide.client.session.LINGER", 0.05)
    chance = random.Random(seed)
    whole = [d.tokens_from_text(message) for message in MESSAGES] + [d.tokens(board) for board in BOARDS]

    async def script(talk: Talk) -> None:
        await talk.introduce()
        talk.say(*OPENING[:2], translate.mdf_of(STANDARD), OPENING[2], *BOARDS[:2])
        for number in range(400):
            message = mutated(chance.choice(whole), chance, chance.randint(0, 3))
            # An end is not what is to be tested here.
            if not {*message[:1]} & ENDS:
                talk.raw(framed(message))
            if number % 50 == 0:
                await talk.hear()
        talk.say("OFF")
        await talk.gone()

    class Quick(Bot):
        def tell(self, line: str) -> None:
            assert "internal" not in line and "\n" not in line
            complaints.append(line)

    complaints: list[str] = []
    result = play(script, kind=Quick, time=None, nodes=20, level=130)
    assert result.ending is not None, result.error
    assert not [line for line in complaints if re.search(r"(Type|Key|Index|Attribute|Assertion)Error", line)]


# Lost links and silent servers: coming back with IAM, and giving up.

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
    result = play(silent, patience=0.5, comeback=0.1, time=None, nodes=20)
    assert "is silent since 0.5 s" in end(result) or "gave up" in end(result)
    # Until its orders are in, the server is as silent as the search is long, and may be asked for that.
    said = result.said()
    assert said[said.index("GOF") :].count("TME") == 2


def test_a_server_that_says_yes_and_closes_is_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a connection that brings something new begins the pauses anew."""
    monkeypatch.setattr("bordeaux.daide.client.session.BACKOFF", (0.05, 0.1, 0.2, 0.4, 0.8))
    result = play(*[steps("introduce", "?NME", "YES ({})", end="leave")] * 40, comeback=0.5)
    assert "gave up after" in str(result.error)
    assert sum(text.startswith("NME") for text in result.said()) <= 6, "the pauses grow"
