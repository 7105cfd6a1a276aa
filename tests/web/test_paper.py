"""A study as one file: boards, lines, comments and the engine's lines in it, and nothing asked of anybody."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from bordeaux.cli import main
from bordeaux.search.settle import Line
from bordeaux.studies.store import Store
from bordeaux.studies.study import Study
from bordeaux.web.standalone import study_page


def inside(html: str) -> dict[str, Any]:
    """The study that a page has in it."""
    found = re.search(r'<template id="study">(.*?)</template>', html)
    assert found is not None
    study: dict[str, Any] = json.loads(unescape(found[1]))
    return study


def test_the_page_has_every_node_with_what_came_of_its_orders_and_the_engine_s_lines(study: Study) -> None:
    lines = {"3": {"FRANCE": [Line(("A PIC - BEL", "F BRE - ENG"), 0.6181, error=0.012, solo=0.3)]}}
    there = inside(study_page(study, lines, "searched for a while"))
    nodes = {node["id"]: node for node in there["nodes"]}
    assert set(nodes) == set(study.nodes) and there["engine"] == "searched for a while"
    assert nodes["1"]["results"] == {"A PAR": ["bounce"], "A MUN": ["bounce"]}
    assert "lines" not in nodes["1"]
    assert nodes["3"]["lines"] == {"FRANCE": [[["A PIC - BEL", "F BRE - ENG"], 0.618, 0.3, 0.012]]}


def test_words_of_people_are_text_and_nothing_is_fetched(study: Study) -> None:
    html = study_page(study)
    assert "<title>Mine &amp; &lt;yours&gt;</title>" in html and "<yours>" not in html
    assert "<b>lost" not in html and inside(html)["nodes"][0]["comment"] == "Burgundy was <b>lost</b>."
    assert "http:" not in html.replace("http://www.w3.org/", "") and "https:" not in html


def test_the_policy_of_the_page_allows_its_own_script_alone(study: Study) -> None:
    html = study_page(study)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None and "default-src &#x27;none&#x27;" in policy[1]
    assert html.count("<script") == 1 and html.count("<style") == 1 and " style=" not in html
    assert not re.search(r"\son\w+=", html)


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
