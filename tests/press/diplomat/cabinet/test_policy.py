"""press/cabinet/policy.py: friends, prey and the end of the game."""

from bordeaux.press.language import messages as p
from tests.press.diplomat.cabinet.table import START, agree, board, diplomat, opened


def test_half_of_the_neighbours_are_friends_and_one_is_prey() -> None:
    for power in START.map.powers:
        made = diplomat(power)
        opened(made)
        policy = made.policy
        assert policy.prey in policy.neighbours and policy.prey not in policy.close
        assert 1 <= len(policy.close) <= max(1, len(policy.neighbours) // 2)
        assert set(policy.friends()) & policy.neighbours == policy.close
        assert policy.friendship(policy.prey or "") < 0


def test_who_is_at_peace_with_us_is_prey_last() -> None:
    made = diplomat("FRANCE")
    opened(made)
    friend = sorted(made.policy.close)[0]
    agree(made, friend, p.Peace(("FRANCE", friend)))
    opened(made, START.next({}))
    assert made.policy.prey != friend and friend in made.policy.close


def test_who_is_about_to_win_is_everybodys_enemy() -> None:
    turkey = (
        "ANK",
        "CON",
        "SMY",
        "BUL",
        "RUM",
        "SER",
        "GRE",
        "BUD",
        "VIE",
        "TRI",
        "SEV",
        "MOS",
        "WAR",
        "NAP",
        "ROM",
        "VEN",
    )
    centres = {
        "TURKEY": turkey,
        "FRANCE": ("PAR", "MAR", "BRE", "SPA", "POR"),
        "ENGLAND": ("LON", "EDI", "LVP"),
    }
    units = {
        "TURKEY": [f"A {centre}" for centre in turkey],
        "FRANCE": ["A PAR", "A MAR", "F BRE"],
        "ENGLAND": ["F LON", "F EDI"],
    }
    late = board("S1908M", units, centres)
    made = diplomat("FRANCE")
    said = opened(made, late)
    assert made.policy.leader == made.policy.prey == "TURKEY" and made.policy.friendship("TURKEY") < -500
    assert "ENGLAND" in made.policy.close
    first = said[0].message
    assert isinstance(first, p.Propose) and first.term == p.Alliance(("FRANCE", "ENGLAND"), ("TURKEY",))
    assert made.draw() is not None
    assert diplomat("TURKEY").draw() is None
