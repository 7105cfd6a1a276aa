"""The formats of positions and games: JSON, plain text, DAIDE, and those of other programs.

`load` reads any of them; each other module handles one format. A failure is a FormatError (wrong format) or a
PositionError (impossible on the board), with a text of one short line.
"""

from bordeaux.formats.backstabbr import (
    orders_from_backstabbr,
    orders_to_backstabbr,
    position_from_backstabbr,
    position_to_backstabbr,
)
from bordeaux.formats.package_game import give_orders, set_game
from bordeaux.formats.pages import orders_from_page, position_from_page
from bordeaux.formats.playdiplomacy import (
    orders_from_playdiplomacy,
    orders_to_playdiplomacy,
    position_from_playdiplomacy,
    position_to_playdiplomacy,
)
from bordeaux.formats.webdiplomacy import orders_from_webdiplomacy, orders_to_webdiplomacy

__all__ = [
    "give_orders",
    "orders_from_backstabbr",
    "orders_from_page",
    "orders_from_playdiplomacy",
    "orders_from_webdiplomacy",
    "orders_to_backstabbr",
    "orders_to_playdiplomacy",
    "orders_to_webdiplomacy",
    "position_from_backstabbr",
    "position_from_page",
    "position_from_playdiplomacy",
    "position_to_backstabbr",
    "position_to_playdiplomacy",
    "set_game",
]
