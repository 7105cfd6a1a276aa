"""A player that draws hundreds of sets of orders and plays the best."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bordeaux._ext.net.memory import Memory
from bordeaux._ext.search.contest import Contest
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.code import as_bytes, codes_in, in_order
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.evaluation import evaluator
from bordeaux.evaluation.prospect import learnt_value
from bordeaux.players.base import Limit, Seat, decoded
from bordeaux.players.hold_and_random import LegalSets
from bordeaux.players.limits import Clock, tightest
from bordeaux.players.people import Remembering, net_of
from bordeaux.policy.dumbbot import DUMBBOT, draw
from bordeaux.policy.people import People

DRAWS = (27, 13, 4)
"""The numbers of sets that the policy, people's net and DumbBot draw."""
BELIEF = 0.6
"""The share of draws in which another power plays by the policy; in all others it plays by people's net."""
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
        self._policy = People(map, seed=chance.getrandbits(63), net=net)
        self._people = People(map, seed=chance.getrandbits(63), net=net_of("people"))
        self._fast = DUMBBOT.chooser(map, chance.getrandbits(63))
        self._contest = Contest(Rollout(value, People(map, temperature=ONWARD, net=net).chooser))
        self._movements = movements

    def best(self, position: Position, power: str, memory: Memory | None, clock: Clock) -> bytes:
        """The best set; empty for a power that need not give orders."""
        if not position.orderable().get(power):
            return b""
        number, drawn = position.map.powers.index(power), []
        for count, policy in zip(DRAWS, (self._policy, self._people), strict=False):
            drawn += [policy.draw(position, power, memory) for _ in range(count)]
        drawn += [draw(self._fast, position.packed, number) for _ in range(DRAWS[-1])]
        candidates = list(dict.fromkeys(in_order(codes_in(orders)) for orders in drawn))
        totals, left = [0.0] * len(candidates), list(range(len(candidates)))
        halvings = max(1, (len(candidates) - 1).bit_length())
        for halving in range(1, halvings + 1):
            if len(left) < 2:
                break
            spent = 0.0
            while spent < halving / halvings:
                values = self._values(position, number, [candidates[i] for i in left], memory)
                for i, worth in zip(left, values, strict=True):
                    totals[i] += worth
                clock.nodes += BATCH * len(left)
                spent = max(clock.progress(), clock.nodes / MOST_NODES)
            left = sorted(left, key=lambda i: -totals[i])[: (len(left) + 1) // 2]
            if spent >= 1:
                break
        return candidates[left[0]]

    def _values(
        self, position: Position, number: int, sets: Sequence[bytes], memory: Memory | None
    ) -> list[float]:
        """The sums of the points of some sets against the same new draws of all other powers."""
        self._contest.enter_position(position.packed)
        self._contest.enter(number, sets, [1.0] * len(sets))
        for power in position.orderable():
            other = position.map.powers.index(power)
            if other != number:
                minds = self.chance.choices((self._policy, self._people), (BELIEF, 1 - BELIEF), k=BATCH)
                pool = [mind.draw(position, power, memory) for mind in minds]
                self._contest.enter(other, pool, [1.0] * BATCH)
        numbers, seed = range(len(sets)), self.chance.getrandbits(63)
        samples = self._contest.respond(number, numbers, BATCH, self._movements, seed)
        return [sum(points) for points in zip(*samples, strict=True)]


#: Of the drawn sets, the share of the fast policy, the share with some orders changed, and the most orders
#: that are changed; all others are random.
POLICY = 0.2
CHANGED = 0.6
CHANGES = 3
MOST = 10_000
#: The maximum number of movement phases of a rollout.
MOST_MOVEMENTS = 8


class Sampler(Remembering):
    """Draws sets of orders, values each against the same few joint orders of the others, and plays the best.

    It is not modelled on a known program: it is a minimal player with lookahead. `sets` are drawn in each
    phase: from the fast policy (DumbBot's), from the policy with one to three orders redrawn, and uniformly
    from the legal orders. The others' orders are `draws` draws of the policy. A set's value is the mean of
    the `evaluation` after adjudication, where the policy plays retreats and builds that follow at once. One
    node is one set against one joint order.

    With a `policy`, a net by name or file, it draws sets and others from this net and from people's, and
    plays rollouts of `movements` movement phases (-1: not even retreats and builds). The worse half of the
    sets is dropped repeatedly until the limit is used (`bordeaux.players.sampler`). `value` is then a
    learnt value, by name or file, in place of the evaluation; `sets` and `draws` have no effect.

    `time` (seconds) and `nodes` are limits for every phase; the lower of them and the table's applies. With a
    small limit there are fewer sets and draws. Without a limit in time the same seat and positions give the
    same orders. Raises BordeauxError for invalid values.
    """

    def __init__(
        self,
        seat: Seat,
        *,
        sets: int = 200,
        draws: int = 8,
        evaluation: str = "default",
        policy: str | None = None,
        value: str | None = None,
        movements: int = 1,
        time: float | None = None,
        nodes: int | None = None,
    ) -> None:
        super().__init__(seat)
        for name, count in (("sets", sets), ("draws", draws)):
            if not 1 <= count <= MOST:
                raise BordeauxError(f"{name} must be from 1 to {MOST}, not {count}")
        if value is not None and policy is None:
            raise BordeauxError("a value is for a sampler with a policy: name one, as policy=engines")
        if not -1 <= movements <= MOST_MOVEMENTS:
            raise BordeauxError(f"movements must be from -1 to {MOST_MOVEMENTS}, not {movements}")
        self._own = Limit(time, nodes).checked()
        self._sets = sets
        self._draws = draws
        self._policy = DUMBBOT.chooser(seat.map, self.chance.getrandbits(64))
        judge = evaluator(seat.map, evaluation)
        self._rollout = Rollout(judge, DUMBBOT.chooser(seat.map))
        self._nets: NetSampler | None = None
        if policy is not None:
            worth = judge if value is None else learnt_value(seat.map, value)
            self._nets = NetSampler(seat.map, policy, worth, movements, self.chance)

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The best of the drawn sets."""
        allowed = tightest(limit, self._own)
        clock = Clock(allowed)
        if self._nets is not None:
            chosen = self._nets.best(position, self.seat.power, self.memory(position), clock)
            return decoded(position.map, codes_in(chosen))
        count = self._sets if allowed.nodes is None else max(1, min(self._sets, allowed.nodes // 2))
        candidates = self._candidates(position, count)
        if not candidates:
            return []
        totals = [0.0] * len(candidates)
        for _ in range(self._draws if len(candidates) > 1 else 0):
            if not clock.affords(len(candidates)):
                break
            others = self._others(position)
            rows = self._rollout.compare(
                position.packed, self.number, candidates, [others], 0, [self.chance.getrandbits(64)]
            )
            totals = [total + row[0] for total, row in zip(totals, rows, strict=True)]
            clock.nodes += len(candidates)
        best = max(range(len(candidates)), key=totals.__getitem__)
        return decoded(position.map, codes_in(candidates[best]))

    def _candidates(self, position: Position, count: int) -> list[bytes]:
        """The drawn sets, fewer if the same are drawn again; the first is the policy's."""
        legal = LegalSets(position, self.number, self.chance)
        if not legal.owed:
            return []
        candidates: dict[bytes, None] = {}
        for number in range(count):
            orders = self._policy.orders(position.packed, self.number)
            if number >= POLICY * count:
                if number < (POLICY + CHANGED) * count:
                    orders = legal.mutated(orders, self.chance.randint(1, CHANGES))
                else:
                    orders = legal.random()
            candidates.setdefault(as_bytes(sorted(orders)))
        return list(candidates)

    def _others(self, position: Position) -> bytes:
        """Orders of all other powers, drawn from the policy."""
        packed = position.packed
        return b"".join(
            draw(self._policy, packed, number)
            for number in range(len(position.map.powers))
            if number != self.number
        )
