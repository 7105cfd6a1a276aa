"""The stages that find candidates of one power, in any phase, as functions.

A stage takes a pool of candidates and a part of the budget, and returns a pool and its nodes. It changes
none of its inputs. One that draws is handed a source of chance of its own, and two runs with equal sources
draw the same. `LearntSearch` runs the stages in order. A new stage is a function here and a call there.

Values are in the unit of the search (`bordeaux.evaluation.ScaledValue`): by a learnt value chances, from 0 to
1, which are shares of the final result.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bordeaux.board.code import codes_in
from bordeaux.board.position import Position
from bordeaux.evaluation import ScaledValue
from bordeaux.search.beliefs import idea_of
from bordeaux.search.config import SearchConfig
from bordeaux.search.forcing import Decisive, Forcing, Stakes, deciding_goals
from bordeaux.search.proof import PROOF_NODES, sure_centres
from bordeaux.search.proposers import IDEA_OF, NEEDED, SEARCHING, ProposalContext, proposer
from bordeaux.search.sets import FORCED, Candidate, Candidates, joined
from bordeaux.search.task import Budget

__all__ = ["first", "improve", "propose", "prove", "stakes_of"]

#: The minimum number of proposed sets.
FEWEST = 4
#: The number of sets of retreats or adjustments up to which all are tried.
FEW = 48
#: Sets that provide the other orders of those that force a goal.
FILLING = 2
#: Nodes for finding candidates below which there are fewer, and from which on there are more.
LEAST_NODES, MORE_NODES = 1_500, 5_000
#: Candidates grow with the nodes to this power, up to this multiple of the least.
GROWTH, MOST_GROWTH = 0.6, 12.0
#: The largest share of the game in the calculation of a centre's value: with nearly all of it a power still
#: gains a little.
MOST_SHARE = 0.9
#: The least value of a centre in the calculation of what a certain one counts, in points: to a power that is
#: nearly out the learnt value gives it none, and all sets would be equal.
LEAST_CENTRE = 16.0
#: The maximum number of sets of retreats or adjustments for which proofs are tried.
PROVED = 24


def propose(
    context: ProposalContext,
    power: str,
    config: SearchConfig,
    allotment: Budget,
    chance: random.Random,
) -> tuple[Candidates, int]:
    """Candidates of a power from all proposers in use that draw, more of them with more nodes; and the nodes
    used."""
    context.sampler.reseed(chance)
    factor, counts = _factor(allotment.size), _counts(config, allotment)
    counts = {"suggested": FEWEST} | {name: counts[name] for name in counts if name not in SEARCHING}
    if context.position.phase.kind != "M":
        counts = {"every": max(FEWEST, round(factor * FEW))} | counts
    pool: Candidates = ()
    nodes = 0
    for name, count in counts.items():
        pool, used = _with_sets_of(name, context, power, count, pool)
        nodes += used
        if name == "every" and pool:
            return pool, nodes
    return pool or (_fast(context, power),), nodes


def improve(
    context: ProposalContext,
    power: str,
    pool: Candidates,
    config: SearchConfig,
    allotment: Budget,
    chance: random.Random,
) -> tuple[Candidates, int]:
    """A pool with the sets of the proposers that search for better ones against what the context expects of
    the others, in movements; and the nodes used."""
    nodes = 0
    counts = {name: count for name, count in _counts(config, allotment).items() if name in SEARCHING}
    if not counts or context.position.phase.kind != "M":
        return pool, nodes
    context.sampler.reseed(chance)
    for name, count in counts.items():
        pool, used = _with_sets_of(name, context, power, count, pool)
        nodes += used
    return pool, nodes


def _counts(config: SearchConfig, allotment: Budget) -> dict[str, int]:
    """The number of sets of each proposer in use with an allotment."""
    factor = _factor(allotment.size)
    return {
        name: max(1, round(factor * count))
        for name, count in config.learnt.counts.items()
        if _in_use(name, config.ideas) and allotment.size >= NEEDED.get(name, 0)
    }


def _with_sets_of(
    name: str, context: ProposalContext, power: str, count: int, pool: Candidates
) -> tuple[Candidates, int]:
    """A pool with the sets of a proposer, and the nodes used."""
    proposal = proposer(name)(context, power, count)
    return joined(pool, _sound(context, power, proposal.sets), name), proposal.nodes


def _factor(nodes: float) -> float:
    """The factor for the number of sets with a number of nodes."""
    growth = max(1.0, nodes / MORE_NODES) ** GROWTH
    return min(1.0, nodes / LEAST_NODES) * min(MOST_GROWTH, growth)


def _sound(context: ProposalContext, power: str, sets: Sequence[bytes]) -> list[bytes]:
    """Each set made playable."""
    known = {orders: context.sound(power, orders) for orders in dict.fromkeys(sets)}
    return [known[orders] for orders in sets]


def _in_use(name: str, ideas: frozenset[str]) -> bool:
    """Whether no idea that is left out disables a proposer."""
    idea = IDEA_OF.get(name, idea_of(name))
    return idea is None or idea in ideas


def prove(
    context: ProposalContext,
    power: str,
    pool: Candidates,
    stakes: Stakes,
    allotment: Budget,
    deciding: float = 0.0,
) -> tuple[Candidates, int]:
    """The value of certain results beyond those of all candidates: centres, a victory, another's prevented
    victory. In Fall, sets that force such results join the pool. What decides the game is sought first,
    with at most `deciding` nodes. Returns the pool, and the nodes used."""
    phase = context.position.phase
    if allotment.over() or phase.season == "S":
        return pool, 0
    if phase.kind == "M":
        return _forced(context, power, pool, stakes, allotment, min(deciding, allotment.size))
    return _kept(context, power, pool, stakes, allotment)


def _forced(
    context: ProposalContext,
    power: str,
    pool: Candidates,
    stakes: Stakes,
    allotment: Budget,
    deciding: float,
) -> tuple[Candidates, int]:
    """As `prove`, for movements. What decides the game comes first; a certain victory needs nothing else."""
    position, others = context.position, [candidate.orders for candidate in pool[:FILLING]]
    goals = deciding_goals(position, power)
    nodes, known = 0, dict[str, list[bytes]]()
    for number, goal in enumerate(goals):
        left = max(0.0, deciding - nodes) / (len(goals) - number)
        seeker = Decisive(position, power, goal, left, allotment.over)
        orders = seeker.found()
        variants = seeker.variants(orders, [] if goal.keeping else others) if orders else []
        nodes += seeker.nodes
        proved = [played for sure in variants if (played := _played(context, power, seeker, sure))]
        pool = joined(pool, proved, FORCED)
        if goal.keeping and proved:
            return _above(pool, dict.fromkeys(proved, stakes.victory)), nodes
        known[goal.whose] = proved
    forcing = Forcing(position, power, max(0.0, allotment.size - nodes), allotment.over, stakes)
    forcing.known = known
    sets = _sound(context, power, forcing.sets(others))
    pool = joined(pool, sets, FORCED)
    values = forcing.points([candidate.orders for candidate in pool])
    return _above(pool, values), nodes + forcing.nodes


def _played(context: ProposalContext, power: str, seeker: Decisive, orders: bytes) -> bytes:
    """A set that forces a goal made playable, where it forces it then too; else as it is. Empty if the
    agreements forbid it."""
    sound = context.sound(power, orders)
    if sound == orders or seeker.forces(sound):
        return sound
    return b"" if context.bonds.own(power) else orders


def _kept(
    context: ProposalContext, power: str, pool: Candidates, stakes: Stakes, allotment: Budget
) -> tuple[Candidates, int]:
    """As `prove`, for retreats and adjustments: all sets of a small pool are examined."""
    position, most = context.position, int(min(PROVED, allotment.size / PROOF_NODES))
    if not 2 <= len(pool) <= most:
        return pool, 0
    number, values = position.map.powers.index(power), {}
    for candidate in pool:
        codes = codes_in(candidate.orders)
        after = position.packed.adjudicate([(number, code) for code in codes])[0]
        count = sure_centres(position, power, codes, after)
        if count is None:
            return pool, PROOF_NODES * len(pool)
        values[candidate.orders] = stakes.centre * count
    return _above(pool, values), PROOF_NODES * len(pool)


def _above(pool: Candidates, values: Mapping[bytes, float]) -> Candidates:
    """A pool with values above the minimum of all; sets without one keep theirs."""
    least = min(values.values()) if len(values) == len(pool) else 0.0
    return tuple(
        replace(each, value=values[each.orders] - least) if each.orders in values else each for each in pool
    )


def stakes_of(position: Position, value: ScaledValue, power: str, part: float) -> Stakes:
    """What certain results are worth to a power. A certain centre is worth a part of the value of one more. A
    share s of the sum of squares grows by 2 s (1 - s) / c with the centre after c; a version with the full
    value lost games (docs/search.md)."""
    number = position.map.powers.index(power)
    owned = position.packed.owners().count(number)
    worth = max(0.0, value.valuer.points(position.packed, number))
    rest = 1 - min(MOST_SHARE, value.share(worth))
    centre = max(LEAST_CENTRE / value.points, 2 * worth * rest / max(1, owned))
    return Stakes.of(part * centre, value.points)


def first(context: ProposalContext, power: str, chance: random.Random) -> Candidate:
    """An initial set: complete and legal, from the net of self-play, in accordance with the agreements."""
    context.sampler.reseed(chance)
    return _fast(context, power)


def _fast(context: ProposalContext, power: str) -> Candidate:
    """As `first`, by the sampler's present source of chance."""
    model = context.sampler.played_on
    (orders,) = proposer(model)(context, power, 1).sets
    return Candidate(context.sound(power, orders), model)
