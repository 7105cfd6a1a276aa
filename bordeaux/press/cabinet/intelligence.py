"""Intelligence: what the others are like and what they are up to, read from their deeds and their words."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.press.facts import Judgement
from bordeaux.press.intentions import Intentions
from bordeaux.press.ledger import Ledger
from bordeaux.press.reliability import Reliability
from bordeaux.press.stance import Stance
from bordeaux.press.tacit import Tacit

__all__ = ["Intelligence"]

#: Nodes of one look at what a phase's orders were meant for.
LOOK = 1500
#: Phases of which broken words are remembered, with those who broke them.
REMEMBERED = 40


class Intelligence:
    """What is known of the others by `power`: `stance` is how they treat us, `reliability` how they keep
    their word, `tacit` who leaves whom alone, `intentions` who is allied with whom.

    `reads`: intentions are read by short searches of what everybody did, which costs time.
    """

    def __init__(self, map: Map, power: str, *, evaluation: str = "default", reads: bool = True) -> None:
        self.power = power
        self.stance = Stance(map, power, evaluation)
        self.reliability = Reliability()
        self.tacit = Tacit(map)
        self.intentions = Intentions(map) if reads else None
        self.stabbed: dict[str, int] = {}
        self._phases = 0
        self._broken: deque[tuple[Phase, Judgement]] = deque(maxlen=REMEMBERED)

    def observe(
        self,
        engine: Engine,
        before: Position,
        orders: Mapping[str, Sequence[Order]],
        after: Position,
        judgements: Sequence[Judgement],
        ledger: Ledger,
    ) -> None:
        """Learn from a phase that has been played, and from how promises were kept in it."""
        warned = frozenset(other for other in before.map.powers if ledger.hostile(other, self.power))
        self.stance.observe(before, orders, after, warned=warned)
        self.tacit.observe(before, orders, after)
        if before.phase.kind == "M":
            self._phases += 1
            if self.intentions is not None:
                self.intentions.observe(engine, before, orders, nodes=LOOK)
        for each in judgements:
            if not each.kept:
                self._broken.append((before.phase, each))
            if each.power == self.power:
                continue
            self.reliability.note(each.power, each.kind, each.kept and not each.queasled)
            if not each.kept and self.power in each.deal.parties:
                self.stance.stabbed(each.power, before.phase)
                self.stabbed[each.power] = self._phases

    def trust(self, power: str, kind: str) -> float:
        """The probability that a power keeps what it promises us: its record, and how it treats us."""
        chance = self.reliability.chance(power, kind)
        return max(0.02, min(0.98, chance * (1 + 0.5 * min(0.0, self.stance.toward(power)))))

    def since_stab(self, power: str) -> int | None:
        """Phases of movement since a power broke its word to us; None if it never did."""
        last = self.stabbed.get(power)
        return None if last is None else self._phases - last

    def broken(self, power: str, phase: Phase | None = None) -> list[tuple[Phase, Judgement]]:
        """The words that a power broke in a phase, or in all that are remembered."""
        return [(when, each) for when, each in self._broken if each.power == power and phase in (None, when)]

    def liking(self, power: str) -> float:
        """How welcome a power is as a friend, from -1 to 1: by deeds towards us, and by its word."""
        return max(-1.0, min(1.0, self.stance.toward(power) + 0.5 * self.reliability.honesty(power)))
