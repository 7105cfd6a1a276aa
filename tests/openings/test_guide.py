"""Playing from a book, and leaving it in time."""

from collections.abc import Sequence

import pytest

from bordeaux import Engine, Position
from bordeaux.openings import Book, Guide
from bordeaux.openings.entry import Orders
from bordeaux.openings.guide import KEPT, Values
from bordeaux.search.settle import Line
from tests.openings.small_book import START, THREAT, book_of

AWAY = ("F MAO - POR", "A PAR - GAS", "A SPA H")
HOME = ("F MAO - BRE", "A PAR S F MAO - BRE", "A SPA - MAR")
AT_HOME = ("F MAO - GAS", "A PAR H", "A SPA H")


def played(guide: Guide, position: Position, power: str, values: Values | None = None) -> Orders | None:
    lines = guide.lines(position, power, values)
    return lines[0].orders if lines else None


def worth(**values: float) -> Values:
    """Values of sets by the order of the fleet; another set is worth 1."""

    def told(position: Position, power: str, sets: Sequence[Orders]) -> tuple[float, list[Line]]:
        lines = [Line(orders, values[orders[0][-3:]]) for orders in sets]
        return 1.0, sorted(lines, key=lambda line: -line.value)

    return told


def test_a_set_that_is_clearly_worse_than_others_is_left_out() -> None:
    both = book_of((AT_HOME, 0.9), (AWAY, 0.1))
    good, poor = KEPT + 0.01, KEPT - 0.01
    for seed in range(20):
        guide = Guide(both, seed=seed, draw=True)
        assert played(guide, THREAT, "FRANCE", worth(GAS=poor, POR=good)) == AWAY
    (line,) = Guide(both).lines(THREAT, "FRANCE", worth(GAS=good, POR=poor))
    assert (line.orders, line.value, line.probability) == (AT_HOME, good, 0.9)
    assert Guide(both).lines(THREAT, "FRANCE", worth(GAS=poor, POR=poor)) == []
    # Without values nothing is checked.
    assert {played(Guide(both, seed=seed, draw=True), THREAT, "FRANCE") for seed in range(40)} == {
        AT_HOME,
        AWAY,
    }


def test_sets_that_are_only_listed_or_not_legal_are_never_played() -> None:
    listed = book_of((AWAY, 0.0), (("A PAR - XXX", "nonsense"), 0.6), (HOME, 0.4))
    assert {played(Guide(listed, seed=seed), THREAT, "FRANCE") for seed in range(20)} == {HOME}
    assert played(Guide(book_of((AWAY, 0.0), (("A PAR - MOS",), 1.0))), THREAT, "FRANCE") is None


def test_a_guide_gives_the_same_orders_whenever_it_is_asked() -> None:
    book = Book.load()
    guide = Guide(book, seed=5)
    first = {power: played(guide, START, power) for power in START.map.powers}
    again = Guide(book, seed=5)
    assert {power: played(again, START, power) for power in reversed(START.map.powers)} == first
    assert {played(Guide(book, seed=seed), START, "AUSTRIA") for seed in range(5)} == {first["AUSTRIA"]}
    drawn = {played(Guide(book, seed=seed, draw=True), START, "AUSTRIA") for seed in range(30)}
    assert first["AUSTRIA"] in drawn and len(drawn) > 1


def test_a_guide_follows_the_book_no_further_than_it_is_told() -> None:
    both = book_of((AT_HOME, 0.5), (AWAY, 0.5))
    assert not Guide(both, phases=1).lines(THREAT, "FRANCE")
    assert Guide(both, phases=2).lines(THREAT, "FRANCE")
    assert not Guide(both, phases=0).lines(START, "FRANCE")
    assert not Guide(both).lines(START, "FRANCE")
    assert not Guide(both).lines(THREAT, "GERMANY")


@pytest.mark.parametrize("power", ["AUSTRIA", "TURKEY"])
def test_an_answer_of_the_book_has_the_engine_s_values(power: str) -> None:
    with Engine(book=Book.load()) as engine:
        answer = engine.search(START, power, nodes=100)
        assert answer.book and answer.value == answer.lines[0].value > 0
        lines = {
            line.orders: line.value
            for line in engine.lines(START, power, [line.orders for line in answer.lines])
        }
    assert sorted(lines.values()) == sorted(line.value for line in answer.lines)
