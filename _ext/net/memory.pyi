"""The orders of the powers in the last two movement phases before a position."""

from collections.abc import Iterable

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables

class Memory:
    def __init__(
        self,
        tables: Tables,
        packed: Packed,
        last: Iterable[tuple[int, bytes]],
        before: Iterable[tuple[int, bytes]] = (),
    ) -> None: ...
