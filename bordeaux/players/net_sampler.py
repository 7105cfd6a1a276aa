"""Sets of orders drawn from nets, and the one that does best against draws of the others."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from bordeaux._ext.memory import Memory
from bordeaux._ext.rollout import Rollout
from bordeaux._ext.value import Valuer
from bordeaux.board.code import as_bytes
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.players.limits import Clock
from bordeaux.players.people import net_of
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.policy.people import People

__all__ = ["NetSampler"]

DRAWN, LIKE_PEOPLE, FAST = 40, 0.33, 4
"""Sets that are drawn from the nets, the share of them that people's net gives, and those of DumbBot."""
BELIEVED_PEOPLE = 0.4
"""How often another power is believed to play as people do, not as the policy."""
ONWARD = 0.5
"""Temperature of the policy in what is played on."""
BATCH = 4
"""Draws of the others that all sets left are valued against before the clock is looked at."""
SMALL_NODES = 40_000
"""Nodes of a phase without any limit."""


class NetSampler:
    """Draws sets for a power from a policy and from people's net, values each of them, a few movement phases
    later, against the same draws of the others, and gives up the worse half again and again until the limit
    is spent (sequential halving; Z. Karnin, T. Koren and O. Somekh, 2013).

    It is the plainest use of a policy and a value, and what a search has to be better than. A node is one
    set against one draw of the others.
    """

    def __init__(self, map: Map, policy: str, value: Valuer, movements: int, chance: Random) -> None:
        self.chance, self.movements = chance, movements
        net = net_of(policy)
        self._nets = [People(map, seed=chance.getrandbits(64), net=each) for each in (net, net_of("people"))]
        self._fast = DUMBBOT.chooser(map, chance.getrandbits(64))
        onward = People(map, temperature=ONWARD, net=net).chooser
        self._rollout = Rollout(value, onward)

    def best(self, position: Position, power: str, memory: Memory | None, clock: Clock) -> bytes:
        """The set that did best; none for a power that owes nothing."""
        candidates = self._candidates(position, power, memory)
        if len(candidates) < 2:
            return candidates[0] if candidates else b""
        number = position.map.powers.index(power)
        others = [name for name in position.orderable() if name != power]
        totals, left = [0.0] * len(candidates), list(range(len(candidates)))
        halvings = max(1, (len(candidates) - 1).bit_length())
        for round in range(1, halvings + 1):
            while True:
                draws = [self._joint(position, others, memory) for _ in range(BATCH)]
                seeds = [self.chance.getrandbits(64) for _ in draws]
                rows = self._rollout.compare(
                    position.packed, number, [candidates[i] for i in left], draws, self.movements, seeds
                )
                for i, row in zip(left, rows, strict=True):
                    totals[i] += sum(row)
                clock.nodes += len(left) * BATCH
                if clock.progress() >= round / halvings or clock.nodes > SMALL_NODES * round / halvings:
                    break
            left = sorted(left, key=lambda i: -totals[i])[: max(1, -(-len(left) // 2))]
            if len(left) == 1 or clock.progress() >= 1:
                break
        return candidates[left[0]]

    def _candidates(self, position: Position, power: str, memory: Memory | None) -> list[bytes]:
        """Different sets to choose among."""
        found: dict[bytes, None] = {}
        for draw in range(DRAWN):
            net = self._nets[draw < LIKE_PEOPLE * DRAWN]
            found.setdefault(ordered(net.draw(position, power, memory)))
        number = position.map.powers.index(power)
        for _ in range(FAST):
            found.setdefault(as_bytes(sorted(self._fast.orders(position.packed, number))))
        return [each for each in found if each]

    def _joint(self, position: Position, others: Iterable[str], memory: Memory | None) -> bytes:
        """Orders of all others, each drawn from one of the nets."""
        return b"".join(
            self._nets[self.chance.random() < BELIEVED_PEOPLE].draw(position, name, memory) for name in others
        )


def ordered(drawn: bytes) -> bytes:
    """A set with its orders in the order of their codes, so that equal sets are equal."""
    return b"".join(sorted(drawn[start : start + 8] for start in range(0, len(drawn), 8)))
