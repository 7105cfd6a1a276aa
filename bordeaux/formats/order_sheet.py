"""The orders of several powers in plain text, in the formats of people and sites.

::

    Spring 1901
    FRANCE: A PAR - BUR
            A MAR S A PAR - BUR; F BRE - MAO
    Austria
    The army at Vienna move to Galicia. (bounced)

A power precedes its orders, on a line of its own or on the same line, with a colon or as a full name. Without
a power, an order belongs to the owner of the unit. A phase in the text must be that of the position. Orders
are separated by lines, semicolons or commas. ``#`` begins a comment. The results that sites print at the end
of a line are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bordeaux.board.errors import BordeauxError, FormatError, MapError, OrderError, PositionError, quote
from bordeaux.board.notation import parse_order
from bordeaux.board.notation_words import COASTS
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import check

__all__ = ["orders_from_text"]

LONGEST_LINE = 20_000
MOST = 1000
"""Orders of one phase; the largest map has 255 provinces."""

_BULLET = re.compile(r"(?:[-*\u2022]|\d{1,3}[.)])\s+")
_HEADER = re.compile(r"(?:the\s+)?(?P<power>[^\W\d_]{2,40})\s*:(?P<rest>.*)", re.IGNORECASE)
_NAMED = re.compile(r"(?P<power>[^\W\d_]{2,40})\s+(?P<rest>.+)")
_CAME_OF_IT = re.compile(
    r"[\s.]*\((?:succe(?:ss|eds|eded|ssful)|ok|fails?|failed|bounced?|cut|dislodged|void|invalid|illegal|"
    r"no convoy|disrupted)\)[\s.]*",
    re.IGNORECASE,
)
_NO_ORDERS = frozenset({"", "NONE", "NO ORDERS", "-", "(NONE)", "(NO ORDERS)", "NMR"})
_PHASE_WORDS = re.compile(
    r"(?:phase\b\s*:?\s*)?(?P<phase>[a-z]\d{1,4}[a-z]|[a-z]+,?\s+\d{1,4}\b.*?):?", re.IGNORECASE
)


def orders_from_text(text: str, position: Position) -> dict[str, list[Order]]:
    """Read orders by power for `position`; a power without an order has an empty list.

    Raises OrderError, FormatError or MapError: one line, which begins with the line number if the text has
    several.
    """
    orders: dict[str, list[Order]] = {}
    power: str | None = None
    count = 0
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        try:
            if len(line) > LONGEST_LINE:
                raise OrderError(
                    f"{quote(line)} is too long: more than {LONGEST_LINE:,} characters in a line"
                )
            content = line.partition("#")[0].strip()
            content = content[bullet.end() :] if (bullet := _BULLET.match(content)) else content
            if _is_phase(content, position):
                continue
            header, content = _header(content, position)
            if header is not None:
                power = header
                orders.setdefault(power, [])
            for piece in _pieces(content):
                header, said = _header(piece, position)
                if header is not None:
                    power = header
                    orders.setdefault(power, [])
                if not said:
                    continue
                order = _read(said, power, position)
                count += 1
                if count > MOST:
                    raise OrderError(f"more than {MOST:,} orders; no phase has that many")
                orders.setdefault(power or _giver(order, position), []).append(order)
        except BordeauxError as error:
            where = f"line {number}: " if len(lines) > 1 else ""
            raise type(error)(f"{where}{error}") from None
    return orders


def _is_phase(content: str, position: Position) -> bool:
    """Whether a line names a phase, which must be that of the position. Raises FormatError."""
    match = _PHASE_WORDS.fullmatch(content)
    if match is None:
        return False
    try:
        phase = Phase.parse(match["phase"].rstrip(":."))
    except PositionError:
        return False
    says_season = re.search(r"\d+\W*$", match["phase"]) is None
    if (phase if says_season else phase[:2]) != (position.phase if says_season else position.phase[:2]):
        raise FormatError(f"these orders are for {quote(content)}, and the position is {position.phase}")
    return True


def _header(content: str, position: Position) -> tuple[str | None, str]:
    """The power at the beginning of a line, if any, and the rest. Raises MapError."""
    match = _HEADER.fullmatch(content)
    name = match["power"] if match else content
    try:
        return position.map.power(name), match["rest"].strip() if match else ""
    except MapError:
        if match is not None:
            raise
    named = _NAMED.fullmatch(content)
    # A tag may be a province's as well (ENG), and so may a name on other maps.
    if named and named["power"].upper() in position.map.powers and not _is_province(named["power"], position):
        return named["power"].upper(), named["rest"]
    return None, content


def _is_province(name: str, position: Position) -> bool:
    try:
        position.map.province(name)
    except MapError:
        return False
    return True


def _pieces(content: str) -> Iterator[str]:
    """The orders of a line, separated by commas, except a comma before a coast."""
    for part in content.split(";"):
        held = ""
        for piece in part.split(","):
            first = re.findall(r"[^\W_]+", piece.upper())[:1]
            if held and first and first[0] in COASTS:
                held += "," + piece
                continue
            yield from _said(held)
            held = piece
        yield from _said(held)


def _said(piece: str) -> Iterator[str]:
    """The piece without the result of the order, if an order remains."""
    text = piece.strip()
    while (match := re.search(_CAME_OF_IT.pattern + "$", text, re.IGNORECASE)) is not None:
        text = text[: match.start()].strip()
    if text.upper() not in _NO_ORDERS:
        yield text


def _read(text: str, power: str | None, position: Position) -> Order:
    try:
        return parse_order(text, position.map, position)
    except OrderError as error:
        raise OrderError(f"{power}: {error}" if power else str(error)) from None


def _giver(order: Order, position: Position) -> str:
    """The power that can give an order, or else the owner of the unit. Raises OrderError."""
    able = [power for power in position.map.powers if not check(position, power, order).fault]
    if len(able) == 1:
        return able[0]
    if able or order.kind == OrderKind.WAIVE:
        raise OrderError(f"{order}: whose order is this? write it like '{position.map.powers[0]}: {order}'")
    province = order.location.partition("/")[0]
    units = [*(dislodged.unit for dislodged in position.dislodged), *position.units]
    owner = next((unit.power for unit in units if unit.province == province), None)
    if owner is None and order.kind == OrderKind.BUILD:
        homes = position.map.homes
        owner = next((power for power in position.map.powers if province in homes[power]), None)
    if owner is None:
        # No power is to blame; the first has it among its orders, where it is void.
        return position.map.powers[0]
    return owner
