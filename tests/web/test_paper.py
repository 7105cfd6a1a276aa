"""A study as one file: boards, lines, comments and the engine's lines in it, and nothing asked of anybody."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from bordeaux import Position
from bordeaux.cli import main
from bordeaux.rules.rulesets import DATC
from bordeaux.search.settle import Line
from bordeaux.studies.intake import study_of_position
from bordeaux.studies.store import Store
from bordeaux.studies.study import Study
from bordeaux.web.standalone import positions_to_search, study_page


@pytest.fixture
def study() -> Study:
    """A main line of two turns, a side line that leaves it at the start, and a comment."""
    made = study_of_position(Position.start(), "Mine & <yours>")
    made, first = made.adjudicated("0", {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}, DATC)
    made, _ = made.adjudicated(first, {"FRANCE": ["A PAR - GAS"]}, DATC)
    made, side = made.adjudicated("0", {"FRANCE": ["A PAR - PIC"]}, DATC)
    assert side == "3"
    return made.commented("0", "Burgundy was <b>lost</b>.")


class Reader(HTMLParser):
    """What a page is made of: its ids, where its links lead, and all that it would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag in ("a", "use"):
            self.links.append(str(given.get("href")))
        elif given.get("src") or given.get("href"):
            self.fetched.append(tag)


def test_every_node_has_its_board_and_every_link_leads_to_one(study: Study) -> None:
    reader = Reader()
    html = study_page(study)
    reader.feed(html)
    assert {f"n{name}" for name in study.nodes} <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))
    assert {link[1:] for link in reader.links} <= set(reader.ids)
    assert (
        reader.fetched == []
        and "http:" not in html.replace("http://www.w3.org/", "")
        and "https:" not in html
    )
    assert html.count('<div class="board"><svg') == len(study.nodes)


def test_words_of_people_are_text(study: Study) -> None:
    html = study_page(study)
    assert "Mine &amp; &lt;yours&gt;" in html and "<yours>" not in html
    assert "<p>Burgundy was &lt;b&gt;lost&lt;/b&gt;.</p>" in html


def test_orders_have_what_came_of_them_and_side_lines_say_how_they_differ(study: Study) -> None:
    html = study_page(study)
    first = html[html.index('<section id="n0"') : html.index('<section id="n1"')]
    assert '<span class="order failed">A PAR - BUR <em class="came">bounce</em></span>' in first
    assert '<a class="side" href="#n3">A PAR - PIC &rarr;</a>' in first
    left = '<li class="side"><span class="faint">A PAR - PIC</span>'
    assert f'{left}<ol><li><a href="#n3">F1901M</a></li></ol></li>' in html


def test_the_lines_of_the_engine_stand_with_their_node(study: Study) -> None:
    lines = {"3": {"FRANCE": [Line(("A PIC - BEL", "F BRE - ENG"), 0.618, error=0.012, solo=0.3)]}}
    html = study_page(study, lines, "searched for a while")
    assert "positions; searched for a while." in html
    shown = html[html.index('<section id="n3"') :]
    assert "62 ± 1.2 %" in shown and "30 %" in shown and "A PIC - BEL" in shown
    assert "The engine" not in html[: html.index('<section id="n3"')]


def test_the_policy_of_the_page_allows_its_own_script_alone(study: Study) -> None:
    html = study_page(study)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None and "default-src &#x27;none&#x27;" in policy[1]
    assert html.count("<script") == 1 and html.count("<style") == 1 and " style=" not in html
    assert not re.search(r"\son\w+=", html)


def test_positions_to_search_are_those_of_moves(study: Study) -> None:
    assert set(positions_to_search(study)) == {
        name for name, node in study.nodes.items() if node.phase[-1] == "M"
    }


def test_the_command_writes_a_study_that_was_read_or_kept(tmp_path: Path, study: Study) -> None:
    kept = Store(tmp_path / "studies").add(study)
    out = tmp_path / "kept.html"
    words = ["analyse", "--out", str(out), "--study", kept.id, "--no-engine", "--json"]
    result = CliRunner().invoke(main, [*words, "--studies", str(tmp_path / "studies")])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {"file": str(out), "study": kept.id, "positions": 4, "searched": 0}
    assert "Mine &amp; &lt;yours&gt;" in out.read_text(encoding="utf-8")
    read = tmp_path / "read.html"
    result = CliRunner().invoke(main, ["analyse", "start", "--out", str(read), "--no-engine"])
    assert result.exit_code == 0 and "1 positions" in result.stdout


def test_the_page_has_it_at_a_route(client, make) -> None:  # type: ignore[no-untyped-def]
    made = make(name="One")
    answer = client.get(f"/api/studies/{made['id']}/study.html")
    assert answer.status_code == 200 and answer.headers["content-disposition"].endswith('.html"')
    assert "<title>One</title>" in answer.text
