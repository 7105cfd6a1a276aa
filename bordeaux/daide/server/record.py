"""The saved game of a server: the turns played, and the data needed to continue.

It is a saved game of `bordeaux.formats.games` (``id map rules phases``), which other commands read as well.
One more entry, ``daide``, has the settings, the seats with names and passcodes, and the orders and offers
of the current turn. It also has the results of all turns as DAIDE text, and the press. Clocks and
connections are not saved: after resuming, a turn begins again with its full time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any, TypeVar

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.pieces import field, named_map, table
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.press import add_messages, readable
from bordeaux.daide.server.limits import PASSCODES
from bordeaux.daide.server.settings import MOST_YEAR, GameSettings
from bordeaux.daide.server.table import PlayedTurn, PowerSeat, Save, ServerTable
from bordeaux.formats.games import Game as SavedGame
from bordeaux.formats.games import GamePhase, game_from_json
from bordeaux.rules.outcome import Draws

_VERSION = 1
_KEY = "daide"
_WHAT = "the saved game's 'daide'"
#: The types of the entries; those of a list and of a mapping by power are those of the one that is given.
_ENTRIES: dict[str, Any] = {
    "settings": dict,
    "seed": int,
    "state": str,
    "seats": {"": {"passcode": int, "name": str, "version": str, "waits": bool, "homes": [str]}},
    "orders": {"": [str]},
    "draws": {"": [[str]]},
    "results": [[str]],
    "press": [dict],
}

Made = TypeVar("Made", bound=ServerTable)


def save(game: ServerTable) -> None:
    """Have the game saved, as it is now."""
    game.outbox.append(Save(saved(game)))


def saved(game: ServerTable) -> dict[str, Any]:
    """The game, ready for JSON. Raises BordeauxError before it has started."""
    if not game.seats:
        raise BordeauxError("the game has not started; there is nothing to save")
    phases = [
        GamePhase(str(turn.before.phase), turn.before.to_json(), turn.orders, turn.words)
        for turn in game.history
    ]
    phases.append(GamePhase(str(game.position.phase), game.position.to_json(), {}, {}))
    outcome = game.outcome
    data = SavedGame(f"bordeaux-{game.seed}", game.map.name, ("DAIDE",), tuple(phases)).to_json()
    add_messages(data, game.letters, game.map)
    data[_KEY] = {
        "version": _VERSION,
        "settings": asdict(game.settings),
        "seed": game.seed,
        "state": "over" if outcome else "running",
        "seats": {power: _seat_to_json(seat) for power, seat in game.seats.items()},
        "orders": game.orders.to_json(),
        "draws": game.draws.to_json(),
        "results": [[d.text(result) for result in played.results] for played in game.history],
        "press": [dict(letter) for letter in game.letters],
        "outcome": None if outcome is None else {"kind": outcome.kind, "powers": list(outcome.powers)},
    }
    return data


def _seat_to_json(seat: PowerSeat) -> dict[str, Any]:
    return {
        "passcode": seat.passcode,
        "name": readable(seat.name),
        "version": readable(seat.version),
        "waits": seat.waits,
        "eliminated": seat.eliminated,
        "homes": list(seat.homes),
    }


def restored(
    make: Callable[[GameSettings, Map, int, Position], Made],
    data: Mapping[str, Any],
    map: Map | None,
    overrides: Mapping[str, Any],
) -> Made:
    """A saved game, made by `make`, with all seats vacant. Raises BordeauxError for one that is over or
    damaged.

    Without a `map`, the bundled one that the game names is used. `overrides` replace settings.
    """
    whole = table(dict(data) if isinstance(data, Mapping) else data, "a saved game")
    try:
        json.dumps(whole, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise FormatError("the saved game holds half a character (a lone surrogate)") from None
    record = game_from_json(whole)
    extra = table(whole.get(_KEY), f"{_WHAT} (a game that no server has saved cannot be resumed)")
    if field(extra, "version", _WHAT) != _VERSION:
        raise FormatError(f"{_WHAT} is of version {quote(extra['version'])}; this server reads {_VERSION}")
    _check(extra, _ENTRIES, _WHAT)
    if extra["state"] != "running":
        raise BordeauxError("the saved game is over; start a new one")
    if len(extra["results"]) != len(record.phases) - 1:
        raise FormatError(f"results of {_WHAT} must have one entry for every phase but the last")
    board = map or named_map(record.map)
    settings = replace(GameSettings.from_json(extra["settings"]), **overrides)
    game = make(settings, board, extra["seed"], record.position(-1, board))
    if game.position.phase.year > MOST_YEAR:
        raise FormatError(
            f"the saved game is in {game.position.phase}; the last year of DAIDE is {MOST_YEAR}"
        )
    powers = tuple(game.names.powers)
    if tuple(extra["seats"]) != powers or not {*extra["orders"], *extra["draws"]} <= set(powers):
        raise FormatError(f"{_WHAT} has other powers than the map, which has {' '.join(powers)}")
    game.resumed = True
    game.seats = {power: _seat(power, entry) for power, entry in extra["seats"].items()}
    for number, (phase, listed) in enumerate(zip(record.phases, extra["results"], strict=False)):
        before, after = (record.position(index, board) for index in (number, number + 1))
        results = tuple(_result(text, game) for text in listed)
        game.history.append(PlayedTurn(before, phase.orders, phase.results, results, after))
    for power, texts in extra["orders"].items():
        for text in texts:
            game.orders.submit(power, d.read_part("order", text, vocabulary=game.vocabulary))
    game.draws = Draws(extra["draws"])
    game.letters = extra["press"]
    return game


def _check(value: Any, kind: Any, what: str) -> None:
    """Raise FormatError unless a value is of a kind, as `_ENTRIES` has them."""
    outer, given = kind if isinstance(kind, type) else type(kind), type(value)
    if given is not outer:
        raise FormatError(f"{what} must be {outer.__name__}, not {quote(value)}")
    if isinstance(kind, list):
        for inner in value:
            _check(inner, kind[0], f"an entry of {what}")
    elif isinstance(kind, dict):
        kinds = dict.fromkeys(value, kind[""]) if "" in kind else kind
        for key, inner in kinds.items():
            _check(field(value, key, what), inner, f"{key} of {what}")


def _seat(power: str, entry: dict[str, Any]) -> PowerSeat:
    seat = PowerSeat(power, *(entry[key] for key in ("passcode", "name", "version")))
    seat.waits, seat.homes, seat.eliminated = entry["waits"], entry["homes"], entry.get("eliminated")
    year = seat.eliminated if seat.eliminated is not None else 0
    if (
        not seat.passcode
        or seat.passcode not in PASSCODES
        or type(year) is not int
        or not 0 <= year <= MOST_YEAR
    ):
        raise FormatError(f"seat {power} of {_WHAT} has an impossible passcode, or year of elimination")
    return seat


def _result(text: str, game: ServerTable) -> d.ORD:
    message = d.read(text, side="server", vocabulary=game.vocabulary)
    if not isinstance(message, d.ORD) or message.order is None:
        raise FormatError(f"results of {_WHAT}: {quote(text)} is no ORD")
    return message
