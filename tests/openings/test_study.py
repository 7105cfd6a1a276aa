import sys
from types import SimpleNamespace

import pytest

from bordeaux import Position
from bordeaux.board.errors import BordeauxError, MapError
from bordeaux.openings.rows import COLUMNS
from bordeaux.openings.study import band, expect, play_on, played_in, table_of

from .small_book import GALICIA, GREECE, HEDGEHOG, START, TRIESTE, small_book

STRIKE = ("F NAP - ION", "A ROM - VEN", "A VEN - TRI")
PEACE = ("F NAP - ION", "A ROM - APU", "A VEN H")


def in_trieste(position: Position) -> float:
    """1 where Austria stands in Trieste, -1 where Italy does."""
    unit = position.unit_at("TRI")
    return 0.0 if unit is None else 1.0 if unit.power == "AUSTRIA" else -1.0


def test_the_table_is_what_people_play() -> None:
    table = table_of(small_book(), START)
    assert set(table) == set(START.map.powers)
    assert [share for _, share in table["AUSTRIA"]] == [0.6667, 0.3333]
    changed = table_of(small_book(), START, {"ita": [(STRIKE, 0.7), (PEACE, 0.3)]})
    assert [share for _, share in changed["ITALY"]] == [0.7, 0.3]
    assert changed["FRANCE"] == table["FRANCE"]


def test_who_is_sure_to_be_attacked_covers_himself() -> None:
    sets = [GALICIA, TRIESTE]
    attacked = expect(START, "AUSTRIA", sets, {"ITALY": [(STRIKE, 1.0)]}, samples=5, measure=in_trieste)
    # a bounce leaves Trieste empty, since the fleet has gone
    assert [(set(each.orders), each.expected.mean) for each in attacked] == [
        (set(TRIESTE), 0.0),
        (set(GALICIA), -1.0),
    ]
    assert attacked[1].behind == (1.0, 1.0, 1.0)
    alone = expect(START, "AUSTRIA", sets, {"ITALY": [(PEACE, 1.0)]}, samples=5, measure=in_trieste)
    assert [each.expected.mean for each in alone] == [1.0, 0.0]


def test_sets_meet_the_same_tables_in_the_shares_given() -> None:
    table = {"ITALY": [(STRIKE, 1.0), (PEACE, 3.0)]}
    found = expect(START, "AUSTRIA", [GALICIA, TRIESTE], table, samples=400, measure=in_trieste)
    trieste, galicia = found
    struck = -galicia.expected.mean
    assert 0.19 < struck < 0.31
    assert trieste.expected.mean == pytest.approx(1 - struck)
    assert galicia.behind.mean == 1.0
    assert trieste.expected.low < trieste.expected.mean < trieste.expected.high


def test_the_same_seed_gives_the_same_answer() -> None:
    table = {"ITALY": [(STRIKE, 1.0), (PEACE, 1.0)]}
    first, again, other = (
        expect(START, "AUSTRIA", [TRIESTE, HEDGEHOG], table, samples=30, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again != other
    assert first[0].behind == (0.0, 0.0, 0.0)
    assert first[0].name


def test_play_goes_on_by_the_book() -> None:
    book = small_book()
    table = table_of(book, START)
    found = expect(
        START,
        "AUSTRIA",
        [TRIESTE],
        table,
        samples=8,
        follow=played_in(book),
        until="W1901A",
        measure=lambda position: float(len(position.centres["AUSTRIA"])),
    )
    # Serbia and, in three games of four, Greece with the support; Serbia alone takes it as well
    assert found[0].expected.mean == 5.0


def test_play_on_stops_at_the_phase_or_after_it() -> None:
    def follow(position, random):
        return {"AUSTRIA": GREECE} if str(position.phase) == "F1901M" else {"AUSTRIA": TRIESTE}

    after = play_on(START, "F1901R", follow, None)
    assert str(after.phase) == "W1901A"
    assert "GRE" in after.centres["AUSTRIA"]
    assert play_on(after, "S1901M", follow, None) is after


def test_what_cannot_be_asked() -> None:
    table = {"ITALY": [(STRIKE, 1.0)]}
    with pytest.raises(BordeauxError, match="at least one set"):
        expect(START, "AUSTRIA", [], table)
    with pytest.raises(BordeauxError, match="two samples"):
        expect(START, "AUSTRIA", [TRIESTE], table, samples=1)
    with pytest.raises(BordeauxError, match="shares of ITALY"):
        expect(START, "AUSTRIA", [TRIESTE], {"ITALY": [(STRIKE, 0.0)]})
    with pytest.raises(MapError):
        expect(START, "NARNIA", [TRIESTE], table)


def test_a_band_is_a_mean_with_its_interval() -> None:
    mean, low, high = band([1.0, 2.0, 3.0, 4.0])
    assert mean == 2.5
    assert high - mean == pytest.approx(1.96 * (5 / 3 / 4) ** 0.5)
    assert mean - low == pytest.approx(high - mean)


def test_without_pandas_the_error_says_so(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(BordeauxError, match="needs pandas"):
        small_book().to_dataframe()


def test_with_pandas_the_frame_has_a_row_a_set(monkeypatch) -> None:
    monkeypatch.setitem(
        sys.modules, "pandas", SimpleNamespace(DataFrame=lambda rows, columns: (rows, columns))
    )
    rows, columns = small_book().to_dataframe()
    assert columns == list(COLUMNS)
    assert len(rows) == 11 and all(len(row) == len(columns) for row in rows)
