"""The settings of a server's game, and their form in ``HLO``.

They are the language level, the limits and the variants (the overview of DAIDE, section 6).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.daide import language as d
from bordeaux.daide.tokens import MOST_NUMBER

#: The name under which the server talks (ADM).
SERVER = "Server"
#: The lowest level with press.
PRESS_LEVEL = 10
#: The longest time in DAIDE's numbers.
MOST_SECONDS = MOST_NUMBER
#: The longest idle time of a power: thirty days.
MOST_IDLE = 30 * 24 * 3600
#: The latest last year, so that the year after it is still a DAIDE number.
MOST_YEAR = MOST_NUMBER - 1

_LIMITS = {"M": "mtl", "R": "rtl", "A": "btl"}
_RANGES = {
    **dict.fromkeys(_LIMITS.values(), (1, MOST_SECONDS)),
    "ptl": (0, MOST_SECONDS),
    "until": (1, MOST_YEAR),
    "idle": (1, MOST_IDLE),
}
_SAVED_NAME = re.compile(r"[A-Za-z0-9_]{0,8}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings:
    """The rules of one game. Raises BordeauxError for invalid values.

    `level` is the language level. `mtl`, `rtl` and `btl` are the seconds for movement, retreat and build
    turns (None: no limit). `dsd` stops the clock while a power that must give orders is away. `aoa` accepts
    any order for an own unit. `pda` allows draws that leave survivors out. `npr` and `npb` forbid press in
    retreat and build turns. `ptl` forbids it in the last seconds before a movement deadline.

    `until` is the last game year, after which the survivors share a draw (None: no last year). ``HLO`` cannot
    express it, nor `idle`. In turns without a limit, a power that is waited for is warned after `idle`
    seconds of silence. After as many more the game continues without it. `talk` allows clients to send
    ``ADM``. `save` is the name of the saved game in ``SVE`` and ``LOD``, at most eight letters, digits and
    ``_``; without one, clients are not told to save.
    """

    level: int = 0
    mtl: int | None = None
    rtl: int | None = None
    btl: int | None = None
    dsd: bool = False
    aoa: bool = False
    pda: bool = False
    npr: bool = False
    npb: bool = False
    ptl: int = 0
    until: int | None = None
    idle: int | None = None
    talk: bool = True
    save: str = ""

    def __post_init__(self) -> None:
        if self.level not in d.LEVELS:
            raise BordeauxError(f"no language level {self.level}; there are 0, 10, 20 ... 130 and 8000")
        for name, (least, most) in _RANGES.items():
            number = getattr(self, name)
            if number is not None and not least <= number <= most:
                raise BordeauxError(f"{name} must be {least} to {most}, not {number}")
        if self.ptl and (self.mtl is None or self.ptl >= self.mtl):
            raise BordeauxError(
                f"ptl ends press {self.ptl} s before a movement deadline: give a longer mtl as well"
            )
        if self.level < PRESS_LEVEL:
            for name in ("pda", "npr", "npb", "ptl"):
                if getattr(self, name):
                    raise BordeauxError(f"{name} is an option of games with press; raise the level to 10")
        if not _SAVED_NAME.fullmatch(self.save):
            raise BordeauxError(
                f"{quote(self.save)} is no name for a saved game; write at most 8 letters, digits and '_'"
            )

    def limit(self, kind: str) -> int | None:
        """Seconds for a turn of a kind of phase (M, R or A); None without a limit."""
        name = _LIMITS.get(kind)
        return None if name is None else getattr(self, name)

    @property
    def longest(self) -> int:
        """The longest of the limits; -1 if there are none at all."""
        return max((-1 if limit is None else limit) for limit in map(self.limit, _LIMITS))

    @property
    def options(self) -> tuple[d.Option, ...]:
        """The options of ``HLO``, in the order that the language fixes."""
        listed = []
        for name in ("level", "mtl", "rtl", "btl", "dsd", "aoa", "pda", "npr", "npb", "ptl"):
            value, token = getattr(self, name), "LVL" if name == "level" else name.upper()
            if value or name == "level":
                listed.append(d.Option(token, None if value is True else value))
        return tuple(listed)

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> GameSettings:
        """Read settings from a saved game. Raises FormatError for invalid ones."""
        known: dict[str, Any] = {field.name: str(field.type) for field in fields(cls)}
        for name, value in data.items():
            kind = "None" if value is None else type(value).__name__
            if kind not in known.get(name, "").split(" | "):
                raise FormatError(f"a saved game has no setting {quote(name)} that is {quote(value)}")
        return cls(**data)  # type: ignore[arg-type]
