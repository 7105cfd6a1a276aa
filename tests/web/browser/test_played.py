"""Recorded games in the Book panel: how those ended that came to a position, and any of them to open."""

import json
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe

from ..conftest import played
from ..test_recorded_routes import ended
from .conftest import Open
from .served import Served
from .table import Table

BOOK = "#panel-book"
OPENING = {"FRANCE": ["A PAR - BUR"]}
GAMES = 9


def written(path: Path) -> str:
    """A file of games: in the first one France wins alone, the others end so too early to be won."""
    games = [
        ended("won", "FRANCE", OPENING),
        *(played({}, identity=f"g{number}") for number in range(1, GAMES)),
    ]
    path.write_text("\n".join(map(json.dumps, games)), encoding="utf-8")
    return str(path)


def book(table: Table) -> Any:
    """The list of games in the Book panel."""
    table.open_tab("Book")
    return table.page.locator(f"{BOOK} .played li")


def test_games_are_counted_narrowed_down_and_opened(open_page: Open, tmp_path: Path) -> None:
    with Served(tmp_path / "studies", "--games", written(tmp_path / "old.jsonl")) as server:
        table = open_page(server.study(), at=server, color_scheme="dark")
        games = book(table)
        table.until(lambda: games.count() == 6)
        violations = Axe().run(table.page).response["violations"]
        assert [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in violations] == []
        part = table.page.locator(f"{BOOK} > details.foldout")
        part.get_by_text(f"Recorded games here: {GAMES} of {GAMES}").wait_for()
        france = part.locator("tbody tr", has_text="France").locator("td")
        assert france.all_text_contents() == ["1", "100\u202f%", f"{(18 + 3 * (GAMES - 1)) / GAMES:.1f}"]
        # What was played next is drawn, and taken into the draft.
        line = part.get_by_label("Played next by France").get_by_role("button")
        assert "A PAR - BUR" in line.text_content() and "A PAR - BUR" not in table.orders
        line.click()
        table.wait_for_orders("F BRE H", "A MAR H", "A PAR - BUR")
        table.press("u")
        table.wait_for_orders()
        table.button("3 more", BOOK).click()
        table.until(lambda: games.count() == GAMES)
        # What nobody has played, and back.
        table.drag("PAR", "GAS")
        table.adjudicate("Fall 1901")
        part.get_by_text("No game of old.jsonl came to this position.").wait_for()
        table.page.keyboard.press("ArrowLeft")
        table.wait_for_phase("Spring 1901")
        # What cannot be seen is not asked for.
        part.scroll_into_view_if_needed()
        table.until(lambda: games.count() == 6)
        old = table.page.url
        table.page.get_by_role("button", name="Open won: a solo of France, 1901, France 18").click()
        table.until(lambda: table.page.url.split("&")[0] != old.split("&")[0])
        table.page.locator("#name", has_text="old.jsonl, game 1").wait_for()
        table.page.keyboard.press("ArrowRight")
        table.wait_for_phase("Fall 1901")
        part.get_by_text(f"Recorded games here: 1 of {GAMES}").wait_for()
        table.until(lambda: games.count() == 1)
