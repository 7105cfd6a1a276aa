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


class Fill:
    """Seats `player` in all seats of a game except `kept`, which are for outside clients.

    In a resumed game, earlier seats of such players come first. `options` are further arguments of `program`,
    the same for all; `seed` determines their random numbers. Raises BordeauxError for an unknown player.
    """

    def __init__(
        self,
        player: str,
        game: ServerGame,
        logbook: Logbook,
        *,
        kept: int = 1,
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

    def chairs(self) -> list[ChildSeat]:
        """The seats to fill now."""
        if not self._game.vacant:
            count = self._game.open_chairs - self._kept
            return [ChildSeat(self._name, f"{VERSION}{number}") for number in range(1, count + 1)]
        ours, others = [], []
        for seat in self._game.empty:
            if seat.version.startswith(VERSION):
                ours.append(ChildSeat(seat.name, seat.version, seat.power))
            else:
                others.append(ChildSeat(self._name, f"{VERSION}{seat.power}", seat.power))
        return (ours + others)[: max(0, len(ours + others) - self._kept)]

    async def run(self, address: str) -> None:
        """Fill the seats of the server at `address`, and keep them filled until cancelled; then end all
        children. The log has the reason for a seat that cannot be filled."""
        self._lifeline = Lifeline()
        try:
            async with asyncio.TaskGroup() as group:
                for seed, chair in enumerate(self.chairs(), self._seed):
                    group.create_task(self._keep(chair, seed, address))
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
                powers = {(seat.name, seat.version): power for power, seat in self._game.seats.items()}
                chair = chair._replace(power=powers.get(chair[:2]))
            if self._taken(chair):
                return
            self._logbook.note(f"{chair.name} ({chair.version}) has failed: {last or f'exit code {code}'}")
        self._logbook.note(f"{chair.name} ({chair.version}) is not started again")

    def _taken(self, chair: ChildSeat) -> bool:
        """Whether a seat needs no child any more: another client has it, perhaps a child of a killed
        server."""
        if chair.power is not None:
            return chair.power not in self._game.vacant
        return self._game.state != "waiting" or self._game.open_chairs <= self._kept

    async def _sit(self, chair: ChildSeat, seed: int, address: str) -> tuple[int, str]:
        """Run one child to its end; returns its exit code and its last line on standard error."""
        command = [*self._program, address, "--player", self.player]
        command += ["--name", chair.name, "--version", chair.version, "--seed", str(seed), *self._options]
        surroundings = dict(os.environ)
        if chair.power is not None:
            command += ["--power", chair.power]
            surroundings[PASSCODE] = str(self._game.passcode(chair.power))
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
