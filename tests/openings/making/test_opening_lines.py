"""What games say about openings."""

from bordeaux import Position
from bordeaux.board.map import Map
from bordeaux.formats.games import game_from_json
from bordeaux.openings import canonical, position_key
from bordeaux.openings.making.gathered import Gathered
from bordeaux.openings.making.opening_lines import trace_of
from tests.openings.small_book import game, played

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
