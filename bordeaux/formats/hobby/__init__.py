"""Whole games in the formats of sites: webDiplomacy, vDiplomacy, Backstabbr, playdiplomacy, judges.

A site's reader makes `sheet` values from a page, one for each phase. `assembly` adjudicates them to a saved
game in JSON. `markup` parses web pages, `fetching` and `sites` get them, `reading` detects the format. This
package does not import saved games as objects: `bordeaux.formats.games` reads its result.
"""

from bordeaux.formats.hobby.notes import ReadingNote
from bordeaux.formats.hobby.reading import game_of_json, game_of_pages, is_site_game, is_site_json

__all__ = ["ReadingNote", "game_of_json", "game_of_pages", "is_site_game", "is_site_json"]
