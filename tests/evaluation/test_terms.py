"""Each term of the evaluation, alone, against values worked out by hand."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError, Map, Position, Unit, evaluate
from bordeaux._ext.influence import TERMS, Evaluator
from bordeaux.evaluation import evaluations, evaluator
from bordeaux.evaluation.altitude import Altitude, altitudes

MAP = Map.standard()
NOTHING = dict.fromkeys(("owned", "occupied", "pressure", "gravity", "losses", "victory", "home_delay"), 0)


def position(phase="S1902M", centres=None, **units):
    placed = [Unit(power, each[0], each[2:]) for power, given in units.items() for each in given]
    return Position(MAP, phase, placed, centres or {})


def term(position, power, heights, **weights):
    """Terms for a power when only its given altitudes and weights count."""
    given = altitudes(MAP, Altitude(0, 0, 0, (0, 0), (0, 0)), {power: heights})
    judge = Evaluator(MAP.tables, {**NOTHING, "dilute": False, **weights}, given)
    return judge.evaluate(position.packed, MAP.powers.index(power))[1]


def test_nearest_units_share_a_vacant_province() -> None:
    """The paper's own example: two Turkish units and a Russian one two moves from Bulgaria."""
    board = position(TURKEY=["A BUD", "F ION"], RUSSIA=["F SEV"])
    assert term(board, "TURKEY", {"BUL": 60})["control"] == pytest.approx(40)
    assert term(board, "RUSSIA", {"BUL": 60})["control"] == pytest.approx(20)


def test_an_army_is_infinitely_far_from_the_sea() -> None:
    board = position(TURKEY=["A GRE"])
    assert term(board, "TURKEY", {"ION": 60})["control"] == 0


def test_owned_and_occupied_centres() -> None:
    centres = {"TURKEY": ["CON"], "RUSSIA": ["SEV"]}
    fall = position("F1902M", centres, TURKEY=["A SEV", "A BUL"])
    assert term(fall, "TURKEY", {}, owned=100)["owned"] == 100
    assert term(fall, "TURKEY", {}, occupied=50)["occupied"] == 100
    spring = position("S1902M", centres, TURKEY=["A SEV", "A BUL"])
    assert term(spring, "TURKEY", {}, occupied=50)["occupied"] == 0


def test_home_centres_exert_influence_from_further_away() -> None:
    centres = {"TURKEY": ["CON"]}
    board = position(centres=centres, RUSSIA=["A BUD"])
    # Constantinople with a delay of 2 is 3 moves from Bulgaria and Smyrna, the army 2 and 4.
    assert term(board, "TURKEY", {"BUL": 60}, home_delay=2)["control"] == 0
    assert term(board, "TURKEY", {"SMY": 60}, home_delay=2)["control"] == pytest.approx(60)
    assert term(board, "TURKEY", {"SMY": 60})["control"] == 0


def test_a_raider_is_diluted_over_the_centres_it_covers() -> None:
    """One Russian army between three vacant Austrian centres can take one of them a year."""
    centres = {"AUSTRIA": ["BUD", "VIE", "TRI"]}
    board = position(centres=centres, RUSSIA=["A GAL"])
    heights = {"BUD": 60, "VIE": 60}
    assert term(board, "RUSSIA", heights)["control"] == pytest.approx(120)
    assert term(board, "RUSSIA", heights, dilute=True)["control"] == pytest.approx(120 / count_covered(board))
    # What the raider cannot take stays with the owner.
    kept = 120 - 120 / count_covered(board)
    assert term(board, "AUSTRIA", heights, dilute=True)["control"] == pytest.approx(kept)


def count_covered(board) -> int:
    """Centres that the only unit on the board is nearest to: all that it can reach."""
    unit = board.units[0]
    return sum(centre in MAP.distance(unit.kind, unit.location) for centre in MAP.centres)


def test_pressure_on_what_others_occupy() -> None:
    board = position(TURKEY=["A BUL"], AUSTRIA=["A SER"])
    assert term(board, "TURKEY", {"SER": 60})["control"] == 0
    assert term(board, "TURKEY", {"SER": 60}, pressure=1)["pressure"] == pytest.approx(30)
    two = position(TURKEY=["A BUL", "A GRE"], AUSTRIA=["A SER"])
    assert term(two, "TURKEY", {"SER": 60}, pressure=1)["pressure"] == pytest.approx(40)


def test_gravity_falls_off_with_the_square_of_distance() -> None:
    heights = {"MUN": 90}
    near = position(FRANCE=["A BUR"], GERMANY=["A MUN"])
    far = position(FRANCE=["A PAR"], GERMANY=["A MUN"])
    assert term(near, "FRANCE", heights, gravity=1)["gravity"] == pytest.approx(90 / 4)
    assert term(far, "FRANCE", heights, gravity=1)["gravity"] == pytest.approx(90 / 9)


def test_losses_count_dislodged_units() -> None:
    board = position("S1902M", TURKEY=["A BUD", "A BUL"], RUSSIA=["A RUM"]).next(
        {"TURKEY": ["A BUL S A BUD - RUM", "A BUD - RUM"]}
    )
    assert [each.unit.location for each in board.dislodged] == ["RUM"]
    assert term(board, "RUSSIA", {}, losses=40)["losses"] == -40
    assert term(board, "TURKEY", {}, losses=40)["losses"] == 0


def test_victory_needs_more_than_half() -> None:
    eighteen = position(centres={"TURKEY": MAP.centres[:18]})
    seventeen = position(centres={"TURKEY": MAP.centres[:17]})
    assert term(eighteen, "TURKEY", {}, victory=1000)["victory"] == 1000
    assert term(seventeen, "TURKEY", {}, victory=1000)["victory"] == 0


@pytest.mark.parametrize("name", evaluations())
def test_terms_add_up(name) -> None:
    for power, worth in evaluate(Position.start(), name).items():
        assert tuple(worth.terms) == TERMS, power
        assert sum(worth.terms.values()) == pytest.approx(worth.value, rel=1e-5)


def test_altitudes_peak_at_home_and_follow_the_season() -> None:
    shape = Altitude(100, 10, 5, (10, 30), (8, 2))
    spring, fall = altitudes(MAP, shape)
    turkey = MAP.powers.index("TURKEY")
    at = {p.name: p.index for p in MAP.provinces}
    assert max(fall[turkey]) in (fall[turkey][at[home]] for home in MAP.homes["TURKEY"])
    assert fall[turkey][at["BUL"]] > fall[turkey][at["PAR"]]
    # A centre counts for more in Fall, a province beside centres for more in Spring.
    assert fall[turkey][at["PAR"]] > spring[turkey][at["PAR"]] - 8 * 2
    assert spring[turkey][at["ARM"]] > fall[turkey][at["ARM"]]


def test_an_unknown_evaluation_is_refused() -> None:
    with pytest.raises(BordeauxError, match="unknown evaluation 'papre'; did you mean 'paper'"):
        evaluator(MAP, "papre")
