"""Alliances without a word: who has let whom be, who has attacked whom, and who wins."""

from __future__ import annotations

from bordeaux import Agreement, Map, Position, Unit
from bordeaux.press.conduct import conduct
from bordeaux.press.tacit import FIRST, PEACE, Tacit, winner
from bordeaux.search.neighbours import near

MAP = Map.standard()


def board(phase: str, centres: dict[str, list[str]], units: dict[str, list[str]]) -> Position:
    placed = [Unit(power, text[0], text[2:]) for power, texts in units.items() for text in texts]
    return Position(MAP, phase, placed, centres)


#: France and Germany side by side, Italy beside both, England far from Italy.
SIDE = board(
    "S1902M",
    {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "BER"], "ITALY": ["VEN", "ROM"], "ENGLAND": ["LON"]},
    {"FRANCE": ["A BUR", "A MAR"], "GERMANY": ["A MUN", "A RUH"], "ITALY": ["A TYR"], "ENGLAND": ["F NTH"]},
)
HOLDS = {"FRANCE": ["A BUR H", "A MAR H"], "GERMANY": ["A MUN H", "A RUH H"], "ITALY": ["A TYR H"]}
ATTACK = {**HOLDS, "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]}


def seen(*phases: dict[str, list[str]], position: Position = SIDE) -> Tacit:
    tacit = Tacit(position.map)
    for orders in phases:
        tacit.observe(position, orders, position)
    return tacit


def test_what_powers_did_to_each_other_is_counted_by_pairs() -> None:
    helping = {
        "FRANCE": ["A BUR - MUN", "A MAR - PIE"],
        "ITALY": ["A TYR S A BUR - MUN"],
        "GERMANY": ["A MUN S A TYR", "A RUH - HOL"],
    }
    deeds = conduct(SIDE, helping)
    assert deeds.attacks == {("FRANCE", "GERMANY"): 1, ("ITALY", "GERMANY"): 1}
    assert deeds.helps == {("ITALY", "FRANCE"): 1, ("GERMANY", "ITALY"): 1}
    # Piedmont is beside Venice, Munich beside Berlin.
    assert deeds.pressed == {("FRANCE", "ITALY"): 1, ("FRANCE", "GERMANY"): 1}


def test_illegal_orders_do_nothing_to_anybody() -> None:
    deeds = conduct(SIDE, {"FRANCE": ["A BUR - VEN", "A PAR - BUR"], "ITALY": ["A BUR - MUN"]})
    assert not deeds.attacks and not deeds.helps and not deeds.pressed


def test_who_is_near_is_counted_by_units() -> None:
    close = near(SIDE)
    assert close["GERMANY", "FRANCE"] == 2 and close["FRANCE", "GERMANY"] == 1
    assert close["ITALY", "GERMANY"] == 1 and ("ITALY", "ENGLAND") not in close
    assert near(SIDE, 2)["FRANCE", "ITALY"] == 2


def test_who_lets_be_is_trusted_more_and_more_and_who_attacks_is_not() -> None:
    trust = [seen(*[HOLDS] * count).trust("FRANCE", "GERMANY") for count in range(6)]
    assert trust == sorted(trust) and trust[0] == FIRST and trust[1] > trust[0] and trust[-1] == 1.0
    broken = seen(*[HOLDS] * 5, ATTACK)
    assert broken.trust("FRANCE", "GERMANY") == broken.trust("GERMANY", "FRANCE") == 0.0
    assert broken.trust("FRANCE", "ITALY") > 0
    # A single quiet phase does not mend it; several do.
    assert seen(ATTACK, HOLDS).trust("FRANCE", "GERMANY") == 0.0
    assert seen(ATTACK, *[HOLDS] * 6).trust("FRANCE", "GERMANY") > PEACE


def test_who_could_do_nothing_earns_nothing() -> None:
    assert seen(*[HOLDS] * 5).trust("ITALY", "ENGLAND") == FIRST
    assert seen(*[HOLDS] * 5, position=SIDE.next({})).trust("FRANCE", "GERMANY") >= FIRST


def test_help_is_trusted_and_pressure_is_a_warning() -> None:
    helped = {**HOLDS, "ITALY": ["A TYR S A MUN"]}
    assert seen(helped).trust("GERMANY", "ITALY") > seen(HOLDS).trust("GERMANY", "ITALY")
    pressing = {**HOLDS, "FRANCE": ["A BUR H", "A MAR - PIE"]}
    assert seen(HOLDS, pressing).trust("ITALY", "FRANCE") < seen(HOLDS, HOLDS).trust("ITALY", "FRANCE")


def test_peace_is_told_as_an_agreement_that_binds_nobody() -> None:
    (peace,) = seen(HOLDS).agreements("FRANCE", SIDE)
    assert isinstance(peace, Agreement) and peace.tacit and peace.kind == "peace"
    assert peace.parties == ("FRANCE", "GERMANY") and FIRST < peace.trust < 1
    (other,) = seen(ATTACK).agreements("FRANCE", SIDE)
    assert other.parties == ("FRANCE", "ITALY")
    alone = board("S1902M", {}, {"FRANCE": ["A BUR"], "GERMANY": ["F SPA/SC"]})
    assert seen().agreements("FRANCE", alone) == seen().agreements("ENGLAND", SIDE) == []


def test_who_is_at_peace_with_half_of_its_neighbours_may_attack_the_others() -> None:
    start = Position.start()
    tacit = Tacit(MAP)
    for power in MAP.powers:
        close = {other for pair in near(start, 3) if power in pair for other in pair} - {power}
        peace = tacit.agreements(power, start)
        assert len(peace) == len(close) // 2
    levels = [each.trust for each in seen(*[HOLDS] * 3).agreements("GERMANY", SIDE)]
    assert levels == sorted(levels, reverse=True) and levels


def test_a_common_enemy_makes_friends() -> None:
    both = {**HOLDS, "GERMANY": ["A MUN - TYR", "A RUH - BUR"]}
    # Quiet with each other in both cases; Germany attacks both of them in the second.
    assert seen(both).peace(SIDE, "FRANCE", "ITALY") > seen(HOLDS).peace(SIDE, "FRANCE", "ITALY")


def test_with_whoever_is_about_to_win_there_is_no_peace_and_the_others_unite() -> None:
    many = [tag for tag in MAP.centres if tag not in ("PAR", "MAR", "VEN", "ROM", "LON")][:14]
    owners = {"GERMANY": many, "FRANCE": ["PAR", "MAR"], "ITALY": ["VEN", "ROM"], "ENGLAND": ["LON"]}
    units = {power: [f"{unit.kind} {unit.location}" for unit in SIDE.units_of(power)] for power in owners}
    winning = board("S1902M", owners, units)
    assert winner(winning) == "GERMANY" and winner(SIDE) is None and winner(Position.start()) is None
    tacit = seen(HOLDS, HOLDS)
    assert tacit.peace(SIDE, "FRANCE", "GERMANY") > 0
    assert tacit.peace(winning, "FRANCE", "GERMANY") == 0
    assert tacit.peace(winning, "FRANCE", "ITALY") > tacit.peace(SIDE, "FRANCE", "ITALY")


def test_retreats_and_builds_teach_nothing() -> None:
    tacit = Tacit(MAP)
    winter = Position(MAP, "W1902A", SIDE.units, SIDE.centres)
    tacit.observe(winter, {"FRANCE": ["A PAR B"]}, winter)
    assert tacit.trust("FRANCE", "GERMANY") == FIRST
