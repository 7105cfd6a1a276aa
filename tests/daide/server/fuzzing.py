"""Random messages of clients; and a live server in this process, to which clients talk rubbish over sockets.

Some say what is nearly right in the middle of a game that goes on, some break off in the middle of a
frame, some do not read. A calm client among them must always be answered, nothing may be raised, and
in the end nobody may be left in the house.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server import GameSettings, ServerGame
from bordeaux.daide.server.host import Host
from bordeaux.daide.server.limits import Limits, Rate
from tests.oracle.scenarios import Seeded
from tests.patience import PATIENCE

from ..language.sentences import Sentences
from ..recorded import mutated, mutated_bytes
from .test_orders import random_order
from .wires import Client

__all__ = ["Storm", "framed", "some_message", "swallow"]

PRESS = (
    "PRP (PCE (ENG FRA))",
    "YES (PRP (DRW))",
    "TRY (PRP PCE XDO POB)",
    "HUH (PRP (ERR XDO))",
    "PRP (XDO ((ENG FLT LON) HLD))",
    "PRP (AND (DRW) (SLO (TUR)))",
    "HOW (GER)",
    "'Hello'",
    "FRM (AUS) (ITA) (FCT (ALY (AUS ITA) VSS (TUR)))",
)
PLAIN = (
    "MAP MDF NOW SCO HLO ORD MIS GOF DRW TME OBS",
    "NOT (GOF)|NOT (SUB)|NOT (DRW)|NOT (TME)|GOF|GOF|SUB|()|",
    "YES (MAP ('standard'))|REJ (MAP ('standard'))|YES (SVE ('x'))|REJ (LOD ('x'))|NME ('A') ('1')",
    "HST (SPR 1902)|HST (FAL 1901)|TME (10)|TME (-3)|TME (8000)|NOT (TME (10))|ADM ('A') ('b')",
    "DRW (ENG FRA)|NOT (DRW (ENG FRA))|DRW (ENG ENG)|PRN (|HUH (ERR)|SMR|IAM (ENG) (3)|OFF",
    "FRM (ENG) (FRA) (DRW)|MIS (3)",
)
TEXTS = [text for row in PLAIN for text in (row.split("|") if "|" in row else row.split())]


def some_message(game: ServerGame, chance: Random, codes: dict[str, int]) -> d.Tokens:
    """Something that a client may say: mostly orders; also press, and claims with the passcodes `codes`."""
    dice, powers = chance.random(), list(game.names.powers)
    if dice < 0.55:
        choose = Seeded(chance.getrandbits(32))
        orders = [random_order(game.position, choose) for _ in range(chance.randint(1, 4))]
        if chance.random() < 0.5:
            token = chance.choice(powers)
            orders = [d.HLD(unit) for unit in game.orders.board.standing if unit.power == token] or orders
        return d.tokens(d.SUB(None, tuple(orders)))
    if dice < 0.65:
        to = " ".join(chance.sample(powers, chance.randint(1, 3)))
        return d.tokens_from_text(f"SND ({to}) ({chance.choice(PRESS)})")
    if dice < 0.75 and codes:
        return d.tokens(d.IAM(*chance.choice(list(codes.items()))))
    return d.tokens_from_text(chance.choice(TEXTS))


LEVELS = (0, 10, 20, 50, 100, 130, 8000)
POOL, WIDTH, EACH_GAME = 2000, 12, 20_000
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


class Storm:
    """Sends `frames` frames in all, a share of them to each of several games, from WIDTH clients at a time;
    `run` does it. What came of it is in the attributes."""

    def __init__(self, frames: int, seed: int = 0) -> None:
        self.frames = frames
        self.random = Random(f"storm {seed}")
        self.sent = self.sessions = self.games = self.phases = 0
        self.closings: Counter[str] = Counter()
        self.slowest = 0.0
        self.faults: list[object] = []
        self._pool = [
            Sentences(self.random.choice(LEVELS), self.random).say("client") for _ in range(min(POOL, frames))
        ]

    async def run(self, progress: Callable[[], None] = lambda: None) -> None:
        """Storm until all frames are sent; `progress` is called after every game."""
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self.faults.append(context))
        while self.sent < self.frames and not self.faults:
            chance = self.random
            level = chance.choice(LEVELS)
            names = ("dsd", "aoa", "pda", "npr", "npb")[: 5 if level else 2]
            flags: dict[str, Any] = {name: chance.random() < 0.3 for name in names}
            settings = GameSettings(level=level, mtl=5, rtl=3, btl=3, save="storm", **flags)
            await self._hold(ServerGame(settings, seed=chance.getrandbits(32)))
            progress()

    async def _hold(self, game: ServerGame) -> None:
        host = Host(game, limits=LIMITS, save=lambda game: None, log=self._log, pace=10.0, linger=0.05)
        port = int((await host.listen()).rpartition(":")[2])
        playing = asyncio.create_task(host.play())
        until = min(self.frames, self.sent + EACH_GAME)
        # Well-behaved clients start the game and leave: others may take their seats.
        early = [await Client.connect(port) for _ in range(game.open_chairs)]
        for client in early:
            await client.introduce()
            client.say("NME ('Calm') ('1')", "YES (MAP ('standard'))")
        for client in early:
            await client.hear_until("NOW")
            await client.close()
        calm = asyncio.create_task(self._be_calm(port, playing))
        wild = [self._be_wild(game, port, until, Random(self.random.random())) for _ in range(WIDTH)]
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

    def _log(self, line: str) -> None:
        if " is gone: " in line:
            self.closings[line.partition(" is gone: ")[2][:40]] += 1

    async def _be_calm(self, port: int, playing: asyncio.Task[Any]) -> None:
        """Ask for the map again and again; the answer must come, as long as there is a server."""
        client = await Client.connect(port)
        try:
            await client.introduce()
            while True:
                begun = time.perf_counter()
                client.say("MAP")
                await client.hear_until("MAP ('standard')")
                self.slowest = max(self.slowest, time.perf_counter() - begun)
                await asyncio.sleep(0.05)
        except TimeoutError:
            self.faults.append("the server does not answer")
        except Exception as error:
            await asyncio.wait([playing], timeout=0.5)
            if not playing.done() and not isinstance(error, ConnectionError):
                self.faults.append(error)
        finally:
            await client.close()

    async def _be_wild(self, game: ServerGame, port: int, until: int, random: Random) -> None:
        while self.sent < until and game.state != "over" and not self.faults:
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
        """One connection from beginning to end: of a player, an observer, an heir, or nobody."""
        writer.write(wire.im() if random.random() < 0.9 else mutated_bytes(wire.im(), random))
        codes = {power: game.passcode(power) for power in game.vacant}
        if codes and random.random() < 0.5:
            writer.write(framed(d.tokens(d.IAM(*random.choice(list(codes.items()))))))
        elif random.random() < 0.7:
            for text in (random.choice(("NME ('Wild') ('1')", "OBS")), "YES (MAP ('standard'))"):
                writer.write(framed(d.tokens_from_text(text)))
        for _ in range(random.choice((1, 3, 10, 30, 100))):
            if writer.transport.is_closing():
                return
            frame = self._frame(game, random, codes)
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
        last = (wire.fm(), wire.em(random.randrange(20)), self._frame(game, random, codes)[:3], b"")
        writer.write(random.choice(last))
        if random.random() < 0.2:
            writer.transport.abort()

    def _frame(self, game: ServerGame, random: Random, codes: dict[str, int]) -> bytes:
        said = random.choice((random.choice(self._pool), some_message(game, random, codes)))
        match random.randrange(20):
            case 0:
                return mutated_bytes(framed(said), random)
            case 1:
                return framed((said * random.randrange(1, 200))[:15_000])
            case 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10:
                return framed(said)
        return framed(mutated(said, random, random.choice((1, 1, 2, 4))))


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
