"""What orders force: centres owned after a Fall, whatever others order.

The orders are fixed, and all joint replies of the units that matter (`bordeaux.search.forcing.field`) are
adjudicated. First for every centre by itself, which is quick. Then centres that can be lost each, and
that a common replier has a hand in, are looked at together, since what takes one may be missing at the
other; groups without a common replier fall independently of each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bordeaux._ext.adversary import Adversary
from bordeaux.board.code import as_bytes, codes_in, unit_of
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.search.forcing.field import Area, Field, Parts, parts

__all__ = ["ANYBODY", "Goal", "Prover", "TooMany", "Verdict"]

ANYBODY = ""
"""Whom a goal is forced against: all other powers together, as if one mind led them."""

KILLERS = 12
"""Replies that are remembered for each centre, as what took it once will often take it again."""

LIMIT = 400_000
"""Replies that are adjudicated at most for one centre or group; what needs more counts as not proved."""


class TooMany(Exception):
    """There are more replies than can be tried."""


class Goal(NamedTuple):
    """What a power is to force in a Fall.

    With `keeping` the power named `whose` (the one that orders) owns at least so many `centres` when the
    retreats of the Fall are over; else the power `whose`, another, owns at most as many. `against` is
    `ANYBODY`, or the only power that replies while all third units hold.
    """

    whose: str
    keeping: bool
    centres: int
    against: str = ANYBODY


class Verdict(NamedTuple):
    """Whether a goal is forced; `proved` is false where the replies were too many to tell, and then
    `holds` is false. `centres` is the number that is sure (of a stop: that is possible) as far
    as it was needed, `reply` orders that refute, as codes, `tried` the replies adjudicated."""

    holds: bool
    proved: bool
    centres: int
    reply: tuple[int, ...]
    tried: int


class _Found(NamedTuple):
    lost: int
    reply: tuple[int, ...]
    tried: int
    proved: bool


class Prover:
    """Proves for one position, one ordering power and one kind of goal; keeps replies that refuted.

    Raises ValueError for a position that is no Fall movement.
    """

    def __init__(self, position: Position, power: str, goal: Goal, limit: int = LIMIT) -> None:
        if (position.phase.season, position.phase.kind) != ("F", "M"):
            raise ValueError(f"a proof is about a Fall movement, not {position.phase}")
        map = position.map
        others = {goal.against} if goal.against else set(map.powers) - {power}
        self.position, self.power, self.goal, self.limit = position, power, goal, limit
        self.field = Field(position, others)
        self.whose = map.powers.index(goal.whose)
        self.centres = [province.index for province in map.provinces if province.centre]
        number = {name: map.province(name).index for name in map.centres}
        self.owned = {
            number[c] for c, owner in zip(map.centres, position.owners, strict=True) if owner == goal.whose
        }
        self.bank: list[bytes] = []
        self.killers: dict[int, list[bytes]] = {}
        self.shields: dict[int, list[tuple[frozenset[int], dict[int, int]]]] = {}
        self.parts: dict[int, Parts] = {}
        self.patience = math.inf
        """Where `asked` passes this, nothing more is proved: every centre asked about counts as lost."""
        self.asked = 0
        """Proofs begun and replies adjudicated so far, the former as a hundred of the latter."""

    def fixed(self, orders: Iterable[str]) -> dict[int, int]:
        """Orders as codes by province; illegal ones and those for others' units are left out."""
        codes = [code for _, code in submit(self.position, {self.power: orders}).codes()]
        return {parts(code, self.field.province_of).unit: code for code in codes}

    def prove(self, orders: Iterable[str], centres: int | None = None) -> Verdict:
        """Whether orders force the goal, or the same with another number of centres."""
        return self.judge(self.fixed(orders), centres)

    def judge(self, fixed: Mapping[int, int], centres: int | None = None) -> Verdict:
        """As `prove`, of codes by province of the unit."""
        wanted = self.goal.centres if centres is None else centres
        stakes = sorted(self.stakes(fixed))
        # So many of the stakes may be lost; of a stop, lost is what the other power has.
        slack = len(stakes) - wanted if self.goal.keeping else wanted
        refuted = self._refuted(fixed, stakes, slack)
        if refuted is not None:
            return refuted
        if self.asked > self.patience:
            return self._verdict(len(stakes), len(stakes), False, False, (), 0)
        loose: list[int] = []
        tried, proved = 0, True
        found: dict[int, _Found] = {}
        for stake in stakes:
            found[stake] = one = self._lost([stake], 1, fixed)
            tried += one.tried
            if one.lost:
                loose.append(stake)
                proved = proved and one.proved
        if len(loose) <= slack:
            return self._verdict(len(stakes), len(loose), True, True, (), tried)
        if self.asked > self.patience:
            return self._verdict(len(stakes), len(loose), False, False, (), tried)
        together = self._together([found[stake].reply for stake in loose])
        if together is not None:
            self._remember(together)
            refuted = self._refuted(fixed, stakes, slack)
            if refuted is not None:
                return refuted._replace(tried=tried + 1)
        lost, sure = 0, True
        reply: list[int] = []
        groups = self._groups(loose, fixed)
        for done, group_and_who in enumerate(groups):
            rest = len(groups) - done - 1
            group, who = group_and_who
            if len(group) == 1:
                one = found[group[0]]
            else:
                one = self._lost(group, max(1, min(len(group), slack + 1 - lost - rest)), fixed)
                tried += one.tried
            lost += one.lost
            sure = sure and one.proved
            reply += self._by(who, one.reply)
            if lost + rest > slack and sure and proved:
                for other, others in groups[done + 1 :]:
                    lost += 1
                    reply += self._by(others, found[other[0]].reply)
                break
        holds = lost <= slack
        if not holds and sure and proved:
            self._remember(reply)
            return self._verdict(len(stakes), lost, False, True, tuple(reply), tried)
        return self._verdict(len(stakes), lost, holds, holds, (), tried)

    def safe(self, fixed: Mapping[int, int], asked: Iterable[int] | None = None) -> set[int]:
        """Centres, of those asked about or of all at stake, that no reply loses: each by itself."""
        stakes = self.stakes(fixed) if asked is None else asked
        return {stake for stake in stakes if not self._lost([stake], 1, fixed).lost}

    def kept(self, fixed: Mapping[int, int], reply: bytes) -> int:
        """Centres that the power in question owns after one reply, as bytes of codes."""
        lost, _ = self._adversary(fixed, Area(frozenset(), {}), self.centres).lost_to([reply])
        return len(self.centres) - lost if self.goal.keeping else lost

    def _verdict(
        self, stakes: int, lost: int, holds: bool, proved: bool, reply: tuple[int, ...], tried: int
    ) -> Verdict:
        return Verdict(holds, proved, stakes - lost if self.goal.keeping else lost, reply, tried)

    def stakes(self, fixed: Mapping[int, int]) -> set[int]:
        """Centres that the power in question may own afterwards."""
        field = self.field
        standing = {place for place, power in field.owners.items() if power == self.goal.whose}
        reached = self.owned | standing
        for place in standing:
            # Who is to be stopped may also come by a retreat, which goes no farther than a move.
            if place in field.repliers:
                reached.update(field.moves[place])
            elif place in fixed:
                reached.add(parts(fixed[place], field.province_of).goal)
        return reached.intersection(self.centres)

    def _refuted(self, fixed: Mapping[int, int], stakes: list[int], slack: int) -> Verdict | None:
        """Whether a reply that refuted other orders refutes these as well."""
        if not self.bank:
            return None
        adversary = self._adversary(fixed, Area(frozenset(), {}), stakes)
        lost, which = adversary.lost_to(self.bank)
        if lost <= slack:
            return None
        reply = self.bank.pop(which)
        self.bank.insert(0, reply)
        return self._verdict(len(stakes), lost, False, True, codes_in(reply), len(self.bank))

    def _together(self, replies: Iterable[Iterable[int]]) -> list[int] | None:
        """One reply out of several: of a unit's orders the first; None where nobody has one."""
        joint: dict[int, int] = {}
        for reply in replies:
            for code in reply:
                joint.setdefault(self.field.province_of[unit_of(code)], code)
        return list(joint.values()) or None

    def _remember(self, reply: list[int]) -> None:
        self.bank.insert(0, as_bytes(reply))
        del self.bank[200:]

    def _lost(self, stakes: list[int], enough: int, fixed: Mapping[int, int]) -> _Found:
        """The most of some centres that can be lost at once, up to `enough`; all where it takes too long."""
        self.asked += 100
        if self.asked > self.patience:
            return _Found(len(stakes), (), 0, False)
        if len(stakes) == 1 and (known := self.killers.get(stakes[0])):
            lost, which = self._adversary(fixed, Area(frozenset(), {}), stakes).lost_to(known)
            if lost:
                known.insert(0, known.pop(which))
                return _Found(1, codes_in(known[0]), len(known), True)
        if len(stakes) == 1 and self._known_safe(stakes[0], fixed):
            return _Found(0, (), 0, True)
        area = self.field.near(stakes, fixed)
        if len(area.choices) > 40 or any(max(map(len, both)) > 128 for both in area.choices.values()):
            return _Found(len(stakes), (), 0, False)
        lost, reply, tried, complete = self._adversary(fixed, area, stakes).search(enough, self.limit)
        self.asked += tried
        if not complete:
            return _Found(len(stakes), (), tried, False)
        if lost > 0 and len(stakes) == 1:
            known = self.killers.setdefault(stakes[0], [])
            known.insert(0, as_bytes(reply))
            del known[KILLERS:]
        elif lost <= 0 and len(stakes) == 1:
            shields = self.shields.setdefault(stakes[0], [])
            shields.insert(0, (area.touched, self._at(area.touched, fixed)))
            del shields[KILLERS:]
        return _Found(max(lost, 0), tuple(reply), tried, True)

    def _known_safe(self, stake: int, fixed: Mapping[int, int]) -> bool:
        """Whether it was proved before, with the same orders wherever they touch the centre's area."""
        return any(self._at(touched, fixed) == orders for touched, orders in self.shields.get(stake, ()))

    def _at(self, touched: frozenset[int], fixed: Mapping[int, int]) -> dict[int, int]:
        """The fixed orders that begin, help or end in some provinces."""
        found = {}
        for place, code in fixed.items():
            part = self._part(code)
            if place in touched or part.goal in touched or part.helped in touched:
                found[place] = code
        return found

    def _part(self, code: int) -> Parts:
        part = self.parts.get(code)
        if part is None:
            part = self.parts[code] = parts(code, self.field.province_of)
        return part

    def _adversary(self, fixed: Mapping[int, int], area: Area, stakes: list[int]) -> Adversary:
        return Adversary(
            self.position.packed,
            as_bytes(list(fixed.values())),
            list(area.choices.values()),
            stakes,
            self.whose,
            self.goal.keeping,
        )

    def _by(self, who: set[int], reply: Iterable[int]) -> list[int]:
        """The orders of a reply that some units give."""
        return [code for code in reply if self.field.province_of[unit_of(code)] in who]

    def _groups(self, loose: list[int], fixed: Mapping[int, int]) -> list[tuple[list[int], set[int]]]:
        """The centres parted so that no replier has a hand in two parts, with the repliers of each."""
        self.asked += 100 * len(loose)
        groups = [([stake], set(self.field.near([stake], fixed).choices)) for stake in loose]
        merged = True
        while merged:
            merged = False
            for i, (stakes, who) in enumerate(groups):
                for other in groups[i + 1 :]:
                    if who & other[1]:
                        together = [*stakes, *other[0]]
                        groups.remove(other)
                        groups[i] = (together, set(self.field.near(together, fixed).choices))
                        merged = True
                        break
                if merged:
                    break
        return sorted(groups, key=lambda group: len(group[0]))
