"""Whole games as the sites of the hobby show them: webDiplomacy, vDiplomacy, Backstabbr, playdiplomacy,
judges.

A reader of a site makes `sheet` values of what a page tells of each phase; `assembly` leads them through
the rules to a saved game in JSON. `markup` knows what a web page is, `fetching` and `sites` where one comes
from, `reading` chooses. Nothing here knows saved games as objects: `bordeaux.formats.games` reads what is
made here.
"""

from bordeaux.formats.hobby.notes import ReadingNote
from bordeaux.formats.hobby.reading import game_of_json, game_of_pages, is_site_game, is_site_json

__all__ = ["ReadingNote", "game_of_json", "game_of_pages", "is_site_game", "is_site_json"]
