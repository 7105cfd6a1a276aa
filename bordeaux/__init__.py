"""Bordeaux: an open engine for the board game Diplomacy."""

from bordeaux.board.errors import BordeauxError
from bordeaux.board.formats.games import Game, load_games
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.unit import Dislodged, Unit
from bordeaux.engine import Agreement, Analysis, Engine, Found, Limit, Line, Request
from bordeaux.evaluation import evaluate
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
]
__version__ = "0.1.0"
