"""Lines of orders, as people write them and sites and judges print them: the one reader of all text forms.

::

    Results for Spring of 1901            S01
    Austria (anna): A Vie - Gal           1. A(Vie)-Gal;  2. F Tri hold
    France                                The army at Paris move to Burgundy. (fail)
    A Par-Bur; A Mar S (A Par-Bur)        Builds: A Par, F Bre

Headings name the phase, powers precede their orders, and orders are separated by lines, semicolons or commas.
Without a power an order belongs to the owner of the unit. An order may continue on the next line. ``#``
begins a comment. From the first heading on, every line that is not empty is read, or a note names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError, FormatError, MapError, OrderError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import (
    BUILDS,
    CONVOYS,
    DISBANDS,
    HOLDS,
    RETREATS,
    SPOKEN,
    SUPPORTS,
    LineBlocks,
    Written,
    bare_order,
    is_condition,
    read_order,
    unmeant,
    without_spans,
)
from bordeaux.board.notation_words import COASTS, LONGEST_TEXT, RESULTS, UNIT_WORDS, Cursor
from bordeaux.board.order import HELPS, OrderKind, plain
from bordeaux.board.phase import Heading, Phase, kind_in, order_of_play, read_heading
from bordeaux.board.position import Position

LONGEST_LINE = 20_000
MOST_HINTS = 100
"""Lines of one text for which an error says which name is like a wrong one: it takes long."""

_NUMBERED = re.compile(r"\(?(?:\d{1,3}[.):]|[a-z]\))\s|\[[xX\u2713\u2714]\]\s")
_HASHED = re.compile(r"(^|[:;,])\s{0,9}#\d{1,3}\s")
_MARKS = (
    "\u2022\u25e6\u25aa\u00b7*-=~+/\u2013\u2014>|\t _`\u00a0\u2500\u2502\u2550\u2551"
    "\u2192\u00bb\u2713\u2714\u2705\u2611"
)
"""Marks before a line; a line of nothing else is a rule."""
_SEPARATORS = re.compile(
    r"[;,()\[\]{}\t|&+\u00b7\u2022]|\band\b|(?<=\s)//?(?=\s{1,9}(?:[AF]|army|fleet)\b)"
    r"|(?<=[\w)][\w)])(?<!sup)(?<!supp)(?<!conv)\.(?=\s{1,9}(?:[AF]|army|fleet|builds?|removes?)\b)",
    re.IGNORECASE,
)
_MAYBE_ONE = re.compile(r"[\t|&+\u00b7\u2022]|\band\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_CENTRES = re.compile(r"\b\d{1,2}\b(?:\W{0,2}(?:SCS?|CENT(?:ER|RE)S?|UNITS?)\b)?")
_PLAYED = re.compile(r"([^\W\d_]{4,}(?: [^\W\d_]+)?)(?: ?/| [-\u2013\u2014]) ?[\w.@]+(?: [\w.@]+)?:?$")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_COUNTED = re.compile(r"\W{0,3}(\d{1,2})\s.{0,40}\bbuilds\b", re.IGNORECASE)
_GAME = re.compile(r"\(([\w-]{1,40})\.[\w.]{1,20}\)|\bin\s{1,9}([\w-]{1,40})$")
_BY_JDIP = re.compile(r"results for \w+, \d+ \(", re.IGNORECASE)
_BY_JUDGE = re.compile(r"\b(?:results|orders) for \w{1,20} (?:of )?\d", re.IGNORECASE)
_REMARK = re.compile(r"\((?:[^()\s]+\s++){2}[^()]*+\)[\s.]*+$")
"""A remark of several words behind an order."""
_CUTS = re.compile(
    r"\s*\(|\s+[-\u2013\u2014]{1,2}\s+|:\s|\s#|\.\s"
    r"|\s+(?:because|since|so|as|which|for|to|in order|keeps?)\b"
)
"""Where the reason behind an order may begin."""
MOST_CUTS = 8
"""Places in a line where its reason may begin: each is a text to read."""
_TELLS = re.compile(
    r"bounced with|failed\b|dislodged from|convoy path |support (?=cut\b)|support failed\b", re.IGNORECASE
)
"""How a line of jDip begins that tells what came of the order above it."""
_RESULT = re.compile(rf"(?:{'|'.join(RESULTS)})\b(?! *:)", re.IGNORECASE)
_TWICE = re.compile(r"(?<=\S)(?:build fleet at|the\s{1,3}at) ", re.IGNORECASE)
_NORTH = re.compile(r"bulgaria \(north coast\)", re.IGNORECASE)
_FOR_ALL = re.compile(
    r"NONE|NMR|NO (?:ORDERS(?: RECEIVED)?|MOVES? RECEIVED|BUILDS?|CHANGES?|REMOVALS|RETREATS|ADJUSTMENTS)"
    r"|(?P<holds>(?:(?P<rest>(?:THE )?(?:REST|OTHERS?)|(?:EVERYTHING|EVERYBODY) ELSE|ALL (?:THE )?OTHERS?)"
    r"|ALL(?: (?:MY|OUR|THE))?|EVERYTHING|EVERYBODY)(?: (?P<kind>ARMIES|FLEETS|UNITS))? HOLDS?"
    r"|HOLD (?:ALL|EVERYTHING))"
)
_ABOUT_POWERS = re.compile(r"ORDERS?|MOVES|FOR|OF|FROM|THE|POWER|COUNTRY|NATION|PLAYER|TEAM|S|\d{1,2}")
_OWN_ORDERS = re.compile(
    r"(?:(?:my|our|final|the|these|are|here|submitted|orders?|moves?|for|this|turn|phase|answer|set|list"
    r"|official|actual|revised|new|updated)\W*)+",
    re.IGNORECASE,
)
"""A label before orders that are meant (``My final orders:``)."""
_SPEAKING = re.compile(
    r"\b(?:to|t[eo]ll?[ds]*|sa(?:ys|id)|asks|writes|wrote|and|vs|with|against|about|if|w(?:ill|ould)|should"
    r"|could|may|might|can|i|we|you|rumou?r|press|messages?|letter|plans?|ideas?|reasoning|thoughts|analysis"
    r"|diary|notes?|strategy|options?|alternative|old|previous|draft|fake|possible|legal|suggested|goals?"
    r"|cancel\w*|withdrawn|expected|predicted|likely|rejected|illegal|hypothetical|no orders? for)\b"
    r"|\w['\u2019]s\b|;|(?:[!?]|(?-i:(?<!\b[A-Z])(?<!\b[A-Z][a-z]))\.)\s",
    re.IGNORECASE,
)
"""A word that makes a label with a power (``France to all:``) something else than its name."""
_TELLING = re.compile(
    r"[-=]?>|[\u2192\u27a1\u21d2]|\b(?:to|tells|told|says|said|asks|writes|wrote|replies|whispers"
    r"|promises)\b",
    re.IGNORECASE,
)
_FLAG = re.compile(r":(?:flag[_-])?([a-z]{2}):|([\U0001f1e6-\U0001f1ff]{2})|:[a-z][a-z0-9_+-]{1,30}:")
_COUNTRIES = {"AT": "Austria", "GB": "England", "UK": "England", "FR": "France", "DE": "Germany"}
_COUNTRIES |= {"IT": "Italy", "RU": "Russia", "TR": "Turkey"}
_TAG = re.compile(r"</?[a-z][a-z0-9]{0,15}>", re.IGNORECASE)
"""A mark of HTML, or a power (``<France>``)."""
_TALK = re.compile(
    r"#{1,6}\W*(?:\w+\W+){0,2}(?:dialog(?:ue)?|messages?|press|negotiations?|chat|rumou?rs|reasoning"
    r"|thoughts?|thinking|analysis|diary|journal|remarks?)\b",
    re.IGNORECASE,
)
"""A heading of Markdown over what is said or thought."""
_FORWARDED = re.compile(r"(?:begin )?(?:original|forwarded) (?:message|mail)\b", re.IGNORECASE)
"""A line over a mail that follows below another one."""
_OF_ORDERS = BUILDS | CONVOYS | DISBANDS | HOLDS | RETREATS | SUPPORTS | {*RESULTS, "NULL", "TRUE", "FALSE"}
"""First words that no power has: those of orders and results, and the values of JSON that are no texts."""
_SENTENCES = ("the army at ", "the fleet at ")
_JUDGED = ("Army ", "Fleet ", "Army\t", "Fleet\t", "Build", "Remove")
_BLOCKS = ("ownership of supply cent", "the following unit")
_FURNITURE = re.compile(
    r"the next phase of|the deadline for|the game is over|:: judge|subject:|from:|to:|date:|message-id:"
    r"|reply-to:|large map|unowned:|neutral:|general notices:|no retreating units;|order resolution completed"
    r"|supply centers were |no order for unit at|no change in supply cent|all dislodged units destroyed"
    r"|the turn was edited on|.*\d\s{1,9}supply cent.*\d\s{1,9}unit"
    r"|.*\b(?:army|fleet|(?-i:[AF]))\b.*(?:\bcan(?:not)? retreat\b|with no valid retreats)",
    re.IGNORECASE,
)
_AIMING = re.compile(r"\W*(?:to\b|into\b)|\s*\(?[-\u2013\u2014]", re.IGNORECASE)
_AIMLESS = {OrderKind.SUPPORT_HOLD, OrderKind.DISBAND}
_KIND_OF_PHASE = {OrderKind.BUILD: "A", OrderKind.WAIVE: "A", OrderKind.RETREAT: "R"}
_KIND_OF_PHASE |= dict.fromkeys((OrderKind.HOLD, *HELPS), "M")
"""The kind of the phase of orders that belong to one alone."""


class LineOrder(NamedTuple):
    """One order: its `phase` (None before any heading), its `power` ("" if none is given), its text, what was
    read of it, and its line from 1."""

    phase: Phase | None
    power: str
    text: str
    written: Written
    line: int


class LineNote(NamedTuple):
    """A line that could not be read, where it stands, and why. `left_out` says that the line itself is lost,
    else it is a heading over orders."""

    phase: Phase | None
    power: str
    line: int
    error: BordeauxError
    text: str = ""
    left_out: bool = True

    def __str__(self) -> str:
        before = f"{self.phase}: " if self.phase is not None else ""
        below = "the orders below it go to the owners of the units"
        return f"{before}line {self.line}: {self.fault}; {'left out' if self.left_out else below}"

    @property
    def fault(self) -> str:
        """Whose order it is, if it is one, and why it could not be read."""
        power = f"{self.power}: " if self.power and isinstance(self.error, OrderError) else ""
        return f"{power}{self.error}"


class LineHeading(NamedTuple):
    """A heading: its line, its text, its phase, and its kind of phase ("" if it names none)."""

    line: int
    text: str
    phase: Phase
    kind: str


LineItem = LineHeading | LineOrder | LineNote | str


class _Piece(NamedTuple):
    """The last order of a line, its power, or what could not be read there; the next line may continue it.
    `headed` says that its power stands on the same line."""

    line: int
    power: str
    text: str
    error: BordeauxError | None
    headed: bool


class OrderLines:
    """Takes lines one after the other and collects in `items` what they say: headings, powers (texts), orders
    and notes, in their order. `orders` and `notes` count the last two.

    `judged` says that the lines are results of a judge, `archive` that they are sentences of webDiplomacy;
    both, and pages of jDip, have every unit (`whole`). `game` is the name that a judge gives.
    `strangers` are names that no power of the map has. Years of two digits lie in the century of the map's
    start. If `headed`, what stands before the first heading is passed over, but for orders with a unit's
    kind. With `reasons`, any words may stand behind an order. With a `position`, ``all hold`` is an order of
    each unit of the power there, by default of `owner` or of all, and ``rest hold`` of each without one.
    """

    def __init__(
        self,
        map: Map,
        *,
        headed: bool = False,
        reasons: bool = False,
        position: Position | None = None,
        owner: str = "",
    ) -> None:
        self.map = map
        self.items: list[LineItem] = []
        self.orders = self.notes = 0
        self.judged = self.archive = self.whole = False
        self.game = ""
        self.strangers: dict[str, None] = {}
        self._passing, self._reasons = headed, reasons
        self._units = position.units if position is not None and position.phase.kind == "M" else ()
        self._owner = owner
        self._ordered: dict[str, int] = {}  # The notes there were before the order of each province.
        self._hints = MOST_HINTS
        names = [name for place in map.provinces for name in (place.name, place.full, *place.aliases)]
        self._place_words = {word for name in names for word in _WORD.findall(plain(name))}
        self._place_words |= {"OR", "COAST", "NORTH", "SOUTH", "DESTROYED"}
        self._phase: Phase | None = None
        self._kind = self._headed = ""
        self._fresh = self._alone = self._of_power = False
        self._power = self._verb = self._verb_of_stage = ""
        self._last: _Piece | None = None
        self._block = self._headed_line = self._by_judge = self._forwarded = False
        self._falls: set[int] = set()
        self._blocks = LineBlocks()
        self._aside = self._talk = ""
        self._message = -1

    def take(self, number: int, text: str) -> None:
        """Read one line with its number."""
        if why := self._why_aside(number, text):
            self.set_aside(number, text, why)
            text, whole = without_spans(text), text
            if text == whole or unmeant(text, line=True):
                return
        text = _FLAG.sub(_country, self._without_comment(bare_order(text)))
        content = _bare(_TAG.sub(lambda tag: power_named(tag[0].strip("<>"), self.map) or " ", text))
        if not content:
            return
        self._aside = ""
        self._verb = self._verb_of_stage
        if len(content) > LONGEST_LINE:
            self._end_piece()
            said = f"{quote(content)} is too long: more than {LONGEST_LINE:,} characters in a line"
            self._note(number, OrderError(said), content)
            return
        if self._last is not None and number > self._last.line + 1 and not _TELLS.match(content):
            self._end_piece()
        if self._furniture(content):
            self._end_piece()
        elif (heading := self._heading_of(content)) is not None:
            self._end_piece()
            self._headed_by(number, content, *heading)
        elif not self._passing or self._phase is not None or begins_order(content):
            self._content(number, content)

    def _why_aside(self, number: int, text: str) -> str:
        """Why a line is no order, a power or a heading, whatever its words are; "" if it may be one."""
        if _FURNITURE.match(_bare(text), 0, 100) is not None:
            return ""
        said, colon, rest = text.partition(":")
        label = _bare(said)
        block = self._blocks.why(text)
        why = block or unmeant(text, line=True)
        # As France -> Germany.
        speaks = colon and _TELLING.search(label[:80]) is not None and _powers_in(label, self.map)
        if why or (speaks and not begins_order(power_before(label, self.map)[1].strip())):
            if not block and why in ("", SPOKEN) and not _bare(rest):
                self._message = number
            return why or SPOKEN
        marked = text.lstrip().startswith("#")
        said = _bare(text.lstrip("#\t "))
        self._forwarded |= self.orders > 0 and _FORWARDED.match(said) is not None
        heading = read_heading(said)
        heads = marked or not said or power_named(said, self.map) or kind_in(said.rstrip(":")) is not None
        if self._forwarded and heading is not None:
            # A heading below a forwarded mail of a later phase than that of the orders above it.
            with suppress(BordeauxError):
                later = order_of_play(heading.phase(self.map.start_phase.year))
                self._forwarded = not (later > order_of_play(self._phase) if self._phase else self._passing)
        if self._forwarded and (heading is not None or not heads):
            return "it is quoted"
        if heads or heading is not None:
            talks = marked and _TALK.match(text.lstrip()) is not None
            self._talk = said if talks else "" if said else self._talk
            return ""
        if self._talk:
            return f"it stands below {quote(self._talk)}"
        if self._message == number - 1:
            self._message = number
            return SPOKEN
        return ""

    def set_aside(self, number: int, text: str, why: str) -> None:
        """Note a line that is no order; lines of one kind below each other have one note."""
        if self._passing and self._phase is None:
            return
        self._end_piece()
        if self._aside == why and self.items and isinstance(last := self.items[-1], LineNote):
            said = OrderError(f"no order from {quote(last.text)} to line {number}: {why}")
            self.items[-1] = last._replace(error=said)
        else:
            said = OrderError(f"{quote(text.strip())} is no order: {why}")
            self._note(number, said, text.strip(), power="")
        self._aside = why

    def _without_comment(self, text: str) -> str:
        """A line up to its comment; ``# Fall 1901`` and ``## France`` are headings of Markdown."""
        before, mark, rest = _HASHED.sub(r"\1 ", text).partition("#")
        if mark and not before.strip():
            said = rest.strip("# \t")
            heading = read_heading(said)
            if power_named(said, self.map) or (heading is not None and not heading.rest):
                return said
        return before

    def end(self) -> None:
        """All lines of a text, or of a set of orders in it, were read."""
        self._end_piece()
        self._ordered.clear()

    def fold_footer(self) -> None:
        """Make one note of the lines behind the last order of a page, if they are the site's: no orders."""
        last = len(self.items)
        while last and isinstance(note := self.items[last - 1], LineNote):
            if begins_order(note.text) or begins_with_place(note.text, self.map):
                break
            last -= 1
        footer = [note for note in self.items[last:] if isinstance(note, LineNote)]
        if len(footer) > 1:
            said = OrderError(f"no order from {quote(footer[0].text)} to line {footer[-1].line}")
            self.items[last:] = [footer[0]._replace(power="", error=said)]

    # --- headings

    def _heading_of(self, content: str) -> tuple[Heading, str] | None:
        """The heading of a line and what follows behind its colon."""
        heading = read_heading(content)
        if heading is not None and (not heading.rest or power_named(" ".join(heading.rest), self.map)):
            return heading, ""
        before, colon, rest = content.partition(":")
        if colon and (first := read_heading(before)) is not None and not first.rest:
            return first, rest
        return None if heading is None or self._reads(content) else (heading, "")

    def _headed_by(self, number: int, content: str, heading: Heading, rest: str) -> None:
        named = power_named(" ".join(heading.rest), self.map) if heading.rest else ""
        try:
            if heading.rest and not named:
                raise FormatError(
                    f"{quote(content)} has a season and a year, and is no heading that is known"
                )
            phase = heading.phase(self.map.start_phase.year)
        except BordeauxError as error:
            self._note(number, error, content)
            return
        if heading.season in ("AUTUMN", "AUT") and not heading.kind and phase.year in self._falls:
            # After the moves of the Fall the Autumn has the retreats.
            phase, heading = phase._replace(kind="R"), heading._replace(kind="R")
        elif heading.season in ("FALL", "FAL", "F"):
            self._falls.add(phase.year)
        self._by_judge = _BY_JUDGE.search(content) is not None
        self.whole = self.whole or _BY_JDIP.match(content) is not None
        if self._by_judge and not self.game and (game := _GAME.search(content)) is not None:
            self.game = game[1] or game[2]
        given = heading.kind or (phase.kind if phase.kind != "M" else "")
        self._phase, self._kind, self._headed = phase, given, given
        self.items.append(LineHeading(number, content, phase, given))
        self._power, self._fresh, self._block, self._alone, self._of_power = named, False, False, False, False
        self._ordered.clear()
        self._verb = self._verb_of_stage = ""
        if _bare(rest):
            self._content(number, _bare(rest))

    def _furniture(self, content: str) -> bool:
        """Whether a line is of those that judges and sites print around orders."""
        if content[:80].lower().startswith(_BLOCKS):
            self._block = True
        elif _FURNITURE.match(content, 0, 100) is None:
            # In a block stand names of provinces, or parts of them where a line was broken.
            places = (power_before(content, self.map)[1] or content) if self._block else ""
            words = set(_WORD.findall(plain(places)))
            return bool(words) and words <= self._place_words
        return True

    # --- powers

    def _power_before(self, number: int, text: str) -> tuple[bool, str]:
        """Whether a power stands before a text, known or not, and what follows it."""
        if _TELLS.match(text) is not None:
            return False, text
        power, rest = power_before(text, self.map)
        if len(_powers_in(text.partition(":")[0], self.map)) > 1 and not begins_order(_bare(rest)):
            power = ""
        name, colon, after = text.partition(":")
        said = _bare(rest)
        if power and (not said or rest == after or begins_order(said) or self.has_orders(said)):
            self._end_piece()
            # A stage below a power that stands alone ends with it; one before a power is of all that follow.
            if self._fresh:
                self._of_power = False
            elif self._of_power:
                self._kind, self._verb_of_stage = self._headed, ""
            self._power, self._alone = power, False
            self.items.append(power)
            return True, rest
        named = colon and not power and self._like_a_power(name) and not begins_with_place(name, self.map)
        if not named or (_bare(after) and not self.has_orders(after)):
            return False, text
        self._end_piece()
        self._hints -= 1
        near = nearest(name, self.map.powers) if self._hints >= 0 else ""
        known = f"{near} (powers: {', '.join(self.map.powers)})"
        self.strangers[name] = None
        left_out = bool(_bare(after))
        self._note(number, MapError(f"unknown power {quote(name)}{known}"), text, left_out=left_out)
        self._power = self._power if left_out else ""
        return True, ""

    def _like_a_power(self, name: str, most: int = 6) -> bool:
        """Whether a text may be the name of a power of some map, or another label: few words, and no unit."""
        words = _BRACKETS.sub(" ", name[:80]).split()
        if not 0 < len(words) <= most or words[0].upper() in UNIT_WORDS or len(name) > 80 or ";" in name:
            return False
        return any(map(str.isalpha, name)) and words[0].upper() not in _OF_ORDERS

    # --- orders

    def _content(self, number: int, content: str) -> None:
        first = True
        for _ in range(4):
            if self._stage(content):
                self._end_piece()
                return
            before, colon, rest = content.partition(":")
            if colon and (self._stage(before) or _OWN_ORDERS.fullmatch(before.strip()[:60]) is not None):
                self._end_piece()
            else:
                headed, rest = self._power_before(number, content)
                if not headed:
                    break
            first, content = False, _bare(rest)
        self._headed_line = not first
        self._alone = self._alone or (not first and not content)
        pieces = list(self._pieces(content))
        told = (power_before(piece, self.map) for piece in pieces)
        if len(pieces) > 1 and not any(power or self._reads(_bare(rest)) for power, rest in told):
            pieces = [content]  # One note for the line.
        for piece in pieces:
            self._piece(number, piece, first)
            first = False

    def _stage(self, text: str) -> bool:
        """Whether a text names a kind of phase, as ``Retreats``; what follows is of that kind."""
        if kind := kind_in(text):
            self._kind, self._fresh, self._of_power = kind, True, self._alone
            self._block = False
            removes = "remov" in text.lower() or "disband" in text.lower()
            self._verb = self._verb_of_stage = "" if kind != "A" else "REMOVE" if removes else "BUILD"
        return kind is not None

    def _pieces(self, content: str) -> Iterator[str]:
        """The orders of a line. Commas in brackets, before a coast and before results separate nothing."""
        if _MAYBE_ONE.search(content) and self._reads(content):
            yield content
            return
        held, begin, depth = "", 0, 0
        for match in _SEPARATORS.finditer(f"{content};"):
            if match[0] in "([{":
                depth += 1
            elif match[0] in ")]}":
                depth = max(0, depth - 1)
            elif depth == 0 or match[0] == ";":
                piece, begin, depth = content[begin : match.start()], match.end(), 0
                if held and _belongs(piece):
                    held = f"{held}, {piece.strip()}"
                    continue
                yield from filter(None, [_bare(held)])
                held = piece
        yield from filter(None, [_bare(held)])

    def _piece(self, number: int, piece: str, first: bool) -> None:
        last = self._last
        if first and last is not None and (tells := _TELLS.match(piece)) is not None:
            told = tells[0].lower()
            piece = "void" if told == "support failed" else piece[8:] if told == "support " else piece
            piece = "no convoy" if piece.lower().startswith("convoy path failed") else piece
        if first and last is not None and self._goes_on(last, piece):
            if last.error is None:
                self.items.pop()
                self.orders -= 1
            self._add(last.line, f"{last.text} {piece}")
            self._last = last._replace(line=number, text=f"{last.text} {piece}", error=None)
            return
        self._end_piece()
        if not first:
            piece = _bare(self._power_before(number, piece)[1])
        if not piece:
            return
        if (none := _FOR_ALL.fullmatch(plain(piece).strip(" .()"))) is not None:
            if none["holds"]:
                kinds = {"ARMIES": "A", "FLEETS": "F"}.get(none["kind"] or "", "AF")
                self._hold(number, kinds, rest=none["rest"] is not None)
            return
        try:
            self._add(number, piece)
        except BordeauxError as error:
            self._last = _Piece(number, self._power, piece, self._hinted(piece, error), self._headed_line)
            if first and self._like_a_power(piece, 6 if piece.endswith(":") else 3):
                # Perhaps a power of another map: its orders belong to the owners of the units.
                self._power, self.strangers[piece] = "", None

    def _hold(self, number: int, kinds: str, *, rest: bool) -> None:
        """Add a hold of each unit of these kinds that `all hold` speaks of."""
        power, without = self._power or self._owner, set(self._ordered) if rest else set()
        powers = {unit.power for unit in self._units if not without or unit.province in without}
        for unit in self._units:
            meant = unit.power in ({power} if power else powers) and unit.kind in kinds
            if meant and unit.province not in without:
                self._add(number, f"{unit} H")
        self._end_piece()

    def _hinted(self, piece: str, error: BordeauxError) -> BordeauxError:
        """The error with the name that is meant, for the first few lines that look like orders."""
        if len(piece) <= LONGEST_TEXT and not begins_order(piece) and not begins_with_place(piece, self.map):
            return OrderError(f"order {quote(piece)}: it is neither an order, nor a power, nor a heading")
        if self._hints > 0:
            self._hints -= 1
            try:
                read_order(piece, self.map)
            except BordeauxError as hinted:
                return hinted
        return error

    def _goes_on(self, last: _Piece, piece: str) -> bool:
        """Whether a line without a power continues the order of the line before."""
        closed = last.text.count("(") <= last.text.count(")") and piece[0] not in "(["
        ended = last.error is None and closed and not _RESULT.match(piece)
        if ended and (last.text.endswith(".") or self._read(last.text)[1].came is not None):
            return False
        if last.error is not None and not begins_order(last.text):
            return False
        # Below a line that begins with its power, a line without one goes on; else only what is no order.
        if self._reads(piece) and not (last.error is not None and last.headed):
            return False
        if _WORD.search(piece) is None or not self._reads(joined := f"{last.text} {piece}"):
            return False
        # What adds nothing is a remark, and gets a note of its own.
        whole = last.error is not None or _RESULT.match(piece) is not None
        return whole or self._read(joined)[1] != self._read(last.text)[1]

    def _add(self, number: int, piece: str) -> None:
        """Add an order, or each of a count of waived builds. Raises BordeauxError."""
        text, written, remark = self._read(piece)
        self.judged = self.judged or (self._by_judge and self._headed_line and text.startswith(_JUDGED))
        self.archive = self.archive or text.lower().startswith(_SENTENCES)
        self.whole = self.whole or self.judged or self.archive
        counted = _COUNTED.match(text) if written.kind == OrderKind.WAIVE else None
        for _ in range(min(int(counted[1]), 34) if counted else 1):
            self.items.append(LineOrder(self._phase_of(written), self._power, text, written, number))
            self.orders += 1
        if written.unit is not None:
            if self._ordered.get(place := written.unit.province.name, self.notes) < self.notes:
                self._ordered.clear()  # Another set of orders begins.
            self._ordered[place] = self.notes
        words = _WORD.findall(plain(text[:20]))
        if words and words[0] in (BUILDS | DISBANDS) and written.kind in (OrderKind.BUILD, OrderKind.DISBAND):
            self._verb = words[0]
        self._fresh = False
        self._last = _Piece(number, self._power, piece, None, self._headed_line)
        if remark:
            self._note(number, OrderError(f"the remark {quote(remark)} behind {quote(text)}"), remark)

    def _read(self, piece: str) -> tuple[str, Written, str]:
        """An order, or the unit behind ``Builds:``, and a remark behind it. Raises OrderError or MapError."""
        text, said = _NORTH.sub("Bulgaria (East Coast)", piece), ""
        if (twice := _TWICE.search(text)) is not None and text[:5].lower() in ("the a", "the f", "destr"):
            text = text[: twice.start()]
        try:
            written = read_order(text, self.map, hints=False)
        except BordeauxError:
            remark = _REMARK.search(text)
            tried = self._reasons and not unmeant(text)
            for cut in reversed([*islice(_CUTS.finditer(text), MOST_CUTS)] if tried else []):
                head, tail = text[: cut.start()], text[cut.start() :]
                with suppress(BordeauxError):
                    written = read_order(head, self.map, hints=False)
                    # Else its destination, or another order, would be the reason.
                    aims = _AIMING.match(tail) is not None and written.kind in _AIMLESS
                    if not aims and not self._reads(tail.strip("(). \t")):
                        return head, written, ""
            if (not self._verb and remark is None) or unmeant(text):
                raise
            if remark is not None and self._reads(remark[0].strip("(). \t")):
                raise OrderError(f"{quote(text)} has another order behind it in brackets") from None
            said = remark[0] if remark is not None else ""
            text = text[: remark.start()] if remark is not None else f"{self._verb} {text}"
            written = read_order(text, self.map, hints=False)
        return text, written, said

    def has_orders(self, text: str) -> bool:
        """Whether there is an order in a line."""
        return any(map(self._reads, self._pieces(text)))

    def _reads(self, piece: str) -> bool:
        with suppress(BordeauxError):
            self._read(piece)
            return True
        return False

    def _phase_of(self, written: Written) -> Phase | None:
        """The phase of an order: that of the heading, or the one of its turn that has such orders."""
        if self._phase is None:
            return None
        kind = _KIND_OF_PHASE.get(written.kind, self._kind or "M")
        if written.kind == OrderKind.DISBAND and kind == "M":
            kind = "A" if written.removes else "R"
        year, season, _ = self._phase
        if kind == "A":
            return Phase(year - (season == "S"), "W", kind)
        return Phase(year, "F" if season == "W" else season, kind)

    # --- notes

    def _end_piece(self) -> None:
        last, self._last = self._last, None
        if last is not None and last.error is not None:
            self._note(last.line, last.error, last.text, power=last.power)

    def _note(
        self, number: int, error: BordeauxError, text: str, *, power: str | None = None, left_out: bool = True
    ) -> None:
        owner = self._power if power is None else power
        self.items.append(LineNote(self._phase, owner, number, error, text, left_out=left_out))
        self.notes += 1


def power_named(name: str, map: Map) -> str:
    """The power of a name with words around it (``Orders for Austria (anna)``), "" if it is none."""
    if len(name) > 80:
        return ""
    bare = plain(_BRACKETS.sub(" ", name))
    words = _WORD.findall(_CENTRES.sub("", bare)) or _WORD.findall(plain(name))
    player = _PLAYED.match(bare)  # England - john.

    def known(words: list[str]) -> list[str]:
        return [word for word in words if _ABOUT_POWERS.fullmatch(word) is None]

    for said in (words, known(words), [player[1]] if player else [], known(_WORD.findall(plain(name)))):
        if power := map.known_power(" ".join(dict.fromkeys(said))):
            return power
    return ""


def _powers_in(label: str, map: Map) -> set[str]:
    return {map.known_power(word) for word in _WORD.findall(plain(label[:80]))[:8]} - {""}


def power_before(text: str, map: Map) -> tuple[str, str]:
    """The power at the beginning of a line and what follows: ``FRANCE: A PAR H``, ``Austria (anna)``, ``ENG F
    LON H``. "" and the whole text if it names none."""
    before, colon, rest = text.partition(":")
    if power := power_named(before, map):
        return power, rest
    if colon and (power := power_named(text, map)):
        return power, ""  # Player: England.
    if (
        colon
        and not begins_order(before)
        and _SPEAKING.search(before) is None
        and len(found := _powers_in(before, map)) == 1
    ):
        return found.pop(), rest  # France - orders in.
    if 0 < len(before) <= 2 and colon and (not rest.strip() or begins_order(rest.strip())):
        initial = [power for power in map.powers if power.startswith(before.upper())]
        if len(initial) == 1:
            return initial[0], rest
    words = text.split(None, 3)
    for count in range(len(words) - 1, 0, -1):
        name = " ".join(words[:count])
        # A tag may be a province's as well (ENG), and then a unit has to follow.
        if (power := power_named(name, map)) and (
            words[count].upper() in UNIT_WORDS or (len(name) > 3 and not begins_with_place(text[:80], map))
        ):
            return power, text.split(None, count)[count]
    return "", text


def _country(flag: re.Match[str]) -> str:
    """The name of the country of a flag; other marks of this kind are left out."""
    code = flag[1] or "".join(chr(ord(letter) - 0x1F1E6 + ord("A")) for letter in flag[2] or "")
    return f" {_COUNTRIES.get(code.upper(), '')} "


def begins_order(text: str) -> bool:
    """Whether a text begins with a unit or with what is done to one."""
    word, *more = _WORD.findall(plain(text[:40])) or [""]
    if word == "THE":
        return not UNIT_WORDS.keys().isdisjoint(more[:2])
    return word in UNIT_WORDS or word in BUILDS or word in DISBANDS


def begins_with_place(text: str, map: Map) -> bool:
    """Whether a text begins with a province."""
    return len(text) <= 80 and Cursor(text, map).at_place()


def _bare(text: str) -> str:
    """A line without blanks and without a mark or number before it."""
    content = text.strip().lstrip(_MARKS)
    if (match := _NUMBERED.match(content)) is not None:
        content = content[match.end() :].lstrip(_MARKS)
    return content.rstrip(" \t|*_/~\u00a0")


def _belongs(piece: str) -> bool:
    """Whether a piece behind a comma belongs to the order before it."""
    words = _WORD.findall(plain(piece[:80]))
    if not words:
        return False
    if is_condition(piece, first=True) or words[0] in {*COASTS, "REMOVING"} or words[:2] == ["NO", "ORDER"]:
        return True
    return all(word in RESULTS or word in ("NO", "AND", "BUT") for word in words)
