"""All orders that can ever be legal on a map, and the number of each of them in a table."""

import numpy as np
from numpy.typing import NDArray

from bordeaux._ext.rules.tables import Tables

def every_order(tables: Tables) -> bytes: ...

class OrderNumbers:
    @property
    def tables(self) -> Tables: ...
    def __init__(self, tables: Tables, codes: NDArray[np.uint64]) -> None: ...
    def numbers(self, codes: NDArray[np.uint64], out: NDArray[np.int32]) -> None: ...
