"""Truth maintenance: what holds and why, compared with a naive computation of the well-founded model."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from hypothesis import given
from hypothesis import strategies as st

from bordeaux.press.diplomat.truth import Reason, Truth

from .accounts import Ground, well_founded

FACTS = st.sampled_from("ABCDEFGH")
GROUNDS = st.tuples(FACTS, st.lists(FACTS, max_size=3).map(tuple), st.lists(FACTS, max_size=2).map(tuple))
CHANGE = st.tuples(st.sampled_from(["add", "add", "add", "retract", "forget"]), GROUNDS)
CHANGES = st.lists(CHANGE, max_size=25)


def forgotten(grounds: set[Ground], fact: Hashable) -> set[Ground]:
    """The grounds that are left when a fact, and what has no other ground, is forgotten."""
    gone = {fact}
    while True:
        left = {ground for ground in grounds if ground[0] not in gone and not gone & set(ground[1])}
        lost = {ground[0] for ground in grounds} - {ground[0] for ground in left}
        if lost <= gone:
            return left
        gone |= lost


def leaves(reason: Reason) -> Iterable[Reason]:
    yield reason
    for premise in reason.because:
        yield from leaves(premise)


@given(CHANGES)
def test_what_holds_is_the_well_founded_model_after_every_change(changes: list[tuple[str, Ground]]) -> None:
    truth = Truth()
    grounds: set[Ground] = set()
    for change, (fact, because, unless) in changes:
        because, unless = tuple(dict.fromkeys(because)), tuple(dict.fromkeys(unless))
        if change == "add":
            truth.add(fact, because, unless)
            grounds.add((fact, because, unless))
        elif change == "retract":
            truth.retract(fact, because, unless)
            grounds.discard((fact, because, unless))
        else:
            truth.forget(fact)
            grounds = forgotten(grounds, fact)
        assert set(truth.facts()) == well_founded(grounds)
        assert len(truth) == len(grounds)
        for held in truth.facts():
            check_reason(truth, grounds, held)


def check_reason(truth: Truth, grounds: set[Ground], fact: Hashable) -> None:
    """A reason is made of grounds that were given, down to premises or what nothing defeats, in no circle."""
    reason = truth.why(fact)
    assert reason.fact == fact
    for leaf in leaves(reason):
        assert (leaf.fact, tuple(below.fact for below in leaf.because), leaf.unless) in grounds
        assert not any(truth.holds(defeater) for defeater in leaf.unless)
        assert leaf.fact not in {inner.fact for below in leaf.because for inner in leaves(below)}


def test_a_fact_falls_with_its_ground_unless_it_has_another() -> None:
    truth = Truth()
    truth.add("peace", ["treaty"])
    truth.add("peace", ["alliance"])
    truth.add("treaty")
    truth.add("alliance")
    truth.retract("treaty")
    assert truth.holds("peace") and truth.why("peace") == Reason("peace", (Reason("alliance"),))
    truth.retract("alliance")
    assert not truth.holds("peace")
    truth.add("treaty")
    assert truth.holds("peace")


def test_what_is_taken_for_granted_falls_when_the_contrary_is_learnt() -> None:
    truth = Truth()
    truth.add("kept", ["promised"], unless=["broken"])
    truth.add("promised")
    assert truth.why("kept") == Reason("kept", (Reason("promised"),), ("broken",))
    truth.add("broken", ["seen"])
    assert truth.holds("kept")
    truth.add("seen")
    assert not truth.holds("kept") and truth.holds("broken")


def test_facts_that_hold_up_each_other_fall_together() -> None:
    truth = Truth()
    truth.add("A", ["B"])
    truth.add("B", ["A"])
    assert not truth.holds("A")
    truth.add("A")
    assert truth.holds("B")
    truth.retract("A")
    assert not truth.holds("A") and not truth.holds("B")


def test_forgetting_leaves_nothing_of_what_rested_on_a_fact_alone() -> None:
    truth = Truth()
    truth.add("premise")
    truth.add("first", ["premise"])
    truth.add("second", ["first"], unless=["other"])
    truth.forget("premise")
    assert len(truth) == 0 and list(truth.facts()) == []


def test_a_long_chain_needs_no_recursion() -> None:
    truth = Truth()
    for number in range(1, 5001):
        truth.add(number, [number - 1])
    truth.add(0)
    reason, steps = truth.why(5000), 0
    while reason.because:
        reason, steps = reason.because[0], steps + 1
    assert steps == 5000
