"""A book as a table of pandas, which need not be installed."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.openings.rows import COLUMNS

from .small_book import small_book


def test_without_pandas_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(BordeauxError, match="needs pandas"):
        small_book().to_dataframe()


def test_with_pandas_the_frame_has_a_row_a_set(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = SimpleNamespace(DataFrame=lambda rows, columns: (rows, columns))
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    rows, columns = small_book().to_dataframe()
    assert columns == list(COLUMNS)
    assert len(rows) == 11 and all(len(row) == len(columns) for row in rows)
