"""Games are held out whole, by their id; powers count where they sent orders."""

from itertools import islice

from bordeaux import Map
from bordeaux.board.code import codes_in
from bordeaux.formats.games import game_from_json, read_games
from tests.training.conftest import GAMES
from training.split import PARTS, TEST, TRAIN, VALIDATION, part_of, played_phases

MAP = Map.standard()


def test_the_part_follows_from_the_id_alone() -> None:
    # SHA-256 of these begins with ea6fe5db, 8f434346 and 77af778b.
    assert part_of("droidippy_150") == part_of("droidippy_150")
    parts = [part_of(f"game {number}") for number in range(5000)]
    assert {PARTS[part] for part in parts} == {"train", "validation", "test"}
    assert 400 < parts.count(TEST) < 600 and 400 < parts.count(VALIDATION) < 600
    assert parts.count(TRAIN) > 3800


def test_powers_without_a_legal_order_do_not_count() -> None:
    state = {"units": {"FRANCE": ["A PAR"], "ITALY": ["F NAP", "A ROM"], "TURKEY": ["F ANK"]}, "centers": {}}
    orders = {"FRANCE": [], "ITALY": ["A ROM - VEN", "F NAP - LON", "no order"], "TURKEY": ["F ANK - MUN"]}
    phases = [
        {"name": "S1901M", "state": state, "orders": orders},
        {"name": "F1901M", "state": {"units": {"NOBODY": []}, "centers": {}}, "orders": {}},
    ]
    game = game_from_json({"id": "one", "map": "standard", "phases": phases})
    (phase,) = played_phases(game, MAP)
    assert [MAP.powers[power] for power in phase.orders] == ["ITALY"]
    assert len(codes_in(phase.orders[MAP.powers.index("ITALY")])) == 1


def test_recorded_games_are_read_whole() -> None:
    for game in islice(read_games(GAMES), 4):
        played = list(played_phases(game, MAP))
        assert [str(phase.position.phase) for phase in played] == [phase.name for phase in game.phases]
        for phase, recorded in zip(played, game.phases, strict=True):
            sent = {power for power, orders in recorded.orders.items() if orders}
            counted = {MAP.powers[power] for power in phase.orders}
            assert counted <= sent
            # Nothing but orders to be convoyed that nobody can convoy is no legal order.
            assert all(order.endswith(" VIA") for power in sent - counted for order in recorded.orders[power])
