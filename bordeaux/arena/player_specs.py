"""The players of the arena: every player of `bordeaux.players.registry`, and any DAIDE client.

``daide:COMMAND`` is a DAIDE client (see `bordeaux.daide.daide_player`); everything after the colon is its
command line, with settings before it.
"""

from __future__ import annotations

from bordeaux.board.errors import BordeauxError
from bordeaux.players import registry
from bordeaux.players.base import Player, Seat
from bordeaux.players.spec import GUEST, parse


def names() -> tuple[str, ...]:
    """The names of all players that `create` knows."""
    return (*registry.names(), GUEST)


def check(text: str) -> None:
    """Raise BordeauxError if `create` cannot take a spec, as far as can be determined without starting it."""
    spec = parse(text)
    if spec.name != GUEST:
        registry.check(text)
        return
    from bordeaux.daide.daide_player import read_daide_command

    read_daide_command(spec.command)


def create(text: str, seat: Seat) -> Player:
    """The player of a spec, in `seat`. Raises BordeauxError for an unknown name or option, and for a client
    that does not join."""
    spec = parse(text)
    if spec.name != GUEST:
        return registry.create(spec, seat)
    # Imported for such a guest alone: it takes a tenth of a second, in every process of an arena.
    from bordeaux.daide.daide_player import DaidePlayer

    return DaidePlayer(seat, command=spec.command)


def startup(text: str) -> float:
    """The seconds that making the player of a spec may take, and waiting for it if it is a client."""
    command = text.partition(":")[2] if text.partition(":")[0].strip() == GUEST else ""
    if not command:
        return registry.startup(text)
    from bordeaux.daide.daide_player import read_daide_command

    try:
        return read_daide_command(command).startup
    except BordeauxError:
        # Making it will tell why.
        return 0.0
