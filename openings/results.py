"""The results of the games that reached a position: solos, survivors and mean centres of every power, and the
games themselves, to be opened."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.games import Game
from bordeaux.openings.canonical import canonical
from bordeaux.openings.entry import Orders


class PlayedGame(NamedTuple):
    """A game that reached a position: its `number` in the file (from 1) and `id`, the `phase` of the
    position, and the canonical `orders` of each power there. Also the `last` phase, the `centres` of every
    power in it, and the power with a solo ("" for none)."""

    number: int
    id: str
    phase: str
    orders: Mapping[str, Orders]
    last: str
    centres: Mapping[str, int]
    victor: str


class Fate(NamedTuple):
    """The results of one power in some games: `games`, `solos`, how many it `survived` with a centre, and its
    mean `centres` in their last phases (None without games)."""

    games: int
    solos: int
    survived: int
    centres: float | None

    def to_json(self) -> dict[str, Any]:
        """For `json.dumps`."""
        return self._asdict()


def games_through(games: Iterable[Game], position: Position) -> Iterator[PlayedGame]:
    """The games, in their order, with a position: the same units, owners and phase.

    Games on other maps and unreadable records are skipped.
    """
    name = str(position.phase)
    units = {(unit.power, str(unit)) for unit in position.units}
    for number, game in enumerate(games, 1):
        if game.map != position.map.name:
            continue
        for at, phase in enumerate(game.phases):
            # To look at the words of the state first spares reading most positions.
            if phase.name != name or _said(phase.state) != units:
                continue
            with contextlib.suppress(BordeauxError):
                if game.position(at, position.map) == position:
                    yield _played(number, game, at, position)
            break


def _said(state: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The units in a recorded state, in its notation; dislodged ones are left out."""
    listed = state.get("units")
    if not isinstance(listed, dict):
        return set()
    return {
        (power, text)
        for power, texts in listed.items()
        if isinstance(texts, list)
        for text in texts
        if isinstance(text, str) and not text.startswith("*")
    }


def _played(number: int, game: Game, at: int, position: Position) -> PlayedGame:
    orders: dict[str, Orders] = {}
    for name, texts in game.phases[at].orders.items():
        with contextlib.suppress(BordeauxError):
            power = position.map.power(name)
            if texts:
                orders[power] = canonical(position, power, texts)
    last = game.phases[-1]
    owned = last.state.get("centers") or {}
    centres = {power: len(owned.get(power) or ()) for power in position.map.powers}
    won = [power for power, count in centres.items() if count >= position.map.majority]
    return PlayedGame(number, game.id, str(position.phase), orders, last.name, centres, won[0] if won else "")


def fates(played: Iterable[PlayedGame], map: Map) -> dict[str, Fate]:
    """The results of every power of a map in these games."""
    listed = list(played)
    return {power: _fate(listed, power) for power in map.powers}


def _fate(played: Sequence[PlayedGame], power: str) -> Fate:
    count = len(played)
    owned = [game.centres[power] for game in played]
    return Fate(
        count,
        sum(game.victor == power for game in played),
        sum(centres > 0 for centres in owned),
        sum(owned) / count if count else None,
    )


def fates_by_set(
    played: Iterable[PlayedGame], position: Position, power: str
) -> dict[Orders, dict[str, Fate]]:
    """The same for each set of orders that a power gave in these games, the most played first."""
    by_set: dict[Orders, list[PlayedGame]] = {}
    for game in played:
        if power in game.orders:
            by_set.setdefault(game.orders[power], []).append(game)
    ordered = sorted(by_set.items(), key=lambda item: (-len(item[1]), item[0]))
    return {orders: fates(games, position.map) for orders, games in ordered}
