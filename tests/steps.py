"""How many steps some work takes: lines of Python, letters that methods of texts read, and steps of regular
expressions.

No clock is read, so that the same work takes the same number of steps on every machine. Regular expressions
are matched here once more, by plain backtracking over their parsed form, which must find what `re` finds.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any

import pytest

__all__ = ["Steps", "counted"]

Go = Callable[[int], bool]
WHOLE = frozenset(
    [
        "count",
        "join",
        "lower",
        "upper",
        "lstrip",
        "rstrip",
        "strip",
        "replace",
        "rsplit",
        "split",
        "splitlines",
        "translate",
        "decode",
        "encode",
    ]
)
"""Methods that read a whole text. What `find` and its like read cannot be seen from outside."""
CATEGORIES = {
    c.CATEGORY_DIGIT: r"\d",
    c.CATEGORY_NOT_DIGIT: r"\D",
    c.CATEGORY_SPACE: r"\s",
    c.CATEGORY_NOT_SPACE: r"\S",
    c.CATEGORY_WORD: r"\w",
    c.CATEGORY_NOT_WORD: r"\W",
}
SINGLE = frozenset({c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN})
REPEATS = frozenset({c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT})


class Steps:
    """Steps so far."""

    def __init__(self) -> None:
        self.number = 0


class Counted:
    """A regular expression that counts the steps of its searches."""

    def __init__(self, pattern: re.Pattern[Any], steps: Steps) -> None:
        self.real = pattern
        self.steps = steps
        self.flags = pattern.flags
        self.tree = list(_parser.parse(pattern.pattern, pattern.flags & ~re.TEMPLATE))
        self.letters: dict[tuple[int, Any], bool] = {}
        self.known: dict[tuple[str, Any, int, int], int] = {}
        self.text: Any = ""
        self.end = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def match(self, text: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        return self._counted("match", text, pos, endpos)

    def fullmatch(self, text: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        return self._counted("fullmatch", text, pos, endpos)

    def search(self, text: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        return self._counted("search", text, pos, endpos)

    def finditer(self, text: Any, pos: int = 0, endpos: int = sys.maxsize) -> Iterator[Any]:
        begin = pos
        for found in self.real.finditer(text, pos, endpos):
            self.search(text, begin, endpos)
            begin = max(found.end(), found.start() + 1)
            yield found
        if begin <= len(text):
            self.search(text, begin, endpos)

    def findall(self, text: Any, pos: int = 0, endpos: int = sys.maxsize) -> list[Any]:
        list(self.finditer(text, pos, endpos))
        return self.real.findall(text, pos, endpos)

    def sub(self, by: Any, text: Any, count: int = 0) -> Any:
        list(self.finditer(text))
        return self.real.sub(by, text, count)

    def split(self, text: Any, maxsplit: int = 0) -> list[Any]:
        list(self.finditer(text))
        return self.real.split(text, maxsplit)

    def _counted(self, way: str, text: Any, pos: int, endpos: int) -> Any:
        """What `re` finds. The steps of what is asked twice are worked out once."""
        key = way, text, pos, endpos
        found = getattr(self.real, way)(text, pos, endpos)
        if key not in self.known:
            before, tracing, profiling = self.steps.number, sys.gettrace(), sys.getprofile()
            sys.settrace(None)
            sys.setprofile(None)
            try:
                last = max(pos, min(endpos, len(text))) if way == "search" else pos
                ends = (self._at(text, at, endpos, way == "fullmatch") for at in range(pos, last + 1))
                assert next((end for end in ends if end is not None), None) == (found and found.end())
                self.known[key] = self.steps.number - before
            finally:
                self.steps.number = before
                sys.setprofile(profiling)
                sys.settrace(tracing)
        self.steps.number += self.known[key]
        return found

    @staticmethod
    def _one(text: Any, at: int) -> int:
        return text[at] if isinstance(text, bytes) else ord(text[at])

    def _at(self, text: Any, begin: int, endpos: int, whole: bool = False) -> int | None:
        """Where a match that begins here ends; None if there is none."""
        self.text, self.end = text, min(endpos, len(text))
        self.steps.number += 1
        if begin > self.end or (
            self.tree and self.tree[0][0] in SINGLE and not self._fits(self.tree[0], begin)
        ):
            return None
        ends: list[int] = []

        def over(at: int) -> bool:
            if whole and at != self.end:
                return False
            ends.append(at)
            return True

        return ends[0] if self._sequence(self.tree, 0, begin, over) else None

    def _sequence(self, items: Sequence[Any], number: int, at: int, go: Go) -> bool:
        while True:
            self.steps.number += 1
            if number == len(items):
                return go(at)
            kind, value = items[number]
            number += 1
            if kind in SINGLE:
                if not self._fits(items[number - 1], at):
                    return False
                at += 1
            elif kind == c.AT:
                if not self._stands(value, at):
                    return False
            elif kind in (c.ASSERT, c.ASSERT_NOT):
                direction, inner = value
                back = inner.getwidth()[0] if direction < 0 else 0
                holds = at >= back and self._sequence(list(inner), 0, at - back, lambda end: True)
                if holds == (kind == c.ASSERT_NOT):
                    return False
            else:
                return self._group(kind, value, items, number, at, go)

    def _group(self, kind: Any, value: Any, items: Sequence[Any], number: int, at: int, go: Go) -> bool:
        def on(end: int) -> bool:
            return self._sequence(items, number, end, go)

        if kind == c.SUBPATTERN:
            return self._sequence(list(value[3]), 0, at, on)
        if kind == c.BRANCH:
            return any(self._sequence(list(way), 0, at, on) for way in value[1])
        assert kind in REPEATS, kind
        least, most, inner = value[0], value[1], list(value[2])
        most = sys.maxsize if most == c.MAXREPEAT else most
        if len(inner) == 1 and inner[0][0] in SINGLE:
            return self._letters(kind, inner[0], least, most, at, on)
        if kind == c.POSSESSIVE_REPEAT:
            done, reached = 0, [at]

            def arrived(end: int) -> bool:
                reached.append(end)
                return True

            while done < most and self._sequence(inner, 0, reached[-1], arrived):
                done += 1
            return done >= least and on(reached[-1])
        return self._again(kind, inner, least, most, 0, at, on)

    def _letters(self, kind: Any, item: Any, least: int, most: int, at: int, on: Go) -> bool:
        """A repeat of one letter."""
        if kind == c.MIN_REPEAT:
            for done in range(most + 1):
                self.steps.number += 1
                if done >= least and on(at + done):
                    return True
                if not self._fits(item, at + done):
                    return False
            return False
        end = at
        while end - at < most and self._fits(item, end):
            end += 1
        self.steps.number += end - at
        if kind == c.POSSESSIVE_REPEAT:
            return end - at >= least and on(end)
        return any(on(back) for back in range(end, at + least - 1, -1))

    def _again(self, kind: Any, inner: Any, least: int, most: int, done: int, at: int, on: Go) -> bool:
        def more() -> bool:
            return done < most and self._sequence(
                inner,
                0,
                at,
                lambda end: (
                    (end > at or done < least) and self._again(kind, inner, least, most, done + 1, end, on)
                ),
            )

        if done < least:
            return more()
        return on(at) or more() if kind == c.MIN_REPEAT else more() or on(at)

    def _fits(self, item: Any, at: int) -> bool:
        if at >= self.end:
            return False
        key = id(item), self.text[at]
        if key not in self.letters:
            self.letters[key] = self._is(item, self._one(self.text, at))
        return self.letters[key]

    def _is(self, item: Any, code: int) -> bool:
        kind, value = item
        ways = {code}
        if self.flags & re.IGNORECASE:
            ways |= {ord(way) for way in (chr(code).lower(), chr(code).upper()) if len(way) == 1}
        if kind == c.ANY:
            return code != 10 or bool(self.flags & re.DOTALL)
        if kind == c.LITERAL:
            return value in ways
        if kind == c.NOT_LITERAL:
            return value not in ways
        negated = value[0][0] == c.NEGATE
        return negated != any(self._in(part, way) for part in value[negated:] for way in ways)

    def _in(self, part: Any, code: int) -> bool:
        kind, value = part
        if kind == c.CATEGORY:
            plain = self.flags & re.ASCII or isinstance(self.text, bytes)
            return re.match(CATEGORIES[value], chr(code), re.ASCII if plain else 0) is not None
        return code == value if kind == c.LITERAL else value[0] <= code <= value[1]

    def _stands(self, where: Any, at: int) -> bool:
        text, many = self.text, self.flags & re.MULTILINE
        line_end = b"\n" if isinstance(text, bytes) else "\n"
        if where in (c.AT_BEGINNING, c.AT_BEGINNING_STRING):
            return at == 0 or bool(many and where == c.AT_BEGINNING and text[at - 1 : at] == line_end)
        if where in (c.AT_END, c.AT_END_STRING):
            last = at == self.end or (at == self.end - 1 and text[at : at + 1] == line_end)
            return at == self.end or (
                where == c.AT_END and (last or bool(many and text[at : at + 1] == line_end))
            )
        before, after = (0 <= place < self.end and self._word(place) for place in (at - 1, at))
        return (before != after) == (where == c.AT_BOUNDARY)

    def _word(self, at: int) -> bool:
        return self._in((c.CATEGORY, c.CATEGORY_WORD), self._one(self.text, at))


class _Functions:
    """Stands for `re` in a module: what is compiled there is counted too."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps

    def __getattr__(self, name: str) -> Any:
        if name == "compile":
            return lambda pattern, flags=0: Counted(re.compile(pattern, flags), self.steps)
        if name in ("search", "match", "fullmatch", "sub", "split", "findall", "finditer"):
            return lambda pattern, *given: getattr(Counted(re.compile(pattern), self.steps), name)(*given)
        return getattr(re, name)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], object]], int]]:
    """A function that calls another one and returns how many steps that took, whatever it raises."""
    steps = Steps()
    proxies: dict[re.Pattern[Any], Counted] = {}
    modules = [module for name, module in sys.modules.items() if name.startswith("bordeaux.")]
    for module in [*modules, html]:
        for name, value in list(vars(module).items()):
            if isinstance(value, re.Pattern):
                proxy = proxies.setdefault(value, Counted(value, steps))
                monkeypatch.setattr(module, name, proxy)
            elif value is re:
                monkeypatch.setattr(module, name, _Functions(steps))

    def line(frame: FrameType, event: str, given: Any) -> Any:
        if not str(frame.f_globals.get("__name__")).startswith(("bordeaux", "html", "email")):
            return None
        steps.number += event == "line"
        return line

    def call(frame: FrameType, event: str, given: Any) -> None:
        if event == "c_call" and given.__name__ in WHOLE and isinstance(given.__self__, str | bytes):
            steps.number += len(given.__self__)

    def count(work: Callable[[], object]) -> int:
        before = steps.number
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(100_000)
        sys.settrace(line)
        sys.setprofile(call)
        try:
            work()
        finally:
            sys.settrace(None)
            sys.setprofile(None)
            sys.setrecursionlimit(depth)
        return steps.number - before

    yield count
