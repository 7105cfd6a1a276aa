"""The engine with an opening book: it plays from it while it can, and searches where it cannot."""

import gc
import weakref

import pytest

from bordeaux import Agreement, Engine, Map, Position
from bordeaux.openings import Book
from bordeaux.search.task import LINES
from tests.openings.small_book import GALICIA, HEDGEHOG, START, THREAT, TRIESTE, USUAL, book_of, small_book


def opened(seed: int, book: Book, position: Position = START, power: str = "AUSTRIA") -> frozenset[str]:
    with Engine(seed=seed, book=book, draw=True) as engine:
        answer = engine.search(position, power, nodes=300)
    assert answer.book
    return frozenset(answer.orders)


def test_the_set_of_the_book_is_played_as_it_stands() -> None:
    book = small_book()
    with Engine(book=book) as engine:
        answer = engine.search(START, "TURKEY", nodes=300)
    (entry,) = book.root.powers["TURKEY"]
    assert answer.book and answer.orders == entry.orders and set(answer.orders) == set(USUAL["TURKEY"])
    assert answer.nodes == 0
    assert [(line.orders, line.probability) for line in answer.lines] == [(entry.orders, 1.0)]


def test_a_word_given_closes_the_book() -> None:
    peace = Agreement("peace", ("TURKEY", "RUSSIA"))
    with Engine(book=small_book()) as engine:
        assert not engine.search(START, "TURKEY", nodes=300, agreements=[peace]).book


def test_sets_are_drawn_by_weight_and_seed() -> None:
    book = small_book()
    drawn = [opened(seed, book) for seed in range(12)]
    assert set(drawn) == {frozenset(TRIESTE), frozenset(GALICIA), frozenset(HEDGEHOG)}
    assert drawn.count(frozenset(TRIESTE)) > drawn.count(frozenset(HEDGEHOG))
    assert [opened(seed, book) for seed in range(2)] == drawn[:2]


def test_the_set_with_the_highest_value_is_played_and_others_follow_by_value() -> None:
    with Engine(seed=1, book=small_book()) as engine:
        answer = engine.search(START, "AUSTRIA", nodes=300)
    assert answer.lines[0].orders == answer.orders and answer.value == answer.lines[0].value
    assert len(answer.lines) == 3
    values = [line.value for line in answer.lines]
    assert values == sorted(values, reverse=True) and len(set(values)) > 1
    assert sum(line.probability for line in answer.lines) == pytest.approx(1)


@pytest.mark.parametrize("lines", [1, 12])
def test_distances_are_from_the_best_set_of_the_book(lines: int) -> None:
    after = START.next({"FRANCE": ["F BRE - MAO", "A MAR - SPA", "A PAR - GAS"]})
    with Engine(book=Book.load()) as engine:
        answer = engine.search(after, "FRANCE", nodes=300, lines=lines)
    first, *others = answer.lines
    assert answer.book and first.level and first.behind == first.doubt == 0
    assert all(line.behind == pytest.approx(first.value - line.value, abs=2e-4) for line in others)
    assert len(answer.lines) == LINES if lines == 1 else LINES < len(answer.lines) <= lines


def test_out_of_book_the_engine_searches_as_it_does_without_one() -> None:
    after = START.next({"FRANCE": USUAL["FRANCE"]})
    with Engine(seed=3, book=small_book()) as engine, Engine(seed=3) as plain:
        with_book = engine.search(after, "FRANCE", nodes=500)
        without = plain.search(after, "FRANCE", nodes=500)
    assert not with_book.book
    assert (with_book.orders, with_book.value, with_book.lines) == (
        without.orders,
        without.value,
        without.lines,
    )


def test_the_book_is_left_after_so_many_phases() -> None:
    after = START.next({"AUSTRIA": TRIESTE})
    for phases, in_book in ((None, True), (2, True), (1, False)):
        with Engine(book=small_book(), book_phases=phases) as engine:
            assert engine.search(START, "AUSTRIA", nodes=300).book
            assert engine.search(after, "AUSTRIA", nodes=300).book == in_book, phases
    with Engine(book=small_book(), book_phases=0) as engine:
        assert not engine.search(START, "AUSTRIA", nodes=300).book


def test_a_set_that_loses_material_at_once_is_not_played() -> None:
    giving_away = ("F MAO - NAO", "A PAR - GAS", "A SPA - MAR")
    minding = ("F MAO - POR", "A PAR - GAS", "A SPA H")
    with Engine(book=book_of((giving_away, 1.0))) as engine:
        answer = engine.search(THREAT, "FRANCE", nodes=600)
    assert not answer.book and answer.orders != giving_away and answer.nodes > 0
    both = book_of((giving_away, 0.5), (minding, 0.5))
    assert {opened(seed, both, THREAT, "FRANCE") for seed in range(6)} == {frozenset(minding)}


def test_all_powers_play_from_the_book_or_search_side_by_side() -> None:
    book = small_book()
    with Engine(book=book) as engine:
        answers = engine.search_all(START, nodes=600)
        assert list(answers) == list(START.map.powers)
        assert all(answer.book for answer in answers.values())
        after = START.next({power: answer.orders for power, answer in answers.items()} | {"AUSTRIA": TRIESTE})
        mixed = engine.search_all(after, nodes=1500)
    assert list(mixed) == list(START.map.powers)
    assert [power for power, answer in mixed.items() if answer.book] == ["AUSTRIA"]
    assert all(len(answer.orders) == len(after.units_of(power)) for power, answer in mixed.items())


def test_improvements_give_the_set_of_the_book_once() -> None:
    with Engine(book=small_book()) as engine:
        (improvement,) = engine.improvements(START, "ITALY", nodes=300)
    assert improvement.book and set(improvement.orders) == set(USUAL["ITALY"])


def test_a_book_is_for_its_own_map() -> None:
    pure = Map.load("pure")
    with Engine(book=small_book()) as engine:
        answer = engine.search(Position.start(pure), pure.powers[0], nodes=100)
    assert not answer.book and answer.orders


def test_orders_that_others_are_known_to_give_mean_a_search() -> None:
    with Engine(book=small_book()) as engine:
        assert not engine.search(START, "ITALY", nodes=300, given={"AUSTRIA": HEDGEHOG}).book
        assert engine.search(START, "ITALY", nodes=300, given={}).book


def test_a_book_keeps_no_engine_alive() -> None:
    gc.disable()
    try:
        engine = Engine(book=small_book())
        assert engine.search(START, "ITALY", nodes=300).book
        watched = weakref.ref(engine)
        del engine
        assert watched() is None
    finally:
        gc.enable()


def test_powers_that_owe_no_orders_get_none_with_a_book_too() -> None:
    empty = Position.from_json({"name": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {}})
    with Engine(book=small_book()) as engine:
        assert engine.search(empty, "TURKEY", nodes=100).orders == ()
