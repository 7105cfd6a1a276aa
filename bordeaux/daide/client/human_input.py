"""What a person types: orders in any notation, checked at once, and press as English, DAIDE text or plain
words."""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Sequence
from typing import TypeVar

from bordeaux.board.errors import BordeauxError, MapError, OrderError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import may_convoy, submit
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.envoy import everybody
from bordeaux.daide.client.table import Table
from bordeaux.daide.client.thinking import fallback
from bordeaux.daide.press import message_of, press_of
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import understand
from bordeaux.rules import legal_orders

#: Legal orders that are shown after an illegal one.
SHOWN = 4


class OrderSheet:
    """The orders that a person writes for one power and one phase. `owed` is, in Winter, the number of builds
    (positive) or removals (negative) due; `legal` are the legal orders by location."""

    def __init__(self, position: Position, power: str) -> None:
        self.position = position
        self.power = power
        self.owed = translate.adjustments_owed(position, power)
        self.legal = legal_orders(position, power)
        self._given: dict[str, Order] = {}
        self._waived = 0

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders given so far."""
        return (*self._given.values(), *[Order(OrderKind.WAIVE)] * self._waived)

    def give(self, text: str) -> Order:
        """Write an order, in place of another one for the same unit. Raises OrderError if it cannot be read
        or is illegal, with the most similar legal orders."""
        order = parse_order(text, self.position.map, self.position)
        if fault := self._fault(order):
            places = [place for place in self.legal if place.partition("/")[0] == order.province]
            legal = [str(order) for place in places for order in self.legal[place]]
            near = difflib.get_close_matches(str(order), legal, SHOWN, 0.0)
            raise OrderError(f"{order}: {fault}" + (f"; legal: {', '.join(near)}" if near else ""))
        self._write(order)
        return order

    def _write(self, order: Order) -> None:
        if self.owed and order.province not in self._given and not self.left():
            what = "builds" if self.owed > 0 else "removals"
            raise OrderError(
                f"{order}: {self.power} owes {abs(self.owed)} {what}, and all are ordered; clear one first"
            )
        if order.kind == OrderKind.WAIVE:
            self._waived += 1
        else:
            self._given[order.province] = order

    def _fault(self, order: Order) -> str:
        """The reason why an order is illegal; "" for a legal one."""
        if order.kind == OrderKind.WAIVE and self.owed > 0:
            return ""
        if not self.legal:
            return f"{self.power} has nothing to order in {self.position.phase}"
        fault = submit(self.position, {self.power: [order]}).orders[0].fault
        ours = order.kind == OrderKind.CONVOY and order.location in self.legal
        # DAIDE names routes, so that fleets may convoy of which a shorter route has no need.
        return "" if ours and may_convoy(self.position, order) else fault

    def clear(self, text: str = "") -> list[Order]:
        """Remove the order for a unit, given as ``A PAR``, ``PAR`` or the order; all without a text. Returns
        the removed orders. Raises OrderError if there is no such order."""
        wanted = text.strip().upper()
        if not wanted:
            struck = list(self.orders)
            self._given.clear()
            self._waived = 0
            return struck
        if wanted.startswith("WAIVE") and self._waived:
            self._waived -= 1
            return [Order(OrderKind.WAIVE)]
        name = re.sub(r"^(A|F|ARMY|FLEET) ", "", wanted)
        for place in (name, name.split()[0]):
            with contextlib.suppress(MapError):
                tag = self.position.map.province(place.partition("/")[0]).name
                if tag in self._given:
                    return [self._given.pop(tag)]
        raise OrderError(f"there is no order for {quote(text.strip())} to clear")

    def left(self) -> int:
        """The number of missing orders."""
        return abs(self.owed) - len(self.orders) if self.position.phase.kind == "A" else len(self.missing())

    def missing(self) -> list[str]:
        """The units without orders, in Winter the builds or removals due, in words."""
        if self.position.phase.kind != "A":
            unordered = [place for place in self.legal if place.partition("/")[0] not in self._given]
            return [" ".join(self.legal[place][0].split()[:2]) for place in unordered]
        count, what = self.left(), "build" if self.owed > 0 else "removal"
        return [f"{count} {what}{'s' if count > 1 else ''}"] if count else []

    def defaults(self) -> list[Order]:
        """The orders by the rules for missing ones: hold, disband, waive, or remove."""
        orders = [order for order in fallback(self.position, self.power) if order.province not in self._given]
        return orders[: self.left()]

    def fill(self) -> list[Order]:
        """Write the defaults; returns them."""
        defaults = self.defaults()
        for order in defaults:
            self._write(order)
        return defaults


# Press. Source: LANGUAGE.md, sections 8 to 10.

#: The lowest level of games with press, and of free text.
PRESS, FREE_TEXT = 10, 8000

#: Messages that yes and no may answer, and those that can be withdrawn.
_ASKING = (p.Propose, p.Insist, p.Suggest, p.Ask, p.AskUnit, p.AskAttack, p.Explain, p.If, p.Why)
_BINDING = (p.Propose, p.Insist, p.Accept)

_Sent = TypeVar("_Sent", d.FRM, d.SND)


def letter_of(text: str, table: Table, vocabulary: d.Vocabulary) -> d.SND:
    """Press from ``FRA GER PRP (...)``. Raises BordeauxError if it cannot be read, has no recipients, or is
    above the level of the game."""
    to, rest = _addressed(text, table, PRESS, "press FRA PRP (PCE (ENG FRA))")
    if rest.startswith("(") and rest.endswith(")"):
        rest = rest[1:-1]
    return d.SND(None, to, d.read_part("press", rest, level=table.level, vocabulary=vocabulary))


def text_of(text: str, table: Table) -> d.SND:
    """Free text from ``FRA GER how are you``, or ``all ...``. Raises BordeauxError as `letter_of`."""
    to, rest = _addressed(text, table, FREE_TEXT, "say FRA leave Burgundy alone")
    return d.SND(None, to, d.Text(rest))


def talk_of(
    text: str, table: Table, heard: Sequence[d.FRM] = (), sent: Sequence[d.SND] = ()
) -> tuple[d.SND, str]:
    """Press from English, and what was left out: ``FRA peace?``, ``FRA, GER: you take bel``, ``all draw?``.
    Yes and no answer the last question or proposal of a recipient in `heard`, preferably one without an
    answer in `sent`, and go to all its recipients; without powers, the last of all. A withdrawal concerns the
    last proposal to them in `sent`. Raises BordeauxError as `letter_of`, and if the text is unclear."""
    example = "talk FRA peace?"
    to, rest = _addressed(text, table, PRESS, example, answering=bool(heard or sent))
    map, position, me = table.map, table.position, table.power
    assert map is not None and position is not None and me is not None
    asking = [letter for letter in heard if not to or letter.sender in to]
    answered = [letter.press.message for letter in sent if isinstance(letter.press, d.YES | d.REJ | d.BWX)]
    open_still = [letter for letter in asking if letter.press not in answered]
    # Those without an answer stand last, and come before all others.
    asked, answering = _last([*asking, *open_still], _ASKING, map)
    own, said = _last([letter for letter in sent if not to or {*letter.to} & {*to}], _BINDING, map)
    others = to or (() if asked is None else everybody(asked, table)) or (() if own is None else own.to)
    if not others:
        raise _unaddressed(example)
    message, left = understand(
        rest,
        speaker=me,
        to=tuple(map.power(token) for token in others),
        position=position,
        answering=answering,
        said=said,
        level=table.level,
    )
    match message:
        case p.Accept(what) | p.Refuse(what) | p.Decline(what) if asked is not None and what == answering:
            others = everybody(asked, table)
        case p.Cancel(what) if own is not None and what == said:
            others = own.to
        case _ if not to:
            raise _unaddressed(example)
    return d.SND(None, others, press_of(message, map)), left


def _last(
    letters: Sequence[_Sent], kinds: tuple[type, ...], map: Map
) -> tuple[_Sent | None, p.Message | None]:
    """The last letter whose message is of one of some kinds, and that message."""
    for letter in reversed(letters):
        with contextlib.suppress(BordeauxError):
            message = message_of(letter.press, map)
            if isinstance(message, kinds):
                return letter, message
    return None, None


def _addressed(
    text: str, table: Table, level: int, example: str, *, answering: bool = False
) -> tuple[tuple[str, ...], str]:
    """The recipients of a text, and the rest of it. Raises BordeauxError below a level of press, before the
    game begins, and without the one or the other; with `answering` there may be no recipients."""
    if table.level < level:
        wanted = "no press" if table.level < PRESS else f"press up to level {table.level}; text needs {level}"
        raise BordeauxError(f"this game has {wanted}")
    if table.position is None or table.power is None:
        raise BordeauxError("there is nobody to talk to before the game begins")
    to, rest = _recipients(text, table)
    if not rest or not (to or answering):
        raise _unaddressed(example)
    return to, rest


def _unaddressed(example: str) -> BordeauxError:
    return BordeauxError(f"name the powers first, then what to say: {example}")


def _recipients(text: str, table: Table) -> tuple[tuple[str, ...], str]:
    """The tokens of the powers that a text begins with, and the rest of it. Powers after the first are tags
    in capitals, follow a comma, or stand before a colon."""
    head, colon, rest = text.strip().partition(":")
    words = [word for word in re.split(r"[\s,@]+", head) if word and word.lower() not in ("to", "and")]
    named = [_tokens_of(word, table) for word in words]
    if not (colon and named and all(named)):
        named, comma, rest = [], False, text.strip()
        while match := re.match(r"(\S+?)(,|\s|$)\s*", rest):
            tokens = _tokens_of(match[1], table)
            if not tokens or (named and not comma and match[1] not in tokens):
                break
            named.append(tokens)
            comma, rest = match[2] == ",", rest[match.end() :]
    return tuple(dict.fromkeys(token for tokens in named for token in tokens)), rest.strip()


def _tokens_of(word: str, table: Table) -> tuple[str, ...]:
    """The tokens of ``FRA``, ``france`` or ``all``; none for what is no other power."""
    map, me = table.map, table.power
    assert map is not None and me is not None
    if word.lower() == "all":
        return tuple(map.tags[power] for power in table.survivors if power != me)
    power = map.known_power(word)
    return () if power in ("", me) else (map.tags[power],)
