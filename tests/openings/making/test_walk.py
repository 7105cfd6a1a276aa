import pytest

from bordeaux import Position
from bordeaux.board.errors import BordeauxError, MapError
from bordeaux.openings.making.walk import CHOSEN, ELSEWHERE, MOST_PLAYED, Walk, favourite
from tests.openings.small_book import GALICIA, START, USUAL, small_book


@pytest.fixture
def walk() -> Walk:
    return Walk(small_book(), START)


def test_all_play_what_is_played_most(walk: Walk) -> None:
    step = walk.go()
    assert step.phase == "S1901M"
    assert set(step.how.values()) == {MOST_PLAYED}
    assert set(step.orders["RUSSIA"]) == set(USUAL["RUSSIA"])
    assert str(walk.position.phase) == "F1901M"
    assert [row.games for row in walk.rows()] == [30, 10]


def test_a_chosen_set_is_played_and_nobody_else_changes(walk: Walk) -> None:
    walk.pick(2)
    step = walk.go()
    assert set(step.orders["AUSTRIA"]) == set(GALICIA)
    assert step.how["AUSTRIA"] == CHOSEN
    assert step.how["ITALY"] == MOST_PLAYED
    assert walk.rows() == []
    assert walk.chosen == {}


def test_orders_need_not_be_in_the_book_but_legal(walk: Walk) -> None:
    assert walk.choose("fra", ["A PAR - BUR", "A MAR S A PAR - BUR"]) == (
        "F BRE H",
        "A MAR S A PAR - BUR",
        "A PAR - BUR",
    )
    with pytest.raises(BordeauxError, match=r"A PAR - LON: "):
        walk.choose("FRANCE", ["A PAR - LON"])
    with pytest.raises(MapError):
        walk.choose("NARNIA", ["A PAR - BUR"])
    assert list(walk.chosen) == ["FRANCE"]


def test_up_goes_back_to_what_was_chosen(walk: Walk) -> None:
    walk.pick(3)
    walk.go()
    walk.look("FRANCE")
    walk.go()
    assert walk.depth == 2
    walk.up()
    assert (str(walk.position.phase), walk.power) == ("F1901M", "FRANCE")
    walk.up()
    assert (walk.position, walk.power, list(walk.chosen)) == (START, "AUSTRIA", ["AUSTRIA"])
    with pytest.raises(BordeauxError, match="began"):
        walk.up()


def test_the_advice_plays_where_the_book_ends() -> None:
    asked = []

    def advice(position: Position, power: str) -> list[str]:
        asked.append((str(position.phase), power))
        return ["A SPA - POR"] if power == "FRANCE" else []

    walk = Walk(small_book(), START, advice=advice)
    walk.go()
    step = walk.go()
    assert step.how["AUSTRIA"] == MOST_PLAYED and step.how["FRANCE"] == ELSEWHERE
    assert "A SPA - POR" in step.orders["FRANCE"]
    assert ("F1901M", "FRANCE") in asked and ("F1901M", "AUSTRIA") not in asked


def test_phases_in_which_nobody_owes_orders_pass(walk: Walk) -> None:
    phases = []
    for _ in range(5):
        phases.append(walk.go().phase)
    assert len(set(phases)) == 5
    assert all(phase[-1] in "MRA" for phase in phases)
    assert "F1901M" in phases


def test_the_favourite_of_people_and_that_of_the_engine(walk: Walk) -> None:
    rows = walk.rows()
    usual, best = favourite(rows), favourite(rows, engine=True)
    assert usual is not None and usual.games == 200
    assert best is not None and best.value == 0.25
    assert favourite([]) is None and favourite([], engine=True) is None
