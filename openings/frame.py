"""A book as a pandas data frame, if pandas is installed."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.openings.rows import COLUMNS, Row

__all__ = ["to_dataframe"]


def to_dataframe(rows: Iterable[Row]) -> Any:
    """A ``pandas.DataFrame`` with the fields of `Row` as columns; what is not known is
    NaN, `orders` are tuples. Raises BordeauxError where pandas is missing."""
    try:
        pandas = importlib.import_module("pandas")
    except ImportError:
        raise BordeauxError("to_dataframe needs pandas, which is not installed: pip install pandas") from None
    return pandas.DataFrame(list(rows), columns=list(COLUMNS))
