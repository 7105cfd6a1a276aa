"""Who has said what to which proposal, and who understands which press.

A proposal binds once everybody to whom it was sent has said YES to it; there are no message ids, so
a proposal is known by its text. Source: LANGUAGE.md, section 8.
"""

from __future__ import annotations

from collections.abc import Iterable

from bordeaux.daide import language as d
from bordeaux.daide.client.hearing import Hearing

__all__ = ["Proposals"]

#: Years for which a refused proposal is not made again.
SULKING = 2


class Proposals:
    """The open proposals of one game. Powers that take part go by their tokens."""

    def __init__(self) -> None:
        self._open: dict[object, tuple[str, set[str], set[str]]] = {}
        self._refused: dict[tuple[object, str], int] = {}
        self._hearing: dict[str, Hearing] = {}

    def open(self, press: d.Press, proposer: str, to: Iterable[str]) -> None:
        """Note a proposal, which its proposer agrees with; the others are yet to say so."""
        self._open[press] = proposer, {proposer, *to}, {proposer}

    def join(self, message: d.FRM, me: str) -> None:
        """Note a proposal that came with a message and that we agree with."""
        if message.press not in self._open:
            self.open(message.press, message.sender, message.to)
        self._open[message.press][2].update((message.sender, me))

    def agreed(self, press: object, power: str) -> None:
        """Note a power's YES."""
        if press in self._open:
            self._open[press][2].add(power)

    def settle(self, press: object) -> bool:
        """Whether everybody agrees with a proposal; if so it is open no longer."""
        if press not in self._open:
            return False
        _, parties, agreed = self._open[press]
        if not parties <= agreed:
            return False
        del self._open[press]
        return True

    def refused(self, press: object, power: str, year: int) -> None:
        """Note a power's refusal, by name; the proposal is off."""
        self._open.pop(press, None)
        self._refused[press, power] = year

    def lately_refused(self, press: object, power: str, year: int) -> bool:
        """Whether a power has refused a proposal in the last years."""
        return year - self._refused.get((press, power), -SULKING) < SULKING

    def cancelled(self, press: object, power: str) -> None:
        """A power takes back its proposal, or its YES to one."""
        match press:
            case d.YES(inner):
                if inner in self._open:
                    self._open[inner][2].discard(power)
            case _ if press in self._open and self._open[press][0] == power:
                del self._open[press]

    def hearing(self, power: str) -> Hearing:
        """What a power, by name, understands as far as it has shown."""
        return self._hearing.setdefault(power, Hearing())

    def can_hear(self, power: str, press: d.Press) -> bool:
        """Whether a power, by name, understands some press, as far as we know."""
        known = self._hearing.get(power)
        return known is None or known.understands(d.tokens(press))
