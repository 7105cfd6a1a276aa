"""HaAI: values worked out by hand from the paper's formulas, and its bargaining."""

from __future__ import annotations

from random import Random

import pytest

from bordeaux import Map, Position
from bordeaux.formats.daide import map_from_mdf
from bordeaux.players.haai import (
    BERSERK,
    VANILLA,
    HaaiWeights,
    UnitAgent,
    own_values,
    settle,
    values,
)
from bordeaux.players.map_index import situation
from tests.players.playing import standard

BOTH = ("haai-vanilla", "haai-berserk")
MAP = Map.standard()
FRANCE = MAP.powers.index("FRANCE")

#: Three inland provinces in a row, ONE - TWO - TRI; the two ends are centres and homes.
ROW = map_from_mdf(
    "MDF (AUS TUR) (((AUS BUD) (TUR ANK)) (BUL)) ((BUD (AMY BUL)) (BUL (AMY BUD ANK)) (ANK (AMY BUL)))"
)


class Script(Random):
    """Chance that draws what it is told to, in turn."""

    def __init__(self, *numbers: float) -> None:
        super().__init__(0)
        self.numbers = list(numbers)

    def random(self) -> float:
        return self.numbers.pop(0)


def at(name: str, kind: str = "A") -> int:
    return MAP.location(kind, name).index


def invasion(phase: str) -> Position:
    """A German army in Burgundy beside French centres, one of them a home that it has lost."""
    return standard(
        phase,
        {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A BUR", "A RUH"]},
        {"FRANCE": ["PAR", "BRE", "BEL"], "GERMANY": ["MAR", "MUN", "HOL"]},
    )


@pytest.mark.parametrize(
    ("variant", "phase", "worth"),
    [
        # PAR 800 + 1000, BEL 800, MAR and MUN 800 + 500, HOL and SPA 800; nobody threatens BRE.
        (VANILLA, "S1905M", (1800, 800, 1300, 1300, 800, 800)),
        (VANILLA, "F1905M", (2000, 1000, 1500, 1500, 1000, 1000)),
        (BERSERK, "S1905M", (2000, 800, 2000, 2000, 1000, 1000)),
        (BERSERK, "F1905M", (2100, 900, 2200, 2200, 1200, 1200)),
    ],
)
def test_own_values_of_centres_by_figure_3_13(
    variant: HaaiWeights, phase: str, worth: tuple[int, ...]
) -> None:
    given = own_values(situation(invasion(phase)), FRANCE, variant)
    places = ("PAR", "BEL", "MAR", "MUN", "HOL", "SPA", "BRE", "BUR")
    assert tuple(given[MAP.province(name).index] for name in places) == (*worth, 0, 0)


def test_value_spreads_over_adjacent_places_as_far_as_the_scope() -> None:
    position = Position.from_json(
        {"name": "S1905M", "units": {"AUS": ["A BUD"]}, "centers": {"AUS": ["BUD"], "TUR": ["ANK"]}}, ROW
    )
    number = {place.name: place.index for place in ROW.locations}

    def worth(scope: int) -> list[int]:
        by_province = values(situation(position), 0, VANILLA._replace(eval_scope=scope))
        return [by_province[number[name]] for name in ("BUD", "BUL", "ANK")]

    # ANK by itself: 800 + 500, as Turkey's home. One step takes 12 % of it to BUL.
    assert worth(0) == [0, 0, 1300]
    assert worth(1) == [0, 156, 1300]
    # BUD gets 12 % of what BUL had, 18.72; ANK 12 % of it back.
    assert worth(2) == [19, 156, 1319]
    # BUL now gets 12 % of 18.72 and of 1318.72.
    assert worth(3) == [19, 160, 1319]


def agent(position: Position, unit: str, table: HaaiWeights = VANILLA) -> UnitAgent:
    now = situation(position)
    location = position.map.location(*unit.split()).index
    return UnitAgent(now.location.index(location), now, FRANCE, values(now, FRANCE, table), table)


def test_required_support_comes_down_by_the_rule_of_figure_3_9() -> None:
    position = standard("S1905M", {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}, {"FRANCE": ["PAR"]})
    one = agent(position, "A PAR")
    one.ranked = [(1000.0, at("BUR")), (800.0, at("PIC"))]
    one.add_goal(Script())
    assert one.added[0].required == 1
    # 800 / 1000 x 1.05 = 0.84: a number up to that leaves the goal as it is, one above lowers it.
    one.add_goal(Script(0.84))
    assert one.added[0].required == 1
    one.add_goal(Script(0.85))
    assert one.added[0].required == 0
    # Nothing is drawn for a goal that asks for no support any more.
    one.add_goal(Script())


def test_the_papers_example_of_plan_formation() -> None:
    """The example of figures 3.2 to 3.7: France at the start, with the goals of the figures."""
    worth = [0] * len(MAP.locations)
    for kind, name, value in (
        ("A", "SPA", 900),
        ("A", "BUR", 800),
        ("F", "ENG", 700),
        ("A", "PIC", 600),
        ("F", "MAO", 500),
        ("A", "GAS", 100),
        ("F", "PIC", 100),
    ):
        worth[at(name, kind)] = value
    # Marseilles goes to Spain, so that nobody can support Paris to Burgundy; Brest and Paris fail.
    # In the second round the Channel is tried without support, for 500 / 700 x 1.05 = 0.75 is less
    # than what is drawn; Burgundy, at 600 / 800 x 1.05, is not, and Paris takes Picardy.
    orders = settle(situation(Position.start()), FRANCE, worth, VANILLA, Script(0.80, 0.70))
    assert [str(order) for order in orders] == ["F BRE - ENG", "A MAR - SPA", "A PAR - PIC"]
