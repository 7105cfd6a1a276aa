"""The state of a game as the agents of google-deepmind/diplomacy expect it, and observations of many at once.

``game_runner.run_game`` of that repository plays on a `DiplomacyState` of its observations' seasons::

    from diplomacy.environment import game_runner, observation_utils

    state = DiplomacyState(season=observation_utils.Season)
    trajectory = game_runner.run_game(state, policies, slots_to_policies=[0] * 7)
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from enum import Enum, EnumType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bordeaux.board.errors import OrderError, of_kind, whole
from bordeaux.board.map import Map
from bordeaux.board.position import Position, checked
from bordeaux.board.submission import decode
from bordeaux.env.batch import Batch, Observation
from bordeaux.env.order_table import order_table
from bordeaux.formats.deepmind import (
    BUILDABLE,
    CENTRE,
    DISLODGED,
    DISLODGED_OWNER,
    NOBODY,
    NONE,
    OWNER,
    REMOVABLE,
    UNIT,
    AreaObservation,
    ObservationHistory,
    Season,
    action_of,
    check_map,
    layout,
    legal_actions,
)
from bordeaux.rules.outcome import outcome, survivors

__all__ = ["AreaArrays", "AreaObservation", "AreaView", "DiplomacyState", "Season", "table_actions"]


class DiplomacyState:
    """One game on the standard map, with the methods of the protocol ``DiplomacyState`` of that repository.

    The game ends with a solo, or in a draw of all survivors after Winter of the year `until`. Phases in which
    nobody can order anything are left out. `season` is the enumeration of the seasons in observations.
    Raises FormatError for a position on another map or at the end of a game.
    """

    def __init__(
        self, position: Position | None = None, *, until: int | None = None, season: type[Enum] = Season
    ) -> None:
        self._position = Position.start() if position is None else checked(position)
        self._until = None if until is None else whole("until", until, 0)
        self._season = of_kind("season", season, EnumType, "an enumeration of seasons")
        self._history = ObservationHistory()
        self._legal = legal_actions(self._position)

    @property
    def position(self) -> Position:
        """The position of the game."""
        return self._position

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        phase = self._position.phase
        return phase.kind == "-" or (self._until is not None and phase.year > self._until)

    def observation(self) -> AreaObservation:
        """What the agents see. Raises FormatError after a solo."""
        return self._history.observation(self._position, self._season)

    def legal_actions(self) -> list[list[int]]:
        """For each of the seven powers every legal action of its units, in the order of the list."""
        return [list(of_power) for of_power in self._legal]

    def returns(self) -> NDArray[np.float32]:
        """The share of every power (float32, 7): 1 for a solo, equal shares of survivors in a draw; 0 while
        the game goes on."""
        if not self.is_terminal():
            return np.zeros(7, np.float32)
        end = outcome(self._position, agreed=survivors(self._position))
        return np.array([end.score(power) for power in self._position.map.powers], np.float32)

    def step(self, actions_per_player: Sequence[Iterable[int] | None]) -> None:
        """Play a phase with the actions of the seven powers; None is an empty list.

        Units without an action hold or disband, builds are waived, removals follow civil disorder. Raises
        OrderError for an illegal action, two for one unit, or more builds or removals than are due. The game
        is then as before.
        """
        if self.is_terminal():
            raise OrderError("the game has ended; make a new state")
        listed = [*of_kind("the actions", actions_per_player, Iterable, "a list of 7 lists")]
        if len(listed) != 7:
            raise OrderError(f"step needs the actions of 7 powers, not {len(listed)}")
        given = [
            [
                whole("an action", action, 0)
                for action in of_kind("actions", () if of_power is None else of_power, Iterable, "a list")
            ]
            for of_power in listed
        ]
        codes = [
            (number, code) for number, of_power in enumerate(given) for code in self._codes(number, of_power)
        ]
        before = self._position
        self._position = Position.from_packed(before.map, before.packed.adjudicate(codes)[0])
        self._history.note(before, given, self._position)
        self._legal = legal_actions(self._position)

    def _codes(self, number: int, given: list[int]) -> list[int]:
        """The order codes of a power's actions. Raises OrderError."""
        position, power = self._position, self._position.map.powers[number]
        codes = []
        for action in given:
            if action not in self._legal[number]:
                raise OrderError(f"action {action:#018x} is not legal for {power} in {position.phase}")
            codes.append(self._legal[number][action])
        if position.phase.kind == "A" and len(codes) > abs(position.adjustments(power)):
            raise OrderError(
                f"{power} has {len(codes)} actions, but {abs(position.adjustments(power))} are due"
            )
        places = [decode(position.map, code).location.partition("/")[0] for code in codes]
        twice = next((tag for tag in places if tag and places.count(tag) > 1), None)
        if twice is not None:
            raise OrderError(f"{power} has two actions for {twice} in {position.phase}")
        return codes


@functools.cache
def table_actions() -> NDArray[np.int64]:
    """The action of every order in the table of the standard map (int64, 2 x n, read-only): in the first row
    for movements and retreats, in the second for Winter, where a disbandment is another action."""
    codes = order_table("standard").codes.tolist()
    listed = np.array([[action_of(code, removal=winter) or -1 for code in codes] for winter in (False, True)])
    listed.setflags(write=False)
    return listed


class AreaArrays(NamedTuple):
    """The observations of N games: the values of their `Season` (int8[N], -1 where the game is over), boards
    (uint8[N, 81, 35]), build numbers (int32[N, 7]), and the last actions by the province of the unit, in the
    order of `Batch.provinces` (int64[N, 75], -1 for none; waived builds are not there)."""

    seasons: NDArray[np.int8]
    boards: NDArray[np.uint8]
    build_numbers: NDArray[np.int32]
    last_actions: NDArray[np.int64]


def boards_of(seen: Observation, map: Map) -> NDArray[np.uint8]:
    """The boards of the games in an observation, uint8[N, 81, 35]; see `bordeaux.formats.deepmind.board`."""
    start = np.array([layout().start[province.name] for province in map.provinces])
    boards = np.repeat(layout().blank[None], len(seen.years), 0)
    for units, unit, owned in ((seen.units, UNIT, OWNER), (seen.dislodged, DISLODGED, DISLODGED_OWNER)):
        game, place = np.nonzero(units[:, :, 0])
        kind, power, coast = units[game, place].T
        removed = seen.due[game, power] < 0
        for area in (start[place], start[place] + coast):
            # Without a coast it is the same area again.
            boards[game, area, unit + NONE] = boards[game, area, owned + NOBODY] = 0
            boards[game, area, unit + kind - 1] = boards[game, area, owned + power] = 1
            if unit == UNIT:
                boards[game, area, REMOVABLE] = removed
    centres = [
        (province.index, start[province.index] + coast)
        for province in map.provinces
        if province.centre
        for coast in range(len(province.coasts) + 1)
    ]
    place, area = np.array(centres).T
    owner = seen.owners[:, place]
    games = np.arange(len(seen.years))[:, None]
    boards[games, area, CENTRE + np.where(owner < 0, NOBODY, owner)] = 1
    home = np.array([[power in province.homes for power in map.powers] for province in map.provinces])
    builds = (owner >= 0) & home[place, owner] & (seen.due[games, owner] > 0)
    boards[:, area, BUILDABLE] = builds & (seen.units[:, place, 0] == 0)
    return boards


class AreaView:
    """Observations of that repository for all games of a batch.

    `observe` is called once after each step or reset, as build numbers and last actions depend on the phase
    before. Raises FormatError for a batch on another map than the standard one.
    """

    def __init__(self, batch: Batch) -> None:
        check_map(of_kind("batch", batch, Batch, "a Batch").map)
        self._batch = batch
        self._removals = np.zeros((batch.games, 7), np.int32)
        self._year = np.full(batch.games, -1)
        self._winter = np.zeros(batch.games, np.intp)

    def observe(self) -> AreaArrays:
        """The observations of all games now, in new arrays."""
        seen = self._batch.observe()
        over = seen.phases[:, 1] == 3
        winter = (seen.phases[:, 0] == 2) & ~over
        seasons = np.where(winter, 4, seen.phases[:, 0] * 2 + seen.phases[:, 1]).astype(np.int8)
        seasons[over] = -1
        begun = (seen.last_powers < 0).all(1)
        self._year[begun] = -1
        actions = table_actions()[self._winter[:, None], seen.last_orders]
        self._removals[winter] = np.minimum(seen.due[winter], 0)
        self._year[winter] = seen.years[winter]
        self._winter = winter.astype(np.intp)
        # A Winter without adjustments is not played, and leaves no removals behind.
        recent = self._year == seen.years - 1
        numbers = np.where(recent[:, None], self._removals, 0)
        return AreaArrays(
            seasons,
            boards_of(seen, self._batch.map),
            np.where(winter[:, None], seen.due, numbers).astype(np.int32),
            np.where(seen.last_orders < 0, -1, actions),
        )
