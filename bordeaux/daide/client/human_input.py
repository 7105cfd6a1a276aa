"""What a person types: orders in any notation, checked at once, and press as English, DAIDE text or plain
words."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from bordeaux.board.errors import BordeauxError, MapError, OrderError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order, read_order
from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.position import Position
from bordeaux.board.submission import may_convoy, submit
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.submission import with_route
from bordeaux.daide.client.table import Table
from bordeaux.daide.client.thinking import fallback
from bordeaux.daide.press import message_of, press_of
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import understand
from bordeaux.rules import legal_orders

# `OrderSheet` holds the orders written for one phase, `Delivery` those that the server has. ``NOT (GOF)``
# keeps the server from ending the phase when all orders are in, until the person confirms. Source:
# LANGUAGE.md, section 6.

#: Legal orders that are shown after an illegal one.
SHOWN = 4
FAR = 99
_SUPPORTS = (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE)
HOLDING = d.NOT(d.GOF())


class OrderSheet:
    """The orders of one power for one phase.

    `owed` is, in Winter, the number of builds (positive) or removals (negative) due. With `lax` illegal
    orders for own units are accepted, as the option AOA allows. `vocabulary` has the tokens of the map, if
    not the standard ones.
    """

    def __init__(
        self, position: Position, power: str, lax: bool = False, vocabulary: d.Vocabulary | None = None
    ) -> None:
        self.position = position
        self.power = power
        self.lax = lax
        self.vocabulary = vocabulary or d.Vocabulary.standard()
        self.owed = translate.adjustments_owed(position, power)
        self.legal = legal_orders(position, power)
        self._given: dict[str, Order] = {}
        self._waived = 0

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders given so far."""
        return (*self._given.values(), *[Order(OrderKind.WAIVE)] * self._waived)

    def read(self, text: str) -> Order:
        """Read an order, in DAIDE's words if it begins with a bracket. Raises OrderError for invalid text."""
        if not text.lstrip().startswith("("):
            return parse_order(text, self.position.map, self.position)
        try:
            value = d.read_part("order", text, vocabulary=self.vocabulary)
            power, order = translate.order_of(value, self.position.map)
        except BordeauxError as error:
            raise OrderError(f"order {quote(text.strip())}: {error}") from None
        if power != self.power:
            raise OrderError(f"{order}: you are {self.power}, not {power}")
        return order

    def give(self, text: str) -> Order:
        """Write an order, in place of another one for the same unit.

        Raises OrderError if it cannot be read or is illegal, with the most similar legal orders.
        """
        order = self.read(text)
        fault = self.fault(order)
        if fault and not (self.lax and self._is_ours(order)):
            near = self.nearest(order)
            raise OrderError(f"{order}: {fault}" + (f"; legal: {', '.join(near)}" if near else ""))
        self._write(order)
        return order

    def _write(self, order: Order) -> None:
        waives = order.kind == OrderKind.WAIVE
        key = _province(order)
        if self.owed and (waives or key not in self._given) and not self.left():
            what = "builds" if self.owed > 0 else "removals"
            raise OrderError(
                f"{order}: {self.power} owes {abs(self.owed)} {what}, and all are ordered; clear one first"
            )
        if waives:
            self._waived += 1
            return
        before = self._given.get(key)
        self._given[key] = order
        try:
            self.values()
        except OrderError:
            del self._given[key]
            if before is not None:
                self._given[key] = before
            raise

    def _is_ours(self, order: Order) -> bool:
        return any(_province(order) == place.partition("/")[0] for place in self.legal)

    def fault(self, order: Order) -> str:
        """The reason why an order is illegal; "" for a legal one."""
        if order.kind == OrderKind.WAIVE and self.owed > 0:
            return ""
        if not self.legal:
            return f"{self.power} has nothing to order in {self.position.phase}"
        fault = submit(self.position, {self.power: [order]}).orders[0].fault
        if fault and order.kind == OrderKind.CONVOY and self._is_ours(order):
            # DAIDE names routes, so that fleets may convoy of which a shorter route has no need.
            return "" if may_convoy(self.position, order) else fault
        return fault

    def nearest(self, order: Order) -> list[str]:
        """Legal orders for the unit of an order, the most similar first."""
        place = _province(order)
        listed = [text for name, texts in self.legal.items() if name.startswith(place) for text in texts]
        if not place or not listed:
            return []
        goal = _distances(self.position.map, order.destination)
        known = [parse_order(text, self.position.map, self.position) for text in listed]
        return [
            str(known_order)
            for known_order in sorted(known, key=lambda known_order: _unlike(known_order, order, goal))[
                :SHOWN
            ]
        ]

    def clear(self, text: str = "") -> list[Order]:
        """Remove the order for a unit, given as ``A PAR``, ``PAR`` or the order; all without a text. Returns
        the removed orders. Raises OrderError if there is no such order."""
        if not text.strip():
            struck = list(self.orders)
            self._given.clear()
            self._waived = 0
            return struck
        wanted = text.strip().upper()
        if wanted.startswith("WAIVE") and self._waived:
            self._waived -= 1
            return [Order(OrderKind.WAIVE)]
        key = self._place(wanted)
        if key not in self._given:
            raise OrderError(f"there is no order for {quote(text.strip())} to clear")
        return [self._given.pop(key)]

    def _place(self, text: str) -> str:
        kind, _, rest = text.partition(" ")
        name = rest if kind in ("A", "F", "ARMY", "FLEET") and rest else text
        try:
            return self.position.map.province(name.split("/")[0]).name
        except MapError:
            return _province(self.read(text))

    def drop(self, value: d.Order) -> Order | None:
        """Remove an order that the server refuses; returns the order, if it is on the sheet."""
        for order, value_given in zip(self.orders, self.values(), strict=True):
            if value_given == value:
                self.clear(str(order))
                return order
        return None

    def left(self) -> int:
        """The number of missing orders."""
        if self.position.phase.kind == "A":
            return abs(self.owed) - len(self.orders)
        return len(self.missing())

    def missing(self) -> list[str]:
        """The units without orders, in Winter the builds or removals due, in words."""
        if self.position.phase.kind != "A":
            places = self.position.orderable().get(self.power, ())
            kinds = {unit.location: unit.kind for unit in self._units()}
            return [
                f"{kinds[location]} {location}"
                for location in places
                if location.partition("/")[0] not in self._given
            ]
        count = self.left()
        if not count:
            return []
        what = "build" if self.owed > 0 else "removal"
        return [f"{count} {what}{'s' if count > 1 else ''}"]

    def _units(self) -> Iterable[Unit]:
        if self.position.phase.kind == "R":
            return [dislodged.unit for dislodged in self.position.dislodged]
        return self.position.units_of(self.power)

    def defaults(self) -> list[Order]:
        """The orders by the rules for missing ones: hold, disband, waive, or remove."""
        if self.owed > 0:
            return [Order(OrderKind.WAIVE)] * self.left()
        plain = [
            order for order in fallback(self.position, self.power) if _province(order) not in self._given
        ]
        return plain[: self.left()]

    def fill(self) -> list[Order]:
        """Write the defaults; returns them."""
        defaults = self.defaults()
        for order in defaults:
            self._write(order)
        return defaults

    def values(self) -> tuple[d.Order, ...]:
        """The orders in DAIDE's words, in the same order. Raises OrderError for one that DAIDE cannot
        express."""
        orders = self.orders
        return tuple(self._value(with_route(order, orders, self.position)) for order in orders)

    def _value(self, order: Order) -> d.Order:
        try:
            return translate.value_of(order, self.power, self.position)
        except OrderError:
            if order.kind != OrderKind.MOVE or not self.lax:
                raise
            # A move out of reach that nobody could convoy, as AOA allows it.
            names = translate.names(self.position.map)
            unit = names.unit_value(Unit(self.power, order.unit, order.location))
            return d.MTO(unit, names.place(order.destination))


class Delivery:
    """The orders of a phase that the server has; every method returns messages to send.

    `held` says whether the server waits for us: None until it has answered, False if it refuses. Then the
    orders stay here until the person confirms.
    """

    def __init__(self, turn: d.SeasonYear) -> None:
        self.turn = turn
        self.held: bool | None = None
        self.done = False
        self.sent: tuple[d.Order, ...] = ()

    def begin(self) -> list[d.Value]:
        """The messages when the phase begins, or when the connection is new."""
        self.held, self.sent = None, ()
        return [HOLDING]

    def changed(self, values: Sequence[d.Order]) -> list[d.Value]:
        """The orders have changed."""
        return self._send(values) if self.held or self.done else []

    def finish(self, values: Sequence[d.Order]) -> list[d.Value]:
        """The person has confirmed: the phase may be played."""
        self.done = True
        return [*self._send(values), d.GOF()]

    def wait(self, values: Sequence[d.Order]) -> list[d.Value]:
        """The person wants to change the orders."""
        self.done = False
        return [HOLDING, *self._send(values)]

    def now(self, values: Sequence[d.Order]) -> list[d.Value]:
        """The deadline is near: everything is sent."""
        return self._send(values)

    def heard(self, message: d.Value, values: Sequence[d.Order]) -> list[d.Value]:
        """React to a message of the server."""
        match message:
            case d.YES(d.NOT(d.GOF())):
                self.held = True
                return self._send(values)
            case d.REJ(d.NOT(d.GOF())):
                self.held = False
        return []

    def _send(self, values: Sequence[d.Order]) -> list[d.Value]:
        """The complete set, because some servers forget earlier orders. It is withdrawn first if an order was
        removed, and if later orders do not replace earlier ones."""
        wanted = tuple(values)
        if wanted == self.sent:
            return []
        units = {_unit(value) for value in wanted}
        replaced = self.turn.season in ("SPR", "FAL") and all(_unit(value) in units for value in self.sent)
        revoked: list[d.Value] = [] if replaced or not self.sent else [d.NOT(d.SUB())]
        self.sent = wanted
        return [*revoked, d.SUB(self.turn, wanted)] if wanted else revoked


def _province(order: Order) -> str:
    return order.location.partition("/")[0]


def _unit(value: d.Order) -> d.Unit | None:
    return None if isinstance(value, d.WVE) else value.unit


def _distances(map: Map, place: str) -> dict[str, int]:
    """Moves from a place to all provinces, by army or by fleet, whichever needs fewer."""
    tag = place.partition("/")[0]
    distances: dict[str, int] = {}
    for kind in "AF":
        for location in map.locations_in(kind, tag):
            for province, count in map.distance(kind, location.name).items():
                distances[province] = min(count, distances.get(province, count))
    return distances


def _unlike(legal: Order, wanted: Order, goal: dict[str, int]) -> tuple[bool, bool, bool, int, bool, str]:
    """A sort key for legal orders, by similarity to a given one."""
    same = legal.kind == wanted.kind
    alike = same or (legal.kind in _SUPPORTS and wanted.kind in _SUPPORTS)
    target = legal.target.partition("/")[0] != wanted.target.partition("/")[0]
    away = goal.get(legal.destination.partition("/")[0], FAR)
    return not alike, target, not same, away, legal.via != wanted.via, str(legal)


# Source: LANGUAGE.md, sections 8 to 10.

#: The lowest level of games with press, and of free text.
PRESS, FREE_TEXT = 10, 8000

#: Messages that yes and no may answer, and those that can be withdrawn.
_ASKING = (p.Propose, p.Insist, p.Suggest, p.Ask, p.AskUnit, p.AskAttack, p.Explain, p.If, p.Why)
_BINDING = (p.Propose, p.Insist, p.Accept)

_Sent = TypeVar("_Sent", d.FRM, d.SND)

EXAMPLE = "write it like: press FRA PRP (PCE (ENG FRA))"


def letter_of(text: str, table: Table, vocabulary: d.Vocabulary) -> d.SND:
    """Press from ``FRA GER PRP (...)``, or in DAIDE's form, ``(FRA GER) (PRP (...))``.

    Raises BordeauxError if it cannot be read, has no recipients, or is above the level of the game.
    """
    _check_level(table, PRESS)
    to, rest = _recipients(text, table)
    if not to or not rest:
        raise BordeauxError(f"press needs powers and a message; {EXAMPLE}")
    if rest.startswith("(") and rest.endswith(")"):
        rest = rest[1:-1]
    try:
        press = d.read_part("press", rest, level=table.level, vocabulary=vocabulary)
    except d.LanguageError as error:
        raise BordeauxError(_fault(rest, error, table)) from None
    return d.SND(None, to, press)


def _fault(text: str, error: d.LanguageError, table: Table) -> str:
    if error.kind == "brackets":
        return f"press: the brackets of {text} do not match"
    marked = d.text((*error.tokens[: error.at], "ERR", *error.tokens[error.at :]))
    if error.kind == "level":
        return f"press: {marked}: what stands behind ERR is above level {table.level}, that of this game"
    return f"press: {marked}: what stands behind ERR is not DAIDE, or something is missing there"


def text_of(text: str, table: Table) -> d.SND:
    """Free text from ``FRA GER how are you``, or ``all ...``. Raises BordeauxError as `letter_of`."""
    _check_level(table, FREE_TEXT)
    to, rest = _recipients(text, table)
    if not to or not rest:
        raise BordeauxError("say needs powers and a text; write it like: say FRA leave Burgundy alone")
    return d.SND(None, to, d.Text(rest))


def talk_of(
    text: str, table: Table, heard: Sequence[d.FRM] = (), sent: Sequence[d.SND] = ()
) -> tuple[d.SND, str]:
    """Press from English, and what was left out: ``FRA peace?``, ``FRA, GER: you take bel``, ``all draw?``.

    Powers after the first are recipients if they are tags in capitals, or before a colon. Yes and no answer
    the last question or proposal of a recipient in `heard`, preferably one without an answer in `sent`, and
    go to all its recipients; without powers, the last of all. A withdrawal concerns the last proposal to them
    in `sent`. Raises BordeauxError as `letter_of`, and if the text is unclear.
    """
    _check_level(table, PRESS)
    map, position, me = table.map, table.position, table.power
    if map is None or position is None or me is None:
        raise BordeauxError("there is nobody to talk to before the game begins")
    to, rest = _english_recipients(text, table)
    asking = [letter for letter in heard if not to or letter.sender in to]
    answered = [letter.press.message for letter in sent if isinstance(letter.press, d.YES | d.REJ | d.BWX)]
    asked, answering = _last([letter for letter in asking if letter.press not in answered], _ASKING, map)
    if asked is None:
        asked, answering = _last(asking, _ASKING, map)
    own, said = _last([letter for letter in sent if not to or {*letter.to} & {*to}], _BINDING, map)
    others = to or (() if asked is None else _all_who_got(asked, table)) or (() if own is None else own.to)
    if not others or not rest:
        raise BordeauxError("talk needs powers and what to say; write it like: talk FRA peace?")
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
            others = _all_who_got(asked, table)
        case p.Cancel(what) if own is not None and what == said:
            others = own.to
        case _ if not to:
            raise BordeauxError("talk needs powers; write it like: talk FRA peace?")
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


def _english_recipients(text: str, table: Table) -> tuple[tuple[str, ...], str]:
    """The tokens of the addressed powers, empty if none is named, and the rest of the text."""
    begin, colon, rest = text.partition(":")
    words = re.split(r"[\s,]+", begin.strip())
    if colon and all(_tokens_of(word, table) for word in words):
        return _once(token for word in words for token in _tokens_of(word, table)), rest.strip()
    to: list[str] = []
    rest = text.strip()
    if rest.partition(" ")[0].upper() in (table.power, table.token(table.power or "")):
        raise BordeauxError("that is yourself; name whom you talk to, like: talk FRA peace?")
    while rest:
        word, _, after = rest.partition(" ")
        tokens = _tokens_of(word, table)
        if not tokens or (to and word.strip(",") not in tokens):
            break
        to, rest = [*to, *tokens], after.strip()
    return _once(to), rest


_ADDRESSED = re.compile(r"(?:to\s+|@)?([^:]{1,80}?)(?:,(?=[^:]*$)|:)\s*(\S.*)", re.IGNORECASE)


def addressed(text: str, table: Table) -> str:
    """A line as `talk_of` reads it if it begins with powers that it speaks to, ``france, peace?``, ``To
    Germany: peace?``, and no order follows; else ""."""
    match = _ADDRESSED.fullmatch(text)
    if match is None or table.map is None or table.power is None:
        return ""
    words = [word for word in re.split(r"[\s,]+", match[1].strip()) if word.lower() != "and"]
    if not words or not all(_tokens_of(word, table) for word in words):
        return ""
    with contextlib.suppress(OrderError):
        read_order(match[2], table.map)
        return ""
    return f"{' '.join(words)}: {match[2]}"


def _tokens_of(words: str, table: Table) -> tuple[str, ...]:
    """The tokens of ``FRA``, ``france,germany`` or ``all``; none if one of them is not a power."""
    map = table.map
    assert map is not None and table.power is not None
    if words.lower() == "all":
        return tuple(map.tags[power] for power in table.survivors if power != table.power)
    try:
        tokens = [map.tags[map.power(word)] for word in words.split(",") if word]
    except MapError:
        return ()
    return tuple(token for token in tokens if token != map.tags[table.power])


def _once(tokens: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tokens))


def _all_who_got(message: d.FRM, table: Table) -> tuple[str, ...]:
    """The sender of press, and all its other recipients."""
    me = table.token(table.power or "")
    return (message.sender, *(power for power in message.to if power not in (me, message.sender)))


def reply_to(message: d.FRM, agree: bool, table: Table) -> d.SND:
    """YES or REJ to press, to its sender and all its other recipients."""
    press = d.YES(message.press) if agree else d.REJ(message.press)
    return d.SND(None, _all_who_got(message, table), press)


def may_follow(text: str, level: int, vocabulary: d.Vocabulary) -> list[str]:
    """The tokens that may come next in unfinished press, brackets included; none after text that is not
    DAIDE."""
    try:
        begun = d.tokens_from_text(text)
    except BordeauxError:
        return []
    words = ["(", ")", *d.press_levels(), *vocabulary.powers, *vocabulary.provinces, "AMY", "FLT"]
    words += ["SPR", "SUM", "FAL", "AUT", "WIN", "HLD", "MTO", "SUP", "CVY", "CTO", "RTO", "DSB", "BLD"]
    words += ["REM", "WVE", "VIA", "VSS", "UNT", "UNO", "THN", "ELS"]
    return [word for word in dict.fromkeys(words) if _fits((*begun, word), level, vocabulary)]


def _fits(tokens: d.Tokens, level: int, vocabulary: d.Vocabulary) -> bool:
    """Whether the last token is allowed in its place, whatever follows."""
    closed = (*tokens, *[")"] * (tokens.count("(") - tokens.count(")")))
    try:
        d.read_part("press", closed, level=level, vocabulary=vocabulary)
    except d.LanguageError as error:
        return error.kind == "syntax" and error.at >= len(tokens)
    return True


def _check_level(table: Table, least: int) -> None:
    if table.level >= least:
        return
    if table.level < PRESS:
        raise BordeauxError("this game has no press (level 0)")
    raise BordeauxError(f"free text needs level {FREE_TEXT}; this game has {table.level}: use press")


def _recipients(text: str, table: Table) -> tuple[tuple[str, ...], str]:
    """The tokens of the powers at the beginning of a text, and the rest of it."""
    map = table.map
    if map is None or table.power is None:
        raise BordeauxError("there is nobody to talk to before the game begins")
    text = text.strip()
    if text.startswith("("):
        inside, _, rest = text[1:].partition(")")
        return tuple(map.tags[map.power(word)] for word in inside.split()), rest.strip()
    to: list[str] = []
    rest = text
    while rest:
        word, _, after = rest.partition(" ")
        if word.lower() == "all":
            to += [map.tags[power] for power in table.survivors if power != table.power]
        else:
            try:
                to += [map.tags[map.power(name)] for name in word.split(",") if name]
            except MapError:
                break
        rest = after.strip()
    if not to and rest:
        word = rest.split()[0]
        raise BordeauxError(f"{quote(word)} is no power{nearest(word, map.powers)}; {EXAMPLE}")
    return tuple(dict.fromkeys(to)), rest
