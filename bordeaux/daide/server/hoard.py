"""The number of bytes kept for all connections together, and the connection with the most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Hoard"]

Key = TypeVar("Key")


class Hoard(Generic[Key]):
    """Sizes by key, with a limit on their sum. `measure` gives the present size of a key, which may be less
    than the recorded one."""

    def __init__(self, most: int, measure: Callable[[Key], int]) -> None:
        self.most = most
        self._measure = measure
        self._sizes: dict[Key, int] = {}
        self._sum = 0

    @property
    def sum(self) -> int:
        """The sum of the recorded sizes."""
        return self._sum

    def note(self, key: Key, size: int) -> Key | None:
        """Record a size, 0 for none; returns the key with the largest size if the sum is above the limit."""
        self._sum += size - self._sizes.pop(key, 0)
        if size:
            self._sizes[key] = size
        if self._sum <= self.most:
            return None
        measured = {key: self._measure(key) for key in self._sizes}
        self._sizes = {key: size for key, size in measured.items() if size}
        self._sum = sum(self._sizes.values())
        if self._sum <= self.most:
            return None
        return max(self._sizes, key=self._sizes.__getitem__)
