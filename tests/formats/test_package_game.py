"""Games of the package `diplomacy`: positions in and out, orders into them, results compared."""

from __future__ import annotations

import json
import random

import pytest
from diplomacy import Game
from diplomacy.utils.export import to_saved_game_format

from bordeaux import BordeauxError, Position, adjudicate, legal_orders
from bordeaux.board.map import Map
from bordeaux.formats import give_orders, set_game
from bordeaux.formats.games import game_from_json
from bordeaux.rules.replay import replay_game

PHASES = 20


def some_orders(position: Position, chance: random.Random) -> dict[str, list[str]]:
    """Any legal order for everything that can be ordered; supports of what is ordered too, now and then."""
    legal = legal_orders(position)
    some_orders: dict[str, list[str]] = {}
    for power, places in position.orderable().items():
        due = abs(position.adjustments(power)) if position.phase.kind == "A" else len(places)
        for place in chance.sample(list(places), min(due, len(places))):
            options = [str(order) for order in legal[place] if "VIA" not in str(order)]
            some_orders.setdefault(power, []).append(chance.choice(options))
    return some_orders


@pytest.mark.filterwarnings("ignore::bordeaux.board.errors.ReadingNote")
@pytest.mark.parametrize(("name", "seed"), [("standard", 0), ("ancmed", 0)])
def test_a_game_goes_on_as_we_adjudicate_it(name: str, seed: int) -> None:
    chance = random.Random(seed)
    game = Game(map_name=name, rules=["NO_PRESS", "POWER_CHOICE"])
    map = Map.load(f"{name}.map" if name != "standard" else name)
    position = Position.start(map)
    compared = 0
    for _ in range(PHASES):
        assert Position.from_game(game, map) == position
        orders = some_orders(position, chance)
        give_orders(game, orders, map)
        game.process()
        if game.is_game_done:
            break
        after = Position.from_game(game, map)
        ours = adjudicate(position, orders)
        position = ours.after
        while position.phase != after.phase:
            # The package passes over phases in which nobody has anything to order, as we do; one in which
            # dislodged units can only disband it passes over too.
            assert position.phase.kind == "R", position.phase
            position = position.next({})
        assert after == position
        assert ours.position is not None
        if ours.position.phase.kind == "M":
            results = game.result_history.last_value()
            for unit, words in ours.results.items():
                theirs = {str(word) for word in results.get(unit, ())}
                assert ("bounce" in theirs) == ("bounce" in words), (unit, theirs, words)
                assert ("dislodged" in theirs) == ("dislodged" in words), (unit, theirs, words)
                compared += 1
    assert compared > 100


def test_a_position_goes_into_a_game_and_comes_out() -> None:
    position = Position.start()
    for orders in ({"FRANCE": ["A PAR - BUR"]}, {"FRANCE": ["A BUR - MUN"], "GERMANY": ["A MUN - BUR"]}):
        position = position.next(orders)
    game = Game()
    set_game(game, position)
    assert Position.from_game(game) == position


def test_orders_are_read_in_any_notation() -> None:
    game = Game()
    give_orders(game, {"fra": ["army paris to burgundy", "F Brest -> MAO"]})
    assert game.get_orders("FRANCE") == ["A PAR - BUR", "F BRE - MAO"]
    with pytest.raises(BordeauxError):
        give_orders(game, {"FRANCE": ["lovely weather"]})


def test_a_game_on_another_map_takes_no_position_of_ours() -> None:
    position = Position.start()
    game = Game()
    game.map_name = "ancmed"
    with pytest.raises(BordeauxError, match="ancmed"):
        set_game(game, position)
    assert Position.from_game(game, Map.standard()) == position


# Saved games of the package `diplomacy` as they are: what differs is explained, not refused.

AT_LEAST = 25


def played(seed: int) -> dict[str, object]:
    """A game of random orders, with convoys that nobody carries out, as the package saves it."""
    chance = random.Random(seed)
    game = Game(rules=["NO_PRESS", "POWER_CHOICE"])
    while not game.is_game_done and len(game.state_history) < AT_LEAST:
        possible = game.get_all_possible_orders()
        for power in game.powers:
            places = [place for place in sorted(game.get_orderable_locations(power)) if possible[place]]
            # The package lists orders in the order of a set, which is another in each process.
            game.set_orders(power, [chance.choice(sorted(possible[place])) for place in places])
        game.process()
    saved: dict[str, object] = json.loads(json.dumps(to_saved_game_format(game)))
    return saved


def test_a_game_is_read_and_what_differs_is_told() -> None:
    explained = set()
    for seed in range(2):
        report = replay_game(game_from_json(played(seed)))
        assert report.phases >= AT_LEAST
        assert [mismatch for mismatch in report.mismatches if mismatch.explanation is None] == []
        explained |= {str(mismatch.explanation) for mismatch in report.mismatches}
    assert any("land-route" in explanation for explanation in explained), explained


def test_homes_may_be_those_still_owned() -> None:
    saved = played(0)
    phases = saved["phases"]
    assert isinstance(phases, list)
    for phase in phases:
        state = phase["state"]
        state["homes"] = {
            power: [home for home in homes if home in state["centers"][power]]
            for power, homes in state["homes"].items()
        }
    report = replay_game(game_from_json(saved))
    assert report.phases >= AT_LEAST
