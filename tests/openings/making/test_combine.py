"""How games and judgement become weights."""

from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.openings import BookError, canonical
from bordeaux.openings.entry import Record
from bordeaux.openings.making.combine import JudgedSet, Records, entries_of, judge
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


def test_rules_that_are_no_text_are_told_with_their_file(tmp_path: Path) -> None:
    place = tmp_path / "rules.toml"
    place.write_bytes(b"\xff")
    with pytest.raises(BookError, match=r"rules\.toml: not UTF-8"):
        Rules.load(place)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[games]", "[games", "not TOML"),
        ("[cut]", "[cuts]", "no table \\[cut\\]"),
        ("doubt =", "doubts =", "no 'doubt' in \\[games\\]"),
        ("sets = 10", "sets = 0", "'sets' at least 1"),
        ("sets = 10", "sets = 10\nmore = 1", "\\[cut\\] has no 'more'"),
        ("listed = 40", "listed = 40\n[more]", "rules has no 'more'"),
        ("sets = 10", "sets = true", "'sets' must be a number from 0 on"),
        ("least = 0.02", "least = -1", "'least' must be a number from 0 on"),
        (
            "human = 1.0",
            "martian = 1.0",
            "'trust' must have a number for each of human, statistics, selfplay",
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
