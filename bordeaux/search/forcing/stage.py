"""The stage of a search that looks for what can be forced: in a Fall movement, before rollouts have a say.

A mean over orders that others may give says nothing about the orders that hurt most. What no reply takes
away needs no guess about anybody, so sets that force something join the candidates, and every centre that is
sure counts beside what is expected.
"""

from __future__ import annotations

import itertools

from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.forcing.field import parts
from bordeaux.search.forcing.planner import Orders, Planner
from bordeaux.search.forcing.proof import Goal

__all__ = ["Forcing"]

#: Plans that are completed, and points for each centre that is sure, for a victory that is, and for
#: another's victory that surely does not come.
COMPLETED = 4
SURE, VICTORY, STOPPED = 150.0, 10_000.0, 1_000.0
#: What `Prover.asked` counts to a node of the search.
ASKED_PER_NODE = 24
#: How much judging sets may take, in parts of what looking for them may.
JUDGING = 0.5
#: Where a planner is tired it ends a plan all the same, up to so many times its patience.
SLACK = 1.2
#: A power this far from a victory in one Fall is looked at.
WITHIN = 5


class Forcing:
    """What one power can force in a Fall movement position.

    `allowed` are the nodes that looking may take; `nodes` is what it has taken.
    """

    def __init__(self, position: Position, power: str, allowed: float) -> None:
        map = position.map
        self.position = position
        self.need = len(map.centres) // 2 + 1
        owned = {name: position.owners.count(name) for name in map.powers}
        # Nothing is worth as much as a victory, or as preventing one.
        near = max(owned.values()) >= self.need - WITHIN
        self.patience = patience = allowed * ASKED_PER_NODE * (2.0 if near else 1.0)
        self.own = Planner(position, power, Goal(power, True, owned[power]), patience)
        leaders = [
            name for name in map.powers if name != power and self.need - WITHIN <= owned[name] < self.need
        ]
        self.leaders = [
            Planner(position, power, Goal(name, False, self.need - 1, against=name), patience)
            for name in leaders
        ]
        self.holds = {
            place: next(code for part, code in self.own.legal[place] if part.kind == OrderKind.HOLD)
            for place in self.own.units
        }

    @property
    def nodes(self) -> int:
        """Nodes of a search that take as long as what was tried."""
        return sum(each.prover.asked for each in (self.own, *self.leaders)) // ASKED_PER_NODE

    def sets(self) -> list[bytes]:
        """Complete sets (bytes of codes) that force something, or keep what there is."""
        found: dict[bytes, None] = {}
        for planner in (self.own, *self.leaders):
            planner.prover.patience = SLACK * self.patience
            for start in ({}, *itertools.islice(planner.plans(), COMPLETED)):
                if planner.tired:
                    break
                orders, _ = planner.complete(start)
                found[as_bytes({**self.holds, **orders}.values())] = None
            # What sets are worth is asked later, and may take half as much again.
            planner.prover.patience = planner.prover.asked + JUDGING * self.patience
        return list(found)

    def sure(self, fixed: Orders) -> int:
        """Centres that are owned after this Fall whatever others reply: those that nobody can take each by
        itself; where that is not yet a victory, all that one takes if they cannot take enough at once."""
        prover = self.own.prover
        sure = len(prover.safe(fixed))
        if sure < self.need <= len(prover.stakes(fixed)) and prover.judge(fixed, self.need).holds:
            return self.need
        return sure

    def worth(self, orders: bytes) -> float:
        """Points for what a set forces: own centres that are sure, a sure victory, a victory prevented."""
        province_of = self.own.prover.field.province_of
        fixed: Orders = {parts(code, province_of).unit: code for code in codes_in(orders)}
        sure = self.sure(fixed)
        points = SURE * sure + VICTORY * (sure >= self.need)
        for leader in self.leaders:
            points += STOPPED * leader.prover.judge(fixed).holds
        return points
