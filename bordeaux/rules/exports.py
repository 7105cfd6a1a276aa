"""A whole game in the form of another program, with the results of our rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.formats.games import Game
from bordeaux.formats.registry import FORMATS
from bordeaux.rules.adjudication import adjudicate

FORMS = {known.name: known.suffix for known in FORMATS if known.suffix}
"""The forms, each with the end of a file's name: that of the package `diplomacy`, godip's phases, the history
of a judge, which jDip imports, and the orders with their results, for people."""
Adjudicated = tuple[Position, Mapping[str, Sequence[Order]], Mapping[str, list[str]]]
"""A position, the orders by power, and the results by unit, which are empty in an unplayed phase."""


def exported(game: Game, form: str, map: Map | None = None) -> str:
    """The text of a game in one of `FORMS`. Raises FormatError for another form, and what `Game.position`
    raises."""
    if form not in FORMS:
        raise FormatError(f"no form {quote(form)}; forms: {', '.join(FORMS)}")
    if form == "json":
        return json_line(game.to_json()) + "\n"
    (known,) = (known for known in FORMATS if known.name == form)
    made = known.call("export", played_phases(game, map), game.id)
    return (made if isinstance(made, str) else json_line(made)) + "\n"


def played_phases(game: Game, map: Map | None = None) -> list[Adjudicated]:
    """The phases with their readable orders; a phase without orders has no results. Raises what
    `Game.position` raises."""
    phases: list[Adjudicated] = []
    for index in range(len(game.phases)):
        position = game.position(index, map)
        orders = {power: given for power, given in game.given(index, position).items() if given}
        results = adjudicate(position, orders).results if orders else {}
        phases.append((position, orders, results))
    return phases
