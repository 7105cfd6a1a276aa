"""The state of a game as the agents of google-deepmind/diplomacy expect it.

``game_runner.run_game`` of that repository plays on a `DiplomacyState` of its observations' seasons::

    from diplomacy.environment import game_runner, observation_utils

    state = DiplomacyState(season=observation_utils.Season)
    trajectory = game_runner.run_game(state, policies, slots_to_policies=[0] * 7)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from bordeaux.board.errors import OrderError
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.formats.deepmind import AreaObservation, ObservationHistory, Season, legal_actions

__all__ = ["AreaObservation", "DiplomacyState", "Season"]


class DiplomacyState:
    """One game on the standard map, with the methods of the protocol ``DiplomacyState`` of that repository.

    The game ends with a solo, or in a draw of all survivors after Winter of the year `until`. Phases in which
    nobody can order anything are left out. `season` is the enumeration of the seasons in observations.
    Raises FormatError for a position on another map or at the end of a game.
    """

    def __init__(
        self, position: Position | None = None, *, until: int | None = None, season: type[Enum] = Season
    ) -> None:
        self._position = Position.start() if position is None else position
        self._until = until
        self._season = season
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
        shares = np.zeros(7, np.float32)
        if not self.is_terminal():
            return shares
        powers = self._position.map.powers
        victor = self._position.victor
        alive = {*self._position.owners, *(unit.power for unit in self._position.units)}
        for number, power in enumerate(powers):
            shares[number] = power == victor if victor is not None else power in alive
        return shares / shares.sum()

    def step(self, actions_per_player: Sequence[Iterable[int] | None]) -> None:
        """Play a phase with the actions of the seven powers; None is an empty list.

        Units without an action hold or disband, builds are waived, removals follow civil disorder. Raises
        OrderError for an illegal action, two for one unit, or more builds or removals than are due. The game
        is then as before.
        """
        if self.is_terminal():
            raise OrderError("the game has ended; make a new state")
        if len(actions_per_player) != 7:
            raise OrderError(f"step needs the actions of 7 powers, not {len(actions_per_player)}")
        given = [
            [] if of_power is None else [int(action) for action in of_power]
            for of_power in actions_per_player
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
