"""Records of games of self-play: every phase, every order, in arrays of a fixed layout.

A *shard* is the output of one run of the core: G games with P phases in all, game after game. Numbers of
powers, centres, locations and units are those of the map (`bordeaux.board.code`, `Packed`). Derived data
are not kept: the final position of a game results from adjudicating its last phase.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bordeaux._ext.learn.recorded import Recorded
from bordeaux._ext.rules.packed import Packed
from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.formats.source import read_arrays
from bordeaux.formats.whole_files import write_arrays

FORMAT = 1
"""Number of the layout; a file of another one is refused."""
KIND = "selfplay"
ONE, POWERS, CENTRES = "one", "powers", "centres"
LAYOUT = {
    "game_phases": ("<u2", ONE),
    "seats": ("u1", POWERS),
    "shares": ("<f4", POWERS),
    "centres": ("u1", POWERS),
    "winner": ("i1", ONE),
    "seeds": ("<u8", ONE),
    "year": ("<i2", ONE),
    "season": ("u1", ONE),
    "kind": ("u1", ONE),
    "n_units": ("u1", ONE),
    "n_dislodged": ("u1", ONE),
    "owners": ("u1", CENTRES),
    "n_orders": ("u1", POWERS),
    "gains": ("<f4", POWERS),
    "values": ("<f4", POWERS),
    "units": ("<u2", ONE),
    "dislodged": ("<u2", ONE),
    "retreats": ("<u4", ONE),
    "orders": ("<u8", ONE),
}
"""The type of each array's numbers, and the meaning of its rows."""
ATTRIBUTES = {"orders": "codes"}
"""The names of a `Shard`'s attributes that differ from the arrays' names; `Shard.orders` gives those of one
phase."""


def checked_header(header: Mapping[str, Any]) -> Map:
    """The map that a header names. Raises BordeauxError."""
    if not isinstance(header, Mapping):
        raise BordeauxError("header: no JSON object")
    if header.get("format") != FORMAT or header.get("kind") != KIND:
        given = f"format {quote(header.get('format'))}, kind {quote(header.get('kind'))}"
        raise BordeauxError(f"header: {given}; only format {FORMAT} of kind {KIND} can be read")
    for name in ("generation", "seed"):
        value = header.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise BordeauxError(f"header: {name} is {quote(value)}, not a number from 0")
    minds = header.get("minds")
    if not isinstance(minds, list) or not minds or not all(isinstance(mind, str) for mind in minds):
        raise BordeauxError("header: minds are no list of names")
    if not isinstance(header.get("options"), Mapping):
        raise BordeauxError("header: options are no JSON object")
    if not isinstance(header.get("map"), str):
        raise BordeauxError(f"header: map is {quote(header.get('map'))}, not a name")
    try:
        return Map.load(header["map"])
    except BordeauxError as error:
        raise BordeauxError(f"header: {error}") from None


def width(of: str, map: Map) -> int:
    """The number of values in a row of an array, for an entry of `LAYOUT`."""
    return {ONE: 1, POWERS: len(map.powers), CENTRES: len(map.centres)}[of]


def check_names(given: Mapping[str, object]) -> None:
    """Check for missing or unknown arrays. Raises BordeauxError with the array."""
    for name in LAYOUT:
        if name not in given:
            raise BordeauxError(f"{name}: missing")
    for name in given:
        if name not in LAYOUT:
            raise BordeauxError(f"{quote(name)}: no such array in format {FORMAT}")


def _check_shape(name: str, array: object, map: Map) -> None:
    dtype, of = LAYOUT[name]
    if not isinstance(array, np.ndarray) or array.dtype != np.dtype(dtype):
        raise BordeauxError(f"{name}: {quote(getattr(array, 'dtype', type(array).__name__))}, not {dtype}")
    row = () if of == ONE else (width(of, map),)
    if array.ndim != len(row) + 1 or array.shape[1:] != row or not array.flags.c_contiguous:
        raise BordeauxError(f"{name}: shape {array.shape}, where rows are of {width(of, map)}")


Notice = Callable[[str], None]
"""Called with one line about each file that is skipped."""

LARGEST_SHARD = 1 << 30
"""Most bytes of a shard."""


def make_header(
    map: str, generation: int, seed: int, minds: list[str], options: Mapping[str, Any]
) -> dict[str, Any]:
    """The header of a shard: the `generation` (from 0) that played it, on which bundled `map`, from which
    `seed`; the names of its `minds`, in the order in which `seats` numbers them; and the `options` of
    play."""
    return {
        "format": FORMAT,
        "kind": KIND,
        "map": map,
        "generation": generation,
        "seed": seed,
        "minds": minds,
        "options": dict(options),
    }


@dataclass(frozen=True, eq=False, repr=False)
class Shard:
    """Games as recorded. All arrays are read-only.

    Of games: `game_phases` <u2 [G] recorded phases, at least 1; `seats` u1 [G, powers] the header's mind that
    plays each power; `shares` <f4 [G, powers] final share, 0 to 1; `centres` u1 [G, powers] centres at the
    end; `winner` i1 [G] power with a solo, -1 for none; `seeds` <u8 [G].

    Of phases: `year` <i2 [P]; `season` u1 [P] 0 Spring, 1 Fall, 2 Winter; `kind` u1 [P] 0 movement, 1
    retreats, 2 adjustments; `n_units`, `n_dislodged` u1 [P]; `owners` u1 [P, centres] owner of each centre in
    the order of the map, 255 for none; `n_orders` u1 [P, powers]; `gains` <f4 [P, powers] gain of the best
    response over the mean draw, and `values` <f4 [P, powers] its value, both in units of the value net, NaN
    without a response; the value also if there was one set to play.

    In sequence: `units` and `dislodged` <u2 tokens, in each phase by province; `retreats` <u4 for each
    dislodged unit the bits of its possible retreats; `codes` <u8 of the orders (``orders`` in files), phase
    after phase, power after power. Units without an order hold or disband, builds without one are waived.

    Raises BordeauxError with the array if one has a wrong type or length, or a number of what is not there.
    """

    header: dict[str, Any]
    game_phases: NDArray[np.uint16]
    seats: NDArray[np.uint8]
    shares: NDArray[np.float32]
    centres: NDArray[np.uint8]
    winner: NDArray[np.int8]
    seeds: NDArray[np.uint64]
    year: NDArray[np.int16]
    season: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    n_units: NDArray[np.uint8]
    n_dislodged: NDArray[np.uint8]
    owners: NDArray[np.uint8]
    n_orders: NDArray[np.uint8]
    gains: NDArray[np.float32]
    values: NDArray[np.float32]
    units: NDArray[np.uint16]
    dislodged: NDArray[np.uint16]
    retreats: NDArray[np.uint32]
    codes: NDArray[np.uint64]
    map: Map = field(init=False)
    recorded: Recorded = field(init=False)
    """The same for the core."""
    _first: dict[str, NDArray[np.int64]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "map", checked_header(self.header))
        for name, array in self.arrays().items():
            _check_shape(name, array, self.map)
            array.flags.writeable = False
        for name in ("seats", "centres", "seeds"):
            if len(self.arrays()[name]) != self.n_games:
                raise BordeauxError(f"{name}: {len(self.arrays()[name])} rows for {self.n_games} games")
        if (self.seats >= len(self.header["minds"])).any():
            raise BordeauxError("seats: there is a mind that the header does not name")
        columns = {name: array.tobytes() for name, array in self.arrays().items()}
        try:
            object.__setattr__(self, "recorded", Recorded(self.map.tables, columns))
        except ValueError as error:
            raise BordeauxError(str(error)) from None
        counts: dict[str, NDArray[Any]] = {"games": self.game_phases, "orders": self.n_orders.ravel()}
        first = {name: np.concatenate([[0], np.cumsum(n, dtype=np.int64)]) for name, n in counts.items()}
        object.__setattr__(self, "_first", first)

    @classmethod
    def of(cls, header: Mapping[str, Any], raw: Mapping[str, bytes]) -> Shard:
        """The shard from the result of `SelfPlay.play`, the bytes of each array by its name. Raises
        BordeauxError with the array."""
        map = checked_header(header)
        check_names(raw)
        arrays = {}
        for name, (dtype, of) in LAYOUT.items():
            row = width(of, map)
            size = np.dtype(dtype).itemsize * row
            if len(raw[name]) % size:
                raise BordeauxError(f"{name}: {len(raw[name])} bytes are no whole number of rows of {size}")
            array = np.frombuffer(raw[name], dtype)
            arrays[name] = array if of == ONE else array.reshape(-1, row)
        return cls(dict(header), **{ATTRIBUTES.get(name, name): array for name, array in arrays.items()})

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by the names of `LAYOUT`."""
        return {name: getattr(self, ATTRIBUTES.get(name, name)) for name in LAYOUT}

    def __eq__(self, other: object) -> bool:
        """Whether all arrays are the same, bit for bit."""
        if not isinstance(other, Shard):
            return NotImplemented
        mine, its = self.arrays(), other.arrays()
        return self.header == other.header and all(
            mine[name].tobytes() == its[name].tobytes() for name in mine
        )

    @property
    def n_games(self) -> int:
        """The number of games."""
        return len(self.game_phases)

    @property
    def n_phases(self) -> int:
        """The number of phases of all games together."""
        return len(self.year)

    def packed(self, phase: int) -> Packed:
        """The position at the beginning of a phase, 0 <= `phase` < `n_phases`. Raises IndexError for another
        number."""
        return self.recorded.packed(phase)

    def orders(self, phase: int) -> dict[int, bytes]:
        """The orders of a phase, as sets of codes by number of the power; powers without orders are left out.
        Raises IndexError."""
        if not 0 <= phase < self.n_phases:
            raise IndexError(f"no phase {phase} of {self.n_phases}")
        powers = len(self.map.powers)
        first = self._first["orders"][phase * powers : (phase + 1) * powers + 1].tolist()
        return {
            power: self.codes[first[power] : first[power + 1]].tobytes()
            for power in range(powers)
            if first[power] < first[power + 1]
        }

    def identity(self, game: int) -> str:
        """The id of a game, unlike that of any other."""
        return f"selfplay-{self.header['generation']:04}-{int(self.seeds[game]):016x}-{game}"

    def phases_of(self, game: int) -> range:
        """The phases of a game, 0 <= `game` < `n_games`. Raises IndexError."""
        if not 0 <= game < self.n_games:
            raise IndexError(f"no game {game} of {self.n_games}")
        return range(int(self._first["games"][game]), int(self._first["games"][game + 1]))


def write_shard(path: str | Path, shard: Shard) -> None:
    """Write a shard as a compressed npz file, atomically. Raises OSError."""
    write_arrays(path, shard.header, shard.arrays())


def read_shard(path: str | Path) -> Shard:
    """The shard in a file. Raises BordeauxError, with the file in one line, for a damaged or incomplete file
    or another format, and OSError if the file cannot be read."""
    try:
        arrays = read_arrays(path, LARGEST_SHARD)
    except ValueError as error:
        raise BordeauxError(f"{path} is damaged, half written or no shard: {error}") from None
    try:
        header = _header_in(arrays.pop("header", None))
        check_names(arrays)
        return Shard(header, **{ATTRIBUTES.get(name, name): array for name, array in arrays.items()})
    except BordeauxError as error:
        raise BordeauxError(f"{path}: {error}") from None


def _header_in(array: NDArray[Any] | None) -> dict[str, Any]:
    if array is None or array.dtype != np.uint8:
        raise BordeauxError("header: missing, or no bytes of text")
    try:
        header = json.loads(array.tobytes())
    except (ValueError, RecursionError) as error:
        raise BordeauxError(f"header: no JSON ({error})") from None
    if not isinstance(header, dict):
        raise BordeauxError("header: no JSON object")
    return header


GENERATION = re.compile(r"generation-(\d{4,9})")


def shards_below(folder: Path) -> list[Path]:
    """The files of shards below a folder, by name. Raises BordeauxError if there are none."""
    paths = sorted(folder.rglob("shard-*.npz"))
    if not paths:
        raise BordeauxError(f"{folder} holds no shards of self-play")
    return paths


def recent(folder: Path, generations: int) -> dict[int, list[Path]]:
    """The shards of the last `generations` (at least 1) in a folder tree of files like
    ``generation-0001/games/shard-00000.npz``, by generation, the oldest first. A generation without such
    files does not count as one. Raises OSError if the folder cannot be read."""
    by_generation = {}
    for place in folder.iterdir():
        match = GENERATION.fullmatch(place.name)
        files = sorted(place.glob("games/shard-*.npz")) if match else []
        if match and files:
            by_generation[int(match[1])] = files
    return {generation: by_generation[generation] for generation in sorted(by_generation)[-generations:]}
