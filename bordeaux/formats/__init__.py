"""The forms that positions and games are written in: JSON, plain text, DAIDE.

`load` reads whichever it is given; the others each know one form. A failure is a FormatError (not
in the form) or a PositionError (cannot stand on the board), with a text of one short line.
"""

from bordeaux.formats.package_game import give_orders, set_game

__all__ = ["give_orders", "set_game"]
