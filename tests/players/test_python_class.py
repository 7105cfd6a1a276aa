"""Classes of anybody as players: where they are found, what they may leave out, what is said of bad ones."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bordeaux import Map, Position
from bordeaux.board.errors import BordeauxError
from bordeaux.players import registry
from bordeaux.players.base import Limit, Player, Seat, Turn

START = Position.start()
FRANCE = Seat("FRANCE", Map.standard(), 1)
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "my_player.py"

PLAYERS = """
from dataclasses import dataclass
from beside_them import ORDER

@dataclass
class Whole:
    seat: object
    depth: int = 3
    def orders(self, position, limit):
        return [ORDER] * self.depth
    def observe(self, turn):
        self.seen = turn
    def close(self):
        self.depth = 0

class Bare:
    def orders(self, position, limit):
        return [ORDER, self.seat.power]

class Picky:
    def __init__(self, seat, *, word="a", share: float = 0.5, sure=False):
        self.given = word, share, sure
    def orders(self, position, limit):
        return []

class Failing:
    def __init__(self, seat):
        raise KeyError("no marbles")
    def orders(self, position, limit):
        return []

class Unopened:
    def orders(self, position, limit):
        return []
    def close(self):
        self.file.close()


class Orderless:
    pass

hold = Bare
word = "a"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with files of players; what was imported from there is forgotten afterwards."""
    (tmp_path / "mine.py").write_text(PLAYERS)
    (tmp_path / "beside_them.py").write_text("ORDER = 'A PAR - BUR'\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "inner.py").write_text(PLAYERS)
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "broken.py").write_text("x = 1\ny = x / 0\n")
    (tmp_path / "slip.py").write_text("def x(:\n")
    (tmp_path / "needy.py").write_text("import numpy_of_another_world\n")
    (tmp_path / "leaving.py").write_text("raise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    return tmp_path


@pytest.mark.parametrize("place", ["mine.py", "./mine.py", "mine", "package.inner"])
def test_a_class_is_found_in_a_file_or_a_module(folder: Path, place: str) -> None:
    player = registry.create(f"{place}:Whole", FRANCE)
    assert isinstance(player, Player)
    assert player.seat == FRANCE
    assert player.orders(START, Limit()) == ["A PAR - BUR"] * 3
    registry.check(f"{place}:Whole")


def test_what_a_class_leaves_out_is_made_up_for(folder: Path) -> None:
    player = registry.create("mine.py:Bare", FRANCE)
    assert isinstance(player, Player)
    assert player.orders(START, Limit()) == ["A PAR - BUR", "FRANCE"]
    player.observe(Turn(START, {}, START))
    player.close()


def test_options_are_read_by_their_annotations_and_defaults(folder: Path) -> None:
    assert registry.create("mine.py:Whole:depth=2", FRANCE).orders(START, Limit()) == ["A PAR - BUR"] * 2
    picky = registry.create("mine.py:Picky:share=1,word=x y,sure=yes", FRANCE)
    assert picky.given == ("x y", 1.0, True)  # type: ignore[attr-defined]


def test_what_a_class_prints_is_no_output_of_a_command(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "loud.py").write_text(
        "print('loaded')\nclass Loud:\n    def __init__(self, seat):\n        print('made')\n"
        "    def orders(self, position, limit):\n        return []\n"
    )
    registry.check("loud.py:Loud")
    registry.create("loud.py:Loud", FRANCE).close()
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", "loaded\nmade\nmade\n")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nowhere.py:Bot", "there is no file nowhere.py; give the path"),
        ("mine.py", "say which class of mine.py is to play: mine.py:CLASS"),
        ("mine.py:", "say which class of mine.py is to play: mine.py:CLASS"),
        ("mine.py:=3", "say which class of mine.py is to play"),
        ("package.outer:Bot", "no module 'package.outer' here or among what is installed"),
        ("no.such:Bot", "no module 'no.such'"),
        ("dumbot:Whole", "no player 'dumbot'; did you mean 'dumbbot'?"),
        ("mine.py:Whale", "mine.py has no class 'Whale'; did you mean 'Whole'?"),
        ("empty.py:Bot", "empty.py has no class 'Bot'"),
        ("mine.py:word", "mine.py:word is no player: give it a method orders(self, position, limit)"),
        ("mine.py:Orderless", "mine.py:Orderless is no player"),
        ("mine.py:Failing", "mine.py:Failing: KeyError: 'no marbles' (...mine.py, line 28)"),
        ("mine.py:Unopened", "mine.py:Unopened: AttributeError: 'Unopened' object has no attribute 'file'"),
        ("broken.py:Bot", "broken.py:Bot: ZeroDivisionError: division by zero (...broken.py, line 2)"),
        ("slip.py:Bot", "slip.py:Bot: SyntaxError: invalid syntax (slip.py, line 1)"),
        ("needy.py:Bot", "needy.py:Bot: ModuleNotFoundError: No module named 'numpy_of_another_world'"),
        ("leaving.py:Bot", "leaving.py:Bot: SystemExit: 3 (...leaving.py, line 1)"),
        ("mine.py:Whole:", "after mine.py:Whole come a colon and options, or nothing"),
        (
            "mine.py:Whole:depth=deep",
            "option depth of player mine.py:Whole must be a whole number, not 'deep'",
        ),
        ("mine.py:Whole:dept=2", "player mine.py:Whole has no option 'dept'; did you mean 'depth'?"),
    ],
)
def test_a_bad_class_is_told_in_one_line_with_its_place(folder: Path, spec: str, message: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        registry.check(spec)
    begin, _, end = message.partition("...")
    raised = str(caught.value)
    assert begin in raised and end in raised and "\n" not in raised


def test_the_example_plays_legal_orders_only() -> None:
    from bordeaux.arena.game import play
    from bordeaux.arena.job import Job

    result = play(Job(0, (f"{EXAMPLE}:Grabber",) * 7, 3, Limit(1.0), 1906))
    assert result.faults == ()
    assert max(result.centres[-1]) > 5, "it takes centres"
