"""What sites write besides the plain case: what cannot be read is named, what is another game is refused in
one line."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from bordeaux import Map, Position, load_games, read_position
from bordeaux.board.errors import FormatError, ReadingNote
from bordeaux.formats.game_text import to_judge
from bordeaux.formats.games import game_from_json
from bordeaux.formats.hobby.markup import pages_of
from bordeaux.formats.hobby.reading import story_of_lines
from bordeaux.formats.load import read_with_history
from bordeaux.formats.registry import game_of_pages
from tests.formats.hobby.made_backstabbr import backstabbr_pages
from tests.formats.hobby.made_pages import played, scripted
from tests.formats.hobby.small_game import ARCHIVE, PHASES


def test_a_saved_page_is_a_game_for_every_reader(tmp_path: Path) -> None:
    path = tmp_path / "orders.html"
    path.write_text(ARCHIVE, encoding="utf-8")
    game = load_games(path)[0]
    assert game.id == "webDiplomacy 12345"
    assert [phase.name for phase in game.phases] == ["S1901M", "F1901M", "W1901A"]
    assert game.phases[0].orders["GERMANY"][0] == "A MUN - BUR"
    assert game.phases[0].results["A MUN"] == ["fail"] and game.phases[0].results["A PAR"] == []
    assert read_position(path, phase="S1901M") == Position.start()
    position, history = read_with_history(path)
    assert str(position.phase) == "W1901A" and len(history) == 2
    assert position.unit_at("BEL") is not None


def test_a_line_that_cannot_be_read_is_named_and_the_rest_is_there(tmp_path: Path) -> None:
    path = tmp_path / "orders.html"
    path.write_text(ARCHIVE.replace("move to Belgium", "move to ???"), encoding="utf-8")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        game = load_games(path)[0]
    assert len(game.notes) == 1 and len(warned) == 1 and warned[0].category is ReadingNote
    assert game.notes[0].startswith("F1901M: line ") and "FRANCE" in game.notes[0]
    assert game.phases[1].orders["RUSSIA"][0] == "F STP/SC - BOT"
    assert game.to_json()["notes"] == list(game.notes)
    assert game_from_json(game.to_json()).notes == game.notes


def test_where_the_page_has_other_units_the_page_counts() -> None:
    """The site let a unit stand that our rules moved: the next turn begins where the site has it."""
    wrong = ARCHIVE.replace("The army at Burgundy move to Belgium.", "The army at Paris hold.")
    game = game_from_json(game_of_pages(wrong))
    assert game.position(1).unit_at("PAR") is not None and game.position(1).unit_at("BUR") is None
    assert game.notes == ("F1901M: the page has A PAR where our rules have A BUR; the page counts",)


def test_vdiplomacy_writes_some_orders_twice() -> None:
    text = """vDiplomacy
    Autumn, 1901:
    France:
    Diplomacy
    The army at Paris hold.
    Retreats
    The army at Burgundy disbandBuild fleet at Burgundy.
    Unit-placement
    Destroy the unit at ParisThe  at Paris destroy.
    """
    story = story_of_lines(pages_of(text), Map.standard())
    assert story is not None and len(story.notes) == 0
    sheets = {str(sheet.phase): sheet for sheet in story.sheets}
    assert [entry.text for entry in sheets["F1901R"].entries] == ["The army at Burgundy disband"]
    assert [entry.text for entry in sheets["W1901A"].entries] == ["Destroy the unit at Paris"]


def test_the_east_coast_of_bulgaria_has_another_name_there() -> None:
    text = "Spring, 1901\nTurkey:\nThe fleet at Constantinople move to Bulgaria (North Coast).\n"
    game = game_from_json(game_of_pages(text))
    assert game.phases[0].orders["TURKEY"] == ["F CON - BUL/EC"]
    assert "begins with other units" in game.notes[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Autumn, 1905\nEgypt:\nThe army at Thebes move to Memphis.\nRome:\nThe army at Rome hold.\n",
            "another variant",
        ),
        (
            "Autumn, 1905\nFrance:\nThe army at Paris hold.\n",
            "it begins with F1905M, and no position is told before it",
        ),
    ],
)
def test_what_gives_no_game_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        game_of_pages(text)
    assert "\n" not in str(caught.value)


def test_pages_as_browsers_save_them(tmp_path: Path) -> None:
    """With the encoding of old pages, and as one MIME file."""
    latin = tmp_path / "latin.html"
    latin.write_bytes(ARCHIVE.replace("Home Forum", "Caf\u00e9").encode("cp1252"))
    mime = tmp_path / "page.mhtml"
    mime.write_text(
        "From: <Saved by Blink>\nMIME-Version: 1.0\n"
        'Content-Type: multipart/related; type="text/html"; boundary="x"\n\n--x\nContent-Type: text/html\n'
        f"Content-Location: https://webdiplomacy.net/board.php?gameID=77\n\n{ARCHIVE}\n--x--\n",
        encoding="utf-8",
    )
    for path in (latin, mime):
        assert len(load_games(path)[0].phases) == 3
    assert load_games(mime)[0].id == "webDiplomacy 77"


def test_a_folder_of_seasons_is_a_game(tmp_path: Path) -> None:
    for number, page in enumerate(backstabbr_pages(PHASES)):
        (tmp_path / f"{number}.html").write_text(page, encoding="utf-8")
    game = load_games(tmp_path)[0]
    assert game.id == "Backstabbr 5104611115794432" and game.notes == ()
    assert [phase.name for phase in game.phases] == ["S1901M", "F1901M", "W1901A"]
    single = tmp_path / "0.html"
    assert read_position(single) == Position.start()
    assert [phase.name for phase in load_games(single)[0].phases] == ["S1901M", "F1901M"]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(FormatError, match="no saved page in it"):
        load_games(empty)


def test_scripts_as_people_write_them() -> None:
    """Names without quotes, texts in single ones, a retreat off the board as null."""
    page = """<html><head><title>Game (Spring 1901)</title></head><body><script>var stage = 'COMPLETE';
    var orders = {Germany: {Kie: {to: 'Den', type: 'MOVE', result: 'SUCCEEDS'}, Mun: {type: 'HOLD', retreat:
    null}}}; var unitsByPlayer = {Germany: {Ber: 'A', Kie: 'F', Mun: 'A'}, Russia: {Stp: {type: 'F', coast:
    'sc'}}}; var territories = {Ber: 'Germany', Kie: 'Germany', Mun: 'Germany', Stp: 'Russia'};
    </script></body></html>"""
    game = game_from_json(game_of_pages(page))
    assert game.phases[0].orders == {"GERMANY": ["F KIE - DEN", "A MUN H"]}
    assert game.phases[0].results == {"F KIE": [], "A MUN": ["dislodged"]}


JUDGE = """Movement results for Spring of 1901.  (ferret.001)

Austria: Army Budapest -> Serbia.
Austria: Army Vienna -> Galicia.  (*bounce*)
Austria: Fleet Trieste, No Order Processed.
Russia: Fleet St. Petersburg (south coast) -> Gulf of
Bothnia.
Russia: Army Warsaw -> Galicia.  (*bounce*)
Russia: Army Moscow HOLD.
Russia: Fleet Sevastopol HOLD.

The next phase of 'ferret' will be Movement for Fall of 1901.
The deadline for orders will be Tue Jan 22 2002 23:30:00 -0500.
"""


def test_results_of_a_judge() -> None:
    game = game_from_json(game_of_pages(JUDGE))
    assert game.id == "ferret"
    assert game.phases[0].orders["RUSSIA"][0] == "F STP/SC - BOT"
    assert game.phases[0].orders["AUSTRIA"] == ["A BUD - SER", "A VIE - GAL", "F TRI H"]
    assert game.phases[0].results["A VIE"] == ["bounce"]


def test_text_that_is_no_game_is_none() -> None:
    for text in (
        "",
        "hello",
        "In the spring of 1901 an army came to Paris.",
        json.dumps({"a": 1}),
        "<html></html>",
    ):
        assert game_of_pages(text) is None


def test_retreats_and_builds_that_the_record_lacks_are_what_the_next_turn_shows() -> None:
    script = {
        "S1901M": {"AUSTRIA": ["A VIE - TYR"]},
        "F1901M": {"AUSTRIA": ["A TYR - VEN", "F TRI S A TYR - VEN"]},
        "F1901R": {"ITALY": ["A VEN R APU"]},
        "W1901A": {"AUSTRIA": ["A VIE B"], "ITALY": ["A ROM D"]},
        "S1902M": {"ITALY": ["A APU H"]},
    }

    phases = list(played(Position.start(), scripted(script)))
    whole = game_from_json(game_of_pages(to_judge(phases)))
    assert whole.notes == ()
    told = (
        "F1901R: ITALY: no retreat of A VEN is on the page; it stands in APU in S1902M",
        "W1901A: AUSTRIA: A VIE B is not on the page; S1902M shows it",
        "W1901A: ITALY: A ROM D is not on the page; S1902M shows it",
    )
    for kinds, notes in (("MA", told[:1]), ("MR", told[1:]), ("M", told)):
        game = game_from_json(game_of_pages(to_judge([p for p in phases if p[0].phase.kind in kinds])))
        assert [phase.orders for phase in game.phases] == [phase.orders for phase in whole.phases]
        assert game.notes == notes


def test_the_foot_of_a_page_is_one_note() -> None:
    lines = (
        "Spring 1901",
        "France: A Par - Bur",
        "Contents | Rules",
        "Kept by a volunteer.",
        "Updated in May.",
    )
    page = (
        "<html><title>S1901</title><body>" + "".join(f"<p>{line}</p>\n" for line in lines) + "</body></html>"
    )
    game = game_from_json(game_of_pages(page))
    assert game.notes[0] == "S1901M: line 3: no order from 'Contents | Rules' to line 5; left out"
    wrong = game_from_json(game_of_pages(page.replace("Kept by a volunteer.", "A Mar dances")))
    assert len(wrong.notes) == 4


def test_a_game_without_a_readable_order_says_which_line_is_wrong() -> None:
    text = "Spring 1901\nFrance: A Par dances\n"
    assert game_of_pages(text) is None
    with pytest.raises(FormatError, match=r"could be read: S1901M: line 2: FRANCE: order 'A Par dances'"):
        game_of_pages(text, wanted=True)
