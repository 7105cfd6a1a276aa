"""Scores, lines and comparisons, by games whose outcome is made up."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError, Map
from bordeaux.arena import statistics, tables
from bordeaux.arena.graph import SEARCHES, compare, search
from bordeaux.arena.job import Fault, Result
from bordeaux.arena.plan import Ratio, TournamentPlan
from bordeaux.arena.statistics import bootstrap, wilson
from bordeaux.players.base import Limit

SEATS = ("a", "b", "b", "b", "b", "b", "b")
START = (3, 3, 3, 3, 3, 4, 3)
SOLO = Result(
    index=0,
    seats=SEATS,
    seed=1,
    end="solo",
    phase="F1910M",
    winner=0,
    centres=(START, (18, 5, 5, 3, 3, 0, 0)),
    alive=(True, True, True, True, True, False, False),
    eliminated=(None, None, None, None, None, 1908, 1909),
    faults=(Fault(1, "illegal", "S1901M", "A PAR - MOS", 3), Fault(1, "stall", "S1902M", "took 9 s")),
    seconds=(1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0),
    orders=(10, 20, 0, 0, 0, 0, 0),
    total=2.0,
)
DRAW = replace(
    SOLO,
    index=1,
    end="cap",
    winner=None,
    centres=(START, START, (10, 10, 14, 0, 0, 0, 0)),
    alive=(True, True, True, False, False, False, False),
    eliminated=(None, None, None, 1905, 1905, 1905, 1905),
    faults=(),
)


def test_scores_of_a_solo() -> None:
    assert [statistics.solo(SOLO, seat) for seat in range(7)] == [1, 0, 0, 0, 0, 0, 0]
    assert [statistics.drew(SOLO, seat) for seat in range(7)] == [0] * 7
    assert [statistics.points(SOLO, seat) for seat in range(7)] == [7, 0, 0, 0, 0, 0, 0]
    assert [statistics.sum_of_squares(SOLO, seat) for seat in range(7)] == [1, 0, 0, 0, 0, 0, 0]
    assert [statistics.survived(SOLO, seat) for seat in range(7)] == [1, 1, 1, 1, 1, 0, 0]
    assert [statistics.eliminated(SOLO, seat) for seat in range(7)] == [0, 0, 0, 0, 0, 1, 1]


def test_scores_of_a_draw() -> None:
    assert [statistics.drew(DRAW, seat) for seat in range(7)] == [1, 1, 1, 0, 0, 0, 0]
    assert [statistics.share(DRAW, seat) for seat in range(7)] == [1 / 3] * 3 + [0] * 4
    assert [statistics.points(DRAW, seat) for seat in range(7)] == pytest.approx([7 / 3] * 3 + [0] * 4)
    assert statistics.sum_of_squares(DRAW, 2) == 196 / 396
    assert sum(statistics.sum_of_squares(DRAW, seat) for seat in range(7)) == pytest.approx(1)


def test_lines_count_seats_games_and_faults() -> None:
    ours, theirs = tables.lines([DRAW, SOLO])
    assert (ours.name, ours.games, ours.seats) == ("a", 2, 2)
    assert (theirs.name, theirs.games, theirs.seats) == ("b", 2, 12)
    assert ours.scores["solo"] == wilson(1, 2)
    assert theirs.scores["survived"].mean == pytest.approx(6 / 12)
    assert ours.points.mean == pytest.approx((7 + 7 / 3) / 2)
    assert ours.points.low <= ours.points.mean <= ours.points.high <= 7
    assert theirs.faults == {"crash": 0, "stall": 1, "illegal": 3, "letter": 0}
    assert ours.faults == {"crash": 0, "stall": 0, "illegal": 0, "letter": 0}
    assert (theirs.orders, theirs.seconds) == (40, 1.0)
    assert ours.centres.mean == 14
    # A game that is over keeps its last number.
    assert ours.by_year == (3, (18 + 3) / 2, (18 + 10) / 2)


def test_seats_of_one_game_are_drawn_together() -> None:
    games = [replace(SOLO, index=n) if n % 2 else replace(DRAW, index=n) for n in range(10)]
    line = tables.lines(games, ["b"])[0]
    values = [statistics.survived(game, seat) for game in games for seat in range(1, 7)]
    assert line.scores["survived"] == bootstrap(
        values, groups=[("game", n) for n in range(10) for _ in range(6)]
    )
    alone = bootstrap(values)
    assert line.scores["survived"].high - line.scores["survived"].low != alone.high - alone.low


def test_json_has_the_form_of_the_contract() -> None:
    answer = json.loads(json.dumps(tables.to_json([SOLO, DRAW], ["a", "b"], 12.5)))
    assert answer["seconds"] == 12.5
    assert list(answer["players"]) == ["a", "b"]
    for player in answer["players"].values():
        assert {"games", "solo", "draw", "survived", "eliminated", "sum_of_squares"} <= set(player)
        assert set(player["sum_of_squares"]) == {"mean", "low", "high"}
        assert 0 <= player["sum_of_squares"]["low"] <= player["sum_of_squares"]["mean"]
        assert player["sum_of_squares"]["mean"] <= player["sum_of_squares"]["high"] <= 1
        for name in ("solo", "draw", "survived", "eliminated"):
            ends = player["intervals"][name]
            assert 0 <= ends["low"] <= player[name] <= ends["high"] <= 1
    assert answer["ends"] == {"solo": 1, "cap": 1}
    assert [(fault["game"], fault["player"], fault["kind"]) for fault in answer["faults"]] == [
        (0, "b", "illegal"),
        (0, "b", "stall"),
    ]


def test_csv_has_a_line_for_every_seat() -> None:
    rows = list(csv.DictReader(io.StringIO(tables.print_csv([DRAW, SOLO], Map.standard()))))
    assert len(rows) == 14
    assert [row["power"] for row in rows[:7]] == list(Map.standard().powers)
    assert rows[0]["player"] == "a"
    assert rows[0]["solo"] == "1.0"
    assert rows[5]["eliminated_in"] == "1908"
    assert rows[1]["illegal"] == "3"
    assert sum(float(row["points"]) for row in rows) == pytest.approx(14, abs=1e-4)


def plan(*players: str, games: int = 7) -> TournamentPlan:
    return TournamentPlan(players, "b", Ratio(1, 6), False, games, 7, 3, Limit(nodes=1), 1910)


def outcomes(of: TournamentPlan, winners: dict[str, int]) -> list[Result]:
    """A result for every job: who of our side wins every so many games."""
    outcomes = []
    for job in of.jobs():
        number = job.index if job.pair is None else job.pair
        ours = next(spec for spec in job.seats if spec != "b")
        wins = number % winners[ours] == 0
        seat = job.seats.index(ours)
        result = SOLO if wins else DRAW
        outcomes.append(
            replace(
                result,
                index=job.index,
                seats=job.seats,
                pair=job.pair,
                winner=seat if wins else None,
                alive=tuple(index == seat if wins else index != seat for index in range(7)),
            )
        )
    return outcomes


def test_candidates_are_compared_pair_by_pair() -> None:
    made = plan("a", "c", games=12)
    gains = tables.differences(outcomes(made, {"a": 3, "c": 2}), made.our_seats(), made.candidates)
    assert list(gains) == ["c"]
    assert gains["c"]["solo"].mean == pytest.approx(6 / 12 - 4 / 12)
    assert gains["c"]["solo"].low < gains["c"]["solo"].mean < gains["c"]["solo"].high
    # Both sit in one seat, and have the same centres in games that end in the same way.
    ends = [
        (SOLO if number % 2 == 0 else DRAW).centres[-1][seat]
        - (SOLO if number % 3 == 0 else DRAW).centres[-1][seat]
        for number, (seat,) in zip(range(12), made.our_seats(), strict=False)
    ]
    assert gains["c"]["centres"].mean == pytest.approx(sum(ends) / 12) != 0
    # Half a pair does not count.
    results = outcomes(made, {"a": 3, "c": 2})
    assert tables.differences(results[:-1], made.our_seats(), made.candidates)["c"][
        "solo"
    ].mean == pytest.approx(2 / 11)
    assert tables.differences(results[:1], made.our_seats(), made.candidates) == {}


def test_games_that_went_otherwise_are_counted() -> None:
    made = plan("a", "c", "d", games=12)
    results = outcomes(made, {"a": 3, "c": 2, "d": 3})
    # Of twelve every third is won by one and every second by the other, every sixth by both.
    assert tables.changed(results, made.candidates) == {"c": (6, 12), "d": (0, 12)}
    assert tables.changed(results[:-1], made.candidates)["c"].games == 11
    assert tables.changed([], made.candidates) == {"c": (0, 0), "d": (0, 0)}


def test_a_mixed_table_has_no_side_of_its_own() -> None:
    mixed = TournamentPlan(("a", "b"), None, None, False, 2, 7, 0, Limit(nodes=1), 1910)
    with pytest.raises(BordeauxError, match="--against"):
        next(mixed.our_seats())


def test_a_plan_counts_its_games() -> None:
    assert (plan("a").total, plan("a").candidates) == (7, ())
    assert (plan("a", "c").total, plan("a", "c").candidates) == (14, ("a", "c"))
    mixed = TournamentPlan(("a", "b", "c"), None, None, False, 10, 7, 0, Limit(nodes=1), 1910)
    assert (mixed.total, mixed.order) == (10, ("a", "b", "c"))
    assert len(list(mixed.jobs())) == 10
    assert list(replace(mixed, games=4).jobs()) == list(mixed.jobs())[:4]


def test_a_set_up_leaves_out_nothing_but_the_number_of_games() -> None:
    made = plan("a")
    assert replace(made, games=99).setup() == made.setup()
    changes: tuple[dict[str, Any], ...] = (
        {"players": ("x",)},
        {"rival": "x"},
        {"ratio": Ratio(2, 5)},
        {"seed": 4},
        {"limit": Limit(time=1.0)},
        {"limit": Limit(nodes=2)},
        {"until": 1911},
        {"map": "pure"},
        {"stale_years": None},
        {"keep": True},
    )
    for change in changes:
        assert replace(made, **change).setup() != made.setup()
        json.dumps(replace(made, **change).setup())


def test_letters_are_counted_where_there_are_talks() -> None:
    assert "letters" not in tables.to_json([DRAW], [], 1.0)["players"]["a"]
    talking = replace(DRAW, level=10, letters=(5, 1, 2, 3, 0, 0, 0))
    players = tables.to_json([talking, SOLO], [], 1.0)["players"]
    assert (players["a"]["letters"], players["b"]["letters"]) == (5, 1)


# The searches of Stormont and Allan (2009) against their own figures, and against trees drawn by hand.

MAP = Map.standard()


def test_the_papers_figures_for_germany() -> None:
    # Table 1 has 33, 41 and 36; docs/studies/graph.md says where the one node of difference lies.
    queued = {algorithm: search(MAP, "GERMANY", algorithm).queued for algorithm in SEARCHES}
    assert queued == {"breadth-first": 33, "greedy": 40, "a-star": 36}


@pytest.mark.parametrize(
    ("power", "goal", "algorithm", "queued", "moves"),
    [
        # ANK CON SMY; ANK: ARM BLA; CON: BUL
        ("TURKEY", 4, "breadth-first", 6, 1),
        # BER KIE MUN; BER: PRU SIL; KIE: BAL DEN HEL HOL; MUN: BOH BUR RUH TYR; PRU: LVN WAR
        ("GERMANY", 6, "breadth-first", 15, 2),
        # Denmark comes before Munich, which is no centre to be found: NTH SKA SWE
        ("GERMANY", 6, "greedy", 12, 2),
        # Munich has the value of Denmark, 2, and entered earlier
        ("GERMANY", 6, "a-star", 16, 2),
        ("GERMANY", 3, "greedy", 3, 0),
        # The fourth unit: MOS SEV STP/SC WAR; MOS: LVN STP UKR; SEV: ARM BLA RUM
        ("RUSSIA", 5, "breadth-first", 10, 1),
    ],
)
def test_small_trees_drawn_by_hand(power: str, goal: int, algorithm: str, queued: int, moves: int) -> None:
    answer = search(MAP, power, algorithm, goal)
    assert (answer.queued, answer.moves) == (queued, moves)
    assert answer.reached
    assert answer.centres == goal


def test_a_goal_out_of_reach_is_no_goal_reached() -> None:
    # Of England's units only one is an army, and it cannot leave its island.
    for algorithm in SEARCHES:
        answer = search(MAP, "ENGLAND", algorithm, 34)
        assert not answer.reached
        assert answer.centres < 34


@pytest.mark.parametrize(("algorithm", "goal"), [("dijkstra", 16), ("greedy", 0), ("greedy", 35)])
def test_what_cannot_be_searched_is_refused(algorithm: str, goal: int) -> None:
    with pytest.raises(BordeauxError):
        search(MAP, "FRANCE", algorithm, goal)


@pytest.mark.parametrize(("heading", "goal"), [("sixteen", 16), ("eighteen", 18)])
def test_the_tables_of_the_documentation(heading: str, goal: int) -> None:
    """Every search reaches the goal of every power, in the tables' order and with their numbers of nodes."""
    text = (Path(__file__).parents[2] / "docs" / "studies" / "graph.md").read_text(encoding="utf-8")
    table = text.partition(f"| {heading} centres |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    written = {row[0].upper(): [int(cell.split()[0]) for cell in row[1:]] for row in rows}
    comparison = compare(MAP, goal)
    assert list(comparison) == list(SEARCHES)
    by_algorithm = []
    for searches in comparison.values():
        assert list(searches) == list(MAP.powers)
        assert all(found.reached and found.centres == goal for found in searches.values())
        by_algorithm.append({power: found.queued for power, found in searches.items()})
    expected = {power: [numbers[power] for numbers in by_algorithm] for power in MAP.powers}
    assert written == {**expected, "TOTAL": [sum(numbers.values()) for numbers in by_algorithm]}
