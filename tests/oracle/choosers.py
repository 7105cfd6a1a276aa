"""Where random scenarios take their choices from: a seeded generator here, Hypothesis in the tests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol, TypeVar

__all__ = ["Chooser", "Seeded", "T"]

T = TypeVar("T")


class Chooser(Protocol):
    """Where the choices come from."""

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""


class Seeded:
    """Choices of a seeded generator."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def choice(self, options: Sequence[T]) -> T:
        return self._random.choice(options)

    def chance(self, percent: int) -> bool:
        return self._random.random() * 100 < percent
