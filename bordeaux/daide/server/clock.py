"""The clock of one game: deadlines, the warnings that clients requested, and the stopped clock (DSD).

It does not read the time. Every method that needs the time is given it, in seconds that only grow.
LANGUAGE.md, section 7: 4 and 5.
"""

from __future__ import annotations

import math

__all__ = ["MOST_WARNINGS", "Clock"]

#: How many warnings before each deadline a client may ask for.
MOST_WARNINGS = 64
# What sums of seconds may be off by.
_ROUNDING = 1e-6


class Clock:
    """When the turn ends, and who wants to hear how long it still has.

    `limit` is the length of the turn in seconds, None without a deadline; `deadline` is the moment
    that it ends, None while the clock does not run.
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
        """Whether there is a deadline that is not coming closer."""
        return self._frozen is not None

    def start(self, limit: int | None, now: float) -> None:
        """Begin a turn of so many seconds, or one without a limit."""
        self.limit = limit
        self._frozen = None
        self._ending.clear()
        self._set(None if limit is None else now + limit, now)

    def stop(self, now: float) -> None:
        """Stand still. Does nothing without a deadline, or twice."""
        if self.deadline is not None:
            self._frozen = max(0.0, self.deadline - now)
            self._set(None, now)

    def run(self, now: float) -> None:
        """Go on after `stop`."""
        if self._frozen is not None:
            left, self._frozen = self._frozen, None
            self._set(now + left, now)

    def _set(self, deadline: float | None, now: float) -> None:
        self.deadline = deadline
        self._heard = now
        self._look_ahead()

    def left(self, now: float) -> float | None:
        """Seconds that the turn still has; None without a deadline."""
        if self._frozen is not None:
            return self._frozen
        return None if self.deadline is None else max(0.0, self.deadline - now)

    def whole_seconds(self, now: float) -> int | None:
        """Seconds left for a client to read: whole ones, so that nobody is promised too much."""
        left = self.left(now)
        return None if left is None else math.floor(left + _ROUNDING)

    def expired(self, now: float) -> bool:
        """Whether the deadline has come."""
        return self.deadline is not None and now >= self.deadline

    def ask(self, client: int, seconds: int) -> bool:
        """Let a client be told so many seconds before every deadline; False if it asks for too many."""
        asked = self._requests.setdefault(client, set())
        ending = self._ending.get(client, set())
        if seconds not in asked and len(asked) >= MOST_WARNINGS:
            return False
        asked.add(seconds)
        ending.discard(seconds)
        self._look_ahead()
        return True

    def cancel(self, client: int, seconds: int | None = None) -> bool:
        """Take back one such request, or all of them; False if there is none such.

        The turn that goes on still has its warning: Albert begins to think at one that it has just
        taken back, and would miss the turn otherwise.
        """
        asked = self._requests.get(client, set())
        gone = asked & {seconds} if seconds is not None else set(asked)
        asked -= gone
        ending = self._ending.setdefault(client, set())
        ending |= set(sorted(gone)[: MOST_WARNINGS - len(ending)])
        self._look_ahead()
        return bool(gone)

    def forget(self, client: int) -> None:
        """A client is gone: it gets no warnings any more."""
        if (self._requests.pop(client, None), self._ending.pop(client, None)) != (None, None):
            self._look_ahead()

    def warnings(self, now: float) -> list[tuple[int, int]]:
        """(client, seconds left) of every warning that has come due since the last call.

        A client is told once, with the seconds that it asked for unless they are over.
        """
        if self.deadline is None or now < self._next:
            self._heard = now
            return []
        told: dict[int, int] = {}
        left = max(0, math.ceil(self.deadline - now - _ROUNDING))
        for moment, client, seconds in self._moments():
            if moment <= now:
                told[client] = min(seconds, left)
        self._heard = now
        self._look_ahead()
        return sorted(told.items())

    def wake(self) -> float | None:
        """The next moment at which something happens; None if nothing will."""
        return None if self.deadline is None else min(self._next, self.deadline)

    def _look_ahead(self) -> None:
        """Work out when the next warning is due, as that is asked far oftener than it changes."""
        self._next = min((moment for moment, _, _ in self._moments()), default=math.inf)

    def _moments(self) -> list[tuple[float, int, int]]:
        """(moment, client, seconds) of the warnings that are still to be given this turn.

        One for the whole length of the turn is no warning: the turn has begun with it.
        """
        if self.deadline is None or self.limit is None:
            return []
        return sorted(
            (moment, client, seconds)
            for client in self._requests.keys() | self._ending.keys()
            for seconds in self._requests.get(client, set()) | self._ending.get(client, set())
            if seconds < self.limit and (moment := self.deadline - seconds) > self._heard
        )
