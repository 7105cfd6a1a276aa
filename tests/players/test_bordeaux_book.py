"""The engine as a player with an opening book."""

from pathlib import Path

import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.players.base import Limit, Seat
from bordeaux.players.bordeaux import Bordeaux
from bordeaux.players.registry import create
from tests.openings.small_book import START, TRIESTE, USUAL, small_book

MAP = Map.standard()
FRANCE = Seat("FRANCE", MAP, 5)
FEW = Limit(nodes=200)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The small book in a file."""
    place = tmp_path / "small.jsonl"
    small_book().save(place)
    return place


def test_the_shipped_book_has_a_name() -> None:
    player = create("bordeaux:book=standard,seed=4", FRANCE)
    assert isinstance(player, Bordeaux) and player.engine._guide is not None
    known = {frozenset(entry.orders) for entry in player.engine._guide.book.root.powers["FRANCE"]}
    assert frozenset(player.orders(START, FEW)) in known


def test_a_book_may_be_a_file(path: Path) -> None:
    for seed in range(3):
        player = create(f"bordeaux:book={path},seed={seed}", FRANCE)
        assert set(player.orders(START, FEW)) == set(USUAL["FRANCE"])


def test_the_book_is_followed_for_so_many_phases(path: Path) -> None:
    after = START.next({"AUSTRIA": TRIESTE})
    for phases, in_book in ((1, False), (2, True)):
        player = create(f"bordeaux:book={path},book_phases={phases}", Seat("AUSTRIA", MAP, 5))
        assert isinstance(player, Bordeaux)
        assert player.engine.search(after, "AUSTRIA", nodes=200).book == in_book


@pytest.mark.parametrize("spec", ["bordeaux", "bordeaux:book=none"])
def test_without_a_book_the_engine_searches(spec: str) -> None:
    player = create(spec, FRANCE)
    assert isinstance(player, Bordeaux)
    assert not player.engine.search(START, "FRANCE", nodes=200).book


def test_on_another_map_the_book_stays_on_the_shelf() -> None:
    pure = Map.load("pure")
    player = create("bordeaux:book=standard", Seat(pure.powers[0], pure, 1))
    assert isinstance(player, Bordeaux) and player.engine._guide is None
    assert player.orders(Position.start(pure), FEW)


def test_a_book_that_cannot_be_read_is_told_in_one_line(path: Path) -> None:
    for name, message in (("nowhere.jsonl", "cannot read"), ("noise.jsonl", "no book")):
        path.with_name("noise.jsonl").write_text("{}\n", encoding="utf-8")
        with pytest.raises(BordeauxError, match=message) as caught:
            create(f"bordeaux:book={path.with_name(name)}", FRANCE)
        assert "\n" not in str(caught.value)
    with pytest.raises(BordeauxError, match="book_phases"):
        create("bordeaux:book=standard,book_phases=many", FRANCE)
