"""Books made from games and searches."""

from dataclasses import replace
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.openings import Book, position_key, verify
from bordeaux.openings.book import phase_order
from bordeaux.openings.making.build import Build, SearchJournal
from bordeaux.openings.making.gathered import Gathered
from bordeaux.openings.making.published import read_published
from bordeaux.openings.making.rules import Rules
from tests.openings.conftest import tiny_search

HEAD = "power,phase,games,average_final_centers,win_share,orders\n"


def test_tasks_come_in_the_order_of_the_phases(build: Build) -> None:
    tasks = build.tasks()
    assert tasks[0].position == Position.start()
    assert [phase_order(task.position.phase) for task in tasks] == sorted(
        phase_order(task.position.phase) for task in tasks
    )
    assert all(task.key == position_key(task.position) for task in tasks)


def test_games_stand_in_the_book(book: Book) -> None:
    played = [entry.games for entry in book.root.powers["FRANCE"]]
    assert sum(played) == 20
    assert sum(entry.games for entry in book.root.powers["ITALY"]) == 19
    assert {power: games["human"] for power, games in book.root.sent.items()} == {
        power: 20 - (power == "ITALY") for power in book.map.powers
    }
    for node in book:
        for power, entries in node.powers.items():
            exact = sum(entry.games for entry in entries)
            assert exact <= sum(node.sent[power].values()) <= node.played, (node.key, power)
    view = next(iter(book.views.values()))
    assert sum(entry.games for entry in view.entries) <= view.played
    assert book.header["sources"] == {"human": 20}


def test_searched_positions_have_values_and_the_others_none(book: Book, build: Build) -> None:
    for number, task in enumerate(build.tasks()):
        for entries in book[task.key].powers.values():
            assert all((entry.value is not None) == (number < 3) for entry in entries)
    for power, entries in book.root.powers.items():
        assert sum(entry.probability or 0 for entry in entries) <= 1.001, power
        assert all(0 < (entry.value or 0) < 1 for entry in entries), power


@pytest.mark.slow
def test_the_same_games_make_the_same_book(gathered: Gathered, tmp_path: Path) -> None:
    for name in ("one", "two"):
        again = Build(gathered, min_games=2, typical=6)
        searched = {task.key: tiny_search(task) for task in again.tasks()[:2]}
        again.book(searched).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_published_counts_are_taken_in_as_deep_as_the_games_go(gathered: Gathered, tmp_path: Path) -> None:
    counts = tmp_path / "counts.csv"
    counts.write_text(
        HEAD
        + "TURKEY,S1901M,900,5.1,0.2,A CON - BUL; F ANK - CON; A SMY - ARM\n"
        + "TURKEY,F1901M,80,5.1,0.2,A BUL - GRE; F CON - AEG; A SMY - ARM\n"
        + "TURKEY,F1909M,80,5.1,0.2,A BUL - GRE; F CON - AEG; A SMY - ARM\n",
        encoding="utf-8",
    )
    book = Build(gathered, read_published(counts, Map.standard()), min_games=2).book({})
    entry = next(e for e in book.root.powers["TURKEY"] if "statistics" in e.records)
    assert entry.records["statistics"].games == 900 and entry.games >= 900
    phases = {view.phase for view in book.views.values() if "statistics" in view.games}
    assert phases == {"F1901M"}
    assert list(verify(book)) == []


def test_sets_beyond_those_played_are_listed_in_the_first_phase_only(gathered: Gathered) -> None:
    rules = replace(Rules.load(), sets=1)
    book = Build(gathered, min_games=1, rules=rules).book({})
    for power, entries in book.root.powers.items():
        assert [entry.weight for entry in entries] == [1.0] + [0.0] * (len(entries) - 1), power
        assert sum(entry.games for entry in entries) == book.root.sent[power]["human"]
    assert all(len(entries) > 1 for entries in book.root.powers.values())
    later = [entries for node in book if node.came for entries in node.powers.values()]
    assert later and all(len(entries) == 1 for entries in later)
    assert list(verify(book)) == []


# What a build has searched outlives it.

SETUP = {"nodes": 300, "seed": 0}
FOUND = {"FRANCE": [(("A PAR - BUR", "F BRE - MAO"), 12.5, 0.75), (("A PAR H",), 3.0, 0.25)]}
KEYS = ["0" * 15 + str(number) for number in range(3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of three positions."""
    place = tmp_path / "book.journal"
    with SearchJournal(place, SETUP) as journal:
        for key in KEYS:
            journal.append(key, FOUND)
    return place


def test_what_was_written_is_there_again(path: Path) -> None:
    with SearchJournal(path, SETUP) as journal:
        assert journal.searched == dict.fromkeys(KEYS, FOUND)


def test_any_cut_loses_at_most_one_search(path: Path) -> None:
    whole = path.read_bytes()
    ends = [number for number, byte in enumerate(whole, start=1) if byte == 10]
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with SearchJournal(path, SETUP) as journal:
            assert list(journal.searched) == KEYS[: max(sum(end <= length for end in ends) - 1, 0)]
            for key in KEYS:
                if key not in journal.searched:
                    journal.append(key, FOUND)
        assert path.read_bytes() == whole


def test_a_journal_of_another_search_is_refused(path: Path) -> None:
    with pytest.raises(BordeauxError, match="journal of another search") as caught:
        SearchJournal(path, {"nodes": 400, "seed": 0})
    assert "300" in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"hello\n", "line 1: not a line of JSON"),
        (b'{"other": 1}\n', "line 1: no journal of a book"),
        (b'{"bordeaux book journal": 1, "setup": {}}\n', "line 1: a journal of an earlier version"),
        (b"\xff\xfe\n", "line 1: not UTF-8"),
    ],
)
def test_another_file_is_left_alone(tmp_path: Path, line: bytes, message: str) -> None:
    place = tmp_path / "precious.txt"
    place.write_bytes(line)
    with pytest.raises(BordeauxError, match=message):
        SearchJournal(place, SETUP)
    assert place.read_bytes() == line


def test_a_broken_line_in_the_middle_is_told(path: Path) -> None:
    for broken in (
        b'{"position":"zz","lines":{}}\n',
        b'{"position":"%b","lines":{"FRANCE":[[1]]}}\n' % (b"a" * 16),
    ):
        lines = path.read_bytes().splitlines(keepends=True)
        place = path.with_name("broken")
        place.write_bytes(b"".join([lines[0], broken, *lines[1:]]))
        with pytest.raises(BordeauxError, match="line 2"):
            SearchJournal(place, SETUP)


def test_two_commands_do_not_write_one_journal(path: Path) -> None:
    with SearchJournal(path, SETUP), pytest.raises(BordeauxError, match="another command is writing"):
        SearchJournal(path, SETUP)
