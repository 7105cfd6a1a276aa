"""Many packed positions adjudicated in one call from Python."""

import numpy as np
from numpy.typing import NDArray

from bordeaux._ext.rules.tables import Tables

def adjudicate_many(
    tables: Tables,
    positions: NDArray[np.uint8],
    starts: NDArray[np.int64],
    orders: NDArray[np.uint64],
    out: NDArray[np.uint8],
    rules: int = 0,
) -> None: ...
def count_legal(tables: Tables, positions: NDArray[np.uint8]) -> int: ...
