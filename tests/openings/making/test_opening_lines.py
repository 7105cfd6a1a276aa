"""What games say about openings."""

import pytest

from bordeaux import Position
from bordeaux.board.errors import BordeauxError, MapError
from bordeaux.board.map import Map
from bordeaux.formats.games import game_from_json
from bordeaux.openings import canonical, position_key
from bordeaux.openings.making.gathered import Gathered
from bordeaux.openings.making.opening_lines import trace_of
from bordeaux.openings.making.walk import CHOSEN, ELSEWHERE, MOST_PLAYED, Walk, favourite
from tests.openings.small_book import GALICIA, START, USUAL, game, played, small_book

STANDARD = Map.standard()


def test_a_trace_follows_the_game() -> None:
    saved = game(1)
    trace = trace_of(saved, 3, STANDARD)
    assert [step.phase for step in trace.steps if not step.phase.endswith("R")] == [
        "S1901M",
        "F1901M",
        "W1901A",
    ]
    assert trace.fault == ""
    for number, step in enumerate(trace.steps):
        assert step.key == position_key(saved.position(number))
        for power, orders in step.orders.items():
            assert orders == canonical(saved.position(number), power, orders)


def test_who_sent_nothing_is_left_out_and_its_game_is_not() -> None:
    trace = trace_of(game(2, silent=("ITALY",)), 1, STANDARD)
    assert "ITALY" not in trace.steps[0].sent and len(trace.steps[0].sent) == 6
    assert trace.steps[0].orders["ITALY"] == ("F NAP H", "A ROM H", "A VEN H")
    total = Gathered()
    total.add("human", trace)
    assert {power for _, power, _, _ in total.views().values()} == set(STANDARD.powers) - {"ITALY"}


def test_a_few_void_orders_are_no_orders_but_a_full_set_of_holds_is_one() -> None:
    data = played(2)
    data["phases"][0]["orders"] |= {
        "ITALY": ["A ROM - LON"],
        "FRANCE": ["A PAR H", "A MAR H", "F BRE H"],
        "RUSSIA": ["A MOS H", "F SEV - BLA"],
    }
    sent = trace_of(game_from_json(data), 1, STANDARD).steps[0].sent
    assert "ITALY" not in sent and {"FRANCE", "RUSSIA"} <= sent


def test_a_record_that_breaks_the_rules_is_followed_as_far_as_it_keeps_them() -> None:
    data = played(1)
    data["phases"][1]["state"]["units"]["FRANCE"] = ["A PAR"]
    trace = trace_of(game_from_json(data), 6, STANDARD)
    assert len(trace.steps) == 1
    assert "game1" in trace.fault and "F1901M" in trace.fault
    data["phases"][1]["state"]["units"]["FRANCE"] = ["A NOWHERE"]
    assert len(trace_of(game_from_json(data), 6, STANDARD).steps) == 1


def won(saved: int, year: str) -> dict[str, object]:
    """A game that FRANCE has won by its last phase."""
    data = played(saved, 4)
    last = data["phases"][-1]
    centres = list(STANDARD.centres)
    last["state"]["centers"] = {"FRANCE": centres[:18], "ITALY": centres[18:20]}
    last["name"] = last["state"]["name"] = year
    return data


def test_results_are_counted_later_and_at_the_end() -> None:
    trace = trace_of(game_from_json(won(1, "S1904M")), 1, STANDARD)
    first = trace.steps[0]
    # Two years later is the last phase, since the record has none between; four years are over.
    assert first.later["FRANCE"] == (18, 18)
    assert first.later["TURKEY"] == (0, 0)
    assert trace.ends["FRANCE"] == (True, True, 1.0, 18)
    assert trace.ends["ITALY"] == (True, False, 0.0, 2)
    assert trace.ends["TURKEY"] == (False, False, 0.0, 0)


def test_typical_positions_come_with_the_way_to_them(gathered: Gathered) -> None:
    root = position_key(Position.start())
    chosen = gathered.typical(8, [root])
    assert 8 <= len(chosen) <= 10 and len(set(chosen)) == len(chosen)
    known = {root, *chosen}
    for _, (_, ways, _) in gathered.positions(chosen).items():
        assert any(parent in known for parent, _ in ways)
    assert gathered.typical(8, [root]) == chosen
    assert gathered.typical(0, [root]) == []


@pytest.fixture
def walk() -> Walk:
    return Walk(small_book(), START)


def test_all_play_what_is_played_most(walk: Walk) -> None:
    step = walk.go()
    assert step.phase == "S1901M"
    assert set(step.how.values()) == {MOST_PLAYED}
    assert set(step.orders["RUSSIA"]) == set(USUAL["RUSSIA"])
    assert str(walk.position.phase) == "F1901M"
    assert [row.games for row in walk.rows()] == [30, 10]


def test_a_chosen_set_is_played_and_nobody_else_changes(walk: Walk) -> None:
    walk.pick(2)
    walk.choose("RUSSIA", ["F SEV - RUM", "A MOS - UKR", "A WAR - GAL"])
    walk.choose("TURKEY", ["A CON - BUL", "F ANK - CON"])
    step = walk.go()
    assert set(step.orders["AUSTRIA"]) == set(GALICIA) and step.alliances == ["Juggernaut"]
    assert step.how["AUSTRIA"] == CHOSEN
    assert step.how["ITALY"] == MOST_PLAYED
    assert walk.rows() == []
    assert walk.chosen == {}


def test_orders_need_not_be_in_the_book_but_legal(walk: Walk) -> None:
    assert walk.choose("fra", ["A PAR - BUR", "A MAR S A PAR - BUR"]) == (
        "F BRE H",
        "A MAR S A PAR - BUR",
        "A PAR - BUR",
    )
    with pytest.raises(BordeauxError, match="A PAR - LON is illegal in S1901M: "):
        walk.choose("FRANCE", ["A PAR - LON"])
    with pytest.raises(MapError):
        walk.choose("NARNIA", ["A PAR - BUR"])
    assert list(walk.chosen) == ["FRANCE"]


def test_up_goes_back_to_what_was_chosen(walk: Walk) -> None:
    walk.pick(3)
    walk.go()
    walk.look("FRANCE")
    walk.go()
    assert walk.depth == 2
    walk.up()
    assert (str(walk.position.phase), walk.power) == ("F1901M", "FRANCE")
    walk.up()
    assert (walk.position, walk.power, list(walk.chosen)) == (START, "AUSTRIA", ["AUSTRIA"])
    with pytest.raises(BordeauxError, match="began"):
        walk.up()


def test_the_advice_plays_where_the_book_ends() -> None:
    asked = []

    def advice(position: Position, power: str) -> list[str]:
        asked.append((str(position.phase), power))
        return ["A SPA - POR"] if power == "FRANCE" else []

    walk = Walk(small_book(), START, advice=advice)
    walk.go()
    step = walk.go()
    assert step.how["AUSTRIA"] == MOST_PLAYED and step.how["FRANCE"] == ELSEWHERE
    assert "A SPA - POR" in step.orders["FRANCE"]
    assert ("F1901M", "FRANCE") in asked and ("F1901M", "AUSTRIA") not in asked


def test_phases_in_which_nobody_owes_orders_pass(walk: Walk) -> None:
    phases = []
    for _ in range(5):
        phases.append(walk.go().phase)
    assert len(set(phases)) == 5
    assert all(phase[-1] in "MRA" for phase in phases)
    assert "F1901M" in phases


def test_the_favourite_of_people_and_that_of_the_engine(walk: Walk) -> None:
    rows = walk.rows()
    usual, best = favourite(rows), favourite(rows, engine=True)
    assert usual is not None and usual.games == 200
    assert best is not None and best.value == 0.25
    assert favourite([]) is None and favourite([], engine=True) is None
