"""Make puzzles out of recorded games: ``python tools/make_puzzles.py GAMES --out FILE``.

Every phase in which a kind of puzzle can be, of games in an order drawn from the seed, is searched for
something to force until each kind has its quota. A puzzle is kept where all of this holds:

- the goal is proved, and all hold does not force it;
- fewer than half of 200 sets drawn from DumbBot's policy force it (of retreats and adjustments, fewer
  than half of all sets);
- no set drawn gains clearly more on average against DumbBot's policy, which a player might prefer.

A game gives at most one puzzle of a kind. The same games and seed give the same file.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bordeaux.board.errors import BordeauxError
from bordeaux.board.formats.games import Game, read_games
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.puzzles.field import parts
from bordeaux.puzzles.proof import ANYBODY, Goal
from bordeaux.puzzles.puzzle import KINDS, Puzzle, solves
from bordeaux.puzzles.retreats import choices, sure_after_retreats
from bordeaux.puzzles.winters import others_builds, sure_after_winter
from bordeaux.rules.legal import legal_orders

sys.path.insert(0, str(Path(__file__).resolve().parent))
from puzzle_search import DRAWS, Searcher, drawn, policy, share_that_solves

QUOTAS = {
    "capture": 110, "keep": 80, "retake": 70, "cut": 60, "convoy": 45,
    "win": 60, "stop": 60, "retreat": 50, "build": 50,
}  # fmt: skip
MOST_BY_CHANCE = 0.5
WIN = 18
MOST_UNITS = 17
MOST_ADJUSTMENTS = 60


def from_game(game: Game, kinds: frozenset[str], seed: int) -> list[Puzzle]:
    """The first puzzle of each of some kinds that a game has to give, and of no power two."""
    found: dict[str, Puzzle] = {}
    for index in _phases(game, seed):
        name = game.phases[index].name
        try:
            position = game.position(index)
            for power in _turns(position, seed):
                for puzzle in in_position(position, power, kinds - found.keys(), game.id, seed):
                    found.setdefault(puzzle.kind, puzzle)
                if kinds <= found.keys():
                    return list(found.values())
        except BordeauxError as error:
            print(f"{game.id} {name}: {error}", file=sys.stderr)
    return list(found.values())


def _phases(game: Game, seed: int) -> list[int]:
    """Phases to look at, last years first in every other game, so that all stages of games occur."""
    wanted = [
        i
        for i, phase in enumerate(game.phases)
        if (phase.name[0], phase.name[-1]) in {("F", "M"), ("F", "R"), ("W", "A")} and len(phase.name) == 6
    ]
    return wanted[::-1] if (sum(game.id.encode()) + seed) % 2 else wanted


def _turns(position: Position, seed: int) -> list[str]:
    """The powers, beginning with another one from phase to phase."""
    powers = list(position.map.powers)
    first = (position.phase.year + seed) % len(powers)
    return powers[first:] + powers[:first]


def in_position(position: Position, power: str, kinds: frozenset[str] | set[str], game: str, seed: int) -> Iterator[Puzzle]:
    """What a power can force in a position, as puzzles of these kinds."""
    if position.phase.kind == "R":
        if "retreat" in kinds:
            yield from _retreat(position, power, game)
    elif position.phase.kind == "A":
        if "build" in kinds:
            yield from _winter(position, power, game)
    elif 2 <= len(position.units_of(power)) <= MOST_UNITS:
        if kinds - {"stop", "retreat", "build"}:
            yield from _own(position, power, kinds, game, seed)
        if "stop" in kinds:
            yield from _stop(position, power, game, seed)


def _identity(game: str, position: Position, power: str) -> str:
    return f"{game}-{position.phase}-{power[:3]}".lower()


def _own(position: Position, power: str, kinds: frozenset[str] | set[str], game: str, seed: int) -> Iterator[Puzzle]:
    """Centres of one's own to gain or to keep."""
    now = sum(owner == power for owner in position.owners)
    if not now or (kinds <= {"win"} and now < WIN - 4):
        return
    searcher = Searcher(position, power, Goal(power, True, now))
    prover = searcher.prover
    hold = len(prover.safe({}))
    plans = list(searcher.plans())
    best: tuple[int, dict[int, int]] | None = None
    for plan in plans or [{}]:
        if not plan and (hold >= now or hold < now - 2 or "keep" not in kinds):
            continue
        orders, count = searcher.complete(plan)
        while prover.judge(orders, count + 1).holds:
            count += 1
        if best is None or count > best[0]:
            best = count, orders
    if best is None or best[0] < now or prover.judge({}, best[0]).holds:
        return
    count, orders = min(best[0], WIN), best[1]
    goal = Goal(power, True, count)
    kind = _kind(searcher, goal, orders, now)
    if kind not in kinds:
        return
    yield from _accepted(searcher, goal, kind, orders, game, seed)


def _kind(searcher: Searcher, goal: Goal, orders: dict[int, int], now: int) -> str:
    """What it is that orders force, the rarest name that fits."""
    prover, field = searcher.prover, searcher.prover.field
    if goal.count >= WIN > now:
        return "win"
    taken = {parts(code, field.province_of).goal for code in orders.values() if code & 0xFF == OrderKind.MOVE}
    safe = prover.safe(orders)
    gained = safe & taken
    for code in orders.values():
        part = parts(code, field.province_of)
        if part.kind == OrderKind.MOVE and part.via and part.goal in gained:
            return "convoy"
    for place, code in orders.items():
        part = parts(code, field.province_of)
        if part.kind == OrderKind.MOVE and part.goal in field.repliers and part.goal not in gained:
            less = {other: each for other, each in orders.items() if other != place}
            if not prover.judge(less, goal.count).holds:
                return "cut"
    if any(centre in prover.owned and centre in field.repliers for centre in gained):
        return "retake"
    return "capture" if goal.count > now else "keep"


def _accepted(
    searcher: Searcher, goal: Goal, kind: str, orders: dict[int, int], game: str, seed: int
) -> Iterator[Puzzle]:
    """The puzzle, if it is one."""
    position, power = searcher.position, searcher.power
    chooser = policy(position.map, seed)
    searcher.draws = drawn(position, power, chooser, DRAWS)
    share = share_that_solves(searcher, goal.count, MOST_BY_CHANCE)
    if share >= MOST_BY_CHANCE or searcher.tempting(orders, chooser):
        return
    puzzle = Puzzle(
        _identity(game, position, power), kind, game, power, goal, searcher.texts(orders), share, position
    )
    if solves(puzzle, puzzle.solution):
        yield puzzle


def _stop(position: Position, power: str, game: str, seed: int) -> Iterator[Puzzle]:
    """A leader who could win in this Fall, and whom this power alone can prevent."""
    sizes = Counter(owner for owner in position.owners if owner)
    leader, size = sizes.most_common(1)[0] if sizes else ("", 0)
    if leader == power or not WIN - 5 <= size < WIN:
        return
    for against in (ANYBODY, leader):
        goal = Goal(leader, False, WIN - 1, against)
        searcher = Searcher(position, power, goal)
        verdict = searcher.prover.judge({})
        if verdict.holds or not verdict.proved:
            continue
        for plan in [{}, *searcher.plans()]:
            orders, _ = searcher.complete(plan, 1)
            if searcher.prover.judge(orders).holds:
                found = list(_accepted(searcher, goal, "stop", orders, game, seed))
                yield from found
                if found:
                    return
                break


def _retreat(position: Position, power: str, game: str) -> Iterator[Puzzle]:
    """A retreat of a Fall by which more is owned for sure than by most others."""
    if not any(each.unit.power == power and each.retreats for each in position.dislodged):
        return
    sets = list(itertools.islice(choices(position, power), 500))
    sure = [(sure_after_retreats(position, power, each), each) for each in sets]
    count = max(sure)[0]
    share = sum(each[0] == count for each in sure) / len(sure)
    if share >= MOST_BY_CHANCE:
        return
    solution = next(each for value, each in sure if value == count)
    goal = Goal(power, True, count)
    yield Puzzle(_identity(game, position, power), "retreat", game, power, goal, solution, share, position)


def _winter(position: Position, power: str, game: str) -> Iterator[Puzzle]:
    """Builds or removals after which all centres that can be held are held by standing."""
    due = position.adjustments(power)
    if due == 0 or len(position.units_of(power)) + due > 6:
        return
    sets = _adjustments(position, power, abs(due))
    owned = sum(owner == power for owner in position.owners)
    try:
        built = len(list(others_builds(position, power)))
    except ValueError:
        return
    if not 1 < len(sets) <= MOST_ADJUSTMENTS or built > 12:
        return
    for count in (owned, owned - 1):
        good = [each for each in sets if sure_after_winter(position, power, each, count)]
        if good:
            share = len(good) / len(sets)
            if share < MOST_BY_CHANCE and count:
                goal = Goal(power, True, count)
                yield Puzzle(
                    _identity(game, position, power), "build", game, power, goal, good[0], share, position
                )
            return


def _adjustments(position: Position, power: str, due: int) -> list[tuple[str, ...]]:
    """All sets of as many builds or removals as are due."""
    listed = legal_orders(position, power)
    ways = [[order for order in orders if order != "WAIVE"] for orders in listed.values()]
    return [
        chosen
        for places in itertools.combinations(ways, min(due, len(ways)))
        for chosen in itertools.product(*places)
    ]


def make(path: str, quotas: dict[str, int], seed: int, processes: int) -> list[Puzzle]:
    """Puzzles from a file of games until each kind has its quota, or there are no more games."""
    games = sorted(read_games(path), key=lambda game: _mixed(f"{seed} {game.id}"))
    found: dict[str, list[Puzzle]] = {kind: [] for kind in KINDS}
    with ProcessPoolExecutor(processes) as pool:
        for start in range(0, len(games), 8 * processes):
            open_kinds = frozenset(kind for kind in KINDS if len(found[kind]) < quotas.get(kind, 0))
            if not open_kinds:
                break
            some = games[start : start + 8 * processes]
            for puzzles in pool.map(from_game, some, itertools.repeat(open_kinds), itertools.repeat(seed)):
                for puzzle in puzzles:
                    if len(found[puzzle.kind]) < quotas[puzzle.kind]:
                        found[puzzle.kind].append(puzzle)
            counts = ", ".join(f"{kind} {len(found[kind])}" for kind in KINDS)
            print(f"{start + len(some):,} games: {counts}", file=sys.stderr)
    return [puzzle for kind in KINDS for puzzle in found[kind]]


def _mixed(text: str) -> int:
    """A number that depends on a text as if by chance, the same on every machine."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def main() -> int:
    """Read the options, make the puzzles, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", help="saved games, one a line; .gz is fine")
    parser.add_argument("--out", required=True, help="file to write, one puzzle a line")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--quota", action="append", default=[], metavar="KIND=N", help="instead of the usual number")
    options = parser.parse_args()
    quotas = dict(QUOTAS)
    for text in options.quota:
        kind, _, count = text.partition("=")
        if kind not in KINDS or not count.isdigit():
            parser.error(f"--quota {text}: expected KIND=N with a kind of {', '.join(KINDS)}")
        quotas[kind] = int(count)
    try:
        puzzles = make(options.games, quotas, options.seed, options.processes)
    except BordeauxError as error:
        parser.error(str(error))
    target = Path(options.out)
    beside = target.with_name(f".{target.name}.part")
    beside.write_text("".join(json.dumps(each.to_json(), separators=(",", ":")) + "\n" for each in puzzles), "utf-8")
    beside.replace(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
