"""Agreements: what a power promises it does, what others promise is expected as far as they are trusted."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from bordeaux import Agreement, BordeauxError, Dislodged, Engine, Limit, Map, Position, Request, Unit
from bordeaux.board.code import codes_in
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.search.agreements import Bonds, agreed
from bordeaux.search.beliefs import Beliefs, OpponentSampler
from bordeaux.search.bestfirst import Maxims, search_space
from bordeaux.search.config import ideas_of
from bordeaux.search.models import FAST
from bordeaux.search.sets import from_orders

from .paper.boards import board

MAP = Map.standard()
NODES = 3000
#: France beside Munich, which is Germany's and stands open; Germany's army is in Silesia.
OPEN = board(
    "F1903M",
    {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "BER"]},
    {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A SIL"]},
)


def agreement(kind: str, *parties: str, **rest: Any) -> Agreement:
    return Agreement(kind, parties, **rest)


def lines(position: Position, power: str, *agreements: Agreement, **options: Any) -> list[set[str]]:
    """The sets of an answer, the best first."""
    with Engine(**options) as engine:
        answer = engine.search(position, power, nodes=NODES, agreements=agreements, lines=20)
    assert answer.lines[0].orders == answer.orders
    return [set(line.orders) for line in answer.lines]


def enters(sets: list[set[str]], *provinces: str) -> bool:
    """Whether a unit goes there, in any of the sets."""
    moves = [order for orders in sets for order in orders if " S " not in order and " C " not in order]
    return any(order.endswith(tuple(f"- {place}" for place in provinces)) for order in moves)


def candidates(position: Position, power: str, *agreements: Agreement) -> set[str]:
    """All orders that the search of a power is made of, which may break its word."""
    bonds = Bonds(position, agreed(position, agreements))
    space = search_space(position, power, evaluator(MAP), Maxims.named(), bonds)
    return {str(decode(MAP, code)) for unit in range(space.n_units) for code in space.choices(unit)}


@pytest.mark.parametrize(
    ("search", "left_out"),
    [("learnt", ()), ("learnt", ideas_of("learnt")), ("paper", ()), ("paper", ideas_of("paper"))],
)
@pytest.mark.parametrize("order", ["A BUR - GAS", "A BUR H", "A BUR S A SIL - MUN"])
def test_what_a_power_has_promised_it_does_in_every_set(
    order: str, search: str, left_out: tuple[str, ...]
) -> None:
    """Though Munich stands open, and a support of a foreign unit is against a maxim."""
    promise = agreement("promise", "FRANCE", orders=(order,))
    legal_lines = lines(OPEN, "FRANCE", promise, search=search, without=left_out)
    assert legal_lines and all(order in orders for orders in legal_lines)
    assert not all(order in orders for orders in lines(OPEN, "FRANCE", search=search, without=left_out))


def test_the_first_answer_keeps_a_promise_too() -> None:
    promise = agreement("promise", "FRANCE", orders=("A BUR H", "A RUH - HOL"))
    request = Request(OPEN, ("FRANCE",), Limit(nodes=500), agreements=(promise,))
    with Engine() as engine:
        for analysis in engine.analyse(request):
            assert {*analysis.answers["FRANCE"].orders} == {"A BUR H", "A RUH - HOL"}


def test_the_maxim_against_helping_others_gives_way_to_a_promise() -> None:
    helping = "A BUR S A SIL - MUN"
    assert helping not in candidates(OPEN, "FRANCE")
    assert helping in candidates(OPEN, "FRANCE", agreement("promise", "FRANCE", orders=(helping,)))
    # What Germany has promised to do it may be helped to, and nothing else.
    theirs = agreement("promise", "GERMANY", orders=("A SIL - MUN",))
    possible = candidates(OPEN, "FRANCE", theirs)
    assert {helping, "A RUH S A SIL - MUN"} <= possible
    assert possible - candidates(OPEN, "FRANCE") == {helping, "A RUH S A SIL - MUN"}
    stays = agreement("promise", "GERMANY", orders=("A SIL H",))
    near = board("F1903M", {}, {"FRANCE": ["A BOH"], "GERMANY": ["A SIL"]})
    assert "A BOH S A SIL" in candidates(near, "FRANCE", stays)


def test_with_peace_nobody_goes_where_the_other_is() -> None:
    assert enters(lines(OPEN, "FRANCE"), "MUN")
    legal_lines = lines(OPEN, "FRANCE", agreement("peace", "FRANCE", "GERMANY"))
    assert not enters(legal_lines, "MUN", "BER", "SIL") and len(legal_lines) > 3
    # Nor does it help a third power in.
    third = board(
        "F1903M",
        {"GERMANY": ["MUN"]},
        {"FRANCE": ["A BUR"], "ITALY": ["A TYR"], "GERMANY": ["A MUN", "A SIL"]},
    )
    peace = agreement("peace", "FRANCE", "GERMANY")
    bond = Bonds(third, agreed(third, [peace])).own("FRANCE")[0]
    legal = third.packed.legal()[MAP.powers.index("FRANCE")]
    broken = {str(decode(MAP, code)) for codes in legal.values() for code in codes if bond.breaks(code)}
    assert {"A BUR - MUN", "A BUR S A TYR - MUN"} <= broken
    assert not broken & {"A BUR - RUH", "A BUR S A SIL - MUN", "A BUR H", "A BUR S A MUN"}


def test_two_promises_for_one_unit_are_refused() -> None:
    promises = [agreement("promise", "FRANCE", orders=(order,)) for order in ("A BUR H", "A BUR - GAS")]
    with pytest.raises(
        BordeauxError, match="agreement 2: A BUR - GAS cannot be promised, as A BUR H has been"
    ):
        agreed(OPEN, promises)
    assert len(agreed(OPEN, [promises[0], promises[0]])) == 2


def test_a_word_that_contradicts_itself_leaves_what_breaks_nothing() -> None:
    attack = agreement("promise", "FRANCE", orders=("A BUR - MUN",))
    legal_lines = lines(OPEN, "FRANCE", attack, agreement("peace", "FRANCE", "GERMANY"))
    assert all("A BUR H" in orders for orders in legal_lines) and not enters(legal_lines, "MUN")


def test_what_is_forbidden_and_what_is_demilitarised_is_left_alone() -> None:
    forbidden = agreement("forbid", "FRANCE", orders=("A BUR - MUN", "A RUH - MUN"))
    assert not enters(lines(OPEN, "FRANCE", forbidden), "MUN")
    empty = agreement("demilitarised", "FRANCE", "GERMANY", provinces=("mun", "KIE"))
    legal_lines = lines(OPEN, "FRANCE", empty)
    assert not enters(legal_lines, "MUN", "KIE") and enters(
        legal_lines, "HOL", "BEL", "GAS", "PIC", "MAR", "PAR"
    )


def test_an_agreement_ends_when_it_was_to_end() -> None:
    past = agreement("peace", "FRANCE", "GERMANY", until="S1903M")
    assert agreed(OPEN, [past]) == () and enters(lines(OPEN, "FRANCE", past), "MUN")
    for last in ("F1903M", "F1903R", "W1903A", "S1904M"):
        assert len(agreed(OPEN, [agreement("peace", "FRANCE", "GERMANY", until=last)])) == 1


@pytest.mark.parametrize("trust", [0.0, 0.3, 0.7, 1.0])
def test_others_do_what_they_promise_as_often_as_they_are_trusted(trust: float) -> None:
    promise = agreement("promise", "GERMANY", orders=("A SIL - PRU",), trust=trust)
    peace = agreement("peace", "FRANCE", "GERMANY", trust=trust)
    bonds = Bonds(OPEN, agreed(OPEN, [promise, peace]))
    beliefs = Beliefs(MAP, {"hold": 1.0})
    sampler = OpponentSampler(OPEN, beliefs, {}, random.Random(0), None, bonds)
    (kept,) = {str(decode(MAP, code)) for code in codes_in(bonds.seeds()["GERMANY"])}
    drawn = [sampler.orders("GERMANY") for _ in range(400)]
    share = sum(bonds.seeds()["GERMANY"] == orders for orders in drawn) / len(drawn)
    assert kept == "A SIL - PRU" and share == pytest.approx(trust, abs=0.08)
    likely = sampler.orders("GERMANY", likeliest=True)
    assert (likely == bonds.seeds()["GERMANY"]) == (trust >= 0.5)
    # Orders that are known are not doubted.
    known = OpponentSampler(OPEN, beliefs, {}, random.Random(0), {"GERMANY": b""}, bonds)
    assert known.orders("GERMANY") == b""
    assert bonds.at_peace("FRANCE", "GERMANY") == (trust >= 0.5)


def test_who_keeps_the_peace_has_something_else_to_do() -> None:
    """Germany's army would go into open Burgundy or Paris; kept from that it moves elsewhere."""
    position = board("F1903M", {"FRANCE": ["PAR", "MUN"]}, {"FRANCE": ["A MAR"], "GERMANY": ["A BUR"]})
    beliefs = Beliefs(MAP, {FAST: 1.0})
    peace = agreement("peace", "FRANCE", "GERMANY")
    free, bound = Bonds(position), Bonds(position, agreed(position, [peace]))
    drawn = {}
    for bonds in (free, bound):
        sampler = OpponentSampler(position, beliefs, {}, random.Random(0), None, bonds)
        orders = [sampler.orders("GERMANY") for _ in range(50)] + [sampler.orders("GERMANY", likeliest=True)]
        drawn[bonds] = [{str(decode(MAP, code)) for code in codes_in(order)} for order in orders]
    assert enters(drawn[free], "PAR", "MUN", "MAR") and not enters(drawn[bound], "PAR", "MUN", "MAR")
    assert enters(drawn[bound], "GAS", "PIC", "BEL", "RUH")


#: Germany's one army in Munich, which France's two take together, or one alone once it has left.
LEAVING = board(
    "F1903M",
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN", "BER"]},
    {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]},
)


def test_a_promise_that_is_trusted_decides() -> None:
    """Where it has promised to leave, nobody helps who goes there; where it stays, none goes alone."""
    with Engine() as engine:
        for order, leaves in (("A MUN - BER", True), ("A MUN H", False)):
            promise = agreement("promise", "GERMANY", orders=(order,))
            answer = engine.search(LEAVING, "FRANCE", nodes=20_000, agreements=[promise])
            helped = any(" S " in order for order in answer.orders)
            assert (enters([set(answer.orders)], "MUN"), helped) in (
                [(True, False)] if leaves else [(True, True), (False, False)]
            )


def test_a_promise_that_is_trusted_decides_in_the_paper_s_search() -> None:
    """One army does not get past another; if that has promised to leave, it does."""
    values = []
    for order, trust in (("A MUN - BER", 1.0), ("A MUN - BER", 0.1), ("A MUN H", 1.0)):
        promise = agreement("promise", "GERMANY", orders=(order,), trust=trust)
        with Engine(evaluation="hand", search="paper") as engine:
            answer = engine.search(LEAVING, "FRANCE", nodes=20_000, agreements=[promise])
        assert enters([set(answer.orders)], "MUN") == (order != "A MUN H")
        values.append(answer.value)
    assert values[0] > max(values[1:])


#: France's army beside Warsaw, which falls to Germany's with its support alone.
WARSAW = board(
    "F1903M",
    {"FRANCE": ["PAR"], "GERMANY": ["BER"], "RUSSIA": ["WAR"]},
    {"FRANCE": ["A GAL"], "GERMANY": ["A SIL"], "RUSSIA": ["A WAR"]},
)
HELP, STAYS = "A GAL S A SIL - WAR", "A GAL H"


def test_an_ally_s_gain_is_a_part_of_one_s_own() -> None:
    promise = agreement("promise", "GERMANY", orders=("A SIL - WAR",))
    stays = agreement("promise", "RUSSIA", orders=("A WAR H",))
    allied = agreement("alliance", "FRANCE", "GERMANY")
    gains = []
    for agreements in ((promise, stays), (promise, stays, allied)):
        with Engine() as engine:
            measure = engine.measure(Request(WARSAW, ("FRANCE",), agreements=agreements))
        helped, stayed = (
            math.fsum(row) / len(row)
            for row in measure.shares([from_orders(WARSAW, "FRANCE", [order]) for order in (HELP, STAYS)])
        )
        gains.append(helped - stayed)
    assert gains[1] > gains[0] + 0.01
    bonds = Bonds(WARSAW, agreed(WARSAW, [allied]))
    assert bonds.partners("FRANCE") == {"GERMANY": 0.25} and not bonds.partners("RUSSIA")


def test_retreats_and_adjustments_keep_to_what_is_agreed() -> None:
    retreat = Position(
        MAP,
        "F1903R",
        [Unit("GERMANY", "A", "BUR")],
        {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]},
        [Dislodged(Unit("FRANCE", "A", "BUR"), ("GAS", "PAR"))],
    )
    promise = agreement("promise", "FRANCE", orders=("A BUR D",))
    assert lines(retreat, "FRANCE", promise)[0] == {"A BUR D"} != lines(retreat, "FRANCE")[0]
    empty = agreement("demilitarised", "FRANCE", "GERMANY", provinces=("PAR",))
    assert all("A BUR R PAR" not in orders for orders in lines(retreat, "FRANCE", empty))
    winter = Position(MAP, "W1903A", [], {"FRANCE": ["PAR", "MAR", "BRE"]})
    fleets = agreement("promise", "FRANCE", orders=("F BRE B", "F MAR B"))
    assert {"F BRE B", "F MAR B"} <= lines(winter, "FRANCE", fleets)[0]
    none = agreement("demilitarised", "FRANCE", provinces=("BRE",))
    assert not any("BRE B" in order for orders in lines(winter, "FRANCE", none) for order in orders)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (agreement("pax", "FRANCE"), "unknown kind 'pax'.*known: promise, forbid"),
        (agreement("peace", "FRANCE"), "peace needs two parties"),
        (agreement("peace", "FRANCE", "fra"), "peace needs two parties"),
        (agreement("promise", orders=("A BUR H",)), "promise needs a party"),
        (agreement("peace", "FRANCE", "GERMANI"), "unknown power 'GERMANI'; did you mean 'GERMANY'"),
        (agreement("peace", "FRANCE", "ITALY", trust=1.01), "trust must be a number from 0 to 1, not 1.01"),
        (agreement("peace", "FRANCE", "ITALY", trust=float("nan")), "trust must be .* not nan"),
        (agreement("peace", "FRANCE", "ITALY", trust=True), "trust must be .* not True"),
        (agreement("peace", "FRANCE", "ITALY", trust="much"), "trust must be .* not 'much'"),
        (agreement("peace", "FRANCE", "ITALY", until="1903"), "unknown phase '1903'"),
        (agreement("peace", "FRANCE", "ITALY", orders=("A BUR H",)), "peace has no orders"),
        (agreement("forbid", "FRANCE"), "forbid needs orders"),
        (agreement("demilitarised", "FRANCE"), "demilitarised needs provinces"),
        (agreement("demilitarised", "FRANCE", provinces=("XYZ",)), "unknown province 'XYZ'"),
        (agreement("promise", "FRANCE", orders=("A BUR - BER",)), "A BUR - BER cannot be promised in F1903M"),
        (agreement("promise", "FRANCE", orders=("A SIL H",)), "A SIL H cannot be promised"),
        (agreement("promise", "FRANCE", orders=("nonsense",)), "agreement 2: .*nonsense"),
        (agreement("peace", "FRANCE", "ITALY", stabbed_by=("RUSSIA",)), "RUSSIA is no party"),
    ],
)
def test_rubbish_is_refused_in_one_clear_line(wrong: Agreement, complaint: str) -> None:
    with pytest.raises(BordeauxError, match=complaint) as caught:
        Request(OPEN, agreements=(agreement("peace", "FRANCE", "TURKEY"), wrong))
    assert str(caught.value).startswith("agreement 2: ") and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (3, "an agreement is an object"),
        ({"kind": "peace"}, "parties is missing"),
        ({"parties": ["FRANCE"]}, "kind is missing"),
        ({"kind": "peace", "parties": "FRANCE"}, "parties must be a list of texts"),
        ({"kind": "promise", "parties": ["FRANCE"], "orders": [1]}, "orders must be a list of texts"),
        ({"kind": "peace", "partys": []}, "unknown field 'partys'; did you mean 'parties'"),
    ],
)
def test_json_of_another_form_is_refused(data: object, complaint: str) -> None:
    with pytest.raises(BordeauxError, match=complaint):
        Agreement.from_json(data)
