from collections import Counter
from dataclasses import replace

import pytest

from bordeaux.board.errors import BordeauxError, MapError
from bordeaux.openings.canonical import position_key
from bordeaux.openings.making.comparison import BookPlace, compare, compare_games, surprise
from bordeaux.openings.novelties import novelties
from tests.openings.small_book import GALICIA, HEDGEHOG, START, TRIESTE, austrian, book_of_gulfs, small_book

PLACE = BookPlace("S1901M", "AUSTRIA", position_key(START), False)


def test_surprise_in_bits() -> None:
    assert surprise(0.5, 0.25) == pytest.approx(0.25)
    assert surprise(0.25, 0.5) == pytest.approx(0.25)
    assert surprise(0.3, 0.3) == 0
    assert surprise(0.0, 1.0) == pytest.approx(0.999 * 9.96578, rel=1e-4)
    assert surprise(0.0, 0.0005) == 0


def test_two_books_differ_where_weights_or_values_do() -> None:
    first, second, third = austrian()
    other = (replace(first, weight=0.1, value=0.1), second, replace(third, weight=0.6))
    differences = compare(small_book(), small_book(other))
    assert [(set(difference.orders), difference.first, difference.second) for difference in differences] == [
        (set(TRIESTE), 0.5, 0.1),
        (set(HEDGEHOG), 0.2, 0.6),
    ]
    assert (differences[0].value, differences[0].second_value, differences[0].loss) == (0.125, 0.1, 0.125)
    assert differences[0].surprise > differences[1].surprise > 0
    assert compare(small_book(), small_book(other), "FRANCE") == []
    with pytest.raises(MapError):
        compare(small_book(), small_book(), "NARNIA")
    with pytest.raises(BordeauxError, match="on map standard, the other on map gulfs"):
        compare(small_book(), book_of_gulfs())
    (difference,) = compare(book_of_gulfs(1.0), book_of_gulfs(0.5))
    assert (difference.first, difference.second, difference.name) == (1.0, 0.5, "")


def test_a_set_that_one_book_lacks_has_no_weight_there() -> None:
    first, second, _ = austrian()
    other = (replace(first, weight=0.7), second)
    (lost,) = [
        difference
        for difference in compare(small_book(), small_book(other))
        if set(difference.orders) == set(HEDGEHOG)
    ]
    assert (lost.first, lost.second, lost.games) == (0.2, 0.0, 0)


def test_people_against_the_engine() -> None:
    book = small_book()
    orders = {frozenset(entry.orders): entry.orders for entry in austrian()}
    games: dict[BookPlace, Counter[tuple[str, ...]]] = {
        PLACE: Counter({orders[frozenset(TRIESTE)]: 80, orders[frozenset(GALICIA)]: 20}),
        BookPlace("F1905M", "AUSTRIA", "0" * 16, True): Counter({("A VIE H",): 9}),
    }
    differences = compare_games(book, games)
    by_set = {frozenset(difference.orders): difference for difference in differences}
    assert len(differences) == 3 and all(difference.engine for difference in differences)
    trieste = by_set[frozenset(TRIESTE)]
    assert (trieste.first, trieste.second, trieste.games, trieste.loss) == (0.0, 0.8, 80, 0.125)
    hedgehog = by_set[frozenset(HEDGEHOG)]
    assert (hedgehog.first, hedgehog.second, hedgehog.loss) == (0.75, 0.0, 0.0)
    # ten games as the engine plays them are added to the hundred: (0 + 10 x .75) / 110
    assert hedgehog.surprise == pytest.approx(surprise(0.75, 7.5 / 110))


def test_where_nobody_searched_the_book_stands_for_the_engine() -> None:
    book = small_book()
    (view,) = book.views.values()
    place = BookPlace("F1901M", "AUSTRIA", view.key, True)
    differences = compare_games(book, {place: Counter({view.entries[1].orders: 50})})
    assert [difference.engine for difference in differences] == [False, False]
    assert differences[0].loss is None


def test_novelties_are_what_only_the_engine_plays() -> None:
    (novelty,) = novelties(small_book())
    assert set(novelty.row.orders) == set(HEDGEHOG)
    assert novelty.usual is not None and set(novelty.usual.orders) == set(TRIESTE)
    assert (novelty.gain, novelty.loss) == (0.125, 0.0)
    assert novelties(small_book(), least=0.8) == []
    assert novelties(small_book(), most=0.5) == [novelty], "one of each place"
    assert novelties(small_book(), power="FRANCE") == []
