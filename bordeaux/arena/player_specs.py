"""The players of the arena: every player of `bordeaux.players.registry`, and any DAIDE client.

``daide:COMMAND`` is a DAIDE client (see `bordeaux.daide.daide_player`); everything after the colon is its
command line. ``FILE.py:CLASS`` and ``MODULE:CLASS`` are Python classes, as in the registry.
"""

from __future__ import annotations

from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.players import registry
from bordeaux.players.protocol import Player, Seat

__all__ = ["check", "create", "names"]

_GUEST = "daide"


def names() -> tuple[str, ...]:
    """The names of all players that `create` knows."""
    return (*registry.names(), _GUEST)


def check(spec: str) -> None:
    """Raise BordeauxError if `create` cannot take `spec`, as far as can be determined without starting it."""
    command = _guest(spec)
    name = spec.partition(":")[0]
    if name not in names() and not name.endswith(".py") and not registry.runs_what(spec):
        hint = nearest(name, names()) or f"; players: {', '.join(_shapes())}"
        raise BordeauxError(f"no player {quote(name)}{hint}")
    if command is None:
        registry.check(spec)
    else:
        from bordeaux.daide.daide_player import read_daide_command

        read_daide_command(command)


def create(spec: str, seat: Seat) -> Player:
    """The player that `spec` names, in `seat`. Raises BordeauxError for an unknown name or option, and for a
    client that does not join."""
    command = _guest(spec)
    if command is None:
        return registry.create(spec, seat)
    # Imported for such a guest alone: it takes a tenth of a second, in every process of an arena.
    from bordeaux.daide.daide_player import DaidePlayer

    return DaidePlayer(seat, command=command)


def _shapes() -> list[str]:
    """The notation of the players, with the command line where they take one."""
    shapes = [f"{name}:COMMAND" if name in ("program", "dui", _GUEST) else name for name in names()]
    return [*shapes, "FILE.py:CLASS"]


def _guest(spec: str) -> str | None:
    """The command line of a DAIDE client; None for other players."""
    name, _, command = spec.partition(":")
    return command if name == _GUEST else None
