"""Times in people's text: ``this fall``, ``in Spring 1902``, ``until W1903A``."""

from __future__ import annotations

from collections.abc import Iterator

from bordeaux.board.errors import BordeauxError
from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p
from bordeaux.press.language.english.context import MessageContext
from bordeaux.press.language.english.words import Words

__all__ = ["Seasons"]

Span = tuple[Phase, Phase | None]
_SEASONS = {
    **dict.fromkeys(("SPRING", "SPR"), ("S", "M")),
    "SUMMER": ("S", "R"),
    **dict.fromkeys(("FALL", "FAL", "AUTUMN", "AUT"), ("F", "M")),
    "WINTER": ("W", "A"),
}


class Seasons:
    """Reads times: the phase that is meant, relative to the position."""

    def __init__(self, words: Words, context: MessageContext) -> None:
        self.words = words
        self.context = context
        self.now = context.board.position.phase

    def read(self, at: int) -> Iterator[tuple[Span, int]]:
        """The time at a place in the text, and the place after it."""
        words = self.words
        if words.key(at, "UNTIL"):
            for phase, end in self._phase(at + 1):
                yield (self.now, phase), end
        begin = words.skip(at, "IN", "FOR", "FROM")
        for phase, end in self._phase(begin):
            if words.key(at, "FROM") and words.key(end, "TO", "UNTIL"):
                for last, behind in self._phase(end + 1):
                    yield (phase, last), behind
            yield (phase, None), end

    def timed(self, term: p.Term, span: Span) -> p.Term:
        """The term with its time, which is omitted for an order that cannot be given earlier."""
        core = term.term if isinstance(term, p.Not) else term
        if isinstance(core, p.Promise) and span == (self.context.board.next_phase(core.order.kind), None):
            return term
        return p.During(*span, term)

    def _phase(self, at: int) -> Iterator[tuple[Phase, int]]:
        words = self.words
        later = words.key(at, "NEXT")
        begin = words.skip(at, "THIS", "NEXT")
        if words.key(begin, "TURN"):
            yield self._following() if later else self.now, begin + 1
        if begin < len(words) and (phase := self._told(words.words[begin])) is not None:
            yield phase, begin + 1
        if not words.key(begin, "SEASON"):
            return
        season, kind = _SEASONS[words.words[begin]]
        end = begin + 1
        year = words.words[end] if end < len(words) and words.words[end].isdigit() else ""
        end += bool(year)
        if words.key(end, "RETREAT"):
            kind, end = "R", end + 1
        yield Phase(int(year), season, kind) if year else self._next(season, kind, later), end

    def _told(self, word: str) -> Phase | None:
        """The phase of ``S1901M``."""
        if word[0] not in "SFW" or not word[1:2].isdigit():
            return None
        try:
            return Phase.parse(word)
        except BordeauxError:
            return None

    def _next(self, season: str, kind: str, later: bool) -> Phase:
        """The first phase of its kind from now on, or after the present one."""
        phase = Phase(self.now.year, season, kind)
        gone = _order_of_play(phase) < _order_of_play(self.now) or (later and phase == self.now)
        return phase._replace(year=self.now.year + 1) if gone else phase

    def _following(self) -> Phase:
        """The movement phase after the present phase."""
        year = self.now.year
        return Phase(year, "F", "M") if self.now.season == "S" else Phase(year + 1, "S", "M")


def _order_of_play(phase: Phase) -> tuple[int, int]:
    return "SFW".index(phase.season), "MRA".index(phase.kind)
