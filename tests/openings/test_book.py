"""Books are found their way about in, and are written as they were read."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from bordeaux import Map, Position
from bordeaux.board.errors import BordeauxError
from bordeaux.formats.games import Game, GamePhase
from bordeaux.openings import Book, BookError, position_key
from bordeaux.openings.book import Row, rows, to_csv
from bordeaux.openings.entry import NOTHING, UNKNOWN, Mean, Record, merged
from bordeaux.openings.making.walk import Walk
from bordeaux.openings.results import Fate, fates, fates_by_set, games_through

from .small_book import START, TRIESTE, small_book


@pytest.fixture
def path(book: Book, tmp_path: Path) -> Path:
    """The small book in a file."""
    place = tmp_path / "book.jsonl"
    book.save(place)
    return place


def test_a_book_that_is_read_and_written_is_the_same_file(path: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl"
    Book.load(path).save(again)
    assert again.read_bytes() == path.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.jsonl", "book.jsonl"]


def test_what_is_read_is_what_was_written(book: Book, path: Path) -> None:
    read = Book.load(path)
    assert [node.key for node in read] == [node.key for node in book]
    assert len(read) == len(book) > 6 and read.root.games == {"human": 20}
    for node in read:
        assert position_key(node.position) == node.key
        for power, entries in node.powers.items():
            assert [entry.orders for entry in entries] == [
                entry.orders for entry in book[node.key].powers[power]
            ]
            assert sum(entry.weight for entry in entries) == pytest.approx(1)
    assert read.views.keys() == book.views.keys()


def test_out_of_the_tree_the_view_is_taken(book: Book) -> None:
    view = max((view for view in book.views.values() if view.phase == "F1901M"), key=lambda view: view.played)
    # The power's units where the view has them, everybody else at home.
    state = Position.start().to_json()
    state["name"] = "F1901M"
    state["units"][view.power] = list(view.units)
    position = Position.from_json(state)
    assert position not in book
    assert book.view(position, view.power) is view
    entries = book.entries(position, view.power)
    assert [entry.orders for entry in entries] == [entry.orders for entry in view.entries]
    assert sum(entry.weight for entry in entries) == pytest.approx(1)


def test_a_build_in_a_home_that_is_taken_is_not_offered() -> None:
    shipped = Book.load()
    view = next(
        view
        for view in shipped.views.values()
        if len(view.entries) > 1
        and len({entry.orders[0].split()[1] for entry in view.entries}) > 1
        and all(order.endswith(" B") for entry in view.entries for order in entry.orders)
    )
    state = view.position.to_json()
    home = view.entries[0].orders[0].split()[1].partition("/")[0]
    other = next(power for power in shipped.map.powers if power != view.power)
    state["units"][other] = [f"A {home}"]
    entries = shipped.entries(Position.from_json(state), view.power)
    assert all(order.split()[1] != home for entry in entries for order in entry.orders)
    assert not entries or sum(entry.weight for entry in entries) == pytest.approx(1)


def changed(path: Path, old: str, new: str) -> Path:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"bordeaux book":1', '"bordeaux book":9', "line 1: in form '9', which is not read here"),
        ('"bordeaux book":1', '"other":1', "line 1: no book"),
        ('{"power":"AUSTRIA"', '{"power":"ATLANTIS"', "line 2: 'power' of a set of orders must be a power"),
        ('","weight":', '","wait":', "a set of orders without 'weight'"),
        ('","weight":0', '","weight":7', "'weight' of a set of orders must be a share from 0 to 1"),
        ('"games":{"human":20}', '"games":{"martian":20}', "'games' of a position must be games by source"),
        ('"human":{"games":', '"human":{"gams":', "a record of human without 'games'"),
        ('"sent":{"AUSTRIA"', '"sent":{"ATLANTIS"', "'sent' of a position must be games by power and source"),
        (
            '"phase":"F1901M","units":["',
            '"phase":"F1901M","units":[3,"',
            "'units' of a view must be a list of texts",
        ),
        ('{"position"', '{ "position"', "line 2: expected a position or a view"),
        ('"came":[{"parent":"', '"came":[{"parent":"x', "'parent' of a way of 'came' must be a key"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(BookError) as caught:
        Book.load(changed(path, old, new))
    assert message in str(caught.value) and "book.jsonl" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_half_a_book_is_no_book(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    cut = next(number for number in range(len(lines) - 1, 0, -1) if lines[number].startswith('{"view"'))
    path.write_text("".join(lines[:cut]), encoding="utf-8")
    with pytest.raises(BookError, match="is the file whole"):
        Book.load(path)
    path.write_bytes(b"")
    with pytest.raises(BookError, match="no book"):
        Book.load(path)
    with pytest.raises(BordeauxError, match="cannot read"):
        Book.load(path.with_name("nowhere.jsonl"))


@pytest.mark.parametrize("loaded", [True, False])
def test_a_book_can_be_handed_to_another_process(book: Book, path: Path, loaded: bool) -> None:
    given = Book.load(path) if loaded else book
    taken = pickle.loads(pickle.dumps(given))
    assert taken.map is given.map and taken.header == given.header
    assert list(taken) == list(given) and dict(taken.views) == dict(given.views)


def test_the_games_of_a_power_are_those_of_its_view_or_of_the_position(book: Book) -> None:
    assert book.games(START, "italy") == {"human": 19}
    view = next(view for view in book.views.values() if view.phase == "F1901M")
    assert book.games(view.position, view.power) == view.games
    assert book.games(Position.from_json({"name": "S1905M", "units": {}, "centers": {}}), "FRANCE") == {}


def test_a_book_that_is_not_checked_fails_where_it_is_wrong_and_not_before(path: Path) -> None:
    book = Book.load(changed(path, '","weight":0', '","weight":7'), check=False)
    assert len(book) > 1
    with pytest.raises(BookError, match="share from 0 to 1"):
        list(book)


def test_a_position_that_is_there_twice_is_refused(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    blocks = [line for line in text.splitlines(keepends=True) if line.startswith('{"position"')]
    path.write_text(text + blocks[0], encoding="utf-8")
    with pytest.raises(BookError, match="for the second time"):
        Book.load(path)


def test_records_add_up_in_any_order() -> None:
    one = Record(1, Mean(4.0, 1), UNKNOWN, 1.0, 0.0, 0.3, 5.0)
    two = Record(3, Mean(8.0, 1), Mean(6.0, 2), 0.0, 1.0, 0.1, 1.0)
    published = Record(96, final=2.0, wins=0.25)
    both = one.merged(two)
    assert both.score == pytest.approx(0.15)
    assert both == Record(4, Mean(6.0, 2), Mean(6.0, 2), 0.25, 0.75, both.score, 2.0)
    total = merged([one, published])
    assert total.games == 97 and total.wins == 0.25 and total.score == 0.3
    assert total.final == pytest.approx((5 + 96 * 2) / 97)
    assert merged([]) == NOTHING and merged([one]) == one


CENTRES = {"FRANCE": list(Map.standard().centres[:18]), "TURKEY": list(Map.standard().centres[18:20])}


def game(name: str, orders: dict[str, list[str]], end: dict[str, list[str]]) -> Game:
    """A game with one opening, and centres in its last phase."""
    last = {**START.to_json(), "name": "F1907M", "centers": end}
    return Game(
        name, "standard", (), (GamePhase("S1901M", START.to_json(), orders), GamePhase("F1907M", last, {}))
    )


GAMES = [
    game("a", {"FRANCE": ["A PAR - BUR"]}, CENTRES),
    game("b", {"FRANCE": ["A PAR - PIC"]}, {"FRANCE": ["PAR"]}),
    game("c", {"FRANCE": ["A PAR - BUR", "F BRE H"]}, {"FRANCE": []}),
]


def test_fates_count_solos_survivals_and_centres() -> None:
    played = list(games_through(GAMES, START))
    expected = [(1, "a", "F1907M", "FRANCE"), (2, "b", "F1907M", ""), (3, "c", "F1907M", "")]
    assert [(game.number, game.id, game.last, game.victor) for game in played] == expected
    by_power = fates(played, START.map)
    assert by_power["FRANCE"] == Fate(3, 1, 2, 19 / 3)
    assert by_power["TURKEY"] == Fate(3, 0, 1, 2 / 3)
    assert fates([], START.map)["FRANCE"] == Fate(0, 0, 0, None)


def test_sets_are_the_same_with_and_without_written_holds() -> None:
    by_set = fates_by_set(games_through(GAMES, START), START, "FRANCE")
    assert [(len(orders), fates["FRANCE"].games) for orders, fates in by_set.items()] == [(3, 2), (3, 1)]


def test_rows_come_position_by_position_and_then_by_view() -> None:
    listed = list(rows(small_book()))
    assert len(listed) == 3 + 6 + 2
    assert [row.view for row in listed] == [False] * 9 + [True] * 2
    first = listed[0]
    assert (first.power, first.phase, first.orders) == ("AUSTRIA", "S1901M", tuple(sorted(TRIESTE, key=spot)))
    assert (first.weight, first.games, first.centres2, first.centres4) == (0.5, 200, 4.0, 4.5)
    assert (first.survival, first.solo, first.score) == (0.6, 0.125, 0.2)
    assert (first.value, first.probability) == (0.125, 0.0)
    assert "Trieste" in first.name


def spot(order: str) -> str:
    return order.split()[1]


def test_a_share_is_of_all_games_where_the_book_tells_how_many_there_were() -> None:
    book = small_book()
    sent = {"AUSTRIA": {"human": 400, "statistics": 9000}}
    book = Book.make(book.map, book.header, [replace(book.root, sent=sent)], [])
    shares = [row.share for row in rows(book) if row.power == "AUSTRIA"]
    assert sorted(share for share in shares if share is not None) == [0.0, 0.25, 0.5]
    walk = Walk(book, START, "AUSTRIA")
    assert [row.share for row in walk.rows()] == [0.5, 0.25, 0.0] and walk.games() == 400
    assert [row.share for row in walk.rows("TURKEY")] == [1.0]


def test_csv_has_a_line_a_set_and_a_head() -> None:
    lines = to_csv(small_book()).splitlines()
    assert lines[0].split(",") == list(Row._fields)
    assert len(lines) == 1 + 11
    assert "A BUD - SER; F TRI - ALB; A VIE - TRI" in lines[1]
    assert "None" not in "".join(lines)
