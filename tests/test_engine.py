"""The engine as its users hold it."""

from __future__ import annotations

import gc
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest

from bordeaux import BordeauxError, Dislodged, Engine, Map, Position, Unit, adjudicate, legal_orders
from bordeaux.arena import bench
from bordeaux.engine import Limit, Request
from bordeaux.rules.rulesets import DAIDE
from bordeaux.search import task
from bordeaux.search.agreements import Agreement
from bordeaux.search.analysis import Found
from bordeaux.search.candidates import Candidates
from bordeaux.search.sets import by_owner

MAP = Map.standard()


def check_answers(position: Position, answers: Mapping[str, Found]) -> None:
    """Answers for all powers of the map."""
    assert tuple(answers) == MAP.powers
    for power, answer in answers.items():
        check_answer(position, power, answer)


def check_answer(position: Position, power: str, answer: Found) -> None:
    """Every order legal, every unit ordered, and no build or removal owed."""
    legal = {order for orders in legal_orders(position, power).values() for order in orders}
    assert set(answer.orders) <= legal
    if position.phase.kind == "A":
        assert len(answer.orders) == abs(position.adjustments(power))
    else:
        owed = position.orderable().get(power, ())
        assert sorted(order.split()[1] for order in answer.orders) == sorted(owed)


@pytest.mark.parametrize("number", range(0, len(bench.positions()), 3))
def test_orders_are_legal_and_complete(number: int) -> None:
    position, _ = bench.positions()[number]
    with Engine() as engine:
        check_answers(position, engine.search_all(position, nodes=1000))


def test_the_same_nodes_give_the_same_answer_with_any_seed() -> None:
    position = next(p for p, _ in bench.positions() if p.phase.kind == "M" and p.phase.year > 1903)
    runs = []
    for seed in (1, 2):
        with Engine(seed=seed) as engine:
            runs.append(
                [answer._replace(seconds=0.0) for answer in engine.search_all(position, nodes=2_000).values()]
            )
    assert runs[0] == runs[1]


class Ticking:
    """A clock that goes on by half a millisecond with every look at it, however slow the machine is."""

    TICK = 0.0005

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        self.now += self.TICK
        return self.now


def test_the_deadline_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the moment at which the time is up, a search looks at the clock a few times more, and never
    goes on."""
    clock = Ticking()
    monkeypatch.setattr(task, "clock", clock)
    with Engine() as engine:
        for position, _ in bench.positions()[::6]:
            begun = clock.now
            answers = engine.search_all(position, time=0.05)
            # Half a tick more is for rounding.
            assert clock.now - begun <= 0.05 + 10.5 * clock.TICK
            check_answers(position, answers)


def test_a_search_is_stopped_from_outside_and_gives_its_best() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 20

    with Engine() as engine:
        for number in (8, 24):
            position, _ = bench.positions()[number]
            asked = 0
            power = next(iter(position.orderable()))
            *_, last = engine.improvements(position, power, time=3600, stop=stop)
            check_answer(position, power, last)
            asked = 0
            check_answer(position, power, engine.search(position, power, time=3600, stop=stop))
            asked = 0
            check_answers(position, engine.search_all(position, time=3600, stop=stop))


def test_lines_are_distinct_and_probabilities_sum_up() -> None:
    position = next(p for p, _ in bench.positions() if p.phase.kind == "M" and p.phase.year > 1903)
    with Engine() as engine:
        answers = engine.search_all(position, nodes=12_000, lines=50)
    assert [power for power, answer in answers.items() if answer.lines] == [
        power for power in MAP.powers if position.units_of(power)
    ]
    for answer in filter(lambda answer: answer.lines, answers.values()):
        assert answer.lines[0].orders == answer.orders
        moves = [frozenset(o for o in line.orders if " - " in o and " S " not in o) for line in answer.lines]
        assert len(moves) == len(set(moves))
        assert sum(line.probability for line in answer.lines) == pytest.approx(1, abs=0.01)


def test_retreats_prefer_a_home_centre_to_disbanding() -> None:
    position = Position(
        MAP,
        "F1903R",
        [Unit("GERMANY", "A", "BUR")],
        {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]},
        [Dislodged(Unit("FRANCE", "A", "BUR"), ("GAS", "PAR"))],
    )
    with Engine() as engine:
        assert engine.search(position, "FRANCE", nodes=100).orders[0].startswith("A BUR R ")


def test_powers_without_orders_get_none() -> None:
    with Engine() as engine:
        lonely = Position(MAP, "S1905M", [Unit("TURKEY", "A", "CON")], {"TURKEY": ["CON"]})
        assert engine.search(lonely, "FRANCE", nodes=100).orders == ()
        over = Position(MAP, "COMPLETED", [], {"TURKEY": MAP.centres[:18]})
        assert engine.search(over, "TURKEY", nodes=100).orders == ()


MUNICH = Position(
    MAP,
    "F1903M",
    [Unit("FRANCE", "A", "BUR"), Unit("FRANCE", "A", "RUH"), Unit("GERMANY", "A", "MUN")],
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN", "BER"]},
)


def test_orders_of_others_that_are_known_are_used() -> None:
    with Engine() as engine:
        stays = engine.search(MUNICH, "FRANCE", nodes=20_000, given={"GERMANY": ["A MUN H"]})
        leaves = engine.search(MUNICH, "FRANCE", nodes=20_000, given={"ger": ["A MUN - BER"]})
        with pytest.raises(BordeauxError, match="unknown power"):
            engine.search(MUNICH, "FRANCE", nodes=100, given={"GERMANIA": []})
    # One against one does not get into Munich; when it is left, one does, and needs no help.
    assert any(" S " in order for order in stays.orders) == any(
        order.endswith("- MUN") for order in stays.orders
    )
    assert any(order.endswith("- MUN") for order in leaves.orders)
    assert not any(" S " in order for order in leaves.orders)


def test_the_first_answer_comes_before_anything_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a search nor goals nor other threads hold it up."""
    opened = []
    whole = Candidates.find

    def noting(self: Candidates, powers: Sequence[str], budget: task.Budget) -> Iterator[str]:
        opened.append(powers)
        return whole(self, powers, budget)

    monkeypatch.setattr(Candidates, "find", noting)
    with Engine(threads=3) as engine:
        steps = engine.improvements(Position.start(), "TURKEY", time=5.0)
        first = next(steps)
        assert len(first.orders) == 3 and first.lines[0].orders == first.orders and first.nodes == 0
        assert opened == [] and engine.workers == ()
        steps.close()


KINDS = {position.phase.kind: position for position, _ in bench.positions()}


@pytest.mark.parametrize("kind", "MRA")
def test_the_first_answer_is_legal_and_complete(kind: str) -> None:
    with Engine() as engine:
        first = next(engine.analyse(Request(KINDS[kind], limit=Limit(nodes=1))))
    assert not first.final and first.changed == MAP.powers
    check_answers(KINDS[kind], first.answers)


@pytest.mark.parametrize("kind", "MRA")
@pytest.mark.parametrize(
    ("powers", "explain"), [(MAP.powers, False), (("GERMANY",), True), (("TURKEY", "FRANCE"), False)]
)
def test_a_stream_ends_with_what_a_search_finds(kind: str, powers: tuple[str, ...], explain: bool) -> None:
    """However often somebody looks at it on the way."""
    position, limit = KINDS[kind], Limit(nodes=5_000)
    with Engine(seed=3, explain=explain) as engine:
        stream = list(engine.analyse(Request(position, powers, limit)))
        if powers == MAP.powers:
            answers = engine.search_all(position, nodes=limit.nodes)
        elif len(powers) == 1:
            answers = {powers[0]: engine.search(position, powers[0], nodes=limit.nodes)}
            *_, last = engine.improvements(position, powers[0], nodes=limit.nodes)
            assert last._replace(seconds=0.0) == answers[powers[0]]._replace(seconds=0.0)
        else:
            answers = dict([*engine.analyse(Request(position, powers, limit))][-1].answers)
    assert [analysis.final for analysis in stream] == [False] * (len(stream) - 1) + [True]
    assert tuple(stream[-1].answers) == powers
    for power, answer in stream[-1].answers.items():
        assert answer._replace(seconds=0.0) == answers[power]._replace(seconds=0.0)
    # An analysis says which powers have another set than in the one before.
    for before, after in itertools.pairwise(stream):
        differ = {power for power in powers if after.answers[power].orders != before.answers[power].orders}
        assert set(after.changed) == differ


def test_as_many_lines_as_are_asked_for() -> None:
    with Engine() as engine:
        assert [len(engine.search(KINDS["M"], "FRANCE", nodes=9000, lines=n).lines) for n in (1, 3, 8)] == [
            1,
            3,
            8,
        ]


def test_a_request_is_read_when_it_is_made() -> None:
    request = Request(Position.start(), ("tur", "FRA", "TURKEY"), previous={"tur": ["A CON H"]})
    assert request.powers == ("TURKEY", "FRANCE") and request.previous == {"TURKEY": ("A CON H",)}
    assert Request(Position.start()).powers == MAP.powers
    with Engine() as engine, pytest.raises(BordeauxError, match="a search needs a limit"):
        engine.analyse(request)
    for wrong, complaint in (
        ({"powers": ("TURKY",)}, "unknown power 'TURKY'"),
        ({"lines": 0}, "lines must be a whole number from 1 on, not 0"),
        ({"limit": Limit(nodes=float("nan"))}, "nodes must be a whole number from 1 on, not nan"),  # type: ignore[arg-type]
        ({"given": {"TURKEY": "A CON H"}}, "orders of TURKEY must be a list"),
        ({"given": {"TURKEY": ["A VEN H"]}}, "TURKEY: A VEN H is illegal in S1901M: A VEN belongs to ITALY"),
        ({"given": {5: []}}, "unknown power '5'"),
        ({"previous": ["A CON H"]}, "orders are a mapping of powers to lists"),
        ({"seeds": [5]}, "a seed must be a set of orders, not 5"),
        ({"rules": None}, "rules must be a rule set or its name, not None"),
        ({"agreements": [5]}, "agreement 1: it must be an Agreement, not 5"),
    ):
        with pytest.raises(BordeauxError, match=complaint):
            Request(Position.start(), **wrong)


def test_the_rules_of_the_table_say_which_orders_count() -> None:
    """Where routes are given, a convoy may take a longer way than it needs, and an army names it."""
    position = Position(MAP, "S1902M", [Unit("FRANCE", "F", "WES"), Unit("FRANCE", "A", "TUN")], {})
    by_sea = ["A TUN - SPA VIA", "F WES C A TUN - SPA"]
    assert by_owner(position, [by_sea]) != by_owner(position, [by_sea], DAIDE)
    assert len(by_owner(position, [by_sea], DAIDE)["FRANCE"][0]) == 8
    with Engine() as engine:
        answer = engine.search(position, "FRANCE", nodes=500, seeds=[by_sea], rules=DAIDE)
    assert len(answer.orders) == 2


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ({"seed": -1}, "seed must be a whole number from 0 to 18446744073709551615, not -1"),
        ({"seed": 10**5000}, "not a number of many digits"),
        ({"map": "atlantis"}, "atlantis"),
        ({"config": 5}, "config must be a SearchConfig, not 5"),
        ({"threads": 257}, "threads must be a whole number from 1 to 256, not 257"),
        ({"processes": 1.5}, "processes must be a whole number from 1 to 256, not 1.5"),
        ({"processes": 2}, "processes are for search paper; search learnt has threads"),
        ({"search": "paper", "threads": 2}, "threads are for search learnt; search paper has processes"),
        ({"search": "paper", "caution": float("nan")}, "caution must be a number from 0 to 1, not nan"),
        ({"book_phases": -1}, "book_phases must be a whole number from 0 on, not -1"),
        ({"evaluation": "nothing"}, "unknown evaluation 'nothing'"),
        ({"maxims": ["x"]}, "x"),
        ({"without": ["thinking"]}, "unknown idea 'thinking'"),
        ({"caution": 0.5}, "caution is a setting of search paper, not of search learnt"),
        ({"without": ["fronts"]}, "fronts is an idea of search paper, not of search learnt"),
    ],
)
def test_values_that_make_no_sense_are_refused(argument: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BordeauxError, match=complaint):
        Engine(**argument)


def test_what_people_would_play() -> None:
    start = Position.start()
    with Engine() as engine:
        sets = engine.people(start, "tur", lines=4)
        assert len(sets) == 4 and sets == engine.people(start, "TURKEY", lines=10)[:4]
        legal = {order for orders in legal_orders(start, "TURKEY").values() for order in orders}
        for orders, probability in sets:
            assert len(orders) == 3 and set(orders) <= legal and 0 < probability < 1
        assert engine.people(start, "TURKEY", lines=1, temperature=0.1)[0][1] > sets[0][1]
        over = Position.from_json({**start.to_json(), "name": "COMPLETED"})
        assert engine.people(over, "TURKEY") == []
        for wrong in ({"lines": 0}, {"lines": 65}, {"temperature": 0}, {"temperature": "x"}):
            with pytest.raises(BordeauxError):
                engine.people(start, "TURKEY", **wrong)
        with pytest.raises(BordeauxError):
            engine.people(start, "SPAIN")


def test_what_people_foresee_of_orders() -> None:
    start = Position.start()
    with Engine() as engine:
        orders = engine.people(start, "TURKEY", lines=1)[0][0]
        chances = engine.foreseen(start, "TURKEY", orders)
        assert tuple(chances) == orders and all(0 < chance <= 1 for chance in chances.values())
        assert engine.foreseen(start, "TURKEY", ["A CON - MOS"]) == {}


def test_rules_may_be_named() -> None:
    assert adjudicate(Position.start(), {}, rules="daide").after == Position.start().next({})
    with pytest.raises(BordeauxError, match="no rules 'x'"):
        adjudicate(Position.start(), {}, rules="x")


# A search leaves nothing behind: its spaces hold megabytes that Python's own collector does not see.

START = Position.start()
FALL = Position.from_json(START.to_json() | {"name": "F1901M"})
RETREATS = Position.from_json(
    {
        "name": "F1901R",
        "units": {"FRANCE": ["A MUN", "A BUR"], "GERMANY": ["*A MUN", "A BER"]},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN", "BER"]},
        "retreats": {"GERMANY": {"A MUN": ["TYR", "BOH", "SIL", "KIE"]}},
    }
)
PEACE = Agreement("peace", ("FRANCE", "ENGLAND"))
FRANCE = Request(START, ("FRANCE",), Limit(nodes=900))

# What the engine is told, the request, and a class whose instances hold the memory of such a search.
SEARCHES: dict[str, tuple[dict[str, Any], Request, str]] = {
    "movement": ({}, FRANCE, "Contest"),
    "all powers in Fall, where proofs are looked for": (
        {},
        Request(FALL, limit=Limit(nodes=2500)),
        "Contest",
    ),
    "the way of the papers": (
        {"search": "paper"},
        Request(START, ("FRANCE",), Limit(nodes=2500)),
        "Expander",
    ),
    "explained": ({"explain": True}, FRANCE, "Contest"),
    "bound": ({}, Request(START, ("FRANCE",), Limit(nodes=900), agreements=[PEACE]), "Contest"),
    "retreats": ({}, Request(RETREATS, ("GERMANY",), Limit(nodes=900)), "Contest"),
    "retreats, the way of the papers": (
        {"search": "paper"},
        Request(RETREATS, ("GERMANY",), Limit(nodes=900)),
        "Contest",
    ),
}


def living() -> Counter[str]:
    """How many objects there are of each class of the package and the core, without those that are frozen."""
    classes = (type(kept) for kept in gc.get_objects())
    return Counter(kept.__name__ for kept in classes if str(kept.__module__).startswith("bordeaux."))


def at_most(answers: Iterable[object]) -> Counter[str]:
    """The most objects of each class that there are at any of the answers."""
    most: Counter[str] = Counter()
    for _ in answers:
        most |= living()
    return most


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the collector, so that a circle of references stays. What there was before is frozen."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.parametrize("looks", [None, 2], ids=["to the end", "left early"])
@pytest.mark.parametrize(("options", "request_", "holder"), SEARCHES.values(), ids=SEARCHES)
def test_a_search_ends_with_its_last_user(
    options: dict[str, Any], request_: Request, holder: str, looks: int | None
) -> None:
    # Nets and tables are read by the first search, and stay.
    Engine(**options).search_all(request_.position, nodes=300)
    with uncollected():
        during = at_most(islice(Engine(**options).analyse(request_), looks))
        after = living()
    assert during[holder] > 0
    assert after == Counter()
