"""The clock of one game: deadlines, the warnings that clients requested, and the stopped clock (DSD).

It does not read the time. Methods that need it take it as an argument, in monotonic seconds. LANGUAGE.md,
section 7: 4 and 5.
"""

from __future__ import annotations

import math

#: The number of warnings before each deadline that a client may request.
MOST_WARNINGS = 64
# The rounding error of sums of seconds.
_ROUNDING = 1e-6


class TurnClock:
    """The end of the turn, and the clients that want warnings.

    `limit` is the length of the turn in seconds, None without a deadline. `deadline` is the end of the turn,
    None while the clock does not run.
    """

    def __init__(self) -> None:
        self.limit: int | None = None
        self.deadline: float | None = None
        self._frozen: float | None = None
        self._heard = -math.inf
        self._requests: dict[int, set[int]] = {}
        self._ending: dict[int, set[int]] = {}
        self._next = math.inf

    @property
    def stopped(self) -> bool:
        """Whether there is a deadline and the clock is stopped."""
        return self._frozen is not None

    def start(self, limit: int | None, now: float) -> None:
        """Begin a turn of so many seconds, or one without a limit."""
        self.limit = limit
        self._frozen = None
        self._ending.clear()
        self._set(None if limit is None else now + limit, now)

    def stop(self, now: float) -> None:
        """Stop the clock. No effect without a deadline, or twice."""
        if self.deadline is not None:
            self._frozen = max(0.0, self.deadline - now)
            self._set(None, now)

    def run(self, now: float) -> None:
        """Continue after `stop`."""
        if self._frozen is not None:
            left, self._frozen = self._frozen, None
            self._set(now + left, now)

    def _set(self, deadline: float | None, now: float) -> None:
        self.deadline = deadline
        self._heard = now
        self._look_ahead()

    def left(self, now: float) -> float | None:
        """The remaining seconds of the turn; None without a deadline."""
        if self._frozen is not None:
            return self._frozen
        return None if self.deadline is None else max(0.0, self.deadline - now)

    def whole_seconds(self, now: float) -> int | None:
        """The remaining seconds for a client: whole ones, rounded down."""
        left = self.left(now)
        return None if left is None else math.floor(left + _ROUNDING)

    def expired(self, now: float) -> bool:
        """Whether the deadline has come."""
        return self.deadline is not None and now >= self.deadline

    def ask(self, client: int, seconds: int) -> bool:
        """Register a warning for a client so many seconds before every deadline; False if it has too many."""
        asked = self._requests.setdefault(client, set())
        ending = self._ending.get(client, set())
        if seconds not in asked and len(asked) >= MOST_WARNINGS:
            return False
        asked.add(seconds)
        ending.discard(seconds)
        self._look_ahead()
        return True

    def cancel(self, client: int, seconds: int | None = None) -> bool:
        """Cancel one such warning, or all of them; False if there is none.

        The present turn keeps its warning: Albert begins to think at one that it has just cancelled, and
        would miss the turn otherwise.
        """
        asked = self._requests.get(client, set())
        gone = asked & {seconds} if seconds is not None else set(asked)
        asked -= gone
        ending = self._ending.setdefault(client, set())
        ending |= set(sorted(gone)[: MOST_WARNINGS - len(ending)])
        self._look_ahead()
        return bool(gone)

    def forget(self, client: int) -> None:
        """A client is gone: it gets no more warnings."""
        if (self._requests.pop(client, None), self._ending.pop(client, None)) != (None, None):
            self._look_ahead()

    def warnings(self, now: float) -> list[tuple[int, int]]:
        """(client, seconds left) of every warning that has come due since the last call.

        A client gets each warning once, with the requested seconds unless they are over.
        """
        if self.deadline is None or now < self._next:
            self._heard = now
            return []
        warnings: dict[int, int] = {}
        left = max(0, math.ceil(self.deadline - now - _ROUNDING))
        for moment, client, seconds in self._moments():
            if moment <= now:
                warnings[client] = min(seconds, left)
        self._heard = now
        self._look_ahead()
        return sorted(warnings.items())

    def wake(self) -> float | None:
        """The next time at which something is due; None if nothing is."""
        return None if self.deadline is None else min(self._next, self.deadline)

    def _look_ahead(self) -> None:
        """Compute when the next warning is due; it is queried far more often than it changes."""
        self._next = min((moment for moment, _, _ in self._moments()), default=math.inf)

    def _moments(self) -> list[tuple[float, int, int]]:
        """(time, client, seconds) of the remaining warnings of this turn.

        A warning for the whole length of the turn is omitted: the turn has begun with it.
        """
        if self.deadline is None or self.limit is None:
            return []
        return sorted(
            (moment, client, seconds)
            for client in self._requests.keys() | self._ending.keys()
            for seconds in self._requests.get(client, set()) | self._ending.get(client, set())
            if seconds < self.limit and (moment := self.deadline - seconds) > self._heard
        )
