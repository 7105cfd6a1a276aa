"""Make the pictures of the README: python tools/readme_pictures.py

Bordeaux draws the boards, and Chromium renders the page and a review. It needs Chromium (Debian: apt
install chromium) and Pillow besides the extra test, and writes board.svg, heat.svg, goals.svg, page.png and
review.png in docs/pictures. With --look FOLDER it writes all variants there: dark, on a phone, on paper and
as the colour-blind see them.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import click
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from bordeaux import Engine, adjudicate, load_games
from bordeaux.cli.program import Script
from bordeaux.view.board import svg
from bordeaux.view.board.heat import heat_of
from colour_blind import SIGHT

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tests.web.browser.served import Served  # noqa: E402

GAMES = ROOT / "tests" / "data" / "human.jsonl.gz"
OUT = ROOT / "docs" / "pictures"
PHASE = "F1904M"
MARCH, MARCHING = "S1904M", "TURKEY"
"""A phase of the second game, and a power with goals there."""
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 400, "height": 860}
COLOURS = 256
BOARD = 900
"""Pixels of a board's width."""
REVIEW_NODES = 2000
NODES = 20_000
"""What the engine on the picture of the page has searched, at least."""


def boards(style: str) -> Iterator[tuple[str, str]]:
    """The board with orders and results, a heat map, and the goals of the paper's search on the meta-map
    with the orders that it finds, each with its name."""
    games = list(islice(load_games(GAMES), 2))
    game = games[0]
    number = game.index(PHASE)
    position, orders = game.position(number), game.phases[number].orders
    results = adjudicate(position, orders).results
    yield "board", svg(position, orders, results, size=BOARD, style=style)
    yield "heat", svg(position, heat=heat_of(position, "people"), size=BOARD, style=style)
    game = games[1]
    position = game.position(game.index(MARCH))
    with Engine(search="paper") as engine:
        found = {MARCHING: engine.search(position, MARCHING, nodes=NODES).orders}
    yield "goals", svg(position, found, heat=heat_of(position, "goals", MARCHING), size=BOARD, style=style)


@contextmanager
def browser() -> Iterator[Any]:
    """A Chromium."""
    path = shutil.which("chromium")
    if path is None:
        raise click.ClickException("there is no chromium (Debian: apt install chromium)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--headless", "--no-sandbox"])
        yield chromium
        chromium.close()


def small(picture: bytes) -> bytes:
    """A PNG file of a screen with a palette, a third of the size."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as screen:
        screen.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def page_at(server: Served, page: Page, study: str) -> None:
    """The page with a game, after a search of the engine."""
    nodes = server.call("GET", f"/api/studies/{study}")["nodes"]
    node = next(node["id"] for node in nodes if node["phase"] == PHASE)
    page.goto(f"{server.address}#study={study}&node={node}")
    page.locator("#board .picture svg").wait_for()
    start = page.locator("#panel-engine").get_by_role("button", name="Start", exact=True)
    if start.is_visible():
        page.get_by_label("How long the engine thinks").select_option("120")
        start.click()
        page.locator("#panel-engine .answer").nth(6).wait_for()
        progress = page.locator("#panel-engine .progress")
        # On a busy machine too the picture is of a search that has come so far.
        while count(str(progress.text_content())) < NODES and page.locator("#panel-engine .running").count():
            page.wait_for_timeout(100)
        page.locator("#panel-engine").get_by_role("button", name="Stop", exact=True).click()
        page.locator("#panel-engine .news", has_text="Stopped").wait_for()
    page.wait_for_timeout(500)


def count(text: str) -> float:
    """The nodes that the page tells of, as 999, 25.2K or 1.31M; 0 if it does not yet."""
    told = re.search(r"([\d.]+)([KM]?) nodes", text)
    return float(told[1]) * {"": 1, "K": 1e3, "M": 1e6}[told[2]] if told else 0.0


def review(folder: Path) -> Path:
    """A review of the game, in the command's form."""
    out = folder / "review.html"
    words = ["review", str(GAMES), "--out", str(out), "--nodes", str(REVIEW_NODES), "--seed", "0"]
    with gzip.open(GAMES, "rt", encoding="utf-8") as games:
        words += ["--game", json.loads(games.readline())["id"]]
    subprocess.run([sys.executable, "-m", "bordeaux", *words], check=True, stdout=subprocess.DEVNULL)
    return out


@click.command(cls=Script)
@click.option("--look", type=Path, metavar="FOLDER", help="Write all four there as others see them.")
def main(look: Path | None) -> None:
    """Make the pictures of the README."""
    OUT.mkdir(parents=True, exist_ok=True)
    for name, picture in boards("auto"):
        (OUT / f"{name}.svg").write_text(picture, encoding="utf-8")
    with (
        tempfile.TemporaryDirectory() as named,
        Served(Path(named) / "studies") as server,
        browser() as chromium,
    ):
        with gzip.open(GAMES, "rt", encoding="utf-8") as games:
            study = server.study(text=games.readline(), name="A game of 1901 to 1913")
        report = review(Path(named))
        page = chromium.new_page(viewport=WIDE)
        page_at(server, page, study)
        (OUT / "page.png").write_bytes(small(page.screenshot()))
        page.goto(report.as_uri())
        (OUT / "review.png").write_bytes(small(page.screenshot()))
        if look:
            looks(chromium, look, server, study, report)
    for path in sorted(OUT.iterdir()):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KiB")


def looks(chromium: Any, folder: Path, server: Served, study: str, report: Path) -> None:
    """The pictures in the dark, on a phone, on paper, and as the colour-blind see them."""
    folder.mkdir(parents=True, exist_ok=True)
    views: dict[str, dict[str, Any]] = {
        "light": {},
        "dark": {"color_scheme": "dark"},
        "phone": {"viewport": PHONE},
    }
    for name, options in views.items():
        page = chromium.new_page(**{"viewport": WIDE, **options})
        page_at(server, page, study)
        page.screenshot(path=folder / f"page-{name}.png", full_page=name == "phone")
        page.goto(report.as_uri())
        page.screenshot(path=folder / f"review-{name}.png")
        pictures = "".join(picture for _, picture in boards("auto"))
        page.set_content(f"<!doctype html><style>svg{{max-width:100%;height:auto}}</style>{pictures}")
        page.screenshot(path=folder / f"boards-{name}.png", full_page=True)
        if name == "light":
            page.emulate_media(media="print")
            page.screenshot(path=folder / "boards-print.png")
            page.goto(report.as_uri())
            page.screenshot(path=folder / "review-print.png", full_page=True)
        page.close()
    page = chromium.new_page(viewport=WIDE)
    page_at(server, page, study)
    for name, numbers in SIGHT.items():
        given = numbers.split()
        rows = [" ".join((*given[n : n + 3], "0 0")) for n in (0, 3, 6)]
        page.evaluate(
            """matrix => {
                document.getElementById('sight')?.remove();
                document.body.insertAdjacentHTML('beforeend', `<svg id="sight" width="0" height="0">
                    <filter id="seen"><feColorMatrix values="${matrix}"/></filter></svg>`);
                document.documentElement.style.setProperty('filter', 'url(#seen)');
            }""",
            " ".join(rows) + " 0 0 0 1 0",
        )
        page.screenshot(path=folder / f"page-{name.replace(' ', '-')}.png")


if __name__ == "__main__":
    main()
