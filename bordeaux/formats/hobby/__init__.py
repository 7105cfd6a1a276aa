"""Whole games in the formats of sites: webDiplomacy, vDiplomacy, Backstabbr, playdiplomacy, judges, lists.

`reading` detects the form and makes `sheet` values, one for each phase, from lines of orders
(`bordeaux.formats.order_lines`), from `backstabbr` or from `webdiplomacy_json`. `assembly` adjudicates
them to a saved game in JSON. `markup` parses web pages, `fetching` and `sites` get them. This package does
not import saved games as objects: `bordeaux.formats.games` reads its result.
"""

from bordeaux.formats.hobby.reading import game_of_json, game_of_pages, is_site_json
from bordeaux.formats.hobby.sheet import ReadingNote

__all__ = ["ReadingNote", "game_of_json", "game_of_pages", "is_site_json"]
