"""Small inputs that people reported, made for these tests, with the answers that are right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bordeaux import Map, Position, adjudicate
from bordeaux.board.errors import OrderError
from bordeaux.board.notation import parse_order

from .conftest import Run, Save, complaint

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
    answer: dict[str, list[str]] = run.told("legal", source)
    return answer


@pytest.mark.parametrize("dash", ["-", "\u2192", " => ", " ", " to "])
def test_a_list_of_a_game_reads_every_dash(run: Run, save: Save, dash: str) -> None:
    path = save("game.txt", SHORT.replace("-", dash))
    assert set(legal(run, path)) == {"BRE", "MAR", "PAR"}
    replayed = run.told("replay", path, "--processes", "1")
    idle = "S1901M, F1901M: no orders of AUSTRIA, ENGLAND, ITALY, RUSSIA, TURKEY are there; their units hold"
    assert (replayed["notes"], replayed["phases"]) == ([f"text: {idle}"], 3)


def test_a_heading_that_is_not_known_is_told(run: Run, save: Save) -> None:
    path = save("game.txt", SHORT.replace("\nFall 1901", "\nWhat came of Fall 1901"))
    noted = run("replay", path, "--processes", "1")
    assert "line 4: 'What came of Fall 1901' has a season and a year" in noted.stderr


@pytest.mark.parametrize("power", ["Great Britain", "England (john)", "Albion"])
def test_a_power_of_another_name_has_its_own_orders(run: Run, save: Save, power: str) -> None:
    result = run("legal", save("game.txt", NAMED.replace("Britain", power)), "--json")
    assert result.exit_code == 0
    assert ("order 'Albion'" in result.stderr) == (power == "Albion")
    assert {"NTH", "YOR", "BUR", "GAL"} <= set(json.loads(result.stdout))


def test_a_support_without_a_goal_on_backstabbr_supports_a_hold(run: Run) -> None:
    page = str(FAULTS / "backstabbr_support.html")
    results = run.told("adjudicate", page, "--orders", page)["results"]
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
    assert "line 3: FRANCE: order 'A Mar dances'" in complaint(run("adjudicate", "start", "--orders", path))
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
    [("classic", 22), ("fva", 6), ("standard_age_of_empires", 7)],
)
def test_starts_have_names(run: Run, save: Save, name: str, units: int) -> None:
    assert sum(map(len, Position.start(name=name).to_json()["units"].values())) == units
    unit = Position.start(name=name).units[0]
    state = {"map": name, "name": "S1901M", "units": {unit.power: [str(unit)]}, "centers": {}}
    assert set(legal(run, save("position.json", state))) == {unit.province}
    assert run.told("orders", name, "--power", "all", "--nodes", "200")["powers"]


@pytest.mark.slow
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
    arena = ("arena", "--players", "dumbbot", "--against", "random", "--map", "gvi", "--games", "2")
    tables = run.told(*arena, "--nodes", "9", "--until", "1902", "--processes", "1")
    assert [tables["players"][name]["games"] for name in ("dumbbot", "random")] == [2, 2]
    assert run("analyse", "gvi", "--out", str(tmp_path / "study.html"), "--no-engine").exit_code == 0
    assert "has 2 seats: AUSTRIA, FRANCE" in complaint(run("play", "--players", "dumbbot*7", "--map", "fva"))


NO_ORDERS = {
    "quoted": ["> %", ">> %", "| %", "[quote]%[/quote]", "\u00bb %"],
    "condition": [
        *["%, pending Germany's answer", "%, if Germany agrees", "% (or PIC)", "% (if Germany agrees)"],
        *["% unless Italy moves", "if Germany agrees: %", "% // if Germany agrees"],
    ],
    "struck out": [
        *["~~%~~", "- ~~%~~", "~%~"],
        *["[s]%[/s]", "<del>%</del>", "A\u0336 P\u0336A\u0336R\u0336 - BUR"],
    ],
    "withdrawn": ["% (cancelled)", "% [crossed out]", "% [old]"],
    "said to somebody": [
        *["From Germany: %", "@germany %", "Rumour: %"],
        *["To Germany: %", 'SEND GERMANY: "%"', "Tell everybody: %"],
    ],
    "commented out": ["// %", "; %", "/* % */", "<!-- % -->"],
    "crossed out": ["\u2717 %", "\u2718 %", "\u274c %", "- [ ] %", "\u2610 %"],
}
"""Why texts with the words of an order, written as %, are none."""


@pytest.mark.parametrize(("why", "text"), [(why, text) for why in NO_ORDERS for text in NO_ORDERS[why]])
def test_what_is_no_order_is_refused_or_noted_by_every_reader(
    run: Run, save: Save, text: str, why: str
) -> None:
    text = text.replace("%", "A PAR - BUR")
    listed = run("replay", save("game.txt", f"Spring 1901\nFrance:\nA MAR - SPA\n{text}\n"), "--json")
    (note, _) = json.loads(listed.stdout)["notes"]
    assert listed.exit_code == 0 and why in note and note.endswith("; left out")
    lines = save("orders.txt", f"France:\nA MAR - SPA\n{text}\n")
    for path in (lines, save("orders.json", {"FRANCE": [text]})):
        assert why in complaint(run("adjudicate", "start", "--orders", path))
    kept = run("adjudicate", "start", "--orders", lines, "--lenient", "--json")
    assert kept.exit_code == 0 and why in kept.stderr
    assert json.loads(kept.stdout)["reasons"]["A PAR"] == "holds: no order"
    with pytest.raises(OrderError, match=why):
        adjudicate(Position.start(), {"FRANCE": [text]})


@pytest.mark.parametrize(
    ("lines", "notes"),
    [
        ("> On Monday:\n> A PAR - BUR\n>\n> F BRE - ENG", 1),
        ("<details><summary>Reasoning</summary>\nA PAR - BUR\n</details>", 1),
        ("/* once:\nA PAR - BUR\nF BRE - ENG */", 1),
        ("[quote=Tom]\nA PAR - BUR\n[/quote]", 1),
        ("Message from France to Germany:\nA PAR - BUR\nF BRE - ENG", 1),
        ("PRESS TO GERMANY\nA PAR - BUR\nENDPRESS", 1),
        ("### Dialogue\nFRANCE -> GERMANY: A PAR - BUR?\n### France", 1),
        ("France to Germany: A PAR - BUR\nItaly says: A PAR - BUR", 1),
        ("A little bird: A PAR - BUR; F BRE - ENG", 1),
        ("F BRE - MAO (A PAR - BUR)", 1),
        ("F BRE - MAO (a promise to England)", 1),
    ],
)
def test_blocks_of_lines_that_are_no_orders(run: Run, save: Save, lines: str, notes: int) -> None:
    path = save("game.txt", f"Spring 1901\nFrance:\nA PAR - PIC\n\n{lines}\n\nA MAR - SPA\n")
    assert len(run.told("replay", path)["notes"]) == notes + 1
    assert {"PIC", "SPA"} <= set(legal(run, path)) and "BUR" not in legal(run, path)


@pytest.mark.parametrize(
    ("heading", "right"),
    [
        (":flag_fr: France", True),
        ("\U0001f1eb\U0001f1f7", True),
        ("\U0001f1eb\U0001f1f7 France:", True),
        ("France - orders in:", True),
        ("Player 3 (France):", True),
        ("Frankreich", True),
        ("Player three:", False),
    ],
)
def test_headings_give_no_orders_to_the_power_before(run: Run, save: Save, heading: str, right: bool) -> None:
    path = save("game.txt", f"Spring 1901\nGermany:\nA MUN - RUH\n{heading}\nA PAR - PIC\n")
    assert len(run.told("replay", path)["notes"]) == (1 if right else 2)
    assert {"RUH", "PIC"} <= set(legal(run, path))


def test_two_orders_for_a_unit_are_told(run: Run, save: Save) -> None:
    lines = "Spring 1901\nFrance: A PAR - PIC; A PAR - BUR\nGermany: A MUN - RUH\nGermany: A MUN - TYR\n"
    notes = run.told("replay", save("game.txt", lines))["notes"]
    assert "line 2" in notes[0] and "A PAR - BUR" in notes[0]
    assert "line 4" in notes[1] and "A MUN - TYR" in notes[1]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"FRANCE": ["A PAR - PIC"], "FRANCE": ["F BRE - ENG"]}', "FRANCE"),
        ('{"name": "S1901M", "units": {"FRANCE": ["A PAR"], "FRANCE": ["A MAR"]}, "centers": {}}', "FRANCE"),
        ('{"name": "S1901M", "units": {}, "centers": {}, "units": {"FRANCE": ["A PAR"]}}', "units"),
    ],
)
def test_a_key_that_stands_twice_is_refused_by_name(run: Run, save: Save, text: str, key: str) -> None:
    path = save("given.json", text)
    given = ("adjudicate", "start", "--orders", path) if "name" not in text else ("legal", path)
    assert f"the key '{key}' stands twice" in complaint(run(*given))


@pytest.mark.parametrize(
    ("orders", "why"),
    [
        ("FRANCE: A PAR B; A PAR B", "PAR has an order already"),
        ("FRANCE: A PAR B; F BRE B; WAIVE", "FRANCE owes no more than 2"),
        ("FRANCE: WAIVE; WAIVE; WAIVE", "FRANCE owes no more than 2"),
        ("GERMANY: A KIE D; A KIE D", "KIE has an order already"),
    ],
)
def test_builds_and_removals_beyond_the_due_are_illegal(run: Run, save: Save, orders: str, why: str) -> None:
    where = save(
        "w.pos",
        "W1903A\nFRANCE: A SPA, F POR, A GAS; centres BRE MAR PAR SPA POR\n"
        "GERMANY: A BER, A MUN, A KIE, F DEN; centres BER MUN\n",
    )
    result = run("adjudicate", where, "--orders", save("orders.txt", orders))
    assert result.exit_code == 1 and result.stderr.count("illegal order") == 1 and why in result.stderr


def test_fail_agrees_with_every_way_of_failing(run: Run, save: Save) -> None:
    path = save("game.txt", "Spring 1901\nFrance: A PAR - PIC; A MAR S A PAR - BUR (fail); F BRE - MAO\n")
    results = run.told("replay", path)["results"]
    assert (results["compared"], results["differences"]) == (1, [])
    held = save("held.txt", "Spring 1901\nFrance: A PAR - PIC (fail)\n")
    assert len(run.told("replay", held)["results"]["differences"]) == 1


@pytest.mark.parametrize("played", [True, False])
def test_an_agreed_end_is_no_mismatch(run: Run, save: Save, played: bool) -> None:
    start = Position.start()
    orders = {"FRANCE": ["A PAR - PIC"]}
    end = {**(start.next(orders) if played else start).to_json(), "name": "COMPLETED", "note": "Draw"}
    phases = [
        {"name": "S1901M", "state": start.to_json(), "orders": orders, "results": {}},
        {"name": "COMPLETED", "state": end, "orders": {}, "results": {}},
    ]
    assert run("replay", save("drawn.json", {"id": "d", "map": "standard", "phases": phases})).exit_code == 0
    end["units"]["FRANCE"] = ["A SPA"]
    assert run("replay", save("wrong.json", {"id": "d", "map": "standard", "phases": phases})).exit_code == 1


def test_a_unit_that_was_disbanded_at_once_may_be_disbanded_by_the_record(run: Run, save: Save) -> None:
    """Trieste has nowhere to go; Bulgaria makes a phase of retreats of it."""
    lines = (
        "Spring 1901\nAustria: A VIE - TYR; A BUD - SER; F TRI H\nItaly: A VEN - TRI; A ROM - VEN\n"
        "Russia: F SEV - RUM\n"
        "Fall 1901\nAustria: A TYR - VIE; F TRI H\n"
    )
    game = save("game.txt", lines)
    assert "nothing is dislodged there" not in run("replay", game).stderr


@pytest.mark.parametrize("unit", ["*A BUR", "A BUR*", "A BUR (dislodged)"])
def test_a_dislodged_unit_as_tables_print_it(run: Run, save: Save, unit: str) -> None:
    text = f"F1903R\nFRANCE: A BUR; centres PAR\nGERMANY: {unit}, A MUN; centres MUN\n"
    assert "A BUR R RUH" in legal(run, save("x.pos", text))["BUR"]


@pytest.mark.parametrize("winter", [False, True])
def test_owners_follow_where_no_centres_are_given(run: Run, save: Save, winter: bool) -> None:
    units = "FRANCE: A PAR, A SPA, F POR, F BRE, A BEL\nGERMANY: A MUN, A RUH, F DEN, F HOL, A KIE\n"
    result = run("legal", save("u.pos", f"{'W1902A' if winter else 'F1902M'}\n{units}"), "--json")
    said = "FRANCE BRE MAR PAR SPA POR BEL; GERMANY BER KIE MUN DEN HOL"
    assert result.exit_code == 0 and result.stderr.count("\n") == 1 and said in result.stderr
    assert not winter or set(json.loads(result.stdout)) == {"MAR"}


def test_spellings_and_files_of_other_programs(run: Run, save: Save) -> None:
    orders = "France: A PAR \u27a1\ufe0f BUR // x\nA MAR SUPPORT MOVE A PAR -> BUR\n"
    orders += "Deutschland: F KIE - Netherlands\n"
    for data in (orders, orders.encode("utf-16"), orders.encode("utf-8-sig")):
        after = run.told("adjudicate", "start", "--orders", save("orders.txt", data))["state"]["units"]
        assert "A BUR" in after["FRANCE"] and "F HOL" in after["GERMANY"]
    assert [
        str(parse_order(text, Map.standard())) for text in ("F MAO - SCS SPA", "F MAO - south coast of Spain")
    ] == ["F MAO - SPA/SC"] * 2
    game = {
        "id": "a",
        "map": "standard",
        "phases": [{"phase": "S1901M", "state": Position.start().to_json()}],
    }
    several = json.dumps(game, indent=1)
    for text in (
        json.dumps([game, game]),
        f"{several}\n{several}",
        f"{json.dumps(game)}\n{json.dumps(game)}",
    ):
        assert run.told("replay", save("games.json", text))["games"] == 2
