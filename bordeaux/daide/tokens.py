"""Tokens and their numbers: the names that a connection knows, and the category of each token.

On the wire a token is 16 bits: numbers, brackets, characters, and names by category. Powers and provinces
belong to the map and may be replaced by the server's RM message; all other names are fixed. Source: DAIDE
Client-Server Protocol 1 (PROTOCOL.md, sections 2.2, 5 and 6).
"""

from __future__ import annotations

import functools
import struct
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import TypeAlias

from bordeaux.board.errors import FormatError, quote
from bordeaux.board.map import Map

Token: TypeAlias = str | int
"""One token: a number; ``'('``, ``')'``, a name such as ``'SUB'`` or ``'AUS'``; ``"'x"`` for the character x
of a string; ``'0x4C01'`` for a token that the vocabulary does not know."""

Tokens: TypeAlias = tuple[Token, ...]
"""A message, or a part of one, as it goes over the wire."""

LEAST_NUMBER, MOST_NUMBER = -8192, 8191

_NUMBERS = 0x4000
_POWER = 0x41
_TEXT = 0x4B00
_FIRST_PROVINCE, _LAST_PROVINCE = 0x50, 0x57
_KINDS = {"inland": 0, "sea": 1, "coastal": 2}
_SPLIT = 3
_ENTRY = struct.Struct(">H3sB")
_BRACKETS = {"BRA": "(", "KET": ")"}
_MOST_PROVINCES = 256


class _Codes(dict[Token, int]):
    """The number of each token; those of integers and of unknown tokens are computed."""

    def __missing__(self, token: Token) -> int:
        if isinstance(token, int):
            if LEAST_NUMBER <= token <= MOST_NUMBER:
                return token & 0x3FFF
            raise FormatError(f"DAIDE: {token} is no number from {LEAST_NUMBER} to {MOST_NUMBER}")
        if token.startswith("0x"):
            return int(token, 16)
        raise FormatError(f"DAIDE: no token {quote(token)} on this map")


class _Names(dict[int, Token]):
    """The token of each number."""

    def __missing__(self, code: int) -> Token:
        if code < _NUMBERS:
            return code if code < _NUMBERS // 2 else code - _NUMBERS
        return f"0x{code:04X}"


class _Symbols(dict[Token, str]):
    """The symbol of each token in the grammar: a class of tokens, or its own name."""

    def __missing__(self, token: Token) -> str:
        return "number" if isinstance(token, int) else "unknown"


_CLASSES = frozenset({"power", "province", "coast", "season", "text"})


class Vocabulary:
    """The tokens that both ends of a connection know.

    `powers` and `provinces` hold names of three letters, in the order of their numbers. Use `standard`,
    `for_map` or `from_rm` to make one.
    """

    def __init__(self, powers: Mapping[str, int], provinces: Mapping[str, int]) -> None:
        """`powers` and `provinces` give names and 16-bit numbers. Raises FormatError for a duplicate name, or
        one that the language uses itself."""
        self.powers = tuple(powers)
        self.provinces = tuple(provinces)
        self.categories: dict[Token, str] = {}
        self.codes: dict[Token, int] = _Codes()
        tables = {**_listed(), "power": powers, "province": provinces}
        for category in sorted(tables, key=lambda category: category in ("power", "province")):
            for name, code in tables[category].items():
                if name in self.codes:
                    raise FormatError(f"DAIDE: the {category} {quote(name)} has the name of another token")
                self.codes[name] = code
                self.categories[name] = category
        self.names: dict[int, Token] = _Names({code: token for token, code in self.codes.items()})
        self.symbols: dict[Token, str] = _Symbols(
            {name: kind if kind in _CLASSES else str(name) for name, kind in self.categories.items()}
        )

    @classmethod
    def standard(cls) -> Vocabulary:
        """The standard map's tokens, the meaning of an empty RM."""
        return _standard()

    @classmethod
    def from_rm(cls, body: bytes) -> Vocabulary:
        """The tokens of an RM message's body. Raises FormatError for an impossible table."""
        if not body:
            return cls.standard()
        if len(body) % _ENTRY.size:
            raise FormatError(f"RM: {len(body)} bytes are no table of {_ENTRY.size} each")
        tables: dict[str, dict[str, int]] = {"powers": {}, "provinces": {}}
        for code, raw, _ in _ENTRY.iter_unpack(body):
            name, category = raw.decode("latin-1").upper(), code >> 8
            if not (name.isascii() and name.isalnum()):
                raise FormatError(f"RM: the token 0x{code:04X} is called {quote(name)}, not by letters")
            if category != _POWER and not _FIRST_PROVINCE <= category <= _LAST_PROVINCE:
                raise FormatError(f"RM: 0x{code:04X} is neither a power nor a province")
            table = tables["powers" if category == _POWER else "provinces"]
            if name in table:
                raise FormatError(f"RM: {quote(name)} stands twice")
            table[name] = code
        for what, table in tables.items():
            if not table:
                raise FormatError("RM: a table needs both powers and provinces")
            if sorted(code & 0xFF for code in table.values()) != list(range(len(table))):
                raise FormatError(f"RM: the {what} are not numbered 0 to {len(table) - 1}, each once")
        return cls(*map(_by_number, tables.values()))

    @classmethod
    def for_map(cls, map: Map) -> Vocabulary:
        """The tokens of a map: the standard ones if it has exactly those names, else a table of its own.

        Raises FormatError for more than 256 provinces and for reserved names of DAIDE.
        """
        standard = cls.standard()
        powers = tuple(map.tags[power] for power in map.powers)
        if set(powers) == set(standard.powers):
            powers = standard.powers
            if {province.daide for province in map.provinces} == set(standard.provinces):
                return standard
        if len(map.provinces) > _MOST_PROVINCES:
            raise FormatError(f"DAIDE: {len(map.provinces)} provinces are more than {_MOST_PROVINCES}")
        ordered = sorted(
            (
                _FIRST_PROVINCE
                + 2 * (_SPLIT if len(province.coasts) > 1 else _KINDS[province.kind])
                + province.centre,
                province.daide,
            )
            for province in map.provinces
        )
        provinces = {name: (kind << 8) + number for number, (kind, name) in enumerate(ordered)}
        if len(provinces) < len(ordered):
            raise FormatError("DAIDE: two provinces of the map have the same token")
        return cls({name: (_POWER << 8) + n for n, name in enumerate(powers)}, provinces)

    def rm(self) -> bytes:
        """The body of the RM message of this vocabulary; empty for the standard one."""
        if self is _standard():
            return b""
        return b"".join(
            _ENTRY.pack(self.codes[name], name.encode("ascii"), 0) for name in self.powers + self.provinces
        )

    def encode(self, tokens: Tokens) -> bytes:
        """Tokens as the bytes of a DM. Raises FormatError for a token that has no number."""
        return struct.pack(f">{len(tokens)}H", *map(self.codes.__getitem__, tokens))

    def decode(self, body: bytes) -> Tokens:
        """The tokens of a DM. Raises FormatError for half a token."""
        if len(body) % 2:
            raise FormatError(f"DAIDE: {len(body)} bytes are no whole number of tokens")
        return tuple(map(self.names.__getitem__, struct.unpack(f">{len(body) // 2}H", body)))


def _by_number(table: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(table.items(), key=lambda item: item[1] & 0xFF))


@functools.cache
def _listed() -> dict[str, Mapping[str, int]]:
    """The shipped table of tokens, by category."""
    text = (resources.files("bordeaux.daide") / "data" / "tokens.toml").read_text("utf-8")
    listed = tomllib.loads(text)
    listed["bracket"] = {_BRACKETS[name]: code for name, code in listed["bracket"].items()}
    listed["text"] = {f"'{chr(byte)}": _TEXT + byte for byte in range(256)}
    return listed


@functools.cache
def _standard() -> Vocabulary:
    return Vocabulary(_listed()["power"], _by_number(_listed()["province"]))
