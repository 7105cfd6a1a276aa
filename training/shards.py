"""Games as arrays: the input of every power, its possible orders, and its actual orders.

A *sample* is a power in a phase. A *choice* is a unit to be ordered, with its options one after the other.
In Winter a power makes several choices, each among the options left by its earlier ones. In movement phases
all powers with units are samples, as the predictions for them are inputs of the others. Those that sent
nothing have no labels.

Games are processed in blocks, each saved in a file of its own, so that an interrupted run continues. The
arrays are counts and small numbers in sequence; `Shards` computes offsets from their sums.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bordeaux._ext.net.facts import Facts
from bordeaux._ext.net.memory import Memory
from bordeaux.board.code import as_bytes, codes_in, fields_of
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.cli.report.output import write_whole
from bordeaux.formats.games import Game, read_games
from bordeaux.formats.whole_files import whole
from bordeaux.jobs.pool import run
from bordeaux.search.sets import in_full
from training.league.records import Shard, read_shard, shards_below
from training.split import part_of, played_phases


class Lesson(NamedTuple):
    """A phase that was played: its `position`, the sets of powers by number (bytes of codes), and the powers
    whose sets are `learnt`. Units without an order hold or disband."""

    position: Position
    orders: dict[int, bytes]
    learnt: Collection[int]


class SourceGame(NamedTuple):
    """A game: its id, which decides its part (`training.split`), and its phases, read when they are asked
    for."""

    id: str
    phases: Iterator[Lesson]


def games_in(source: str | Path, map: Map) -> Iterator[SourceGame]:
    """The games of a file of saved games, or of a folder with shards of self-play below (`training.league`),
    by name.

    Games of other maps have no phases. Of saved games all sets that were sent are learnt, of self-play best
    responses only: other seats have older policies or DumbBot. Raises FormatError for a file without games,
    and BordeauxError for a folder without shards, or with one that cannot be read.
    """
    if not Path(source).is_dir():
        for game in read_games(source):
            yield SourceGame(game.id, _saved(game, map) if game.map == map.name else iter(()))
        return
    for path in shards_below(Path(source)):
        shard = read_shard(path)
        for number in range(shard.n_games):
            phases = _recorded(shard, number) if shard.map is map else iter(())
            yield SourceGame(shard.identity(number), phases)


def size_of(source: str | Path) -> int:
    """The bytes of the games of a source. Raises OSError, and BordeauxError for a folder without shards."""
    paths = shards_below(Path(source)) if Path(source).is_dir() else [Path(source)]
    return sum(path.stat().st_size for path in paths)


def _saved(game: Game, map: Map) -> Iterator[Lesson]:
    for position, orders in played_phases(game, map):
        yield Lesson(position, orders, orders.keys())


def _recorded(shard: Shard, number: int) -> Iterator[Lesson]:
    for phase in shard.phases_of(number):
        position = Position.from_packed(shard.map, shard.packed(phase))
        # A gain is recorded where several sets were compared.
        learnt = np.flatnonzero(np.isfinite(shard.gains[phase])).tolist()
        yield Lesson(position, shard.orders(phase), learnt)


NODE_ROWS, POWER_ROWS = 12, 6
"""Rows of the input table for each province and for each power."""

OPTION = np.dtype(
    [
        ("code", "<u8"),
        ("unit", "u1"),
        ("again", "u1"),
        ("row", "<u2"),
        ("kind", "u1"),
        ("source", "u1"),
        ("goal", "u1"),
        ("other", "u1"),
        ("pattern", "<u4", (3,)),
    ]
)
"""An option as the core gives it (`bordeaux._ext.net.facts`)."""

HOLD, DISBAND, WAIVE = 0, 10, 14
"""Kinds of options that stand for no order."""

MOVEMENT, RETREAT, WINTER = range(3)
"""Kinds of phases."""

BLOCK = 50
"""Games in a file of arrays."""

LAYOUT = 4


class Labels(NamedTuple):
    """One choice: its options, the taken one, -1 if unknown, and whether it was ordered: a unit without an
    order holds or disbands."""

    options: NDArray[Any]
    label: int
    ordered: bool


def make_shards(
    games: str | Path, out: str | Path, *, limit: int | None = None, processes: int = 2, block: int = BLOCK
) -> Path:
    """Turn the first `limit` games of a file or of a folder of self-play (all, if None) into arrays in the
    folder `out`, `block` games in a file, and return it. The targets are the actual orders
    (`training.shards`).

    Existing blocks are kept. Raises FormatError for a file without games, OSError if the folder cannot be
    written, and BordeauxError if it holds the arrays of other games, and for unreadable shards.
    """
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    facts = Facts(Map.standard().tables)
    made_of = {
        "layout": LAYOUT,
        "games": Path(games).name,
        "size": size_of(games),
        "limit": limit,
        "rows": facts.n_rows,
    }
    note = folder / "shards.json"
    if not note.exists():
        write_whole(note, json.dumps(made_of))
    elif json.loads(note.read_text()) != made_of:
        raise BordeauxError(f"{folder} holds arrays of other games; name another folder, or remove it")
    # Every worker reads the file for itself: games take longer to be sent than to be read.
    shares = [(str(games), folder, limit, block, worker, processes) for worker in range(processes)]
    for outcome in run(_blocks, shares, processes=processes):
        outcome.result()
    return folder


def _blocks(task: tuple[str, Path, int | None, int, int, int]) -> None:
    """Write a worker's share of the missing blocks."""
    games, folder, limit, size, worker, workers = task
    listed = itertools.islice(games_in(games, Map.standard()), limit)
    for number in itertools.count():
        block = itertools.islice(listed, size)
        path = folder / f"block-{number:04}.npz"
        first = next(block, None)
        if first is None:
            return
        if number % workers != worker or path.exists():
            for _ in block:
                pass
            continue
        _block(path, number * size, itertools.chain([first], block))


def _block(path: Path, first: int, games: Iterable[SourceGame]) -> None:
    writer = _Writer(Map.standard())
    for number, game in enumerate(games, first):
        writer.add(game, number)
    with whole(path) as part, part.open("wb") as handle:
        np.savez(handle, allow_pickle=False, **writer.arrays())


class _Writer:
    """Collects the arrays of some games."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self.facts = Facts(map.tables)
        self.province = np.array([location.province for location in map.locations])
        self.phases: list[tuple[int, ...]] = []
        self.samples: list[tuple[int, ...]] = []
        self.choices: list[tuple[int, int, bool]] = []
        self.rows: list[bytes] = []
        self.options: list[NDArray[Any]] = []

    def add(self, game: SourceGame, number: int) -> None:
        part = part_of(game.id)
        last: list[tuple[int, bytes]] = []
        before: list[tuple[int, bytes]] = []
        for position, orders, learnt in game.phases:
            packed = position.packed
            memory = Memory(self.map.tables, packed, last, before) if last else None
            kind = packed.phase[2]
            if kind > WINTER:
                continue
            n_samples = 0
            full: list[tuple[int, bytes]] = []
            for power, name in enumerate(self.map.powers):
                given = orders.get(power, b"") if power in learnt else None
                if kind == MOVEMENT:
                    if not position.units_of(name):
                        continue
                    ordered = as_bytes(list(in_full(position, name, orders.get(power, b"")).values()))
                    full.append((power, ordered))
                elif given is None:
                    continue
                options = np.frombuffer(self.facts.options(packed, power, memory), OPTION)
                choices = list(
                    labelled(options, kind, given, packed.due(power) if kind == WINTER else 0, self.province)
                )
                if not choices:
                    continue
                n_samples += 1
                self.samples.append((power, given is not None, len(choices)))
                self.rows.append(self.facts.seen(packed, power, memory))
                for choice in choices:
                    self.choices.append((len(choice.options), choice.label, choice.ordered))
                    self.options.append(choice.options)
            if n_samples:
                self.phases.append((number, part, kind, packed.phase[0], packed.phase[1], n_samples))
            if kind == MOVEMENT:
                last, before = full, last

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays so far; `Shards` describes them."""
        width = len(self.map.provinces) * NODE_ROWS + POWER_ROWS
        phases = np.array(self.phases, np.int32).reshape(-1, 6)
        samples = np.array(self.samples, np.uint8).reshape(-1, 3)
        choices = np.array(self.choices, np.int16).reshape(-1, 3)
        options = np.concatenate(self.options) if self.options else np.empty(0, OPTION)
        return {
            "phases": phases,
            "samples": samples,
            "choices": choices,
            "rows": np.frombuffer(b"".join(self.rows), "<u2").reshape(-1, width),
            "order": options["row"],
            "pattern": options["pattern"],
            "option": np.stack(
                [options[name] for name in ("kind", "source", "goal", "other", "again")], axis=1
            ),
        }


def labelled(
    options: NDArray[Any], kind: int, given: bytes | None, due: int, province: NDArray[np.int64]
) -> Iterator[Labels]:
    """The choices of a power in a phase, and its decisions by the codes of its orders.

    If `given` is None its orders are unknown. `due` are the builds of a Winter, removals if negative. A
    forced retreat or removal is not a choice. `province` has the province of each location.
    """
    codes = codes_in(given) if given is not None else ()
    if kind == WINTER:
        yield from _winter(options, codes, due, province)
        return
    none_given = HOLD if kind == MOVEMENT else DISBAND
    ends = np.flatnonzero(np.diff(options["unit"].astype(int), append=-1)) + 1
    for start, end in itertools.pairwise([0, *ends.tolist()] if len(options) else []):
        own = options[start:end]
        label, ordered = -1, False
        if given is not None:
            label = next((index for code in codes if (index := _find(own, code, province)) >= 0), -1)
            ordered = label >= 0
            if not ordered:
                label = int(np.flatnonzero(own["kind"] == none_given)[0])
        if kind == MOVEMENT or len(own) > 1:
            yield Labels(own, label, ordered)


def _winter(
    options: NDArray[Any], codes: Iterable[int], due: int, province: NDArray[np.int64]
) -> Iterator[Labels]:
    """Builds or removals one after the other, each from the remaining options; missing builds are waived."""
    made = [
        index
        for code in codes
        if (index := _find(options, code, province)) >= 0 and options["kind"][index] != WAIVE
    ]
    waives = np.flatnonzero(options["kind"] == WAIVE).tolist()
    made = made[: abs(due)]
    made += waives * (due - len(made))
    left = np.arange(len(options))
    for taken in made:
        place = int(np.searchsorted(left, taken))
        if place == len(left) or left[place] != taken:
            continue
        if len(left) > 1:
            yield Labels(options[left], place, True)
        if options["kind"][taken] != WAIVE:
            gone = (options["source"][left] == options["source"][taken]) & (options["kind"][left] != WAIVE)
            left = left[~gone]


def _find(options: NDArray[Any], code: int, province: NDArray[np.int64]) -> int:
    """The index of an order among options; -1 if there is none.

    If the exact order is not there, it is looked for with or without VIA, then by its provinces: programs
    differ in whether a support of a fleet's move names the coast. `province` has the province of each
    location.
    """
    fields = fields_of(options["code"].copy())
    given = fields_of([code])[0]
    same = (fields["kind"] == given["kind"]) & (fields["unit"] == given["unit"])
    places = [name for name in ("target", "destination") if given[name]]
    exact = np.all([fields[name] == given[name] for name in ("target", "destination")], axis=0)
    near = (
        np.all([province[fields[name]] == province[given[name]] for name in places], axis=0)
        if places
        else exact
    )
    for which in (options["code"] == np.uint64(code), same & exact, same & near):
        matches = np.flatnonzero(which)
        if len(matches):
            return int(matches[0])
    return -1


class Shards:
    """The arrays of all games, one after the other.

    `phases` int32 [P, 6]: game, part (`training.split`), kind, year, season (0 Spring, 1 Fall, 2 Winter),
    samples. `samples` uint8 [S, 3]: power, whether its orders are known, choices. `rows` uint16 [S, n * 12 +
    6]: the facts. `choices` int16 [C, 3]: options, the number of the one that was taken, -1 if not known, and
    whether it was ordered. `order` uint16 [O], `pattern` uint32 [O, 3]: rows of the tables of orders and of
    patterns. `option` uint8 [O, 5]: kind, source, goal, other, and its relation to the unit's last order: the
    same (1), the way back (2) or neither (0). `first_sample` [P + 1], `first_choice` [S + 1], `first_option`
    [C + 1] are the offsets.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.phases = arrays["phases"]
        self.samples = arrays["samples"]
        self.choices = arrays["choices"]
        self.rows = arrays["rows"]
        self.order = arrays["order"]
        self.pattern = arrays["pattern"]
        self.option = arrays["option"]
        self.first_sample = _sums(self.phases[:, 5])
        self.first_choice = _sums(self.samples[:, 2])
        self.first_option = _sums(self.choices[:, 0])

    def phases_of(self, part: int) -> NDArray[np.int64]:
        """The numbers of the phases of a part."""
        return np.flatnonzero(self.phases[:, 1] == part)


def _sums(counts: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def load_shards(folder: str | Path) -> Shards:
    """The arrays in a folder of `make_shards`. Raises BordeauxError if there are none."""
    paths = sorted(Path(folder).glob("block-*.npz"))
    if not paths:
        raise BordeauxError(f"{folder} holds no arrays of games")
    blocks = []
    for path in paths:
        with np.load(path, allow_pickle=False) as file:
            blocks.append({name: file[name] for name in file.files})
    return Shards({name: np.concatenate([block.pop(name) for block in blocks]) for name in list(blocks[0])})
