"""Bordeaux: an open engine for the board game Diplomacy."""

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.unit import Dislodged, Unit
from bordeaux.engine import Engine
from bordeaux.evaluation import evaluate
from bordeaux.rules import adjudicate, legal_orders

__all__ = [
    "BordeauxError",
    "Dislodged",
    "Engine",
    "Map",
    "Order",
    "Phase",
    "Position",
    "Unit",
    "adjudicate",
    "evaluate",
    "legal_orders",
]
__version__ = "0.1.0"
