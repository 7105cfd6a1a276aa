"""Proves what the orders of a Fall force, against all replies: centres that are owned afterwards.

The orders are fixed, and all joint replies of the units that matter (`bordeaux._ext.search.field`) are
adjudicated. Each centre is tested alone first, which is fast. Then centres that can be lost singly and share
a replier are tested together, since a unit that takes one may be missing at the other. Groups without a
common replier are independent.

Retreats are proved in the same way, against all retreats of the others. After adjustments the units keep
centres by holding, whatever the present units of the others do.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from bordeaux._ext.search import field
from bordeaux._ext.search.adversary import Adversary
from bordeaux.board.code import as_bytes, codes_in, destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.rules.adjudication import legal_orders


class OrderParts(NamedTuple):
    """A decoded order code; `unit`, `helped` and `goal` are numbers of provinces.

    `helped` is the unit that is supported or convoyed (the ordered unit for other orders). `goal` is the
    destination of a move, or of the move that is helped; for a hold or its support it is the place of the
    unit.
    """

    kind: int
    via: bool
    unit: int
    helped: int
    goal: int


def parts(code: int, province_of: list[int]) -> OrderParts:
    """Decode an order code (see `bordeaux._ext.rules.packed`)."""
    kind, via = kind_of(code), is_via(code)
    unit = province_of[unit_of(code)]
    target = province_of[target_of(code)]
    if kind == OrderKind.MOVE:
        return OrderParts(kind, via, unit, unit, target)
    if kind == OrderKind.SUPPORT_HOLD:
        return OrderParts(kind, via, unit, target, target)
    if kind in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
        return OrderParts(kind, via, unit, target, province_of[destination_of(code)])
    return OrderParts(kind, via, unit, unit, unit)


class Field:
    """A movement position and the repliers: the units of some powers. Units are identified by the numbers of
    their provinces.

    `core` has the possible orders of the repliers, and finds those that can matter
    (`bordeaux._ext.search.field` says why no others can).
    """

    def __init__(self, position: Position, repliers: Collection[str]) -> None:
        map = position.map
        self.position = position
        self.province_of = [location.province for location in map.locations]
        self.owners = {map.province(unit.province).index: unit.power for unit in position.units}
        self.core = field.Field(position.packed, {map.powers.index(power) for power in repliers})
        self.repliers = frozenset(self.core.repliers())

    @cached_property
    def legal(self) -> dict[int, list[int]]:
        """Legal codes by province of the unit."""
        return {
            self.province_of[location]: codes
            for units in self.position.packed.legal().values()
            for location, codes in units.items()
        }


ANYBODY = ""
"""The opponent of a proof: all other powers together, as if they cooperated."""

LIMIT = 400_000
"""Replies that are adjudicated at most for one centre or group; goals that need more count as not proved."""


BANKED = 200
"""Refuting replies that are remembered."""


class TooMany(Exception):
    """The number of replies exceeds the limit."""


class Goal(NamedTuple):
    """The goal of a power in a Fall.

    With `keeping`, the power `whose` (the one that orders) owns at least `centres` centres after the retreats
    of the Fall; else another power `whose` owns at most so many. `against` is `ANYBODY`, or the only power
    that replies while all third units hold.
    """

    whose: str
    keeping: bool
    centres: int
    against: str = ANYBODY


class Verdict(NamedTuple):
    """Whether a goal is forced. `proved` is false if there were too many replies to decide; then `holds` is
    false. `centres` is the certain number (for a stop: the possible number), as far as it was needed. `reply`
    are refuting orders, as codes."""

    holds: bool
    proved: bool
    centres: int
    reply: tuple[int, ...]


class _Found(NamedTuple):
    lost: int
    reply: list[int]
    proved: bool


class Prover:
    """Proves for one position, one ordering power and one kind of goal; stores refuting replies.

    Raises ValueError for a position that is not a Fall movement.
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
        self.owned = {number[centre] for centre in position.centres.get(goal.whose, ())}
        self.bank: list[bytes] = []
        self.takers: dict[int, list[int]] = {}
        """Of the last set that was judged by all replies, the stakes that single ones take, and such a reply;
        empty if it is not decided."""
        self.adversary = Adversary(self.field.core, map.powers.index(goal.whose), goal.keeping, limit)

    @property
    def asked(self) -> int:
        """The replies adjudicated so far, including an equivalent for other work."""
        return self.adversary.asked

    @property
    def tired(self) -> bool:
        """Whether the limit is used; then nothing more is proved."""
        return self.adversary.tired

    def allow(self, more: float, late: Callable[[], bool] | None = None, limit: int | None = None) -> None:
        """Allow further replies, until `late` returns true; after that, undecided centres count as lost.
        `limit` is the number of replies for one question from now on."""
        self.adversary.allow(more, late)
        self.adversary.limit = self.adversary.limit if limit is None else limit

    def fixed(self, orders: Iterable[str]) -> dict[int, int]:
        """Orders as codes by province, without illegal ones and those for others' units."""
        return self.by_unit(code for _, code in submit(self.position, {self.power: orders}).codes())

    def by_unit(self, codes: Iterable[int]) -> dict[int, int]:
        """Codes by the province of their unit."""
        province_of = self.field.province_of
        return {province_of[unit_of(code)]: code for code in codes}

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
        gone = adversary.gone(laid, stakes)
        safe = {*gone, *adversary.safe(laid, [stake for stake in stakes if stake not in gone])}
        by_stake = {stake: self._lost(laid, [stake], 1) for stake in stakes if stake not in safe}
        self.takers = {stake: one.reply for stake, one in by_stake.items()}
        loose = [stake for stake, one in by_stake.items() if one.lost]
        if len(gone) + len(loose) <= slack:
            return self._verdict(len(stakes), len(gone) + len(loose), True, True)
        if adversary.tired:
            return self._verdict(len(stakes), len(gone) + len(loose), False, False)
        proved = all(one.proved for one in by_stake.values())
        together = self._together(by_stake[stake].reply for stake in loose)
        if together is not None:
            self._remember(together)
            refuted = self._refuted(laid, stakes, slack)
            if refuted is not None:
                return refuted
        lost, sure = len(gone), True
        reply: list[int] = []
        groups = self._groups(loose, laid)
        for done, (group, who) in enumerate(groups):
            rest = len(groups) - done - 1
            if len(group) == 1:
                one = by_stake[group[0]]
            else:
                one = self._lost(laid, group, max(1, min(len(group), slack + 1 - lost - rest)))
            lost += one.lost
            sure = sure and one.proved
            reply += self._by(who, one.reply)
            if lost + rest > slack and sure and proved:
                for other, others in groups[done + 1 :]:
                    lost += 1
                    reply += self._by(others, by_stake[other[0]].reply)
                break
        holds = lost <= slack
        if not holds and sure and proved:
            self._remember(reply)
            return self._verdict(len(stakes), lost, False, True, tuple(reply))
        return self._verdict(len(stakes), lost, holds, holds)

    def safe(self, fixed: Mapping[int, int], asked: Iterable[int] | None = None) -> set[int]:
        """The centres, among the given ones or all at stake, that no reply loses: each tested alone."""
        laid = as_bytes(fixed.values())
        return set(self.adversary.safe(laid, self.adversary.stakes(laid) if asked is None else asked))

    def remember(self, replies: Iterable[list[int]]) -> None:
        """Put replies before those that are tried first."""
        found = [as_bytes(reply) for reply in replies if reply]
        self.bank = list(dict.fromkeys([*found, *self.bank]))[:BANKED]

    def losses(
        self, orders: bytes, changes: Sequence[bytes], spare: int, most: int, wanted: int
    ) -> list[int]:
        """For each change of a set, how far it is from losing no more than `spare` centres to known replies;
        see `Adversary.losses`."""
        return self.adversary.losses(orders, changes, self.centres, self.bank, spare, most, wanted)

    def kept(self, fixed: Mapping[int, int], reply: bytes) -> int:
        """The centres of the power in question after one reply, as bytes of codes."""
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
        """Several replies merged: for each unit the first order; None if no unit has one."""
        joint: dict[int, int] = {}
        for reply in replies:
            for code in reply:
                joint.setdefault(self.field.province_of[unit_of(code)], code)
        return list(joint.values()) or None

    def _remember(self, reply: list[int]) -> None:
        self.bank.insert(0, as_bytes(reply))
        del self.bank[BANKED:]

    def _lost(self, laid: bytes, stakes: list[int], enough: int) -> _Found:
        return _Found(*self.adversary.lost(laid, stakes, enough))

    def _by(self, who: set[int], reply: Iterable[int]) -> list[int]:
        """The orders of some units in a reply."""
        return [code for code in reply if self.field.province_of[unit_of(code)] in who]

    def _groups(self, loose: list[int], laid: bytes) -> list[tuple[list[int], set[int]]]:
        """The centres divided into groups without a common replier, with the repliers of each."""
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


MOST = 1_000
"""Joint retreats of the others that are tried at most."""


def choices(position: Position, power: str) -> Iterator[tuple[str, ...]]:
    """Every set of retreats and disbandments of a power."""
    return itertools.product(*legal_orders(position, power).values())


def sure_after_retreats(position: Position, power: str, orders: Iterable[str]) -> int:
    """The least number of centres that a power owns after a Fall's retreats, over all choices of the others.

    Two units that retreat to one province are both disbanded, so even an enemy's retreat without a capture
    can matter. Raises ValueError for another phase, TooMany for more than `MOST` joint retreats.
    """
    if (position.phase.season, position.phase.kind) != ("F", "R"):
        raise ValueError(f"expected the retreats of a Fall, not {position.phase}")
    others = [
        [*dislodged.retreats, None] for dislodged in position.dislodged if dislodged.unit.power != power
    ]
    count = 1
    for goals in others:
        count *= len(goals)
    if count > MOST:
        raise TooMany(f"{count} joint retreats are too many")
    own = [
        submitted.order.destination.partition("/")[0]
        for submitted in submit(position, {power: orders}).orders
        if not submitted.fault and submitted.order.kind == OrderKind.RETREAT
    ]
    owners = position.owner_of
    owners.update({u.province: u.power for u in position.units if u.province in owners})
    who = [dislodged.unit.power for dislodged in position.dislodged if dislodged.unit.power != power]
    least = len(owners)
    for chosen in itertools.product(*others):
        claims: dict[str, list[str]] = {}
        for place in own:
            claims.setdefault(place, []).append(power)
        for other, goal in zip(who, chosen, strict=True):
            if goal is not None:
                claims.setdefault(goal.partition("/")[0], []).append(other)
        after = owners | {
            place: there[0] for place, there in claims.items() if len(there) == 1 and place in owners
        }
        least = min(least, sum(owner == power for owner in after.values()))
    return least
