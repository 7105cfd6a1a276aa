"""The registry of opponent models: what each draws, and what it holds for probable."""

from __future__ import annotations

import math
import pickle
import random
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from bordeaux import BordeauxError, Engine, Map, Position, Unit
from bordeaux.arena import bench
from bordeaux.board.code import as_bytes, codes_in, unit_of
from bordeaux.board.submission import decode
from bordeaux.policy.net import WIDE, load_net
from bordeaux.policy.people import People
from bordeaux.search.beliefs import MODELS, PRIOR, Beliefs, Models, OpponentSampler
from bordeaux.search.config import SEARCHES, SearchConfig
from bordeaux.search.models import (
    BLIND,
    CHOICES,
    FAST,
    HOLD,
    LOOSE,
    PEOPLE,
    PEOPLE_WIDE,
    REPEAT,
    SEARCH,
    SLIP,
    SURPRISE,
    LikeLeague,
    LikePeople,
    LikePeopleWide,
    Model,
    Scene,
    foreseen,
)
from bordeaux.search.sets import from_orders
from tests.core.nets import weights
from tests.players.playing import standard
from tests.policy.reference import write

from .test_beliefs import believed as seeing

MAP = Map.standard()
START = Position.start()
LATER = next(
    position for position, _ in bench.positions() if position.phase.kind == "M" and position != START
)
HOLDS = from_orders(START, "FRANCE", ["A PAR H", "A MAR H", "F BRE H"])
MOVES = from_orders(START, "FRANCE", ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"])


def models(
    position: Position = START,
    mixtures: Mapping[str, list[tuple[bytes, float]]] | None = None,
    seed: int | None = None,
) -> dict[str, Model]:
    return Models(Scene(position, random.Random(4), {}, mixtures or {}, seed))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a net."""
    arrays = {name: array.astype(np.float16) for name, array in weights(a=8, b=8, c=8, k=8).items()}
    return str(write(tmp_path_factory.mktemp("net") / "mine.npz", arrays))


def believed(shares: dict[str, dict[str, float]]) -> Beliefs:
    beliefs = Beliefs(MAP)
    beliefs.shares = {power: shares.get(power, {SEARCH: 1.0}) for power in MAP.powers}
    return beliefs


@pytest.mark.parametrize("name", MODELS)
def test_a_probability_is_one_and_units_without_an_order_hold(name: str) -> None:
    played = {"FRANCE": [(MOVES, 1.0)]}
    for orders in (HOLDS, MOVES):
        assert models(mixtures=played)[name].log_probability("FRANCE", orders) < 0
    one, other = (models(mixtures=played)[name].log_probability("FRANCE", orders) for orders in (HOLDS, b""))
    assert one == pytest.approx(other)


@pytest.mark.parametrize("name", [name for name in MODELS if name != SEARCH])
def test_what_a_model_draws_is_legal_and_more_probable_than_what_another_does(name: str) -> None:
    for position in (START, LATER):
        for power in position.orderable():
            drawn = models(position)[name].draw(power)
            number = MAP.powers.index(power)
            assert all(position.packed.is_legal(code, number) for code in codes_in(drawn))
    plain = models()[name].draw("FRANCE")
    strange = HOLDS if plain else MOVES
    assert models()[name].log_probability("FRANCE", plain) > models()[name].log_probability("FRANCE", strange)


def test_the_chance_of_policies_is_that_of_the_generator_or_of_the_seed() -> None:
    drawn = [
        [beliefs[FAST].draw("RUSSIA") for _ in range(6)] for beliefs in (models(), models(), models(seed=9))
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_who_holds_and_who_searches_by_hand() -> None:
    held = models()[HOLD].log_probability("FRANCE", HOLDS[:8] + MOVES[8:])
    assert held == pytest.approx(math.log(1 - SURPRISE) + 2 * math.log(SURPRISE / CHOICES))
    assert models()[SEARCH].log_probability("FRANCE", MOVES) == pytest.approx(3 * math.log(BLIND))
    mixed = {"FRANCE": [(MOVES, 0.75), (HOLDS[:8] + MOVES[8:], 0.25)]}
    log = models(mixtures=mixed)[SEARCH].log_probability("FRANCE", MOVES)
    sure, likely = ((1 - LOOSE) * share + LOOSE / CHOICES for share in (1.0, 0.75))
    assert log == pytest.approx(2 * math.log(sure) + math.log(likely))


def test_a_model_is_one_class_and_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beliefs recognise it, and samples are drawn from it."""

    class Eastward(Model):
        """Gives every unit the last of its legal orders, always."""

        def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
            places = self.scene.position.packed.legal()[MAP.powers.index(power)]
            return as_bytes([listed[-1] for listed in places.values()])

        def log_probability(self, power: str, orders: bytes) -> float:
            return self.foretold(power, orders, [(self.draw(power), 1.0)], 0.1)

    monkeypatch.setitem(MODELS, "eastward", Eastward)
    beliefs = Beliefs(MAP, PRIOR | {"eastward": 0.05})
    drawn = Models(Scene(START, random.Random(1), {}, {}))["eastward"].draw("ITALY")
    beliefs.observe(START, {"ITALY": [str(decode(MAP, code)) for code in codes_in(drawn)]})
    assert beliefs.likeliest("ITALY") == "eastward" != beliefs.likeliest("FRANCE")
    sees = OpponentSampler(START, believed({"ITALY": {"eastward": 1.0}}), {}, random.Random(1))
    assert drawn in sees.joint("FRANCE")


def texts(orders: bytes) -> list[str]:
    return sorted(str(decode(MAP, code)) for code in codes_in(orders))


def repeated(beliefs: Beliefs, position: Position, power: str) -> list[str]:
    """What the model of those who repeat draws for a power."""
    scene = Scene(position, random.Random(4), {}, {}, seed=3, seen=beliefs.seen)
    return texts(Models(scene)[REPEAT].draw(power))


def board(phase: str, *units: str) -> Position:
    """Units of Turkey, each in a place of its own."""
    return Position(MAP, phase, [Unit("TURKEY", *unit.split()) for unit in units], {"TURKEY": ["CON", "SMY"]})


def test_units_that_stand_where_they_stood_a_year_ago_do_what_they_did() -> None:
    before = board("F1905M", "A CON", "F BUL/SC", "A SMY")
    beliefs = seeing([(before, {"TURKEY": ["A CON S F BUL", "F BUL/SC - GRE"]})])
    now = board("F1906M", "A CON", "F BUL/SC", "A SMY")
    # Who was silent holds, and is expected to.
    assert repeated(beliefs, now, "TURKEY") == ["A CON S F BUL/SC", "A SMY H", "F BUL/SC - GRE"]
    # Another coast, and another kind of unit, are other places; a unit that was not there follows the policy.
    other = board("F1906M", "F CON", "F BUL/EC", "A ANK")
    fast = texts(Models(Scene(other, random.Random(4), {}, {}, seed=3))[FAST].draw("TURKEY"))
    assert repeated(beliefs, other, "TURKEY") == fast
    # What is no longer legal is not repeated: nobody stands in Bulgaria to be supported.
    alone = board("F1906M", "A CON")
    assert "A CON S F BUL/SC" not in repeated(beliefs, alone, "TURKEY")


@pytest.mark.parametrize("phase", ["S1906M", "F1907M", "F1905M"])
def test_another_season_or_year_is_not_repeated(phase: str) -> None:
    beliefs = seeing([(board("F1905M", "A CON", "A SMY"), {"TURKEY": ["A CON - BUL", "A SMY - ARM"]})])
    now = board(phase, "A CON", "A SMY")
    fast = texts(Models(Scene(now, random.Random(4), {}, {}, seed=3))[FAST].draw("TURKEY"))
    assert repeated(beliefs, now, "TURKEY") == fast


def test_what_was_seen_travels_and_who_repeats_is_found_out() -> None:
    same = {"TURKEY": ["A CON - ANK", "A SMY - ANK", "F AEG S A CON - ANK"]}
    boards = [
        board(f"{season}190{year}M", "A CON", "A SMY", "F AEG") for year in (5, 6, 7) for season in "SF"
    ]
    beliefs = seeing([(board, same) for board in boards])
    assert beliefs.shares["TURKEY"][REPEAT] > 0.5 > beliefs.shares["TURKEY"][SEARCH]
    back = pickle.loads(pickle.dumps(beliefs))
    assert back.seen == beliefs.seen and back.shares == beliefs.shares
    # One year of each season is kept, whatever has been seen.
    assert {season: year for season, (year, _) in beliefs.seen["TURKEY"].items()} == {"S": 1907, "F": 1907}


def test_people_are_told_by_the_net_unit_by_unit() -> None:
    choices = People(MAP).choices(START, "FRANCE")
    chances = [
        chance for code in codes_in(MOVES) for option, chance in choices[unit_of(code)] if option == code
    ]
    assert len(chances) == 3
    model = models()[PEOPLE]
    wanted = sum(math.log((1 - SLIP) * chance + SLIP / CHOICES) for chance in chances)
    assert model.log_probability("FRANCE", MOVES) == pytest.approx(wanted, rel=1e-4)
    best = model.draw("FRANCE", likeliest=True)
    assert best == model.draw("FRANCE", likeliest=True)
    assert sorted(codes_in(best)) == sorted(codes_in(People(MAP).sets(START, "FRANCE", 1)[0][0]))


def test_the_wide_net_says_what_is_foreseen() -> None:
    wide = People(MAP, net=load_net(WIDE))
    scene = Scene(START, random.Random(1), {}, {})
    shares = {code: share for options in wide.choices(START, "FRANCE").values() for code, share in options}
    chances = [shares[code] for code in codes_in(MOVES)]
    assert foreseen(scene, "FRANCE", MOVES) == pytest.approx(chances, rel=1e-4)
    drawn = {models()[PEOPLE_WIDE].draw("FRANCE") for _ in range(3)}
    assert all(len(codes_in(orders)) == 3 for orders in drawn)


def test_an_engine_may_play_by_a_net_of_its_own(path: str, tmp_path: Path) -> None:
    """Beliefs and draws use the net in the file; other engines keep theirs."""
    plain, own = Beliefs(MAP), Beliefs(MAP, net=path)
    for believed in (plain, own):
        believed.observe(START, {"FRANCE": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]})
    assert own.shares["FRANCE"]["league"] != plain.shares["FRANCE"]["league"]
    scene = Scene(START, random.Random(1), {}, {}, seed=1, net=path)
    drawn = [LikeLeague(scene).draw("FRANCE"), People(MAP, seed=1, net=load_net(path)).draw(START, "FRANCE")]
    assert drawn[0] == drawn[1]
    with Engine(map=MAP, policy=path) as engine:
        assert engine.search(START, "FRANCE", nodes=300).orders
        travelled = pickle.loads(pickle.dumps(engine._believed(MAP).net))
    assert travelled == path
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"PK nothing")
    with pytest.raises(BordeauxError, match=r"broken\.npz: damaged"):
        Engine(policy=str(broken))


def test_a_setting_gives_one_net_all_beliefs(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    draw = LikePeopleWide.draw

    def noted(model: LikePeopleWide, power: str, **how: bool) -> bytes:
        drawn.append(power)
        return draw(model, power, **how)

    monkeypatch.setattr(LikePeopleWide, "draw", noted)
    with Engine(map=MAP, models="people=1+search=1") as engine:
        engine.search(LATER, "FRANCE", nodes=2_000)
    assert not drawn
    for search in SEARCHES:
        drawn.clear()
        with Engine(map=MAP, models="people-wide=1", search=search) as engine:
            assert engine.search(LATER, "FRANCE", nodes=2_000).orders
            engine.observe(START, {"TURKEY": ["A CON - BUL"]})
            assert all(shares == {PEOPLE_WIDE: 1.0} for shares in engine._believed(MAP).shares.values())
        assert set(drawn) >= {power for power in MAP.powers if LATER.units_of(power)} - {"FRANCE"}
    with Engine(map=MAP, models="people-wide=1+dumbbot=1") as engine:
        before = dict(engine._believed(MAP).shares["ITALY"])
        engine.observe(START, {"ITALY": ["A VEN H", "A ROM - APU", "F NAP - ION"]})
        after = engine._believed(MAP).shares["ITALY"]
    assert before == {PEOPLE_WIDE: 0.5, FAST: 0.5} and after[PEOPLE_WIDE] > 0.6


def test_the_net_of_a_file_is_a_model(path: str) -> None:
    scene = Scene(START, random.Random(1), {}, {}, seed=1)
    model, own = Models(scene)[path], People(MAP, seed=1, net=load_net(path))
    assert [model.draw("FRANCE") for _ in range(4)] == [own.draw(START, "FRANCE") for _ in range(4)]
    with pytest.raises(KeyError):
        Models(scene)["mine"]
    with Engine(map=MAP, models=f"{path}=1+search=1") as engine:
        assert all(engine.search(START, power, nodes=300).orders for power in MAP.powers[:2])
        travelled = pickle.loads(pickle.dumps(engine._believed(MAP)))
    assert set(travelled.shares["FRANCE"]) == {path, "search"}


def test_a_net_at_a_temperature_is_a_model_of_its_own(path: str) -> None:
    scene = Scene(START, random.Random(1), {}, {}, seed=1)
    for net, loaded in (("people", load_net("people")), (path, load_net(path))):
        model, own = Models(scene)[f"{net}@0.3"], People(MAP, seed=1, net=loaded, temperature=0.3)
        assert [model.draw("FRANCE") for _ in range(4)] == [own.draw(START, "FRANCE") for _ in range(4)]
        likely = own.sets(START, "FRANCE", 1)[0][0]
        plain, sharp = (Models(scene)[name].log_probability("FRANCE", likely) for name in (net, f"{net}@0.3"))
        assert plain < sharp < 0
        with Engine(map=MAP, models=f"{net}@0.3=1") as engine:
            assert engine.search(START, "FRANCE", nodes=300).orders
            assert engine._believed(MAP).likeliest("TURKEY") == f"{net}@0.3"
    for name, said in (
        ("dumbbot@0.5", "'dumbbot@0.5': only a net has a temperature"),
        ("best-first@0.5", "'best-first@0.5'"),
        ("@0.5", "'@0.5'"),
        ("people@1", "'people@1': write people"),
        ("people@.50", "'people@.50': write people@0.5"),
        ("people@0.001", "a temperature is a number from 0.01 to 100"),
        ("people@nan", "a temperature is a number from 0.01 to 100"),
        ("people@hot", "'people@hot'; did you mean 'people'?"),
        ("peeple@0.5", "'peeple@0.5'; did you mean 'people'?"),
    ):
        with pytest.raises(BordeauxError, match=re.escape(said)):
            SearchConfig().changed({"models": f"{name}=1"})


def test_people_remember_what_was_seen() -> None:
    orders = {"AUSTRIA": ["A BUD - SER"], "TURKEY": ["A CON - BUL"], "RUSSIA": ["F SEV - BLA"]}
    fall, beliefs = START.next(orders), Beliefs(MAP)
    beliefs.observe(START, orders)
    plain, knowing = (
        LikePeople(Scene(fall, random.Random(1), {}, {}, seen=seen)).log_probability("TURKEY", b"")
        for seen in ({}, beliefs.seen)
    )
    assert plain != knowing
    # Models of one net take turns at it, and its work on a position lasts as long as the memory is the same.
    both = Models(Scene(fall, random.Random(1), {}, {}, seen=beliefs.seen))
    sharp, plain_net = both["people@0.5"], both["people"]
    assert isinstance(sharp, LikePeople) and isinstance(plain_net, LikePeople)
    assert sharp._memory is plain_net._memory is not None and sharp._net is plain_net._net


def test_in_winter_what_is_due_is_foreseen_together() -> None:
    winter = standard("W1901A", {"TURKEY": ["A BUL"]}, {"TURKEY": ["ANK", "CON", "SMY", "BUL"]})
    scene = Scene(winter, random.Random(1), {}, {})
    orders = from_orders(winter, "TURKEY", ["A CON B", "F ANK B", "A SMY B"])
    together = foreseen(scene, "TURKEY", orders)
    alone = [foreseen(scene, "TURKEY", as_bytes([code]))[0] for code in codes_in(orders)]
    assert together == pytest.approx([1 - (1 - chance) ** 3 for chance in alone])
    assert all(0 < chance < 1 for chance in alone)


def test_who_asks_no_people_draws_no_chance_for_them() -> None:
    left, right = random.Random(7), random.Random(7)
    Models(Scene(START, left, {}, {}))
    for name, model in MODELS.items():
        if name != PEOPLE:
            model(Scene(START, right, {}, {}))
    assert left.random() == right.random()


def test_models_that_are_seeded_anew_draw_as_at_first(path: str) -> None:
    # A power's search is one of its own: without it there is nothing to draw from.
    names = [name for name in (*MODELS, path, "people@0.5", "people@2", f"{path}@0.5") if name != SEARCH]
    models, late = (
        Models(Scene(START, random.Random(1), {}, {})),
        Models(Scene(START, random.Random(2), {}, {})),
    )
    drawn = []
    for seed in (3, 4, 3):
        models.reseed(seed)
        drawn.append({name: [models[name].draw("FRANCE") for _ in range(5)] for name in names})
    assert drawn[0] == drawn[2] != drawn[1]
    # The order in which models are used, and whether they were made before, does not matter either.
    late.reseed(3)
    assert {name: [late[name].draw("FRANCE") for _ in range(5)] for name in reversed(names)} == drawn[0]
