"""Each term of the evaluation, alone, against values worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

import pytest

from bordeaux import BordeauxError, Engine, Map, Position, evaluate, evaluation
from bordeaux._ext.value.influence import WEIGHTS, Evaluator
from bordeaux._ext.value.terms import TERMS
from bordeaux._ext.value.valuer import Valuer
from bordeaux.arena.bench import positions
from bordeaux.board.errors import MapError
from bordeaux.evaluation import VALUES, Altitude, altitudes, end_value, evaluations, evaluator
from tests.search.paper.boards import standing as position

MAP = Map.standard()
NOTHING = dict.fromkeys(WEIGHTS, 0) | {"control": 1, "goals": 1}


def term(position: Position, power: str, heights: Mapping[str, float], **weights: float) -> dict[str, float]:
    """Terms for a power when only its given altitudes and weights count."""
    given = altitudes(MAP, Altitude(0, 0, 0, (0, 0), (0, 0)), {power: heights})
    judge = Evaluator(MAP.tables, NOTHING | weights, given)
    return judge.evaluate(position.packed, MAP.powers.index(power))[1]


def test_nearest_units_share_a_vacant_province() -> None:
    """The paper's own example: two Turkish units and a Russian one two moves from Bulgaria."""
    board = position(TURKEY=["A BUD", "F ION"], RUSSIA=["F SEV"])
    assert term(board, "TURKEY", {"BUL": 60})["control"] == pytest.approx(40)
    assert term(board, "RUSSIA", {"BUL": 60})["control"] == pytest.approx(20)


def test_an_army_is_infinitely_far_from_the_sea() -> None:
    assert term(position(TURKEY=["A GRE"]), "TURKEY", {"ION": 60})["control"] == 0


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


def count_covered(board: Position) -> int:
    """Centres that the only unit on the board is nearest to: all that it can reach."""
    unit = board.units[0]
    return sum(centre in MAP.distance(unit.kind, unit.location) for centre in MAP.centres)


def test_pressure_on_what_others_occupy() -> None:
    board = position(TURKEY=["A BUL"], AUSTRIA=["A SER"])
    assert term(board, "TURKEY", {"SER": 60})["control"] == 0
    assert term(board, "TURKEY", {"SER": 60}, pressure=1)["pressure"] == pytest.approx(30)
    two = position(TURKEY=["A BUL", "A GRE"], AUSTRIA=["A SER"])
    assert term(two, "TURKEY", {"SER": 60}, pressure=1)["pressure"] == pytest.approx(40)


DANGERS = {
    "taken": ({"TURKEY": ["A BUL"], "RUSSIA": ["A CON"]}, 1.0),
    "safe": ({"TURKEY": ["A SYR"]}, 0.0),
    "open": ({"RUSSIA": ["A BUL"]}, 1.0),
    "outnumbered": ({"TURKEY": ["F AEG"], "RUSSIA": ["A BUL", "F BLA"]}, 0.6),
    "contested": ({"TURKEY": ["F AEG"], "RUSSIA": ["A BUL"]}, 0.3),
    "two others": ({"TURKEY": ["F AEG"], "RUSSIA": ["A BUL"], "ITALY": ["A ANK"]}, 0.6),
    "held": ({"TURKEY": ["A CON"], "RUSSIA": ["A BUL"]}, 0.0),
    "held, attacked by two": ({"TURKEY": ["A CON"], "RUSSIA": ["A BUL", "F BLA"]}, 0.5),
    "held, with support": ({"TURKEY": ["A CON", "F AEG"], "RUSSIA": ["A BUL", "F BLA"]}, 0.0),
    "an army cannot sail": ({"RUSSIA": ["A SEV", "F EAS"]}, 0.0),
}


@pytest.mark.parametrize("case", DANGERS)
def test_danger_of_an_own_centre(case: str) -> None:
    """Constantinople is Turkey's; the whole danger in Fall, six tenths of it in Spring."""
    units, risk = DANGERS[case]
    fall = position("F1902M", {"TURKEY": ["CON"], "RUSSIA": ["SEV"]}, **units)
    assert term(fall, "TURKEY", {}, danger=40)["danger"] == pytest.approx(-40 * risk)
    spring = position("S1903M", {"TURKEY": ["CON"]}, **units)
    risk = 0.5 if case == "taken" else risk
    assert term(spring, "TURKEY", {}, danger=40)["danger"] == pytest.approx(-24 * risk)
    assert term(fall, "ITALY", {}, danger=40)["danger"] == 0


def test_a_coast_that_a_fleet_cannot_reach_is_no_danger() -> None:
    """Marseilles can be reached from the south coast of Spain, not from the north coast."""
    centres = {"FRANCE": ["MAR"], "ITALY": ["ROM"]}
    assert term(position("F1902M", centres, ITALY=["F SPA/SC"]), "FRANCE", {}, danger=1)["danger"] == -1
    assert term(position("F1902M", centres, ITALY=["F SPA/NC"]), "FRANCE", {}, danger=1)["danger"] == 0


def test_goals_raise_provinces_by_their_shares() -> None:
    """Two Turkish units and a Russian one two moves from Bulgaria, as in the paper's example."""
    board = position(TURKEY=["A BUD", "F ION"], RUSSIA=["F SEV"])
    goals = {"TURKEY": {"BUL": 30, "BUD": 4}, "RUSSIA": {"BUL": 60}}
    plain, raised = evaluate(board, "paper"), evaluate(board, "paper", raised=goals)
    assert raised["TURKEY"].terms["goals"] == pytest.approx(24)
    assert raised["RUSSIA"].terms["goals"] == pytest.approx(20)
    assert raised["ITALY"].terms["goals"] == 0
    for power, worth in plain.items():
        assert worth.terms == {**raised[power].terms, "goals": 0}
        assert raised[power].value == pytest.approx(worth.value + raised[power].terms["goals"])


def test_raised_evaluators_outlive_and_add_to_what_they_share() -> None:
    board = position("F1902M", TURKEY=["A BUL"])
    turkey = MAP.powers.index("TURKEY")
    rows = [[0.0] * len(MAP.provinces) for _ in MAP.powers]
    rows[turkey][MAP.province("BUL").index] = 5
    judge = evaluator(MAP, given={"TURKEY": {"BUL": 100}}).raised(rows).raised(rows)
    assert judge.evaluate(board.packed, turkey)[1]["control"] == 100
    assert judge.evaluate(board.packed, turkey)[1]["goals"] == 10


def test_goals_count_units_that_stand_on_the_way() -> None:
    """A kind of unit, a coast, and nobody else's unit."""
    board = position(TURKEY=["A BUD", "F BUL/SC", "F CON"], RUSSIA=["A SER"])
    goals = {"A BUD": 1, "F BUL/SC": 2, "F BUL/EC": 4, "A CON": 8, "A SER": 16}
    assert evaluate(board, raised={"TURKEY": goals})["TURKEY"].terms["goals"] == 3
    assert evaluate(board, raised={"TURKEY": goals})["RUSSIA"].terms["goals"] == 0
    with pytest.raises(ValueError, match="marches are not 120 numbers"):
        evaluator(MAP).raised([[0.0] * len(MAP.provinces)] * 7, [[0.0]] * 7)


def test_goals_of_another_shape_or_for_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="goals are not 75 numbers"):
        evaluator(MAP).raised([[0.0] * len(MAP.provinces)])
    with pytest.raises(ValueError, match="goals are not 75 numbers"):
        evaluator(MAP).raised([[0.0, 1.0]] * 7)
    with pytest.raises(MapError, match="BURGUND"):
        evaluator(MAP, raised={"FRANCE": {"BURGUND": 1}})
    with pytest.raises(MapError, match="SPAIN"):
        evaluate(Position.start(), raised={"SPAIN": {"SPA": 1}})


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
    assert [dislodged.unit.location for dislodged in board.dislodged] == ["RUM"]
    assert term(board, "RUSSIA", {}, losses=40)["losses"] == -40
    assert term(board, "TURKEY", {}, losses=40)["losses"] == 0


def test_victory_needs_more_than_half() -> None:
    eighteen = position(centres={"TURKEY": MAP.centres[:18]})
    seventeen = position(centres={"TURKEY": MAP.centres[:17]})
    assert term(eighteen, "TURKEY", {}, victory=1000)["victory"] == 1000
    assert term(seventeen, "TURKEY", {}, victory=1000)["victory"] == 0


@pytest.mark.parametrize("name", evaluations())
def test_terms_add_up(name: str) -> None:
    for power, worth in evaluate(Position.start(), name).items():
        assert tuple(worth.terms) == TERMS, power
        assert sum(worth.terms.values()) == pytest.approx(worth.value, rel=1e-5)


@pytest.mark.parametrize("name", TERMS)
def test_a_weight_is_that_of_the_term_of_its_name(name: str) -> None:
    """Twice the weight is twice the term, and all others stay; only what is occupied when ownership is
    settled counts like what is owned."""
    heights = altitudes(MAP, Altitude(30, 8, 2, (83, 105), (8, 4)))
    goals = [[1.0] * len(MAP.provinces)] * len(MAP.powers)
    once, twice = (
        Evaluator(MAP.tables, NOTHING | dict.fromkeys(TERMS, 1.0) | {name: weight}, heights).raised(goals)
        for weight in (1.0, 2.0)
    )
    for board, _ in positions():
        doubled = [name]
        if (board.phase.season, board.phase.kind) == ("F", "R"):
            doubled = {"owned": ["owned", "occupied"], "occupied": []}.get(name, doubled)
        for power in range(len(MAP.powers)):
            before, after = (judge.evaluate(board.packed, power)[1] for judge in (once, twice))
            assert after == before | {term: 2 * before[term] for term in doubled}


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (NOTHING | {"rival": 1}, "unknown weight 'rival' .known: control, owned, "),
        ({name: 1 for name in WEIGHTS if name != "rivals"}, "no weight is given for rivals"),
        ({name: 1 for name in WEIGHTS if name != "dilute"}, "no weight is given for dilute"),
    ],
)
def test_weights_are_those_of_the_terms_no_more_and_no_fewer(
    weights: dict[str, float], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape = Altitude(0, 0, 0, (0, 0), (0, 0))
    with pytest.raises(ValueError, match=said):
        Evaluator(MAP.tables, weights, altitudes(MAP, shape))
    monkeypatch.setattr(evaluation, "read_weights", lambda name: (weights, shape))
    with pytest.raises(BordeauxError, match=f"^evaluation paper: {said}"):
        evaluator(MAP, "paper", {"TURKEY": {}, "FRANCE": {"PAR": 1}})


def test_altitudes_peak_at_home_and_follow_the_season() -> None:
    turkey = MAP.powers.index("TURKEY")
    seasons = altitudes(MAP, Altitude(100, 10, 5, (10, 30), (8, 2)))
    spring, fall = ({p.name: row[turkey][p.index] for p in MAP.provinces} for row in seasons)
    assert max(fall, key=lambda place: fall[place]) in MAP.homes["TURKEY"]
    # A centre counts for more in Fall, a province beside centres for more in Spring.
    assert fall["BUL"] > fall["PAR"] > spring["PAR"] - 8 * 2 and spring["ARM"] > fall["ARM"]


WEIGHTS_OF_DEFAULT = (resources.files("bordeaux.evaluation") / "weights" / "hand.toml").read_text("utf-8")


def test_a_file_of_weights_is_an_evaluation(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(WEIGHTS_OF_DEFAULT, "utf-8")
    assert evaluate(Position.start(), str(path)) == evaluate(Position.start())
    doubled = tmp_path / "doubled.toml"
    doubled.write_text(WEIGHTS_OF_DEFAULT.replace("owned = 160", "owned = 320"), "utf-8")
    owned = evaluate(Position.start(), str(doubled))["RUSSIA"].terms["owned"]
    assert owned == 2 * evaluate(Position.start())["RUSSIA"].terms["owned"] > 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[altitude]", "[altitudes]", "not the weights of an evaluation: no 'altitude'"),
        ("peak = 30", "", "not the weights of an evaluation: .*peak"),
        ("owned = 160", "owned = nan", "owned must be a number"),
        ("centre = [83, 105]", "centre = [83]", "centre must be two numbers"),
        ("home_delay = 2", "home_delay = 17", "home_delay 17 is outside 0 to 16"),
        ("home_delay = 2", f"home_delay = {10**30}", ""),
        ("owned = 160", "owned =", "line "),
    ],
)
def test_a_bad_file_of_weights_is_refused_with_one_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(WEIGHTS_OF_DEFAULT.replace(old, new, 1), "utf-8")
    with pytest.raises(BordeauxError, match=f"^evaluation {path}: {said}") as caught:
        evaluator(MAP, str(path))
    assert "\n" not in str(caught.value)
    with pytest.raises(BordeauxError, match="cannot read"):
        evaluator(MAP, str(tmp_path / "none.toml"))


def test_weights_of_a_prospect_are_an_evaluation(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    shipped = resources.files("bordeaux.evaluation") / "weights" / "prospect.npz"
    path.write_bytes(shipped.read_bytes())
    turkey, start = MAP.powers.index("TURKEY"), Position.start().packed
    judge = evaluator(MAP, str(path))
    assert judge.points(start, turkey) == evaluator(MAP).points(start, turkey)
    assert end_value(MAP, str(path), judge).points(start, turkey) != judge.points(start, turkey)
    path.write_bytes(b"PK nothing")
    with pytest.raises(BordeauxError, match="holds no weights of a prospect"):
        evaluator(MAP, str(tmp_path / "mine.npz").replace("mine", "./mine"))


@pytest.mark.parametrize("base", ["mine.toml", "papre", 5])
def test_a_base_that_is_none_is_refused(tmp_path: Path, base: int | str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"base = {base!r}\nprospect = 0.5\n", "utf-8")
    with pytest.raises(
        BordeauxError, match=f"^evaluation {path}: its base .* is none that comes with Bordeaux"
    ):
        evaluator(MAP, str(path))


@pytest.mark.parametrize("name", evaluations())
def test_wider_vectors_give_the_same_values_to_the_last_bit(name: str) -> None:
    rows = [
        [float(power * 7 + k % 11) for k in range(len(MAP.provinces))] for power in range(len(MAP.powers))
    ]
    wide, narrow = evaluator(MAP, name).raised(rows), evaluator(MAP, name).raised(rows)
    narrow.wide = False
    assert not narrow.wide
    for board, _ in positions():
        for power in range(len(MAP.powers)):
            assert wide.evaluate(board.packed, power) == narrow.evaluate(board.packed, power)


# Values of the core by name: an entry of the registry is an evaluation that searches can use.

START = Position.start()


def test_a_named_value_is_that_of_the_ends_and_the_rest_is_made_by_hand() -> None:
    judge = evaluator(MAP, "centres")
    value = end_value(MAP, "centres", judge)
    assert value.all(START.packed) == [3, 3, 3, 3, 3, 4, 3]
    assert judge.evaluate(START.packed, 0) == evaluator(MAP, "hand").evaluate(START.packed, 0)


def test_an_entry_is_enough_for_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def mine(map: Map) -> Valuer:
        asked.append(map)
        return Valuer(map.tables)

    with pytest.raises(BordeauxError, match="unknown evaluation 'mine'"):
        Engine(evaluation="mine")
    monkeypatch.setitem(VALUES, "mine", mine)
    with Engine(evaluation="mine") as engine:
        # By it powers that reason take the best of what they draw, once there is something to take.
        answer = engine.search(START.next({}), "TURKEY", nodes=4_000)
    assert asked == [MAP] * len(asked) and asked
    assert len(answer.orders) == 3 and 0 < answer.value < 1
