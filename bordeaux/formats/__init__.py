"""The formats of positions and games: JSON, plain text, DAIDE, and those of other programs.

`load` reads any of them; each other module handles one format. A failure is a FormatError (wrong format) or a
PositionError (impossible on the board), with a text of one short line.
"""

from bordeaux.formats.games import give_orders, set_game
from bordeaux.formats.hobby.backstabbr import position_from_backstabbr, position_to_backstabbr
from bordeaux.formats.load import position_from_page
from bordeaux.formats.order_sheet import orders_from_text
from bordeaux.formats.site_pages import (
    orders_to_backstabbr,
    orders_to_playdiplomacy,
    orders_to_webdiplomacy,
    position_from_playdiplomacy,
    position_to_playdiplomacy,
)

__all__ = [
    "give_orders",
    "orders_from_text",
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
