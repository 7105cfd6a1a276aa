"""Who orders for the powers that a learning program does not play, in all games of a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bordeaux._ext.net.crowd import orders_of
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.rules.games import Games
from bordeaux.arena.game import owing
from bordeaux.arena.guard import read
from bordeaux.board.errors import BordeauxError, of_kind
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.players import registry
from bordeaux.players.base import Limit, Player, Seat, Turn
from bordeaux.players.dumbbot import DumbBot, WeakDumbBot
from bordeaux.players.hold_and_random import Hold

IN_CORE = (DumbBot, WeakDumbBot, Hold)
"""Players without a memory that order in the core, for all games in one call."""

Codes = NDArray[np.uint64]
Flags = NDArray[np.bool_]


class Opponents:
    """Players by power, the same in each game. Those that order in the core (IN_CORE) do so for all games at
    once; every other one sits in each game by itself, which suits few games, and is new with each game.

    `limit` is that of players for a phase, `seed` that of their random choices. Raises BordeauxError for a
    power or player that is not known.
    """

    def __init__(self, map: Map, specs: Mapping[str, str], limit: Limit, seed: int) -> None:
        self.map, self.limit, self.seed = map, limit.checked(), seed
        self.specs = {
            map.powers.index(map.power(power)): of_kind("an opponent", spec, str, "a text like 'dumbbot'")
            for power, spec in specs.items()
        }
        self.choosers: dict[str, Chooser] = {}
        self.players: dict[tuple[int, int], Player] = {}
        self.begun = 0
        self._before: dict[int, tuple[Position, dict[int, list[int]]]] = {}
        for spec in dict.fromkeys(self.specs.values()):
            registry.check(spec)
            player = registry.create(spec, Seat(map.powers[0], map, seed))
            if isinstance(player, IN_CORE):
                self.choosers[spec] = player.policy if isinstance(player, DumbBot) else Chooser(map.tables)
            player.close()

    def __getstate__(self) -> dict[str, object]:
        if self.players:
            names = ", ".join(dict.fromkeys(self.specs[power] for _, power in self.players))
            raise BordeauxError(f"{names} cannot be copied in a game; dumbbot, dumbbot-weak and hold can")
        chances = {spec: chooser.chance for spec, chooser in self.choosers.items()}
        return {
            "map": self.map,
            "specs": {self.map.powers[power]: spec for power, spec in self.specs.items()},
            "limit": self.limit,
            "seed": self.seed,
            "chances": chances,
        }

    def __setstate__(self, state: dict[str, object]) -> None:
        chances = state.pop("chances")
        self.__init__(**state)  # type: ignore[misc]  # what `__getstate__` gave
        assert isinstance(chances, dict)
        for spec, chance in chances.items():
            self.choosers[spec].chance = chance

    def order(self, core: Games, own: Flags, out: Codes, at: Callable[[int], Position], games: Flags) -> None:
        """Write the orders of all powers that have a player and are not `own` (bool[N, powers]) into `out`,
        codes[N, powers, M], in some `games` (bool[N]). `at` gives the position of a game."""
        theirs = ~own & games[:, None]
        for spec, chooser in self.choosers.items():
            powers = [power for power, played in self.specs.items() if played == spec]
            who = np.zeros(own.shape, np.uint8)
            who[:, powers] = theirs[:, powers]
            orders_of(core, chooser, who, out)
        slow = [power for power, spec in self.specs.items() if spec not in self.choosers]
        self._before.clear()
        for game in np.flatnonzero(theirs[:, slow].any(1)).tolist() if slow else ():
            position = at(game)
            if position.phase.kind == "-":
                continue
            due = owing(position)
            for power in slow:
                if theirs[game, power] and power in due:
                    given = self._player(game, power).orders(position, self.limit)
                    codes = read(position, power, given).codes
                    out[game, power] = 0
                    out[game, power, : len(codes)] = codes
            listed = {power: out[game, power][out[game, power] > 0].tolist() for power in range(own.shape[1])}
            self._before[game] = position, listed

    def _player(self, game: int, power: int) -> Player:
        if (game, power) not in self.players:
            self.begun += 1
            seat = Seat(self.map.powers[power], self.map, self.seed + self.begun // len(self.map.powers))
            self.players[game, power] = registry.create(self.specs[power], seat)
        return self.players[game, power]

    def observe(self, ended: Flags, at: Callable[[int], Position]) -> None:
        """Tell the players what was played; those of games that `ended` (bool[N]) leave."""
        for game, (before, codes) in self._before.items():
            if ended[game]:
                continue
            orders: dict[str, Sequence[Order]] = {
                self.map.powers[power]: [decode(self.map, code) for code in listed]
                for power, listed in codes.items()
            }
            turn = Turn(before, orders, at(game))
            for (where, _), player in self.players.items():
                if where == game:
                    player.observe(turn)
        self.leave(np.flatnonzero(ended).tolist())

    def leave(self, games: Iterable[int] | None = None) -> None:
        """Close the players of some games, by default of all."""
        gone = None if games is None else set(games)
        for game, power in list(self.players):
            if gone is None or game in gone:
                self.players.pop((game, power)).close()
