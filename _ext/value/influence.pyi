"""The value of a position for a power: altitude times influence (paper 002, sections 4.1 and 4.3)."""

from collections.abc import Iterable, Sequence

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables
from bordeaux._ext.value.valuer import Valuer

WEIGHTS: tuple[str, ...]
BUILT_WIDE: bool

class Evaluator(Valuer):
    wide: bool
    def __init__(
        self,
        tables: Tables,
        weights: dict[str, float],
        altitudes: Sequence[Sequence[Sequence[float]]],
        parent: Evaluator | None = None,
        lines: Iterable[tuple[int, Sequence[tuple[int, Sequence[int]]], Iterable[int], Sequence[int]]] = (),
    ) -> None: ...
    def raised(
        self, rows: Sequence[Sequence[float]], marches: Sequence[Sequence[float]] | None = None
    ) -> Evaluator: ...
    def evaluate(self, position: Packed, power: int) -> tuple[float, dict[str, float]]: ...
