"""The searches of Stormont and Allan (2009) against their own figures, and against trees drawn by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from bordeaux import BordeauxError, Map
from bordeaux.arena.graph import SEARCHES, compare, search

MAP = Map.standard()


def test_the_papers_figures_for_germany() -> None:
    # Table 1 has 33, 41 and 36; docs/studies/graph.md says where the one node of difference lies.
    queued = {algorithm: search(MAP, "GERMANY", algorithm).queued for algorithm in SEARCHES}
    assert queued == {"breadth-first": 33, "greedy": 40, "a-star": 36}


@pytest.mark.parametrize(
    ("power", "goal", "algorithm", "queued", "taken", "moves"),
    [
        # ANK CON SMY; ANK: ARM BLA; CON: BUL
        ("TURKEY", 4, "breadth-first", 6, 2, 1),
        # BER KIE MUN; BER: PRU SIL; KIE: BAL DEN HEL HOL; MUN: BOH BUR RUH TYR; PRU: LVN WAR
        ("GERMANY", 6, "breadth-first", 15, 4, 2),
        # Denmark comes before Munich, which is no centre to be found: NTH SKA SWE
        ("GERMANY", 6, "greedy", 12, 3, 2),
        # Munich has the value of Denmark, 2, and entered earlier
        ("GERMANY", 6, "a-star", 16, 4, 2),
        ("GERMANY", 3, "greedy", 3, 0, 0),
        # The fourth unit: MOS SEV STP/SC WAR; MOS: LVN STP UKR; SEV: ARM BLA RUM
        ("RUSSIA", 5, "breadth-first", 10, 2, 1),
    ],
)
def test_small_trees_drawn_by_hand(
    power: str, goal: int, algorithm: str, queued: int, taken: int, moves: int
) -> None:
    answer = search(MAP, power, algorithm, goal)
    assert (answer.queued, answer.taken, answer.moves) == (queued, taken, moves)
    assert answer.reached
    assert answer.centres == goal


@pytest.mark.parametrize("goal", [16, 18])
def test_every_search_reaches_the_goal_of_every_power(goal: int) -> None:
    comparison = compare(MAP, goal)
    assert list(comparison) == list(SEARCHES)
    for searches in comparison.values():
        assert list(searches) == list(MAP.powers)
        for of_power in searches.values():
            assert of_power.reached
            assert of_power.centres == goal
            # 81 nodes are on the paper's graph of the board.
            assert of_power.taken < of_power.queued <= 81


def test_a_bigger_goal_takes_more_nodes() -> None:
    # Not for greedy and A*, whose heuristics start elsewhere then.
    numbers = [search(MAP, "ITALY", "breadth-first", goal).queued for goal in range(3, 35)]
    assert numbers == sorted(numbers)


def test_a_goal_out_of_reach_is_no_goal_reached() -> None:
    # Of England's units only one is an army, and it cannot leave its island.
    for algorithm in SEARCHES:
        answer = search(MAP, "ENGLAND", algorithm, 34)
        assert not answer.reached
        assert answer.centres < 34
        assert answer.taken == answer.queued


def test_it_works_on_any_map() -> None:
    gulfs = Map.load("gulfs")
    comparison = compare(gulfs, gulfs.majority)
    assert set(comparison) == set(SEARCHES)
    assert {search.reached for searches in comparison.values() for search in searches.values()} == {True}


@pytest.mark.parametrize(("algorithm", "goal"), [("dijkstra", 16), ("greedy", 0), ("greedy", 35)])
def test_what_cannot_be_searched_is_refused(algorithm: str, goal: int) -> None:
    with pytest.raises(BordeauxError):
        search(MAP, "FRANCE", algorithm, goal)


@pytest.mark.parametrize(("heading", "goal"), [("sixteen", 16), ("eighteen", 18)])
def test_the_tables_of_the_documentation(heading: str, goal: int) -> None:
    text = (Path(__file__).parents[2] / "docs" / "studies" / "graph.md").read_text(encoding="utf-8")
    table = text.partition(f"| {heading} centres |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    written = {row[0].upper(): [int(cell.split()[0]) for cell in row[1:]] for row in rows}
    by_algorithm = [
        {power: search.queued for power, search in searches.items()}
        for searches in compare(MAP, goal).values()
    ]
    expected = {power: [numbers[power] for numbers in by_algorithm] for power in MAP.powers}
    assert written == {**expected, "TOTAL": [sum(numbers.values()) for numbers in by_algorithm]}
