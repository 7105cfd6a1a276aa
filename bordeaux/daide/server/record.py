"""The saved game of a server: the turns played, and the data needed to continue.

It is a saved game of `bordeaux.formats.games` (``id map rules phases``), which other commands read as well.
One more entry, ``daide``, has the settings, the seats with names and passcodes, and the orders and offers
of the current turn. It also has the results of all turns as DAIDE text, and the press. Clocks and
connections are not saved: after resuming, a turn begins again with its full time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.pieces import field, named_map, string_list, table
from bordeaux.daide import language as d
from bordeaux.daide.press import add_messages
from bordeaux.daide.server.limits import PASSCODES
from bordeaux.daide.server.orders import Orders
from bordeaux.daide.server.settings import MOST_YEAR, GameSettings
from bordeaux.daide.server.table import History, PlayedTurn, PowerSeat, ServerTable
from bordeaux.formats.games import Game as SavedGame
from bordeaux.formats.games import GamePhase, game_from_json
from bordeaux.rules.outcome import Draws, Outcome

_VERSION = 1
_KEY = "daide"
_WHAT = "the saved game's 'daide'"
_STATES = ("running", "over")
_MOST_SEED = 2**64


def saved(game: ServerTable) -> dict[str, Any]:
    """The game, ready for JSON. Raises BordeauxError before it has started."""
    if not game.seats.seats:
        raise BordeauxError("the game has not started; there is nothing to save")
    phases = [
        GamePhase(str(turn.before.phase), turn.before.to_json(), turn.orders, turn.words)
        for turn in game.history.turns
    ]
    phases.append(GamePhase(str(game.position.phase), game.position.to_json(), {}, {}))
    outcome = game.outcome
    data = SavedGame(f"bordeaux-{game.seed}", game.map.name, ("DAIDE",), tuple(phases)).to_json()
    add_messages(data, game.letters, game.map)
    data[_KEY] = {
        "version": _VERSION,
        "settings": game.settings.to_json(),
        "seed": game.seed,
        "state": "over" if outcome else "running",
        "seats": {seat.power: _seat_to_json(seat) for seat in game.seats},
        "orders": game.orders.to_json(),
        "draws": game.draws.to_json(),
        "results": [[d.text(result) for result in played.results] for played in game.history.turns],
        "press": [dict(letter) for letter in game.letters],
        "outcome": None if outcome is None else {"kind": outcome.kind, "powers": list(outcome.powers)},
    }
    return data


def _seat_to_json(seat: PowerSeat) -> dict[str, Any]:
    return {
        "passcode": seat.passcode,
        "name": clean(seat.name),
        "version": clean(seat.version),
        "waits": seat.waits,
        "eliminated": seat.eliminated,
        "homes": list(seat.homes),
    }


def clean(text: str) -> str:
    """A text that can be written as UTF-8: invalid bytes are replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def restored(data: Mapping[str, Any], map: Map | None = None) -> ServerTable:
    """The table of a saved game, with all seats vacant. Raises FormatError or PositionError.

    Without a `map`, the bundled one that the game names is used.
    """
    whole = table(dict(data) if isinstance(data, Mapping) else data, "a saved game")
    try:
        json.dumps(whole, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise FormatError("the saved game holds half a character (a lone surrogate)") from None
    game = game_from_json(whole)
    extra = table(whole.get(_KEY), f"{_WHAT} (a game that no server has saved cannot be resumed)")
    if field(extra, "version", _WHAT) != _VERSION:
        raise FormatError(f"{_WHAT} is of version {quote(extra['version'])}; this server reads {_VERSION}")
    board = map or named_map(game.map)
    settings = GameSettings.from_json(field(extra, "settings", _WHAT))
    if not game.phases:
        raise FormatError("the saved game has no phases")
    server_table = ServerTable(
        settings, board, _number(extra, "seed", _WHAT, 0, _MOST_SEED), game.position(-1, board)
    )
    if server_table.position.phase.year > MOST_YEAR:
        raise FormatError(
            f"the saved game is in {game.phases[-1].name}; the last year of DAIDE is {MOST_YEAR}"
        )
    server_table.state = _one_of(extra, "state", _STATES)
    _restore_seats(server_table, table(field(extra, "seats", _WHAT), f"seats of {_WHAT}"))
    server_table.history = _history(game, field(extra, "results", _WHAT), server_table)
    _restore_turn(server_table, extra)
    press = field(extra, "press", _WHAT)
    if not isinstance(press, list):
        raise FormatError(f"press of {_WHAT} must be a list")
    server_table.letters = [dict(table(letter, f"press of {_WHAT}")) for letter in press]
    server_table.outcome = _outcome(extra.get("outcome"))
    return server_table


def _number(parent: dict[str, Any], key: str, what: str, least: int, most: int) -> int:
    value = field(parent, key, what)
    if type(value) is not int or not least <= value <= most:
        raise FormatError(
            f"{key} of {what} must be a whole number from {least} to {most}, not {quote(value)}"
        )
    return value


def _passcode(seat: dict[str, Any], what: str) -> int:
    passcode = _number(seat, "passcode", what, PASSCODES.start, PASSCODES.stop - 1)
    if passcode == 0:
        raise FormatError(f"passcode of {what} must not be 0, which is that of observers")
    return passcode


def _one_of(parent: dict[str, Any], key: str, choices: tuple[str, ...]) -> Any:
    value = field(parent, key, _WHAT)
    if value not in choices:
        raise FormatError(f"{key} of {_WHAT} must be {' or '.join(choices)}, not {quote(value)}")
    return value


def _restore_seats(game: ServerTable, seats: dict[str, Any]) -> None:
    if tuple(seats) != game.powers:
        raise FormatError(f"{_WHAT} has seats of {' '.join(seats)}; the map has {' '.join(game.powers)}")
    for power, value in seats.items():
        what = f"seat {power} of {_WHAT}"
        entry = table(value, what)
        name, version = string_list(
            [field(entry, "name", what), field(entry, "version", what)], f"names of {what}"
        )
        seat = PowerSeat(power, _passcode(entry, what), name, version)
        seat.waits = entry.get("waits") is True
        if entry.get("eliminated") is not None:
            seat.eliminated = _number(entry, "eliminated", what, 0, MOST_YEAR)
        seat.homes = string_list(entry.get("homes") or [], f"homes of {what}")
        game.seats.seats[power] = seat


def _history(game: SavedGame, results: object, server_table: ServerTable) -> History:
    """The turns played: the phases with their results, each with the position of the next phase."""
    if not isinstance(results, list) or len(results) != len(game.phases) - 1:
        raise FormatError(f"results of {_WHAT} must be a list, one entry for every phase but the last")
    history = History()
    for number, listed in enumerate(results):
        phase = game.phases[number]
        messages = []
        for text in string_list(listed, f"results of {phase.name} in {_WHAT}"):
            message = d.read(text, side="server", vocabulary=server_table.vocabulary)
            if not isinstance(message, d.ORD) or message.order is None:
                raise FormatError(f"results of {phase.name} in {_WHAT}: {quote(text)} is no ORD")
            messages.append(message)
        before, after = (game.position(index, server_table.map) for index in (number, number + 1))
        history.add(PlayedTurn(before, phase.orders, phase.results, tuple(messages), after))
    return history


def _restore_turn(game: ServerTable, extra: dict[str, Any]) -> None:
    """The orders and offers of the present turn."""
    orders: dict[str, list[d.Order]] = {}
    for power, listed in _by_power(game, extra, "orders").items():
        texts = string_list(listed, f"orders of {power} in {_WHAT}")
        orders[power] = [d.read_part("order", text, vocabulary=game.vocabulary) for text in texts]
    game.orders = Orders(game.position, game.settings.aoa)
    game.orders.restore(orders)
    votes: dict[str, list[list[str]]] = {}
    for power, offers in _by_power(game, extra, "draws").items():
        if not isinstance(offers, list):
            raise FormatError(f"draws of {power} in {_WHAT} must be a list, not {quote(offers)}")
        votes[power] = [string_list(offer, f"draws of {power} in {_WHAT}") for offer in offers]
    game.draws = Draws(votes)


def _by_power(game: ServerTable, extra: dict[str, Any], key: str) -> dict[str, Any]:
    by_power = table(field(extra, key, _WHAT), f"{key} of {_WHAT}")
    for power in by_power:
        if power not in game.powers:
            raise FormatError(f"{key} of {_WHAT}: there is no power {quote(power)}")
    return by_power


def _outcome(value: object) -> Outcome | None:
    if value is None:
        return None
    what = f"outcome of {_WHAT}"
    entry = table(value, what)
    kind = field(entry, "kind", what)
    if kind not in ("solo", "draw"):
        raise FormatError(f"kind of {what} must be solo or draw, not {quote(kind)}")
    return Outcome(kind, tuple(string_list(field(entry, "powers", what), f"powers of {what}")))
