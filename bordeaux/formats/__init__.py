"""The formats of positions and games: JSON, plain text, DAIDE, and those of other programs.

`registry` lists them, `load` reads any of them; each other module handles one format. A failure is a
FormatError (wrong format) or a PositionError (impossible on the board), with a text of one short line.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bordeaux.formats.answer import AnsweredOrders as AnsweredOrders
    from bordeaux.formats.answer import orders_in_answer as orders_in_answer
    from bordeaux.formats.games import give_orders as give_orders
    from bordeaux.formats.games import set_game as set_game
    from bordeaux.formats.hobby.backstabbr import position_from_backstabbr as position_from_backstabbr
    from bordeaux.formats.hobby.backstabbr import position_to_backstabbr as position_to_backstabbr
    from bordeaux.formats.order_sheet import orders_from_text as orders_from_text
    from bordeaux.formats.registry import position_from_page as position_from_page
    from bordeaux.formats.site_pages import orders_to_backstabbr as orders_to_backstabbr
    from bordeaux.formats.site_pages import orders_to_playdiplomacy as orders_to_playdiplomacy
    from bordeaux.formats.site_pages import orders_to_webdiplomacy as orders_to_webdiplomacy
    from bordeaux.formats.site_pages import position_from_playdiplomacy as position_from_playdiplomacy
    from bordeaux.formats.site_pages import position_to_playdiplomacy as position_to_playdiplomacy
else:
    # Imported when first asked for: a module here loads no other format.
    _HOMES = {
        "answer": "AnsweredOrders orders_in_answer",
        "games": "give_orders set_game",
        "hobby.backstabbr": "position_from_backstabbr position_to_backstabbr",
        "order_sheet": "orders_from_text",
        "registry": "position_from_page",
        "site_pages": "orders_to_backstabbr orders_to_playdiplomacy orders_to_webdiplomacy"
        " position_from_playdiplomacy position_to_playdiplomacy",
    }

    def __getattr__(name: str) -> object:
        for home, names in _HOMES.items():
            if name in names.split():
                globals()[name] = getattr(importlib.import_module(f"bordeaux.formats.{home}"), name)
                return globals()[name]
        raise AttributeError(f"module 'bordeaux.formats' has no attribute {name!r}")
