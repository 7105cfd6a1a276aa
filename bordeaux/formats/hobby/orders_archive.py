"""The orders archive of webDiplomacy and vDiplomacy: all orders of a game on one page, as HTML or as copied
text.

::

    Autumn, 1902 :                                 (the last turn first)
    France:
    Diplomacy
    The army at Marseilles support move to Burgundy from Paris. (fail)
    Retreats
    The fleet at Spain (South Coast) retreat to Western Mediterranean.
    Unit-placement
    Build fleet at Brest.

Every undislodged unit has an order, ``hold`` by default; a fleet is named with its coast. Unused builds are
not listed. Bulgaria's east coast is called its north coast. The stage follows from the kind of order, so
copied text without the stages is read as well. vDiplomacy writes ``disbandBuild fleet at X`` for a disbanded
unit, and lists a destroyed one twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bordeaux.board.errors import BordeauxError, FormatError, MapError, quote
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase
from bordeaux.formats.hobby.markup import Page, PageLine
from bordeaux.formats.hobby.sheet import Sheet, SheetEntry, Story, unit_named

__all__ = ["is_orders_archive", "story_of_archive", "words_for"]

_HEADING = re.compile(
    r"(?P<season>spring|autumn|fall)\s*,\s*(?P<year>\d{1,4})\s*(?:large map)?\s*:?", re.IGNORECASE
)
_POWER = re.compile(r"(?P<name>[^\W\d_][\w .'-]{1,40}?)\s*:")
_SENTENCE = re.compile(
    r"the (?P<unit>(?:army|fleet) at .+?) (?P<does>hold|move to|support hold to|support move to|convoy to|"
    r"retreat to|disband)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_WINTER = re.compile(r"(?P<does>build (?:army|fleet) at|destroy the unit at) (?P<place>.+)", re.IGNORECASE)
_UNUSED = re.compile(r"(?:do not use build order|wait)", re.IGNORECASE)
_CAME = re.compile(r"\s*\((?P<word>fail|dislodged)\)\s*$", re.IGNORECASE)
_TWICE = re.compile(r"(?<=\S)(?:build fleet at|the\s+at) .*$", re.IGNORECASE)
_NORTH = re.compile(r"\bBulgaria \(North Coast\)", re.IGNORECASE)
_BULLET = re.compile(r"^[\s\u2022\u25e6\u25aa*-]+")
_GAME = re.compile(r"gameID=(\d+)")
_TELLING = re.compile(
    r"^\W*the (?:army|fleet) at .+ (?:hold|move to|support hold to|support move to|convoy to)\b",
    re.IGNORECASE,
)
_MOVEMENT, _RETREATS, _WINTERS = "M", "R", "A"


def is_orders_archive(page: Page) -> bool:
    """Whether a page has turns with webDiplomacy's sentences."""
    heading = any(_HEADING.fullmatch(_plain(line.text)) for line in page.lines)
    return heading and any(_TELLING.match(line.text) for line in page.lines)


def story_of_archive(pages: Sequence[Page], map: Map) -> Story:
    """All turns of the archive. Raises FormatError if the game has another variant than the map's."""
    reader = _Reader(map)
    for page in pages:
        reader.read(page.lines)
    if not any(sheet.entries for sheet in reader.sheets.values()) and reader.strangers:
        raise FormatError(
            f"its powers are {', '.join(list(reader.strangers)[:7])}, and map {map.name} has others:"
            " a game of another variant"
        )
    source = pages[0].address + pages[0].source[:200_000] if pages else ""
    number = _GAME.search(source)
    site = "vDiplomacy" if "vdiplomacy" in source.lower() else "webDiplomacy"
    return Story(site, f"{site} {number[1]}" if number else site, list(reader.sheets.values()), reader.notes)


def words_for(does: str, failed: bool, dislodged: bool) -> tuple[str, ...]:
    """The result of an order, in our words: the site gives success or failure, without a reason."""
    lower = does.lower()
    words = []
    if failed and lower.startswith(("move", "retreat")):
        words.append("bounce")
    elif failed and lower.startswith("support"):
        words.append("cut")
    if dislodged:
        words.append("dislodged")
    return tuple(words)


class _Reader:
    """Processes the lines and collects the orders by phase."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self.sheets: dict[Phase, Sheet] = {}
        self.notes: list[str] = []
        self.strangers: dict[str, None] = {}
        self._turn: tuple[str, int] | None = None
        self._power: str | None = None

    def read(self, lines: Sequence[PageLine]) -> None:
        """Process the lines of a page."""
        for line in lines:
            text = _plain(line.text)
            if (heading := _HEADING.fullmatch(text)) is not None:
                self._turn = heading["season"].lower(), int(heading["year"])
                self._power = None
            elif not self._order(text, line.number) and (power := _POWER.fullmatch(text)) is not None:
                self._take_power(power["name"])

    def _take_power(self, name: str) -> None:
        try:
            self._power = self.map.power(name)
        except MapError:
            self._power = None
            if self._turn is not None:
                self.strangers[name] = None

    def _order(self, text: str, number: int) -> bool:
        """Process a line if it is an order; returns whether it is."""
        said, words = _NORTH.sub("Bulgaria (East Coast)", text), []
        while (match := _CAME.search(said)) is not None:
            words.append(match["word"].lower())
            said = said[: match.start()]
        said = _TWICE.sub("", said.strip().rstrip(".")).strip().rstrip(".")
        failed, dislodged = "fail" in words, "dislodged" in words
        if (sentence := _SENTENCE.fullmatch(said)) is not None:
            does = sentence["does"].lower()
            stage = _RETREATS if does.startswith(("retreat", "disband")) else _MOVEMENT
            self._add(stage, said, words_for(does, failed, dislodged), number, sentence["unit"])
            return True
        if (winter := _WINTER.fullmatch(said)) is not None:
            verb = "remove" if winter["does"].lower().startswith("destroy") else winter["does"]
            self._add(_WINTERS, f"{verb} {winter['place']}", (), number, said=said)
            return True
        if self._power is not None and _UNUSED.fullmatch(said) is not None:
            self._add(_WINTERS, "WAIVE", None, number, said=said)
            return True
        return False

    def _add(
        self,
        stage: str,
        text: str,
        words: tuple[str, ...] | None,
        number: int,
        unit: str = "",
        said: str = "",
    ) -> None:
        if self._turn is None or self._power is None:
            missing = "turn" if self._turn is None else "power of this map"
            self.notes.append(
                f"line {number}: {quote(said or text)} is left out: no {missing} stands before it"
            )
            return
        season, year = self._turn
        letter = "W" if stage == _WINTERS else "S" if season == "spring" else "F"
        phase = Phase(year, letter, stage)
        ordered = None
        if stage == _MOVEMENT:
            try:
                ordered = unit_named(self._power, unit, self.map)
            except BordeauxError:
                ordered = None
        entry = SheetEntry(self._power, text, words, number, ordered, said)
        sheet = self.sheets.get(phase, Sheet(phase, [], complete=stage == _MOVEMENT))
        self.sheets[phase] = sheet._replace(entries=[*sheet.entries, entry])


def _plain(text: str) -> str:
    return _BULLET.sub("", text.replace("\t", " ")).strip()
