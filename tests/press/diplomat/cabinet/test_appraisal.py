"""press/cabinet/appraisal.py: what terms are worth to us."""

import pytest

from bordeaux.board.notation import parse_order
from bordeaux.board.submission import giver
from bordeaux.engine import Engine
from bordeaux.press.diplomat.cabinet.appraisal import helped_by
from bordeaux.press.diplomat.cabinet.defence import IMPOSSIBLE, Defence
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.language import messages as p
from bordeaux.search.agreements import Agreement
from tests.press.diplomat.cabinet.table import MAP, START, diplomat, opened


def order(text: str) -> p.Promise:
    """The promise of the power that has the unit."""
    read = parse_order(text, MAP, START)
    return p.Promise(giver(read, START), read)


@pytest.fixture(scope="module")
def france() -> Diplomat:
    made = diplomat("FRANCE")
    opened(made)
    return made


def worth(of: Diplomat, term: p.Term) -> float:
    return of.appraisal.worth(term, "GERMANY")


def test_the_end_of_the_game(france: Diplomat) -> None:
    assert worth(france, p.Solo("FRANCE")) == 0 > worth(france, p.Solo("GERMANY"))
    assert worth(france, p.Draw()) < 0 and worth(france, p.Draw(("ITALY", "RUSSIA"))) < 0
    assert worth(france, p.Not(p.Solo("FRANCE"))) < 0 <= worth(france, p.Not(p.Solo("ITALY")))


def test_friends_and_foes(france: Diplomat) -> None:
    policy = france.policy
    friend = next(iter(policy.close))
    assert policy.prey is not None and friend != policy.prey
    assert worth(france, p.Peace(("FRANCE", friend))) > 0 > worth(france, p.Peace(("FRANCE", policy.prey)))
    assert worth(france, p.Peace(("ITALY", "TURKEY"))) < 0
    assert worth(france, p.Alliance(("FRANCE", friend), (policy.prey,))) > worth(
        france, p.Peace(("FRANCE", friend))
    )
    assert worth(france, p.Alliance(("ENGLAND", "GERMANY"), ("FRANCE",))) < 0
    assert worth(france, p.Alliance(("FRANCE", policy.prey), (friend,))) < 0


def test_orders_of_others_help_or_hurt(france: Diplomat) -> None:
    helps, hurts = order("A MUN S A PAR - BUR"), order("A MUN - BUR")
    assert helped_by(START, helps.order) == "FRANCE" and helped_by(START, hurts.order) == ""
    assert worth(france, helps) > 0 == worth(france, hurts)
    attack = p.Promise("GERMANY", parse_order("A MUN - PAR", MAP, START))
    assert worth(france, attack) < 0 < worth(france, p.Not(attack))


def test_packages_are_summed_and_choices_chosen_from(france: Diplomat) -> None:
    friend = next(iter(france.policy.close))
    good, bad = p.Peace(("FRANCE", friend)), p.Peace(("FRANCE", france.policy.prey or ""))
    assert worth(france, p.All((good, bad))) == worth(france, good) + worth(france, bad)
    assert worth(france, p.Some((good, bad))) == worth(france, good)
    assert worth(france, p.Choice(1, 1, (bad, good))) == worth(france, good)
    assert worth(france, p.Choice(2, 2, (bad, good))) == worth(france, p.All((good, bad)))
    assert worth(france, p.Choice(0, 2, (bad, bad))) == 0
    assert worth(france, p.During(START.phase, None, good)) == worth(france, good)
    assert worth(france, p.NoDeal(bad)) == 0


def test_what_is_long_term(france: Diplomat) -> None:
    fair = p.Division((p.Share("FRANCE", ("PAR", "BEL")), p.Share("GERMANY", ("MUN", "HOL"))))
    robbed = p.Division((p.Share("FRANCE", ("BEL", "SPA")), p.Share("GERMANY", ("MUN", "PAR"))))
    assert worth(france, fair) > 0 > worth(france, robbed)
    assert worth(france, p.Demilitarised(("ENGLAND",), ("ENG",))) > 0
    assert worth(france, p.Stationing((p.Station("GERMANY", "A", "PAR"),))) < 0
    assert worth(france, p.Favour("GERMANY", "FRANCE")) > 0 > worth(france, p.Favour("FRANCE", "GERMANY"))
    units = (p.Station("FRANCE", "A", "PAR"),)
    assert worth(france, p.Command("GERMANY", units)) < 0
    theirs = (p.Station("GERMANY", "A", "MUN"),)
    assert worth(france, p.Command("FRANCE", theirs)) == worth(france, p.Command("ITALY", theirs)) == 0


def test_words_do_not_pay_for_deeds(france: Diplomat) -> None:
    hold, solo = order("A PAR H"), p.Solo("FRANCE")
    assert worth(france, p.All((solo, hold))) == worth(france, hold) < 0
    favours = tuple(p.Favour("GERMANY", "FRANCE") for _ in range(20))
    assert worth(france, p.All((*favours, order("A MAR H"), order("F BRE H"), hold))) < 0
    units = (p.Station("FRANCE", "A", "PAR"),)
    assert worth(france, p.All((solo, p.Command("GERMANY", units)))) < -1000
    assert worth(france, p.Not(p.Not(p.Solo("ITALY")))) < 0 and worth(france, p.Not(p.Not(hold))) < 0
    assert worth(france, p.Choice(0, 1, (p.Solo("ITALY"),))) < 0


def test_own_centres_are_never_left(france: Diplomat) -> None:
    for place in ("PAR", "BRE", "MAR"):
        assert worth(france, p.Demilitarised(("FRANCE", "GERMANY"), (place,))) < -1000


def defence() -> Defence:
    made = Defence(Engine(seed=1), "FRANCE")
    made.begin(START, {})
    return made


def promise(order: str, power: str = "FRANCE") -> Agreement:
    return Agreement("promise", (power,), orders=(parse_order(order, MAP, START),))


def test_what_is_planned_costs_nothing_and_nonsense_much() -> None:
    made = defence()
    assert made.plan is not None and len(made.orders) == 3
    assert made.cost(promise(str(made.orders[0]))) == 0
    held = [made.cost(promise(f"{unit.kind} {unit.location} H")) for unit in START.units_of("FRANCE")]
    assert max(held) > 40
    assert made.cost(promise("A PAR - ROM")) == IMPOSSIBLE


def test_promises_that_cannot_all_be_kept_are_impossible() -> None:
    made = defence()
    made.agree([Agreement("demilitarised", ("FRANCE",), provinces=("BUR",))])
    assert made.cost(promise("A PAR - BUR")) == IMPOSSIBLE > made.cost(promise("A PAR - GAS"))
    made.agree([promise("A PAR - BUR")])
    assert made.cost(Agreement("demilitarised", ("FRANCE",), provinces=("BUR",))) == IMPOSSIBLE
    assert made.cost(promise("A PAR H")) == IMPOSSIBLE
