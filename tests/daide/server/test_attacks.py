"""Floods, silent strangers, and talk: what they cost the server and the others. Real sockets, loopback."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import math
import random
from typing import Any

import pytest

from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server import Close, Effect, GameSettings, Save, Send, ServerGame
from bordeaux.daide.server.limits import Limits, Rate
from bordeaux.daide.server.rota import ROUND_MESSAGES
from bordeaux.daide.tokens import Vocabulary
from tests.daide.server.test_orders import SPRING

from ..recorded import mutated
from .fuzzing import some_message, swallow
from .wires import Client, Gone, player, serving, started, until

MDF = wire.dm(d.encode(d.MDF()))
FAST = Rate(each_second=1_000_000, at_once=1_000_000)
FREE = Limits(messages=FAST, network_messages=FAST)


class Counting(ServerGame):
    """Counts what it is told, by client."""

    def __init__(self) -> None:
        super().__init__(GameSettings(), seed=1)
        self.answered: list[int] = []

    def received(self, client: int, tokens: d.Tokens, now: float) -> list[Effect]:
        self.answered.append(client)
        return super().received(client, tokens, now)


@pytest.mark.parametrize("reads", [False, True])
async def test_a_flood_from_many_connections_lets_others_have_their_turn(reads: bool) -> None:
    game = Counting()
    async with serving(game, limits=FREE) as served:
        calm = await served.client()
        assert await calm.ask("OBS") == "YES (OBS)"
        assert await calm.hear() == "MAP ('standard')"
        floods = [await served.client() for _ in range(40)]
        for flood in floods:
            flood.write(MDF * 20_000)
        tasks = [asyncio.create_task(swallow(flood.reader)) for flood in floods if reads]
        while len(game.answered) < 200:
            await asyncio.sleep(0)
        between = []
        for _ in range(10):
            before = len(game.answered)
            assert await calm.ask("MAP") == "MAP ('standard')"
            between.append(len(game.answered) - before)
        # It is read, and waits for the turns of the others; of 800,000 messages that they have sent.
        assert max(between) <= 8 * ROUND_MESSAGES
        held = served.host.unread.sum
        assert held <= 40 * FREE.read_bytes, "no more is read while a message waits"
        for task in tasks:
            task.cancel()
        for flood in floods:
            flood.writer.transport.abort()


async def test_the_connections_of_an_address_share_what_it_may_send() -> None:
    game = Counting()
    limits = FREE._replace(network_messages=Rate(each_second=0.001, at_once=300))
    async with serving(game, limits=limits) as served:
        floods = [await served.client() for _ in range(3)]
        for flood in floods:
            flood.write(wire.dm(d.encode(d.MAP())) * 1000)
        tasks = [asyncio.create_task(swallow(flood.reader)) for flood in floods]
        await until(lambda: len(game.answered) >= 250)
        await asyncio.sleep(0.2)
        assert len(game.answered) <= 300
        assert {game.answered.count(client) >= 80 for client in (1, 2, 3)} == {True}, "each its share"
        for task in tasks:
            task.cancel()


async def test_coming_again_with_a_flood_is_no_way_round() -> None:
    game = Counting()
    limits = FREE._replace(network_messages=Rate(each_second=0.001, at_once=300))
    async with serving(game, limits=limits) as served:
        for _ in range(10):
            flood = await Client.connect(served.port)
            flood.write(wire.im() + wire.dm(d.encode(d.MAP())) * 100)
            await asyncio.sleep(0.05)
            flood.writer.transport.abort()
        assert len(game.answered) <= 300


async def test_what_waits_for_all_that_do_not_read_is_bounded_together() -> None:
    limits = FREE._replace(system_bytes=4096, unsent_total=300_000, unsent_pause=1_000_000)
    async with serving(limits=limits) as served:
        calm = await served.client()
        assert await calm.ask("OBS") == "YES (OBS)"
        deaf = [await served.client(buffer=4096) for _ in range(8)]
        for number, client in enumerate(deaf):
            client.hear_nothing()
            client.say(*["MDF"] * (20 + 5 * number))
        await served.logged("too much waits for clients that do not read")
        assert served.host.unsent.sum <= 300_000
        assert await calm.hear() == "MAP ('standard')"
        assert await calm.ask("SCO")


async def test_what_is_begun_and_not_ended_is_bounded_together() -> None:
    limits = Limits(unread_bytes=50_000, message_bytes=32_768)
    async with serving(limits=limits) as served:
        begun = wire.dm(bytes.fromhex("4b41") * 10_000)[:19_000]
        clients = [await served.client() for _ in range(4)]
        for client in clients:
            client.write(begun)
        await served.logged("too much waits to be read from all clients")
        assert served.host.unread.sum <= 50_000
        assert await (await served.client()).ask("MAP") == "MAP ('standard')"


async def reason(client: Client) -> str:
    """Why the server closes, as it says before it does."""
    heard = []
    with pytest.raises(Gone):
        while True:
            heard.append(await client.hear())
    return heard[-1]


async def test_strangers_must_take_part_in_time() -> None:
    # Places stay scarce when one of the two is gone before the other.
    async with serving(limits=Limits(stranger_seconds=0.3, connections=5)) as served:
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


async def ask_on(client: Client) -> None:
    """Ask again and again, and never take part."""
    with contextlib.suppress(ConnectionError):
        while True:
            await client.ask("MAP")
            await asyncio.sleep(0.02)


async def test_who_holds_up_the_start_must_accept_the_map_in_time() -> None:
    async with serving(limits=Limits(chair_seconds=0.3)) as served:
        slow = await served.client()
        assert (await slow.ask("NME ('Slow') ('1')")).startswith("YES")
        ready = await player(served)
        assert "has not accepted the map in 0.3 s" in await reason(slow)
        await asyncio.sleep(0.4)
        assert await ready.ask("MAP") == "MAP ('standard')"
        assert served.game.open_chairs == 6


async def test_strangers_who_fill_the_house_keep_no_player_out() -> None:
    limits = Limits(connections=16, connections_per_own_address=16, grace_seconds=100)
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


async def test_a_stranger_may_take_its_time_while_there_is_room() -> None:
    async with serving(limits=Limits(stranger_seconds=0.05, connections=8)) as served:
        silent = [await served.client() for _ in range(4)]
        await asyncio.sleep(0.3)
        assert await silent[0].ask("MAP") == "MAP ('standard')"
        fifth = await served.client()
        assert "places are scarce" in await reason(silent[1])
        await fifth.close()


async def test_the_last_places_are_for_players() -> None:
    async with serving(limits=Limits(connections=12, observers=9)) as served:
        for _ in range(9):
            assert await (await served.client()).ask("OBS") == "YES (OBS)"
        watcher, late = await served.client(), await served.client()
        assert await watcher.ask("OBS") == "YES (OBS)"
        assert await late.ask("NME ('Late') ('1')") == "YES (NME ('Late') ('1'))"
        assert "the last places are for players: 9 observe already" in await reason(watcher)
        assert await late.hear() == await late.ask("MAP") == "MAP ('standard')"


async def test_observers_who_fill_the_house_keep_no_owner_out() -> None:
    limits = Limits(connections=12, observers=12, grace_seconds=100)
    async with serving(limits=limits) as served:
        table = await started(served)
        await table["FRA"].close()
        await served.logged("nobody plays FRA")
        for _ in range(5):
            await served.client()
        watchers = [await served.client() for _ in range(6)]
        for watcher in watchers:
            assert await watcher.ask("OBS") == "YES (OBS)"
        back = await served.client()
        code = table["FRA"].passcode
        assert await back.ask(f"IAM (FRA) ({code})") == f"YES (IAM (FRA) ({code}))"


async def test_talk_costs_by_its_length_and_all_of_an_address_share_it() -> None:
    limits = Limits(network_talk=Rate(each_second=0.001, at_once=12))
    async with serving(limits=limits) as served:
        one, two = await served.client(), await served.client()
        short, long = "ADM ('Raw') ('hello')", f"ADM ('Raw') ('{'x' * 2400}')"
        assert await one.ask(short) == short
        assert await two.ask(long) == long, "ten times as long, and nearly all that is left"
        assert await one.ask(short) == short
        assert await one.ask(short) == f"REJ ({short})"
        assert await two.ask("MAP") == "MAP ('standard')"


PUBLIC = (d.ORD, d.SCO, d.NOW, d.SLO, d.DRW, d.SMR, d.CCD, d.TME, d.ADM, d.HLO, d.SVE, d.LOD, d.NOT, d.OFF)
PLAYERS_ONLY = (d.FRM, d.SVE, d.LOD, d.THX, d.MIS)


class Crowd:
    """Random clients around one game, and an ear on everything that is said."""

    def __init__(self, seed: int, settings: GameSettings) -> None:
        self.chance = random.Random(seed)
        position = SPRING if seed % 3 == 0 else None
        self.game = ServerGame(settings, seed=seed, position=position)
        self.vocabulary = Vocabulary.for_map(self.game.map)
        self.now = 0.0
        self.last = 0
        self.clients: list[int] = []
        self.powers: dict[int, str] = {}
        self.codes: dict[str, int] = {}
        self.known: set[int] = set()
        self.observers: set[int] = set()
        self.log: list[str] = []

    def step(self) -> None:
        """One thing that happens."""
        chance = self.chance
        dice = chance.random()
        waiting = self.game.state == "waiting" and chance.random() < 0.2
        if dice < 0.05 or waiting or not self.clients:
            self.last += 1
            self.clients.append(self.last)
            self.hear(self.last, self.game.connected(self.last, self.now))
            if chance.random() < 0.8:
                answer = "YES" if chance.random() < 0.9 else "REJ"
                for text in ("NME ('A') ('1')", f"{answer} (MAP ('standard'))"):
                    self.say(self.last, d.tokens_from_text(text))
        elif dice < 0.07:
            client = chance.choice(self.clients)
            self.clients.remove(client)
            effects = self.game.lost(client, self.now)
            self.powers.pop(client, None)
            self.hear(None, effects)
        elif dice < 0.16:
            self.now += chance.choice((0.1, 1, 5, 20))
            self.hear(None, self.game.tick(self.now))
        else:
            tokens = some_message(self.game, chance, self.codes)
            if chance.random() < 0.4:
                tokens = mutated(tokens, chance, chance.randint(1, 3))
            self.say(chance.choice(self.clients), tokens)
        wake = self.game.wake(self.now)
        assert wake is None or (math.isfinite(wake) and wake >= self.now)
        left = self.game.clock.left(self.now)
        assert left is None or 0 <= left <= (self.game.clock.limit or 0) + 1e-6

    def say(self, client: int, tokens: d.Tokens) -> None:
        if client in self.clients:
            self.hear(client, self.game.received(client, tokens, self.now), tokens)

    def hear(self, sender: int | None, effects: list[Effect], tokens: d.Tokens = ()) -> None:
        """Check what came of something that `sender` did (None: nobody, or one who is gone)."""
        for effect in effects:
            self.log.append(str(effect)[:500])
            match effect:
                case Send(client, message):
                    assert client in self.clients, (client, message)
                    self.check_message(sender, client, message, tokens)
                case Close(client, reason):
                    assert client == sender and reason
                    self.clients.remove(client)
                    self.powers.pop(client, None)
                case Save(game):
                    json.dumps(game, ensure_ascii=False).encode()

    def check_message(self, sender: int | None, client: int, message: Any, tokens: d.Tokens) -> None:
        if not isinstance(message, d.PRN | d.HUH):
            body = d.encode(message, self.vocabulary)
            assert d.read(d.tokens_from_bytes(body, self.vocabulary), side="server", level=8000) == message
        match message:
            case d.YES(d.OBS()):
                self.observers.add(client)
                self.known.add(client)
            case d.YES(d.NME()):
                self.known.add(client)
            case d.YES(d.IAM(power, _)):
                self.known.add(client)
                self.powers[client] = power
            case d.HLO(str(power), int(code), _):
                if power == "UNO":
                    assert client in self.observers and code == 0
                else:
                    assert self.powers.setdefault(client, power) == power
                    assert self.codes.setdefault(power, code) == code
            case d.FRM(author, to, _):
                assert sender is not None and self.powers[sender] == author and self.powers[client] in to
                assert tokens[0] == "SND"
        if client != sender:
            assert isinstance(message, (*PUBLIC, d.FRM)), message
            assert not isinstance(message, d.NOT) or isinstance(message.inner, d.TME | d.CCD)
            assert client in self.known or isinstance(message, d.OFF)
        if isinstance(message, PLAYERS_ONLY):
            assert client not in self.observers and client in self.known
        if isinstance(message, d.YES | d.REJ):
            assert client == sender and d.tokens(message.message) == tokens


SETTINGS = [
    GameSettings(),
    GameSettings(level=30, mtl=20, rtl=10, btl=10, dsd=True),
    GameSettings(level=130, mtl=15, aoa=True, pda=True, npr=True, npb=True, ptl=5),
    GameSettings(level=8000, mtl=30, rtl=30, btl=30, save="x", pda=True),
]


@functools.cache
def crowd(seed: int) -> Crowd:
    made = Crowd(seed, SETTINGS[seed % len(SETTINGS)])
    for _ in range(500):
        made.step()
    return made


@pytest.mark.parametrize("seed", range(4))
def test_nothing_raises_and_nothing_leaks(seed: int) -> None:
    made = crowd(seed)
    assert made.game.state in ("running", "over"), "the crowd never filled the chairs"
    assert made.codes
    saved = made.game.saved()
    if made.game.state == "running":
        assert ServerGame.resume(json.loads(json.dumps(saved))).saved() == saved
    made.hear(None, [effect for effect in made.game.off(made.now) if isinstance(effect, Send)])


def test_the_crowd_gets_far() -> None:
    """The random clients do play turns, go missing and come back, or these tests would show nothing."""
    words = {"ORD(", "THX(", "FRM(", "NOT(CCD", "YES(IAM", "CCD(", "HUH(", "PRN(", "REJ(", "Close(", "MIS("}
    for seed in range(8):
        words -= {word for line in crowd(seed).log for word in words if word in line}
        if not words:
            return
    raise AssertionError(words)
