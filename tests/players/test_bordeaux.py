"""The engine as a player: its options, its limits, and what it makes of the phases it has seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError, Engine, Map, Order, Position
from bordeaux.arena import bench
from bordeaux.board.notation import parse_order
from bordeaux.players.base import Limit, Seat, Turn
from bordeaux.players.bordeaux import BEYOND, Bordeaux, BordeauxPaper
from bordeaux.players.limits import FULL, LEVELS, level
from bordeaux.players.people import Person
from bordeaux.players.registry import create
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.search import models as learnt
from bordeaux.search.config import PaperConfig, SearchConfig
from tests.openings.small_book import START, TRIESTE, USUAL, small_book
from tests.players.playing import assert_sound

MAP = Map.standard()
TURKEY = Seat("TURKEY", MAP, 5)


def test_it_orders_what_the_engine_finds_with_the_same_seed() -> None:
    position = Position.start()
    with Engine(seed=11) as engine:
        answer = engine.search(position, "TURKEY", nodes=1000)
    assert tuple(Bordeaux(TURKEY, seed=11, nodes=1000).orders(position, Limit())) == answer.orders
    assert tuple(create("bordeaux:seed=11", TURKEY).orders(position, Limit(nodes=1000))) == answer.orders


def seated(options: str, seat: Seat = TURKEY) -> Bordeaux:
    player = create(f"bordeaux:{options}", seat)
    assert isinstance(player, Bordeaux)
    return player


def test_every_option_reaches_the_engine_and_settings_of_the_search_are_options() -> None:
    maxims = "never cut your own support+walk where you can walk"
    engine = seated(
        f"search=paper,evaluation=paper,maxims={maxims},processes=2,seed=3,time=0.5,nodes=400"
    ).engine
    assert (engine.config.evaluation, engine.processes, engine.seed) == ("paper", 2, 3)
    assert engine.config.paper.obeyed.on_sets == 2 and len(engine.config.paper.obeyed.on_orders) == 1
    assert seated("search=paper,maxims=none").engine.config.paper.obeyed == ((), 0)
    assert seated("without=people+forcing,policy=none").engine.config == SearchConfig(
        without="people+forcing"
    )
    assert seated("caution=0.5,search=paper").engine.config == SearchConfig(
        "paper", paper=PaperConfig(caution=0.5)
    )


def test_the_paper_is_the_engine_with_the_papers_evaluation_and_all_maxims() -> None:
    paper, default = BordeauxPaper(TURKEY), Bordeaux(TURKEY)
    assert paper.engine.config.evaluation == "paper" and default.engine.config.evaluation == "default"
    assert paper.engine.config.search == "paper" and paper.engine.config.paper == PaperConfig()
    same = create(f"bordeaux:search=paper,evaluation=paper,without={BEYOND}", TURKEY)
    start, limit = Position.start(), Limit(nodes=500)
    assert tuple(paper.orders(start, limit)) == tuple(same.orders(start, limit))


@pytest.mark.parametrize(
    ("options", "given", "used"),
    [
        ({"nodes": 300}, Limit(), (None, 300)),
        ({"nodes": 300}, Limit(nodes=200), (None, 200)),
        ({"nodes": 300}, Limit(nodes=900), (None, 300)),
        ({"nodes": 300}, Limit(time=9.0), (9.0, 300)),
        ({"time": 0.5}, Limit(time=0.2), (0.2, None)),
        ({}, Limit(), (None, 20_000)),
    ],
)
def test_the_lower_limit_holds(
    options: dict[str, Any], given: Limit, used: tuple[float | None, int | None]
) -> None:
    assert Bordeaux(TURKEY, **options).limit(given) == used


def test_the_last_movement_phase_is_kept_as_a_seed_through_retreats_and_winter() -> None:
    start = Position.start()
    orders: dict[str, list[Order | str]] = {
        "TURKEY": ["A CON - BUL", Order(*parse_order("F ANK - BLA", MAP)), "gibberish", "F ANK - NOWHERE"],
        "RUSSIA": [],
    }
    after = start.next({"TURKEY": orders["TURKEY"][:2]})
    player = Bordeaux(TURKEY)
    player.observe(Turn(start, orders, after))
    assert [str(order) for order in player.previous["TURKEY"]] == ["A CON - BUL", "F ANK - BLA"]
    kept = player.previous
    winter = Position(MAP, "W1901A", start.units, start.centres)
    player.observe(Turn(winter, {"TURKEY": ["WAIVE"]}, winter.next({})))
    assert player.previous is kept
    assert_sound(after, "TURKEY", player.orders(after, Limit(nodes=200)))


def test_the_paper_knows_nothing_of_what_was_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*given: object, **named: object) -> None:
        raise AssertionError("a learnt net was asked")

    monkeypatch.setattr(learnt, "load_net", asked)
    monkeypatch.setattr(learnt, "own_net", asked)
    player = create("bordeaux-paper:nodes=3000", Seat("FRANCE", MAP, 1))
    assert_sound(Position.start(), "FRANCE", player.orders(Position.start(), Limit()))


FRANCE = Seat("FRANCE", MAP, 5)
FEW = Limit(nodes=200)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The small book in a file."""
    place = tmp_path / "small.jsonl"
    small_book().save(place)
    return place


def test_a_book_may_be_a_file(path: Path) -> None:
    for seed in range(3):
        player = create(f"bordeaux:book={path},seed={seed}", FRANCE)
        assert set(player.orders(START, FEW)) == set(USUAL["FRANCE"])


def test_the_book_is_followed_for_so_many_phases(path: Path) -> None:
    after = START.next({"AUSTRIA": TRIESTE})
    for phases, in_book in ((1, False), (2, True)):
        player = seated(f"book={path},book_phases={phases}", Seat("AUSTRIA", MAP, 5))
        assert player.engine.search(after, "AUSTRIA", nodes=200).book == in_book


def test_who_wants_to_be_hard_to_foresee_draws_among_what_is_as_good() -> None:
    position = next(position for position, _ in bench.positions() if str(position.phase) == "F1906M")
    given = set()
    for seed in range(6):
        player = seated(f"draw=true,seed={seed}", Seat("ITALY", MAP, 5))
        given.add(player.orders(position, Limit(nodes=3000)))
        assert player.answer is not None
        (chosen,) = (line for line in player.answer.lines if line.orders == player.answer.orders)
        assert chosen.level
    assert len(given) > 1


def test_a_book_that_cannot_be_read_is_told_in_one_line(path: Path) -> None:
    for name, message in (("nowhere.jsonl", "cannot read"), ("noise.jsonl", "no book")):
        path.with_name("noise.jsonl").write_text("{}\n", encoding="utf-8")
        with pytest.raises(BordeauxError, match=message) as caught:
            create(f"bordeaux:book={path.with_name(name)}", FRANCE)
        assert "\n" not in str(caught.value)


def test_levels_are_numbered_from_one_and_err_less_with_each() -> None:
    assert [level.number for level in LEVELS] == list(range(1, FULL + 1))
    assert len({level.name for level in LEVELS}) == len(LEVELS)
    temperatures = [level.temperature for level in LEVELS if level.temperature is not None]
    assert temperatures == sorted(temperatures, reverse=True)
    searching = [level for level in LEVELS if level.temperature is None]
    assert searching == list(LEVELS[len(temperatures) :]) and searching[-1].nodes is None
    nodes = [level.nodes for level in searching[:-1] if level.nodes is not None]
    assert nodes == sorted(nodes) and len(nodes) == len(searching) - 1


@pytest.mark.parametrize("number", [level.number for level in LEVELS if level.temperature is not None])
def test_a_low_level_orders_what_its_seat_would_draw_of_people(number: int) -> None:
    person = Person(Seat("FRANCE", MAP, 3), temperature=level(number).temperature or 0, wide=True)
    player = seated(f"level={number}", Seat("FRANCE", MAP, 3))
    for _ in range(4):
        assert list(player.orders(START, Limit(nodes=5))) == list(person.orders(START, Limit()))
    assert player.answer is None


@pytest.mark.parametrize("talks", [True, False])
def test_a_low_level_keeps_what_it_has_agreed_to(talks: bool) -> None:
    """Without talks it goes to Galicia with this seed."""
    position = Position.start()
    player = seated(f"level=2,press={30 if talks else 0}", Seat("RUSSIA", MAP, 6))
    list(player.open_talks(position, 30))
    offer = p.Propose(p.Demilitarised(("AUSTRIA", "RUSSIA"), ("GAL",)))
    assert bool(list(player.hear(Letter("AUSTRIA", ("RUSSIA",), offer)))) == talks
    if player.diplomat is not None:
        player.diplomat.ledger.note(Letter("RUSSIA", ("AUSTRIA",), offer))
        player.diplomat.ledger.note(Letter("AUSTRIA", ("RUSSIA",), p.Accept(offer)))
    orders = player.orders(position, Limit())
    assert len(orders) == 4 and any("- GAL" in str(order) for order in orders) != talks


def test_a_high_level_searches_within_its_nodes_and_the_table_s() -> None:
    for number, given, most in ((6, None, 150), (6, 40, 40), (7, 3_000, 2_000), (FULL, 3_000, 3_000)):
        player = seated(f"level={number}", FRANCE)
        assert player.limit(Limit(nodes=given)).nodes == most
        player.close()
    player = seated("level=6", FRANCE)
    assert len(player.orders(START, Limit())) == 3
    assert player.answer is not None and player.answer.nodes <= 2 * 150
    player.close()
