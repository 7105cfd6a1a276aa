"""The formats of positions and games: JSON, plain text, DAIDE, and those of other programs.

`registry` knows them by their content, `load` reads any of them; each other module handles one format. A
failure is a FormatError (wrong format) or a PositionError (impossible on the board), with a text of one short
line.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bordeaux.formats.answer import AnsweredOrders as AnsweredOrders
    from bordeaux.formats.answer import orders_in_answer as orders_in_answer
    from bordeaux.formats.games import give_orders as give_orders
    from bordeaux.formats.games import set_game as set_game
    from bordeaux.formats.order_sheet import orders_from_text as orders_from_text
else:
    # Imported when first asked for: a module here loads no other format.
    _HOMES = {
        "AnsweredOrders": "answer",
        "orders_in_answer": "answer",
        "give_orders": "games",
        "set_game": "games",
        "orders_from_text": "order_sheet",
    }

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'bordeaux.formats' has no attribute {name!r}")
        return getattr(importlib.import_module(f"bordeaux.formats.{_HOMES[name]}"), name)
