"""What orders did to other powers, by pairs."""

from __future__ import annotations

from bordeaux.press.diplomat.stance import conduct

from .boards import SIDE


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
