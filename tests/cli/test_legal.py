import json
from typing import Any

from bordeaux import Position, legal_orders

from .conftest import Run, Save


def test_all_legal_orders_by_location(run: Run) -> None:
    result = run("legal", "start", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == legal_orders(Position.start())


def test_the_readable_form(run: Run) -> None:
    text = run("legal", "start", "--power", "FRANCE").stdout
    assert text.startswith("S1901M, FRANCE: ")
    assert "A PAR - BUR" in text
    assert "A VIE" not in text


def test_a_phase_of_a_saved_game(run: Run, save: Save, start: dict[str, Any]) -> None:
    fall = Position.start().next({"FRANCE": ["A PAR - BUR"]}).to_json()
    phases = [{"name": state["name"], "state": state, "orders": {}} for state in (start, fall)]
    path = save("game.json", {"id": "g", "map": "standard", "phases": phases})
    assert "BUR" in json.loads(run("legal", path, "--json").stdout)
    assert "PAR" in json.loads(run("legal", path, "--phase", "s1901m", "--json").stdout)
