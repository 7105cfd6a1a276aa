"""A person on our own server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.board.phase import Phase
from bordeaux.daide import Ending
from tests.daide.client.house import House, house
from tests.daide.client.person import Person
from tests.daide.client.scripted import START
from tests.patience import PATIENCE


def on(
    served: House, body: Callable[[Person], Awaitable[None]], **options: Any
) -> tuple[Person, Ending | None]:
    """Let a person play while `body` tells them what to do; the ending, if it came to one."""

    async def both() -> tuple[Person, Ending | None]:
        person = Person(served.address, **options)
        game = asyncio.create_task(person.play())
        acting = asyncio.ensure_future(body(person))
        try:
            await asyncio.wait((game, acting), return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE)
            if acting.done():
                acting.result()
            return person, game.result() if game.done() else None
        finally:
            for task in (acting, game):
                task.cancel()
            await asyncio.gather(acting, game, return_exceptions=True)

    return asyncio.run(both())


def test_a_person_orders_changes_their_mind_and_is_done() -> None:
    async def body(person: Person) -> None:
        await person.until(lambda: served.game.open_chairs == 1)
        await asyncio.to_thread(served.seat, 1)
        await person.until(lambda: person.sheet is not None)
        sheet = person.sheet
        assert sheet is not None and person.table.passcode is not None
        units = sheet.missing()
        first = sheet.legal[units[0].split()[1]]
        person.give(first[1])
        person.give("; ".join(f"{unit} H" for unit in units))
        person.clear(units[0])
        person.give(first[2])
        assert not person.is_done and sheet.missing() == []
        # The others are done, and the server still waits for us.
        await asyncio.sleep(0.1)
        assert served.game.position.phase == START.phase
        assert person.done() == []
        await person.until(lambda: person.turns[1:])
        phase, played = person.past()
        ours = [
            str(order_played.order) for order_played in played if order_played.power == person.table.power
        ]
        assert str(phase) == "S1901M" and sorted(ours) == sorted([first[2], *(f"{u} H" for u in units[1:])])
        assert person.turns[:2] == ["- S1901M", "S1901M F1901M"]

    with house() as served:
        served.seat(5)
        person, _ = on(served, body)
    assert person.lines == []
    assert sum(map(len, person.documents[-1]["phases"][0]["orders"].values())) == 22


def test_without_orders_done_gives_what_the_rules_would() -> None:
    async def body(person: Person) -> None:
        await person.until(lambda: person.sheet is not None)
        assert person.sheet is not None
        units = person.sheet.missing()
        assert list(map(str, person.done())) == [f"{unit} H" for unit in units]
        await person.until(lambda: person.turns[1:])

    with house() as served:
        served.seat(6)
        person, _ = on(served, body)
    assert person.turns[1] == "S1901M F1901M"


def test_a_whole_game_to_a_draw_and_its_record() -> None:
    def reached(person: Person, number: int) -> bool:
        return len(person.turns) >= number

    async def body(person: Person) -> None:
        for number in range(1, 100):
            await person.until(partial(reached, person, number))
            if person.phase is not None and person.table.phase == Phase.parse("S1904M"):
                person.offer_draw()
            elif person.sheet is not None:
                person.done()

    with house() as served:
        served.seat(6)
        person, ending = on(served, body)
    assert ending is not None and ending.kind == "draw" and person.table.power in ending.powers
    names = [phase["name"] for phase in person.documents[-1]["phases"]]
    assert names == [phase["name"] for phase in served.saves[-1]["phases"]]
    seen = person.documents[-1]["seen"]
    assert seen["power"] == person.table.power and seen["passcode"] == person.table.passcode
    assert seen["ending"]["ending"] == "draw"


def test_a_seat_is_taken_over_with_the_passcode_and_the_past_is_known() -> None:
    claims: list[tuple[str, int]] = []

    async def first(person: Person) -> None:
        await person.until(lambda: person.sheet is not None)
        person.done()
        await person.until(lambda: person.turns[1:])
        assert person.sheet is not None
        person.give("; ".join(f"{unit} H" for unit in person.sheet.missing()))
        await person.until(lambda: person.phase is not None and person.phase.delivery.sent)
        await asyncio.sleep(0.05)
        assert person.table.power is not None and person.table.passcode is not None
        claims.append((person.table.token(person.table.power), person.table.passcode))

    async def second(person: Person) -> None:
        await person.hears("the server has orders for all your units")
        assert person.table.position is not None and str(person.table.position.phase) == "F1901M"
        first = Phase.parse("S1901M")
        await person.until(lambda: first in person.chronicle.phases() and len(person.past(first)[1]) == 22)
        with pytest.raises(BordeauxError, match="nothing is known of F1901M; phases go from S1901M"):
            person.past(Phase.parse("F1901M"))
        person.done()
        await person.until(lambda: person.turns[1:])

    with house() as served:
        served.seat(6)
        on(served, first)
        person, _ = on(served, second, claim=claims[0])
    assert person.turns == ["- F1901M", "F1901M S1902M"]
    assert [phase["name"] for phase in person.documents[-1]["phases"]] == ["S1901M", "F1901M", "S1902M"]


def test_press_is_sent_received_and_answered() -> None:
    async def body(person: Person) -> None:
        await person.until(lambda: person.sheet is not None)
        table = person.table
        me = table.token(table.power or "")
        other = next(tag for tag in START.map.tags.values() if tag != me)
        sent = person.speak(f"{other} peace?")
        assert str(sent.press) == f"PRP (PCE ({me} {other}))"
        await person.hears("delivered to")
        # The bots propose peace to us of their own accord, and answer.
        await person.until(lambda: any("PRP (PCE" in text for text in person.got))
        answers = (f"FRM ({other}) ({me}) (YES", f"FRM ({other}) ({me}) (REJ")
        await person.until(lambda: any(answer in line for line in person.got for answer in answers))
        number = next(int(text.split()[0]) for text in person.got if "PRP (PCE" in text)
        assert "says yes to the proposal of peace" in person.english(person.reply(number, agree=True).press)
        await person.until(lambda: len(person.spoken) == 2)
        with pytest.raises(BordeauxError, match="there is no letter 999"):
            person.reply(999, agree=False)
        with pytest.raises(BordeauxError, match="free text needs level 8000"):
            person.say(f"{other} hello")

    with house(level=10) as served:
        served.seat(6, "blabbot")
        person, _ = on(served, body)
    letters = person.chronicle.press
    assert {letter["from"] for letter in letters} > {person.table.token(person.table.power or "")}


def test_what_cannot_be_done_is_said_in_one_line() -> None:
    async def body(person: Person) -> None:
        for act in (person.done, person.wait, lambda: person.give("A PAR H"), person.clear):
            with pytest.raises(BordeauxError, match="the game has not begun"):
                act()
        with pytest.raises(BordeauxError, match="no game is being played"):
            person.offer_draw()
        with pytest.raises(BordeauxError, match="nothing has been played yet"):
            person.past()
        await person.until(lambda: served.game.open_chairs == 1)
        await asyncio.to_thread(served.seat, 1)
        await person.until(lambda: person.sheet is not None)
        with pytest.raises(BordeauxError, match="there is no press to answer"):
            person.reply(None, agree=True)
        with pytest.raises(BordeauxError, match="there is no hint to take"):
            person.take()
        with pytest.raises(BordeauxError, match="this game has no press"):
            person.write("all PRP (DRW)")
        with pytest.raises(BordeauxError, match="a draw is of all survivors"):
            person.offer_draw(["FRA", "ENG"])
        person.ask_time()
        await person.hears("there is no deadline")

    with house() as served:
        served.seat(5)
        on(served, body)


def test_the_engine_gives_a_hint_that_can_be_taken() -> None:
    async def body(person: Person) -> None:
        await person.until(lambda: person.sheet is not None)
        hint = await person.hint(0.2)
        assert hint.orders and hint.lines
        with pytest.raises(BordeauxError, match="and no line 99"):
            person.take(99)
        assert sorted(map(str, person.take())) == sorted(hint.lines[0].orders)
        assert person.sheet is not None and person.sheet.missing() == []
        await person.until(lambda: person.phase is not None and person.phase.delivery.sent)

    with house() as served:
        served.seat(6)
        on(served, body)
