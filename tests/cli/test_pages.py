"""Pages of the hobby's sites wherever positions and orders are read."""

from __future__ import annotations

import json

import pytest

from bordeaux import Position
from bordeaux.formats import position_to_backstabbr, position_to_playdiplomacy
from tests.cli.conftest import Run, Save

ORDERS = {
    "webdiplomacy": "Spring, 1901\nDiplomacy\nFrance:\nThe army at Paris move to Burgundy. (fail)\n"
    "Germany:\nThe army at Munich move to Burgundy. (fail)\n",
    "backstabbr": "Spring 1901\nFrance\nA Par - Bur (fails)\nGermany\nA Mun - Bur (fails)\n",
    "playdiplomacy": "France | A Paris -> Burgundy | BOUNCED\nGermany | A Munich -> Burgundy | BOUNCED\n",
}


@pytest.mark.parametrize("page", ORDERS.values(), ids=ORDERS)
def test_adjudicate_reads_the_orders_of_a_page(run: Run, save: Save, page: str) -> None:
    result = run("adjudicate", "start", "--orders", save("page.txt", page), "--json")
    assert result.exit_code == 0, result.stderr
    results = json.loads(result.stdout)["results"]
    assert results["A PAR"] == results["A MUN"] == ["bounce"]


@pytest.mark.parametrize("write", [position_to_backstabbr, position_to_playdiplomacy])
def test_positions_are_read_from_pages(run: Run, save: Save, write: object) -> None:
    assert callable(write)
    position = Position.start().next({"FRANCE": ["A PAR - BUR"]})
    path, plain = save("page.txt", write(position)), save("p.json", position.to_json())
    assert run("legal", path, "--json").stdout == run("legal", plain, "--json").stdout
    result = run("orders", path, "--power", "FRANCE", "--nodes", "100", "--json")
    assert result.exit_code == 0 and json.loads(result.stdout)["phase"] == "F1901M"


def test_a_broken_page_is_one_line(run: Run, save: Save) -> None:
    path = save("page.html", '<html>\n<script>\nvar unitsByPlayer = {"France": {\n</script>')
    result = run("legal", path)
    assert result.exit_code == 2
    assert result.stderr == f"bordeaux: {path}: line 3: cannot read the value of unitsByPlayer: no JSON\n"
    unfinished = save("q.html", '<html>\nterritories = {"Par": "France"}')
    assert "no position" in run("legal", unfinished).stderr
    refused = run("legal", save("r.html", "<html>\n<body>Hello</body>"))
    assert refused.exit_code == 2 and "no position" in refused.stderr
