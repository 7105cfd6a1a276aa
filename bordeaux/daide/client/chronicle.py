"""The record of a game as a client has seen it, ready to be saved.

HST requests the turns before the client joined, one by one from the latest backwards. Sources: LANGUAGE.md,
section 7 (ORD, HST); the saved game is that of `bordeaux.formats.games`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import OrderKind
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.table import WORDS, PlayedOrder, Table
from bordeaux.daide.press import add_messages, in_english
from bordeaux.formats.games import Game, GamePhase
from bordeaux.rules import adjudicate
from bordeaux.rules.rulesets import DAIDE

#: The turns of a year, the latest first.
TURNS = ("WIN", "AUT", "FAL", "SUM", "SPR")


class Chronicle:
    """Records a game from the messages that a `Table` processes as well.

    Pass every message of the server to `heard`, after the table, and send its result. `address` is the
    server's, for the record. `positions` has the position of every known phase, `press` and `talk` the
    messages in their order.
    """

    def __init__(self, table: Table, address: str) -> None:
        self.table = table
        self.address = address
        self.positions: dict[Phase, Position] = {}
        self.press: list[dict[str, Any]] = []
        self.talk: list[dict[str, str]] = []
        self._owners: d.SCO | None = None
        self._past: Iterator[d.SeasonYear] | None = None
        self._asked: d.SeasonYear | None = None
        self._whole: set[Phase] = set()
        self._reaches_back = False

    def heard(self, message: d.Value) -> list[d.Value]:
        """Record a message of the server; returns the next request to it."""
        match message:
            case d.YES(d.OBS() | d.IAM()):
                self._return()
            case d.SCO(centres) if centres:
                self._owners = message
            case d.NOW(turn) if turn is not None:
                self._position(message)
                self._whole.update(self.table.played)
                if self._past is None:
                    self._past = self._gap(turn)
                    return self._ask()
                if self._asked is not None and translate.phase_of(self._asked) in self._whole:
                    return self._ask()
            case d.REJ(d.HST(turn)) if turn == self._asked:
                # A year without a Spring is one before the game began.
                return self._ask() if turn.season != "SPR" else self._stop()
            case d.HUH(tokens) if self._asked is not None and "HST" in tokens[:2]:
                return self._stop()
            case d.SMR() if self.table.phase in self.table.played:
                # Of the last turn many servers tell the results only, not what they came to.
                return [d.SCO(), d.NOW()]
            case d.FRM():
                self.said(message)
            case d.ADM(name, text):
                self.talk.append({"name": _readable(name), "text": _readable(text)})
        return []

    def said(self, message: d.FRM) -> None:
        """Record press, received or sent."""
        phase = self.table.phase
        turn = "" if phase is None or phase.kind == "-" else str(translate.turn_of(phase))
        press = _readable(d.text(message.press))
        letter = {"turn": turn, "from": message.sender, "to": list(message.to), "press": press}
        if (map := self.table.map) is not None:
            letter["english"] = _readable(in_english(message.sender, message.press, map))
        self.press.append(letter)

    # The past.

    def _return(self) -> None:
        """The connection is new: incomplete phases are requested when the next position comes."""
        self._past = self._asked = None
        for phase in self.table.played.keys() - self._whole:
            del self.table.played[phase]

    def _gap(self, turn: d.SeasonYear) -> Iterator[d.SeasonYear]:
        """The turns that may have been played before `turn` without our knowledge, the latest first."""
        map = self.table.map
        first = None if map is None else map.start_phase
        if self._reaches_back:
            first = max(self._whole, key=order_of_play, default=first)
        for past in _turns_before(turn):
            phase = translate.phase_of(past)
            if first is not None and order_of_play(phase) < order_of_play(first):
                break
            if phase not in self._whole:
                yield past

    def _ask(self) -> list[d.Value]:
        assert self._past is not None
        self._asked = next(self._past, None)
        return self._stop() if self._asked is None else [d.HST(self._asked)]

    def _stop(self) -> list[d.Value]:
        self._asked = None
        self._reaches_back = True
        return []

    def _position(self, message: d.NOW) -> None:
        """Store a position: the table's if it has it, else that of an answer to HST."""
        assert message.turn is not None
        phase = translate.phase_of(message.turn)
        position = self.table.position
        if position is not None and position.phase == phase:
            self.positions[phase] = position
        elif self._owners is not None and self.table.map is not None:
            # One that cannot be is left out: the table has complained of it.
            with contextlib.suppress(BordeauxError):
                self.positions[phase] = translate.position_of(message, self._owners, self.table.map)

    # The record.

    def phases(self) -> list[Phase]:
        """The phases whose positions are known, in the order of play."""
        self._find_start()
        return sorted(self.positions, key=order_of_play)

    def _find_start(self) -> None:
        """HST gives only positions after turns: take that of the map for the first, if it fits."""
        map = self.table.map
        if map is None or map.start_phase in self.positions or map.start_phase not in self.table.played:
            return
        start = Position.start(map)
        after = adjudicate(start, self.table.orders_of(start.phase), DAIDE).after
        if self.positions.get(after.phase) == after:
            self.positions[start.phase] = start

    def game(self) -> Game:
        """The saved game: every phase with its position, the orders and their results.

        After a solo the last position belongs to no phase. Phases with an unknown position are left out.
        """
        recorded_phases = tuple(map(self.phase, self.phases()))
        board = self.table.map
        name = "" if board is None else board.name
        return Game(f"daide-{self.address}", name, ("DAIDE",), recorded_phases)

    def phase(self, phase: Phase) -> GamePhase:
        """One phase of the saved game; its position must be known."""
        position = self.positions[phase]
        played = self.table.played.get(phase, ())
        if not played and self.table.solo is not None and phase == self.table.phase:
            position = Position(position.map, Phase.COMPLETED, position.units, position.centres)
        orders: dict[str, list[str]] = {}
        for played_order in played:
            orders.setdefault(played_order.power, []).append(str(played_order.order))
        results = dict(_result(played_order) for played_order in played)
        return GamePhase(str(position.phase), position.to_json(), orders, results)

    def to_json(self) -> dict[str, Any]:
        """The saved game, with a client's own data under ``seen``: server, power, passcode and options,
        press, talk, and the ending (None before there is one)."""
        table = self.table
        document = self.game().to_json()
        if table.map is not None:
            add_messages(document, self.press, table.map)
        document["seen"] = {
            "server": self.address,
            "power": table.power,
            "passcode": None if table.power is None else table.passcode,
            "options": table.options,
            "press": [dict(letter) for letter in self.press],
            "talk": [dict(letter) for letter in self.talk],
            "ending": table.ending().to_json() if table.over else None,
        }
        return document


def _turns_before(turn: d.SeasonYear) -> Iterator[d.SeasonYear]:
    seasons = TURNS[TURNS.index(turn.season) + 1 :]
    for year in range(turn.year, -1, -1):
        for season in seasons:
            yield d.SeasonYear(season, year)
        seasons = TURNS


def _result(played: PlayedOrder) -> tuple[str, list[str]]:
    """The unit of an order, and its results in the words of saved games."""
    order = played.order
    if order.kind == OrderKind.WAIVE:
        return "WAIVE", []
    words: list[str] = []
    for token in played.results:
        word = WORDS.get(token, "void")
        if order.kind == OrderKind.MOVE and token == "NSO":
            word = "no convoy" if order.via else "bounce"
        if word and word not in words:
            words.append(word)
    if order.kind == OrderKind.RETREAT and words:
        words.append("disband")
    return f"{order.unit} {order.location}", words


def _readable(text: str) -> str:
    """A text that can be written as UTF-8: invalid bytes are replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
