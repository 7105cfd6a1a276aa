"""The stages of a decision of one power, in any phase, as functions.

A stage takes immutable values and an allotment of the budget, and returns immutable values: a pool of
candidates, or the shares of sets. One that adjudicates by itself also returns its nodes. It does not change
its inputs. One that draws is handed a source of chance of its own, and two runs with equal sources draw the
same. `LearntSearch` runs the stages in order. A new stage is a function here and a call there.

Values are in the unit of the search (`bordeaux.evaluation.ScaledValue`): by a learnt value chances, from 0 to
1, which are shares of the final result.

`reason` and `compare` calculate with a `Contest`, which each of them opens anew. It keeps nothing for the
next stage but its count of nodes.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

from bordeaux._ext.search.contest import Contest
from bordeaux.board.code import codes_in
from bordeaux.board.position import Position
from bordeaux.evaluation import ScaledValue
from bordeaux.search.beliefs import idea_of
from bordeaux.search.budget import Allotment
from bordeaux.search.config import SearchConfig
from bordeaux.search.decisive import Decisive
from bordeaux.search.forcing import Forcing, Stakes, deciding_goals
from bordeaux.search.proof import PROOF_NODES, sure_centres
from bordeaux.search.proposers import BACKGROUNDS, IDEA_OF, NEEDED, SEARCHING, ProposalContext, proposer
from bordeaux.search.sets import (
    FORCED,
    SURE,
    WORTH,
    Candidate,
    Candidates,
    Mixture,
    PhaseGame,
    drawn_from,
    joined,
    ranked,
    scored,
)

__all__ = [
    "compare",
    "first",
    "foresee",
    "improve",
    "propose",
    "prove",
    "reason",
    "stakes_of",
]

#: The minimum number of proposed sets.
FEWEST = 4
#: The number of sets of retreats or adjustments up to which all are tried.
FEW = 48
#: Sets that provide the other orders of those that force a goal.
FILLING = 2
#: Nodes of a decision below which there are fewer candidates, and from which on there are more.
LEAST_NODES, MORE_NODES = 3_000, 10_000
#: Candidates grow with the nodes to this power, up to this multiple of the least.
GROWTH, MOST_GROWTH = 0.6, 12.0
#: Sets drawn for each other power at least.
FORESEEN = 96
#: Candidates in rollouts between two checks of the clock, and those that threads have before them at least.
AT_ONCE, AHEAD = 6, 48
#: The maximum number of samples of each candidate.
ENOUGH = 2_000
#: A power that reasons takes the best of so many draws, each compared against so many samples.
AMONG, GLANCES = 8.0, 2
#: The maximum number of trials in which the others choose.
TRIALS = 64
#: Movement phases played on in the comparison; -1 judges at once, 0 after the retreats and builds.
HORIZON = 1
#: The multiple of its allotment at which even the first trial is broken off: pools may be large for the time.
OVERRUN = 3.0
#: Samples of a single candidate.
ALONE = 16
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
    allotment: Allotment,
    chance: random.Random,
) -> tuple[Candidates, int]:
    """Candidates of a power from all proposers in use that draw, more of them with more nodes; and the nodes
    used."""
    context.sampler.reseed(chance)
    factor, counts = _factor(allotment.nodes), _counts(config, allotment)
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
    game: PhaseGame,
    mixtures: Mapping[str, Mixture],
    config: SearchConfig,
    allotment: Allotment,
    chance: random.Random,
) -> tuple[Candidates, int]:
    """The candidates of the power that decides in a game, with those of the proposers that search for better
    ones against the others' mixtures, in movements; and the nodes used."""
    pool, nodes = game.pools[game.power], 0
    counts = {name: count for name, count in _counts(config, allotment).items() if name in SEARCHING}
    if not counts or game.position.phase.kind != "M":
        return pool, nodes
    context.sampler.reseed(chance)
    others = game.others(mixtures).values()
    joint = [b"".join(drawn_from(sets, chance) for sets in others) for _ in range(BACKGROUNDS)]
    context = replace(context, expected=joint)
    for name, count in counts.items():
        pool, used = _with_sets_of(name, context, game.power, count, pool)
        nodes += used
    return pool, nodes


def _counts(config: SearchConfig, allotment: Allotment) -> dict[str, int]:
    """The number of sets of each proposer in use with an allotment."""
    factor = _factor(allotment.nodes)
    return {
        name: max(1, round(factor * count))
        for name, count in config.learnt.counts.items()
        if _in_use(name, config.ideas) and allotment.nodes >= NEEDED.get(name, 0)
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


def foresee(
    context: ProposalContext,
    power: str,
    allotment: Allotment,
    chance: random.Random,
) -> Candidates:
    """The possible sets of another power: draws from the beliefs about it, with their counts."""
    context.sampler.reseed(chance)
    count = max(FEWEST, round(_factor(allotment.nodes) * FORESEEN))
    return joined((), context.sampler.draws(power, count), "believed")


def reason(
    contest: Contest,
    game: PhaseGame,
    drawn: Mapping[str, Mixture],
    allotment: Allotment,
    chance: random.Random,
    among: float = AMONG,
    glances: int = GLANCES,
) -> Mapping[str, Mixture]:
    """The shares of sets if each of the others takes the best of `among` sets that it draws, valued directly
    after adjudication against `glances` draws of all. `drawn` are the shares of draws.

    The result is the mean of several trials, which end with the allotment. One trial is made in any case,
    unless it takes three times the allotment. The power that decides plays as drawn; so do powers with one
    set, all without an allotment, and those without time for a trial."""
    map = game.position.map
    others = [power for power, pool in game.pools.items() if power != game.power and len(pool) > 1]
    if not others or allotment.over():
        return drawn
    _open(contest, game, drawn)
    seed, trials = chance.getrandbits(63), dict.fromkeys(others, 0)
    sums = {power: [0.0] * len(game.pools[power]) for power in others}
    for trial in range(TRIALS):
        if trial and allotment.over():
            break
        for power in others:
            if allotment.progress() >= OVERRUN or allotment.spent() >= 1:
                break
            number = map.powers.index(power)
            shares = contest.choices(number, among, glances, seed, trial)
            sums[power] = [total + share for total, share in zip(sums[power], shares, strict=True)]
            trials[power] += 1
    chosen = {
        power: {orders: total / n for orders, total in zip(drawn[power], sums[power], strict=True)}
        for power, n in trials.items()
        if n
    }
    return {**drawn, **chosen}


def _open(contest: Contest, game: PhaseGame, mixtures: Mapping[str, Mixture]) -> None:
    """Enter the pools of all powers into a contest, with the shares of their sets, in place of what it
    held before."""
    powers = game.position.map.powers
    contest.enter_position(game.position.packed)
    for power, pool in game.pools.items():
        # The share of a bad set may be too small for a number, but the core wants it above 0.
        sets = [candidate.orders for candidate in pool]
        shares = [max(mixtures[power][orders], sys.float_info.min) for orders in sets]
        contest.enter(powers.index(power), sets, shares)
    for partner, part in game.partners.items():
        contest.care(powers.index(game.power), powers.index(partner), part)


def compare(
    contest: Contest,
    game: PhaseGame,
    mixtures: Mapping[str, Mixture],
    allotment: Allotment,
    chance: random.Random,
    horizon: int = HORIZON,
) -> Iterator[Candidates]:
    """Compare the candidates of the power that decides in a game on samples of the others' mixtures; the
    worse half is dropped after each round (Karnin, Koren and Somekh, 2013). Yields the pool with scores after
    each round, best first. A dropped candidate had fewer samples than the leader. Its score is the leader's,
    less its distance in the samples of both, so that it is never above it."""
    _open(contest, game, mixtures)
    pool, number = game.pools[game.power], game.position.map.powers.index(game.power)
    gone: dict[int, list[float]] = {}
    proved = [sum(score for kind, score in candidate.scores if kind != WORTH) for candidate in pool]
    totals, counts = [0.0] * len(pool), [0] * len(pool)
    alive = sorted(range(len(pool)), key=lambda i: (-proved[i], i))
    rounds, seed = max(1, math.ceil(math.log2(max(2, len(pool))))), chance.getrandbits(63)
    for k in range(rounds):
        done, begun = (k + 1) / rounds, counts[alive[0]]
        for sampled in _samples(contest, number, alive, horizon, allotment, seed, begun, done):
            for i, value in zip(alive, sampled, strict=False):
                totals[i] += value
                counts[i] += 1
        worth = [total / max(1, count) for total, count in zip(totals, counts, strict=True)]
        alive.sort(key=lambda i: (-worth[i] - proved[i], i))
        leader = alive[0]
        estimates = dict(enumerate(worth)) | {
            i: worth[leader] + then[i] - then[leader] for i, then in gone.items()
        }
        estimated = scored(pool, WORTH, {candidate.orders: estimates[i] for i, candidate in enumerate(pool)})
        best = next(candidate for candidate in estimated if candidate.orders == pool[leader].orders)
        yield (best, *(candidate for candidate in ranked(estimated) if candidate.orders != best.orders))
        staying = (len(alive) + 1) // 2
        gone |= dict.fromkeys(alive[staying:], worth)
        alive = alive[:staying]


def _samples(
    contest: Contest,
    number: int,
    alive: Sequence[int],
    horizon: int,
    allotment: Allotment,
    seed: int,
    count: int,
    done: float,
) -> Iterator[list[float]]:
    """The values of candidates in one sample of the others' orders after another, from number `count` of the
    sequence of the seed on, until a share `done` of the allotment is used, or there are enough. A sample
    within which the allotment ends counts for none, unless it is the first."""

    def enough() -> bool:
        if len(alive) == 1 and count >= ALONE:
            return True
        return count > 0 and (allotment.progress() >= done or count >= ENOUGH * done)

    part = AT_ONCE if horizon >= 0 else len(alive)
    ahead = max(1, AHEAD // len(alive)) if contest.threads > 1 else 1
    while not enough():
        sampled: list[float] = []
        with closing(contest.respond(number, alive, ahead, horizon, seed, count, part)) as parts:
            for values in parts:
                sampled += values
                if len(sampled) == len(alive):
                    yield sampled
                    sampled, count = [], count + 1
                    if enough():
                        return
                elif allotment.progress() >= 1:
                    if not count:
                        yield sampled
                    return


def prove(
    context: ProposalContext,
    power: str,
    pool: Candidates,
    stakes: Stakes,
    allotment: Allotment,
    deciding: float = 0.0,
) -> tuple[Candidates, int]:
    """The value of certain results beyond those of all candidates: centres, a victory, another's prevented
    victory. In Fall, sets that force such results join the pool. What decides the game is sought first,
    with at most `deciding` nodes. Returns the pool, and the nodes used."""
    phase = context.position.phase
    if allotment.nodes < 1 or phase.season == "S":
        return pool, 0
    if phase.kind == "M":
        return _forced(context, power, pool, stakes, allotment, min(deciding, allotment.nodes))
    return _kept(context, power, pool, stakes, allotment)


def _forced(
    context: ProposalContext,
    power: str,
    pool: Candidates,
    stakes: Stakes,
    allotment: Allotment,
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
    forcing = Forcing(position, power, max(0.0, allotment.nodes - nodes), allotment.over, stakes)
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
    context: ProposalContext, power: str, pool: Candidates, stakes: Stakes, allotment: Allotment
) -> tuple[Candidates, int]:
    """As `prove`, for retreats and adjustments: all sets of a small pool are examined."""
    position, most = context.position, int(min(PROVED, allotment.nodes / PROOF_NODES))
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
    """Values above the minimum of all, as scores; sets without a value have none."""
    least = min(values.values()) if len(values) == len(pool) else 0.0
    return scored(pool, SURE, {orders: value - least for orders, value in values.items()})


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
