"""Pages of the hobby's sites, pasted into the page: a study of the whole game."""

from __future__ import annotations

import json
from typing import Any

from tests.formats.hobby.made_pages import history_json
from tests.formats.hobby.small_game import ARCHIVE, PHASES

from .conftest import Make


def test_html_text_and_json_of_a_site_become_studies(make: Make, node: Any) -> None:
    copied = "Spring, 1901\nFrance:\nThe army at Paris move to Burgundy.\nThe fleet at Brest hold.\n"
    listed = "Spring 1901\nFRANCE: A PAR - BUR\nFall 1901\nFRANCE: A BUR - BEL\n"
    for text, last in ((ARCHIVE, "W1901A"), (json.dumps(history_json(PHASES)), "W1901A"), (listed, "W1901A")):
        study = make(text=text)
        assert study["nodes"][0]["phase"] == "S1901M" and study["nodes"][-1]["phase"] == last
    assert make(text=copied)["nodes"][-1]["phase"] == "F1901M"


def test_an_address_that_cannot_be_asked_is_one_line(client: Any) -> None:
    answer = client.post("/api/studies", json={"text": "http://127.0.0.1/board.php?gameID=5"})
    assert answer.status_code == 400
    assert "private network" in answer.json()["error"]
