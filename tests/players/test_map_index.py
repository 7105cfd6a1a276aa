"""Map and position by number: who is where, who could come, and who has how many."""

from __future__ import annotations

from hypothesis import given, settings

from bordeaux import Map, Position
from bordeaux.formats.daide import map_from_mdf
from bordeaux.players.map_index import FAR_AWAY, map_index, situation
from tests.board.positions import positions
from tests.patience import examples

MAP = Map.standard()


def at(name: str) -> int:
    return MAP.province(name).index


def test_a_map_by_number_says_what_the_map_says() -> None:
    ground = map_index(MAP)
    for location in MAP.locations:
        near = {ground.name[there] for there in ground.neighbours[location.index]}
        assert near == set(MAP.adjacent(location.kind, location.name))
        assert ground.reach[location.index] == {at(name.partition("/")[0]) for name in near}
        assert location.index in ground.locations[location.province]
        assert ground.number[location.kind, location.name] == location.index
    assert [MAP.provinces[centre].name for centre in ground.centres] == list(MAP.centres)
    assert ground.distances(ground.number["A", "PAR"])[at("MOS")] == MAP.distance("A", "PAR")["MOS"]
    assert ground.distances(ground.number["A", "LON"])[at("PAR")] == FAR_AWAY
    assert ground.steps(at("LON"))[at("PAR")] == 3


@settings(max_examples=examples(25), deadline=None)
@given(position=positions())
def test_threats_are_what_a_plain_count_gives(position: Position) -> None:
    now = situation(position)
    for name in ("PAR", "BUL", "MAO", "STP"):
        for number, power in enumerate(MAP.powers):
            foreign = [
                unit.power
                for unit in position.units
                if unit.power != power
                and (
                    unit.province == name
                    or name in {place.partition("/")[0] for place in MAP.adjacent(unit.kind, unit.location)}
                )
            ]
            most = max((foreign.count(other) for other in foreign), default=0)
            assert now.threats(at(name), number) == (len(foreign), most)
            assert now.threatened(at(name), number) == bool(foreign)


def test_equal_positions_on_two_maps_of_one_name_are_kept_apart() -> None:
    texts = (
        "MDF (AUS TUR) (((AUS BUD) (TUR ANK)) ()) ((BUD (AMY ANK)) (ANK (AMY BUD)))",
        "MDF (AUS TUR) (((AUS BUD) (TUR ANK)) (BUL)) ((BUD (AMY ANK BUL)) (ANK (AMY BUD)) (BUL (AMY BUD)))",
    )
    boards = [map_from_mdf(text, "twins") for text in texts]
    state = {"name": "S1901M", "units": {"AUS": ["A BUD"]}, "centers": {"AUS": ["BUD"], "TUR": ["ANK"]}}
    situations = [situation(Position.from_json(state, board)) for board in boards]
    assert [now.ground.map for now in situations] == boards
