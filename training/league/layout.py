"""The layout of records of games: the arrays, and the checks that reject any other layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bordeaux.board.code import FIELDS
from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind

if TYPE_CHECKING:
    from training.league.records import Shard

__all__ = [
    "ATTRIBUTES",
    "FORMAT",
    "KIND",
    "LAYOUT",
    "ONE",
    "check",
    "check_names",
    "check_shapes",
    "checked_header",
    "width",
]

FORMAT = 1
"""Number of the layout; a file of another one is refused."""
KIND = "selfplay"
NOBODY = 255
POWER_SHIFT, LOCATION = 10, 0x3FF
"""A token is ``(power + 1) << POWER_SHIFT | location``."""
ROUNDING = 1e-3
"""The error of a share that was computed in single precision, outside its range."""
WINTER = 2
MOVEMENT, RETREATS, ADJUSTMENTS = range(3)

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
OF_GAMES = ("game_phases", "seats", "shares", "centres", "winner", "seeds")
OF_PHASES = ("year", "season", "kind", "n_units", "n_dislodged", "owners", "n_orders", "gains", "values")


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


def _check_lengths(shard: Shard) -> None:
    arrays = shard.arrays()
    sums = {
        "year": ("game_phases", int(shard.game_phases.sum(dtype=np.int64))),
        "units": ("n_units", int(shard.n_units.sum(dtype=np.int64))),
        "dislodged": ("n_dislodged", int(shard.n_dislodged.sum(dtype=np.int64))),
        "retreats": ("n_dislodged", int(shard.n_dislodged.sum(dtype=np.int64))),
        "orders": ("n_orders", int(shard.n_orders.sum(dtype=np.int64))),
    }
    for names, what in ((OF_GAMES, "games"), (OF_PHASES, "phases")):
        wanted = len(arrays[names[0]])
        for name in names:
            if len(arrays[name]) != wanted:
                raise BordeauxError(f"{name}: {len(arrays[name])} rows for {wanted} {what}")
    for name, (counted, total) in sums.items():
        if len(arrays[name]) != total:
            raise BordeauxError(f"{name}: {len(arrays[name])} rows, where {counted} comes to {total}")


def _check(name: str, right: NDArray[np.bool_], what: str) -> None:
    """Check an array by rows; the error gives the number of the first wrong row."""
    if not right.all():
        row = int(np.argwhere(~right)[0][0])
        raise BordeauxError(f"{name}: row {row} {what}")


def check(shard: Shard) -> None:
    """Check games for impossible values. Raises BordeauxError with the array. The types and lengths of arrays
    have been checked (`check_shapes`)."""
    _check_games(shard)
    _check_phases(shard)
    _check_orders(shard)


def check_shapes(shard: Shard) -> None:
    """Check the types, shapes and lengths of arrays. Raises BordeauxError with the array."""
    for name, array in shard.arrays().items():
        _check_shape(name, array, shard.map)
    _check_lengths(shard)


def _check_games(shard: Shard) -> None:
    powers = len(shard.map.powers)
    _check("game_phases", shard.game_phases > 0, "is a game without phases")
    _check("seats", shard.seats < len(shard.header["minds"]), "has a mind that the header does not name")
    # Comparisons with NaN are false, so that it is refused.
    _check("shares", _within(shard.shares, 0, 1), "has a share outside 0 to 1")
    owned = shard.centres.sum(1, dtype=np.int64)
    _check("centres", owned <= len(shard.map.centres), "has more centres than the map")
    _check("winner", (shard.winner >= -1) & (shard.winner < powers), "has no power")


def _within(values: NDArray[np.float32], low: float, high: float) -> NDArray[np.bool_]:
    return (values >= low - ROUNDING) & (values <= high + ROUNDING)


def _check_phases(shard: Shard) -> None:
    map = shard.map
    _check("year", (shard.year >= 0) & (shard.year <= 9999), "is no year")
    _check("season", shard.season <= WINTER, "is no season")
    _check("kind", shard.kind <= ADJUSTMENTS, "is no kind of phase")
    _check("kind", (shard.kind == ADJUSTMENTS) == (shard.season == WINTER), "does not fit the season")
    driven = (shard.n_dislodged == 0) | (shard.kind == RETREATS)
    _check("n_dislodged", driven, "has dislodged units outside a retreat phase")
    owned = (shard.owners < len(map.powers)) | (shard.owners == NOBODY)
    _check("owners", owned, "has an owner that is no power")
    _check("gains", ~np.isinf(shard.gains), "has an infinite gain")
    _check("values", ~np.isinf(shard.values), "has an infinite value")
    _check("values", np.isnan(shard.values) | ~np.isnan(shard.gains), "has a value without a gain")
    province = np.array([location.province for location in map.locations])
    ways = np.array(
        [len(map.adjacent(location.kind, location.name)) for location in map.locations], np.uint64
    )
    known = np.zeros(1 << 16, bool)
    known[list(map.units_by_token)] = True
    for name, counts in (("units", shard.n_units), ("dislodged", shard.n_dislodged)):
        tokens = getattr(shard, name)
        _check(name, known[tokens], "is no unit")
        phase = np.repeat(np.arange(shard.n_phases), counts)
        rank = phase * len(map.provinces) + province[tokens & LOCATION]
        rising = np.diff(rank, prepend=-1) > 0
        _check(name, rising, "is of a province that does not follow the one before")
    open_ways = shard.retreats.astype(np.uint64) >> ways[shard.dislodged & LOCATION] == 0
    _check("retreats", open_ways, "names a neighbour that there is not")


KINDS_OF_PHASE = {
    MOVEMENT: (
        OrderKind.HOLD,
        OrderKind.MOVE,
        OrderKind.SUPPORT_HOLD,
        OrderKind.SUPPORT_MOVE,
        OrderKind.CONVOY,
    ),
    RETREATS: (OrderKind.RETREAT, OrderKind.DISBAND),
    ADJUSTMENTS: (OrderKind.DISBAND, OrderKind.BUILD, OrderKind.WAIVE),
}


def _check_orders(shard: Shard) -> None:
    """Check that every order is of a kind of its phase, for an existing unit of the power, and on the map.
    Legality is not checked."""
    map, codes = shard.map, shard.codes.view(FIELDS)
    powers = len(map.powers)
    sender = np.repeat(np.arange(shard.n_phases * powers), shard.n_orders.ravel())
    phase, power = sender // powers, sender % powers
    allowed = np.zeros((len(KINDS_OF_PHASE), 256), bool)
    for kind, orders in KINDS_OF_PHASE.items():
        allowed[kind, [int(order) for order in orders]] = True
    _check("orders", allowed[shard.kind[phase], codes["kind"]], "is no order of its phase")
    _check("orders", codes["flags"] <= 1, "has flags that mean nothing")
    for place in ("unit", "target", "destination"):
        _check("orders", codes[place] < len(map.locations), f"has a {place} that is not on the map")
    standing = np.repeat(np.arange(shard.n_phases), shard.n_units) << 16 | shard.units
    driven_out = np.repeat(np.arange(shard.n_phases), shard.n_dislodged) << 16 | shard.dislodged
    given = phase << 16 | power + 1 << POWER_SHIFT | codes["unit"].astype(np.int64)
    retreating = shard.kind[phase] == RETREATS
    fresh = (codes["kind"] == OrderKind.BUILD) | (codes["kind"] == OrderKind.WAIVE)
    there = np.where(retreating, np.isin(given, driven_out), np.isin(given, standing))
    _check("orders", fresh | there, "is for a unit that the power has not")
    counted = given[codes["kind"] != OrderKind.WAIVE]
    if len(np.unique(counted)) != len(counted):
        raise BordeauxError("orders: a unit or a home has two orders in one phase")
