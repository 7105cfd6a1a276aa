"""Press in the line protocol DUI: ``propose_nonaggression``, ``accept`` ...

A message that DUI has a type for uses that type. Others are English in ``freetext``, which is base64 of
UTF-8. On input ``accept`` and ``reject`` answer the last proposal made to their sender. ``threaten
PROVINCE`` states a move there. ``offer_deal I_TAKE YOU_TAKE`` divides two centres, or keeps each out of the
other's.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.position import Position
from bordeaux.board.submission import check
from bordeaux.formats.dui import province_to_dui
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import sentence, understand
from bordeaux.press.language.letter import Letter


def press_to_dui(letter: Letter, map: Map) -> str:
    """The content of a letter: a type and its arguments, without sender and recipients."""
    match letter.message:
        case p.Accept():
            return "accept"
        case p.Refuse() | p.Decline():
            return "reject"
        case p.Propose(term) | p.Insist(term) if words := _proposal(term, letter, map):
            return " ".join(words)
    return "freetext " + base64.b64encode(sentence(letter, map).encode()).decode("ascii")


def _proposal(term: p.Term, letter: Letter, map: Map) -> list[str]:
    """The DUI words for a proposal to one power; empty if there are none."""
    pair = {letter.sender, *letter.to}
    if len(letter.to) > 1:
        return []

    def name(place: str) -> str:
        return province_to_dui(place.partition("/")[0], map)

    match term:
        case p.Peace(powers) if set(powers) == pair:
            return ["propose_nonaggression"]
        case p.Demilitarised(powers, provinces) if set(powers) == pair:
            return ["propose_nonaggression", *[name(place) for place in provinces]]
        case p.Alliance(powers, (against,)) if set(powers) == pair:
            return ["propose_alliance", "against", against.lower()]
        case p.Promise(power, order) if power != letter.sender:
            if order.kind == OrderKind.SUPPORT_MOVE:
                return ["request_support", name(order.target), name(order.destination)]
            if order.kind == OrderKind.SUPPORT_HOLD:
                return ["request_support", name(order.target), name(order.target)]
        case p.Division((p.Share(first, (one,)), p.Share(second, (other,)))) if {first, second} == pair:
            mine, yours = (one, other) if first == letter.sender else (other, one)
            return ["offer_deal", name(mine), name(yours)]
    return []


class LastProposals:
    """The last proposals of powers to each other, which a plain yes or no answers."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], p.Message] = {}

    def note(self, letter: Letter) -> None:
        """Record a letter's proposal."""
        if isinstance(letter.message, p.Propose | p.Insist | p.Suggest):
            for recipient in letter.to:
                self._last[letter.sender, recipient] = letter.message

    def read(self, words: Sequence[str], sender: str, recipient: str, position: Position) -> Letter:
        """The letter of a type of press and its arguments. Raises BordeauxError for invalid press, for an
        answer without a proposal, and for free text that is not understood."""
        kind, arguments = (words[0].lower(), list(words[1:])) if words else ("", [])
        if kind not in TYPES:
            raise BordeauxError(f"no type of press {quote(kind)}; types: {', '.join(TYPES)}")
        least, most, reader = TYPES[kind]
        if not least <= len(arguments) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            raise BordeauxError(f"press {kind} takes {wanted} arguments, not {len(arguments)}")
        if sender == recipient:
            raise BordeauxError(f"{sender} has nothing to say to itself")
        said, answered = self._last.get((sender, recipient)), self._last.get((recipient, sender))
        message = reader(_Reading(sender, recipient, position, answered, said), arguments)
        letter = Letter(sender, (recipient,), message)
        self.note(letter)
        return letter


class _Reading(NamedTuple):
    """One piece of press, with the last proposals of both to each other. Methods read its types."""

    sender: str
    recipient: str
    position: Position
    answered: p.Message | None
    said: p.Message | None

    @property
    def pair(self) -> tuple[str, str]:
        """The two powers."""
        return self.sender, self.recipient

    def _tag(self, name: str) -> str:
        """The tag of a province. Raises MapError."""
        return self.position.map.province(name).name

    def _proposal(self) -> p.Message:
        if self.answered is None:
            raise BordeauxError(f"{self.recipient} has proposed nothing that {self.sender} could answer")
        return self.answered

    def _nonaggression(self, provinces: list[str]) -> p.Message:
        if not provinces:
            return p.Propose(p.Peace(self.pair))
        return p.Propose(p.Demilitarised(self.pair, tuple(dict.fromkeys(map(self._tag, provinces)))))

    def _alliance(self, arguments: list[str]) -> p.Message:
        """Without a target it is peace."""
        if not arguments:
            return p.Propose(p.Peace(self.pair))
        if len(arguments) != 2 or arguments[0].lower() != "against":
            raise BordeauxError("press propose_alliance is written 'propose_alliance [against POWER]'")
        against = self.position.map.power(arguments[1])
        if against in self.pair:
            raise BordeauxError(f"{against} cannot ally against itself")
        return p.Propose(p.Alliance(self.pair, (against,)))

    def _support(self, arguments: list[str]) -> p.Message:
        """The promise of an order that supports a move or a hold, or of one of several."""
        origin, goal = map(self._tag, arguments)
        unit = self.position.unit_at(origin)
        if unit is None or unit.power != self.sender:
            raise BordeauxError(f"{self.sender} has no unit in {origin} that could be supported")
        move = f"S {unit}" + ("" if origin == goal else f" - {goal}")
        promised = tuple(
            p.Promise(self.recipient, order, self.sender)
            for unit in self.position.units_of(self.recipient)
            if (order := self._legal(unit, move)) is not None
        )
        if not promised:
            raise BordeauxError(f"no unit of {self.recipient} can support {origin} - {goal}")
        return p.Propose(promised[0] if len(promised) == 1 else p.Some(promised))

    def _threat(self, arguments: list[str]) -> p.Message:
        """The statement that a unit of the sender goes into a province."""
        goal = self._tag(arguments[0])
        for unit in self.position.units_of(self.sender):
            if (order := self._legal(unit, f"- {goal}")) is not None and not order.via:
                return p.State(p.Promise(self.sender, order))
        raise BordeauxError(f"no unit of {self.sender} can go to {goal}")

    def _legal(self, unit: Unit, text: str) -> Order | None:
        try:
            order = parse_order(f"{unit} {text}", self.position.map, self.position)
        except BordeauxError:
            return None
        return None if check(self.position, unit.power, order).fault else order

    def _deal(self, arguments: list[str]) -> p.Message:
        """A division of two centres, or each power keeps out of the other's province."""
        mine, yours = map(self._tag, arguments)
        if mine == yours:
            raise BordeauxError(f"both would take {mine}")
        if {mine, yours} <= set(self.position.map.centres):
            shares = p.Share(self.sender, (mine,)), p.Share(self.recipient, (yours,))
            return p.Propose(p.Division(shares))
        apart = p.Demilitarised((self.recipient,), (mine,)), p.Demilitarised((self.sender,), (yours,))
        return p.Propose(p.All(apart))

    def _text(self, arguments: list[str]) -> p.Message:
        try:
            text = base64.b64decode(arguments[0], validate=True).decode("utf-8")
        except (binascii.Error, ValueError):
            raise BordeauxError(f"freetext is base64 of UTF-8, not {quote(arguments[0])}") from None
        return understand(
            text,
            speaker=self.sender,
            to=(self.recipient,),
            position=self.position,
            answering=self.answered,
            said=self.said,
        ).message


#: Each type of press with the minimum and maximum number of its arguments, and its reader.
TYPES: dict[str, tuple[int, int, Callable[[_Reading, list[str]], p.Message]]] = {
    "request_support": (2, 2, _Reading._support),
    "propose_nonaggression": (0, 20, _Reading._nonaggression),
    "propose_alliance": (0, 2, _Reading._alliance),
    "threaten": (1, 1, _Reading._threat),
    "offer_deal": (2, 2, _Reading._deal),
    "accept": (0, 0, lambda reading, _: p.Accept(reading._proposal())),
    "reject": (0, 0, lambda reading, _: p.Refuse(reading._proposal())),
    "freetext": (1, 1, _Reading._text),
}
