"""Disagreements of engine and people: sets that the engine prefers and nobody plays, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from bordeaux.openings.book import Book, Row, rows_of

PREFERRED = 0.05
"""Engine's share from which a set counts as preferred."""
FEW = 0.0
ENOUGH = 50
"""Games that a place must have come up in."""
COMMON = 0.05
"""Share of the games from which a set counts as played."""
UNLIKELY = 0.01
"""Engine's share up to which it dislikes a set."""


class Disagreement(NamedTuple):
    """A set that one side prefers and the other does not: its `row`, the row of the most played set at that
    place (None without games), and of the set with the engine's highest value.

    `gain` is the engine's value of the set minus that of the most played one; None if the latter
    was not searched.
    """

    row: Row
    usual: Row | None
    best: Row

    @property
    def gain(self) -> float | None:
        """The value over that of the most played set."""
        if self.usual is None or self.usual.value is None or self.row.value is None:
            return None
        return self.row.value - self.usual.value

    @property
    def loss(self) -> float:
        """The value below that of the set with the engine's highest value; never below 0."""
        return (self.best.value or 0.0) - (self.row.value or 0.0)


def novelties(
    book: Book, least: float = PREFERRED, most: float = FEW, power: str = "", games: int = ENOUGH
) -> list[Disagreement]:
    """Sets with an engine's probability of at least `least` that are played at most `most` of the time (both
    of 1), the one of each place with the largest gain over the most played set; the largest gains first. Sets
    without a gain are no novelties.

    Only places that the engine searched count, and only those that occurred in at least so many `games`;
    `power` selects one. Raises MapError for an unknown name.
    """
    disagreements = sorted(
        (
            Disagreement(row, usual, best)
            for place, usual, best in _searched(book, power, games)
            for row in place
            if (row.probability or 0.0) >= least and row.share is not None and row.share <= most
        ),
        key=lambda each: (-(each.gain or 0.0), each.row.power, each.row.orders),
    )
    of_place = {(each.row.power, each.row.key): each for each in reversed(disagreements)}
    return [
        each
        for each in disagreements
        if each is of_place[each.row.power, each.row.key] and (each.gain is None or each.gain > 0)
    ]


def disliked(book: Book) -> list[Disagreement]:
    """Sets played at least `COMMON` of the time to which the engine gives a probability of at most 1 %,
    those with the largest loss first. Otherwise as `novelties`."""
    disagreements = [
        Disagreement(row, usual, best)
        for place, usual, best in _searched(book, "", ENOUGH)
        for row in place
        if row.value is not None and (row.share or 0.0) >= COMMON and (row.probability or 0.0) <= UNLIKELY
    ]
    return sorted(disagreements, key=lambda disagreement: (-disagreement.loss, disagreement.row.orders))


def _searched(book: Book, power: str, games: int) -> Iterator[tuple[list[Row], Row | None, Row]]:
    """Rows of every place that the engine has searched, with the most played and the best. Places are the
    first position, and views of later ones: later positions as such are hardly ever played twice."""
    wanted = book.map.power(power) if power else ""
    first = [
        rows_of(book.map, entries, name, node.phase, node.key, total=node.sent.get(name))
        for node in book
        if not node.came
        for name, entries in node.powers.items()
        if wanted in ("", name)
    ]
    later = (
        rows_of(book.map, view.entries, view.power, view.phase, view.key, True, view.games)
        for view in book.views.values()
        if wanted in ("", view.power)
    )
    for place in chain(first, later):
        valued = [row for row in place if row.value is not None]
        if valued and sum(row.games for row in place) >= games:
            played = [row for row in place if row.share]
            usual = max(played, key=lambda row: row.share or 0.0, default=None)
            yield place, usual, max(valued, key=lambda row: row.value or 0.0)
