"""The orders in an answer of a language model, as it comes: with thoughts, in fences, in JSON, with reasons.

What counts for a power is the last complete set of orders, and before all others one below ``ORDERS:``, in a
fence, or in JSON. What was not understood is told in `AnsweredOrders.faults`; nothing is put in its place.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, OrderError, quote
from bordeaux.board.notation import is_condition, parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import read_heading
from bordeaux.board.position import Position
from bordeaux.board.submission import giver, submit
from bordeaux.formats.order_lines import (
    LONGEST_LINE,
    LineHeading,
    LineItem,
    LineNote,
    LineOrder,
    OrderLines,
    begins_order,
)

MOST_JSON = 200
"""Brackets of one answer that are tried as the beginning of JSON."""
LONGEST_VALUE = 20_000
"""Letters of a value as Python writes it."""
LAST_WORDS = 20
"""Lines at the end of an answer that may say which of its options is chosen."""
_FENCE = re.compile(r"\s*(?:```|~~~)\s*\w*\s*$")
_LABEL = re.compile(r"[\s#*_>-]*(?:[\w']+\s+){0,3}orders?\W*(?::|$)(?!.*\?)", re.IGNORECASE)
_MARKED = re.compile(
    r"^([\s\d.)*+-]*)(?:`([^`]+)`|\*\*([^*]+)\*\*)(?!\s*(?::|via(?: convoy)?\W*$))\s*(.*)$", re.IGNORECASE
)
_OTHER = re.compile(r"[\s#*_>-]*(?:alternat|back-?up|rejected|discarded|plan b|not )", re.IGNORECASE)
_OPTION = r"(?:option|plan|variant)[ *_]*#?(\w)\b"
_OVER_OPTION = re.compile(
    rf"[\s#*_>-]*{_OPTION}(?: ?\([^()]*\))?[\s*_]*(?:[:\u2013\u2014-][\s*_]*|$)", re.IGNORECASE
)
"""A line over one of several sets, or before one (``Option A (safe):``)."""
_CHOOSES = re.compile(
    r"(?:^|[.!?:;,]\s|\b(?:i|we|(?:i|we)(?:['\u2019]ll| will)|therefore|so|thus)\s)[\s*_]*"
    r"(?:choose|go with|take|pick|select|recommend|decide (?:on|for)"
    rf"|(?:my |our |the )?(?:final )?(?:decision|choice)(?: is)?:?)[\s*_]+(?:the )?{_OPTION}"
    r"(?=[\s*_]*(?:$|[^\s\w]|(?:over|because|since|as|for|instead|rather)\b))",
    re.IGNORECASE,
)
_UNGIVEN = re.compile(
    r"(?!.*\b(?:so|but|and|now|this|hence|therefore)\b)\W*"
    r"(?:(?:last|previous) (?:turn|year|time|phase|spring|fall)\b"
    r"|(?:please )?(?:do not|don['\u2019]t|never) (?:order|play|move|submit|send)\b"
    r"|i (?:considered|rejected|thought (?:of|about))\b)",
    re.IGNORECASE,
)
"""How a sentence begins whose orders are of another turn, or not given."""
_PROSE = re.compile(r"([^:.!?;]*?[a-z] )(?:A|F|Army|Fleet) [A-Za-z]{3}(?!.*[.!?;]\s+\w)")
_WRAPPED = re.compile(r"\\boxed\{([^{}]*)\}|</?orders?>|(?<!`)`(?!`)(?=\W*(?:and\s+)?`)", re.IGNORECASE)
_OPENING = re.compile(
    r"^[ \t]*(?:(?:(?:here are|my|our|the|final) ){0,3}orders? are\b"
    r"|(?:i|we) (?:hereby )?(?:order|submit|play)\b|step \d{1,2} ?:"
    r"|[\u2600-\u260f\u2614-\u26d3\u26d5-\u26ff\U0001f300-\U0001f6aa\U0001f6ac-\U0001faff]\ufe0f?)[ \t]*:?",
    re.IGNORECASE,
)
"""What stands before the orders of a line, and pictures that are no crosses."""
_UNIT = frozenset({"unit", "from", "location", "source", "origin"})
_VERB = ("action", "verb", "order")
UNITS = ("A", "F", "ARMY", "FLEET")
_ORDER = ("order", "orders", "command")
_REASONS = frozenset({"reason", "reasons", "reasoning", "why", "explanation", "comment", "note", "thoughts"})


class AnsweredOrders(NamedTuple):
    """The orders of a power in an answer, illegal ones too; and a sentence for each order that could not be
    read or is illegal, and for each unit without one."""

    orders: list[Order]
    faults: list[str]


def orders_in_answer(text: str, position: Position, power: str) -> AnsweredOrders:
    """The orders that an answer gives to the units of a power (by name or tag). Raises MapError for an
    unknown power."""
    owner = position.map.power(power)
    orders: list[Order] = []
    faults: list[str] = []
    for order in texts_in_answer(text, position, owner).get(owner, ()):
        try:
            orders.append(parse_order(order, position.map, position))
        except BordeauxError as error:
            faults.append(str(error))
    submitted = submit(position, {owner: orders}).orders
    faults += [f"{given.order} is illegal: {given.fault}" for given in submitted if given.fault]
    missing = _needed(position, owner) - {given.province for given in submitted if not given.fault}
    faults += [f"there is no legal order for the unit in {place}" for place in sorted(missing)]
    return AnsweredOrders(orders, faults)


def texts_in_answer(text: str, position: Position, owner: str = "") -> dict[str, list[str]]:
    """The orders by power in an answer as they stand in it, those that cannot be read too, and an empty
    list for a power that is named without one. Without a power they are of `owner`, or of none ("")."""
    texts: dict[str, list[str]] = {}
    for item in answer_lines(text, position, owner):
        if isinstance(item, str):
            texts.setdefault(item, [])
        if isinstance(item, str | LineHeading) or item.phase not in (None, position.phase):
            continue
        tried = isinstance(item, LineOrder) or str(item.error).startswith("order ")
        if tried and (begins_order(item.text) or (isinstance(item, LineOrder) and item.written.unit)):
            texts.setdefault(item.power or owner, []).append(item.text)
    return texts


def _needed(position: Position, power: str) -> set[str]:
    """The provinces whose units must be ordered; none in Winter."""
    places = position.orderable().get(power, ()) if position.phase.kind != "A" else ()
    return {place.partition("/")[0] for place in places}


def answer_lines(text: str, position: Position, power: str = "") -> list[LineItem]:
    """What the lines of an answer say, as `OrderLines` collects it; orders that a later set for the phase of
    the position replaces are notes. Orders without a power are of `power`, or of the owner of the unit."""
    reader = OrderLines(position.map, reasons=True, position=position, owner=power)
    marks: set[int] = set()
    others: set[int] = set()
    lines = [*_plain_lines(text)]
    for number, line in _with_choice(lines, reader, power) if power else lines:
        if _FENCE.match(line) is not None or _LABEL.match(line) is not None:
            reader.end()
            marks.add(len(reader.items))
        if _OTHER.match(line) is not None and _LABEL.match(line) is not None:
            others.add(len(reader.items))
        told = _PROSE.match(line)
        if told is not None and _UNGIVEN.match(told[1]) is not None:
            reader.set_aside(number, line, "it tells of orders that are not given")
        elif _FENCE.match(line) is None:
            reader.take(number, _without_reason(line, reader))
    reader.end()
    return _settled(reader.items, marks, others, position, power)


def _with_choice(lines: list[tuple[int, str]], reader: OrderLines, power: str) -> list[tuple[int, str]]:
    """The lines of a power's answer, and once more those of the option that the last words choose (``I go
    with option A.``), if there are no orders behind them."""
    for at in range(len(lines) - 1, max(-1, len(lines) - 1 - LAST_WORDS), -1):
        number, line = lines[at]
        if len(line) > LONGEST_LINE or reader.has_orders(line):
            break
        if (chosen := _CHOOSES.findall(line)) and not is_condition(line):
            again = [(number, f"{power} ORDERS:")]
            picked = False
            for told, text in lines[:at]:
                if (over := _OVER_OPTION.match(text)) is not None:
                    picked = over[1].lower() == chosen[-1].lower()
                    text = text[over.end() :]
                if picked:
                    again.append((told, text))
            return [*lines, *again] if len(again) > 1 else lines
    return lines


class _Set:
    """Orders of one power that stand together; `begun` says that a label or a fence stands before them."""

    def __init__(self, begun: bool) -> None:
        self.begun, self.broken = begun, False
        self.places: set[str] = set()
        self.orders: dict[int, LineOrder] = {}


def _settled(
    items: Sequence[LineItem], marks: set[int], others: set[int], position: Position, power: str
) -> list[LineItem]:
    """The items, with the orders of all but the best set of each power as notes. Sets begin at `marks`; those
    at `others` are what the answer does not choose."""
    sets: dict[str, list[_Set]] = {}
    current: dict[str, _Set] = {}
    begun = False
    for at, item in enumerate(items):
        if at in marks:
            current, begun = {}, at not in others
        if isinstance(item, LineHeading) or (isinstance(item, LineNote) and not item.left_out):
            current, begun = {}, False
        elif isinstance(item, LineNote) and not begins_order(item.text):
            # Behind other words no label stands before the orders any more.
            begun = begun and not current
            for one in current.values():
                one.broken = True
        elif isinstance(item, LineOrder) and (item.phase is None or item.phase == position.phase):
            with suppress(BordeauxError):
                order = parse_order(item.text, position.map, position)
                owner = item.power or power or giver(order, position)
                chosen = current.get(owner)
                if chosen is None or (chosen.broken and order.province in chosen.places):
                    chosen = current[owner] = _Set(begun)
                    sets.setdefault(owner, []).append(chosen)
                chosen.places |= {order.province} - {""}
                chosen.orders[at] = item
    settled = list(items)
    for owner, listed in sets.items():
        needed = _needed(position, owner)
        ranks = [(one.begun, bool(needed) and needed <= one.places, n) for n, one in enumerate(listed)]
        for one in listed[: max(ranks)[2]] + listed[max(ranks)[2] + 1 :]:
            for at, order_line in one.orders.items():
                error = OrderError(f"{quote(order_line.text)} is replaced by another set of orders")
                settled[at] = LineNote(order_line.phase, owner, order_line.line, error, order_line.text)
    return settled


def _without_reason(line: str, reader: OrderLines) -> str:
    """A line that begins with an order in backticks or in bold, without the reason behind it. A condition
    is none."""
    match = _MARKED.match(line)
    if match is None or not reader.has_orders(match[2] or match[3]):
        return line
    if reader.has_orders(match[4]) or is_condition(match[4], first=True):
        return line
    return f"{match[1]}{match[2] or match[3]}"


def _plain_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of an answer with their numbers, and the JSON in it as lines of orders."""
    text = _WRAPPED.sub(lambda match: f"\r{match[1] or ''}\r", text)
    made: list[str] = []
    ends = _closed(text)
    at = 0
    for begin in (match.start() for match in islice(re.finditer(r"[{\[]", text), MOST_JSON)):
        if begin < at:
            continue
        end, value = _value(text, begin, ends.get(begin, 0))
        quoted = value == {} or re.search("['\"]", text[begin:end]) is not None  # No footnote, as [1].
        if isinstance(value, list | dict) and quoted:
            said = [order.replace("\n", "\r") for order in lines_of_json(value)]
            goes_on = made and not text[at:begin].strip(", \n")
            label = "" if goes_on or not said else "ORDERS:"
            made.append("\r".join([text[at:begin], label, *said, "\n" * text.count("\n", begin, end)]))
            at = end
    for number, line in enumerate("".join([*made, text[at:]]).split("\n"), 1):
        yield from ((number, _OPENING.sub("", part)) for part in line.splitlines())


def _closed(text: str) -> dict[int, int]:
    """Where each bracket that is closed begins, and where its closing one ends, of whatever kind."""
    begun: list[int] = []
    ends = {}
    for match in re.finditer(r"[{}\[\]]", text):
        if match[0] in "{[":
            begun.append(match.start())
        elif begun:
            ends[begun.pop()] = match.end()
    return ends


def _value(text: str, begin: int, close: int) -> tuple[int, Any]:
    """A value in JSON or as Python writes it, and where it ends; 0 for other text. `close` is where its
    brackets end, or 0."""
    with suppress(ValueError, RecursionError):
        value, end = json.JSONDecoder(object_pairs_hook=_of_pairs).raw_decode(text, begin)
        return end, value
    if 0 < close <= begin + LONGEST_VALUE:
        with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return close, ast.literal_eval(text[begin:close])
    return 0, None


def _of_pairs(pairs: list[tuple[str, Any]]) -> Any:
    """An object of JSON, or one of each pair if a key stands twice."""
    return whole if len(whole := dict(pairs)) == len(pairs) else [{key: value} for key, value in pairs]


def lines_of_json(value: Any) -> Iterator[str]:
    """The texts of orders in a value, and the names of powers before them; other things as JSON."""
    if isinstance(value, list | tuple):
        for item in value:
            flat = isinstance(item, dict) and not any(isinstance(said, list | dict) for said in item.values())
            yield from lines_of_json((flat and _sentence(item)) or item)
    elif isinstance(value, dict):
        named = {str(key).lower(): item for key, item in value.items()}
        inner = [named[key] for key in ("powers", "orders") if named.get(key) is not None]
        if inner:
            for said in filter(None, (named.get("phase"), named.get("name"))):
                if isinstance(said, str) and (heading := read_heading(said)) is not None and not heading.rest:
                    yield said
            if (power := named.get("power")) is not None:
                yield f"{power}:" if isinstance(power, str) else f"power {json.dumps(power, default=str)}:"
            for item in inner:
                yield from lines_of_json(item)
            return
        for key, item in value.items():
            if isinstance(item, list | tuple | dict | None):
                yield f"{str(key).replace('_', ' ')}:"
                yield from lines_of_json(item or [])
            elif (unit := str(key).strip()).lower() not in _REASONS:
                item = str(item)
                place = re.sub(r"^[AF] |[\W\d_]+$", "", unit.upper())
                whole = place.lower() in _ORDER or re.sub(r"^[AF] ", "", item.upper()).startswith(place)
                yield item if whole else f"{unit} {item}" if " " in unit else f"{unit}: {item}"
    else:
        yield value if isinstance(value, str) and value.strip() else json.dumps(value, default=str)


def _sentence(item: dict[Any, Any]) -> str:
    """An order in an object, as ``{"unit": "A PAR", "action": "move", "to": "PIC"}``."""
    named = {str(key).lower(): said for key, said in item.items() if isinstance(said, str)}
    whole = next((named[key] for key in _ORDER if key in named), "")
    if whole.split()[:1] and whole.split()[0].upper() in (*UNITS, "WAIVE"):
        return whole

    def rank(key: str) -> int:
        unit = _UNIT & set(key.split("_")) or named[key].upper() in UNITS
        return 0 if unit else 1 if key in _VERB else 2

    return " ".join(named[key] for key in sorted((key for key in named if key not in _REASONS), key=rank))
