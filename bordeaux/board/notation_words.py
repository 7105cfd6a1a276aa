"""The words of written orders: names of provinces and coasts, units, nationalities and results.

People write ``St. Petersburg (north coast)``, ``Stp(nc)``, ``stp-nc`` and ``STP NC`` for one place, and
``the French army in Paris`` for ``A PAR``. A `Cursor` scans a text and reads such words. Whole orders are
read by `bordeaux.board.notation`. The work is linear in the text, whatever is in it.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from bordeaux.board.errors import OrderError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Province, fold, plain

UNIT_WORDS = {"A": "A", "ARMY": "A", "AMY": "A", "F": "F", "FLEET": "F", "FLT": "F"}
FILLERS = frozenset({"THE", "AN", "IN", "AT", "ON", "OF", "IS", "WAS", "UNIT"})
LONGEST_TEXT = 400

_DASHES = re.compile(r"[-=>~\u00bb\u2010-\u2015\u2212\u2192\u21d2\u21e8\u2794\u279b-\u27a1\u27f6\u27f9]+")
_TOKENS = re.compile(r"[^\W_]+|[-/()]|[^\s.,;:*_!|\u2022]")
_BRACKETS = str.maketrans("[]{}", "()()")
_ANGLED = re.compile(r"<([^<>]*)>")
_SPELLED = (
    (re.compile(r"\bST(?:ANDS?|OOD)[ -]{1,3}OFF\b"), "STANDOFF"),
    (re.compile(r"\b([NESW])[./] ?C\b"), r"\1C"),
)
"""Two words that count as one: ``stand-off``, ``n.c.``."""
_GLUED = {verb + kind: (verb, kind) for verb in "SC" for kind in "AF"}
_APOSTROPHES = str.maketrans("", "", "'`\u2019\u2018\"\u201c\u201d\u201e\ufe0e\ufe0f\u200d")
_COMPASS = {"N": "NORTH", "E": "EAST", "S": "SOUTH", "W": "WEST"}
_ADJECTIVE = re.compile(r"[A-Z]{2,}(ISH|IAN|ESE|ENCH|MAN|IC|UTCH)S?")


def _coast_words() -> dict[str, str]:
    """All spellings of a coast, without blanks: ``NC NCS N NORTH NORTHERN NORTHCOAST ...``."""
    directions = dict(_COMPASS)
    directions |= {a + b: _COMPASS[a] + _COMPASS[b] for a in "NS" for b in "EW"}
    words: dict[str, str] = {}
    for short, full in directions.items():
        for word in (short, full, full + "ERN"):
            words[word] = words[word + "COAST"] = short + "C"
        words[short + "C"] = words[short + "CS"] = short + "C"
    return words


COASTS = _coast_words()
RESULTS = {
    **dict.fromkeys(("SUCCESS", "SUCCESSFUL", "SUCCEED", "SUCCEEDS", "SUCCEEDED", "OK", "RESOLVED"), ""),
    **dict.fromkeys(("RESOLVES", "ORDERED", "MOVED"), ""),
    **dict.fromkeys(("FAIL", "FAILS", "FAILED", "FAILURE", "UNSUCCESSFUL", "BLOCKED", "REPELLED"), "fail"),
    **dict.fromkeys(("BOUNCE", "BOUNCES", "BOUNCED", "BNC", "STANDOFF", "BELEAGUERED"), "bounce"),
    **dict.fromkeys(("VOID", "INVALID", "ILLEGAL", "MISORDER", "MISORDERED", "IMPOSSIBLE"), "void"),
    **dict.fromkeys(("DISLODGED", "DISLOGED"), "dislodged"),
    **dict.fromkeys(("DISBAND", "DISBANDED", "DESTROYED", "ANNIHILATED"), "disband"),
    **dict.fromkeys("\u2713\u2714\u2705", ""),
    **dict.fromkeys("\u2717\u2718\u2715\u2716\u274c", "fail"),
    "CUT": "cut",
    "DISRUPTED": "disrupted",
    "CONVOY": "no convoy",
}
"""What sites and judges say of an order at its end, in our words. Success is empty; "fail" is any failure.
CONVOY is a result only after NO."""
_RESULTS_FIRST = {word for word, said in RESULTS.items() if said not in ("disband", "no convoy")}
_CONNECTING = frozenset({"AND", "BUT", "NO", "NOT", "-"})
# A coast that stands bare behind its province must not be taken for another word of the order.
_BARE_COASTS = {word: coast for word, coast in COASTS.items() if word.endswith(("C", "CS", "COAST"))}


class Place(NamedTuple):
    """A province as written, with the given coast (``NC``) and kind of unit (``A``, ``F``), each "" if not
    given."""

    province: Province
    coast: str = ""
    kind: str = ""

    def location(self, kind: str) -> str:
        """The name of the place for a unit of `kind`; a meaningless coast is left out."""
        tag = self.province.name
        return f"{tag}/{self.coast}" if kind == "F" and self.coast in self.province.coasts else tag


class _Names(NamedTuple):
    """All names of the provinces of a map by their words, the largest number of words of a name, and the
    names of all coasts."""

    by_words: dict[tuple[str, ...], Province]
    longest: int
    powers: frozenset[str]
    choices: tuple[str, ...]
    coasts: frozenset[str]


@functools.lru_cache(maxsize=8)
def _names(map: Map) -> _Names:
    by_words: dict[tuple[str, ...], Province] = {}
    for province in map.provinces:
        for name in (province.full, *province.aliases, province.daide):
            # Texts of press keep the ``of`` of a name and the ``s`` behind an apostrophe.
            for said in (_unmarked(plain(name)), plain(name)):
                words = re.findall(r"[^\W_]+", said)
                for left_out in (FILLERS, FILLERS - {"OF"}):
                    by_words.setdefault(tuple(word for word in words if word not in left_out), province)
            by_words.setdefault((fold(name),), province)
    by_words |= {(province.name.upper(),): province for province in map.provinces}
    powers = frozenset(word.upper() for item in map.tags.items() for word in item)
    choices = (*(p.name for p in map.provinces), *(p.full for p in map.provinces))
    coasts = frozenset(coast for province in map.provinces for coast in province.coasts) | frozenset(COASTS)
    return _Names(by_words, max(len(words) for words in by_words), powers, choices, coasts)


def _unmarked(text: str) -> str:
    """A text without apostrophes and quotes, in which words that count as one are one."""
    for spelled, word in _SPELLED:
        text = spelled.sub(word, text)
    return text.translate(_APOSTROPHES)


class Cursor:
    """Scans the words of `text`, all in capitals, without punctuation.

    The reading methods advance over what they read, or raise OrderError. Brackets are left out: a coast in
    them follows a slash, results at the end or in brackets are kept apart (`came`). Errors have no hints
    without `hints`, which take a hundred times as long as the rest.
    """

    def __init__(self, text: str, map: Map, *, hints: bool = True) -> None:
        if len(text) > LONGEST_TEXT:
            raise OrderError(f"order {quote(text)} is too long: more than {LONGEST_TEXT} characters")
        self.text = text
        self.hints = hints
        self.names = _names(map)
        self.came: list[str] = []
        self.parted = re.search(r"[,;\t]", text) is not None
        bare = _ANGLED.sub(r"(\1)", _ANGLED.sub(r"(\1)", plain(text)))
        bare = _unmarked(bare).translate(_BRACKETS)
        words = [part for token in _TOKENS.findall(_DASHES.sub(" - ", bare)) for part in self._parts(token)]
        tokens = self._without_brackets(words)
        while tokens and self._is_result(tokens):
            self.came.append(tokens.pop())
        # A number or a mark may stand before an order, as in a list.
        begin = next((at for at, token in enumerate(tokens) if token != "-" and not _numbers(token)), 0)
        self.tokens = [
            token for token in tokens[begin:] if token not in FILLERS or (token,) in self.names.by_words
        ]
        self.at = 0

    def _parts(self, token: str) -> tuple[str, ...]:
        """A verb with its kind of unit (``SA``), or a province with its coast (``STPNC``), in parts."""
        if (token,) in self.names.by_words:
            return (token,)
        province = self.names.by_words.get((token[:-2],))
        if province is not None and token[-2:] in province.coasts:
            return token[:-2], "/", token[-2:]
        return _GLUED.get(token, (token,))

    def _is_result(self, tokens: list[str]) -> bool:
        """Whether the last word tells what came of the order, and is no part of the order."""
        word, before = tokens[-1], tokens[-2] if len(tokens) > 1 else ""
        if (word,) in self.names.by_words or (word == "CONVOY" and before != "NO"):
            return False
        if RESULTS.get(word) == "disband" and before not in RESULTS:
            return False
        return word in RESULTS or (bool(self.came) and word in _CONNECTING)

    def _without_brackets(self, tokens: list[str]) -> list[str]:
        kept: list[str] = []
        group: list[str] | None = None
        for token in tokens:
            if token in "()":
                self._close(kept, group)
                group = [] if token == "(" else None
            elif group is None:
                kept.append(token)
            else:
                group.append(token)
        self._close(kept, group)
        return kept

    def _close(self, kept: list[str], group: list[str] | None) -> None:
        """Take the words of a pair of brackets as a coast, as a result, or as they are."""
        if not group:
            return
        if kept and "".join(group) in self.names.coasts:
            kept += ["/", "".join(group)]
        elif group[0] in _RESULTS_FIRST or group[:2] == ["NO", "CONVOY"]:
            self.came += reversed(group)
        else:
            kept += group

    def fail(self, message: str) -> OrderError:
        """The error for this text."""
        return OrderError(f"order {quote(self.text)}: {message}")

    def peek(self, ahead: int = 0) -> str:
        """The word `ahead` words from here; "" at the end."""
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ""

    def take(self, *words: str) -> bool:
        """Advance over these words if they follow here in order."""
        if tuple(self.tokens[self.at : self.at + len(words)]) != words:
            return False
        self.at += len(words)
        return True

    def take_any(self, words: frozenset[str]) -> bool:
        """Advance over the next word if it is one of these."""
        taken = self.peek() in words
        self.at += taken
        return taken

    def rest(self) -> str:
        """The unread words."""
        return " ".join(self.tokens[self.at :])

    def _province(self) -> tuple[Province | None, int]:
        """The province with the longest name that starts here, and where the name ends."""
        province, end = None, self.at
        words: tuple[str, ...] = ()
        for index in range(self.at, len(self.tokens)):
            token = self.tokens[index]
            if token == "-" and words:
                continue
            words = (*words, token)
            if words in self.names.by_words:
                province, end = self.names.by_words[words], index + 1
            if len(words) == self.names.longest:
                break
        return province, end

    def at_place(self, ahead: int = 0) -> bool:
        """Whether the name of a province starts `ahead` words from here."""
        self.at += ahead
        province, _ = self._province()
        self.at -= ahead
        return province is not None

    def place(self) -> Place:
        """Read a province with its coast, if one is given; the coast may stand before it (``SC SPA``)."""
        if coast := self._coast_before():
            return coast
        province, end = self._province()
        if province is None:
            wrong = self._wrong_name()
            if not wrong:
                where = f"before {quote(self.rest())}" if self.rest() else "at its end"
                raise self.fail(f"a province is missing {where}")
            hint = nearest(wrong, self.names.choices) if self.hints else ""
            raise self.fail(f"unknown province {quote(wrong)}{hint}")
        self.at = end
        return Place(province, self._coast(province))

    def _coast_before(self) -> Place | None:
        """Read ``SCS SPA`` or ``south coast of Spain``, if it follows."""
        begin = self.at + (self.peek() == "/")
        words = 2 if self.peek(begin - self.at + 1) == "COAST" else 1
        coast = COASTS.get(self.tokens[begin], "") if begin < len(self.tokens) else ""
        if not coast or self.at_place() or not self.at_place(begin - self.at + words):
            return None
        start, self.at = self.at, begin + words
        province, end = self._province()
        assert province is not None
        self.at = end if coast in province.coasts else start
        return Place(province, coast) if coast in province.coasts else None

    def _wrong_name(self) -> str:
        end = self.at
        while end < len(self.tokens) and self.tokens[end] not in ("-", "/") and end < self.at + 3:
            if end > self.at and len(self.tokens[end]) < 3:
                break
            end += 1
        return " ".join(self.tokens[self.at : end])

    def _coast(self, province: Province) -> str:
        if self.take("/"):
            word = self.peek()
            if word not in COASTS and word not in province.coasts:
                known = f"{province.name} has " + (" and ".join(province.coasts) or "no separate coasts")
                raise self.fail(f"unknown coast {quote(word)}; {known}")
            self.at += 1
            self.take("COAST")
            return COASTS.get(word, word)
        if self.peek(1) == "COAST" and self.peek() in COASTS:
            self.at += 2
            return COASTS[self.tokens[self.at - 2]]
        dash = self.peek() == "-" and (self.peek(1),) not in self.names.by_words
        coast = _BARE_COASTS.get(self.peek(int(dash)), "")
        if dash and coast not in province.coasts and self.at_place(2):
            return ""  # It is the coast of the destination.
        self.at += (1 + dash) * bool(coast)
        return coast

    def _nationality(self) -> bool:
        """Whether a nationality follows here: it is ignored, right or wrong (DATC 4.C.5, 4.C.6).

        A power's name or tag may be a province's too (``ENG``), and counts as nationality only before a unit.
        """
        word = self.peek()
        if word not in self.names.powers:
            alike = any(word[:4] == power[:4] for power in self.names.powers)
            if len(word) < 4 or not (alike or _ADJECTIVE.fullmatch(word)) or self.at_place():
                return False
        self.at += 1
        unit_follows = self.peek() in UNIT_WORDS or self.at_place()
        self.at -= 1
        return unit_follows

    def unit(self) -> Place:
        """Read a unit: nationality and kind if given, and its place."""
        if self._nationality():
            self.at += 1
        kind = self.kind()
        return self.place()._replace(kind=kind)

    def kind(self) -> str:
        """Read ``A``, ``army``, ``a fleet``: A or F; "" if none follows."""
        self.at += self.peek() == "A" and self.peek(1) in UNIT_WORDS.keys() - {"A", "F"}
        kind = UNIT_WORDS.get(self.peek(), "")
        self.at += bool(kind)
        return kind


def _numbers(token: str) -> bool:
    """Whether a word can number a line of a list."""
    return token.isdecimal() and len(token) <= 3
