"""Floods, silent strangers, and talk: what they cost the server and the others. Real sockets, loopback."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server import Effect, GameSettings, ServerGame
from bordeaux.daide.server.limits import Limits, Rate
from bordeaux.daide.server.rota import ROUND_MESSAGES

from .wires import Client, Gone, player, run, serving, started

MDF = wire.dm(d.encode(d.MDF()))
FAST = Rate(each_second=1_000_000, at_once=1_000_000)
FREE = Limits(messages=FAST, address_messages=FAST)


class Counting(ServerGame):
    """Counts what it is told, by client."""

    def __init__(self) -> None:
        super().__init__(GameSettings(), seed=1)
        self.answered: list[int] = []

    def received(self, client: int, tokens: d.Tokens, now: float) -> list[Effect]:
        self.answered.append(client)
        return super().received(client, tokens, now)


async def reading(client: Client) -> None:
    """Read and throw away, as somebody who floods may do."""
    with contextlib.suppress(ConnectionError):
        while await client.reader.read(65536):
            pass


@pytest.mark.parametrize("reads", [False, True])
def test_a_flood_from_many_connections_lets_others_have_their_turn(reads: bool) -> None:
    async def body() -> None:
        game = Counting()
        async with serving(game, limits=FREE) as served:
            calm = await served.client()
            assert await calm.ask("OBS") == "YES (OBS)"
            assert await calm.hear() == "MAP ('standard')"
            floods = [await served.client() for _ in range(40)]
            for flood in floods:
                flood.write(MDF * 20_000)
            tasks = [asyncio.create_task(reading(flood)) for flood in floods if reads]
            while len(game.answered) < 200:
                await asyncio.sleep(0)
            between = []
            for _ in range(10):
                before = len(game.answered)
                assert await calm.ask("MAP") == "MAP ('standard')"
                between.append(len(game.answered) - before)
            # It is read, and waits for the turns of the others; of 800,000 messages that they have sent.
            assert max(between) <= 8 * ROUND_MESSAGES
            held = served.host._unread.sum
            assert held <= 40 * FREE.read_bytes, "no more is read while a message waits"
            for task in tasks:
                task.cancel()
            for flood in floods:
                flood.writer.transport.abort()

    run(body)


def test_the_connections_of_an_address_share_what_it_may_send() -> None:
    async def body() -> None:
        game = Counting()
        limits = FREE._replace(address_messages=Rate(each_second=0.001, at_once=300))
        async with serving(game, limits=limits) as served:
            floods = [await served.client() for _ in range(3)]
            for flood in floods:
                flood.write(wire.dm(d.encode(d.MAP())) * 1000)
            tasks = [asyncio.create_task(reading(flood)) for flood in floods]
            while len(game.answered) < 250:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)
            assert len(game.answered) <= 300
            assert {game.answered.count(client) >= 80 for client in (1, 2, 3)} == {True}, "each its share"
            for task in tasks:
                task.cancel()

    run(body)


def test_coming_again_with_a_flood_is_no_way_round() -> None:
    async def body() -> None:
        game = Counting()
        limits = FREE._replace(address_messages=Rate(each_second=0.001, at_once=300))
        async with serving(game, limits=limits) as served:
            for _ in range(10):
                flood = await Client.connect(served.port)
                flood.write(wire.im() + wire.dm(d.encode(d.MAP())) * 100)
                await asyncio.sleep(0.05)
                flood.writer.transport.abort()
            assert len(game.answered) <= 300

    run(body)


def test_what_waits_for_all_that_do_not_read_is_bounded_together() -> None:
    async def body() -> None:
        limits = FREE._replace(system_bytes=4096, unsent_total=300_000, unsent_pause=1_000_000)
        async with serving(limits=limits) as served:
            calm = await served.client()
            assert await calm.ask("OBS") == "YES (OBS)"
            deaf = [await served.client(buffer=4096) for _ in range(8)]
            for number, client in enumerate(deaf):
                client.hear_nothing()
                client.say(*["MDF"] * (20 + 5 * number))
            await served.logged("too much waits for clients that do not read")
            assert served.host._unsent.sum <= 300_000
            assert await calm.hear() == "MAP ('standard')"
            assert await calm.ask("SCO")

    run(body)


def test_what_is_begun_and_not_ended_is_bounded_together() -> None:
    async def body() -> None:
        limits = Limits(unread_bytes=50_000, message_bytes=32_768)
        async with serving(limits=limits) as served:
            begun = wire.dm(bytes.fromhex("4b41") * 10_000)[:19_000]
            clients = [await served.client() for _ in range(4)]
            for client in clients:
                client.write(begun)
            await served.logged("too much waits to be read from all clients")
            assert served.host._unread.sum <= 50_000
            assert await (await served.client()).ask("MAP") == "MAP ('standard')"

    run(body)


async def reason(client: Client) -> str:
    """Why the server closes, as it says before it does."""
    heard = []
    with pytest.raises(Gone):
        while True:
            heard.append(await client.hear())
    return heard[-1]


def test_strangers_must_take_part_in_time() -> None:
    async def body() -> None:
        async with serving(limits=Limits(stranger_seconds=0.3)) as served:
            silent, busy, watcher = [await served.client() for _ in range(3)]
            seated = await player(served)
            assert await watcher.ask("OBS") == "YES (OBS)"
            talking = asyncio.create_task(ask_on(busy))
            assert "neither plays nor observes in 0.3 s" in await reason(silent)
            with pytest.raises(Gone):
                await talking
            await asyncio.sleep(0.4)
            assert await seated.ask("MAP") == "MAP ('standard')"
            assert await watcher.hear() == await watcher.ask("MAP") == "MAP ('standard')"

    run(body)


async def ask_on(client: Client) -> None:
    """Ask again and again, and never take part."""
    with contextlib.suppress(ConnectionError):
        while True:
            await client.ask("MAP")
            await asyncio.sleep(0.02)


def test_who_holds_up_the_start_must_accept_the_map_in_time() -> None:
    async def body() -> None:
        async with serving(limits=Limits(chair_seconds=0.3)) as served:
            slow = await served.client()
            assert (await slow.ask("NME ('Slow') ('1')")).startswith("YES")
            ready = await player(served)
            assert "has not accepted the map in 0.3 s" in await reason(slow)
            await asyncio.sleep(0.4)
            assert await ready.ask("MAP") == "MAP ('standard')"
            assert served.game.open_chairs == 6

    run(body)


def test_strangers_who_fill_the_house_keep_no_player_out() -> None:
    async def body() -> None:
        limits = Limits(connections=16, connections_per_own_address=16, kept=0, grace_seconds=100)
        async with serving(limits=limits) as served:
            table = await started(served)
            for _ in range(9):
                await served.client()
            refused = await served.client(bare=True)
            refused.writer.close()
            await served.logged("refused", "16 connections")
            await table["FRA"].close()
            await served.logged("nobody plays FRA")
            await served.client()
            await served.client()
            back = await served.client()
            code = table["FRA"].passcode
            assert await back.ask(f"IAM (FRA) ({code})") == f"YES (IAM (FRA) ({code}))"
            await served.logged("a stranger, is gone", "makes place")

    run(body)


def test_who_gets_one_of_the_last_places_must_play() -> None:
    async def body() -> None:
        limits = Limits(connections=12, kept=3, claim_seconds=0.3)
        async with serving(limits=limits) as served:
            for _ in range(9):
                assert await (await served.client()).ask("OBS") == "YES (OBS)"
            watcher, late = await served.client(), await served.client()
            assert await watcher.ask("OBS") == "YES (OBS)"
            assert await late.ask("NME ('Late') ('1')") == "YES (NME ('Late') ('1'))"
            assert "the last places are for players" in await reason(watcher)
            assert await late.hear() == await late.ask("MAP") == "MAP ('standard')"

    run(body)


def test_talk_costs_by_its_length_and_all_of_an_address_share_it() -> None:
    async def body() -> None:
        limits = Limits(address_talk=Rate(each_second=0.001, at_once=12))
        async with serving(limits=limits) as served:
            one, two = await served.client(), await served.client()
            short, long = "ADM ('Raw') ('hello')", f"ADM ('Raw') ('{'x' * 2400}')"
            assert await one.ask(short) == short
            assert await two.ask(long) == long, "ten times as long, and nearly all that is left"
            assert await one.ask(short) == short
            assert await one.ask(short) == f"REJ ({short})"
            assert await two.ask("MAP") == "MAP ('standard')"

    run(body)
