"""The value of complete sets against the best replies of nearby enemies (Hall and Loeb 1995, sections 3.3
and 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bordeaux.search.paper.power_search import PowerSearch

__all__ = ["SetScore", "value_against_replies"]

#: Sets from which an enemy chooses its reply.
REPLIES = 6


class SetScore(NamedTuple):
    """A set's value against the expected orders, and against each tested reply, in points.

    `caution`, from 0 to 1, is the weight of the worst reply (Hall and Loeb 1995, section 3.3: the average
    over alternative orders of the enemies, or the paranoid view).
    """

    expected: float
    against_replies: tuple[float, ...]
    caution: float

    @property
    def score(self) -> float:
        """The mean of two values: that against the expected orders, and that against replies, with some
        weight on the worst. Without a differing reply it is the value against the expected orders."""
        if not self.against_replies:
            return self.expected
        mean = sum(self.against_replies) / len(self.against_replies)
        replies = (1 - self.caution) * mean + self.caution * min(self.against_replies)
        return (self.expected + replies) / 2

    def with_another(self, other: SetScore) -> SetScore:
        """The same set judged again in other circumstances: the later judgement has double weight."""
        return SetScore(
            (self.expected + 2 * other.expected) / 3,
            other.against_replies or self.against_replies,
            self.caution,
        )


def value_against_replies(
    side: PowerSearch,
    orders: bytes,
    current: Mapping[str, bytes],
    foes: Iterable[PowerSearch],
    caution: float,
) -> SetScore:
    """Judge a set by its value against the backgrounds of the search and against replies to it.

    `current` are the expected orders of all others. Each of the `foes` replies in its own interest: with the
    set of its pool that is best for itself when it sees ours. The set is then played against each reply
    alone, and against all together. `caution` is the weight of the worst of them, from 0 to 1.
    """
    node = side.space.node_of(orders)
    expected = side.space.value(node)
    replies: dict[str, bytes] = {}
    for foe in foes:
        around = b"".join(best for name, best in current.items() if name != foe.power) + orders
        pool = foe.ranked()[:REPLIES]
        values = [foe.space.values(foe.space.node_of(answer), [around])[0] for answer in pool]
        reply = max(zip(values, pool, strict=True))[1]
        if reply != current[foe.power]:
            replies[foe.power] = reply
    backgrounds = [_joined({**current, power: reply}) for power, reply in replies.items()]
    if len(replies) > 1:
        backgrounds.append(_joined({**current, **replies}))
    return SetScore(expected, tuple(side.space.values(node, backgrounds)), caution)


def _joined(sets: Mapping[str, bytes]) -> bytes:
    return b"".join(sets.values())
