"""Lines about events that others can repeat without end: the first ones are told, and the rest is counted and
told once a minute."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

MOST = 20
"""Lines of one kind in a minute."""
MINUTE = 60.0


class Repeats:
    """Passes lines to `write`, of each kind at most `MOST` in a minute, and then the number of the others.

    A kind is a noun in the plural, for the line with the numbers. `clock` gives seconds.
    """

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._clock = clock
        self._begun = clock()
        self._counts: Counter[str] = Counter()

    def line(self, kind: str, text: str) -> None:
        """Tell something, or count it."""
        if self.admits(kind):
            self._write(text)

    def admits(self, kind: str) -> bool:
        """Whether something is told; it is counted otherwise."""
        self.look()
        self._counts[kind] += 1
        return self._counts[kind] <= MOST

    def look(self, *, last: bool = False) -> None:
        """Tell the numbers if the minute is over, or with `last` in any case."""
        now = self._clock()
        if now - self._begun < MINUTE and not last:
            return
        more = [f"{count - MOST:,} {kind}" for kind, count in self._counts.items() if count > MOST]
        self._begun = now
        self._counts.clear()
        if more:
            self._write(f"not told in the last minute: {', '.join(more)}")
