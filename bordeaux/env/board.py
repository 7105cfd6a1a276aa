"""One game as other libraries' environments show it: spaces of Gymnasium, masks, and pictures.

An action is a whole number for every province: 0 for no order, and n for the n-th of the orders that a unit
there can ever have, in the sequence of the table of orders (`bordeaux.env.order_table`). So a number means
the same in every position.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from rich.console import Console

from bordeaux.board.code import fields_of
from bordeaux.board.errors import BordeauxError, quote, whole
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.env.batch import Batch, Step, array_of, whole_numbers
from bordeaux.rules.outcome import survivors
from bordeaux.view.board import LEAST_SIZE, MOST_SIZE, svg
from bordeaux.view.svg import png
from bordeaux.view.textmap import draw_board

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
"""Text on standard output, text with colours, SVG, and pixels (uint8, height x width x 3)."""
OVER = 3
"""The kind of a phase when the game is over (`bordeaux.env.Observation`)."""
NO_GAME = "no game is played: reset the environment"
WINTER = 255
"""The province of rows of builds and removals."""
_COLUMNS = 130


class Actions(spaces.MultiDiscrete):
    """Actions: a number for each province. A mask is one row, int8, of all provinces' choices: what `sample`
    takes, and MaskablePPO of stable-baselines3 too."""

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[Any]:
        """A random action, of the choices in a mask."""
        if mask is not None and not isinstance(mask, tuple):
            mask = tuple(np.split(np.asarray(mask, np.int8), np.cumsum(self.nvec)[:-1]))
        return super().sample(mask, probability)


def seed_of(given: Any) -> int | None:
    """A seed that is given to an environment, or None. Raises BordeauxError."""
    return None if given is None else whole("seed", given, 0)


def mask_of(told: Mapping[str, Any]) -> NDArray[np.int8]:
    """The mask of the actions in what an environment has told last. Raises BordeauxError before its first
    game."""
    if not told:
        raise BordeauxError(NO_GAME)
    mask: NDArray[np.int8] = told["action_mask"]
    return mask


class ActionLayout:
    """Where each order of the table is in a row of the choices of all provinces, for the games of a batch."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        map, table = batch.map, batch.table
        provinces = np.array([location.province for location in map.locations])
        fields = fields_of(table.codes)
        # Waived builds have no province: they are what no order means.
        homes = np.where(fields["kind"] == OrderKind.WAIVE, -1, provinces[fields["unit"]])
        self.orders = [np.flatnonzero(homes == place) for place in range(len(map.provinces))]
        self.sizes = np.array([len(numbers) + 1 for numbers in self.orders])
        self.begin = np.concatenate([[0], np.cumsum(self.sizes)])
        self._number = np.concatenate([np.append(-1, numbers) for numbers in self.orders])
        """The number in the table of every choice; -1 for none."""
        self._at = np.full(len(table), -1)
        listed = np.flatnonzero(self._number >= 0)
        self._at[self._number[listed]] = listed
        self.observation_space = spaces.Dict(
            {
                "power": spaces.Discrete(len(batch.powers)),
                "action_mask": spaces.Box(0, 1, (self.begin[-1],), np.int8),
                **{name: _box(array) for name, array in self.arrays().items()},
            }
        )

    def beside(self, order: int) -> NDArray[np.int64]:
        """The orders of the province of an order, by their numbers; none for a waived build, or no order."""
        if order < 0 or self._at[order] < 0:
            return np.empty(0, np.int64)
        return self.orders[int(np.searchsorted(self.begin, self._at[order], "right")) - 1]

    def action_space(self) -> Actions:
        """A space of actions, a new one at each call, as each has random numbers of its own."""
        return Actions(self.sizes)

    def masks(self, games: NDArray[np.int64], powers: NDArray[np.int64]) -> NDArray[np.int8]:
        """Which choices powers have in games, a row for each pair of them."""
        legal = self.batch.legal()
        masks = np.zeros((len(games), self.begin[-1]), np.int8)
        masks[:, self.begin[:-1]] = 1
        first = games * len(self.batch.powers) + powers
        for mask, low, high in zip(masks, legal.rows[first], legal.rows[first + 1], strict=True):
            if low == high:
                continue
            winter = legal.provinces[low] == WINTER
            last = low + 1 if winter else high
            listed = self._at[legal.orders[legal.starts[low] : legal.starts[last]]]
            mask[listed[listed >= 0]] = 1
            if not winter:
                # A unit that moves or retreats has an order; in Winter not everything that can be is built.
                mask[self.begin[legal.provinces[low:high]]] = 0
        return masks

    def seen(self, seats: NDArray[np.int64]) -> dict[str, Any]:
        """What a power of each game sees, with a first axis of games."""
        masks = self.masks(np.arange(self.batch.games), seats)
        return {**self.arrays(), "power": seats.copy(), "action_mask": masks}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of an observation, each with a first axis of games and at least one more: libraries of
        learning have no use for a single number."""
        seen = self.batch.observe()._asdict()
        return {name: array if array.ndim > 1 else array[:, None] for name, array in seen.items()}

    def numbers(self, actions: Any, masks: NDArray[np.int8], owed: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers in the table of the orders that actions give [N, M], -1 for none; M are the most orders
        that are owed. A choice that its mask excludes counts as none; in Winter the first provinces count.
        Raises BordeauxError for an action outside the space."""
        choices = whole_numbers("choices", actions)
        if choices.shape != (len(masks), len(self.sizes)):
            raise BordeauxError(f"an action is {len(self.sizes)} whole numbers, one for each province")
        outside = np.argwhere((choices < 0) | (choices >= self.sizes))
        if len(outside):
            game, place = outside[0]
            raise BordeauxError(
                f"no order {choices[game, place]} in {self.batch.provinces[place]}; it has 0 to"
                f" {self.sizes[place] - 1}"
            )
        at = self.begin[:-1] + choices
        given = (choices > 0) & (np.take_along_axis(masks, at, 1) == 1)
        rank = np.cumsum(given, 1) - 1
        given &= rank < owed[:, None]
        numbers = np.full((len(masks), max(1, int(owed.max(initial=0)))), -1)
        game, place = np.nonzero(given)
        numbers[game, rank[game, place]] = self._number[at[game, place]]
        return numbers


class Board:
    """A batch of one game with its pictures; keywords are those of `bordeaux.env.Batch`.

    Observations have the arrays of `bordeaux.env.Observation` for this game, `power`, the number of the power
    that sees it, and `action_mask`, int8, the choices of all provinces in one row: 1 for those there are.
    Raises BordeauxError for an unknown `render_mode`, and as `Batch` does.
    """

    def __init__(self, render_mode: str | None, size: int, **options: Any) -> None:
        if not isinstance(render_mode, str | None) or render_mode not in (None, *RENDER_MODES):
            raise BordeauxError(f"no render mode {quote(render_mode)} ({', '.join(RENDER_MODES)})")
        self.render_mode = render_mode
        self._size = whole("size", size, LEAST_SIZE, MOST_SIZE)
        if taken := {"games", "autoreset"} & options.keys():
            raise BordeauxError(
                f"an environment has one game, and is reset by its user: leave out {min(taken)}"
            )
        self.batch = Batch(1, **options)
        self.layout = ActionLayout(self.batch)
        self._shown: NDArray[np.int8] | None = None

    def orders_of(self, place: int) -> list[int]:
        """The numbers in the table of a province's orders: choice n is the n-th of them, from 1 on."""
        listed: list[int] = self.layout.orders[place].tolist()
        return listed

    @property
    def position(self) -> Position:
        """The position of the game."""
        return self.batch.position(0)

    def observations(self) -> list[dict[str, Any]]:
        """What each power sees."""
        seen = {name: array[0] for name, array in self.layout.arrays().items()}
        return [
            {**seen, "power": np.int64(power), "action_mask": mask}
            for power, mask in enumerate(self._masks())
        ]

    def _masks(self) -> NDArray[np.int8]:
        """For every power which choices there are."""
        if self._shown is None:
            powers = np.arange(len(self.batch.powers))
            self._shown = self.layout.masks(np.zeros_like(powers), powers)
            self._shown.flags.writeable = False
        return self._shown

    def chosen(self, power: int, action: Any) -> list[int]:
        """The numbers in the table of the orders that an action of a power gives in this phase: an action of
        the space, or orders as texts or `Order`.

        A choice that the mask excludes counts as none. In Winter the first provinces count, as many as are
        due. Raises BordeauxError for an action outside the space, and for a text that is no legal order.
        """
        if isinstance(action, list | tuple) and all(isinstance(order, str | Order) for order in action):
            given = submit(self.position, {self.batch.powers[power]: action}).orders
            for order in given:
                if order.fault:
                    raise BordeauxError(f"{order.order}: {order.fault}")
            return self.batch.table.numbers([order.code for order in given]).tolist()
        first, last = self.batch.legal().rows[power : power + 2]
        masks = self._masks()[power : power + 1]
        choices = array_of("choices", action)[None]
        numbers = self.layout.numbers(choices, masks, np.array([last - first]))
        return [number for number in numbers[0].tolist() if number >= 0]

    def texts(self, power: int, action: Any) -> list[str]:
        """The orders that an action of a power gives in this phase, as text; raises as `chosen` does."""
        return [self.batch.table.texts[number] for number in self.chosen(power, action)]

    def step(self, orders: Mapping[int, Sequence[int]]) -> Step:
        """Play a phase with the orders of powers, by their numbers in the table; others order nothing."""
        given = np.full((1, len(self.batch.powers), len(self.layout.sizes)), -1)
        for power, numbers in orders.items():
            given[0, power, : len(numbers)] = numbers
        return self.play(given)

    def play(self, orders: NDArray[Any] | None, draws: NDArray[np.bool_] | None = None) -> Step:
        """Play a phase with orders, and votes for a draw, in a form of `Batch.step`."""
        played = self.batch.step(orders, draws)
        self._shown = None
        return played

    def reset(self) -> None:
        """Begin a new game."""
        self.batch.reset()
        self._shown = None

    def share(self) -> NDArray[np.float32]:
        """End the game as it stands, in a draw of all; the shares by its scoring."""
        return self.play(None, np.ones((1, len(self.batch.powers)), bool)).scores[0]

    def alive(self) -> list[bool]:
        """Which powers own a centre or a unit."""
        left = survivors(self.position)
        return [power in left for power in self.batch.powers]

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board in the render mode; None in mode ``human``, which prints it, and without a mode.

        Raises BordeauxError if mode ``rgb_array`` lacks a library.
        """
        match self.render_mode:
            case "svg":
                return svg(self.position, size=self._size)
            case "rgb_array":
                return _pixels(png(svg(self.position, size=self._size)))
            case "ansi":
                return _text(self.position, colours=True)
            case "human":
                print(_text(self.position, colours=False))
        return None


def _box(array: NDArray[Any]) -> spaces.Box:
    """The space of arrays like this one, without its first axis."""
    limits = np.iinfo(array.dtype)
    return spaces.Box(limits.min, limits.max, array.shape[1:], array.dtype)


def _pixels(picture: bytes) -> NDArray[np.uint8]:
    try:
        from PIL import Image
    except ImportError:
        raise BordeauxError("pixels need Pillow: pip install 'bordeaux-diplomacy[env]'") from None
    with Image.open(io.BytesIO(picture)) as image:
        return np.array(image.convert("RGB"), np.uint8)


def _text(position: Position, *, colours: bool) -> str:
    shown = io.StringIO()
    colour: Literal["standard"] | None = "standard" if colours else None
    console = Console(file=shown, width=_COLUMNS, force_terminal=colours, color_system=colour)
    console.print(draw_board(position))
    return shown.getvalue()
