"""Reading orders in the notations that people use; ``str(order)`` writes them.

The canonical notation is that of DATC and of the PyPI package ``diplomacy``:

- ``A PAR - BUR``, ``A PAR H``, ``A LON - NWY VIA``;
- ``A MAR S A PAR - BUR``, ``A MAR S A PAR``, ``F NTH C A LON - NWY``;
- ``A PAR R GAS``, ``A PAR D``, ``F STP/NC B``, ``WAIVE``.

Input may differ from it in these ways:

- any case and accents, full names, whole words for the letters, and numbers before the order;
- any dash or arrow, ``to`` or nothing for ``-``; brackets anywhere (``A(Par)-Bur``, ``S (A Par-Bur)``);
- the verb first (``build A PAR``, ``Retreat A Par - Gas``), and ``OTB`` for a retreat off the board;
- results at the end (``succeeds``, ``(*cut, dislodged*)``, ``[Failed]``), which `read_order` gives;
- nationalities, which are ignored (DATC 4.C.5 and 4.C.6);
- the fleets of a convoy as steps of its path (``A LON - NTH - NWY``);
- sentences of webDiplomacy (``The army at Marseilles support move to Burgundy from Paris``) and of judges;
- the words of godip (``Mar Support Par Bur``).

Unambiguous omissions are filled in (DATC 4.E.2). The map gives the one coast that a fleet can reach (4.B.2)
and the only possible kind of a unit (4.C.3). A position also gives the kind and coast of the unit, whatever
was written (4.B.5, 4.C.1, 4.C.2). It adds ``VIA`` where an army can only go by convoy. Meaningless coasts are
dropped (4.B.6). A coast that exists and cannot be reached is kept, which makes the order illegal (4.B.3).
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple, Protocol

from bordeaux._ext.rules.packed import Packed
from bordeaux.board.errors import MapError, OrderError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation_words import RESULTS, UNIT_WORDS, Cursor, Place
from bordeaux.board.order import Dislodged, Order, OrderKind, Unit
from bordeaux.board.phase import Phase

# What of a text is no order: quoted, struck, crossed or commented out, conditional, or said to somebody. One
# rule for lists, files, JSON, tools and Python: `unmeant` text is refused, or left out with a note. A comment
# behind an order and the tick of a list are dropped (`bare_order`).

SPOKEN = "it is said to somebody"

# Somebody agrees, at the end of what is said: "once Germany agrees we go on" tells of a later turn.
_AGREES = (
    r"(?:(?:once|as soon as)(?:\s+\w+){1,2}?|should\s+(?:(?-i:[A-Z])\w*|the \w+|s?he|they|you))"
    r"\s+(?:(?:agree|accept|confirm|consent|approve|allow)s?|ha(?:s|ve) (?:agreed|accepted|confirmed))"
    r"(?=(?:\s+(?:to|with))?(?:\s+(?:it|this|that))?\W*$|\s*:)"
)
_CONDITION = re.compile(
    rf"\b(?:{_AGREES}"
    r"|if|unless|in case|provided|assuming|otherwise|maybe|perhaps|possibly|when(?:ever)?|depend(?:s|ing)"
    r"|alternatively|wenn|falls|sinon|sauf si|only as|as long as|except|pending(?= \w)|subject to"
    r"|(?:conditional|tentative|provisional)(?:ly)?|(?<=[(\[])or|or(?=\s[AF]\s))\b",
    re.IGNORECASE,
)
_LEADING = re.compile(
    rf"\W*(?:(?:but )?only )?(?:(?:should(?! (?:be|have|not)\b)|else)\b|{_CONDITION.pattern})", re.IGNORECASE
)
_ITEM = r"\s*(?:[-*+\u2022]\s*|\d{1,3}[.)]\s*)?"
_UNMEANT = tuple(
    (re.compile(pattern, re.IGNORECASE), why)
    for pattern, why in (
        (r"\s*(?:>|&gt;|[\u00bb\u2502\u2503\u2595\u258e\u258c]|\|(?![^\n]*\|))\s*\S", "it is quoted"),
        (r"\[/?quote\b", "it is quoted"),
        (rf"{_ITEM}(?:~~|\[/?(?:s|strike|del)\]|</?(?:s|strike|del)>)", "it is struck out"),
        (rf"{_ITEM}~[^~]+~\s*$", "it is struck out"),
        (r".*?(?:[\u0335-\u0338\u2260\u219a\u219b\u21ae\u21cd-\u21cf]|(?<!<)![-=]|-!)", "it is struck out"),
        (
            r"[^(\[]*?(?:[(\[]|\s[-\u2013\u2014]{1,2})\s*(?:cancel|withdr|revoked|retracted|old\b|obsolete|superseded|replaced|deleted"
            r"|scrapped|scratch|draft|ignore|rejected|crossed|struck|not (?:sent|used|ordered|played))",
            "it is withdrawn",
        ),
        (rf"{_ITEM}(?://|/\*|<!--|;)", "it is commented out"),
        (
            rf"{_ITEM}(?:[\u2610\u2612\u2613\u2715-\u2718\u274c\u274e\U0001f6ab\u26d4\u2573]"
            r"|\[[ ~-]?\]\s|\( ?\)\s)",
            "it is crossed out",
        ),
        (
            rf"{_ITEM}[*_]*(?:from|to|sen[dt]|tell|told|message|msg|dm|pm|press|broadcast|rumou?r|gossip"
            r"|letter|note to)\b[^:]{0,60}:|\s*@\w+\s",
            SPOKEN,
        ),
    )
)
_SPANS = re.compile(
    r"~~.*?~~|/\*.*?\*/|<!--.*?-->|\[(s|strike|del|quote)\b[^\]]*\].*?\[/\1\]"
    r"|<(s|strike|del|think|thinking|reasoning)>[^<]*</\2>",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"(?<!:)\s//(?!\s{1,9}(?:[AF]|army|fleet)\s\w+\s*"
    r"(?:[-=>\u2192]|(?:[HSCM]|holds?|supports?|convoys?|to)\b)).*$|\s\u2190.*$",
    re.IGNORECASE,
)
"""A comment behind an order, which is no second order."""
_TICK = re.compile(rf"{_ITEM}(?:\[[xX\u2713\u2714]\]|[\u2705\u2611])\s*")


def is_condition(text: str, *, first: bool = False) -> bool:
    """Whether a text makes an order depend on something, as ``if Germany agrees``, with its `first` word."""
    return (_LEADING.match(text) if first else _CONDITION.search(text)) is not None


def unmeant(text: str, *, line: bool = False) -> str:
    """Why a text is no order although it may have the words of one; "" if nothing speaks against it. Of a
    `line`, which may have several, only what concerns all of them counts."""
    for pattern, why in _UNMEANT:
        if pattern.match(text) is not None:
            return why
    if _SPANS.search(text) is not None:
        return "a part of it is struck out or commented out"
    return "it has a condition, and orders have none" if is_condition(text, first=line) else ""


def bare_order(text: str) -> str:
    """A text without the comment behind it (``// x``) and the tick before it (``[x]``)."""
    tick = _TICK.match(text)
    text = text if tick is None else text[tick.end() :]
    comment = _BEHIND.search(text)
    return text if comment is None or is_condition(comment[0]) else text[: comment.start()]


def without_spans(text: str) -> str:
    """A line without its parts that are struck out, commented out or quoted."""
    return _SPANS.sub(" ", text)


_BLOCKS = tuple(
    (re.compile(begin, re.IGNORECASE), re.compile(end, re.IGNORECASE), why)
    for begin, end, why in (
        (r"/\*", r"\*/", "it is commented out"),
        (r"<!--", r"-->", "it is commented out"),
        (r"~~(?=[^\W_])", r"~~", "it is struck out"),
        (r"[<\[](?:s|strike|del)[>\]](?=\S)", r"[<\[]/(?:s|strike|del)[>\]]", "it is struck out"),
        (
            r"<(?:think|thinking|details|blockquote|reasoning)\b[^>]*>",
            r"</(?:think|thinking|details|blockquote|reasoning)>",
            "it is set apart",
        ),
        (r"\[(?:quote|spoiler)\b[^\]]*\]", r"\[/(?:quote|spoiler)\]", "it is quoted"),
        (r"^\W*(?:press|broadcast)(?: to\b.*)?\W*$", r"^\W*end ?(?:press|broadcast|\W*$)", SPOKEN),
    )
)


class LineBlocks:
    """Follows the blocks of lines that are no orders: comments, thoughts, quotes, messages."""

    def __init__(self) -> None:
        self._end: re.Pattern[str] | None = None
        self._why = ""

    def why(self, line: str) -> str:
        """Why a line is no order because of the block that it lies in; "" if it lies in none."""
        if self._end is not None:
            why = self._why
            if self._end.search(line) is not None:
                self._end = None
            return why
        for begin, end, why in _BLOCKS:
            if (match := begin.search(line)) is not None and end.search(line, match.end()) is None:
                self._end, self._why = end, why
                return why
        return ""


class Placement(Protocol):
    """The units, the owners, and the phase. A `bordeaux.board.position.Position` is one: it calls
    functions that read and check orders, which therefore must not import it."""

    @property
    def map(self) -> Map:
        """The map of all names."""

    @property
    def phase(self) -> Phase:
        """The phase."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """The undislodged units, by power and location."""

    @property
    def dislodged(self) -> tuple[Dislodged, ...]:
        """The dislodged units with their retreats."""

    @property
    def packed(self) -> Packed:
        """The packed form for the core."""

    def unit_at(self, province: str) -> Unit | None:
        """The undislodged unit in a province."""

    def adjustments(self, power: str) -> int:
        """Builds (positive) or removals (negative) due for a power."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HOLDS = _words("H HOLD HOLDS HLD HELD STAND STANDS STND HOLDING STANDING STAY STAYS REMAIN REMAINS")
MOVES = _words(
    "- TO INTO M MOVE MOVES MOVED MOV MV MTO CTO ATTACK ATTACKS GO GOES MOVING ADVANCE ADVANCES ORDERED"
)
MOVES_BY_CONVOY = _words("MOVEVIACONVOY")
FROM = _words("FROM")
SUPPORTS = _words("S SUPPORT SUPPORTS SUPPORTED SUP SUPP SPT SUPPORTING")
CONVOYS = _words("C CONVOY CONVOYS CONV CVY CONVOYING TRANSPORT TRANSPORTS")
RETREATS = _words("R RETREAT RETREATS RETREATED RET RTO RETREATING")
REMOVES = _words("REMOVE REMOVES REMOVED DESTROY DESTROYS DESTROYED REM REMOVING")
DISBANDS = REMOVES | _words("D DIS DISBAND DISBANDS DISBANDED DISBANDING DSB OTB OFF ANNIHILATED ELIMINATED")
BUILDS = _words("B BUILD BUILDS BUILT BLD BUILDING ADD ADDS")
WAIVES = _words("WAIVE WAIVES WAIVED WVE WAIT PASS POSTPONED PENDING UNUSED UNUSABLE")
BY = _words("VIA BY WITH C CONVOYED")
BY_CONVOY = _words("CONVOY CONVOYS C SEA")
NO_ORDER = _words("PROCESSED RECEIVED GIVEN")
_UNUSED = ("DO", "NOT", "USE", "BUILD", "ORDER")
_DASHED = _words("- TO")
_AIM = re.compile(r"\(\s*(?:-|to|into|going)\s[^()]*\)\W*$", re.IGNORECASE)
"""What a unit may do next, told behind its order."""
_ENDS = {"", *RESULTS} - {"CONVOY"} - MOVES
# One letter after a dash may begin a name.
_AFTER_DASH = HOLDS | SUPPORTS | CONVOYS | RETREATS | DISBANDS | (BUILDS - {"B"})


class Written(NamedTuple):
    """An order as written, without omissions filled in. `removes` tells a removal from a retreat off the
    board. `came` is its result in our words (empty for success), None if none is given."""

    kind: OrderKind
    unit: Place | None = None
    target: Place | None = None
    destination: Place | None = None
    via: bool = False
    removes: bool = False
    came: tuple[str, ...] | None = None


def parse_order(text: str, map: Map, position: Placement | None = None) -> Order:
    """Read one order; with a `position`, omissions are filled in from it.

    The order need not be legal. Raises OrderError if the text is not an order, names something that is not on
    the map, or is ambiguous.
    """
    if not isinstance(text, str):
        raise OrderError(f"an order is text such as 'A PAR - BUR', not {quote(text)}")
    return _complete(read_order(text, map), text, map, position)


@functools.lru_cache(maxsize=1 << 16)
def read_order(text: str, map: Map, *, hints: bool = True) -> Written:
    """An order as written, without a position. Raises OrderError, also for what is no order although it has
    the words of one (`unmeant`); without `hints` it does not say which name is like a wrong
    one.

    Games repeat the same few thousand texts, hence the cache.
    """
    if why := unmeant(text):
        raise OrderError(f"order {quote(text)}: {why}")
    cursor = Cursor(bare_order(text), map, hints=hints)
    written = _read_order(cursor)
    if (aim := _AIM.search(text)) is not None and _has_goal(text[: aim.start()], map):
        raise cursor.fail(f"cannot read {quote(aim[0])} at its end")
    rest = cursor.rest().split()
    if rest and rest[0] not in RESULTS.keys() - {"CONVOY", "ORDERED"}:
        raise cursor.fail(f"cannot read {quote(cursor.rest())} at its end")
    said = [*rest, *reversed(cursor.came)]
    came = tuple(dict.fromkeys(filter(None, (RESULTS.get(word, "") for word in said))))
    return written._replace(came=came if said else None)


def _has_goal(text: str, map: Map) -> bool:
    """Whether a text is an order with a destination."""
    try:
        return _read_order(Cursor(text, map, hints=False)).destination is not None
    except (OrderError, MapError):
        return False


def _read_order(cursor: Cursor) -> Written:
    if not cursor.rest():
        raise cursor.fail("there is nothing in it; write it like 'A PAR - BUR'")
    if (waived := _read_waived(cursor)) is not None:
        return waived
    if cursor.peek(1) and not cursor.at_place() and (first := _read_verb_first(cursor)) is not None:
        return first
    unit = cursor.unit()
    if cursor.peek() in _DASHED and cursor.peek(1) in _AFTER_DASH and not cursor.at_place(1):
        cursor.at += 1
    if cursor.take_any(HOLDS) or cursor.take("NO", "ORDER"):
        cursor.take_any(NO_ORDER)
        return Written(OrderKind.HOLD, unit)
    if cursor.take_any(SUPPORTS):
        if cursor.peek() in MOVES and cursor.peek(1) in UNIT_WORDS and not cursor.at_place():
            cursor.at += 1  # Support move A Par - Bur.
        elif cursor.peek() in MOVES | HOLDS:
            return _read_support_sentence(cursor)._replace(unit=unit)
        target = cursor.unit()
        if cursor.peek() in _ENDS or cursor.take_any(HOLDS) or _take_to_hold(cursor):
            return Written(OrderKind.SUPPORT_HOLD, unit, target)
        return Written(OrderKind.SUPPORT_MOVE, unit, target, _read_goal(cursor))
    if cursor.take_any(CONVOYS):
        if cursor.peek() in MOVES and cursor.peek(1) in UNIT_WORDS:
            cursor.at += 1  # Convoy move A Lon - Nwy.
        elif cursor.peek() in MOVES:
            goal = _read_path(cursor).destination
            return Written(OrderKind.CONVOY, unit, _read_origin(cursor), goal)
        return Written(OrderKind.CONVOY, unit, cursor.unit(), _read_goal(cursor))
    if cursor.take_any(RETREATS):
        while cursor.take_any(MOVES):
            pass
        if not cursor.at_place() and _take_disband(cursor):
            return Written(OrderKind.DISBAND, unit)
        return Written(OrderKind.RETREAT, unit, destination=cursor.place())
    if verb := _take_disband(cursor):
        return Written(OrderKind.DISBAND, unit, removes=verb in REMOVES)
    if cursor.take_any(BUILDS):
        return Written(OrderKind.BUILD, unit._replace(kind=cursor.kind() or unit.kind))
    if cursor.take_any(MOVES_BY_CONVOY):
        return Written(OrderKind.MOVE, unit, destination=cursor.place(), via=True)
    if cursor.at_place() and (unit.kind or not cursor.parted):  # Two names in a list are no order.
        return Written(OrderKind.MOVE, unit, destination=cursor.place(), via=_take_via(cursor))
    return _read_path(cursor, unit.kind)._replace(unit=unit)


def _read_waived(cursor: Cursor) -> Written | None:
    """Read ``WAIVE``, ``Build waived``, ``2 unused builds pending``, ``Wait``, ``Do not use build order``."""
    words = [word for word in cursor.tokens[cursor.at :] if word not in ("A", "ONE") and not word.isdecimal()]
    if tuple(words) != _UNUSED and not (
        all(word in WAIVES or word in BUILDS for word in words) and any(word in WAIVES for word in words)
    ):
        return None
    cursor.at = len(cursor.tokens)
    return Written(OrderKind.WAIVE)


def _read_verb_first(cursor: Cursor) -> Written | None:
    """Read ``build A PAR``, ``defaults, removing the army in Paris``, ``Retreat A Par - Gas``; skip a first
    ``move``."""
    cursor.take("DEFAULTS")
    verb = cursor.peek()
    if cursor.take_any(BUILDS):
        return Written(OrderKind.BUILD, cursor.unit())
    if cursor.take_any(DISBANDS):
        return Written(OrderKind.DISBAND, cursor.unit(), removes=verb in REMOVES)
    if cursor.take_any(HOLDS):
        return Written(OrderKind.HOLD, cursor.unit())
    if cursor.take_any(RETREATS):
        unit = cursor.unit()
        if _take_disband(cursor):
            return Written(OrderKind.DISBAND, unit)
        return Written(OrderKind.RETREAT, unit, destination=_read_goal(cursor))
    cursor.at += verb in MOVES
    return None


def _take_disband(cursor: Cursor) -> str:
    """Skip ``disband``, ``- OTB``, ``off the board``; returns the verb, "" if none follows."""
    cursor.at += cursor.peek() == "-" and cursor.peek(1) in DISBANDS
    verb = cursor.peek()
    if not cursor.take_any(DISBANDS):
        return ""
    cursor.take("BOARD")
    return verb


def _read_support_sentence(cursor: Cursor) -> Written:
    """Read what follows in ``support move to Burgundy from Paris`` and ``support hold to Burgundy``."""
    if cursor.take_any(HOLDS):
        cursor.take("TO")
        return Written(OrderKind.SUPPORT_HOLD, target=cursor.unit())
    goal = _read_path(cursor).destination
    return Written(OrderKind.SUPPORT_MOVE, target=_read_origin(cursor), destination=goal)


def _read_origin(cursor: Cursor) -> Place:
    """Read ``from Paris``."""
    if not cursor.take_any(FROM):
        raise cursor.fail("it does not say from where; write it like 'A MAR S A PAR - BUR'")
    return cursor.unit()


def _read_goal(cursor: Cursor) -> Place | None:
    """Read the destination of a supported or convoyed unit: ``- BUR``, or the bare ``Bur`` of godip."""
    return cursor.place() if cursor.at_place() else _read_path(cursor).destination


def _take_to_hold(cursor: Cursor) -> bool:
    hold = cursor.peek(1)
    return hold in HOLDS and (cursor.take("TO", hold) or cursor.take("-", hold))


def _read_path(cursor: Cursor, kind: str = "") -> Written:
    """Read ``- NWY``, ``- NTH - NWY``, ``to NWY via convoy`` of a unit of this kind, which is missing."""
    steps: list[Place] = []
    via = _take_via(cursor)
    while cursor.take_any(MOVES):
        while cursor.take_any(MOVES) or (not cursor.at_place() and _take_via(cursor)):
            pass
        steps.append(cursor.place())
    if not steps:
        said = f"not {quote(cursor.rest())}" if cursor.rest() else "but the order ends"
        raise cursor.fail(f"expected H, - (move), S, C, R, D or B after the unit, {said}")
    *route, destination = steps
    for step in route:
        _check_sea(cursor, step)
    if route and kind == "F":
        raise cursor.fail("a fleet goes to one province; only armies have a path")
    via = _take_via(cursor) or via or bool(route)
    return Written(OrderKind.MOVE, None, None, destination, via)


def _check_sea(cursor: Cursor, step: Place) -> None:
    province = step.province
    if province.kind != "sea":
        raise cursor.fail(f"{province.full} ({province.name}) is no sea that a convoy could cross")


def _take_via(cursor: Cursor) -> bool:
    """Skip ``VIA``, ``VIA CONVOY``, ``BY CONVOY``, ``VIA NTH NWG``."""
    if cursor.take("CONVOY", "PATH", "TAKEN"):
        cursor.at = len(cursor.tokens)
        return True
    if not cursor.take_any(BY):
        return cursor.take("CONVOY")
    if not cursor.take_any(BY_CONVOY):
        while cursor.at_place() or (cursor.peek() == "F" and cursor.at_place(1)):
            _check_sea(cursor, cursor.unit())
    return True


def _complete(written: Written, text: str, map: Map, position: Placement | None) -> Order:
    kind = written.kind
    if written.unit is None:
        return Order(kind)
    if kind == OrderKind.MOVE and position is not None and position.phase.kind == "R":
        kind = OrderKind.RETREAT
    unit, location = _identify(written.unit, _ordered(written.unit, kind, position), text)
    if written.target is not None:
        target = written.target
        there = position.unit_at(target.province.name) if position is not None else None
        target_unit, target_location = _identify(target, there, text)
        goal = written.destination.location(target_unit) if written.destination is not None else ""
        return Order(kind, unit, location, target_unit, target_location, goal)
    if written.destination is None:
        return Order(kind, unit, location)
    goal = _reachable(map, unit, location, written.destination)
    sails = kind == OrderKind.MOVE and unit == "A"
    via = sails and (written.via or (position is not None and _needs_convoy(map, location, goal)))
    return Order(kind, unit, location, destination=goal, via=via)


def _ordered(place: Place, kind: OrderKind, position: Placement | None) -> Unit | None:
    """The unit that an order for a place concerns."""
    if position is None or kind == OrderKind.BUILD:
        return None
    if position.phase.kind == "R":
        tag = place.province.name
        return next(
            (dislodged.unit for dislodged in position.dislodged if dislodged.unit.province == tag), None
        )
    return position.unit_at(place.province.name)


def _identify(place: Place, there: Unit | None, text: str) -> tuple[str, str]:
    """Kind and location of a unit: of the actual unit, or else as written."""
    if there is not None:
        return there.kind, there.location
    province = place.province
    kind = place.kind
    if not kind:
        if province.kind == "sea" or place.coast in province.coasts:
            kind = "F"
        elif province.kind == "inland":
            kind = "A"
        else:
            tag = province.name
            raise OrderError(f"order {quote(text)}: an army or a fleet? write 'A {tag}' or 'F {tag}'")
    return kind, place.location(kind)


def _reachable(map: Map, unit: str, location: str, destination: Place) -> str:
    """The name of a unit's destination, with the coast if only one is within its reach."""
    name = destination.location(unit)
    province = destination.province
    if unit == "F" and province.coasts and name == province.name:
        try:
            near = map.adjacent(unit, location)
        except MapError:
            return name
        options = [f"{name}/{coast}" for coast in province.coasts if f"{name}/{coast}" in near]
        if len(options) == 1:
            return options[0]
    return name


def _needs_convoy(map: Map, origin: str, goal: str) -> bool:
    """Whether an army on a coast can reach another coast by sea only."""
    by_sea = map.province(origin).kind == map.province(goal).kind == "coastal"
    return by_sea and origin != goal and goal not in map.adjacent("A", origin)
