"""The choice of orders from values, as in DumbBot and its family: unit by unit, with some randomness."""

from collections.abc import Iterable, Sequence

from bordeaux._ext.net.dumbbot_values import DumbBotValues
from bordeaux._ext.rules.tables import Tables

class DumbBotPolicy(DumbBotValues):
    def __init__(
        self,
        tables: Tables,
        schemes: Sequence[tuple[int, int, int, int, int, Sequence[int]]],
        size: Sequence[int],
        neutral_value: int,
        weak_variant: bool,
        seed: int,
        alternative: int,
        modifier: int,
        furthest: Iterable[int],
        helps: int,
    ) -> None: ...
    def walked(self, values: Iterable[int], furthest: int) -> int: ...
