"""The game that a server holds: the one in its file, or a new one named after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.daide.server.game_file import opened
from bordeaux.formats.games import write_document

from .test_saved import interrupted


@pytest.mark.parametrize(
    ("name", "kept"),
    [("evening.json", "evening"), ("an-evening in May.json.gz", "anevenin"), ("ä_1.json", "_1")],
)
def test_a_new_game_is_named_after_its_file_as_daide_allows(tmp_path: Path, name: str, kept: str) -> None:
    game = opened(str(tmp_path / name), None, 0, level=20)
    assert (game.settings.save, game.settings.level) == (kept, 20)
    assert opened(None, None, 0).settings.save == ""


def test_a_game_in_a_file_goes_on_with_what_is_given_anew(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write_document(str(path), interrupted(save="evening").game.saved())
    game = opened(str(path), None, 0, mtl=7)
    assert (game.settings.save, game.settings.mtl) == ("evening", 7)


def test_a_file_without_a_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("[]")
    with pytest.raises(BordeauxError, match=f"--save {path}: "):
        opened(str(path), None, 0)
