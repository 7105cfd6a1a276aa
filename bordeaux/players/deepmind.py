"""The published agent of google-deepmind/diplomacy (Anthony and others, 2020) as a player.

Nothing of it is a part of Bordeaux: the user has the checkout, the parameters, and a Python in which it runs.
All seats of this process that name the same agent share one child process, which has loaded its network. It
is kept for later games, and ends with this process.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import sys
import time
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import encode
from bordeaux.formats.deepmind import ObservationHistory, action_of, check_map, legal_actions
from bordeaux.players.base import Chair, Limit, Seat, Turn, decoded
from bordeaux.players.child import Child, Late
from bordeaux.players.program import GRACE, PATIENCE

#: Seconds to load the network and compile it.
STARTUP = 300.0
_SCRIPT = Path(__file__).with_name("deepmind_agent.py")
_COUNT = itertools.count(1)


class _Agent:
    """The child process of an agent; every fault ends it, and is raised again by later calls."""

    def __init__(self, python: Path, checkout: Path, parameters: Path) -> None:
        words = [str(python), str(_SCRIPT), str(checkout), str(parameters)]
        self.child = Child(words, "the agent of google-deepmind/diplomacy")
        self._line(time.monotonic() + STARTUP)

    def ask(self, line: dict[str, Any], deadline: float) -> list[int]:
        """The actions for a line. Raises BordeauxError, or Late after `deadline` (``time.monotonic()``)."""
        number = next(_COUNT)
        self.child.send(json.dumps(line | {"id": number}))
        # An earlier answer may have come too late.
        answer: dict[str, Any] = {}
        while answer.get("id") != number:
            if not self.child.waits(deadline):
                raise Late(f"{self.child.name} gave no answer in time")
            answer = self._line(deadline)
        if "error" in answer:
            raise BordeauxError(f"{self.child.name}: {quote(answer['error'], 200)}")
        return [int(action) for action in answer["actions"]]

    def _line(self, deadline: float) -> dict[str, Any]:
        line: dict[str, Any] = json.loads(self.child.receive(deadline))
        return line


_AGENTS: dict[tuple[object, ...], _Agent] = {}


def release() -> None:
    """End the agents' processes; later games start them again."""
    while _AGENTS:
        (pid, *_), agent = _AGENTS.popitem()
        if pid == os.getpid():
            agent.child.end("has been closed")


atexit.register(release)


def _agent(*files: Path) -> _Agent:
    key = (os.getpid(), *files)
    if key not in _AGENTS or _AGENTS[key].child.ended:
        _AGENTS[key] = _Agent(*files)
    return _AGENTS[key]


class DeepMind(Chair):
    """The agent of the checkout in `folder`, with the file `parameters`, in the interpreter `python`.

    By default the parameters are the only ``*params.npz`` in the checkout or beside it, and the interpreter
    is the one in ``dip_env`` beside it, which its own script makes, or else this one. The `temperature` is
    that of its draws. The agent needs every phase from the first on; after a gap it begins anew. Raises
    BordeauxError for files that are missing, another map than the standard one, or an agent that fails.

    The constructor waits until the network is loaded, at most 300 seconds.
    """

    def __init__(
        self, seat: Seat, *, folder: str, parameters: str = "", python: str = "", temperature: float = 0.1
    ) -> None:
        super().__init__(seat)
        check_map(seat.map)
        files = self.check(folder=folder, parameters=parameters, python=python, temperature=temperature)
        self._temperature = temperature
        self._agent = _agent(*files)
        self._key = ""
        self._history = ObservationHistory()
        self._next: Position | None = None
        self._shown: Position | None = None
        self._answer: Sequence[Order] = ()

    @staticmethod
    def check(
        *, folder: str, parameters: str = "", python: str = "", temperature: float = 0.1
    ) -> tuple[Path, Path, Path]:
        """The interpreter, the checkout and the parameters, without starting anything. Raises BordeauxError
        for what is missing."""
        checkout = Path(folder).expanduser().resolve()
        if not (checkout / "network" / "network_policy.py").is_file():
            raise BordeauxError(f"{quote(folder)} holds no checkout of google-deepmind/diplomacy")
        if not 0.001 <= temperature <= 100:
            raise BordeauxError(f"temperature is a number from 0.001 to 100, not {temperature}")
        if parameters:
            found = [Path(parameters).expanduser().resolve()]
        else:
            found = [*checkout.glob("*params.npz"), *checkout.parent.glob("*params.npz")]
        if len(found) != 1 or not found[0].is_file():
            raise BordeauxError(
                f"the agent in {quote(folder)} needs its parameters: write deepmind:FOLDER,parameters=FILE"
            )
        own = checkout.parent / "dip_env" / "bin" / "python"
        interpreter = Path(python).expanduser() if python else own if own.exists() else Path(sys.executable)
        if not os.access(interpreter, os.X_OK):
            raise BordeauxError(f"{quote(python)} is no Python that can be run; write python=PATH")
        # Not resolved: a link is how an environment's interpreter knows which one it is.
        return interpreter.absolute(), checkout, found[0]

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The agent's orders. Raises BordeauxError if it fails, Late if it is late."""
        if position != self._shown:
            allowed = PATIENCE if limit.time is None else limit.time + GRACE
            self._answer = self._show(position, time.monotonic() + allowed)
        return self._answer

    def _show(self, position: Position, deadline: float | None) -> Sequence[Order]:
        """Show the agent a position; the orders that it gives by the deadline, if there is one."""
        new = not self._key or position != self._next
        if new:
            self._forget()
            self._key = f"{next(_COUNT)}"
            self._history = ObservationHistory()
        self._shown, self._answer = position, ()
        legal = legal_actions(position)[self.number]
        seen = self._history.observation(position)
        seed = blake2b(f"{self.chance.getrandbits(64)} {position.phase}".encode(), digest_size=4).digest()
        line = {
            "key": self._key,
            "new": new,
            "temperature": self._temperature,
            "seed": int.from_bytes(seed) >> 1,
            "slot": self.number,
            "legal": list(legal),
            "season": seen.season.value,
            "ones": np.flatnonzero(seen.board).tolist(),
            "build_numbers": seen.build_numbers.tolist(),
            "last_actions": seen.last_actions,
        }
        if deadline is None:
            self._agent.child.send(json.dumps(line))
            return ()
        given = self._agent.ask(line, deadline)
        return decoded(position.map, [legal[action] for action in given if action in legal])

    def observe(self, turn: Turn) -> None:
        """Show the agent a phase in which it had nothing to order, and note the orders of all."""
        if turn.before != self._shown:
            self._show(turn.before, None)
        removal = turn.before.phase.kind == "A"
        given: list[list[int]] = [[] for _ in turn.before.map.powers]
        for power, orders in turn.read().items():
            for order in orders:
                code, fault = encode(turn.before, power, order)
                action = None if fault else action_of(code, removal=removal)
                if action is not None:
                    given[turn.before.map.powers.index(power)].append(action)
        self._history.note(turn.before, given, turn.after)
        self._next = turn.after

    def close(self) -> None:
        """Forget the game; the process stays for the next one (`release`)."""
        self._forget()

    def _forget(self) -> None:
        if self._key and not self._agent.child.ended:
            self._agent.child.send(json.dumps({"key": self._key, "end": True}))
        self._key = ""
