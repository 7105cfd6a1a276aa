"""What a build has searched outlives it."""

from pathlib import Path

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.openings.making.build import SearchJournal

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
