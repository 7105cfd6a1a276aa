"""Players by their specs (`bordeaux.players.spec`): which there are, who may ask for them, and `create`."""

from __future__ import annotations

from contextlib import nullcontext

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.players import python_class
from bordeaux.players.base import Player, Seat
from bordeaux.players.catalogue import CATALOGUE
from bordeaux.players.child import read_command
from bordeaux.players.spec import GUEST, Spec, parse, typed, unknown

LONGEST = 300
"""Characters of a spec that strangers may ask for."""


def names() -> tuple[str, ...]:
    """The names of all players that `create` knows."""
    return tuple(CATALOGUE)


def open_names() -> tuple[str, ...]:
    """The names of the players that anybody may ask for."""
    return tuple(name for name, entry in CATALOGUE.items() if entry.open is not None)


def describe(name: str) -> str:
    """The description of a player in one line. Raises BordeauxError for an unknown name."""
    if name not in CATALOGUE:
        raise unknown(name)
    return CATALOGUE[name].line


def admitted(text: str) -> Spec:
    """The spec in a text of a stranger, such as a request, a file or a link: the only way from there to a
    player. The catalogue lists the players and options that anybody may ask for. Raises BordeauxError for all
    others, and for what `parse` refuses. No player is made, and nothing foreign is loaded or looked up."""
    if len(text) > LONGEST:
        raise BordeauxError(f"a player's name and options have at most {LONGEST} characters")
    whole = parse(text)
    for spec in whole.all():
        entry = CATALOGUE.get(spec.name)
        if spec.foreign or entry is None or entry.open is None:
            raise BordeauxError(f"player {quote(spec.name)} runs a file or a program: {_ADVICE}")
        for option, value in spec.options.items():
            if option not in entry.open:
                raise BordeauxError(f"option {option} of player {spec.name} is not for everybody: {_ADVICE}")
            if isinstance(value, str) and value not in entry.open[option]:
                said = f"{', '.join(entry.open[option])}, not {quote(value)}"
                raise BordeauxError(f"option {option} of player {spec.name} is one of {said}: {_ADVICE}")
    return whole


_ADVICE = "pages, links and files cannot ask for it; name it yourself, with bordeaux play or arena --players"


def check(text: str) -> None:
    """Raise BordeauxError unless a text is the spec of a player that can be made. The programs of command
    lines are looked up, not started; a class is loaded and instantiated."""
    spec = parse(text)
    commands = [each.command for each in spec.all() if each.command]
    for command in commands:
        read_command(command)
    entry = CATALOGUE.get(spec.name)
    if entry is not None and hasattr(kind := entry.kind(), "check"):
        # Making it takes long, so it tells what it lacks beforehand.
        kind.check(**spec.options)
    elif not commands:
        map = Map.standard()
        player = create(spec, Seat(map.powers[0], map))
        with python_class.told(text) if any(each.foreign for each in spec.all()) else nullcontext():
            player.close()


def startup(text: str) -> float:
    """The seconds that making the player of a spec may take."""
    try:
        entries = [CATALOGUE.get(spec.name) for spec in parse(text).all()]
    except BordeauxError:
        entries = []
    return max((entry.startup for entry in entries if entry is not None), default=0.0)


def create(spec: str | Spec, seat: Seat) -> Player:
    """The player of a spec, in `seat`. Raises BordeauxError for an unknown name or option, an invalid value,
    or a class that cannot be loaded."""
    if isinstance(spec, str):
        spec = parse(spec)
    player: Player
    if spec.foreign:
        if not python_class.may_be(spec.name):
            # A word that is no module is more likely a name with a slip in it.
            raise unknown(spec.name.partition(":")[0])
        kind = python_class.class_of(spec.name)
        with python_class.told(spec.name):
            player = python_class.seated(kind, seat, typed(spec, kind))
        return player
    if spec.name == GUEST:
        raise BordeauxError(f"player {GUEST} sits in games of bordeaux play and arena only")
    entry = CATALOGUE[spec.name]
    player = entry.kind()(seat, **spec.options, **({entry.rest: spec.command} if entry.rest else {}))
    return player
