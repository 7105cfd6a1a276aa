"""DAIDE messages as text: tokens, brackets and strings as nested tuples; and maps, in the message ``MDF``.

``NOW (SPR 1901) (AUS FLT TRI)`` becomes ``("NOW", ("SPR", "1901"), ("AUS", "FLT", "TRI"))``. Every token is
text in capitals. A string in quotes keeps its quotes, and a quote within it is written twice. An MDF reads

::

    MDF (AUS TUR) (((AUS TRI) (UNO BUL)) (ADR))
        ((TRI (AMY BUL) (FLT ADR)) (BUL (AMY TRI) ((FLT SCS) ADR)) (ADR (FLT TRI (BUL SCS))))

The powers come first. Then come the home centres of each power, and the provinces without a centre. UNO means
no power, and a list means powers that share a home. Then come every province's borders for an army, a fleet,
or a fleet on one of its coasts. The kind of a province follows from its borders. The message has no names,
first units or first phase. `bordeaux.formats.daide` makes maps from such messages and writes them.
Source: DAIDE Message Syntax 0.178.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from bordeaux.board.errors import FormatError, MapError, quote
from bordeaux.board.mapcheck import COAST_TOKENS, Borders, Contradiction, Draft
from bordeaux.board.order import Province

Tree: TypeAlias = tuple[Any, ...]
"""Tokens and inner trees, in turn."""

DEEPEST = 50
_WORD = re.compile(r"\s*([()]|'[^']*(?:''[^']*)*'|-?[A-Za-z0-9]+(?!\w))")


def words(text: str) -> Iterator[tuple[str, int]]:
    """Brackets, quoted strings and words in capitals, with the place in the text where each ends.

    Raises FormatError for anything else.
    """
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _WORD.match(text, at)
        if match is None:
            raise unreadable(text, at)
        word, at = match[1], match.end()
        yield word if word[0] == "'" else word.upper(), at


def unreadable(text: str, at: int) -> FormatError:
    """The error for a text that cannot be read from a place on."""
    return FormatError(f"not DAIDE: cannot read {quote(text[at : at + 30].strip())}")


def parse_daide(text: str) -> Tree:
    """Read a text. Raises FormatError for a stray character or bracket."""
    open_groups: list[list[Any]] = [[]]
    for word, end in words(text):
        if word == "(":
            if len(open_groups) > DEEPEST:
                raise FormatError(f"not DAIDE: brackets nested more than {DEEPEST} deep")
            open_groups.append([])
        elif word == ")":
            if len(open_groups) == 1:
                before = text[max(0, end - 31) : end - 1].strip()
                raise FormatError(f"not DAIDE: ')' without '(' after {quote(before)}")
            group = tuple(open_groups.pop())
            open_groups[-1].append(group)
        else:
            open_groups[-1].append(word)
    if len(open_groups) > 1:
        raise FormatError(f"not DAIDE: {len(open_groups) - 1} '(' not closed; it is cut short")
    return tuple(open_groups[0])


def show(tree: Tree | str) -> str:
    """Write tokens and trees as text."""
    if isinstance(tree, str):
        return tree
    return " ".join(item if isinstance(item, str) else f"({show(item)})" for item in tree)


NOBODY = "UNO"
_COASTS = {token: coast for coast, token in COAST_TOKENS.items()}
_KINDS = {(True, True): "coastal", (True, False): "inland", (False, True): "sea"}
Owners: TypeAlias = dict[str, tuple[str, ...] | None]
"""By the token of each province the powers with a home there; None without a centre."""


def draft_from_mdf(
    text: str, name: str, known: Iterable[Province] = (), tags: Mapping[str, str] | None = None
) -> Draft:
    """Read an MDF message as the map called `name`, checked. Raises MapError with the wrong token.

    Powers and provinces are named by their tokens, except those in the `known` provinces, or in the `tags` of
    powers by name. The map has no initial units, and each power owns the homes that it does not share.
    """
    try:
        match message := parse_daide(text):
            case ("MDF", tuple(powers), (tuple(homes), tuple(others)), tuple(borders)):
                return _Reader(known, tags or {}).draft(name, powers, homes, others, borders)
            case ("MDF", *_):
                raise FormatError("expected MDF (powers) ((homes) (provinces)) (borders)")
        raise FormatError(f"expected a message that begins with MDF, not {quote(show(message[:1]))}")
    except (FormatError, Contradiction) as error:
        raise MapError(f"MDF: {error}") from None


class _Reader:
    """Reads the parts of one message, with the names of the map. Raises Contradiction."""

    def __init__(self, known: Iterable[Province], tags: Mapping[str, str]) -> None:
        self.known = {province.daide: province for province in known}
        self.power_names = {tag: power for power, tag in tags.items()}

    def draft(self, name: str, tokens: Tree, homes: Tree, others: Tree, listed: Tree) -> Draft:
        powers = {self.power(_token(token, "a power")): token for token in tokens}
        if len(powers) != len(tokens):
            raise Contradiction(f"a power is listed twice in {_quoted(tokens)}")
        left = self.owners(homes, others, {*tokens})
        borders: Borders = {}
        provinces = [self.province(number, entry, left, borders) for number, entry in enumerate(listed)]
        for token in left:
            raise Contradiction(f"{quote(token)} has no borders listed")
        draft = Draft(name, powers, provinces, borders)
        draft.centres = {
            power: tuple(province.name for province in provinces if province.home_of == power)
            for power in powers
        }
        return draft.checked()

    def power(self, token: str) -> str:
        return self.power_names.get(token, token)

    def tag(self, token: str) -> str:
        return self.known[token].name if token in self.known else token

    def owners(self, homes: Tree, others: Tree, powers: set[str]) -> Owners:
        owners: Owners = {}
        for group in homes:
            if not isinstance(group, tuple) or not group:
                raise Contradiction(f"expected homes like (AUS BUD TRI VIE), not {_quoted(group)}")
            first, *tokens = group
            listed: Tree = first if isinstance(first, tuple) else () if first == NOBODY else (first,)
            for power in listed:
                if power not in powers:
                    raise Contradiction(f"unknown power {_quoted(power)} in {_quoted(group)}")
            for token in tokens:
                _enter(owners, token, tuple(map(self.power, listed)))
        for token in others:
            _enter(owners, token, None)
        return owners

    def province(self, index: int, entry: object, left: Owners, borders: Borders) -> Province:
        """The province of ``(TRI (AMY BUL) (FLT ADR))``, which is taken from those that are left; its borders
        are added to `borders`."""
        if not isinstance(entry, tuple) or len(entry) < 2 or not isinstance(entry[0], str):
            raise Contradiction(f"expected borders like (TRI (AMY BUL) (FLT ADR)), not {_quoted(entry)}")
        token, *lists = entry
        if token not in left:
            raise Contradiction(f"{quote(token)} has borders again, or is not among the provinces")
        owners, tag = left.pop(token), self.tag(token)
        kinds, coasts = set(), []
        for listed in lists:
            match listed:
                case ("AMY", *places):
                    key = "A", tag
                case ("FLT", *places):
                    key = "F", tag
                case (("FLT", str(coast)), *places) if coast in _COASTS:
                    coasts.append(_COASTS[coast])
                    key = "F", f"{tag}/{_COASTS[coast]}"
                case _:
                    said = f"expected (AMY ...), (FLT ...) or ((FLT NCS) ...), not {_quoted(listed)}"
                    raise Contradiction(f"{quote(token)}: {said}")
            if key in borders:
                raise Contradiction(f"{quote(token)}: its borders {_quoted(listed)} are given twice")
            kinds.add(key[0])
            borders[key] = tuple(self.place(token, place) for place in places)
        if coasts and ("F", tag) in borders:
            raise Contradiction(f"{quote(token)}: fleet borders are given both with and without a coast")
        known = self.known.get(token)
        full, aliases = (known.full, known.aliases) if known else (tag, ())
        kind, homes = _KINDS["A" in kinds, "F" in kinds], owners or ()
        return Province(index, tag, full, kind, tuple(coasts), aliases, owners is not None, homes, token)

    def place(self, token: str, place: object) -> str:
        """The location of ``TRI`` or ``(BUL SCS)``."""
        match place:
            case str(province):
                return self.tag(province)
            case (str(province), str(coast)) if coast in _COASTS:
                return f"{self.tag(province)}/{_COASTS[coast]}"
        said = f"expected a place like TRI or (BUL SCS), not {_quoted(place)}"
        raise Contradiction(f"{quote(token)}: {said}")


def _enter(entered: Owners, token: object, owners: tuple[str, ...] | None) -> None:
    if _token(token, "a province") in entered:
        raise Contradiction(f"{quote(token)} is listed twice among the provinces")
    entered[str(token)] = owners


def _token(token: object, what: str) -> str:
    if not isinstance(token, str):
        raise Contradiction(f"expected {what}, not {_quoted(token)}")
    return token


def _quoted(part: object) -> str:
    return quote(show((part,)) if isinstance(part, (str, tuple)) else part)
