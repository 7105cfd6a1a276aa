"""Intelligence: models of the other powers from their orders and their press."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.press.diplomat.deeds import Judgement
from bordeaux.press.diplomat.stance import Stance, conduct
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter

KINDS = ("peace", "alliance", "promise", "demilitarised", "support", "draw", "other")
"""Kinds of agreements for which a power's reliability may differ."""
#: The prior for a power without observations: kept and broken promises.
KEPT, BROKEN = 2.0, 1.0
#: The weight of observations of one kind of promise for another kind.
SHARED = 0.3
#: The factor on the counts after each further observation of the kind, since powers change.
MEMORY = 0.97
#: The factor on the trend after each further observation.
TREND = 0.8


class Reliability:
    """Counts of promises kept and broken, by power and kind. The probability that the next one is kept is the
    mean of a Beta distribution. Powers are named; a power without observations has the prior."""

    def __init__(self) -> None:
        self._kept: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._broken: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._honesty: dict[str, float] = {}

    def note(self, power: str, kind: str, kept: bool, weight: float = 1.0) -> None:
        """Record whether a power kept an agreement; `weight` is the weight of the observation, 1 for a full
        one."""
        for counts in (self._kept, self._broken):
            counts[power, kind] *= MEMORY**weight
        counts = self._kept if kept else self._broken
        counts[power, kind] += weight
        left = TREND**weight
        self._honesty[power] = left * self.honesty(power) + (1 - left) * (1 if kept else -1)

    def chance(self, power: str, kind: str) -> float:
        """The probability, above 0 and below 1, that a power keeps its next promise of a kind."""
        kept, broken = KEPT, BROKEN
        for other in KINDS:
            part = 1.0 if other == kind else SHARED
            kept += part * self._kept.get((power, other), 0.0)
            broken += part * self._broken.get((power, other), 0.0)
        return kept / (kept + broken)

    def honesty(self, power: str) -> float:
        """A power's recent record of promises of all kinds, from -1 (broken all) to 1 (kept all); 0 without
        any."""
        return self._honesty.get(power, 0.0)


#: The weight of a breach against others, as a part of an own observation, and the movement phases for which
#: it and an attack between others are remembered.
HEARSAY, LATELY = 0.5, 4
#: Kinds of breaches that are stabs, not only missing help.
STABS = ("peace", "alliance", "demilitarised")
#: Phases whose breaches are remembered, with the powers that committed them.
REMEMBERED = 40


class Intelligence:
    """The knowledge of `power` about the others: `stance` is their attitude by orders, `reliability` how they
    keep promises.
    """

    def __init__(self, map: Map, power: str, *, evaluation: str = "default") -> None:
        self.power = power
        self.stance = Stance(map, power, evaluation)
        self.reliability = Reliability()
        self.stabbed: dict[str, int] = {}
        self._phases = 0
        #: The last movement phase in which a power attacked another.
        self._attacked: dict[tuple[str, str], int] = {}
        self._accused: dict[str, int] = {}
        self._broken: deque[tuple[Phase, Judgement]] = deque(maxlen=REMEMBERED)

    def observe(
        self,
        before: Position,
        orders: Mapping[str, Sequence[Order]],
        judgements: Sequence[Judgement],
        warned: frozenset[str],
    ) -> None:
        """Learn from a phase that was played, and from the promises kept in it; `warned` are powers that had
        announced hostility."""
        self.stance.observe(before, orders, warned=warned)
        if before.phase.kind == "M":
            self._phases += 1
            self._attacked |= dict.fromkeys(conduct(before, orders).attacks, self._phases)
        for judgement in judgements:
            if not judgement.kept:
                self._broken.append((before.phase, judgement))
            if judgement.power == self.power:
                continue
            self.reliability.note(judgement.power, judgement.kind, judgement.kept)
            if not judgement.kept and self.power in judgement.deal.parties and judgement.kind in STABS:
                self.stance.stabbed(judgement.power)
                self.stabbed[judgement.power] = self._phases

    def heard(self, letter: Letter) -> None:
        """Process a power's report that another broke the peace with it, if the board shows an attack."""
        match letter.message:
            case p.State(p.Not(p.Peace(powers))) | p.Think(p.Not(p.Peace(powers))):
                for power in dict.fromkeys(powers) if self.power not in powers else ():
                    attack = power, letter.sender
                    if power != letter.sender and self._attacked.get(attack) == self._phases:
                        self._accused[power] = self._phases
                        self.reliability.note(power, "peace", False, HEARSAY)

    def accused(self, power: str) -> bool:
        """Whether a power has recently broken an agreement with another, by the latter's report and the
        board."""
        return self._phases - self._accused.get(power, -LATELY - 1) <= LATELY

    def at_war(self, one: str, other: str) -> bool:
        """Whether one of two powers has lately attacked the other."""
        attacks = ((one, other), (other, one))
        return any(self._phases - self._attacked.get(attack, -LATELY - 1) <= LATELY for attack in attacks)

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
