"""Small inputs that people reported, made for these tests, with the answers that are right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bordeaux import Position

from .conftest import Run, Save

FAULTS = Path(__file__).resolve().parents[1] / "data" / "faults"
"""Pages that are too long for a text here."""

SHORT = """\
Spring 1901
France: A Par-Bur; A Mar S A Par-Bur; F Bre-MAO
Germany: A Mun H
Fall 1901
France: A Bur-Bel; A Mar-Spa; F MAO-Por
Germany: A Mun H
"""

HEADED = """\
Spring 1901

Austria: A Bud - Ser; A Vie - Gal; F Tri - Alb
England: F Lon - NTH; F Edi - NWG; A Lpl - Yor
France: F Bre - MAO; A Par - Bur; A Mar S A Par - Bur
Germany: A Ber - Kie; F Kie - Den; A Mun - Ruh
Italy: A Ven H; A Rom - Apu; F Nap - ION
Russia: A Mos - Ukr; A War - Gal; F Sev - BLA; F StP(sc) - GoB
Turkey: A Con - Bul; A Smy - Con; F Ank - BLA

Results for Fall of 1901

Austria: A Ser S F Alb - Gre; F Alb - Gre; A Vie H
France: F MAO - Por; A Bur - Bel; A Mar - Spa
Germany: A Ruh - Bel; A Kie - Hol
"""

NAMED = """\
Spring 1901
Austria
A Vie - Gal

Britain
F Lon - NTH
A Lvp - Yor

France
A Par - Bur
"""


def legal(run: Run, source: str) -> dict[str, list[str]]:
    result = run("legal", source, "--json")
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("dash", ["-", " - ", "\u2192", " => ", " ", " to ", "\u2014"])
def test_a_list_of_a_game_reads_every_dash(run: Run, save: Save, dash: str) -> None:
    path = save("game.txt", SHORT.replace("-", dash))
    assert set(legal(run, path)) == {"BRE", "MAR", "PAR"}
    replayed = run("replay", path, "--json", "--processes", "1")
    assert (replayed.exit_code, replayed.stderr) == (0, "")
    assert json.loads(replayed.stdout)["phases"] == 3


@pytest.mark.parametrize(
    "heading",
    ["Results for Fall of 1901", "Fall Turn, 1901", "F01", "1901 Fall", "Moves of the Fall 1901 turn"],
)
def test_every_heading_begins_a_phase(run: Run, save: Save, heading: str) -> None:
    text = HEADED.replace("Results for Fall of 1901", heading)
    replayed = run("replay", save("game.txt", text), "--json", "--processes", "1")
    assert (replayed.exit_code, replayed.stderr) == (0, "")
    assert json.loads(replayed.stdout)["phases"] == 3


def test_a_heading_that_is_not_known_is_told(run: Run, save: Save) -> None:
    path = save("game.txt", HEADED.replace("Results for Fall of 1901", "What came of Fall 1901"))
    noted = run("replay", path, "--processes", "1")
    assert "line 11: 'What came of Fall 1901' has a season and a year" in noted.stderr


@pytest.mark.parametrize("power", ["Britain", "Great Britain", "ENG", "England (john)", "Albion"])
def test_a_power_of_another_name_has_its_own_orders(run: Run, save: Save, power: str) -> None:
    result = run("legal", save("game.txt", NAMED.replace("Britain", power)), "--json")
    assert result.exit_code == 0
    assert ("line 5: order 'Albion'" in result.stderr) == (power == "Albion")
    assert {"NTH", "YOR", "BUR", "GAL"} <= set(json.loads(result.stdout))


def test_a_support_without_a_goal_on_backstabbr_supports_a_hold(run: Run) -> None:
    page = str(FAULTS / "backstabbr_support.html")
    result = run("adjudicate", page, "--orders", page, "--json")
    assert result.exit_code == 0, result.stderr
    results = json.loads(result.stdout)["results"]
    assert results["F RUM"] == ["dislodged"] and results["A UKR"] == [] and results["A BUL"] == []


def test_retreats_on_backstabbr_may_stand_by_place(run: Run) -> None:
    assert legal(run, str(FAULTS / "backstabbr_retreat.html")) == {
        "RUM": ["A RUM R GAL", "A RUM R SEV", "A RUM D"]
    }


def test_names_without_quotes_in_the_script_of_backstabbr(run: Run) -> None:
    page = str(FAULTS / "backstabbr_script.html")
    assert set(legal(run, page)) == {"BER", "BUD", "KIE", "MOS", "MUN", "SEV", "STP/SC", "TRI", "VIE", "WAR"}
    assert run("replay", page, "--processes", "1").exit_code == 0


def test_lenient_adjudication_notes_what_it_leaves_out(run: Run, save: Save) -> None:
    path = save(
        "orders.txt", "France\nA Par-Bur\nA Mar dances\nF Bre-M\xe9o\nA Mar S (A Par-Bur)\n".encode("cp1252")
    )
    strict = run("adjudicate", "start", "--orders", path)
    assert strict.exit_code == 2 and "line 3: FRANCE: order 'A Mar dances'" in strict.stderr
    lenient = run("adjudicate", "start", "--orders", path, "--lenient", "--json")
    assert lenient.exit_code == 0
    assert [line.partition("orders.txt: ")[2][:6] for line in lenient.stderr.splitlines()] == [
        "line 3",
        "line 4",
    ]
    assert json.loads(lenient.stdout)["results"]["A MAR"] == []
    given = save("orders.json", {"FRANCE": ["A PAR - BUR", "A MAR dances"]})
    assert run("adjudicate", "start", "--orders", given).exit_code == 2
    read = run("adjudicate", "start", "--orders", given, "--lenient")
    assert read.exit_code == 0 and read.stderr.count("left out") == 1


def test_a_game_of_two_powers_is_one_on_the_standard_board(run: Run, save: Save) -> None:
    units = {"AUSTRIA": ["A VIE", "F TRI", "A BUD"], "FRANCE": ["F BRE", "A PAR", "A MAR"]}
    centres = {power: [unit.split()[1] for unit in theirs] for power, theirs in units.items()}
    state = {"name": "S1901M", "units": units, "centers": centres}
    phase = {"name": "S1901M", "orders": {}, "results": {}, "messages": [], "state": state}
    game = save("game.json", {"id": "FvA1", "map": "standard_france_austria", "rules": [], "phases": [phase]})
    replayed = run("replay", game, "--json", "--processes", "1")
    assert (replayed.exit_code, replayed.stderr) == (0, "")
    assert set(legal(run, game)) == {"BRE", "BUD", "MAR", "PAR", "TRI", "VIE"}
    assert legal(run, "standard_france_austria") == legal(run, game)
    assert run("replay", game, "--map", "standard", "--processes", "1").exit_code == 0


@pytest.mark.parametrize(
    ("name", "units"),
    [
        ("classic", 22),
        ("fva", 6),
        ("gvi", 6),
        ("standard_fleet_rome", 22),
        ("standard_age_of_empires", 7),
    ],
)
def test_starts_have_names(run: Run, save: Save, name: str, units: int) -> None:
    assert sum(map(len, Position.start(name=name).to_json()["units"].values())) == units
    unit = Position.start(name=name).units[0]
    state = {"map": name, "name": "S1901M", "units": {unit.power: [str(unit)]}, "centers": {}}
    assert set(legal(run, save("position.json", state))) == {unit.province}
    searched = run("orders", name, "--power", "all", "--nodes", "200", "--json")
    assert searched.exit_code == 0, searched.stderr


def test_a_game_for_two_is_played_replayed_and_reviewed(run: Run, tmp_path: Path) -> None:
    saved, review = str(tmp_path / "game.json"), tmp_path / "review.json"
    played = run("play", "--players", "bordeaux,dumbbot", "--map", "fva", "--until", "1902", "--nodes", "60")
    assert played.exit_code == 0 and "In the game: AUSTRIA, FRANCE." in played.stdout
    given = ("--players", "dumbbot*2", "--map", "FvA", "--until", "1902", "--nodes", "9", "--save", saved)
    assert run("play", *given).exit_code == 0
    assert json.loads(Path(saved).read_text())["map"] == "standard_france_austria"
    assert run("replay", saved, "--processes", "1").exit_code == 0
    assert run("review", saved, "--nodes", "60", "--out", str(review)).exit_code == 0
    assert set(json.loads(review.read_text())["powers"]) == {"AUSTRIA", "FRANCE"}
    arena = ("arena", "--players", "dumbbot", "--against", "random", "--map", "gvi", "--games", "2", "--json")
    tables = json.loads(run(*arena, "--nodes", "9", "--until", "1902", "--processes", "1").stdout)
    assert [tables["players"][name]["games"] for name in ("dumbbot", "random")] == [2, 2]
    assert run("analyse", "gvi", "--out", str(tmp_path / "study.html"), "--no-engine").exit_code == 0
    short = run("play", "--players", "dumbbot*7", "--map", "fva")
    assert short.exit_code == 2 and "has 2 seats: AUSTRIA, FRANCE" in short.stderr
    twice = run("legal", "fva", "--map", "pure")
    assert twice.exit_code == 2 and "fva is a map itself" in twice.stderr


def test_a_map_of_another_program_that_cannot_be_read_is_one_line(run: Run, save: Save) -> None:
    for name, text in (("x.map", "A PAR"), ("variants.xml", "<html></html>"), ("x.go", "package x // godip")):
        refused = run("legal", "start", "--map", save(name, text))
        assert refused.exit_code == 2 and name in refused.stderr and refused.stderr.count("\n") == 1


def test_an_unknown_start_is_told_with_those_that_are_known(run: Run, save: Save) -> None:
    state = {"map": "standard_france_spain", "name": "S1901M", "units": {}, "centers": {}}
    refused = run("legal", save("position.json", state))
    assert refused.exit_code == 2 and "unknown map 'standard_france_spain'; maps: " in refused.stderr
    assert "standard_france_austria" in refused.stderr


def test_webdiplomacys_game_for_two(run: Run, save: Save) -> None:
    """Its variant 15 numbers every coast behind its province."""
    numbers = {"PAR": 53, "VIE": 78, "SPA/SC": 10, "MAR": 55}
    units = [
        {"countryID": 1, "type": "Army", "terrID": numbers["PAR"], "retreating": False},
        {"countryID": 1, "type": "Fleet", "terrID": numbers["SPA/SC"], "retreating": False},
        {"countryID": 2, "type": "Army", "terrID": numbers["VIE"], "retreating": False},
    ]
    document = {
        "variantID": 15,
        "gameID": 7,
        "phases": [
            {
                "turn": 0,
                "phase": "Diplomacy",
                "units": units,
                "centers": [
                    {"terrID": numbers["PAR"], "countryID": 1},
                    {"terrID": numbers["VIE"], "countryID": 2},
                ],
                "orders": [
                    {
                        "countryID": 1,
                        "terrID": numbers["SPA/SC"],
                        "unitType": "Fleet",
                        "type": "Move",
                        "toTerrID": numbers["MAR"],
                        "success": True,
                    }
                ],
            }
        ],
    }
    path = save("history.json", document)
    assert set(legal(run, path)) == {"MAR", "PAR", "VIE"}
