"""When GOF goes out: never for a phase that its orders have ended."""

from __future__ import annotations

import asyncio

from bordeaux.daide import PlayerBot
from bordeaux.daide import language as d
from bordeaux.daide.server import Effect, GameSettings, Send, ServerGame
from tests.daide.client.positions import FALL
from tests.daide.client.scripted import START, Talk, play
from tests.daide.server.wires import run, serving


def test_a_server_that_plays_with_the_last_order_hears_none() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat("FRA", "(LVL 0)")
        talk.turn(START)
        await talk.orders()
        talk.turn(FALL)
        await talk.orders()
        talk.end()
        await talk.gone()

    result = play(script)
    assert result.ending is not None and len(result.said("SUB")) == 2
    assert result.said("GOF") == []


def test_one_that_misses_nothing_and_waits_gets_it_at_once_and_from_then_on() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat("FRA", "(LVL 0)")
        for position in (START, FALL):
            talk.turn(position)
            await talk.all_orders()
        talk.end()
        await talk.gone()

    result = play(script)
    assert result.ending is not None and result.said("GOF") == ["GOF"] * 2


def test_one_that_does_nothing_gets_it_after_a_while() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat("FRA", "(LVL 0)")
        talk.turn(START)
        await talk.orders()
        await talk.until("GOF")
        talk.end()
        await talk.gone()

    result = play(script)
    assert result.ending is not None and result.said("GOF") == ["GOF"]


def test_who_holds_a_phase_up_lets_it_go() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat("FRA", "(LVL 0) (MTL 5)")
        talk.turn(START, 5)
        await talk.until("NOT (GOF)")
        talk.say("YES (NOT (GOF))")
        await talk.orders()
        await talk.until("GOF")
        talk.turn(FALL, 5)
        await talk.until("NOT (GOF)")
        talk.say("REJ (NOT (GOF))")
        await talk.orders()
        talk.end()
        await talk.gone()

    result = play(script)
    assert result.ending is not None and len(result.said("GOF")) <= 2


class Listening(ServerGame):
    """Remembers what it says besides what a game needs."""

    def __init__(self, settings: GameSettings) -> None:
        super().__init__(settings, seed=5)
        self.missed: list[str] = []

    def received(self, client: int, tokens: d.Tokens, now: float) -> list[Effect]:
        effects = super().received(client, tokens, now)
        for effect in effects:
            if isinstance(effect, Send) and isinstance(effect.message, d.MIS | d.REJ | d.HUH | d.PRN):
                self.missed.append(f"{d.text(tokens)} => {d.text(effect.message)}")
        return effects


def test_a_whole_game_of_our_bots_on_our_server_has_nothing_refused() -> None:
    async def body() -> None:
        game = Listening(GameSettings(until=1904))
        async with serving(game, linger=1.0) as served:
            address = f"127.0.0.1:{served.port}"
            bots = [
                asyncio.create_task(PlayerBot(address, "random", seed=number).play()) for number in range(7)
            ]
            endings = await asyncio.gather(*bots)
        assert {ending.kind for ending in endings} == {"draw"}
        # A bot asks for the time after HLO as it does not know whether there is a limit.
        assert [message for message in game.missed if not message.startswith("TME")] == []

    run(body)
