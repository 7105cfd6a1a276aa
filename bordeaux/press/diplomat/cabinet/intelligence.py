"""Intelligence: models of the other powers from their orders and their press."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import combinations

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.press.diplomat.facts import Judgement
from bordeaux.press.diplomat.intentions import Intentions
from bordeaux.press.diplomat.reliability import Reliability
from bordeaux.press.diplomat.stance import Stance, conduct
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter

__all__ = ["Intelligence"]

#: Nodes of one analysis of the intentions behind a phase's orders.
LOOK = 1500
#: The weight of a report by a power that never lies, in the sense of `Intentions.told`; the weight of a
#: breach against others, as a part of an own observation; the phases for which that is remembered.
WORD, HEARSAY, LATELY = 1.0, 0.5, 4
#: Kinds of breaches that are stabs, not only missing help.
STABS = ("peace", "alliance", "demilitarised")
#: Phases whose breaches are remembered, with the powers that committed them.
REMEMBERED = 40


class Intelligence:
    """The knowledge of `power` about the others: `stance` is their attitude by orders, `reliability` how they
    keep promises, `intentions` the alliances, inferred by short searches of all orders.
    """

    def __init__(self, map: Map, power: str, *, evaluation: str = "default") -> None:
        self.power = power
        self.stance = Stance(map, power, evaluation)
        self.reliability = Reliability()
        self.intentions = Intentions(map)
        self.stabbed: dict[str, int] = {}
        self._phases = 0
        self._attacks: frozenset[tuple[str, str]] = frozenset()
        self._accused: dict[str, int] = {}
        self._broken: deque[tuple[Phase, Judgement]] = deque(maxlen=REMEMBERED)

    def observe(
        self,
        engine: Engine,
        before: Position,
        orders: Mapping[str, Sequence[Order]],
        after: Position,
        judgements: Sequence[Judgement],
        warned: frozenset[str],
    ) -> None:
        """Learn from a phase that was played, and from the promises kept in it; `warned` are powers that had
        announced hostility."""
        self.stance.observe(before, orders, after, warned=warned)
        if before.phase.kind == "M":
            self._phases += 1
            self._attacks = frozenset(conduct(before, orders).attacks)
            self.intentions.observe(engine, before, orders, nodes=LOOK)
        for judgement in judgements:
            if not judgement.kept:
                self._broken.append((before.phase, judgement))
            if judgement.power == self.power:
                continue
            self.reliability.note(judgement.power, judgement.kind, judgement.kept and not judgement.queasled)
            if not judgement.kept and self.power in judgement.deal.parties and judgement.kind in STABS:
                self.stance.stabbed(judgement.power, before.phase)
                self.stabbed[judgement.power] = self._phases

    def heard(self, letter: Letter) -> None:
        """Process a power's report on others: peace between them, as far as the power is reliable, and a
        broken peace with it, if the board shows an attack."""
        match letter.message:
            case p.State(p.Not(p.Peace(powers))) | p.Think(p.Not(p.Peace(powers))):
                friendly = False
            case p.State(p.Peace(powers) | p.Alliance(powers)) | p.Think(
                p.Peace(powers) | p.Alliance(powers)
            ):
                friendly = True
            case _:
                return
        if self.power in powers:
            return
        weight = WORD * (1 + self.reliability.honesty(letter.sender)) / 2
        for one, other in combinations(dict.fromkeys(powers), 2):
            self.intentions.told(one, other, friendly, weight)
            if not friendly and letter.sender in (one, other):
                accused = other if letter.sender == one else one
                if (accused, letter.sender) in self._attacks:
                    self._accused[accused] = self._phases
                    self.reliability.note(accused, "peace", False, HEARSAY)

    def accused(self, power: str) -> bool:
        """Whether a power has recently broken an agreement with another, by the latter's report and the
        board."""
        return self._phases - self._accused.get(power, -LATELY - 1) <= LATELY

    def at_war(self, one: str, other: str) -> float:
        """The probability that two powers are at war."""
        return self.intentions.against(one, other)

    def trust(self, power: str, kind: str) -> float:
        """The probability that a power keeps a promise to us: from its record, and its orders towards us."""
        chance = self.reliability.chance(power, kind)
        return max(0.02, min(0.98, chance * (1 + 0.5 * min(0.0, self.stance.toward(power)))))

    def since_stab(self, power: str) -> int | None:
        """The number of movement phases since a power last broke an agreement with us, 1 for the last one;
        None if it never did."""
        last = self.stabbed.get(power)
        return None if last is None else self._phases - last + 1

    def broken(self, power: str, phase: Phase | None = None) -> list[tuple[Phase, Judgement]]:
        """The promises that a power broke in a phase, or in all remembered phases."""
        return [
            (when, judgement)
            for when, judgement in self._broken
            if judgement.power == power and phase in (None, when)
        ]

    def liking(self, power: str) -> float:
        """The desirability of a power as a friend, from -1 to 1: by its orders towards us, and its
        promises."""
        return max(-1.0, min(1.0, self.stance.toward(power) + 0.5 * self.reliability.honesty(power)))
