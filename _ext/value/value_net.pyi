"""The expected result of a game for each power, by a small net over the rows of the prospect."""

from collections.abc import Mapping
from typing import Any

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables
from bordeaux._ext.value.prospect import EndValue

ARRAYS: dict[str, str]

class ValueNet(EndValue):
    def __init__(
        self,
        tables: Tables,
        arrays: Mapping[str, Any],
        names: bool,
        first_year: int,
        scale: float = 1.0,
    ) -> None: ...
    @property
    def widths(self) -> dict[str, int]: ...
    def arrays(self) -> dict[str, tuple[tuple[int, ...], bytes]]: ...
    def terms(self, position: Packed, power: int) -> dict[str, float]: ...
