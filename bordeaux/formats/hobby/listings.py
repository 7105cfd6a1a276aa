"""Orders of several phases as text: copied from playdiplomacy's history or from lists of orders, or written
by hand.

::

    Spring 1901                         Fall 1902 Retreats
    France                              France: A Paris RETREATS -> Gascony
    A Paris -> Burgundy SUCCEEDS        Winter 1902
    F Brest HOLD                        France
                                        BUILD A Paris

A phase precedes its orders, and a power its own, on a line or with a colon. playdiplomacy's history
(``game_history.php``) has one page for each phase, with ``order -> result``. Other text between orders is
ignored; text that begins like an order and cannot be read gives a note.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bordeaux.board.errors import MapError, PositionError
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase
from bordeaux.formats.hobby.markup import Page
from bordeaux.formats.hobby.sheet import Sheet, SheetEntry, Story

__all__ = ["has_listing", "story_of_listings"]

_HEADING = re.compile(
    r"\W*(?P<phase>[SFW]\d{4}[MRA]|(?:spring|summer|fall|autumn|winter)\s*,?\s*(?:of\s+)?\d{3,4})"
    r"(?P<rest>[\s,:(\u2013-]*(?:order|move|movement|diplomacy|retreat|build|adjustment|result|phase)?\w*\b.{0,30})",
    re.IGNORECASE,
)
_STAGE = re.compile(
    r"(?P<word>orders?|movements?|moves|diplomacy|retreats?|builds?|adjustments?)\s*(?:phase)?\s*:?",
    re.IGNORECASE,
)
_HEADER = re.compile(r"(?P<power>[^\W\d_][^\W\d_]{1,20})\s*:?\s*(?P<rest>.*)")
_RESULT = re.compile(
    r"[\s,;:*(\[|-]*(?:->|=>|\u2192)?\s*\b(?P<word>succe(?:ss|ssful|eds|eded)|resolve[sd]|ok|fail(?:s|ed|ure)?|bounce[sd]?|standoff|cut|"
    r"dislodged|void|invalid|illegal|no convoy|disrupted|disbanded)\b[\s.)\]|*!]*$",
    re.IGNORECASE,
)
_LIKE_ORDER = re.compile(
    r"(?:(?:army|fleet|a|f)\b.*?\s(?:->|-|\u2192|h\b|hold|s\b|support|c\b|convoy|move|to\b|retreat|r\b|d\b|disband)"
    r"|(?:build|remove|destroy|disband)s?\s+(?:army|fleet|a|f)\b|(?:army|fleet|a|f)\s+\S.*\s[bd]$|(?:build\s+)?waived?\b)",
    re.IGNORECASE,
)
_FAILED = frozenset({"fail", "fails", "failed", "failure"})
_KINDS = {"r": "R", "b": "A", "a": "A"}
_LONGEST = 300


def has_listing(page: Page, map: Map, least: int = 1) -> bool:
    """Whether a text has at least `least` phases with orders below them."""
    story = story_of_listings([page], map)
    return sum(1 for sheet in story.sheets if sheet.entries) >= least


def story_of_listings(pages: Sequence[Page], map: Map) -> Story:
    """The phases of texts."""
    reader = _Reader(map)
    for page in pages:
        for line in page.lines:
            reader.take(line.text, line.number)
    site = "playdiplomacy" if any("playdiplomacy" in page.source.lower() for page in pages) else "text"
    number = next(
        (match[1] for page in pages if (match := re.search(r"game_id=(\d+)", page.source)) is not None), ""
    )
    return Story(site, f"{site} {number}".strip(), list(reader.sheets.values()), [])


class _Reader:
    """Processes lines and collects the orders by phase."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self.sheets: dict[Phase, Sheet] = {}
        self._phase: Phase | None = None
        self._power: str | None = None

    def take(self, text: str, number: int) -> None:
        """The next line; the cells of a row are processed one after the other."""
        content = text.replace("|", "\t").strip("\t \u2022*")
        if len(content) > _LONGEST:
            return
        if self._heading(content.replace("\t", " ")):
            return
        cells = [cell.strip() for cell in content.split("\t") if cell.strip()]
        if cells and (power := self._named(cells[0].rstrip(":"))) is not None:
            self._power = power
            cells = cells[1:]
        # A cell that is no result and no order of its own belongs to the one before it.
        joined = " ".join(cells)
        if joined and self._phase is not None:
            self._orders(joined, number)

    def _heading(self, text: str) -> bool:
        match = _HEADING.fullmatch(text)
        if match is None:
            if self._phase is not None and (stage := _STAGE.fullmatch(text)) is not None:
                self._turn_to(self._phase, stage["word"])
                return True
            return False
        try:
            phase = Phase.parse(re.sub(r"\s+of\s+", " ", match["phase"]))
        except PositionError:
            return False
        stage = re.search(r"retreat|build|adjust", match["rest"], re.IGNORECASE)
        self._power = None
        self._turn_to(phase, stage[0] if stage else "")
        return True

    def _turn_to(self, phase: Phase, word: str) -> None:
        kind = _KINDS.get(word[:1].lower(), "") if word else phase.kind
        kind = kind or "M"
        season = "W" if kind == "A" else "F" if phase.season == "W" else phase.season
        self._phase = Phase(phase.year, season, kind)

    def _named(self, name: str) -> str | None:
        """The power of a full name; a tag may also be a province's."""
        try:
            power = self.map.power(name)
        except MapError:
            return None
        return power if len(name) > 3 else None

    def _orders(self, text: str, number: int) -> None:
        header = _HEADER.fullmatch(text)
        if header is not None and (power := self._named(header["power"])) is not None:
            self._power, text = power, header["rest"]
        if not text or self._power is None or self._phase is None:
            return
        for piece in text.split(";"):
            self._order(piece.strip().lstrip("\u2022-* "), number)

    def _order(self, text: str, number: int) -> None:
        assert self._phase is not None and self._power is not None
        said, results = text, []
        while (match := _RESULT.search(said)) is not None and match.start() > 0:
            results.append(match["word"].lower())
            said = said[: match.start()]
        said = re.sub(r"\s+to hold\b", " H", said.strip(" .,"), flags=re.IGNORECASE)
        if _LIKE_ORDER.match(said) is None:
            return
        entry = SheetEntry(self._power, said, _words(said, results) if results else None, number, None, text)
        sheet = self.sheets.get(self._phase, Sheet(self._phase, []))
        self.sheets[self._phase] = sheet._replace(entries=[*sheet.entries, entry])


def _words(text: str, results: Sequence[str]) -> tuple[str, ...]:
    """The result of an order, in our words."""
    words: list[str] = []
    lower = text.lower()
    for word in results:
        if word in _FAILED:
            words.append("cut" if "support" in lower or " s " in lower else "bounce")
        elif word.startswith("bounce") or word == "standoff":
            words.append("bounce")
        elif word in ("cut", "dislodged", "void", "no convoy", "disrupted"):
            words.append(word)
        elif word in ("invalid", "illegal"):
            words.append("void")
        elif word == "disbanded":
            words.append("disband")
    return tuple(dict.fromkeys(words))
