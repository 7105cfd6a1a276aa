"""A person on servers that are odd."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.players.base import Turn
from tests.daide.client.person import Person
from tests.daide.client.positions import BUILDS
from tests.daide.client.scripted import START, Result, Talk, play


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
    return result.bot.lines


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
    assert translate.turn_of(others.phase) == d.SeasonYear("SPR", 1902)
