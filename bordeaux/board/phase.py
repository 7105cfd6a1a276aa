"""The game year: Spring and Fall movement and retreats, Winter adjustments (Hall and Loeb 1995, section 2.1).
Phases and the headings that people write over the orders of a phase."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from bordeaux.board.errors import PositionError, quote


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SEASON_WORDS = {
    **dict.fromkeys(("SPRING", "SPR", "SUMMER", "SUM"), "S"),
    **dict.fromkeys(("FALL", "FAL", "AUTUMN", "AUT"), "F"),
    **dict.fromkeys(("WINTER", "WIN"), "W"),
    **dict.fromkeys(("FRÜHJAHR", "FRUEHJAHR", "FRÜHLING", "PRINTEMPS", "PRIMAVERA"), "S"),
    **dict.fromkeys(("HERBST", "AUTOMNE", "AUTUNNO", "OTOÑO"), "F"),
    **dict.fromkeys(("HIVER", "INVERNO", "INVIERNO"), "W"),
}
_RETREATING = frozenset({"SUMMER", "SUM"})
_KINDS = {
    **dict.fromkeys(("DIPLOMACY", "MOVEMENT", "MOVEMENTS", "MOVE", "MOVES", "ORDERS", "ORDER"), "M"),
    **dict.fromkeys(("RETREAT", "RETREATS", "RETREATING", "DISLODGEMENTS"), "R"),
    **dict.fromkeys(("BUILD", "BUILDS", "BUILDING", "ADJUSTMENT", "ADJUSTMENTS", "PLACING"), "A"),
    **dict.fromkeys(("PLACEMENT", "PLACEMENTS", "REMOVAL", "REMOVALS", "DISBANDS"), "A"),
}
_WEAK = frozenset({"ORDERS", "ORDER"})
"""Words of every phase: they name a kind only if no other word does."""
_NEUTRAL = _WEAK | {"RESULT", "RESULTS"}
_CHATTER = _words(
    "A AD ADJUDICATION ADJUDICATIONS AND ARE ARCHIVE D FOR GAME HISTORY IN IS LARGE MAP NO NUMBER OF PHASE"
    " REPORT RESOLUTION RESOLUTIONS RESULT RESULTS ROUND RUNDE SEASON STATUS SUMMARY THE TURN UNIT YEAR"
)
_CODE = re.compile(r"([SFW])(\d{1,4})([MRAB]?)", re.ASCII)
_WRITTEN = re.compile(r"[SFW][1-9]\d{0,3}[MRA]", re.ASCII)
"""A phase of any year as we write it."""
_POSSIBLE = re.compile(r"[SF]\d{1,4}[MR]|W\d{1,4}A|-0-", re.ASCII)
"""Season, year and kind of any phase, and of the end of a game."""
_WORD = re.compile(r"[^\W_]+")
_BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]")
_TITLED = re.compile(
    r"[,:|\u2013\u2014-]\s{0,9}(?:spring|summer|fall|autumn|winter)\s{1,9}(?:of\s{1,9})?"
    r"['\u2019]?(?:\d{4}|\d{2})\W{0,9}$",
    re.IGNORECASE,
)
_IN_GAME = re.compile(r"\b(?:in|(of the game))\s{1,9}['\"]?([\w-]{1,40})['\"]?\W{0,9}$", re.IGNORECASE)
_SHORT = (
    (re.compile(r"\b(\d{4})[ -]?([SFW])\b"), r"\2\1"),
    (re.compile(r"\b([SFW])[ -]'?(\d{4}|(?<=')\d\d)\b"), r"\1\2"),
    (re.compile(r"\b(SPRING|SUMMER|FALL|AUTUMN|WINTER)(\d{4})\b"), r"\1 \2"),
)
"""Headings in few letters, to write as ``F1901`` or ``FALL 1901``."""
_NOT_TITLES = _words(
    "DEADLINE DUE NEXT BY UNTIL TILL WILL BE SINCE AFTER BEFORE TO FROM LAST UP THROUGH WAS WERE"
)
"""Words of sentences that only speak of a season."""
_LONGEST = 200


class Heading(NamedTuple):
    """A heading as written: the `season` as a word or letter in capitals (``AUTUMN``, ``F``), the `year` as a
    text of digits, the `kind` of phase ("" if not given), and the words that are no part of a heading."""

    season: str
    year: str
    kind: str
    rest: tuple[str, ...]

    def phase(self, start: int = 0) -> Phase:
        """The phase. A year of two digits lies in the century of the year `start`, or is that year itself.
        Raises PositionError if the season has no such phase."""
        season = SEASON_WORDS.get(self.season, self.season)
        kind = self.kind or ("R" if self.season in _RETREATING else "A" if season == "W" else "M")
        # Builds come after the Fall; some programs call that Autumn still.
        season = "W" if kind == "A" and season == "F" else season
        if (kind == "A") != (season == "W"):
            raise PositionError(f"there is no phase of the kind {kind!r} in {self.season.title()}")
        year = int(self.year)
        return Phase(year + (start // 100 * 100 if len(self.year) == 2 else 0), season, kind)


def read_heading(text: str) -> Heading | None:
    """The heading in a line: ``Spring 1901``, ``Fall Turn, 1901``, ``1902 Spring``, ``Retreats Spring 1902``,
    ``Status of the Movement phase for Spring of 1901``, ``S1901M``, ``S01``, ``Game 7, Spring 1901``.

    None for a line without a season and a year. Of two seasons (``Winter 1901/Spring 1902``) that of the
    moves counts.
    """
    if len(text) > _LONGEST:
        return None
    said = text.upper().replace("\u2019", "'")
    for short, long in _SHORT:
        said = short.sub(long, said)
    words = _WORD.findall(said)
    if (dated := _season_and_year(words)) is None:
        return None
    bare = _BRACKETS.sub(_kinds_only, said)
    outside = _WORD.findall(bare)
    if _season_and_year(outside) is not None:
        words = outside
    season, year, coded = dated
    known = _CHATTER | _KINDS.keys() | SEASON_WORDS.keys()
    rest = [word for word in words if not (word in known or word.isdecimal() or _CODE.fullmatch(word))]
    kinds = [_KINDS[word] for word in words if word in _KINDS and word not in _WEAK]
    weak = any(word in _WEAK for word in words) and "RESULTS" not in words
    if (game := _IN_GAME.search(bare)) is not None and (game[1] or _NEUTRAL.intersection(words)):
        named = set(_WORD.findall(game[2]))
        rest = [word for word in rest if word not in named]  # Results for Fall of 1901 in ghodstoo.
    if (title := _TITLED.search(text)) is not None and _NOT_TITLES.isdisjoint(rest) and title.start() <= 80:
        rest = []  # The name of the game stands before its season.
    kind = coded or (kinds[0] if kinds else "M" if weak and SEASON_WORDS.get(season, season) != "W" else "")
    several = len({SEASON_WORDS[word] for word in words if word in SEASON_WORDS}) > 1
    return Heading(season, year, "" if several and not kinds else kind, tuple(rest))


def kind_in(text: str) -> str | None:
    """The kind of phase that a line names and nothing else (``Retreats:``, ``Unit-placement``,
    ``Movement phase``): M, R or A; "" for one of any phase (``Orders:``), None for other lines."""
    words = _WORD.findall(text.upper()) if len(text) <= 40 else []
    if words and words[0].isdecimal() and len(words[0]) <= 2:
        words = words[1:]  # 2 builds.
    if not all(word in _KINDS or word in _CHATTER for word in words):
        return None
    kinds = [_KINDS[word] for word in words if word in _KINDS and word not in _WEAK]
    return kinds[0] if kinds else "" if _NEUTRAL.intersection(words) else None


def _kinds_only(match: re.Match[str]) -> str:
    """The kinds of phases in brackets; the name of a game may stand there too."""
    return " ".join(word for word in _WORD.findall(match[1]) if word in _KINDS).join("  ")


def _season_and_year(words: list[str]) -> tuple[str, str, str] | None:
    """Season, year and kind of phase in words; those of the moves if there are several."""
    dates = [*_codes(words), *_named(words)]
    years = [word for word in words if word.isdecimal()]
    if not dates and len(years) == 1 and len(years[0]) == 4 and len(words) == 2:
        dates = [("WINTER", years[0], "A") for word in words if _KINDS.get(word) == "A"]  # 1901 Builds.
    return min(
        dates, key=lambda item: (item[0] in ("W", "WINTER", "WIN"), item[0] in _RETREATING), default=None
    )


def _codes(words: list[str]) -> Iterator[tuple[str, str, str]]:
    for word in words:
        if (match := _CODE.fullmatch(word)) is not None and (match[3] or len(match[2]) in (2, 4)):
            yield match[1], match[2], "A" if match[3] == "B" else match[3]


def _named(words: list[str]) -> Iterator[tuple[str, str, str]]:
    """Seasons with the nearest number: behind them, or before them as in ``1901 Spring``."""
    seasons = [at for at, word in enumerate(words) if word in SEASON_WORDS]
    years = [at for at, word in enumerate(words) if word.isdecimal() and len(word) <= 4]
    long = [at for at in years if len(words[at]) == 4] or years
    for at in seasons[:3]:
        after = next((year for year in long if year > at), None)
        before = next((year for year in reversed(long) if year < at), None)
        near = after if after is not None else before
        if near is not None:
            yield words[at], words[near], ""


class _Fields(NamedTuple):
    year: int
    season: str
    kind: str


class Phase(_Fields):
    """A phase such as ``S1901M``.

    `season` is S, F or W; `kind` is M (movement), R (retreats) or A (adjustments). The end of a
    game is the one value `Phase.COMPLETED`, written ``COMPLETED``.
    """

    __slots__ = ()

    COMPLETED: ClassVar[Phase]

    @classmethod
    def parse(cls, text: str, start: int = 1900) -> Phase:
        """Read ``S1901M``, ``F1901R``, ``W1901A`` or ``COMPLETED``, in any case, or a heading in words
        (`read_heading`). Without a kind it is movement, or in Winter adjustments. A year of two digits lies
        in the century of the year `start`; in ``S12M``, as we write it, it stands as it is.

        Raises PositionError for other text.
        """
        if not isinstance(text, str):
            raise PositionError(f"phase {quote(text)} is not text; write it like 'S1901M' or 'W1901A'")
        if text.strip().upper() == "COMPLETED":
            return cls.COMPLETED
        heading = read_heading(text)
        if heading is not None and not heading.rest:
            written = _WRITTEN.fullmatch(text.strip().upper()) is not None
            try:
                return heading.phase(0 if written else start)
            except PositionError:
                pass
        raise PositionError(f"unknown phase {quote(text)}; write it like 'S1901M', 'F1901R' or 'W1901A'")

    def checked(self) -> Phase:
        """The phase, if there is one in that season and the year is from 0 to 9999. Raises PositionError."""
        year: object = self.year
        if isinstance(year, str) or _POSSIBLE.fullmatch(f"{self.season}{year}{self.kind}") is None:
            raise PositionError(f"there is no phase {quote(tuple(self))}; write it like (1901, 'S', 'M')")
        return self

    def __str__(self) -> str:
        return "COMPLETED" if self.kind == "-" else f"{self.season}{self.year}{self.kind}"


Phase.COMPLETED = Phase(0, "-", "-")


def order_of_play(phase: Phase) -> tuple[int, int, int]:
    """A sort key for phases in the order of play; a game that is over is later than all."""
    if phase.kind == "-":
        return 10_000, 0, 0
    return phase.year, "SFW".index(phase.season), "MRA".index(phase.kind)
