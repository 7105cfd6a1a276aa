"""Talks at a table: one order of letters for all, their limits, and talkers that misbehave."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from bordeaux import Map, Position
from bordeaux.arena import guard, talks
from bordeaux.arena.game import play
from bordeaux.arena.job import Result
from bordeaux.formats.games import game_from_json
from bordeaux.players.base import Limit, Player, Seat
from bordeaux.players.hold_and_random import Hold
from bordeaux.press.language import messages as p
from bordeaux.press.language.json_form import message_from_json
from bordeaux.press.language.letter import Letter
from tests.press.language.messages import nested

from .conftest import MakeJob

MAP = Map.standard()
AUSTRIA, ENGLAND, FRANCE, GERMANY, ITALY, RUSSIA, TURKEY = MAP.powers
DRAW = p.Propose(p.Draw())


def peace(a: str, b: str) -> p.Message:
    return p.Propose(p.Peace((a, b)))


class Scripted(Hold):
    """Holds, and talks as three functions of it say; keeps what it hears."""

    def __init__(
        self,
        seat: Seat,
        opens: Callable[[Scripted], Any] = lambda me: (),
        hears: Callable[[Scripted, Letter], Any] = lambda me, letter: (),
        falls_quiet: Callable[[Scripted], Any] = lambda me: (),
        draw: Any = None,
    ) -> None:
        super().__init__(seat)
        self.opens, self.hears, self.falls_quiet, self.drawn = opens, hears, falls_quiet, draw
        self.heard: list[Letter] = []
        self.begun: list[tuple[str, int]] = []
        self.asked = 0

    def write(self, to: str | tuple[str, ...], message: p.Message = DRAW) -> Letter:
        return Letter(self.seat.power, (to,) if isinstance(to, str) else to, message)

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        self.begun.append((str(position.phase), level))
        return self.opens(self)

    def hear(self, letter: Letter) -> Iterable[Letter]:
        self.heard.append(letter)
        return self.hears(self, letter)

    def quiet(self) -> Iterable[Letter]:
        self.asked += 1
        return self.falls_quiet(self)

    def draw(self) -> Any:
        return self.drawn(self) if callable(self.drawn) else self.drawn


Table = dict[str, Scripted]


def all_of(*powers: str, **script: Any) -> dict[str, dict[str, Any]]:
    """The same script for several powers."""
    return dict.fromkeys(powers, script)


def table(**scripts: dict[str, Any]) -> tuple[Callable[[str, Seat], Player], Table]:
    """What makes players: talkers by power, as scripted, and those that hold besides; and who they are."""
    seated: Table = {}

    def create(spec: str, seat: Seat) -> Player:
        if seat.power in scripts:
            seated[seat.power] = Scripted(seat, **scripts[seat.power])
        return seated.get(seat.power) or Hold(seat)

    return create, seated


def said(result: Result, phase: int = 0) -> list[tuple[str, str, p.Message]]:
    """Sender, recipient and message of all messages of a phase, in their order."""
    assert result.game is not None
    messages = result.game["phases"][phase]["messages"]
    return [
        (message["sender"], message["recipient"], message_from_json(message["letter"]["message"], MAP))
        for message in messages
    ]


def test_letters_are_heard_by_all_in_the_order_in_which_they_were_written(job: MakeJob) -> None:
    def answers(me: Scripted, letter: Letter) -> Any:
        if isinstance(letter.message, p.Propose):
            yield me.write(letter.sender, p.Accept(letter.message))

    create, seated = table(
        AUSTRIA={"opens": lambda me: [me.write((ITALY, FRANCE)), me.write(ITALY, peace(AUSTRIA, ITALY))]},
        FRANCE={"opens": lambda me: [me.write((AUSTRIA, ITALY))], "hears": answers},
        ITALY={"hears": answers},
    )
    result = play(job("scripted", until=1901, level=10, keep=True), create)
    first = [Letter(AUSTRIA, (ITALY, FRANCE), DRAW), Letter(AUSTRIA, (ITALY,), peace(AUSTRIA, ITALY))]
    third = Letter(FRANCE, (AUSTRIA, ITALY), DRAW)
    answered = [
        Letter(FRANCE, (AUSTRIA,), p.Accept(DRAW)),
        Letter(ITALY, (AUSTRIA,), p.Accept(DRAW)),
        Letter(ITALY, (AUSTRIA,), p.Accept(peace(AUSTRIA, ITALY))),
        Letter(ITALY, (FRANCE,), p.Accept(DRAW)),
    ]
    # Two movement phases, and nothing to retreat or to build.
    assert seated[ITALY].heard == [*first, third] * 2
    assert seated[FRANCE].heard == [first[0], answered[3]] * 2
    assert seated[AUSTRIA].heard == [third, *answered[:3]] * 2
    assert [(sender, to) for sender, to, _ in said(result)] == [
        *((AUSTRIA, ITALY), (AUSTRIA, FRANCE), (AUSTRIA, ITALY), (FRANCE, AUSTRIA), (FRANCE, ITALY)),
        *((FRANCE, AUSTRIA), (ITALY, AUSTRIA), (ITALY, AUSTRIA), (ITALY, FRANCE)),
    ]
    assert result.letters == (4, 0, 4, 0, 6, 0, 0)
    assert result.faults == ()


def test_the_talks_end_when_all_keep_quiet(job: MakeJob) -> None:
    def thrice(me: Scripted) -> Any:
        return [me.write(ITALY)] if me.asked <= 3 else []

    create, seated = table(FRANCE={"falls_quiet": thrice}, ITALY={})
    play(job("scripted", until=1901, level=10), create)
    assert seated[ITALY].heard == [Letter(FRANCE, (ITALY,), DRAW)] * 3
    # Three times and once more in Spring, once in Fall.
    assert seated[ITALY].asked == 5
    assert seated[ITALY].begun == [("S1901M", 10), ("F1901M", 10)]


def test_there_are_talks_in_every_phase_but_none_at_level_0(job: MakeJob) -> None:
    create, seated = table(FRANCE={"opens": lambda me: [me.write(ITALY)], "draw": ()})

    def builds(spec: str, seat: Seat) -> Player:
        player = create(spec, seat)
        if seat.power == ITALY:
            wanted = {"S1901M": ["F NAP - ION"], "F1901M": ["F ION - TUN"]}
            player.orders = lambda position, limit: wanted.get(str(position.phase), [])  # type: ignore[method-assign]
        return player

    phases = ["S1901M", "F1901M", "W1901A"]
    for level in (10, 0):
        result = play(job("scripted", until=1901, level=level, keep=True), builds)
        assert result.game is not None
        assert [phase["name"] for phase in result.game["phases"]][:-1] == phases
        assert [phase for phase, _ in seated[FRANCE].begun] == (phases if level else [])
        assert ["messages" in phase for phase in result.game["phases"]] == [level > 0] * 4
        assert result.game["rules"] == ([] if level else ["NO_PRESS"])
        assert result.letters == ((0, 0, 3, 0, 0, 0, 0) if level else None)


@pytest.mark.parametrize(
    ("letter", "reason"),
    [
        (Letter(FRANCE, (ITALY,), p.Propose(p.Demilitarised((ITALY,), ("PIE",)))), "above the level: 20"),
        (Letter(GERMANY, (ITALY,), DRAW), "in the name of another"),
        (Letter(FRANCE, (ITALY, ITALY), DRAW), "twice to one"),
        (Letter(FRANCE, (RUSSIA,), "peace?"), "sound message"),  # type: ignore[arg-type]
        (Letter(FRANCE, (ITALY,), nested(DRAW, 100_000)), "sound message"),
        *(
            (letter, "no letters")
            for letter in (
                Letter(FRANCE, (ITALY, FRANCE), DRAW),
                Letter(FRANCE, (), DRAW),
                Letter(FRANCE, ("SPAIN",), DRAW),
                Letter(FRANCE, ITALY, DRAW),  # type: ignore[arg-type]
                Letter(FRANCE, ([],), DRAW),  # type: ignore[arg-type]
                "peace?",
                (FRANCE, (ITALY,), DRAW),
            )
        ),
        (Letter(FRANCE, (ITALY,), p.Propose(p.Peace((FRANCE, "SPAIN")))), "about this map"),
    ],
)
def test_letters_that_may_not_be_delivered_are_dropped_and_counted(
    job: MakeJob, letter: Any, reason: str
) -> None:
    create, seated = table(FRANCE={"opens": lambda me: [letter, me.write(ITALY), letter]}, ITALY={})
    result = play(job("scripted", until=1901, level=10), create)
    assert seated[ITALY].heard == [Letter(FRANCE, (ITALY,), DRAW)] * 2
    assert [(fault.seat, fault.kind, fault.phase, fault.count) for fault in result.faults] == [
        (2, "letter", "S1901M", 2),
        (2, "letter", "F1901M", 2),
    ]
    assert reason in result.faults[0].text


def test_powers_that_are_out_neither_write_nor_read(job: MakeJob) -> None:
    opens = {"opens": lambda me: [me.write(RUSSIA), me.write(GERMANY)]}
    create, seated = table(TURKEY=opens, RUSSIA=opens, GERMANY={})
    position = Position(MAP, "S1905M", [], {TURKEY: ["CON"], GERMANY: ["BER"]})
    with guard.Guard(job("scripted", level=10), MAP, create) as seats:
        seats.begin("S1905M")
        talk = talks.talk(seats, position, 10)
    assert talk.letters == (Letter(TURKEY, (GERMANY,), DRAW),)
    assert seated[RUSSIA].begun == seated[RUSSIA].heard == []
    assert [fault.seat for fault in seats.faults] == [6]


def test_talks_without_end_are_ended(job: MakeJob) -> None:
    create, _ = table(
        FRANCE={
            "opens": lambda me: [me.write(ITALY)],
            "hears": lambda me, letter: [me.write(letter.sender)] * 2,
        },
        ITALY={"hears": lambda me, letter: [me.write(letter.sender)]},
        TURKEY={"falls_quiet": lambda me: [me.write(RUSSIA)]},
    )
    result = play(job("scripted", until=1901, level=10), create)
    most = 2 * talks.MOST_LETTERS
    assert result.letters == (0, 0, most, 0, most, 0, 2 * (talks.ROUNDS - 1))
    assert {(fault.seat, fault.kind) for fault in result.faults} == {(2, "letter")}
    create, _ = table(FRANCE={"opens": lambda me: (me.write(ITALY) for _ in iter(int, 1))})
    assert play(job("scripted", until=1901, level=10), create).letters == (0, 0, most, 0, 0, 0, 0)


def crash(*_: Any) -> Any:
    raise RuntimeError("tongue-tied")


@pytest.mark.parametrize("moment", ["opens", "hears", "falls_quiet", "draw"])
@pytest.mark.parametrize("answer", [crash, lambda *_: 5])
def test_a_crash_in_talks_is_contained_and_silences_for_the_phase(
    job: MakeJob, moment: str, answer: Any
) -> None:
    chatty = {"opens": lambda me: [me.write(FRANCE)] * 3}
    create, seated = table(FRANCE={moment: answer}, ITALY=chatty)
    result = play(job("scripted", until=1901, level=10), create)
    if (moment, answer) != ("draw", crash) and moment == "draw":
        # What is no draw is none, and no harm.
        assert result.faults == ()
    else:
        assert [(fault.seat, fault.kind, fault.phase) for fault in result.faults] == [
            (2, "crash", "S1901M"),
            (2, "crash", "F1901M"),
        ]
    assert len(seated[FRANCE].heard) == {"opens": 0, "hears": 2}.get(moment, 6)
    # It plays on all the same.
    assert result.orders == play(job("hold", until=1901)).orders


def test_talks_have_patience_of_their_own_and_count_as_thinking(
    job: MakeJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "GRACE", 0.3)

    def slowly(me: Scripted, letter: Letter) -> Any:
        time.sleep(0.1)
        return []

    create, seated = table(FRANCE={"hears": slowly}, ITALY={"opens": lambda me: [me.write(FRANCE)] * 20})
    result = play(job("scripted", until=1901, level=10, limit=Limit(time=0.1)), create)
    assert [fault.kind for fault in result.faults if fault.seat == 2] == ["stall"] * 2
    assert len(seated[FRANCE].heard) < 20
    assert result.seconds[2] >= 2 * 0.4
    assert result.orders == play(job("hold", until=1901)).orders


@pytest.mark.parametrize("draw", [(), tuple(MAP.powers)])
def test_a_draw_that_all_survivors_accept_ends_the_game(job: MakeJob, draw: Any) -> None:
    def late(me: Scripted) -> Any:
        return draw if me.begun[-1][0] == "F1902M" else None

    create, _ = table(**all_of(*MAP.powers, draw=draw) | {FRANCE: {"draw": late}})
    result = play(job("scripted", until=1935, level=10, keep=True), create)
    assert (result.end, result.phase, result.winner) == ("draw", "F1902M", None)
    assert result.centres == ((3, 3, 3, 3, 3, 4, 3),) * 3
    assert result.alive == (True,) * 7
    assert result.game is not None
    assert result.game["end"] == "draw"
    assert [phase["name"] for phase in result.game["phases"]] == ["S1901M", "F1901M", "S1902M", "F1902M"]


@pytest.mark.parametrize("draw", [None, (FRANCE, ITALY), ("SPAIN",), "yes", [FRANCE], ([FRANCE],)])
def test_a_draw_that_one_does_not_accept_is_none(job: MakeJob, draw: Any) -> None:
    create, _ = table(**all_of(*MAP.powers, draw=()) | {FRANCE: {"draw": draw}})
    result = play(job("scripted", until=1901, level=10), create)
    assert (result.end, result.faults) == ("cap", ())
    # Nor without those who do not talk.
    create, _ = table(**all_of(*MAP.powers[1:], draw=()))
    assert play(job("scripted", until=1901, level=10), create).end == "cap"


def test_a_saved_game_carries_its_messages(job: MakeJob) -> None:
    create, _ = table(FRANCE={"opens": lambda me: [me.write((ITALY, GERMANY), peace(FRANCE, ITALY))]})
    result = play(job("scripted", until=1901, level=10, keep=True), create)
    assert result.game is not None
    phases = result.game["phases"]
    assert phases[1]["messages"][1] == {
        "sender": FRANCE,
        "recipient": GERMANY,
        "phase": "F1901M",
        "message": "France proposes peace between France and Italy.",
        "time_sent": 4,
        "letter": {
            "to": [ITALY, GERMANY],
            "message": {"Propose": {"term": {"Peace": {"powers": [FRANCE, ITALY]}}}},
        },
    }
    game = game_from_json(json.loads(json.dumps(result.game)))
    assert [list(phase.messages) for phase in game.phases] == [phase["messages"] for phase in phases]
    assert [phase.get("messages", []) for phase in game.to_json()["phases"]] == [
        phase["messages"] for phase in phases
    ]


def test_talks_go_on_and_can_be_held_again_with_what_was_said_then() -> None:
    """A second table that hears what the first one said has been asked the same things in the same order."""

    class Table:
        def __init__(self) -> None:
            self.players: list[Scripted] = [Scripted(Seat(power, MAP)) for power in MAP.powers]
            england, france = self.players[1], self.players[2]
            england.opens = lambda me: [me.write(FRANCE)]
            france.hears = lambda me, letter: [me.write(letter.sender, p.Accept(letter.message))]
            france.falls_quiet = lambda me: [me.write(TURKEY)] if me.asked == 2 else []

        def say(self, seat: int, answer: Callable[..., Iterable[object]], *args: object) -> list[object]:
            return list(answer(*args))

    first, second = Table(), Table()
    held = talks.Talks(first, Position.start(), 10)  # type: ignore[arg-type]
    held.hold()
    held.go_on(Letter(GERMANY, (FRANCE,), DRAW))
    senders = [(letter.sender, letter.to) for letter in held.letters]
    assert (
        (GERMANY, (FRANCE,)) in senders and (FRANCE, (GERMANY,)) in senders and (FRANCE, (TURKEY,)) in senders
    )
    again = talks.Talks(second, Position.start(), 10)  # type: ignore[arg-type]
    again.hold_again(held.letters)
    assert again.letters == held.letters
    for mine, theirs in zip(first.players, second.players, strict=True):
        assert mine.heard == theirs.heard and mine.begun == theirs.begun
    again.go_on(Letter(ITALY, (FRANCE,), DRAW))
    assert again.letters[-1] == Letter(FRANCE, (ITALY,), p.Accept(DRAW))
