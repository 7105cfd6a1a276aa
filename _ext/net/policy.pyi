"""The interface of policies: they give orders for a power in a state."""

from typing import Any

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables

class Chooser:
    chance: int
    @property
    def tables(self) -> Tables: ...
    def __init__(self, tables: Tables, *subclass: Any, **named: Any) -> None: ...
    def orders(self, position: Packed, power: int) -> list[int]: ...
    def check(self, position: Packed, power: int) -> None: ...
