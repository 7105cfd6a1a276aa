"""Make puzzles from recorded games: ``python tools/make_puzzles.py GAMES --out FILE``.

Games are processed in an order drawn from the seed. Every phase that suits a kind of puzzle is searched for
something to force, until each kind has its quota. A puzzle is kept if all of this holds:

- the goal is proved, and all hold does not force it;
- fewer than half of 200 sets drawn from DumbBot's policy force it (of retreats and adjustments, fewer than
  half of all sets);
- no set drawn gains clearly more on average against DumbBot's policy, which a player might prefer (to win
  or to stop: succeeds clearly more often).

A game gives at most five puzzles of a kind. The same games and seed give the same file. With ``--merge`` the
puzzles of a file stay, and others are added.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

import click

from bordeaux.arena.puzzles import KINDS, Puzzle, others_builds, read_puzzles, sure_after_winter
from bordeaux.board.errors import BordeauxError, FormatError, name_of
from bordeaux.board.position import Position
from bordeaux.cli.options import MOST_SEED, processes_option, whole
from bordeaux.cli.program import Script
from bordeaux.cli.report.output import write_whole
from bordeaux.formats.games import Game, game_from_json
from bordeaux.formats.source import decode, open_source, parse_json
from bordeaux.jobs import available_cores
from bordeaux.rules.adjudication import legal_orders
from bordeaux.search.proof import Goal, TooMany, choices, sure_after_retreats

sys.path.insert(0, str(Path(__file__).resolve().parent))
from puzzle_rare import MOST_BY_CHANCE, RARE, WIN, accepted, identity, kind_of, rare
from puzzle_search import Searcher

QUOTAS = {
    "capture": 110, "keep": 90, "retake": 55, "cut": 50, "convoy": 40,
    "win": 45, "stop": 45, "retreat": 70, "build": 50,
}  # fmt: skip
MOST_PHASES = 5
MOST_OF_A_KIND = 5
LATE = 14
EARLY = 1902
"""Up to this year, one game of six is used."""
AHEAD = 16
SHOWN = 5
MOST_RETREATS = 60
MOST_UNITS = 17
MOST_ADJUSTMENTS = 10
"""The largest number of sets of adjustments, times possible builds of others, of a Winter that is used."""


def from_game(game: Game, kinds: frozenset[str], seed: int) -> list[Puzzle]:
    """Puzzles of some kinds from some of a game's phases, of each kind a few, and at most one from a
    phase."""
    puzzles: list[Puzzle] = []
    for index in _phases(game, kinds, seed):
        name = game.phases[index].name
        counts = Counter(puzzle.kind for puzzle in puzzles)
        wanted = {kind for kind in kinds if counts[kind] < MOST_OF_A_KIND}
        try:
            position = game.position(index)
            for power in _turns(position, seed):
                for puzzle in in_position(position, power, wanted, game.id, seed):
                    puzzles.append(puzzle)
                    wanted.discard(puzzle.kind)
        except BordeauxError as error:
            print(f"{game.id} {name}: {error}", file=sys.stderr)
    return puzzles


def _phases(game: Game, kinds: frozenset[str], seed: int) -> list[int]:
    """The phases to be searched, drawn with the game's name as the seed: some Falls, those in which a power
    is near victory, some retreats of Falls, some Winters."""
    # Every game has its first Falls, and much is to be had in them: they would be most of the puzzles.
    first = 0 if _mixed(f"{seed} {game.id}") % 6 == 0 else EARLY
    places = [i for i, phase in enumerate(game.phases) if phase.name[1:5] > str(first)]
    places.sort(key=lambda i: _mixed(f"{seed} {game.id} {game.phases[i].name}"))
    sorts = {i: game.phases[i].name[:1] + game.phases[i].name[-1:] for i in places}
    late = [i for i in places if sorts[i] == "FM" and _largest(game, i) >= LATE]
    phases = late[:MOST_PHASES]
    if kinds <= {"win", "stop"}:
        return phases
    needed = {"retreat": "FR", "build": "WA"}
    for sort in sorted({needed.get(kind, "FM") for kind in kinds}):
        phases += [i for i in places if sorts[i] == sort and i not in phases][:MOST_PHASES]
    return phases


def _largest(game: Game, index: int) -> int:
    """Centres of the largest power, as recorded."""
    centres = game.phases[index].state.get("centers")
    return max(map(len, centres.values()), default=0) if isinstance(centres, dict) else 0


def _turns(position: Position, seed: int) -> list[str]:
    """The powers, beginning with another one in each phase."""
    powers = list(position.map.powers)
    first = (position.phase.year + seed) % len(powers)
    return powers[first:] + powers[:first]


def in_position(
    position: Position, power: str, kinds: frozenset[str] | set[str], game: str, seed: int
) -> Iterator[Puzzle]:
    """The results that a power can force in a position, as puzzles of these kinds."""
    if position.phase.kind == "R":
        if "retreat" in kinds:
            yield from _retreat(position, power, game)
    elif position.phase.kind == "A":
        if "build" in kinds:
            yield from _winter(position, power, game)
    elif 2 <= len(position.units_of(power)) <= MOST_UNITS:
        rare_ones = list(rare(position, power, kinds & RARE, game, seed))
        yield from rare_ones
        if not rare_ones and kinds & {"capture", "keep"}:
            yield from _own(position, power, kinds, game, seed)


def _own(
    position: Position, power: str, kinds: frozenset[str] | set[str], game: str, seed: int
) -> Iterator[Puzzle]:
    """Own centres to gain or to keep."""
    now = sum(owner == power for owner in position.owners)
    if not now:
        return
    searcher = Searcher(position, power, Goal(power, True, now))
    prover = searcher.prover
    hold = len(prover.safe({}))
    plans = list(searcher.plans())
    best: tuple[int, dict[int, int]] | None = None
    for plan in plans or [{}]:
        count = len(prover.safe(plan)) if plan else hold
        if count < now - 2 or (not plan and (hold >= now or "keep" not in kinds)):
            continue
        orders = plan
        if count <= now:
            orders, count = searcher.complete(plan)
        if best is None or count > best[0]:
            best = count, orders
    if best is not None:
        while prover.judge(best[1], best[0] + 1).holds:
            best = best[0] + 1, best[1]
    if best is None or best[0] < now or prover.judge({}, best[0]).holds:
        return
    count, orders = min(best[0], WIN), best[1]
    goal = Goal(power, True, count)
    kind = kind_of(searcher, goal, orders, now)
    if kind not in kinds:
        return
    yield from accepted(searcher, goal, kind, orders, game, seed)


def _retreat(position: Position, power: str, game: str) -> Iterator[Puzzle]:
    """A retreat of a Fall with more certain centres than most others."""
    if not any(dislodged.unit.power == power and dislodged.retreats for dislodged in position.dislodged):
        return
    sets = list(itertools.islice(choices(position, power), MOST_RETREATS))
    try:
        sure = [(sure_after_retreats(position, power, orders), orders) for orders in sets]
    except TooMany:
        return
    if len(sets) == MOST_RETREATS:
        return
    count = max(sure)[0]
    share = sum(rated[0] == count for rated in sure) / len(sure)
    if share >= MOST_BY_CHANCE:
        return
    solution = next(orders for value, orders in sure if value == count)
    goal = Goal(power, True, count)
    yield Puzzle(
        identity("retreat", game, position, power), "retreat", game, power, goal, solution, share, position
    )


def _winter(position: Position, power: str, game: str) -> Iterator[Puzzle]:
    """Builds or removals after which all centres that can be kept are kept by holding."""
    due = position.adjustments(power)
    if due == 0 or len(position.units_of(power)) + due > 5:
        return
    sets = _adjustments(position, power, abs(due))
    owned = sum(owner == power for owner in position.owners)
    try:
        built = len(list(others_builds(position, power)))
    except TooMany:
        return
    if len(sets) < 2 or len(sets) * built > MOST_ADJUSTMENTS:
        return
    good = [orders for orders in sets if sure_after_winter(position, power, orders, owned)]
    share = len(good) / len(sets)
    if 0 < share < MOST_BY_CHANCE:
        name = identity("build", game, position, power)
        yield Puzzle(name, "build", game, power, Goal(power, True, owned), good[0], share, position)


def _adjustments(position: Position, power: str, due: int) -> list[tuple[str, ...]]:
    """All sets of as many builds or removals as are due."""
    listed = legal_orders(position, power)
    ways = [[order for order in orders if order != "WAIVE"] for orders in listed.values()]
    return [
        chosen
        for places in itertools.combinations(ways, min(due, len(ways)))
        for chosen in itertools.product(*places)
    ]


def make(
    games: Iterator[Game], quotas: dict[str, int], seed: int, processes: int, merged: Iterable[Puzzle] = ()
) -> Iterator[list[Puzzle]]:
    """Puzzles from games, beside those merged, until each kind has its quota, or there are no more games;
    yields the puzzles so far repeatedly, and at the end. There is at most one more of each power in a phase
    of a game."""
    by_kind: dict[str, list[Puzzle]] = {kind: [] for kind in KINDS}
    known = set()
    for puzzle in merged:
        by_kind[puzzle.kind].append(puzzle)
        known.add((puzzle.game, puzzle.phase, puzzle.power))
    waiting: deque[Future[list[Puzzle]]] = deque()
    with ProcessPoolExecutor(processes) as pool:
        for number in itertools.count(1):
            # So many are under way that the answers, which are taken in order, keep nobody waiting.
            while len(waiting) < AHEAD:
                wanted = frozenset(kind for kind in KINDS if len(by_kind[kind]) < quotas.get(kind, 0))
                game = next(games, None) if wanted else None
                if game is None:
                    break
                waiting.append(pool.submit(from_game, game, wanted, seed))
            if not waiting:
                break
            for puzzle in waiting.popleft().result():
                key = (puzzle.game, puzzle.phase, puzzle.power)
                if len(by_kind[puzzle.kind]) < quotas[puzzle.kind] and key not in known:
                    known.add(key)
                    by_kind[puzzle.kind].append(puzzle)
            if number % SHOWN == 0 or not waiting:
                counts = ", ".join(f"{kind} {len(by_kind[kind])}" for kind in KINDS)
                print(f"{number:,} games: {counts}", file=sys.stderr, flush=True)
                yield [puzzle for kind in KINDS for puzzle in by_kind[kind]]
    yield [puzzle for kind in KINDS for puzzle in by_kind[kind]]


def read_shuffled(path: str, seed: int) -> Iterator[Game]:
    """The games of a file with one a line, in random order by the seed; only the requested ones are parsed.
    Raises FormatError."""
    with open_source(path) as handle:
        lines = [(number, line) for number, line in enumerate(handle, 1) if line.strip()]
    lines.sort(key=lambda line: _mixed(f"{seed} {line[1][:60]!r}"))
    for number, line in lines:
        try:
            yield game_from_json(parse_json(decode(line)))
        except BordeauxError as error:
            raise FormatError(f"{name_of(path)}, line {number}: {error}") from None


def _mixed(text: str) -> int:
    """A pseudo-random number from a text, the same on every machine."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


@click.command(cls=Script)
@click.argument("games", metavar="GAMES")
@click.option("--out", type=Path, required=True, metavar="FILE", help="File to write, one puzzle a line.")
@click.option("--merge", metavar="FILE", help="Puzzles to keep and add to; they count towards the quotas.")
@click.option("--seed", type=whole(0, MOST_SEED), default=0, metavar="N", help="The chance of everything.")
@click.option("--most", type=whole(1, 10**9), metavar="N", help="So many games at most.")
@processes_option("Processes that search, a game each.  [default: one a core]")
@click.option(
    "--quota", multiple=True, metavar="KIND=N", help="Instead of the usual number; may be repeated."
)
def main(
    games: str,
    out: Path,
    merge: str | None,
    seed: int,
    most: int | None,
    processes: int | None,
    quota: tuple[str, ...],
) -> None:
    """Make puzzles out of the saved games of a file GAMES."""
    quotas = dict(QUOTAS)
    for text in quota:
        kind, _, count = text.partition("=")
        if kind not in KINDS or not count.isdigit():
            raise click.BadParameter(f"{text}: expected KIND=N with a kind of {', '.join(KINDS)}")
        quotas[kind] = int(count)
    some = itertools.islice(read_shuffled(games, seed), most)
    merged = read_puzzles(merge) if merge else []
    for puzzles in make(some, quotas, seed, processes or available_cores(), merged):
        lines = [json.dumps(puzzle.to_json(), separators=(",", ":")) + "\n" for puzzle in puzzles]
        write_whole(out, "".join(lines))


if __name__ == "__main__":
    main()
