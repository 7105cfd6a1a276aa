"""The record of a game as a client has seen it, ready to be saved.

HST requests the turns before the client joined. Sources: LANGUAGE.md, section 7 (ORD, HST); the saved game is
that of `bordeaux.formats.games`.
"""

from __future__ import annotations

import contextlib
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import OrderKind
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.table import WORDS, PlayedOrder, Table
from bordeaux.daide.press import add_messages, letter_to_json, readable
from bordeaux.formats.games import Game, GamePhase
from bordeaux.rules import adjudicate
from bordeaux.rules.rulesets import DAIDE

#: The turns of a year.
TURNS = ("SPR", "SUM", "FAL", "AUT", "WIN")


class Chronicle:
    """Records a game from the messages of the server at `address`: pass each to the table and to `heard`, and
    send its result. `positions` has the position of every known phase, `press` and `talk` the messages in
    their order."""

    def __init__(self, table: Table, address: str) -> None:
        self.table = table
        self.address = address
        self.positions: dict[Phase, Position] = {}
        self.press: list[dict[str, Any]] = []
        self.talk: list[dict[str, str]] = []
        self._owners: d.SCO | None = None
        self._asked = False
        self._whole: set[Phase] = set()

    def heard(self, message: d.Value) -> list[d.Value]:
        """Record a message of the server; returns requests to it."""
        match message:
            case d.YES(d.OBS() | d.IAM()):
                # The connection is new: incomplete phases are requested when the next position comes.
                self._asked = False
                for phase in self.table.played.keys() - self._whole:
                    del self.table.played[phase]
            case d.SCO(centres) if centres:
                self._owners = message
            case d.NOW(turn) if turn is not None:
                self._position(message)
                self._whole.update(self.table.played)
                if not self._asked:
                    self._asked = True
                    return [d.HST(past) for past in self._missing(translate.phase_of(turn))]
            case d.SMR() if self.table.phase in self.table.played:
                # Of the last turn many servers tell the results only, not what they came to.
                return [d.SCO(), d.NOW()]
            case d.FRM():
                self.said(message)
            case d.ADM(name, text):
                self.talk.append({"name": readable(name), "text": readable(text)})
        return []

    def said(self, message: d.FRM) -> None:
        """Record press, received or sent."""
        phase = self.table.phase
        turn = "" if phase is None or phase.kind == "-" else translate.turn_of(phase)
        self.press.append(letter_to_json(message, turn, self.table.map))

    def _missing(self, now: Phase) -> list[d.SeasonYear]:
        """The turns that may have been played before the present phase since the last one that is known."""
        if self.table.map is None:
            return []
        begin, end = order_of_play(self.table.map.start_phase), order_of_play(now)
        last = max(map(order_of_play, self._whole), default=(0, 0, 0))
        turns = (d.SeasonYear(season, year) for year in range(begin[0], now.year + 1) for season in TURNS)
        places = ((order_of_play(translate.phase_of(turn)), turn) for turn in turns)
        return [turn for place, turn in places if max(begin, last) <= place < end and place != last]

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
        """The saved game: every phase whose position is known, with the orders and their results. After a
        solo the last position belongs to no phase."""
        name = "" if self.table.map is None else self.table.map.name
        return Game(f"daide-{self.address}", name, ("DAIDE",), tuple(map(self.phase, self.phases())))

    def phase(self, phase: Phase) -> GamePhase:
        """One phase of the saved game; its position must be known."""
        position = self.positions[phase]
        played = self.table.played.get(phase, ())
        if not played and self.table.solo is not None and phase == self.table.phase:
            position = Position(position.map, Phase.COMPLETED, position.units, position.centres)
        orders = {power: list(map(str, given)) for power, given in self.table.orders_of(phase).items()}
        return GamePhase(str(position.phase), position.to_json(), orders, dict(map(_result, played)))

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
