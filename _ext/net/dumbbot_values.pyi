"""The values of places for DumbBot and its family: values of centres, blurred over the map."""

from collections.abc import Iterable, Sequence
from typing import Any

from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables

class DumbBotValues(Chooser):
    def __init__(
        self,
        tables: Tables,
        schemes: Sequence[tuple[int, int, int, int, int, Sequence[int]]],
        size: Sequence[int],
        neutral_value: int,
        weak_variant: bool,
        *subclass: Any,
    ) -> None: ...
    def set_percentages(self, centres: Iterable[int], units: Iterable[int], prey: int) -> None: ...
    def survey(self, position: Packed, power: int) -> dict[str, list[Any]]: ...
