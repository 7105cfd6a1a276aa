"""Pictures of boards for people. Everything here is a pure function of positions."""

from bordeaux.view.textmap import draw_board

__all__ = ["draw_board"]
