"""A person on our own server, and on servers that are odd."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.board.phase import Phase
from bordeaux.daide import Ending, translate
from bordeaux.daide import language as d
from bordeaux.daide.client.human import Human
from bordeaux.players.protocol import Turn
from tests.daide.client.house import House, house
from tests.daide.client.positions import BUILDS
from tests.daide.client.scripted import START, Result, Talk, play

PATIENCE = 20.0


class Person(Human):
    """Notes what it is told; with a `plan`, does something at every phase."""

    plan: Callable[[Person], Awaitable[None]] | None = None

    def __init__(self, address: str, **rest: Any) -> None:
        self.documents: list[dict[str, Any]] = []
        self.told: list[str] = []
        self.got: list[str] = []
        self.turns: list[str] = []
        rest.pop("time", None)
        super().__init__(address, save=self.documents.append, **rest)

    def turned(self, latest: Turn | None) -> None:
        self.turns.append(f"{'-' if latest is None else latest.before.phase} {self.table.phase}")

    def letter(self, message: d.FRM, number: int) -> None:
        self.got.append(f"{number} {message}")

    def tell(self, line: str) -> None:
        self.told.append(line)

    async def until(self, true: Callable[[], object]) -> None:
        """Wait for something."""
        async with asyncio.timeout(PATIENCE):
            while not true():
                await asyncio.sleep(0.005)

    async def hears(self, *words: str) -> None:
        """Wait until something is told with all these words."""
        await self.until(lambda: any(all(word in line for word in words) for line in self.told))


def on(
    served: House, body: Callable[[Person], Awaitable[None]], **options: Any
) -> tuple[Person, Ending | None]:
    """Let a person play while `body` tells them what to do; the ending, if it came to one."""

    async def both() -> tuple[Person, Ending | None]:
        person = Person(served.address, **options)
        game = asyncio.create_task(person.play())
        acting = asyncio.ensure_future(body(person))
        try:
            await asyncio.wait((game, acting), return_when=asyncio.FIRST_COMPLETED, timeout=60)
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
        ours = [str(each.order) for each in played if each.power == person.table.power]
        assert str(phase) == "S1901M" and sorted(ours) == sorted([first[2], *(f"{u} H" for u in units[1:])])
        assert person.turns[:2] == ["- S1901M", "S1901M F1901M"]

    with house() as served:
        served.seat(5)
        person, _ = on(served, body)
    assert person.told == []
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
    async def body(person: Person) -> None:
        for number in range(1, 100):
            await person.until(lambda number=number: len(person.turns) >= number)
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
        await person.until(lambda: Phase.parse("S1901M") in person.chronicle.phases())
        assert len(person.past(Phase.parse("S1901M"))[1]) == 22
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
        person.write(f"{other} PRP (PCE ({me} {other}))")
        await person.hears("delivered to", f"PRP (PCE ({me} {other}))")
        # The bots propose peace to us of their own accord, and answer.
        await person.until(lambda: any("PRP (PCE" in text for text in person.got))
        answers = (f"FRM ({other}) ({me}) (YES", f"FRM ({other}) ({me}) (REJ")
        await person.until(lambda: any(answer in each for each in person.got for answer in answers))
        number = next(int(text.split()[0]) for text in person.got if "PRP (PCE" in text)
        person.reply(number, agree=True)
        await person.hears("delivered to", "YES (PRP (PCE")
        with pytest.raises(BordeauxError, match="there is no letter 999"):
            person.reply(999, agree=False)
        with pytest.raises(BordeauxError, match="free text needs level 8000"):
            person.say(f"{other} hello")

    with house(level=10) as served:
        served.seat(6, "dumbbot")
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
        found = await person.hint(0.2)
        assert found.orders and found.lines
        with pytest.raises(BordeauxError, match="and no line 99"):
            person.take(99)
        assert sorted(map(str, person.take())) == sorted(found.lines[0].orders)
        assert person.sheet is not None and person.sheet.missing() == []
        await person.until(lambda: person.phase is not None and person.phase.delivery.sent)

    with house() as served:
        served.seat(6)
        on(served, body)


# Servers that are odd.


class Scripted(Person):
    """Does what `act` says when the first phase is there."""

    acts: tuple[Callable[[Scripted], object], ...] = ()

    def turned(self, latest: Turn | None) -> None:
        super().turned(latest)
        if len(self.turns) == 1:
            for act in self.acts:
                act(self)


def scripted(*scripts: Any, acts: tuple[Callable[[Scripted], object], ...] = (), **options: Any) -> Result:
    class Acting(Scripted):
        pass

    Acting.acts = acts
    return play(*scripts, kind=Acting, **options)


def told(result: Result) -> list[str]:
    assert isinstance(result.bot, Person)
    assert result.error is None, result.error
    return result.bot.told


def test_a_server_that_does_not_wait_gets_the_orders_with_done() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat()
        talk.turn()
        assert await talk.hear() == "NOT (GOF)"
        talk.say("REJ (NOT (GOF))")
        assert (await talk.hear()).startswith("SUB (SPR 1901)")
        assert await talk.hear() == "GOF"
        talk.end()
        await talk.gone()

    result = scripted(script, acts=(lambda person: person.give("A PAR - BUR"), lambda person: person.done()))
    assert any("does not wait" in line for line in told(result))


def test_an_order_that_the_server_does_not_take_is_told_and_struck_out() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat()
        talk.turn()
        talk.say(f"YES ({await talk.hear()})")
        message = d.read(await talk.until("SUB"))
        assert isinstance(message, d.SUB)
        talk.say(d.THX(message.orders[0], "FAR"), "HUH (ERR GOF)")
        await asyncio.sleep(0.05)
        talk.end()
        await talk.gone()

    result = scripted(script, acts=(lambda person: person.give("A PAR - BUR"),))
    lines = told(result)
    assert "the server does not take A PAR - BUR: out of reach (FAR)" in lines
    assert "the server does not understand: HUH (ERR GOF)" in lines


def test_orders_that_nobody_sent_go_out_before_the_deadline() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat(options="(LVL 0) (MTL 1)")
        talk.turn(START, 1)
        # The server never says whether it waits.
        assert "(FRA AMY PAR) MTO BUR" in await talk.until("SUB")
        talk.end()
        await talk.gone()

    result = scripted(script, acts=(lambda person: person.give("A PAR - BUR"),))
    assert result.said("GOF") == []
    assert result.error is None


def test_a_person_is_warned_before_the_deadline() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat(options="(LVL 0) (MTL 120)")
        talk.turn(START, 120)
        talk.say("TME (16)")
        await asyncio.sleep(1.2)
        talk.end()
        await talk.gone()

    result = scripted(script)
    assert "15 s left; without orders: F BRE, A MAR, A PAR" in told(result)


def test_after_a_broken_link_the_orders_are_sent_again() -> None:
    async def first(talk: Talk) -> None:
        await talk.seat()
        talk.turn()
        talk.say(f"YES ({await talk.until('NOT')})")
        await talk.until("SUB")
        await talk.until("GOF")

    async def second(talk: Talk) -> None:
        await talk.introduce()
        talk.say(f"YES ({await talk.until('IAM (FRA) (77)')})", "HLO (FRA) (77) ((LVL 0))")
        talk.turn()
        assert await talk.until("SUB") == "SUB (SPR 1901) ((FRA AMY PAR) MTO BUR) " + (
            "((FRA FLT BRE) HLD) ((FRA AMY MAR) HLD)"
        )
        await talk.until("GOF")
        talk.end()
        await talk.gone()

    result = scripted(
        first, second, acts=(lambda person: person.give("A PAR - BUR"), lambda person: person.done())
    )
    assert any("trying again" in line for line in told(result))


def test_what_happens_to_others_is_told() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat(options="(LVL 20)")
        talk.turn()
        talk.say("CCD (ENG)", "NOT (CCD (ENG))", "OUT (ITA)", "ADM ('Host') ('soon')", "NOT (TME (50))")
        talk.say("REJ (SND (ENG) (PRP (DRW)))", "YES (NOT (DRW))")
        talk.say("FRM (GER) (FRA) (PRP (DMZ (FRA GER) (BUR)))")
        # Not of the language: it is shown as it stands, and answered HUH and TRY.
        talk.say("FRM (GER) (FRA) (PRP (BUR))")
        assert "(GER) (HUH (PRP (ERR BUR)))" in await talk.until("SND")
        talk.end()
        await talk.gone()

    result = scripted(script)
    lines = told(result)
    for line in (
        "ENGLAND is in civil disorder",
        "ENGLAND is back",
        "ITALY is out of the game",
        "Host (to all): soon",
        "the clock is stopped",
        "the server refuses: SND (ENG) (PRP (DRW))",
        "your offer of a draw is taken back",
        "from the server, not understood: FRM (GER) (FRA) (PRP (BUR))",
    ):
        assert line in lines
    assert isinstance(result.bot, Person)
    assert result.bot.got == ["1 FRM (GER) (FRA) (PRP (DMZ (FRA GER) (BUR)))"]


def test_builds_and_phases_without_orders() -> None:
    others = BUILDS.next({})

    async def script(talk: Talk) -> None:
        await talk.seat()
        talk.turn(BUILDS)
        talk.say(f"YES ({await talk.until('NOT')})")
        assert await talk.until("SUB") == "SUB (WIN 1901) ((FRA AMY MAR) BLD)"
        assert await talk.until("SUB") == "SUB (WIN 1901) ((FRA AMY MAR) BLD) (FRA WVE)"
        await talk.until("GOF")
        talk.turn(others)
        await talk.until("NOT (GOF)")
        talk.end()
        await talk.gone()

    async def build(person: Person) -> None:
        person.give("A MAR B")
        await person.until(lambda: person.phase is not None and person.phase.delivery.sent)
        person.done()

    pending: list[asyncio.Task[None]] = []
    result = scripted(script, acts=(lambda person: pending.append(asyncio.create_task(build(person))),))
    assert result.error is None
    assert translate.turn_of(others.phase) == d.Turn("SPR", 1902)
