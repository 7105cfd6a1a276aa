"""A whole game in the form of another program, with the results of our rules."""

from __future__ import annotations

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import FormatError, quote
from bordeaux.board.map import Map
from bordeaux.formats.game_text import Adjudicated, to_judge, to_text
from bordeaux.formats.games import Game
from bordeaux.formats.godip import to_godip
from bordeaux.rules.adjudication import adjudicate

__all__ = ["FORMS", "exported", "played_phases"]

FORMS = {"json": "json", "godip": "json", "judge": "txt", "text": "txt"}
"""The forms, each with the end of a file's name: that of the package `diplomacy`, godip's phases, the history
of a judge, which jDip imports, and the orders with their results, for people."""


def exported(game: Game, form: str, map: Map | None = None) -> str:
    """The text of a game in one of `FORMS`. Raises FormatError for another form, and what `Game.position`
    raises."""
    if form not in FORMS:
        raise FormatError(f"no form {quote(form)}; forms: {', '.join(FORMS)}")
    if form == "json":
        return json_line(game.to_json()) + "\n"
    phases = played_phases(game, map)
    if form == "godip":
        return json_line(to_godip(phases, game.id)) + "\n"
    return (to_judge(phases, game.id) if form == "judge" else to_text(phases)) + "\n"


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
