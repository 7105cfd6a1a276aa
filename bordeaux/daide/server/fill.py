"""Our own players in free seats: child processes that connect like any other client.

Each child is a ``bordeaux bot``. A child that dies is restarted and takes its power over with the passcode,
so a crash costs a turn at most. They are processes because a searching bot must not block the server.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from typing import NamedTuple

from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.logbook import Logbook
from bordeaux.jobs.supervisor import Lifeline
from bordeaux.players import registry
from bordeaux.players.spec import parse

BOT = (sys.executable, "-P", "-m", "bordeaux", "bot")
"""The command of the player, without the address and the options."""
RESTARTS = 3
"""How often the bot of one seat is restarted."""
FIRST_DELAY = 0.5
"""Seconds before the first restart; the delay doubles each time."""
GRACE = 3.0
"""Seconds that children have to end on their own."""
PARTING = 10.0
"""Seconds to wait for children whose connections are closed; it takes some milliseconds on an idle
machine."""
LONGEST_LINE = 65536
LONGEST_NAME = 64
VERSION = "fill "
"""The beginning of our players' version, by which they are recognised in a saved game."""
PASSCODE = "BORDEAUX_PASSCODE"
"""The variable with a child's passcode, because everybody can read a command line."""


class ChildSeat(NamedTuple):
    """A seat for a child: the name and version of its introduction; to take a power over, that power's
    token."""

    name: str
    version: str
    power: str | None = None
    stands_in: bool = False


class Fill:
    """Seats `player` in all seats of a game except `kept`, which are for outside clients; None keeps all of
    them, and leaves only those of `stand_in`.

    In a resumed game, earlier seats of such players come first. `options` are further arguments of `program`,
    the same for all; `seed` determines their random numbers. Raises BordeauxError for an unknown player.
    """

    def __init__(
        self,
        player: str,
        game: ServerGame,
        logbook: Logbook,
        *,
        kept: int | None = 1,
        seed: int = 0,
        options: Sequence[str] = (),
        program: Sequence[str] = BOT,
    ) -> None:
        registry.check(player)
        self.player = player
        self._name = parse(player).short[:LONGEST_NAME]
        self._game = game
        self._logbook = logbook
        self._kept = kept
        self._seed = seed
        self._options = tuple(options)
        self._program = tuple(program)
        self._children: dict[ChildSeat, Process] = {}
        self._wanted: asyncio.Queue[str] = asyncio.Queue()

    def stand_in(self, power: str) -> None:
        """Seat a player for a power, by token, until its owner comes back; `run` must be running."""
        self._wanted.put_nowait(power)

    def chairs(self) -> list[ChildSeat]:
        """The seats to fill now."""
        if self._kept is None:
            return []
        vacant = self._game.vacant
        if not vacant:
            count = self._game.open_chairs - self._kept
            return [ChildSeat(self._name, f"{VERSION}{number}") for number in range(1, count + 1)]
        seats = self._seats()
        chairs = [ChildSeat(*seats[power], power) for power in vacant]
        ours = [chair for chair in chairs if chair.version.startswith(VERSION)]
        others = [
            ChildSeat(self._name, f"{VERSION}{chair.power}", chair.power)
            for chair in chairs
            if chair not in ours
        ]
        return (ours + others)[: max(0, len(chairs) - self._kept)]

    async def run(self, address: str) -> None:
        """Fill the seats of the server at `address`, later also those of `stand_in`, and keep them filled
        until cancelled; then end all children. The log has the reason for a seat that cannot be filled."""
        seed = self._seed
        self._lifeline = Lifeline()
        try:
            async with asyncio.TaskGroup() as group:
                for chair in self.chairs():
                    group.create_task(self._keep(chair, seed, address))
                    seed += 1
                while True:
                    power = await self._wanted.get()
                    chair = ChildSeat(self._name, f"{VERSION}{power}", power, stands_in=True)
                    group.create_task(self._keep(chair, seed, address))
                    seed += 1
        finally:
            await self._end()

    async def _keep(self, chair: ChildSeat, seed: int, address: str) -> None:
        """Run a child for a seat, repeatedly if it fails, until another client has it."""
        for again in range(RESTARTS + 1):
            code, last = await self._sit(chair, seed, address)
            if code == 0 or self._game.state == "over":
                return
            # Meanwhile the server notices that the child is gone.
            await asyncio.sleep(FIRST_DELAY * 2**again)
            if self._game.state == "running" and chair.power is None:
                chair = chair._replace(power=self._power_of(chair))
            if self._taken(chair):
                return
            self._logbook.note(f"{chair.name} ({chair.version}) has failed: {last or f'exit code {code}'}")
        self._logbook.note(f"{chair.name} ({chair.version}) is not started again")

    def _taken(self, chair: ChildSeat) -> bool:
        """Whether a seat needs no child any more: another client has it, perhaps a child of a killed
        server."""
        if chair.power is not None:
            return chair.power not in self._game.vacant
        return self._game.state != "waiting" or self._game.open_chairs <= (self._kept or 0)

    async def _sit(self, chair: ChildSeat, seed: int, address: str) -> tuple[int, str]:
        """Run one child to its end; returns its exit code and its last line on standard error."""
        command = [*self._program, address, "--player", self.player]
        command += ["--name", chair.name, "--version", chair.version, "--seed", str(seed), *self._options]
        surroundings = dict(os.environ)
        if chair.power is not None:
            command += ["--power", chair.power]
            passcode = self._game.spare_passcode if chair.stands_in else self._game.passcode
            surroundings[PASSCODE] = str(passcode(chair.power))
        try:
            child = await asyncio.create_subprocess_exec(
                *self._lifeline.command(command),
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=PIPE,
                limit=LONGEST_LINE,
                env=surroundings,
                **self._lifeline.options,
            )
        except OSError as error:
            return 1, f"it cannot be started: {error.strerror or error}"
        self._children[chair] = child
        assert child.stderr is not None
        last = ""
        while True:
            try:
                line = await child.stderr.readline()
            except ValueError:  # a line beyond all measure; what remains of it comes next
                continue
            if not line:
                break
            last = line.decode(errors="replace").strip() or last
            self._logbook.note(f"{chair.name} ({chair.version}): {last}")
        code = await child.wait()
        del self._children[chair]
        return code, last

    async def _end(self) -> None:
        """Ask children to end, then kill them. Before a game has begun they do not learn of the end
        otherwise: they are starting, or waiting for the server."""
        left = [asyncio.create_task(child.wait()) for child in self._children.values()]
        if left and self._game.state != "waiting":
            await asyncio.wait(left, timeout=GRACE)
        self._lifeline.cut()
        if left:
            await asyncio.wait(left, timeout=PARTING)

    def _seats(self) -> dict[str, tuple[str, str]]:
        """Name and version of the first owner of each power."""
        seats = self._game.saved()["daide"]["seats"]
        return {power: (seat["name"], seat["version"]) for power, seat in seats.items()}

    def _power_of(self, chair: ChildSeat) -> str | None:
        """The power of a seat's child."""
        for power, seat in self._seats().items():
            if seat == (chair.name, chair.version):
                return power
        return None
