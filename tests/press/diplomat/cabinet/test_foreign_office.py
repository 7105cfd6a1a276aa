"""press/cabinet/foreign_office.py: the best first, and no more than a person could bear."""

from bordeaux.board.phase import Phase
from bordeaux.press.diplomat.cabinet.prime_minister import BEARABLE, IN_ALL, ForeignOffice, Idea
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from tests.press.diplomat.cabinet.table import MAP

SPRING, FALL, NEXT = Phase.parse("S1901M"), Phase.parse("F1901M"), Phase.parse("S1902M")


def peace(other: str) -> p.Peace:
    return p.Peace(("FRANCE", other))


def office() -> ForeignOffice:
    made = ForeignOffice("FRANCE", MAP.powers)
    made.begin()
    return made


def test_the_best_come_first() -> None:
    ideas = [Idea(1.0, peace("ITALY"), ("ITALY",)), Idea(9.0, peace("GERMANY"), ("GERMANY",))]
    first, second = office().propose(ideas, SPRING)
    assert first == Letter("FRANCE", ("GERMANY",), p.Propose(peace("GERMANY")))
    assert second == Letter("FRANCE", ("ITALY",), p.Propose(peace("ITALY")))


def test_nobody_has_to_bear_more_than_a_few() -> None:
    made = office()
    orders = [p.Division((p.Share("FRANCE", (centre,)),)) for centre in MAP.centres]
    to_one = [Idea(float(place), term, ("ITALY",)) for place, term in enumerate(orders)]
    said = list(made.propose(to_one, SPRING))
    assert [letter.message for letter in said] == [p.Propose(orders[-1 - place]) for place in range(BEARABLE)]
    others = [power for power in MAP.powers if power != "FRANCE"]
    to_all = [Idea(1.0, term, (power,)) for term in orders[:BEARABLE] for power in others]
    assert len(said) + len(list(made.propose(to_all, SPRING))) == IN_ALL
    made.begin()
    assert list(made.propose(to_one[:1], FALL))


def test_what_was_offered_is_offered_again_next_year() -> None:
    made, idea = office(), Idea(1.0, peace("ITALY"), ("ITALY",))
    assert list(made.propose([idea], SPRING)) and not list(made.propose([idea], SPRING))
    made.begin()
    assert not list(made.propose([idea], FALL))
    made.begin()
    assert list(made.propose([idea], NEXT))


def test_it_knows_who_talks() -> None:
    made = office()
    assert not made.desks["ITALY"].speaks
    made.heard(Letter("ITALY", ("FRANCE",), p.Refuse(p.Propose(peace("ITALY")))))
    assert made.desks["ITALY"].speaks and not made.desks["GERMANY"].speaks
