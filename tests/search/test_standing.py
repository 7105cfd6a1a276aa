"""What adjustments make sure, on positions made by hand."""

from bordeaux import Engine, Map, Position, Unit
from bordeaux.board.code import codes_in
from bordeaux.search.proof import sure_by_standing, sure_centres
from bordeaux.search.sets import from_orders


def spring(own: list[str], others: list[str], owned: list[str]) -> Position:
    units = [Unit("AUSTRIA", *text.split(" ")) for text in own]
    units += [Unit("ITALY", *text.split(" ")) for text in others]
    return Position(Map.standard(), "S1904M", units, {"AUSTRIA": owned, "ITALY": ["VEN", "ROM"]})


def test_a_support_makes_a_centre_sure() -> None:
    both = ["A TYR", "A BOH"]
    assert sure_by_standing(spring(["A VIE"], both, ["VIE"]), "AUSTRIA") == 0
    assert sure_by_standing(spring(["A VIE", "A BUD"], both, ["VIE", "BUD"]), "AUSTRIA") == 2
    assert sure_by_standing(spring(["A VIE", "A SER"], both, ["VIE", "SER"]), "AUSTRIA") == 1


def test_one_unit_does_not_take_two_centres() -> None:
    assert sure_by_standing(spring(["A GAL"], ["A TYR"], ["VIE", "TRI"]), "AUSTRIA") == 1


def test_who_guards_a_centre_is_not_removed() -> None:
    units = [Unit("AUSTRIA", "A", place) for place in ("VIE", "BUD", "UKR")]
    units += [Unit("ITALY", "A", place) for place in ("TYR", "BOH")]
    owned = {"AUSTRIA": ["VIE", "BUD"], "ITALY": ["VEN", "ROM"]}
    position = Position(Map.standard(), "W1903A", units, owned)
    for nodes in (1_000, 5_000, 20_000):
        with Engine(seed=1, evaluation="hand", search="paper") as engine:
            assert engine.search(position, "AUSTRIA", nodes=nodes).orders == ("A UKR D",)


def test_units_that_others_may_keep_are_counted() -> None:
    """Italy has to remove a unit, but nobody says which: none counts as gone."""
    units = [Unit("AUSTRIA", "A", place) for place in ("VIE", "BUD", "UKR")]
    units += [Unit("ITALY", "A", place) for place in ("TYR", "BOH")]
    position = Position(Map.standard(), "W1903A", units, {"AUSTRIA": ["VIE", "BUD"], "ITALY": ["VEN"]})
    sure = {}
    for place in ("UKR", "BUD"):
        codes = from_orders(position, "AUSTRIA", [f"A {place} D"])
        after = position.packed.adjudicate([(0, code) for code in codes_in(codes)])[0]
        sure[place] = sure_centres(position, "AUSTRIA", codes_in(codes), after)
    assert sure == {"UKR": 2, "BUD": 1}
