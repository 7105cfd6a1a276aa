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
from typing import Any, NoReturn, TypeAlias

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


def draft_from_mdf(
    text: str, name: str, known: Iterable[Province] = (), tags: Mapping[str, str] | None = None
) -> Draft:
    """Read an MDF message as the map called `name`, checked. Raises MapError with the wrong token.

    Powers and provinces are named by their tokens, except those in the `known` provinces, or in the `tags` of
    powers by name. The map has no initial units, and each power owns the homes that it does not share.
    """
    try:
        message = parse_daide(text)
    except FormatError as error:
        raise MapError(f"MDF: {error}") from None
    match message:
        case ("MDF", tuple(powers), (tuple(homes), tuple(others)), tuple(borders)):
            return _Reader(powers, homes, others, borders, known, tags or {}).draft(name)
        case ("MDF", *_):
            raise MapError("MDF: expected MDF (powers) ((homes) (provinces)) (borders)")
    raise MapError(f"MDF: expected a message that begins with MDF, not {quote(show(message[:1]))}")


class _Reader:
    """The parts of one message, with the names of the map."""

    def __init__(
        self,
        powers: Tree,
        homes: Tree,
        others: Tree,
        borders: Tree,
        known: Iterable[Province],
        tags: Mapping[str, str],
    ) -> None:
        self.powers = powers
        self.homes = homes
        self.others = others
        self.borders = borders
        self.known = {province.daide: province for province in known}
        self.power_names = {tag: power for power, tag in tags.items()}

    def draft(self, name: str) -> Draft:
        powers = {self.power(token): token for token in self.powers if self.is_token(token, "a power")}
        if len(powers) != len(self.powers):
            raise MapError(f"MDF: a power is listed twice in {_quoted(self.powers)}")
        homes = self.owners(set(powers.values()))
        borders: Borders = {}
        provinces: list[Province] = []
        for index, entry in enumerate(self.borders):
            province = self.province(index, entry, homes, borders)
            if any(other.name == province.name for other in provinces):
                raise MapError(f"MDF: the borders of {province.daide} are listed twice")
            provinces.append(province)
        tokens = {province.daide for province in provinces}
        for token in homes:
            if token not in tokens:
                raise MapError(f"MDF: {quote(token)} has no borders listed")
        draft = Draft(name, powers, provinces, borders)
        draft.centres = {
            power: tuple(province.name for province in provinces if province.home_of == power)
            for power in powers
        }
        try:
            return draft.checked()
        except Contradiction as error:
            raise MapError(f"MDF: {error}") from None

    def is_token(self, token: object, what: str) -> bool:
        """True for a token; raises MapError for brackets."""
        if not isinstance(token, str):
            raise MapError(f"MDF: expected {what}, not {_quoted(token)}")
        return True

    def power(self, token: str) -> str:
        return self.power_names.get(token, token)

    def tag(self, token: str) -> str:
        return self.known[token].name if token in self.known else token

    def owners(self, powers: set[str]) -> dict[str, tuple[str, ...] | None]:
        """By the token of each province the powers with a home there; None without a centre."""
        owners: dict[str, tuple[str, ...] | None] = {}
        for group in self.homes:
            if not isinstance(group, tuple) or not group:
                raise MapError(f"MDF: expected homes like (AUS BUD TRI VIE), not {_quoted(group)}")
            first, *tokens = group
            listed: Tree = first if isinstance(first, tuple) else () if first == NOBODY else (first,)
            for power in listed:
                if power not in powers:
                    raise MapError(f"MDF: unknown power {_quoted(power)} in {_quoted(group)}")
            for token in tokens:
                self.enter(owners, token, tuple(self.power(power) for power in listed))
        for token in self.others:
            self.enter(owners, token, None)
        return owners

    def enter(
        self, entered: dict[str, tuple[str, ...] | None], token: object, owners: tuple[str, ...] | None
    ) -> None:
        self.is_token(token, "a province")
        assert isinstance(token, str)
        if token in entered:
            raise MapError(f"MDF: {quote(token)} is listed twice among the provinces")
        entered[token] = owners

    def province(
        self, index: int, entry: object, homes: dict[str, tuple[str, ...] | None], borders: Borders
    ) -> Province:
        """The province of ``(TRI (AMY BUL) (FLT ADR))``; its borders are added to `borders`."""
        if not isinstance(entry, tuple) or len(entry) < 2 or not isinstance(entry[0], str):
            raise MapError(f"MDF: expected borders like (TRI (AMY BUL) (FLT ADR)), not {_quoted(entry)}")
        token, *lists = entry
        if token not in homes:
            raise MapError(f"MDF: {quote(token)} has borders but is not among the provinces")
        tag = self.tag(token)
        army = fleet = False
        coasts: list[str] = []
        for listed in lists:
            match listed:
                case ("AMY", *places):
                    army, key = True, ("A", tag)
                case ("FLT", *places):
                    fleet, key = True, ("F", tag)
                case (("FLT", str(coast)), *places) if coast in _COASTS:
                    coasts.append(_COASTS[coast])
                    fleet, key = True, ("F", f"{tag}/{_COASTS[coast]}")
                case _:
                    self.fail(
                        token, f"expected (AMY ...), (FLT ...) or ((FLT NCS) ...), not {_quoted(listed)}"
                    )
            if key in borders:
                self.fail(token, f"its borders {_quoted(listed)} are given twice")
            borders[key] = tuple(self.place(token, place) for place in places)
        if coasts and ("F", tag) in borders:
            self.fail(token, "fleet borders are given both with and without a coast")
        owners = homes[token]
        known = self.known.get(token)
        return Province(
            index,
            tag,
            known.full if known else tag,
            _KINDS[army, fleet],
            tuple(coasts),
            known.aliases if known else (),
            owners is not None,
            owners or (),
            token,
        )

    def place(self, token: str, place: object) -> str:
        """The location of ``TRI`` or ``(BUL SCS)``."""
        match place:
            case str(province):
                return self.tag(province)
            case (str(province), str(coast)) if coast in _COASTS:
                return f"{self.tag(province)}/{_COASTS[coast]}"
        self.fail(token, f"expected a place like TRI or (BUL SCS), not {_quoted(place)}")

    def fail(self, token: str, message: str) -> NoReturn:
        raise MapError(f"MDF: {quote(token)}: {message}")


def _quoted(part: object) -> str:
    return quote(show((part,)) if isinstance(part, (str, tuple)) else part)
