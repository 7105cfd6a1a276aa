"""All powers of a game as the agents of a PettingZoo environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from bordeaux.board.errors import BordeauxError, of_kind, quote, whole
from bordeaux.env.board import RENDER_MODES, Board


class DiplomacyParallelEnv(ParallelEnv[str, dict[str, Any], Any]):
    """One game, whose agents are the names of its powers; all order at once, phase after phase.

    Spaces, masks and actions are those of `bordeaux.env.board.Board`. Rewards are 0 until the game ends, and
    then the powers' shares by `scoring` (`bordeaux.env.Batch`). A power without centres and units is
    terminated with 0. A solo terminates all; the end of the year `until`, or `max_cycles` phases, truncate
    them, with shares as well. With `opponents` the agents are the powers in `own` alone. `size` is the width
    of pictures in pixels; other keywords are those of `Batch`.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "bordeaux_diplomacy_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": True,
        "render_fps": 1,
    }

    def __init__(
        self,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        size: int = 760,
        **options: Any,
    ) -> None:
        self.render_mode = render_mode
        self.max_cycles = None if max_cycles is None else whole("max_cycles", max_cycles, 1)
        self.board = Board(render_mode, size, **options)
        powers = self.board.batch.powers
        self._numbers = {
            power: number for number, power in enumerate(powers) if self.board.batch.own[0, number]
        }
        self.possible_agents = list(self._numbers)
        if not self.possible_agents:
            raise BordeauxError("opponents play all powers: name those of the agents, like own=['FRANCE']")
        self.agents: list[str] = []
        self._cycles = 0
        self._actions = {agent: self.board.layout.action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of observations, the same for all."""
        return self.board.layout.observation_space

    def action_space(self, agent: str) -> spaces.MultiDiscrete:
        """The space of actions of a power, with random numbers of its own."""
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Begin a new game. The game has no chance in it, so the seed changes nothing."""
        self.board.reset()
        self._cycles = 0
        alive = self.board.alive()
        self.agents = [agent for agent, number in self._numbers.items() if alive[number]]
        if self.render_mode == "human":
            self.render()
        return self._seen(), self._infos()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, dict[str, Any]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play a phase with the actions of the agents; a power without one orders nothing. Raises
        BordeauxError for an unknown agent or an action outside the space, and then nothing has changed."""
        of_kind("actions", actions, Mapping, "a mapping of agents to actions")
        number = self._numbers.__getitem__
        if strange := actions.keys() - self.possible_agents:
            raise BordeauxError(
                f"no agent {quote(min(strange, key=str))} ({', '.join(self.possible_agents)})"
            )
        given = {number(agent): action for agent, action in actions.items()}
        played = self.board.step({power: self.board.chosen(power, action) for power, action in given.items()})
        self._cycles += 1
        before = self.agents
        seen, infos = self._seen(), self._infos()
        alive, solo = self.board.alive(), self.board.position.victor is not None
        scores, ended = played.scores[0], bool(played.ended[0])
        if not ended and self.max_cycles is not None and self._cycles >= self.max_cycles:
            scores, ended = self.board.share(), True
        terminated = {agent: not alive[number(agent)] or (ended and solo) for agent in before}
        truncated = {agent: ended and not terminated[agent] for agent in before}
        rewards = {agent: float(scores[number(agent)]) for agent in before}
        self.agents = [agent for agent in before if not terminated[agent] and not truncated[agent]]
        if self.render_mode == "human":
            self.render()
        return seen, rewards, terminated, truncated, infos

    def _seen(self) -> dict[str, dict[str, Any]]:
        seen = self.board.observations()
        return {agent: seen[self._numbers[agent]] for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        phase = str(self.board.position.phase)
        return {agent: {"phase": phase} for agent in self.agents}

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board in the render mode; see `bordeaux.env.board.Board.render`."""
        return self.board.render()

    def close(self) -> None:
        """Close the opponents."""
        self.board.batch.close()


def parallel_env(**options: Any) -> DiplomacyParallelEnv:
    """A PettingZoo environment in which all powers order at once; see `DiplomacyParallelEnv`."""
    return DiplomacyParallelEnv(**options)


def env(**options: Any) -> AECEnv[Any, Any, Any]:
    """The same for programs that ask one agent after the other (PettingZoo's AEC)."""
    return parallel_to_aec(DiplomacyParallelEnv(**options))
