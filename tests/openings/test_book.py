"""Books are found their way about in, and are written as they were read."""

import pickle
import re
from pathlib import Path
from random import Random

import pytest

from bordeaux import Position
from bordeaux.board.errors import BordeauxError
from bordeaux.openings import Book, BookError, position_key
from bordeaux.openings.book import phase_number, phase_order

START = Position.start()


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
    assert [path.name for path in tmp_path.iterdir()] in (
        ["book.jsonl", "again.jsonl"],
        ["again.jsonl", "book.jsonl"],
    )


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


def test_a_position_is_found_by_itself_and_by_its_key(book: Book) -> None:
    assert book[START] is book[position_key(START)] is book.root is book.get(START)
    assert START in book and position_key(START) in book
    other = START.next({"FRANCE": ["A PAR - GAS"], "ITALY": ["A ROM - APU"]})
    assert other not in book and book.get(other) is None and "0" * 16 not in book
    with pytest.raises(KeyError):
        book[other]


def test_children_follow_from_their_parents(book: Book) -> None:
    children = book.children(book.root)
    assert children
    for child in children:
        way = child.came[0]
        assert way.parent == book.root.key
        assert book.after(book.root, way.orders) is child
    assert book.after(book.root, {}) is None


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


def test_the_same_chance_draws_the_same_orders(book: Book) -> None:
    drawn = [book.choose(START, "FRANCE", Random(seed)) for seed in range(40)]
    assert drawn == [book.choose(START, "FRA", Random(seed)) for seed in range(40)]
    assert len(set(drawn)) > 1
    assert set(drawn) <= {entry.orders for entry in book.root.powers["FRANCE"]}
    away = START.next({"FRANCE": ["A PAR - GAS"]}).next({})
    assert book.choose(away, "FRANCE", Random(0)) is None


def test_sets_are_drawn_as_often_as_they_weigh(book: Book) -> None:
    chance = Random(1)
    drawn = [book.choose(START, "FRANCE", chance) for _ in range(4000)]
    for entry in book.root.powers["FRANCE"]:
        assert drawn.count(entry.orders) / 4000 == pytest.approx(entry.weight, abs=0.04)


def test_phases_are_sorted_by_time() -> None:
    phases = ["S1901M", "S1901R", "F1901M", "F1901R", "W1901A", "S1902M"]
    assert sorted(sorted(phases), key=phase_order) == phases
    start = START.phase
    assert [phase_number(start._replace(season=s), start) for s in "SFW"] == [0, 1, 2]


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
        ('"map":"standard"', '"map":"nowhere"', "line 1: "),
        ('{"power":"AUSTRIA"', '["power","AUSTRIA"', "line 3: "),
        ('{"power":"AUSTRIA"', '{"power":"ATLANTIS"', "line 2: 'power' of a set of orders must be a power"),
        ('","weight":', '","wait":', "a set of orders without 'weight'"),
        ('","weight":0', '","weight":7', "'weight' of a set of orders must be a share from 0 to 1"),
        ('"games":{"human":20}', '"games":{"martian":20}', "'games' of a position must be games by source"),
        ('"human":{"games":', '"human":{"gams":', "a record of human without 'games'"),
        ('"survival":', '"revival":', "a record of human has no field 'revival'"),
        ('"sent":{"AUSTRIA"', '"sent":{"ATLANTIS"', "'sent' of a position must be games by power and source"),
        ('"sent":{"AUSTRIA":{', '"sent":{"AUSTRIA":{"martian":1,', "'sent' of a position must be games"),
        ('"F BRE"', '"F BRX"', "block of line 2: position"),
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


def test_a_head_may_be_all_that_there_is(path: Path) -> None:
    path.write_text('{"bordeaux book":1,"map":"standard","positions":0,"views":0}\n', encoding="utf-8")
    book = Book.load(path)
    assert len(book) == len(book.views) == 0 and book.entries(START, "FRANCE") == ()
    with pytest.raises(BookError, match=r"0 positions, but its head gives '154'"):
        Book.load(changed(path, '"positions":0', '"positions":154'))


def test_a_book_without_games_by_power_is_read(path: Path) -> None:
    text = re.sub(r',"sent":\{("[A-Z]+":\{[^}]*\},?)+\}', "", path.read_text(encoding="utf-8"))
    assert '"sent"' not in text
    path.write_text(text, encoding="utf-8")
    assert Book.load(path).root.sent == {} and Book.load(path).games(START, "FRANCE") == {}


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
