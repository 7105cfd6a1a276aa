"""HaAI: values worked out by hand from the paper's formulas, and its bargaining."""

from __future__ import annotations

from random import Random

import pytest

from bordeaux import Map, Position
from bordeaux.formats.daide import map_from_mdf
from bordeaux.players.haai import AgentGoal, UnitAgent, own_values, settle, values, weights
from bordeaux.players.map_index import situation
from tests.players.playing import orders_for, play, standard, table

BOTH = ("haai-vanilla", "haai-berserk")
VANILLA, BERSERK = weights("vanilla"), weights("berserk")
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


def test_the_weights_are_those_of_table_3_1() -> None:
    assert VANILLA == (8, 12, 1000, 800, 1000, 800, 1000, 500, 1.05, 0.60, 0.70)
    assert BERSERK == (12, 10, 1200, 1000, 900, 800, 1200, 1000, 0.90, 0.30, 0.50)


@pytest.mark.parametrize(
    ("variant", "phase", "expected"),
    [
        (
            "vanilla",
            "S1905M",
            # PAR 800 + 1000, BEL 800, MAR and MUN 800 + 500, HOL and SPA 800
            {"PAR": 1800, "BRE": 0, "BEL": 800, "MAR": 1300, "MUN": 1300, "HOL": 800, "SPA": 800, "BUR": 0},
        ),
        (
            "vanilla",
            "F1905M",
            {
                "PAR": 2000,
                "BRE": 0,
                "BEL": 1000,
                "MAR": 1500,
                "MUN": 1500,
                "HOL": 1000,
                "SPA": 1000,
                "BUR": 0,
            },
        ),
        (
            "berserk",
            "S1905M",
            {"PAR": 2000, "BRE": 0, "BEL": 800, "MAR": 2000, "MUN": 2000, "HOL": 1000, "SPA": 1000, "BUR": 0},
        ),
        (
            "berserk",
            "F1905M",
            {"PAR": 2100, "BRE": 0, "BEL": 900, "MAR": 2200, "MUN": 2200, "HOL": 1200, "SPA": 1200, "BUR": 0},
        ),
    ],
)
def test_own_values_of_centres_by_figure_3_13(variant: str, phase: str, expected: dict[str, int]) -> None:
    worth = own_values(situation(invasion(phase)), FRANCE, weights(variant))
    assert {name: worth[MAP.province(name).index] for name in expected} == expected


def test_a_centre_with_a_foreign_unit_in_it_is_threatened() -> None:
    position = standard("S1905M", {"GERMANY": ["A PAR"], "FRANCE": []}, {"FRANCE": ["PAR", "BRE"]})
    worth = own_values(situation(position), FRANCE, VANILLA)
    assert worth[MAP.province("PAR").index] == 1800
    assert worth[MAP.province("BRE").index] == 1800


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


def agent(position: Position, unit: str, power: str, table: object = VANILLA) -> UnitAgent:
    now = situation(position)
    location = position.map.location(*unit.split()).index
    number = position.map.powers.index(power)
    chosen = VANILLA if table is VANILLA else BERSERK
    worth = values(now, number, chosen)
    return UnitAgent(now.location.index(location), now, number, worth, chosen)


def goal_for(bargainer: UnitAgent, name: str, chance: Random) -> AgentGoal:
    for _ in bargainer.ranked:
        bargainer.add_goal(chance)
    return next(goal for goal in bargainer.added if MAP.locations[goal.location].name == name)


def test_wanted_support_counts_all_who_could_come_and_required_those_of_one_power() -> None:
    position = standard(
        "S1905M",
        {"FRANCE": ["A PAR"], "GERMANY": ["A MUN", "A RUH"], "ITALY": ["A MAR"], "ENGLAND": ["A PIC"]},
        {"FRANCE": ["PAR"]},
    )
    never = Script(*[0.0] * 99)
    into_burgundy = goal_for(agent(position, "A PAR", "FRANCE"), "BUR", never)
    assert (into_burgundy.wanted, into_burgundy.required) == (4, 2)
    into_picardy = goal_for(agent(position, "A PAR", "FRANCE"), "PIC", never)
    assert (into_picardy.wanted, into_picardy.required) == (1, 1)
    stays = goal_for(agent(position, "A PAR", "FRANCE"), "PAR", never)
    assert (stays.wanted, stays.required) == (0, 0)


def test_to_stay_takes_one_support_less_than_could_come() -> None:
    position = standard(
        "S1905M",
        {"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "A PIC"], "ENGLAND": ["F BRE"]},
        {"FRANCE": ["PAR"]},
    )
    stays = goal_for(agent(position, "A PAR", "FRANCE"), "PAR", Script(*[0.0] * 99))
    # The fleet in Brest cannot come.
    assert (stays.wanted, stays.required) == (1, 0)


@pytest.mark.parametrize(("variant", "free", "beset"), [("vanilla", 0.60, 0.70), ("berserk", 0.30, 0.50)])
def test_places_of_own_units_are_worth_less(variant: str, free: float, beset: float) -> None:
    position = standard("S1905M", {"FRANCE": ["A PAR", "A GAS", "A BUR"], "GERMANY": ["A MUN"]})
    table = weights(variant)
    worth = values(situation(position), FRANCE, table)
    ranked = agent(position, "A PAR", "FRANCE", VANILLA if variant == "vanilla" else BERSERK).ranked
    seen = {MAP.locations[place].name: value for value, place in ranked}
    assert seen == {
        "PAR": worth[at("PAR")],
        "BRE": worth[at("BRE")],
        "PIC": worth[at("PIC")],
        "GAS": worth[at("GAS")] * free,
        "BUR": worth[at("BUR")] * beset,
    }
    assert [value for value, _ in ranked] == sorted(seen.values(), reverse=True)


def test_required_support_comes_down_by_the_rule_of_figure_3_9() -> None:
    position = standard("S1905M", {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}, {"FRANCE": ["PAR"]})
    one = agent(position, "A PAR", "FRANCE")
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


def france() -> tuple[Position, list[int]]:
    """The example of figures 3.2 to 3.7: France at the start, with the goals of the figures."""
    position = Position.start()
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
    return position, worth


def test_the_papers_example_of_plan_formation() -> None:
    position, worth = france()
    # Marseilles goes to Spain, so that nobody can support Paris to Burgundy; Brest and Paris fail.
    # In the second round the Channel is tried without support, for 500 / 700 x 1.05 = 0.75 is less
    # than what is drawn; Burgundy, at 600 / 800 x 1.05, is not, and Paris takes Picardy.
    orders = settle(situation(position), FRANCE, worth, VANILLA, Script(0.80, 0.70))
    assert [str(order) for order in orders] == ["F BRE - ENG", "A MAR - SPA", "A PAR - PIC"]


def test_the_cheapest_supporter_is_drafted_for_the_best_goal() -> None:
    # The English fleet could come to Picardy, so that takes a support: Burgundy and Paris could give it.
    position = standard("S1905M", {"FRANCE": ["A BEL", "A BUR", "A PAR"], "ENGLAND": ["F ENG"]})
    for munich, paris, orders in (
        (300, 200, ["A BEL - PIC", "A BUR - MUN", "A PAR S A BEL - PIC"]),
        (200, 300, ["A BEL - PIC", "A BUR S A BEL - PIC", "A PAR H"]),
    ):
        worth = [0] * len(MAP.locations)
        worth[at("PIC")], worth[at("MUN")], worth[at("PAR")] = 900, munich, paris
        settled = settle(situation(position), FRANCE, worth, BERSERK, Script(*[0.0] * 20))
        assert [str(order) for order in settled] == orders


def test_nobody_goes_to_where_another_goes_or_stays_and_followers_wait() -> None:
    position = standard("S1905M", {"FRANCE": ["A PAR", "A PIC", "A BRE"]}, {"FRANCE": ["PAR", "BRE"]})
    worth = [0] * len(MAP.locations)
    worth[at("BEL")], worth[at("PIC")], worth[at("PAR")] = 900, 800, 700
    # Picardy leaves for Belgium; of Paris and Brest, who both want Picardy, one may follow.
    orders = [
        str(order) for order in settle(situation(position), FRANCE, worth, VANILLA, Script(*[0.0] * 20))
    ]
    assert "A PIC - BEL" in orders
    assert sum(text.endswith("- PIC") for text in orders) == 1


def test_builds_keep_the_ratio_of_centres_that_armies_and_fleets_can_reach() -> None:
    # From England armies reach no centre that is no home of its own.
    england = standard(
        "W1905A", {"ENGLAND": ["F NTH", "A NWY"]}, {"ENGLAND": ["EDI", "LON", "LVP", "NWY", "BEL"]}
    )
    for spec in BOTH:
        assert {order.unit for order in orders_for(spec, england, "ENGLAND")} == {"F"}
    # Germany's armies reach 31 - 5 of the others' centres (not the islands' and Tunis), its fleets 23.
    homes = ("BER", "KIE", "MUN")
    army = sum(name not in (*homes, "EDI", "LON", "LVP", "TUN") for name in MAP.centres)
    fleet = sum(name not in homes and MAP.province(name).kind == "coastal" for name in MAP.centres)
    assert (army, fleet) == (27, 25)
    armies = standard("W1905A", {"GERMANY": ["A RUH", "A SIL"]}, {"GERMANY": ["BER", "KIE", "MUN"]})
    fleets = standard("W1905A", {"GERMANY": ["F NTH", "F BAL"]}, {"GERMANY": ["BER", "KIE", "MUN"]})
    for spec in BOTH:
        assert [order.unit for order in orders_for(spec, armies, "GERMANY")] == ["F"]
        assert [order.unit for order in orders_for(spec, fleets, "GERMANY")] == ["A"]


def test_the_unit_whose_place_is_worth_least_is_removed() -> None:
    position = standard(
        "W1905A",
        {"FRANCE": ["A PAR", "A MAR", "F NWG"], "GERMANY": ["A BUR"]},
        {"FRANCE": ["PAR", "MAR"], "ENGLAND": ["EDI"]},
    )
    worth = values(situation(position), FRANCE, VANILLA)
    assert worth[at("NWG", "F")] < min(worth[at("PAR")], worth[at("MAR")])
    for spec in BOTH:
        assert [str(order) for order in orders_for(spec, position, "FRANCE")] == ["F NWG D"]


def test_berserk_beats_random_orders() -> None:
    played = play(table(["haai-berserk"] + ["random"] * 6, MAP, 0), Position.start(), 1920)
    assert played.last.victor == "AUSTRIA"
