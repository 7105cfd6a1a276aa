"""Sender, recipients and position of a message: the meaning of pronouns, and lists of powers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bordeaux.board.position import Position
from bordeaux.press.language.english.names import Names
from bordeaux.press.language.english.units import PromisableOrders
from bordeaux.press.language.english.words import VERBS, Words

__all__ = ["MessageContext"]


class MessageContext:
    """The correspondents. `complaint` is the first near miss of the parser; `complain` records one."""

    def __init__(self, words: Words, speaker: str, to: Sequence[str], position: Position) -> None:
        self.words = words
        self.speaker = speaker
        self.to = tuple(power for power in to if power != speaker)
        self.board = PromisableOrders(position)
        self.complaint = ""

    def complain(self, text: str) -> None:
        """Record why something cannot be meant."""
        self.complaint = self.complaint or text

    def you(self) -> tuple[str, ...]:
        """The addressed power; none, with a complaint, if there are several."""
        if len(self.to) > 1:
            names = Names(self.board.position.map)
            self.complain(f"who is 'you'? name {names.powers(self.to).replace(' and ', ' or ')}")
        return self.to

    def party(self, powers: Sequence[str]) -> tuple[str, ...]:
        """The powers, if they are at least two; else with the speaker, and with the addressed powers."""
        parties = tuple(dict.fromkeys(powers))
        if len(parties) < 2:
            parties = tuple(dict.fromkeys((*(parties if parties != self.to else ()), self.speaker, *parties)))
        return parties if len(parties) > 1 else tuple(dict.fromkeys((*parties, *self.to)))

    def who(self, at: int, subject: bool = False) -> Iterator[tuple[tuple[str, ...], int]]:
        """Powers and pronouns in sequence, the longest sequence first.

        As a `subject` they may be before a verb; otherwise a power before a verb begins another clause.
        """
        ways: list[tuple[tuple[str, ...], int]] = []
        powers: tuple[str, ...] = ()
        power = self.one(at)
        while power is not None:
            named, end = power
            if not subject and self.words.key(end, *VERBS):
                break
            powers = tuple(dict.fromkeys((*powers, *named)))
            ways.append((powers, end))
            power = self.one(self.words.skip(end, "AND"))
        yield from reversed(ways)

    def one(self, at: int) -> tuple[tuple[str, ...], int] | None:
        """A power or a pronoun, which may mean several powers."""
        if self.words.key(at, "I"):
            return (self.speaker,), at + 1
        if self.words.key(at, "YOU"):
            return self.you(), at + 1
        if self.words.key(at, "WE"):
            return (self.speaker, *self.to), at + 1
        power = self.words.power(at)
        return None if power is None else ((power[0],), power[1])
