"""Bordeaux: an open engine for the board game Diplomacy."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bordeaux.board.errors import BordeauxError
    from bordeaux.board.map import Map
    from bordeaux.board.order import Dislodged, Order, Unit
    from bordeaux.board.phase import Phase
    from bordeaux.board.position import Position
    from bordeaux.engine import Agreement, Analysis, Engine, Found, Limit, Line, Request
    from bordeaux.evaluation import evaluate
    from bordeaux.formats.daide import position_from_daide, position_to_daide
    from bordeaux.formats.games import Game, load_games
    from bordeaux.formats.load import read_position
    from bordeaux.formats.text import position_from_text
    from bordeaux.openings.book import Book
    from bordeaux.rules import adjudicate, legal_orders

__all__ = [
    "Agreement",
    "Analysis",
    "Book",
    "BordeauxError",
    "Dislodged",
    "Engine",
    "Found",
    "Game",
    "Limit",
    "Line",
    "Map",
    "Order",
    "Phase",
    "Position",
    "Request",
    "Unit",
    "adjudicate",
    "evaluate",
    "legal_orders",
    "load_games",
    "position_from_daide",
    "position_from_text",
    "position_to_daide",
    "read_position",
]
__version__ = "0.2.0"

# A name is imported when it is first asked for, so that the command line can catch Ctrl-C from the start and
# no command pays for what it does not use.
_HOMES = {
    "board.errors": ("BordeauxError",),
    "board.map": ("Map",),
    "board.order": ("Dislodged", "Order", "Unit"),
    "board.phase": ("Phase",),
    "board.position": ("Position",),
    "engine": ("Agreement", "Analysis", "Engine", "Found", "Limit", "Line", "Request"),
    "evaluation": ("evaluate",),
    "formats.daide": ("position_from_daide", "position_to_daide"),
    "formats.games": ("Game", "load_games"),
    "formats.load": ("read_position",),
    "formats.text": ("position_from_text",),
    "openings.book": ("Book",),
    "rules": ("adjudicate", "legal_orders"),
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        for home, names in _HOMES.items():
            if name in names:
                globals()[name] = getattr(importlib.import_module(f"bordeaux.{home}"), name)
                return globals()[name]
        raise AttributeError(f"module 'bordeaux' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
