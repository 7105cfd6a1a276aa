"""One seat of a game as a Gymnasium environment; players of the package have the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bordeaux.arena.game import owing
from bordeaux.board.errors import BordeauxError, of_kind, whole
from bordeaux.env.board import NO_GAME, OVER, RENDER_MODES, WINTER, Board, mask_of, seed_of
from bordeaux.players import registry
from bordeaux.players.base import Limit
from bordeaux.players.spec import parse_list


class DiplomacyEnv(gymnasium.Env[dict[str, Any], Any]):
    """The seat of `power` (None: another one in each game) against `opponents`.

    `opponents` is the spec of a player for all other seats, or a list of specs in the order of the other
    powers: ``dumbbot``, ``bordeaux:level=3``, ``dumbbot*3,random*3``. Their limits for a phase are `time` in
    seconds and `nodes`. Spaces, masks and actions are those of `bordeaux.env.board.Board`.

    A step goes on to the next phase in which the power owes orders. The reward is 0 until the end, and then
    the power's share by `scoring` (`bordeaux.env.Batch`). A solo, or the loss of all centres and units,
    terminates; the end of the year `until` truncates. Other keywords are those of `Batch`. With the same seed
    the same actions bring the same game, if the players have no limits in time.

    Raises BordeauxError for what does not fit, and what a player raises.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # It is the class's in all of Gymnasium.
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        power: str | None = None,
        opponents: str | Sequence[str] = "dumbbot",
        *,
        time: float | None = None,
        nodes: int | None = None,
        render_mode: str | None = None,
        size: int = 760,
        **options: Any,
    ) -> None:
        self.render_mode = render_mode
        self.board = Board(render_mode, size, **options)
        self.action_space = self.board.layout.action_space()
        self.observation_space = self.board.layout.observation_space
        powers = self.board.batch.powers
        self._wanted = None if power is None else powers.index(self.board.batch.map.power(power))
        self._specs = (
            parse_list(opponents)
            if isinstance(opponents, str)
            else list(of_kind("opponents", opponents, Sequence, "a spec or a list of specs"))
        )
        if len(self._specs) not in (1, len(powers) - 1):
            raise BordeauxError(f"opponents are one player for all seats, or {len(powers) - 1}")
        for spec in self._specs:
            registry.check(of_kind("an opponent", spec, str, "a text like 'dumbbot'"))
        self._limit = Limit(time, nodes).checked()
        self._begun = False
        self.power = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game, with new opponents."""
        super().reset(seed=seed_of(seed))
        self.close()
        self.board.reset()
        batch = self.board.batch
        drawn = int(self.np_random.integers(len(batch.powers)))
        self.power = drawn if self._wanted is None else self._wanted
        chance = int(self.np_random.integers(2**31))
        others = [number for number in range(len(batch.powers)) if number != self.power]
        specs = self._specs * len(others) if len(self._specs) == 1 else self._specs
        seated = {batch.powers[number]: spec for number, spec in zip(others, specs, strict=True)}
        batch.seat(seated, limit=self._limit, seed=chance)
        self._begun = True
        self._play_on()
        return self._seen()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play a phase, and those after it in which the power owes nothing.

        An action is one of the space, or a list of orders as texts. Raises BordeauxError without a game, and
        for an action outside the space or an illegal order; then nothing has changed.
        """
        return self.play(self.board.chosen(self.power, action))

    def play(self, orders: Sequence[int]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """The same with orders by their numbers in the table, -1 for none."""
        if not self._begun or self.board.batch.observe().phases[0, 1] == OVER:
            raise BordeauxError(NO_GAME)
        score = self._play(orders)
        if score is None:
            score = self._play_on()
        eliminated = not self.board.alive()[self.power]
        terminated = eliminated or (score is not None and self.board.position.victor is not None)
        if self.render_mode == "human":
            self.render()
        seen, info = self._seen()
        return seen, score or 0.0, terminated, score is not None and not terminated, info

    def _play_on(self) -> float | None:
        """Play the phases in which the power owes nothing; its share if the game ends."""
        score = None
        while score is None and self.board.alive()[self.power]:
            if self.power in owing(self.board.position):
                break
            score = self._play([])
        return score

    def _play(self, mine: Sequence[int]) -> float | None:
        """Play a phase with orders of the table for the power; its share if the game ends."""
        played = self.board.step({self.power: mine})
        return float(played.scores[0, self.power]) if played.ended[0] else None

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        info = {"phase": str(self.board.position.phase), "power": self.board.batch.powers[self.power]}
        return self.board.observations()[self.power], info

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask of the seat's choices, bool, as MaskablePPO of stable-baselines3 asks for it."""
        mask: NDArray[np.bool_] = self._seen()[0]["action_mask"].astype(bool)
        return mask

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board in the render mode; see `bordeaux.env.board.Board.render`."""
        return self.board.render()

    def close(self) -> None:
        """Close the players."""
        self.board.batch.close()
        self._begun = False


class OrderByOrder(gymnasium.Wrapper[dict[str, Any], Any, dict[str, Any], Any]):
    """A seat whose steps are single orders, for one unit or build after the other: the phase is played with
    the last one. An action is the number of an order in the table; one that the mask excludes is no order.

    The mask is in the infos, not in the observations, which have besides `row`, the number of the province
    that is asked (255 in Winter), and `given`, the orders so far by the number of the province, or of the
    build; -1 for none.
    """

    def __init__(self, env: DiplomacyEnv) -> None:
        super().__init__(env)
        self._seat, batch = env, env.board.batch
        self._count, places = len(batch.table), len(batch.provinces)
        self.action_space = spaces.Discrete(self._count)
        seen = dict(env.board.layout.observation_space.items())
        del seen["action_mask"]
        seen["given"] = spaces.Box(-1, self._count, (places,), np.int32)
        self.observation_space = spaces.Dict({**seen, "row": spaces.Discrete(WINTER + 1)})
        self._given: list[int] = []
        self._seen: dict[str, Any] = {}
        self._info: dict[str, Any] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game, with new opponents."""
        self._seen, self._info = self._seat.reset(seed=seed, options=options)
        return self._asked([])

    def step(self, action: Any) -> tuple[dict[str, Any], Any, bool, bool, dict[str, Any]]:
        """Give one order; the reward comes with the last one of a phase. Raises BordeauxError as the seat
        does."""
        number = whole("an action", action, 0, self._count - 1)
        given = [*self._given, number if mask_of(self._info)[number] else -1]
        ended: tuple[float, bool, bool] = 0.0, False, False
        if len(given) >= len(self._rows()):
            self._seen, *ended, self._info = self._seat.play(given)  # type: ignore[assignment]
            given = []
        seen, info = self._asked(given)
        return seen, *ended, info

    def _rows(self) -> range:
        rows = self._seat.board.batch.legal().rows
        return range(*rows[self._seat.power : self._seat.power + 2].tolist())

    def _asked(self, given: list[int]) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the seat sees after the orders so far, with the mask of the next row."""
        board, rows, self._given = self._seat.board, self._rows(), given
        legal, row = board.batch.legal(), WINTER
        orders, mask = np.full(len(board.layout.sizes), -1, np.int32), np.zeros(self._count, np.int8)
        for build, (number, place) in enumerate(zip(given, legal.provinces[rows.start :], strict=False)):
            orders[build if place == WINTER else place] = number
        if len(given) < len(rows):
            begin, end = legal.starts[rows.start + len(given) :][:2]
            mask[legal.orders[begin:end]] = 1
            row = int(legal.provinces[rows.start + len(given)])
            for number in given if row == WINTER else ():
                mask[board.layout.beside(number)] = 0
        else:
            mask[-1] = 1  # The game is over, and nothing can be ordered.
        self._info = {**self._info, "action_mask": mask}
        seen = {name: array.copy() for name, array in self._seen.items() if name != "action_mask"}
        return {**seen, "given": orders, "row": np.int64(row)}, self._info

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask of the orders that may be given now, as MaskablePPO of stable-baselines3 asks for it."""
        return mask_of(self._info).astype(bool)
