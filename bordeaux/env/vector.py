"""Many seats at once as a vector environment of Gymnasium, at the speed of the core."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bordeaux.env.batch import Batch
from bordeaux.env.board import OVER, ActionLayout, mask_of, seed_of


class DiplomacyVectorEnv(VectorEnv[dict[str, Any], Any, Any]):
    """`num_envs` games, in each the seat of `power` (None: another one in each game) against `opponents`, the
    spec of a player that orders in the core (`bordeaux.env.opponents`), or any for few games.

    Spaces and rewards are those of `DiplomacyEnv`, with a first axis of games. A game that ends begins anew
    within the same step: its observation is that of the new game, and `final_obs` of the infos has none, as
    nothing is to be ordered at the end. A step goes on to the next phase in which each power owes orders.
    Raises BordeauxError for what does not fit.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int = 1,
        power: str | None = None,
        opponents: str = "dumbbot",
        *,
        time: float | None = None,
        nodes: int | None = None,
        **options: Any,
    ) -> None:
        self.num_envs = num_envs
        self.batch = Batch(num_envs, opponents=opponents, time=time, nodes=nodes, **options)
        self.layout = ActionLayout(self.batch)
        powers = self.batch.powers
        self._wanted = None if power is None else powers.index(self.batch.map.power(power))
        self.single_action_space = self.layout.action_space()
        self.single_observation_space = self.layout.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.seats = np.zeros(num_envs, np.int64)
        """The number of the power of each game."""
        self._chance = np.random.default_rng()
        self._seen: dict[str, NDArray[Any]] = {}

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin all games anew; a list of seeds counts by its first."""
        self._chance = np.random.default_rng(seed_of(seed[0] if isinstance(seed, list) and seed else seed))
        self._begin(np.ones(self.num_envs, bool))
        self._go_on(np.zeros(self.num_envs, np.float32), np.zeros((2, self.num_envs), bool))
        return self._seen, self._infos()

    def _begin(self, games: NDArray[np.bool_]) -> None:
        count = len(self.batch.powers)
        drawn = self._chance.integers(count, size=int(games.sum()))
        self.seats[games] = drawn if self._wanted is None else self._wanted
        self.batch.own[games] = np.arange(count) == self.seats[games, None]
        self.batch.reset(games)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[dict[str, Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play a phase of all games, and those after it in which the power owes nothing. Raises BordeauxError
        for actions outside the space."""
        rewards = np.zeros(self.num_envs, np.float32)
        ends = np.zeros((2, self.num_envs), bool)
        numbers = self.layout.numbers(actions, mask_of(self._seen), self._owed())
        orders = np.full((self.num_envs, len(self.batch.powers), numbers.shape[1]), -1)
        orders[np.arange(self.num_envs), self.seats] = numbers
        self._play(orders, np.ones(self.num_envs, bool), rewards, ends)
        self._go_on(rewards, ends)
        return self._seen, rewards, ends[0], ends[1], self._infos()

    def _owed(self) -> NDArray[np.int64]:
        """How many orders the power of each game owes."""
        rows = self.batch.rows()
        first = np.arange(self.num_envs) * len(self.batch.powers) + self.seats
        return rows[first + 1] - rows[first]

    def _play(self, orders: Any, games: NDArray[np.bool_], rewards: Any, ends: NDArray[np.bool_]) -> None:
        """Step some games, and note which end: `ends` are those that terminate and those that truncate."""
        played = self.batch.step(orders, only=games)
        mine = played.scores[np.arange(self.num_envs), self.seats]
        seen = self.batch.observe()
        stands = (seen.units[:, :, 1] == self.seats[:, None]).any(1)
        stands |= (seen.dislodged[:, :, 1] == self.seats[:, None]).any(1)
        lost = games & ~stands & (seen.centres[np.arange(self.num_envs), self.seats] == 0)
        solo = played.ended & (seen.centres.max(1) >= self.batch.map.majority)
        rewards[played.ended] = mine[played.ended]
        ends[0] |= lost | solo
        ends[1] |= played.ended & ~ends[0]
        over = games & (lost | played.ended)
        if over.any():
            self._begin(over)

    def _go_on(self, rewards: Any, ends: NDArray[np.bool_]) -> None:
        """Play the phases in which powers owe nothing; a game that has ended once waits in its new start."""
        while (idle := (self._owed() == 0) & (self.batch.observe().phases[:, 1] != OVER)).any():
            self._play(None, idle, rewards, ends)
        self._seen = self.layout.seen(self.seats)

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks of all games, bool[num_envs, choices]."""
        return mask_of(self._seen).astype(bool)

    def _infos(self) -> dict[str, Any]:
        return {"power": self.seats.copy()}

    def close_extras(self, **named: Any) -> None:
        """Close the players."""
        self.batch.close()
