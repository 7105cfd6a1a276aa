"""What orders force: centres owned after a Fall, whatever others order.

The orders are fixed, and all joint replies of the units that matter (`bordeaux._ext.closure`) are
adjudicated. First for every centre by itself, which is quick. Then centres that can be lost each, and
that a common replier has a hand in, are looked at together, since what takes one may be missing at the
other; groups without a common replier fall independently of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from bordeaux._ext.adversary import Adversary
from bordeaux.board.code import as_bytes, codes_in, unit_of
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.search.forcing.field import Field, parts

__all__ = ["ANYBODY", "Goal", "Prover", "TooMany", "Verdict"]

ANYBODY = ""
"""Whom a goal is forced against: all other powers together, as if one mind led them."""

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
    as it was needed, `reply` orders that refute, as codes."""

    holds: bool
    proved: bool
    centres: int
    reply: tuple[int, ...]


class _Found(NamedTuple):
    lost: int
    reply: list[int]
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
        self.position, self.power, self.goal = position, power, goal
        self.field = Field(position, others)
        self.centres = [province.index for province in map.provinces if province.centre]
        number = {name: map.province(name).index for name in map.centres}
        self.owned = {
            number[c] for c, owner in zip(map.centres, position.owners, strict=True) if owner == goal.whose
        }
        self.bank: list[bytes] = []
        self.adversary = Adversary(self.field.core, map.powers.index(goal.whose), goal.keeping, limit)

    @property
    def asked(self) -> int:
        """Replies adjudicated so far, with other work as so many."""
        return self.adversary.asked

    @property
    def tired(self) -> bool:
        """Whether what was allowed is spent: then nothing more is proved."""
        return self.adversary.tired

    def allow(self, more: float, late: Callable[[], bool] | None = None, limit: int | None = None) -> None:
        """Let so much more be asked, until `late` says that it is enough; after that, whatever is not known
        counts as lost. `limit` are the replies for one question from now on."""
        self.adversary.allow(more, late)
        self.adversary.limit = self.adversary.limit if limit is None else limit

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
        laid, adversary = as_bytes(fixed.values()), self.adversary
        stakes = adversary.stakes(laid)
        # So many of the stakes may be lost; of a stop, lost is what the other power has.
        slack = len(stakes) - wanted if self.goal.keeping else wanted
        refuted = self._refuted(laid, stakes, slack)
        if refuted is not None:
            return refuted
        found = {stake: self._lost(laid, [stake], 1) for stake in stakes}
        loose = [stake for stake in stakes if found[stake].lost]
        if len(loose) <= slack:
            return self._verdict(len(stakes), len(loose), True, True)
        if adversary.tired:
            return self._verdict(len(stakes), len(loose), False, False)
        proved = all(one.proved for one in found.values())
        together = self._together(found[stake].reply for stake in loose)
        if together is not None:
            self._remember(together)
            refuted = self._refuted(laid, stakes, slack)
            if refuted is not None:
                return refuted
        lost, sure = 0, True
        reply: list[int] = []
        groups = self._groups(loose, laid)
        for done, (group, who) in enumerate(groups):
            rest = len(groups) - done - 1
            if len(group) == 1:
                one = found[group[0]]
            else:
                one = self._lost(laid, group, max(1, min(len(group), slack + 1 - lost - rest)))
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
            return self._verdict(len(stakes), lost, False, True, tuple(reply))
        return self._verdict(len(stakes), lost, holds, holds)

    def safe(self, fixed: Mapping[int, int], asked: Iterable[int] | None = None) -> set[int]:
        """Centres, of those asked about or of all at stake, that no reply loses: each by itself."""
        laid = as_bytes(fixed.values())
        return set(self.adversary.safe(laid, self.adversary.stakes(laid) if asked is None else asked))

    def kept(self, fixed: Mapping[int, int], reply: bytes) -> int:
        """Centres that the power in question owns after one reply, as bytes of codes."""
        every = len(self.centres)
        lost, _ = self.adversary.lost_to(as_bytes(fixed.values()), self.centres, [reply], every)
        return every - lost if self.goal.keeping else lost

    def _verdict(
        self, stakes: int, lost: int, holds: bool, proved: bool, reply: tuple[int, ...] = ()
    ) -> Verdict:
        return Verdict(holds, proved, stakes - lost if self.goal.keeping else lost, reply)

    def stakes(self, fixed: Mapping[int, int]) -> set[int]:
        """Centres that the power in question may own afterwards."""
        return set(self.adversary.stakes(as_bytes(fixed.values())))

    def _refuted(self, laid: bytes, stakes: list[int], slack: int) -> Verdict | None:
        """Whether a reply that refuted other orders refutes these as well."""
        lost, which = self.adversary.lost_to(laid, stakes, self.bank, slack + 1)
        if which < 0 or lost <= slack:
            return None
        reply = self.bank.pop(which)
        self.bank.insert(0, reply)
        return self._verdict(len(stakes), lost, False, True, codes_in(reply))

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

    def _lost(self, laid: bytes, stakes: list[int], enough: int) -> _Found:
        return _Found(*self.adversary.lost(laid, stakes, enough))

    def _by(self, who: set[int], reply: Iterable[int]) -> list[int]:
        """The orders of a reply that some units give."""
        return [code for code in reply if self.field.province_of[unit_of(code)] in who]

    def _groups(self, loose: list[int], laid: bytes) -> list[tuple[list[int], set[int]]]:
        """The centres parted so that no replier has a hand in two parts, with the repliers of each."""
        hands = self.adversary.hands
        groups = [([stake], set(hands(laid, [stake]))) for stake in loose]
        merged = True
        while merged:
            merged = False
            for i, (stakes, who) in enumerate(groups):
                for other in groups[i + 1 :]:
                    if who & other[1]:
                        together = [*stakes, *other[0]]
                        groups.remove(other)
                        groups[i] = (together, set(hands(laid, together)))
                        merged = True
                        break
                if merged:
                    break
        return sorted(groups, key=lambda group: len(group[0]))
