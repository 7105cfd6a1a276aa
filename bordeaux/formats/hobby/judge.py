"""Results in the mails of judges (DPjudge and nJudge): the listing of a whole game, or single mails in order.

::

    Movement results for Spring of 1901.  (game.S1901M)

    Austria: Army Budapest -> Serbia.
    Austria: Army Vienna -> Galicia.  (*bounce*)
    England: Fleet North Sea CONVOY Army Yorkshire -> Norway.
    France: Army Marseilles SUPPORT Army Paris -> Burgundy.  (*cut, dislodged*)

    The following units were dislodged:

    The French Army Marseilles can retreat to Spain or Gascony.

    Retreat orders for Fall of 1901.  (game.F1901R)
    France:     Army Marseilles -> Spain.

    Adjustment orders for Winter of 1901.  (game.W1901A)
    Austria:    Builds an army in Vienna.
    England:    Build waived.

    Ownership of supply centers:
    Austria:    Budapest, Serbia, Trieste, Vienna.

Every unit has its order. A long order continues on the next line. Dislodged units and the owners of centres
follow from the orders by the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bordeaux.board.errors import BordeauxError, MapError
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase
from bordeaux.board.unit import Unit
from bordeaux.formats.hobby.markup import Page, PageLine
from bordeaux.formats.hobby.sheet import Sheet, SheetEntry, Story, unit_named

__all__ = ["is_judge", "story_of_judge"]

_HEADING = re.compile(
    r"\W*(?P<kind>movement|retreat|adjustment|build)s? (?:results|orders) for"
    r" (?P<season>spring|summer|fall|autumn|winter)"
    r"(?: of)? (?P<year>\d{1,4})\.?\s*(?:\((?P<game>[\w-]+)\.[\w.]+\))?.*",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\W*(?:ownership of supply cent|the next phase of|the deadline for|the game is over|"
    r"the following units? (?:was|were) dislodged|subject:|from:? |date:|:: judge)"
    r"|.*\bsupply cent(?:er|re)s,\s+\d+\s+unit",
    re.IGNORECASE,
)
_LINE = re.compile(r"(?P<power>[^\W\d_][\w -]{1,30}?)\s*:\s*(?P<rest>\S.*)")
_CAME = re.compile(r"\s*\(\*\s*(?P<words>.*?)\s*\*\)\s*$")
_WHOLE = re.compile(r"(?:(?<!\bSt)\.|\*\))\s*$")
_UNIT = re.compile(
    r"(?P<unit>(?:army|fleet)\s+.+?)\s*(?:->|\bhold\b|\bsupport\b|\bconvoy\b|\bno order\b|,|$)", re.IGNORECASE
)
_BUILT = re.compile(
    r"(?P<does>builds?|removes?|defaults?, removing)\s+(?:an?\s+|the\s+)?(?P<kind>army|fleet)\s+(?:in|at)?"
    r"\s*(?P<place>.+)",
    re.IGNORECASE,
)
_SHORT = re.compile(r"(?P<does>build|remove)\s+(?P<kind>army|fleet)\s+(?P<place>.+)", re.IGNORECASE)
_WAIVED = re.compile(
    r"(?P<count>\d*)\s*(?:un(?:us(?:able|ed))\s+)?builds?\s+(?:waived|pending)", re.IGNORECASE
)
_NO_ORDER = re.compile(r"\s*,?\s*no order (?:processed|received|given).*$", re.IGNORECASE)
_RETREAT = re.compile(r"^retreat\s+", re.IGNORECASE)
_WORDS = {
    "bounce": "bounce",
    "cut": "cut",
    "dislodged": "dislodged",
    "disloged": "dislodged",
    "void": "void",
    "invalid": "void",
    "no convoy": "no convoy",
    "destroyed": "disband",
    "disrupted": "disrupted",
}


def is_judge(page: Page) -> bool:
    """Whether a text has a judge's heading of results."""
    return any(_HEADING.fullmatch(line.text) for line in page.lines)


def story_of_judge(pages: Sequence[Page], map: Map) -> Story:
    """All phases of the results, with notes on unreadable parts."""
    reader = _Reader(map)
    for page in pages:
        for line in _joined(page.lines, map):
            reader.take(line)
    return Story("judge", reader.game or "judge", list(reader.sheets.values()), reader.notes)


def _joined(lines: Sequence[PageLine], map: Map) -> Iterator[PageLine]:
    """The lines, with continued orders joined."""
    held: PageLine | None = None
    for line in lines:
        if held is not None and (line.text.startswith("(*") or _goes_on(held, line, map)):
            held = held._replace(text=f"{held.text} {line.text}")
            continue
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def _goes_on(held: PageLine, line: PageLine, map: Map) -> bool:
    """Whether a line continues an incomplete order."""
    order = _LINE.fullmatch(held.text)
    if order is None or not _is_power(order["power"], map) or _WHOLE.search(held.text) is not None:
        return False
    fresh = _LINE.fullmatch(line.text)
    if fresh is not None and _is_power(fresh["power"], map):
        return False
    return _HEADING.fullmatch(line.text) is None and _ENDS.match(line.text) is None


def _is_power(name: str, map: Map) -> bool:
    try:
        map.power(name)
    except MapError:
        return name.lower() in ("unowned", "neutral")
    return True


class _Reader:
    """Processes the lines of results."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self.game = ""
        self.sheets: dict[Phase, Sheet] = {}
        self.notes: list[str] = []
        self._phase: Phase | None = None

    def take(self, line: PageLine) -> None:
        """The next line, with its continuation."""
        text = line.text.replace("\t", " ").strip()
        if (heading := _HEADING.fullmatch(text)) is not None:
            self._begin(heading)
        elif _ENDS.match(text):
            self._phase = None
        elif self._phase is not None and (match := _LINE.fullmatch(text)) is not None:
            self._order(match["power"], match["rest"], line.number)

    def _begin(self, heading: re.Match[str]) -> None:
        kind = {"m": "M", "r": "R", "a": "A", "b": "A"}[heading["kind"][0].lower()]
        season = "W" if kind == "A" else "S" if heading["season"].lower() in ("spring", "summer") else "F"
        self._phase = Phase(int(heading["year"]), season, kind)
        self.game = self.game or heading["game"] or ""
        self.sheets.setdefault(self._phase, Sheet(self._phase, [], complete=kind == "M"))

    def _order(self, name: str, rest: str, number: int) -> None:
        assert self._phase is not None
        try:
            power = self.map.power(name)
        except MapError:
            return
        text, words = rest.strip(), []
        while (match := _CAME.search(text)) is not None:
            words += [word.strip().lower() for word in match["words"].split(",")]
            text = text[: match.start()]
        text = text.strip().rstrip(".").strip()
        came = tuple(dict.fromkeys(_WORDS[word] for word in words if word in _WORDS))
        if self._phase.kind == "A":
            self._winter(power, text, number)
            return
        said = text
        text = _NO_ORDER.sub(" HOLD", text)
        text = _RETREAT.sub("", text)
        if self._phase.kind == "R" and text.lower().endswith(" disband"):
            came = ()
        self._add(SheetEntry(power, text, came, number, self._unit(power, text), said))

    def _winter(self, power: str, text: str, number: int) -> None:
        if (match := _WAIVED.fullmatch(text)) is not None:
            for _ in range(min(int(match["count"] or 1), 34)):
                self._add(SheetEntry(power, "WAIVE", None, number, said=text))
            return
        match = _BUILT.fullmatch(text) or _SHORT.fullmatch(text)
        if match is None:
            if not text.lower().startswith(("build", "remove", "default")):
                return
            self._add(SheetEntry(power, text, None, number))
            return
        verb = "build" if match["does"].lower().startswith("build") else "remove"
        self._add(SheetEntry(power, f"{verb} {match['kind']} {match['place']}", (), number, said=text))

    def _unit(self, power: str, text: str) -> Unit | None:
        match = _UNIT.match(text)
        if match is None:
            return None
        try:
            return unit_named(power, match["unit"], self.map)
        except BordeauxError:
            return None

    def _add(self, entry: SheetEntry) -> None:
        assert self._phase is not None
        sheet = self.sheets[self._phase]
        # A waived build may stand there as often as it was waived.
        if entry.text != "WAIVE" and any(
            other.text == entry.text and other.power == entry.power for other in sheet.entries
        ):
            return
        self.sheets[self._phase] = sheet._replace(entries=[*sheet.entries, entry])
