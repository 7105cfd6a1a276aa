"""How games and judgement become weights."""

from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.openings import BookError, canonical
from bordeaux.openings.entry import Record
from bordeaux.openings.making.combine import JudgedSet, Records, entries_of, judge
from bordeaux.openings.making.published import Published, read_published
from bordeaux.openings.making.rules import Rules

RULES = Rules.load()
Orders = tuple[str, ...]
ONE: Orders = ("A PAR H",)
TWO: Orders = ("A PAR - BUR",)
THREE: Orders = ("A PAR - PIC",)


def human(games: int, score: float) -> dict[str, Record]:
    return {"human": Record(games, score=score)}


def weights(
    records: Records, judged: dict[tuple[str, ...], JudgedSet], rules: Rules = RULES
) -> dict[object, float]:
    return {entry.orders: entry.weight for entry in entries_of(records, judged, rules)}


def test_weights_are_shares_of_exactly_one() -> None:
    entries = entries_of({ONE: human(3, 0.1), TWO: human(3, 0.1), THREE: human(1, 0.3)}, {}, RULES)
    assert sum(round(entry.weight * 10_000) for entry in entries) == 10_000
    assert [entry.weight for entry in entries] == sorted((entry.weight for entry in entries), reverse=True)


def test_better_results_weigh_more_where_games_are_many() -> None:
    many = weights({ONE: human(400, 0.3), TWO: human(400, 0.1)}, {})
    few = weights({ONE: human(4, 0.3), TWO: human(4, 0.1)}, {})
    assert many[ONE] > few[ONE] > few[TWO] > many[TWO]


def test_rare_sets_are_left_out() -> None:
    records = {ONE: human(9, 0.2), TWO: human(2, 0.2)}
    assert [entry.orders for entry in entries_of(records, {}, RULES, min_games=3)] == [ONE]
    assert entries_of(records, {}, RULES, min_games=10) == ()
    assert entries_of({}, {}, RULES) == ()
    few = entries_of(records, {}, replace(RULES, sets=1))
    assert [(entry.orders, entry.weight) for entry in few] == [(ONE, 1.0)]
    assert len(entries_of({ONE: human(9000, 0.2), TWO: human(2, 0.2)}, {}, RULES)) == 1


def test_the_wider_records_decide_and_the_own_ones_are_told() -> None:
    wider = {ONE: human(10, 0.2), TWO: human(90, 0.2)}
    entries = entries_of({ONE: human(1, 0.5)}, {}, RULES, min_games=5, wider=wider)
    assert [entry.orders for entry in entries] == [TWO, ONE]
    assert entries[1].records == human(1, 0.5) and entries[0].records == {}


def test_what_the_weights_leave_out_may_be_listed_to_be_studied() -> None:
    records = {ONE: human(30, 0.2), TWO: human(20, 0.2), THREE: human(2, 0.2)}
    only_one = replace(RULES, sets=1)
    assert [entry.orders for entry in entries_of(records, {}, only_one)] == [ONE]
    entries = entries_of(records, {}, only_one, listed=2)
    assert [(entry.orders, entry.weight, entry.games) for entry in entries] == [
        (ONE, 1.0, 30),
        (TWO, 0.0, 20),
    ]
    entries = entries_of(records, {}, only_one, min_games=5, listed=9)
    assert [entry.orders for entry in entries] == [ONE, TWO]
    # None is taken away: the weights decide first.
    assert len(entries_of(records, {}, RULES, listed=1)) == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[games]", "[games", "not TOML"),
        ("[cut]", "[cuts]", "rules without 'cut'"),
        ("sets = 10", "sets = 0", "'sets' at least 1"),
        ("sets = 10", "sets = 10\nmore = 1", "\\[cut\\] has no field 'more'"),
        ("least = 0.02", "least = -1", "'least' of \\[weights\\] must be a number from 0 on"),
        (
            "human = 1.0",
            "martian = 1.0",
            "must be a number from 0 on for each of human, statistics, selfplay",
        ),
    ],
)
def test_rules_that_make_no_sense_are_told(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (resources.files("bordeaux.openings") / "data" / "rules.toml").read_text("utf-8")
    assert old in text
    place = tmp_path / "rules.toml"
    place.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BookError, match=message) as caught:
        Rules.load(place)
    assert "rules.toml" in str(caught.value)


START = Position.start()


def test_sets_that_are_one_in_canonical_form_have_one_judgement() -> None:
    """The higher value, and the sum of the shares."""
    moves = ("F BRE - MAO", "A MAR - SPA", "A PAR - BUR")
    searched = {"FRANCE": [(moves, 0.2, 0.5), (moves[::-1], 0.1, 0.25), (("A PAR - PIC",), 0.1, 0.25)]}
    judged = judge(START, searched)
    assert judged["FRANCE"][canonical(START, "FRANCE", moves)] == (0.2, 0.75)
    assert len(judged["FRANCE"]) == 2 and set(judged) == {"FRANCE"}


# Published counts are read, and what says nothing is left out.

HEAD = "power,phase,conditional_frequency,games,average_final_centers,win_share,orders\n"
STANDARD = Map.standard()


def read(tmp_path: Path, *rows: str) -> Published:
    place = tmp_path / "counts.csv"
    place.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return read_published(place, STANDARD)


def test_rows_are_views_with_canonical_orders(tmp_path: Path) -> None:
    published = read(
        tmp_path,
        "AUSTRIA,F1901M,0.2,100,5.8,0.2,A TRI H; F ALB - GRE; A SER S ALB - GRE",
        "AUSTRIA,F1901M,0.1,300,1.8,0.4,A SER S ALB-GRE; F ALB - GRE",
        "AUSTRIA,F1901M,0.1,300,1.8,0.4,A TRI S A VIE - GAL; F ALB - GRE; A SER S ALB - GRE",
        "AUSTRIA,W1901A,1.0,6364,2.6,0.065,A BUD B",
        "AUSTRIA,F1901M,0.4,1000,0.1,0.0,A TRI H; F ALB H; A SER H",
    )
    assert published.idle == 1
    # 100 games as a fifth, 300 as a tenth and 1,000 as two fifths do not agree: the middle one counts.
    assert sorted(published.unlisted.values()) == [2500 - 1400, 3000 - 300]
    by_units = {units: key for key, (_, _, units) in published.views.items()}
    assert sorted(by_units) == [("A SER", "A TRI", "F ALB"), ("A SER", "F ALB")]
    records = published.records[by_units["A SER", "A TRI", "F ALB"]]
    # Trieste supports a move that nobody orders: the same as holding.
    [(orders, record)] = records.items()
    assert orders == ("F ALB - GRE", "A SER S F ALB - GRE", "A TRI H")
    assert record.games == 400 and record.wins == pytest.approx(0.35) and record.final == pytest.approx(2.8)
    assert record.score is None


def test_a_coast_is_told_by_where_the_fleet_goes(tmp_path: Path) -> None:
    published = read(
        tmp_path,
        "FRANCE,S1902M,0.2,1,5.8,0.2,F SPA - WES; A MAR H",
        "FRANCE,S1902M,0.2,10,5.8,0.2,F SPA - MAO; A MAR - BUR",
    )
    assert [units for _, _, units in published.views.values()] == [("A MAR", "F SPA/SC")]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("ATLANTIS,F1901M,0.2,100,5.8,0.2,A TRI H", "ATLANTIS"),
        ("AUSTRIA,F1901M,0.2,many,5.8,0.2,A TRI - VEN", "games must be a number from 0 on, not 'many'"),
        ("AUSTRIA,F1901M,0.2,0,5.8,0.2,A TRI - VEN", "games must be a whole number above 0, not '0'"),
        ("AUSTRIA,F1901M,0.2,100,nan,0.2,A TRI - VEN", "average_final_centers must be"),
        ("AUSTRIA,F1901M,0.2,100,5.8,20,A TRI - VEN", "win_share must be a number from 0 to 1, not '20'"),
        (
            "AUSTRIA,F1901M,0.2,100,5.8,0.2,A TRI - VEN,A VIE - GAL",
            "more than 7 fields; orders are",
        ),
        ("AUSTRIA", "unknown phase ''"),
        ("AUSTRIA,F1901M,0.2,100,5.8,0.2,", "no orders in it"),
    ],
)
def test_a_row_that_makes_no_sense_is_told(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        read(tmp_path, row)
    assert message in str(caught.value) and "counts.csv, line 2" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"power,phase\xff", "other.csv: not UTF-8 text: byte 12 is 0xff"),
        (b'"' + b"x" * 200_000, "other.csv, line 1: field larger than field limit"),
        (HEAD.encode() + b'FRANCE,"' + b"x" * 200_000, "other.csv, line 2: field larger than field limit"),
    ],
)
def test_noise_is_told_with_the_name_of_the_file(tmp_path: Path, content: bytes, message: str) -> None:
    place = tmp_path / "other.csv"
    place.write_bytes(content)
    with pytest.raises(BordeauxError) as caught:
        read_published(place, STANDARD)
    assert message in str(caught.value)
