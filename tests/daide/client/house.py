"""A real server of ours on loopback, in a thread of its own, with players of ours in some chairs."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from bordeaux import Dislodged, Map, Position, Unit
from bordeaux.daide import Bot, Ending, PlayerBot
from bordeaux.daide import language as d
from bordeaux.daide.client.bot import Recorder
from bordeaux.daide.client.human import Human
from bordeaux.daide.server import GameSettings, ServerGame
from bordeaux.daide.server.host import Host
from bordeaux.players.base import Turn
from tests.daide.server.wires import until
from tests.patience import PATIENCE


async def ended(*bots: Bot) -> list[Ending]:
    """Let bots play to their end."""
    async with asyncio.timeout(PATIENCE):
        return await asyncio.gather(*(bot.play() for bot in bots))


class House:
    """A host that is playing; `address` is where, `saves` what it has saved."""

    def __init__(self, game: ServerGame, linger: float) -> None:
        self.game = game
        self.address = ""
        self.saves: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self._host = Host(game, save=self.saves.append, log=self.lines.append, linger=linger)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()))
        self._guests: list[asyncio.Task[Any]] = []

    async def _play(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.address = await self._host.listen()
        self._ready.set()
        await self._host.play()
        for guest in self._guests:
            guest.cancel()
        await asyncio.gather(*self._guests, return_exceptions=True)

    def call(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do something in the thread of the server, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def seat(self, count: int, player: str = "hold") -> None:
        """Let players of ours come, and wait until they have their chairs."""

        async def come() -> None:
            left = self.game.open_chairs - count
            for number in range(count):
                bot = PlayerBot(self.address, player, name=f"Guest{number}", seed=number)
                self._guests.append(asyncio.create_task(bot.play()))
            await until(lambda: self.game.open_chairs <= left)

        self.call(come())

    def until(self, true: Callable[[ServerGame], bool]) -> None:
        """Wait until something is true of the game."""
        self.call(until(lambda: true(self.game)))

    def stop(self) -> None:
        """End the game before its time."""
        self._loop.call_soon_threadsafe(self._host.stop)

    def cut(self) -> None:
        """Break all connections, as a network does."""

        async def break_all() -> None:
            for connection in tuple(self._host._clients.values()):
                connection.cut("the network is gone")

        self.call(break_all())

    def __enter__(self) -> House:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._host.stop)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        assert not self._host.faults, self._host.faults


@contextlib.contextmanager
def house(seed: int = 1, linger: float = 0.1, **settings: Any) -> Iterator[House]:
    """A server for a test, closed at its end; `settings` are those of the game."""
    with House(ServerGame(GameSettings(**settings), seed=seed), linger) as built:
        yield built


class Noting(Recorder):
    """Notes what it is told."""

    def __init__(self, address: str, **rest: Any) -> None:
        self.documents: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self.turns: list[str] = []
        rest.pop("time", None)
        super().__init__(address, save=self.documents.append, **rest)

    def turned(self, latest: Turn | None) -> None:
        self.turns.append(f"{'-' if latest is None else latest.before.phase} {self.table.phase}")

    def tell(self, line: str) -> None:
        self.lines.append(line)


class Person(Noting, Human):
    """A person, who also notes press."""

    def __init__(self, address: str, **rest: Any) -> None:
        self.got: list[str] = []
        super().__init__(address, **rest)

    def letter(self, message: d.FRM, number: int) -> None:
        self.got.append(f"{number} {message}")

    async def hears(self, words: str) -> None:
        """Wait until something is told with these words."""
        await until(lambda: any(words in line for line in self.lines))


STANDARD = Map.standard()
CENTRES = {"FRANCE": ["PAR", "MAR", "BRE", "SPA"], "RUSSIA": ["MOS", "WAR"], "GERMANY": ["BER", "MUN", "KIE"]}


def board(
    phase: str, units: dict[str, str], centres: dict[str, list[str]] | None = None, *dislodged: Dislodged
) -> Position:
    """A position of units such as ``{"FRANCE": "A PAR, F BRE"}``."""
    standing = [Unit(power, *unit.split()) for power, listed in units.items() for unit in listed.split(",")]
    return Position(STANDARD, phase, standing, centres or CENTRES, dislodged)


FALL = board("F1901M", {"FRANCE": "A PAR, A MAR, F BRE", "RUSSIA": "A MOS", "GERMANY": "A MUN"})
LEFT = {"FRANCE": "A PAR, F BRE", "GERMANY": "A MAR"}
RETREAT = board("F1901R", LEFT, None, Dislodged(Unit("FRANCE", "A", "MAR"), ("GAS", "SPA")))
NOWHERE = board("F1901R", LEFT, None, Dislodged(Unit("FRANCE", "A", "MAR"), ()))
OTHERS_RETREAT = board("S1902R", LEFT, None, Dislodged(Unit("RUSSIA", "A", "MUN"), ("TYR",)))
BUILDS = board(
    "W1901A", {"FRANCE": "A PAR, F MAO", "GERMANY": "A MUN, A BER, A KIE", "RUSSIA": "A MOS, A WAR"}
)
REMOVALS = board(
    "W1901A",
    {
        "FRANCE": "A PAR, A MAR, F BRE, F MAO, A GAS, A BUR",
        "GERMANY": "A MUN, A BER, A KIE",
        "RUSSIA": "A MOS, A WAR",
    },
)
LOST = board("S1903M", {"RUSSIA": "A MOS", "GERMANY": "A MUN"}, {"RUSSIA": ["MOS"], "GERMANY": ["MUN"]})
