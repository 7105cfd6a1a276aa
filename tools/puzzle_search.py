"""Looking for what a power can force in a Fall: orders first, the proof of them by `bordeaux.puzzles`."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator

from bordeaux._ext.choice import Choice
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.puzzles.field import Parts, parts
from bordeaux.puzzles.proof import ANYBODY, Goal, Prover
from bordeaux.search.codes import as_bytes, codes_in
from bordeaux.search.policy import DUMBBOT, draw

Orders = dict[int, int]

MOST_CUTS = 24
CUTS = 2
"""How many attacks on their supporters are hoped for at most."""
CUTTABLE = 4
DRAWS = 200
REPLIES = 40
FEW = 20
"""Draws after which it shows that most of them force as much."""
PLAN_LIMIT = 5_000
"""Replies for one centre or group while orders are looked for; the puzzle itself is proved without it."""
TEMPTING = 0.25
"""How many centres more, on average against a simple policy, another set may gain than ours."""


PATIENCE = 400_000
"""Replies, and a hundred for each proof, after which a position is given up (`Prover.asked`)."""


class Searcher:
    """Looks for orders of a power that force a goal in one position."""

    def __init__(self, position: Position, power: str, goal: Goal) -> None:
        self.position, self.power, self.goal = position, power, goal
        self.prover = Prover(position, power, goal, limit=PLAN_LIMIT)
        field = self.prover.field
        self.units = [place for place, owner in field.owners.items() if owner == power]
        self.legal: dict[int, list[tuple[Parts, int]]] = {
            place: [(parts(code, field.province_of), code) for code in field.legal[place]]
            for place in self.units
        }
        self.draws: list[Orders] = []

    @property
    def tired(self) -> bool:
        """Whether enough was tried in this position."""
        return self.prover.asked > PATIENCE

    def moves_to(self, goal: int) -> Iterator[tuple[Parts, int]]:
        """Own moves into a province, those over land first."""
        found = [
            (part, code)
            for place in self.units
            for part, code in self.legal[place]
            if part.kind == OrderKind.MOVE and part.goal == goal
        ]
        yield from sorted(found, key=lambda each: each[0].via)

    def helps(self, move: Parts, barred: Iterable[int] = ()) -> Orders:
        """Every support, and for a convoy every fleet, that other units can give a move."""
        given: Orders = {}
        for place in self.units:
            if place == move.unit or place in barred:
                continue
            for part, code in self.legal[place]:
                if (part.helped, part.goal) != (move.unit, move.goal) or place in given:
                    continue
                if part.kind == OrderKind.SUPPORT_MOVE or (part.kind == OrderKind.CONVOY and move.via):
                    given[place] = code
        return given

    def attacks(self, centre: int) -> Iterator[Orders]:
        """Orders that force a centre, the fewest units of their kind: with all help, then with cuts."""
        field = self.prover.field
        rivals = sum(
            any(not code >> 8 & 1 for code in field.moves[other][centre])
            for other in field.reachers.get(centre, ())
        ) + (centre in field.repliers)
        for part, code in self.moves_to(centre):
            orders = {part.unit: code, **self.helps(part)}
            if self.tired:
                return
            strength = 1 + sum(each & 0xFF == OrderKind.SUPPORT_MOVE for each in orders.values())
            if strength + CUTS < rivals + 1:
                # So many of them support or bounce each other, or us, that no cuts make up for it.
                continue
            if self.prover.safe(orders, [centre]):
                yield self.lean(orders, centre, part.unit)
                continue
            for cut in self.cuts(centre, orders):
                both = {**orders, **cut}
                if self.prover.safe(both, [centre]):
                    yield self.lean(both, centre, part.unit)
                    break

    def cuts(self, centre: int, orders: Orders) -> Iterator[Orders]:
        """Attacks on repliers that could have a hand in a centre, by units that have nothing else to do."""
        field = self.prover.field
        near = {other for other in field.reachers.get(centre, ()) if other != centre}
        free = []
        for place in self.units:
            # A supporter may do more good by a cut.
            if place in orders and field.position.map.provinces[place].centre and len(orders) == 1:
                continue
            ways = [
                code
                for part, code in self.legal[place]
                if part.kind == OrderKind.MOVE and part.goal in near and not part.via and part.goal != centre
            ]
            if ways and not (place in orders and orders[place] & 0xFF == OrderKind.MOVE):
                free.append([None, *[(place, code) for code in ways[:CUTTABLE]]])
        count = 0
        for chosen in itertools.product(*free[:5]):
            made = {each[0]: each[1] for each in chosen if each is not None}
            if made:
                yield made
                count += 1
                if count >= MOST_CUTS or self.tired:
                    return

    def lean(self, orders: Orders, centre: int, mover: int) -> Orders:
        """Without the helpers that are not needed."""
        kept = dict(orders)
        for place in list(orders):
            if place != mover:
                less = {other: code for other, code in kept.items() if other != place}
                if self.prover.safe(less, [centre]):
                    kept = less
        return kept

    def targets(self) -> list[int]:
        """Centres to attack: of others, or where others stand; of a stop those of the one to be stopped."""
        field, prover = self.prover.field, self.prover
        if not self.goal.keeping:
            return sorted(prover.owned)
        return [
            centre
            for centre in prover.centres
            if centre not in self.units
            and (centre not in prover.owned or centre in field.repliers)
            and any(True for _ in self.moves_to(centre))
        ]

    def plans(self) -> Iterator[Orders]:
        """Attacks that force something, alone and together."""
        single: list[tuple[int, Orders]] = []
        for centre in self.targets():
            for orders in itertools.islice(self.attacks(centre), 2):
                single.append((centre, orders))
        both = [
            {**one, **other}
            for (first, one), (second, other) in itertools.combinations(single, 2)
            if first != second and all(one.get(place, code) == code for place, code in other.items())
        ]
        yield from both[:3]
        yield from (orders for _, orders in single[:3])

    def complete(self, start: Orders, passes: int = 1) -> tuple[Orders, int]:
        """Let the other units do what makes most centres safe, one unit after the other."""
        best = dict(start)
        safe = self.prover.safe(best)
        score = len(safe)
        for _ in range(passes):
            before = score
            for place in self.units:
                if place in start or self.tired:
                    continue
                for code in self.sensible(place, best):
                    tried = {**best, place: code}
                    # What is not safe yet is quickly refuted; only a gain is worth the rest.
                    if not self.prover.safe(tried, self.prover.stakes(tried) - safe):
                        continue
                    now = self.prover.safe(tried)
                    if len(now) > score:
                        best, score, safe = tried, len(now), now
            if score == before:
                break
        return best, score

    def sensible(self, place: int, orders: Orders) -> list[int]:
        """Orders of a unit that could make a centre safer."""
        centres = set(self.prover.centres)
        found = []
        for part, code in self.legal[place]:
            if part.kind == OrderKind.MOVE and not part.via:
                if part.goal in centres or part.goal in self.prover.field.owners:
                    found.append(code)
            elif part.kind == OrderKind.SUPPORT_HOLD and part.helped in self.units:
                other = orders.get(part.helped)
                if other is None or other & 0xFF != OrderKind.MOVE:
                    found.append(code)
            elif part.kind == OrderKind.SUPPORT_MOVE and part.helped in orders:
                other_part = parts(orders[part.helped], self.prover.field.province_of)
                if other_part.kind == OrderKind.MOVE and other_part.goal == part.goal:
                    found.append(code)
        return found

    def tempting(self, fixed: Orders, policy: Choice) -> bool:
        """Whether a drawn set gains clearly more on average, so that a player might rather take the risk."""
        packed, map = self.position.packed, self.position.map
        replies = []
        for _ in range(REPLIES):
            others = [i for i, name in enumerate(map.powers) if name != self.power]
            replies.append(
                b"".join(
                    draw(policy, packed, other)
                    for other in others
                    if self.position.units_of(map.powers[other])
                )
            )
        sign = 1 if self.goal.keeping else -1

        def mean(orders: Orders) -> float:
            return sign * sum(self.prover.kept(orders, reply) for reply in replies) / REPLIES

        ours = mean(fixed)
        rivals = [*self.draws[:REPLIES], *self.bold()]
        return any(mean(orders) > ours + TEMPTING for orders in rivals)

    def bold(self) -> Iterator[Orders]:
        """For every centre to attack, each move there with all help, whether it can be forced or not."""
        for centre in self.targets():
            for part, code in self.moves_to(centre):
                yield {part.unit: code, **self.helps(part)}

    def texts(self, fixed: Orders) -> tuple[str, ...]:
        """Orders of all units of the power, as text; a unit without one holds."""
        map = self.position.map
        full = dict(fixed)
        for place in self.units:
            full.setdefault(
                place, next(code for part, code in self.legal[place] if part.kind == OrderKind.HOLD)
            )
        return tuple(str(decode(map, full[place])) for place in sorted(full))


def drawn(position: Position, power: str, policy: Choice, count: int) -> list[Orders]:
    """Sets that a simple policy draws, as codes by province."""
    number = position.map.powers.index(power)
    province_of = [location.province for location in position.map.locations]
    sets = []
    for _ in range(count):
        codes = codes_in(draw(policy, position.packed, number))
        sets.append({parts(code, province_of).unit: code for code in codes})
    return sets


def share_that_solves(searcher: Searcher, count: int, most: float) -> float:
    """The share of the drawn sets that force as much; 1 as soon as it must be above `most`."""
    solved = 0
    known: dict[bytes, bool] = {}
    for number, orders in enumerate(searcher.draws, 1):
        key = as_bytes([orders[place] for place in sorted(orders)])
        if key not in known:
            known[key] = searcher.prover.judge(orders, count).holds
        solved += known[key]
        if solved > most * len(searcher.draws) or (number >= FEW and solved > 0.7 * number):
            return 1.0
    return solved / len(searcher.draws)


def policy(map: Map, seed: int) -> Choice:
    """The policy that sets and replies are drawn from."""
    return DUMBBOT.chooser(map, seed)


def shuffled(items: Iterable[int], seed: int) -> list[int]:
    """Numbers in an order drawn from a seed."""
    listed = list(items)
    random.Random(seed).shuffle(listed)
    return listed


__all__ = ["ANYBODY", "Searcher", "drawn", "policy", "share_that_solves", "shuffled"]
