"""How many examples fuzz tests try is a number, or a share of what is usual."""

from __future__ import annotations

import pytest

from tests.fuzzing import examples


@pytest.mark.parametrize(
    ("wanted", "count"), [("", 40), ("100%", 40), ("50%", 20), ("1%", 1), ("2000", 2000), ("250%", 100)]
)
def test_a_number_and_a_share(monkeypatch: pytest.MonkeyPatch, wanted: str, count: int) -> None:
    monkeypatch.setenv("BORDEAUX_FUZZ", wanted)
    assert examples(40) == count


def test_as_many_as_usual_where_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BORDEAUX_FUZZ", raising=False)
    assert examples(7) == 7
