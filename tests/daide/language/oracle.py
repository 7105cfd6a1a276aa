"""The grammar matched the plain way: every alternative is tried, one after the other.

Slow and simple, for comparison with `matching`. It says which prefixes of a message match a rule, and
how far any alternative got.
"""

from __future__ import annotations

from bordeaux.daide.language import Tokens, Vocabulary
from bordeaux.daide.language.grammar import Bracketed, OneOf, OneOfClass, Part, Reference, Several, grammar

__all__ = ["Oracle"]


class Oracle:
    """Matches one message at one level."""

    def __init__(self, tokens: Tokens, level: int, lenient: bool = False) -> None:
        self.tokens = tokens
        self.level = level
        self.lenient = lenient
        self.furthest = 0
        self._known: dict[tuple[str, int, str | None], set[int]] = {}

    def error(self, rule: str) -> int | None:
        """Where the first error of the message lies; None if it is what the rule says."""
        ends = self.rule(rule, 0, None)
        if len(self.tokens) in ends:
            return None
        return max(self.furthest, *ends) if ends else self.furthest

    def rule(self, name: str, at: int, barred: str | None) -> set[int]:
        """Where a rule that begins at a token may end."""
        barred = None if name == "press" else barred
        key = name, at, barred
        if key not in self._known:
            ends: set[int] = set()
            for alternative in grammar().rules[name].alternatives:
                if (
                    alternative.level <= self.level
                    and alternative.lenient <= self.lenient
                    and barred not in alternative.head
                ):
                    ends |= self.parts(alternative.parts, {at}, barred)
            self._known[key] = ends
        return self._known[key]

    def parts(self, parts: tuple[Part, ...], starts: set[int], barred: str | None) -> set[int]:
        for part in parts:
            repeat = "" if isinstance(part, Bracketed) else part.repeat
            once = {end for at in starts for end in self.part(part, at, barred)}
            ends = set(once)
            if repeat in ("+", "*"):
                while once:
                    once = {end for at in once for end in self.part(part, at, barred)} - ends
                    ends |= once
            starts = ends | starts if repeat in ("*", "?") else ends
        return starts

    def part(self, part: Part, at: int, barred: str | None) -> set[int]:
        match part:
            case OneOf(tokens):
                return self.token(at, *tokens)
            case OneOfClass("string"):
                end = at
                while self.token(end, "text"):
                    end += 1
                return set(range(at + 1, end + 1))
            case OneOfClass("any"):
                return self.anything(at)
            case OneOfClass(name):
                return self.token(at, name)
            case Reference(rule, without):
                return self.rule(rule, at, without or barred)
            case Bracketed(inner):
                inside = self.parts(inner, self.token(at, "("), barred)
                return {end for begin in inside for end in self.token(begin, ")")}
            case Several(inner):
                return self.parts(inner, {at}, barred)

    def token(self, at: int, *symbols: str) -> set[int]:
        """The place behind a token that stands for one of the symbols; none if it does not."""
        self.furthest = max(self.furthest, at)
        known = Vocabulary.standard().symbols
        return {at + 1} if at < len(self.tokens) and known[self.tokens[at]] in symbols else set()

    def anything(self, at: int) -> set[int]:
        """All the places up to which brackets match from here."""
        ends = {at}
        deep = 0
        for place in range(at, len(self.tokens)):
            deep += {"(": 1, ")": -1}.get(str(self.tokens[place]), 0)
            if deep < 0:
                self.furthest = max(self.furthest, place)
                return ends
            if deep == 0:
                ends.add(place + 1)
        self.furthest = len(self.tokens)
        return ends
