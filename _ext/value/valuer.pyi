"""The interface of values: they give the value of a state for a power."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables

class Valuer:
    @property
    def tables(self) -> Tables: ...
    def __init__(self, tables: Tables, *subclass: Any, **named: Any) -> None: ...
    def points(self, position: Packed, power: int) -> float: ...
    def all(self, position: Packed) -> list[float]: ...
    def check(self, position: Packed, power: int) -> None: ...

class Blend(Valuer):
    def __init__(self, tables: Tables, first: Valuer, second: Valuer, part: float) -> None: ...

def evaluate_many(
    evaluator: Valuer,
    positions: NDArray[np.uint8],
    starts: NDArray[np.int64],
    orders: NDArray[np.uint64],
    powers: NDArray[np.uint8],
) -> float: ...
