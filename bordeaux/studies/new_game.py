"""New games against our players: who may play, and the study of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bordeaux.board.errors import FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.players import limits, registry
from bordeaux.players.base import Limit
from bordeaux.players.catalogue import CATALOGUE
from bordeaux.press.language.letter import Talker
from bordeaux.press.language.levels import FREE_TEXT, LEVELS
from bordeaux.studies.games import StudyGame, opened
from bordeaux.studies.intake import study_of_position
from bordeaux.studies.store import named
from bordeaux.studies.study import Study
from bordeaux.studies.table import YOU

SECONDS = 1.0
"""The default number of seconds that players have for a phase."""
NAMED = "bordeaux"
"""The player that has levels of strength."""


def checked(spec: str) -> str:
    """A player's spec. Raises BordeauxError if not everybody may ask for it, or if it cannot be made."""
    registry.admitted(spec)
    registry.check(spec)
    return spec


def offered() -> list[dict[str, str]]:
    """The players that the page offers, each with its name and a description, which says if it does not talk:
    levels of the engine, the strongest first, then all others by their specs."""
    opponents = [
        {
            "spec": NAMED if level.number == limits.FULL else f"{NAMED}:level={level.number}",
            "name": level.name,
            "told": level.line,
        }
        for level in reversed(limits.LEVELS)
    ]
    others = (name for name in registry.open_names() if name != NAMED)
    return opponents + [{"spec": name, "name": name, "told": _told(name)} for name in others]


def _told(name: str) -> str:
    """The description of a player."""
    talks = issubclass(CATALOGUE[name].kind(), Talker)
    return registry.describe(name) + ("" if talks else "; does not talk")


def new_game(
    board: Map,
    players: Mapping[str, str],
    *,
    limit: Limit,
    level: object = 0,
    seed: int = 0,
    until: int | None = None,
    name: str = "",
) -> Study:
    """The study of a new game, not yet kept. `players` has a spec for each power, `YOU` for the person's.
    `level` is that of the press. The other arguments are those of `StudyGame`. Raises FormatError, MapError
    and BordeauxError for what cannot be played."""
    seats = {board.power(power): spec for power, spec in players.items()}
    missing = [power for power in board.powers if power not in seats]
    if missing:
        raise FormatError(
            f"'players' names nobody for {', '.join(missing)}; each power needs a player or 'you'"
        )
    if YOU not in seats.values():
        raise FormatError("'players' has no 'you'; to watch programs play use bordeaux play")
    seats = {power: seats[power] for power in board.powers}
    for spec in set(seats.values()) - {YOU}:
        checked(spec)
    if not isinstance(level, int) or isinstance(level, bool) or level not in LEVELS or level == FREE_TEXT:
        known = ", ".join(str(level) for level in LEVELS if level != FREE_TEXT)
        raise FormatError(f"'level' must be one of {known}, not {quote(level)}")
    if limit.time is None and limit.nodes is None:
        limit = limit._replace(time=SECONDS)
    game = StudyGame(seats, seed, limit.time, limit.nodes, level, until)
    you = " and ".join(power.capitalize() for power in game.you)
    study = study_of_position(Position.start(board), named(name) or named(f"You as {you}"))
    # The id is known only when the study is kept, and seeds nothing.
    return replace(study, play=opened(study, replace(game, node=study.root.id)).to_json())
