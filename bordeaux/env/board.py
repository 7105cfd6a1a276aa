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
from numpy.typing import NDArray
from rich.console import Console

from bordeaux.board.code import fields_of
from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.env.batch import Batch, Step
from bordeaux.rules.outcome import survivors
from bordeaux.view.board import svg
from bordeaux.view.svg import png
from bordeaux.view.textmap import draw_board

try:
    from gymnasium import spaces
except ImportError:
    raise BordeauxError("this environment needs Gymnasium: pip install 'bordeaux-diplomacy[env]'") from None

__all__ = ["RENDER_MODES", "Board"]

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
"""Text on standard output, text with colours, SVG, and pixels (uint8, height x width x 3)."""
_COLUMNS = 130


class Board:
    """A batch of one game with its spaces; keywords are those of `bordeaux.env.Batch`.

    Actions are a MultiDiscrete with an entry for each province. `observation_space` is a Dict with the arrays
    of `bordeaux.env.Observation` for this game. It adds `power`, the number of the power that sees it, and
    `action_mask`, a tuple with an array for each province: 1 for the choices that there are. Raises
    BordeauxError for an unknown `render_mode`, and as `Batch` does.
    """

    def __init__(self, render_mode: str | None, size: int, **options: Any) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise BordeauxError(f"no render mode {quote(render_mode)} ({', '.join(RENDER_MODES)})")
        self.render_mode = render_mode
        self._size = size
        if taken := {"games", "autoreset"} & options.keys():
            raise BordeauxError(
                f"an environment has one game, and is reset by its user: leave out {min(taken)}"
            )
        self.batch = Batch(1, **options)
        self._shown: NDArray[np.int8] | None = None
        self._layout()
        self.observation_space = self._observations()

    def _layout(self) -> None:
        """Where each order of the table is in a row of the choices of all provinces."""
        map, table = self.batch.map, self.batch.table
        provinces = np.array([location.province for location in map.locations])
        # Waived builds have no province: they are what no order means.
        self._numbers = [
            np.flatnonzero((provinces[fields_of(table.codes)["unit"]] == place) & ~_waived(table.codes))
            for place in range(len(map.provinces))
        ]
        self.sizes = np.array([len(numbers) + 1 for numbers in self._numbers])
        self._begin = np.concatenate([[0], np.cumsum(self.sizes)])
        self._parts = [
            slice(first, last) for first, last in zip(self._begin[:-1], self._begin[1:], strict=True)
        ]
        self._at = np.full(len(table), -1)
        for begin, numbers in zip(self._begin[:-1], self._numbers, strict=True):
            self._at[numbers] = begin + 1 + np.arange(len(numbers))

    def action_space(self) -> spaces.MultiDiscrete:
        """A space of actions, a new one at each call, as each has random numbers of its own."""
        return spaces.MultiDiscrete(self.sizes)

    def orders_of(self, place: int) -> list[int]:
        """The numbers in the table of a province's orders: choice n is the n-th of them, from 1 on."""
        listed: list[int] = self._numbers[place].tolist()
        return listed

    def _observations(self) -> spaces.Dict:
        seen = self.batch.observe()._asdict()
        parts: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(
                np.iinfo(array.dtype).min, np.iinfo(array.dtype).max, array.shape[1:], array.dtype
            )
            for name, array in seen.items()
        }
        parts["power"] = spaces.Discrete(len(self.batch.powers))
        parts["action_mask"] = spaces.Tuple([spaces.Box(0, 1, (size,), np.int8) for size in self.sizes])
        return spaces.Dict(parts)

    @property
    def position(self) -> Position:
        """The position of the game."""
        return self.batch.position(0)

    def observations(self) -> list[dict[str, Any]]:
        """What each power sees."""
        seen = {name: array[0, ...] for name, array in self.batch.observe()._asdict().items()}
        masks = self._masks()
        return [
            {**seen, "power": np.int64(power), "action_mask": tuple(mask[part] for part in self._parts)}
            for power, mask in enumerate(masks)
        ]

    def _masks(self) -> NDArray[np.int8]:
        """For every power which choices there are, all provinces in one row."""
        if self._shown is None:
            self._shown = self._new_masks()
        return self._shown

    def _new_masks(self) -> NDArray[np.int8]:
        legal = self.batch.legal()
        winter = legal.provinces == 255
        masks = np.zeros((len(self.batch.powers), self._begin[-1]), np.int8)
        masks[:, self._begin[:-1]] = 1
        for power, mask in enumerate(masks):
            first, last = legal.rows[power], legal.rows[power + 1]
            listed = self._at[legal.orders[legal.starts[first] : legal.starts[last]]]
            mask[listed[listed >= 0]] = 1
            # A unit that moves or retreats has an order; in Winter not everything that can be is built.
            mask[self._begin[legal.provinces[first:last][~winter[first:last]]]] = 0
        masks.flags.writeable = False
        return masks

    def chosen(self, power: int, action: Any) -> list[int]:
        """The numbers in the table of the orders that an action of a power gives in this phase.

        A choice that the mask excludes counts as none. In Winter the first provinces count, as many as are
        due. Raises BordeauxError for an action outside the space.
        """
        choices = np.asarray(action)
        if choices.shape != self.sizes.shape or choices.dtype.kind not in "iu":
            raise BordeauxError(f"an action is {len(self.sizes)} whole numbers, one for each province")
        outside = np.flatnonzero((choices < 0) | (choices >= self.sizes))
        if len(outside):
            place = outside[0]
            most = self.sizes[place] - 1
            raise BordeauxError(
                f"no order {choices[place]} in {self.batch.provinces[place]}; it has 0 to {most}"
            )
        possible = self._masks()[power, self._begin[:-1] + choices] == 1
        given = np.flatnonzero((choices > 0) & possible)
        # Each row is one order: a unit's in a movement, and in Winter what is due.
        first, last = self.batch.legal().rows[power : power + 2]
        return [int(self._numbers[place][choices[place] - 1]) for place in given[: last - first]]

    def texts(self, power: int, action: Any) -> list[str]:
        """The orders that an action of a power gives in this phase, as text; raises as `chosen` does."""
        return [self.batch.table.texts[number] for number in self.chosen(power, action)]

    def step(self, orders: Mapping[int, Sequence[int]]) -> Step:
        """Play a phase with the orders of powers, by their numbers in the table; others order nothing."""
        given = np.full((1, len(self.batch.powers), len(self.sizes)), -1)
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
        if self.render_mode is None:
            return None
        if self.render_mode == "svg":
            return svg(self.position, size=self._size)
        if self.render_mode == "rgb_array":
            return _pixels(png(svg(self.position, size=self._size)))
        text = _text(self.position, colours=self.render_mode == "ansi")
        if self.render_mode == "ansi":
            return text
        print(text)
        return None


def _waived(codes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    waived: NDArray[np.bool_] = fields_of(codes)["kind"] == OrderKind.WAIVE
    return waived


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
