"""Conditional statements, kept until their condition is decided: ``if ... then ... else``.

When a condition is known to hold or not to hold, the dependent part counts as said. A conditional proposal
that all have accepted is then binding. Source: LANGUAGE.md, section 10, level 100.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bordeaux.board.phase import Phase
from bordeaux.press.diplomat.offers import Offer
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.timing import last_phase, moment, timed

__all__ = ["Conditions", "Known"]

#: Conditional messages of one power that are remembered, and the years for which they are.
MOST_WAITING, YEARS = 20, 1

#: Whether a term holds, as far as is known.
Known = Callable[[p.Term], bool | None]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A conditional message; with an offer one that all have accepted."""

    letter: Letter
    said: Phase
    offer: Offer | None = None


class Conditions:
    """Conditional messages without a decision."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []

    def begin(self, phase: Phase) -> None:
        """Begin a phase; old messages are dropped."""
        oldest = moment(phase._replace(year=phase.year - YEARS))
        self._waiting = [waiting for waiting in self._waiting if moment(waiting.said) >= oldest]

    def note(self, letter: Letter, phase: Phase) -> None:
        """Record a conditional message."""
        self._add(_Waiting(letter, phase))

    def agreed(self, offer: Offer, known: Known) -> list[Offer]:
        """A conditional proposal has been accepted; returns the proposals that bind now. If its condition
        concerns future orders, it binds at once, as one of two mutually exclusive proposals; others wait."""
        message = offer.message
        assert isinstance(message, p.If)
        to = tuple(sorted(offer.parties - {offer.proposer}))
        waiting = _Waiting(Letter(offer.proposer, to, message), offer.made, offer)
        self._waiting = [waiting for waiting in self._waiting if waiting.letter.message != message]
        if known(message.condition) is None and last_phase(timed(message.condition, offer.made)) is None:
            self._add(waiting)
            return []
        return _bound(waiting, known(message.condition))

    def decided(self, known: Known) -> tuple[list[Letter], list[Offer]]:
        """The statements and binding proposals whose condition has been decided since the last call."""
        letters: list[Letter] = []
        offers: list[Offer] = []
        for waiting in list(self._waiting):
            message = waiting.letter.message
            assert isinstance(message, p.If)
            verdict = known(message.condition)
            if verdict is None:
                continue
            self._waiting.remove(waiting)
            branch = message.then if verdict else message.otherwise
            if waiting.offer is not None:
                offers += _bound(waiting, verdict)
            elif branch is not None:
                letters.append(waiting.letter._replace(message=branch))
        return letters, offers

    def __len__(self) -> int:
        """The number of waiting messages."""
        return len(self._waiting)

    def _add(self, waiting: _Waiting) -> None:
        self._waiting.append(waiting)
        theirs = [earlier for earlier in self._waiting if earlier.letter.sender == waiting.letter.sender]
        for old in theirs[:-MOST_WAITING]:
            self._waiting.remove(old)


def _bound(waiting: _Waiting, verdict: bool | None) -> list[Offer]:
    """A conditional proposal as a plain one: that of the branch that applies, or, if this is still open, the
    common part of both branches."""
    message, offer = waiting.letter.message, waiting.offer
    assert isinstance(message, p.If) and offer is not None
    then, otherwise = _proposed(message.then), _proposed(message.otherwise)
    condition = message.condition
    if verdict is not None:
        term = then if verdict else otherwise
    elif then is not None and otherwise is not None:
        term = p.All((p.Some((p.Not(condition), then)), p.Some((p.Not(p.Not(condition)), otherwise))))
    elif then is not None:
        term = p.Some((p.Not(condition), then))
    else:
        term = p.Some((p.Not(p.Not(condition)), otherwise)) if otherwise is not None else None
    if term is None:
        return []
    return [Offer(p.Propose(term), offer.proposer, offer.parties, offer.made)]


def _proposed(message: p.Message | None) -> p.Term | None:
    return message.term if isinstance(message, p.Propose | p.Insist) else None
