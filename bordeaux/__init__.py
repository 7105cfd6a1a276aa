"""Bordeaux: an open engine for the board game Diplomacy."""

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.unit import Dislodged, Unit
from bordeaux.engine import Engine, Found, Line
from bordeaux.evaluation import evaluate
from bordeaux.formats.daide import position_from_daide, position_to_daide
from bordeaux.formats.games import Game, load_games
from bordeaux.formats.load import read_position
from bordeaux.formats.text import position_from_text
from bordeaux.openings.book import Book
from bordeaux.rules import adjudicate, legal_orders

__all__ = [
    "Book",
    "BordeauxError",
    "Dislodged",
    "Engine",
    "Found",
    "Game",
    "Line",
    "Map",
    "Order",
    "Phase",
    "Position",
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
__version__ = "0.1.0"
