"""The progress of a power towards a stalemate line (paper 002, section 4.3.7)."""

from collections.abc import Iterable, Sequence

from bordeaux._ext.rules.tables import Tables

class Lines:
    @property
    def tables(self) -> Tables: ...
    def __init__(
        self,
        tables: Tables,
        lines: Iterable[tuple[int, Sequence[tuple[int, Sequence[int]]], Iterable[int], Sequence[int]]],
    ) -> None: ...
