"""Draws sets of orders from nets, and takes the best against draws of the others."""

from __future__ import annotations

from random import Random

from bordeaux._ext.learn.responder import Responder
from bordeaux._ext.net.memory import Memory
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.players.limits import Clock
from bordeaux.players.people import net_of
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.policy.people import People

__all__ = ["NetSampler"]

PROPOSERS = ((0, 27, 1.0), (1, 13, 1.0), (2, 4, 1.0))
"""The numbers of sets that the policy, people's net and DumbBot draw, and their temperatures."""
BELIEFS = ((0, 0.6, 1.0), (1, 0.4, 1.0))
"""The shares of draws in which another power plays by the policy and by people's net, and their
temperatures."""
ONWARD = 0.5
"""Temperature of the policy in rollouts."""
BATCH = 4
"""Draws of the others for all remaining sets between two checks of the clock."""
MOST_NODES = 40_000
"""Nodes of a phase without a limit."""


class NetSampler:
    """Draws sets for a power from a policy, people's net and DumbBot. It values them after `movements`
    movement phases (-1: directly after adjudication) against the same draws of the others. It drops the worse
    half repeatedly until the limit is used (sequential halving; Z. Karnin, T. Koren and O. Somekh, 2013).

    It is a minimal use of a policy and a value, and a baseline for searches. A node is one set against one
    draw of the others. Raises BordeauxError for a policy that cannot be read.
    """

    def __init__(self, map: Map, policy: str, value: Valuer, movements: int, chance: Random) -> None:
        self.chance = chance
        net = net_of(policy)
        choosers = [
            People(map, net=net).chooser,
            People(map, net=net_of("people")).chooser,
            DUMBBOT.chooser(map),
        ]
        onward = People(map, temperature=ONWARD, net=net).chooser
        mind = (PROPOSERS, BELIEFS, BATCH, 1, movements, 0)
        self._responder = Responder(map.tables, choosers, [Rollout(value, onward)], [mind])

    def best(self, position: Position, power: str, memory: Memory | None, clock: Clock) -> bytes:
        """The best set; empty for a power that need not give orders."""
        asked = position.packed, memory, 0, position.map.powers.index(power)
        candidates = self._responder.draws(*asked, self.chance.getrandbits(63))
        totals, left = [0.0] * len(candidates), list(range(len(candidates)))
        halvings = max(1, (len(candidates) - 1).bit_length())
        for halving in range(1, halvings + 1):
            if len(left) < 2:
                break
            spent = 0.0
            while spent < halving / halvings:
                values = self._responder.values(
                    *asked, [candidates[i] for i in left], self.chance.getrandbits(63)
                )
                for i, worth in zip(left, values, strict=True):
                    totals[i] += worth
                clock.nodes += BATCH * len(left)
                spent = max(clock.progress(), clock.nodes / MOST_NODES)
            left = sorted(left, key=lambda i: -totals[i])[: (len(left) + 1) // 2]
            if spent >= 1:
                break
        return candidates[left[0]] if left else b""
