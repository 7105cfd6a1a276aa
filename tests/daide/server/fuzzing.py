"""A live server in this process, and clients that talk rubbish to it over sockets.

Some say what is nearly right in the middle of a game that goes on, some break off in the middle of a
frame, some do not read. A calm client among them must always be answered, nothing may be raised, and
in the end nobody may be left in the house.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from bordeaux.board.notation import parse_order
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server import GameSettings, ServerGame
from bordeaux.daide.server.host import Host
from bordeaux.daide.server.limits import Limits, Rate
from bordeaux.daide.translate import value_of
from bordeaux.rules.adjudication import legal_orders
from tests.patience import PATIENCE

from ..language.sentences import Sentences
from ..recorded import mutated, mutated_bytes
from .wires import Client

__all__ = ["Storm"]

LEVELS = (0, 10, 20, 50, 100, 130, 8000)
POOL = 2000
FAST = Rate(each_second=1e9, at_once=1e9)
LIMITS = Limits(
    introduction_seconds=10.0,
    stall_seconds=0.5,
    connections=1000,
    connections_per_address=1000,
    arrivals=FAST,
    messages=FAST,
    press=FAST,
    system_bytes=65_536,
    unsent_pause=65_536,
    unsent_bytes=1_000_000,
    unsent_seconds=1.0,
    farewell_seconds=0.5,
)
LONGEST_GAME = 300
"""Phases after which a game is not resumed: all of them are saved with each."""
BARE = (
    "MIS",
    "GOF",
    "DRW",
    "NOW",
    "SCO",
    "ORD",
    "HLO",
    "TME",
    "MAP",
    "MDF",
    "OBS",
    "PRN",
    "HUH",
    "SUB",
    "NOT",
)
TEXTS = ("NOT (GOF)", "NOT (DRW)", "NOT (SUB)", "TME (3)", "NOT (TME)", "HST (SPR 1901)", "ADM ('x') ('y')")


class Storm:
    """Sends `frames` frames in all, a share of them to each of several games, from `width` clients at
    a time; `run` does it. What came of it is in the attributes."""

    def __init__(self, frames: int, seed: int = 0, *, width: int = 12, each_game: int = 20_000) -> None:
        self.frames = frames
        self.random = Random(f"storm {seed}")
        self.width = width
        self.each_game = each_game
        self.sent = self.sessions = self.games = self.phases = 0
        self.closings: Counter[str] = Counter()
        self.slowest = 0.0
        self.faults: list[object] = []
        self._pool = [
            Sentences(self.random.choice(LEVELS), self.random).say("client") for _ in range(min(POOL, frames))
        ]
        self._early: list[Client] = []
        self._saved: dict[str, Any] | None = None
        self._legal: tuple[Position | None, dict[str, dict[str, list[str]]]] = (None, {})

    async def run(self, progress: Callable[[], None] = lambda: None) -> None:
        """Storm until all frames are sent; `progress` is called after every game."""
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self.faults.append(context))
        while self.sent < self.frames and not self.faults:
            await self._hold_one(self._next_game())
            progress()

    def _next_game(self) -> ServerGame:
        """A new game, or the last one from its saved form."""
        saved, self._saved = self._saved, None
        going_on = saved is not None and saved["daide"]["state"] == "running"
        if saved and going_on and len(saved["phases"]) < LONGEST_GAME and self.random.random() < 0.5:
            return ServerGame.resume(json.loads(json.dumps(saved)))
        level = self.random.choice(LEVELS)
        flags = {name: self.random.random() < 0.3 for name in ("dsd", "aoa")}
        if level >= 10:
            flags |= {name: self.random.random() < 0.3 for name in ("pda", "npr", "npb")}
        return ServerGame(
            GameSettings(level=level, mtl=5, rtl=3, btl=3, save="storm", **flags),
            seed=self.random.getrandbits(32),
        )

    async def _hold_one(self, game: ServerGame) -> None:
        host = Host(game, limits=LIMITS, save=self._keep, log=self._log, pace=10.0, linger=0.05, patience=0.1)
        address = await host.listen()
        port = int(address.rpartition(":")[2])
        playing = asyncio.create_task(host.play())
        until = min(self.frames, self.sent + self.each_game)
        await self._start(game, port)
        calm = asyncio.create_task(self._be_calm(port, playing))
        wild = [
            asyncio.create_task(self._be_wild(game, port, until, playing, Random(self.random.random())))
            for _ in range(self.width)
        ]
        await asyncio.gather(*wild)
        host.stop()
        try:
            await asyncio.wait_for(playing, PATIENCE)
            await asyncio.wait_for(calm, PATIENCE)
        except TimeoutError:
            self.faults.append("the server hangs")
        self.faults += host.faults
        left = [*host._sockets, *host._clients, *game.clients]
        if left:
            self.faults.append(f"somebody is left: {left}")
        self.games += 1
        self.phases += len(game.history)

    async def _start(self, game: ServerGame, port: int) -> None:
        """Let well-behaved clients start the game and leave: others may take their seats."""
        for _ in range(game.open_chairs if not game.vacant else 0):
            client = await Client.connect(port)
            await client.introduce()
            client.say("NME ('Calm') ('1')", "YES (MAP ('standard'))")
            await client.hear_until("MAP")
            await client.writer.drain()
            self._early.append(client)
        async with asyncio.timeout(PATIENCE):
            while game.state == "waiting":
                await asyncio.sleep(0.01)
        while self._early:
            await self._early.pop().close()

    def _keep(self, saved: dict[str, Any]) -> None:
        self._saved = saved

    def _log(self, line: str) -> None:
        if " is gone: " in line:
            self.closings[line.partition(" is gone: ")[2][:40]] += 1

    async def _be_calm(self, port: int, playing: asyncio.Task[Any]) -> None:
        """Ask for the map again and again; the answer must come, as long as there is a server."""
        try:
            client = await Client.connect(port)
            try:
                await client.introduce()
                while True:
                    begun = time.perf_counter()
                    client.say("MAP")
                    await client.hear_until("MAP ('standard')")
                    self.slowest = max(self.slowest, time.perf_counter() - begun)
                    await asyncio.sleep(0.05)
            finally:
                await client.close()
        except TimeoutError:
            self.faults.append("the server does not answer")
        except Exception as error:
            if not playing.done():
                await asyncio.sleep(0.5)
            if not playing.done() and not isinstance(error, ConnectionError):
                self.faults.append(error)

    async def _be_wild(
        self, game: ServerGame, port: int, until: int, playing: asyncio.Task[Any], random: Random
    ) -> None:
        while self.sent < until and not playing.done() and game.state != "over" and not self.faults:
            with contextlib.suppress(ConnectionError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                reading = asyncio.create_task(swallow(reader)) if random.random() < 0.9 else None
                self.sessions += 1
                try:
                    await self._session(game, writer, random)
                finally:
                    if reading is None:
                        writer.transport.abort()
                    writer.close()
                    with contextlib.suppress(ConnectionError):
                        await writer.wait_closed()
                    if reading is not None:
                        await reading

    async def _session(self, game: ServerGame, writer: asyncio.StreamWriter, random: Random) -> None:
        """One connection from beginning to end."""
        beginning = wire.im() if random.random() < 0.9 else mutated_bytes(wire.im(), random)
        for request in self._introduction(game, random):
            beginning += framed(request)
        writer.write(beginning)
        for _ in range(random.choice((1, 3, 10, 30, 100))):
            if writer.transport.is_closing():
                return
            frame = self._frame(game, random)
            self.sent += 1
            cut = random.randrange(len(frame) + 1) if random.random() < 0.1 else 0
            writer.write(frame[:cut])
            if cut:
                await asyncio.sleep(0)
            writer.write(frame[cut:])
            if random.random() < 0.2:
                async with asyncio.timeout(PATIENCE):
                    await writer.drain()
                await asyncio.sleep(0)
        match random.randrange(5):
            case 0:
                writer.write(wire.fm())
            case 1:
                writer.write(wire.em(random.randrange(20)))
            case 2:
                writer.write(self._frame(game, random)[:3])
            case 3:
                writer.transport.abort()

    def _introduction(self, game: ServerGame, random: Random) -> list[d.Tokens]:
        """What a client says to become somebody: a player, an observer, an heir, or nobody."""
        vacant = game.vacant
        if vacant and random.random() < 0.5:
            power = random.choice(vacant)
            return [d.tokens(d.IAM(power, game.passcode(power)))]
        chosen = random.random()
        ready = d.tokens(d.YES(d.MAP("standard")))
        if chosen < 0.5:
            return [d.tokens(d.NME("Wild", "1")), ready]
        return [d.tokens(d.OBS()), ready] if chosen < 0.7 else []

    def _frame(self, game: ServerGame, random: Random) -> bytes:
        match random.randrange(20):
            case 0:
                return mutated_bytes(framed(random.choice(self._pool)), random)
            case 1:
                long = tuple(random.choice(self._pool)) * random.randrange(1, 200)
                return framed(long[:15_000])
            case 2 | 3 | 4:
                return framed((random.choice(BARE),))
            case 5 | 6:
                return framed(d.tokens_from_text(random.choice(TEXTS)))
            case 7 | 8 | 9 | 10:
                return framed(self._orders(game, random))
            case 11 | 12:
                return framed(mutated(self._orders(game, random), random))
            case 13 | 14:
                return framed(random.choice(self._pool))
        return framed(mutated(random.choice(self._pool), random, random.choice((1, 1, 2, 4))))

    def _orders(self, game: ServerGame, random: Random) -> d.Tokens:
        """SUB with legal orders of a power."""
        position = game.position
        if self._legal[0] is not position:
            self._legal = position, {}
        power = random.choice(position.map.powers)
        if power not in self._legal[1]:
            self._legal[1][power] = legal_orders(position, power)
        orders = []
        for choices in self._legal[1][power].values():
            order = parse_order(random.choice(choices), position.map, position)
            with contextlib.suppress(ValueError, KeyError):
                orders.append(value_of(order, power, position))
        return d.tokens(d.SUB(None, tuple(orders))) if orders else ("GOF",)


def framed(tokens: d.Tokens) -> bytes:
    """A message on its way. A province of no map becomes a token that nobody knows, and an empty message
    the shortest there is."""
    sendable = tuple("0x50FF" if token == "XXX" else token for token in tokens)
    return wire.dm(d.encode(sendable or ("MIS",)))


async def swallow(reader: asyncio.StreamReader) -> None:
    """Read and forget, to the end."""
    with contextlib.suppress(ConnectionError):
        while await reader.read(65536):
            pass
