"""The stages of a decision of one power, in any phase, as functions.

A stage takes a pool of candidates and an allotment of the budget, and returns a new pool; one that
adjudicates by itself also returns its nodes. It does not change its inputs. `bordeaux.search.response` runs
them in order. A new stage is a function here and a call there.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from bordeaux._ext.contest import Contest
from bordeaux._ext.value import Valuer
from bordeaux.board.code import codes_in
from bordeaux.board.position import Position
from bordeaux.evaluation.value_net import SCALE
from bordeaux.search.budget import Allotment
from bordeaux.search.candidate import FORCED, SURE, WORTH, Candidate, Candidates, joined, ranked, scored
from bordeaux.search.config import SearchConfig
from bordeaux.search.forcing.stage import Forcing
from bordeaux.search.forcing.standing import PROOF_NODES, sure_centres
from bordeaux.search.ideas import Ideas
from bordeaux.search.models import idea_of
from bordeaux.search.proposers import IDEA_OF, NEEDED, ProposalContext, proposer

__all__ = ["compare", "force", "foresee", "learn", "propose", "prove", "sure_centre"]

#: The minimum number of proposed sets.
FEWEST = 4
#: The number of sets of retreats or adjustments up to which all are tried.
FEW = 48
#: Sets that provide the other orders of those that force a goal.
FILLING = 2
#: Iterations of learning, and candidates in rollouts, between two checks of the clock.
ITERATIONS, AT_ONCE = 2, 6
#: The maximum numbers of iterations of learning and of samples of each candidate.
LEARNT, ENOUGH = 2_000, 2_000
#: Samples of a single candidate.
ALONE = 16
#: The largest share of the game in the calculation of a centre's value: with nearly all of it a power still
#: gains a little.
MOST_SHARE = 0.9
#: The maximum number of sets of retreats or adjustments for which proofs are tried.
PROVED = 24

Tally = Callable[[Mapping[bytes, tuple[float, int]]], Mapping[bytes, tuple[float, int]]]
"""Adds the results of other processes for the same sets: sums of points and numbers of samples."""


def propose(
    context: ProposalContext, power: str, config: SearchConfig, allotment: Allotment
) -> tuple[Candidates, int]:
    """Candidates of a power from all proposers in use, more of them with more nodes; and the nodes used."""
    part, ideas = _part(config, allotment.nodes), config.ideas
    counts = {
        name: max(1, round(part * count))
        for name, count in config.counts().items()
        if _in_use(name, ideas) and allotment.nodes >= NEEDED.get(name, 0)
    }
    counts = {"suggested": FEWEST} | counts
    if context.position.phase.kind != "M":
        counts = {"every": max(FEWEST, round(part * FEW))} | counts
    pool: Candidates = ()
    nodes = 0
    for name, count in counts.items():
        proposal = proposer(name)(context, power, count)
        pool = joined(pool, _sound(context, power, proposal.sets), name)
        nodes += proposal.nodes
        if name == "every" and pool:
            return pool, nodes
    return pool or (first(context, power),), nodes


def _part(config: SearchConfig, nodes: float) -> float:
    """The factor for the number of sets with a number of nodes."""
    growth = max(1.0, nodes / config.plenty) ** config.growth
    return min(1.0, nodes / config.enough) * min(config.most, growth)


def _sound(context: ProposalContext, power: str, sets: Sequence[bytes]) -> list[bytes]:
    """Each set made playable."""
    known = {orders: context.sound(power, orders) for orders in dict.fromkeys(sets)}
    return [known[orders] for orders in sets]


def _in_use(name: str, ideas: Ideas) -> bool:
    """Whether no idea that is left out disables a proposer."""
    idea = IDEA_OF.get(name, idea_of(name))
    return idea is None or idea in ideas


def foresee(context: ProposalContext, power: str, config: SearchConfig, allotment: Allotment) -> Candidates:
    """The possible sets of another power: draws from the beliefs about it, with their counts."""
    count = max(FEWEST, round(_part(config, allotment.nodes) * config.others))
    return joined((), [context.sampler.orders(power) for _ in range(count)], "believed")


def force(
    context: ProposalContext, power: str, pool: Candidates, centre: float, allotment: Allotment
) -> tuple[Candidates, Forcing | None]:
    """In Fall, adds sets that force something, and returns the proofs; else the pool is unchanged."""
    position = context.position
    if (position.phase.season, position.phase.kind) != ("F", "M") or allotment.nodes < 1:
        return pool, None
    forcing = Forcing(position, power, allotment.nodes, allotment.over, centre)
    sets = forcing.sets([candidate.orders for candidate in pool[:FILLING]])
    return joined(pool, _sound(context, power, sets), FORCED), forcing


def learn(contest: Contest, config: SearchConfig, allotment: Allotment, chance: random.Random) -> None:
    """Let all powers of a contest learn mixtures until the allotment is used; the contest stores them."""
    done = 0
    while done < LEARNT and allotment.progress() < 1:
        contest.learn(ITERATIONS, config.temperature, config.lookahead, chance.getrandbits(63))
        done += ITERATIONS


def compare(
    contest: Contest,
    number: int,
    pool: Candidates,
    config: SearchConfig,
    allotment: Allotment,
    chance: random.Random,
    tally: Tally = dict,
) -> Iterator[Candidates]:
    """Compare the candidates of a power (by number), in the order of its pool in the contest, on samples of
    the others' orders; the worse half is dropped after each round (Karnin, Koren and Somekh, 2013). Yields
    the pool with scores after each round, best first. A dropped candidate had fewer samples than the leader.
    Its score is the leader's, less its distance in the samples of both, so that it is never above it."""
    known = dict(enumerate(contest.values(number)))
    gone: dict[int, dict[int, float]] = {}
    proved = [sum(points for kind, points in candidate.scores if kind != WORTH) for candidate in pool]
    totals, counts = [0.0] * len(pool), [0] * len(pool)
    alive = sorted(range(len(pool)), key=lambda i: (-known.get(i, 0.0) - proved[i], i))
    rounds = max(1, math.ceil(math.log2(max(2, len(pool)))))
    for k in range(rounds):
        while len(alive) > 1 or counts[alive[0]] < ALONE:
            done = (k + 1) / rounds
            if counts[alive[0]] and (allotment.progress() >= done or counts[alive[0]] >= ENOUGH * done):
                break
            sampled = _sampled(contest, number, alive, config.horizon, allotment, chance.getrandbits(63))
            if len(sampled) < len(alive) and counts[alive[0]]:
                # Time ran out within a sample, which counts for none.
                break
            for i, points in zip(alive, sampled, strict=False):
                totals[i] += points
                counts[i] += 1
        sums = tally({pool[i].orders: (totals[i], counts[i]) for i in range(len(pool)) if counts[i]})
        worth = {
            i: sums[pool[i].orders][0] / sums[pool[i].orders][1] if counts[i] else known.get(i, 0.0)
            for i in range(len(pool))
        }
        alive.sort(key=lambda i: (-worth[i] - proved[i], i))
        leader = alive[0]
        estimates = worth | {i: worth[leader] + then[i] - then[leader] for i, then in gone.items()}
        estimated = scored(pool, WORTH, {candidate.orders: estimates[i] for i, candidate in enumerate(pool)})
        best = next(candidate for candidate in estimated if candidate.orders == pool[leader].orders)
        yield (best, *(candidate for candidate in ranked(estimated) if candidate.orders != best.orders))
        staying = (len(alive) + 1) // 2
        gone |= dict.fromkeys(alive[staying:], worth)
        alive = alive[:staying]


def _sampled(
    contest: Contest, number: int, alive: Sequence[int], horizon: int, allotment: Allotment, seed: int
) -> list[float]:
    """The values of candidates in one sample of the others' orders; not all of them if time runs out."""
    points: list[float] = []
    at_once = AT_ONCE if horizon >= 0 else len(alive)
    for k in range(0, len(alive), at_once):
        points += [row[0] for row in contest.respond(number, alive[k : k + at_once], 1, horizon, seed)]
        if allotment.progress() >= 1:
            break
    return points


def prove(
    position: Position,
    power: str,
    pool: Candidates,
    forcing: Forcing | None,
    centre: float,
    allotment: Allotment,
) -> tuple[Candidates, int]:
    """Points for certain results beyond those of all candidates: centres, a victory, another's prevented
    victory. Returns the pool, and the nodes used."""
    sets = [candidate.orders for candidate in pool]
    if forcing is not None:
        before = forcing.nodes
        points = forcing.points(sets)
        return _above(pool, points), forcing.nodes - before
    if position.phase.kind == "M" or position.phase.season == "S" or len(pool) < 2:
        return pool, 0
    most = int(min(PROVED, allotment.nodes / PROOF_NODES))
    if most < len(pool):
        return pool, 0
    number, points = position.map.powers.index(power), {}
    for orders in sets:
        codes = codes_in(orders)
        after = position.packed.adjudicate([(number, code) for code in codes])[0]
        count = sure_centres(position, power, codes, after)
        if count is None:
            return pool, PROOF_NODES * len(pool)
        points[orders] = centre * count
    return _above(pool, points), PROOF_NODES * len(pool)


def _above(pool: Candidates, points: Mapping[bytes, float]) -> Candidates:
    """Points above the minimum of all."""
    least = min(points.values())
    return scored(pool, SURE, {orders: value - least for orders, value in points.items()})


def sure_centre(position: Position, value: Valuer, number: int, part: float) -> float:
    """Points for a certain centre of a power (by number): a part of the value of one more centre. A share s
    of the sum of squares grows by 2 s (1 - s) / c with the centre after c; a version with the full value lost
    games (docs/search.md)."""
    owned = position.packed.owners().count(number)
    points = max(0.0, value.points(position.packed, number))
    return part * 2 * points * (1 - min(MOST_SHARE, points / SCALE)) / max(1, owned)


def first(context: ProposalContext, power: str) -> Candidate:
    """An initial set: complete and legal, from the net of self-play, in accordance with the agreements."""
    model = context.sampler.played_on
    (orders,) = proposer(model)(context, power, 1).sets
    return Candidate(context.sound(power, orders), model)
