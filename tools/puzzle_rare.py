"""Searches for the rare kinds of puzzles: to win, to stop, by convoy, by a cut, to retake.

Each kind has a cheap test that rejects most positions. Then a search begins with the orders that the kind
is about, not with the best orders of a power. The result that such orders force is the goal.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from bordeaux.arena.puzzles import Puzzle, solves
from bordeaux.board.code import kind_of as kind_of_order
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.forcing import KEPT, Orders
from bordeaux.search.proof import Goal, parts
from puzzle_search import DRAWS, WIN, Searcher, drawn, policy, share_that_solves

__all__ = ["MOST_BY_CHANCE", "RARE", "WIN", "accepted", "identity", "kind_of", "rare"]

RARE = frozenset({"retake", "cut", "convoy", "win", "stop"})
MOST_BY_CHANCE = 0.5
WITHIN = 4
"""A power that lacks at most so many centres may win in this Fall."""
STARTS = 3
"""Attacks of one kind from which a position is completed, at most."""
PATIENCE = 60_000
"""The maximum number of questions in one position, as `Prover.asked` counts, since there are many
positions."""


def identity(kind: str, game: str, position: Position, power: str) -> str:
    """The name of a puzzle."""
    return f"{kind}-{game}-{position.phase}-{position.map.tags[power]}".lower()


def rare(
    position: Position, power: str, kinds: frozenset[str] | set[str], game: str, seed: int
) -> Iterator[Puzzle]:
    """Puzzles of the rare kinds among the given ones, of one power in a Fall movement position."""
    sizes = Counter(owner for owner in position.owners if owner)
    now = sizes[power]
    if "stop" in kinds:
        leader, size = sizes.most_common(1)[0] if sizes else ("", 0)
        if leader != power and WIN - WITHIN <= size < WIN:
            yield from _stop(position, power, leader, game, seed)
    if "win" in kinds and WIN - WITHIN <= now < WIN:
        yield from _win(position, power, game, seed)
    if now and kinds & {"retake", "cut", "convoy"}:
        searcher = Searcher(position, power, Goal(power, True, now))
        searcher.prover.allow(PATIENCE)
        for kind, starts in _starts(searcher, kinds):
            for start in itertools.islice(starts, STARTS):
                puzzle = _of(searcher, kind, start, now, game, seed)
                if puzzle is not None:
                    yield puzzle
                    return


def _starts(searcher: Searcher, kinds: frozenset[str] | set[str]) -> Iterator[tuple[str, Iterator[Orders]]]:
    """Attacks that force a centre in the manner of each kind, the rarest kind first."""
    field, owned = searcher.prover.field, searcher.prover.owned
    targets = searcher.targets()
    if "convoy" in kinds:
        yield "convoy", (orders for centre in targets for orders in _by_sea(searcher, centre))
    if "retake" in kinds:
        lost = [centre for centre in targets if centre in owned and centre in field.repliers]
        yield (
            "retake",
            (orders for centre in lost for orders in itertools.islice(searcher.attacks(centre), 1)),
        )
    if "cut" in kinds:
        yield (
            "cut",
            (
                orders
                for centre in targets
                for orders in itertools.islice(searcher.attacks(centre), KEPT)
                if _moves(orders) > 1
            ),
        )


def _moves(orders: Orders) -> int:
    return sum(kind_of_order(code) == OrderKind.MOVE for code in orders.values())


def _by_sea(searcher: Searcher, centre: int) -> Iterator[Orders]:
    """Convoys with all help that force a centre."""
    for part, code in searcher.moves_to(centre):
        if part.via and not searcher.prover.tired:
            helped = searcher.helps(part)
            if any(kind_of_order(order) == OrderKind.CONVOY for order in helped.values()):
                orders = {part.unit: code, **helped}
                if searcher.prover.safe(orders, [centre]):
                    yield searcher.lean(orders, centre, part.unit)


def _of(searcher: Searcher, kind: str, start: Orders, now: int, game: str, seed: int) -> Puzzle | None:
    """A puzzle of one kind from an attack, completed so that nothing is lost elsewhere."""
    orders, count = searcher.complete(start)
    if count < now or not searcher.prover.judge(orders, count).holds:
        return None
    goal = Goal(searcher.power, True, min(count, WIN))
    if searcher.prover.judge({}, goal.centres).holds or kind_of(searcher, goal, orders, now) != kind:
        return None
    return next(accepted(searcher, goal, kind, orders, game, seed), None)


def _win(position: Position, power: str, game: str, seed: int) -> Iterator[Puzzle]:
    """The 18th centre, by as many attacks together as necessary."""
    searcher = Searcher(position, power, Goal(power, True, WIN))
    searcher.prover.allow(5 * PATIENCE)
    prover, field = searcher.prover, searcher.prover.field
    standing = {place for place in searcher.units if place in prover.centres}
    sure = len(prover.owned - field.repliers | standing)
    targets = searcher.targets()
    if sure + len(targets) < WIN:
        return
    single: list[tuple[int, Orders]] = []
    for number, centre in enumerate(targets):
        if sure + len({goal for goal, _ in single}) + len(targets) - number < WIN:
            return
        single += [(centre, orders) for orders in itertools.islice(searcher.attacks(centre), KEPT)]
    if sure + len({goal for goal, _ in single}) < WIN:
        return
    grown = sorted({searcher.grown(first, single) for first in range(len(single))}, reverse=True)
    starts = [dict(orders) for more, orders in grown[:STARTS] if sure + more >= WIN] or [{}] * (sure >= WIN)
    for start in starts:
        orders, count = searcher.complete(start)
        if count >= WIN and prover.judge(orders).holds and not prover.judge({}).holds:
            yield from accepted(searcher, searcher.goal, "win", orders, game, seed)
            return


def _stop(position: Position, power: str, leader: str, game: str, seed: int) -> Iterator[Puzzle]:
    """A leader who could win in this Fall, and whom only this power can prevent while third powers hold."""
    goal = Goal(leader, False, WIN - 1, leader)
    searcher = Searcher(position, power, goal)
    searcher.prover.allow(PATIENCE)
    prover, field = searcher.prover, searcher.prover.field
    standing = {place for place in field.repliers if place in prover.centres}
    reached = {centre for centre in prover.centres if field.core.reachers(centre)}
    if len(prover.owned | standing | reached) < WIN:
        return
    touched = {part.goal for place in searcher.units for part, _ in searcher.legal[place]}
    if not touched & (prover.owned | standing | reached):
        return
    verdict = prover.judge({})
    if verdict.holds or not verdict.proved:
        return
    for plan in [{}, *searcher.plans()]:
        orders, _ = searcher.complete(plan)
        if prover.judge(orders).holds:
            yield from accepted(searcher, goal, "stop", orders, game, seed)
            return


def kind_of(searcher: Searcher, goal: Goal, orders: Orders, now: int) -> str:
    """The kind of the result that orders force; the rarest name that applies."""
    prover, field = searcher.prover, searcher.prover.field
    if goal.centres >= WIN > now:
        return "win"
    taken = {
        parts(code, field.province_of).goal
        for code in orders.values()
        if kind_of_order(code) == OrderKind.MOVE
    }
    safe = prover.safe(orders)
    gained = safe & taken
    for code in orders.values():
        part = parts(code, field.province_of)
        if part.kind == OrderKind.MOVE and part.via and part.goal in gained:
            return "convoy"
    for place, code in orders.items():
        part = parts(code, field.province_of)
        if part.kind == OrderKind.MOVE and part.goal in field.repliers and part.goal not in gained:
            less = {other: order for other, order in orders.items() if other != place}
            if not prover.judge(less, goal.centres).holds:
                return "cut"
    if any(centre in prover.owned and centre in field.repliers for centre in gained):
        return "retake"
    return "capture" if goal.centres > now else "keep"


def accepted(
    searcher: Searcher, goal: Goal, kind: str, orders: Orders, game: str, seed: int
) -> Iterator[Puzzle]:
    """The puzzle, if it is one."""
    position, power = searcher.position, searcher.power
    chooser = policy(position.map, seed)
    searcher.draws = drawn(position, power, chooser, DRAWS)
    if searcher.tempting(orders, chooser, goal):
        return
    share = share_that_solves(searcher, goal.centres, MOST_BY_CHANCE)
    if share >= MOST_BY_CHANCE:
        return
    puzzle = Puzzle(
        identity(kind, game, position, power),
        kind,
        game,
        power,
        goal,
        searcher.texts(orders),
        share,
        position,
    )
    if solves(puzzle, puzzle.solution):
        yield puzzle
