"""What a learnt policy is told of a board."""

from collections.abc import Iterable

from bordeaux._ext.packed import Packed
from bordeaux._ext.tables import Tables

class Memory:
    def __init__(
        self,
        tables: Tables,
        packed: Packed,
        last: Iterable[tuple[int, bytes]],
        before: Iterable[tuple[int, bytes]] = (),
    ) -> None: ...

class Facts:
    @property
    def tables(self) -> Tables: ...
    @property
    def names(self) -> bool: ...
    @property
    def n_general(self) -> int: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def order_rows(self) -> int: ...
    def __init__(self, tables: Tables, names: bool = True) -> None: ...
    def seen(self, packed: Packed, power: int, memory: Memory | None = None) -> bytes: ...
    def options(self, packed: Packed, power: int, memory: Memory | None = None) -> bytes: ...
